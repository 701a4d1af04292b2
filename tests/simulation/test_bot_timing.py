"""How long a bot takes tells nothing: its pause comes from public things, and thinking that depends on its hand disappears in the pause."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from sandriver.games.contract import Game
from sandriver.tables import bot_driver
from sandriver.tables.bot_driver import Pace
from sandriver.tables.bus import MemoryBus
from sandriver.tables.log import Action
from sandriver.tables.service import TableService
from sandriver.tables.wire import Act, Hurry
from tests.games.test_contract import every_game, random_game, viewers
from tests.simulation.loop import VirtualLoop
from tests.simulation.world import EPOCH
from tests.tables.tools import GAMES, SOLO, MemoryStore, PolicyBook, fix_secrets, started


def moments(
    thinking: Callable[[], float],
    patch: pytest.MonkeyPatch,
    *,
    hurry: float | None = None,
    secret: str = "5a" * 32,
    pace: Pace | None = None,
) -> list[int]:
    """How long after each move the bot replied, in ms of virtual time.

    ``hurry``: seconds after which the person skips the pause.
    """
    loop = VirtualLoop(random.Random(1), jumbled=False)

    async def think(work: Callable[[], str]) -> str:
        await asyncio.sleep(thinking())
        return work()

    async def game() -> list[int]:
        store = MemoryStore()
        bus: Any = MemoryBus()
        service = TableService(
            store, bus, games=GAMES, find_bot=PolicyBook(), pace=pace or Pace(), now=lambda: EPOCH + round(loop.time() * 1000)
        )
        await service.start()
        table, persons = await started(service, SOLO)
        for ply in (0, 2, 4):
            await service.command(table, persons[0], Act(f"c{ply}", ply, "t"))
            if hurry is not None:
                await asyncio.sleep(hurry)
                await service.command(table, persons[0], Hurry(f"h{ply}"))
            while (await service.snapshot(table, None)).ply < ply + 2:  # noqa: ASYNC110  # virtual time costs nothing
                await asyncio.sleep(0.01)
        actions = [row for row in store.log[table] if isinstance(row.entry, Action)]
        return [reply.at - asked.at for asked, reply in zip(actions[::2], actions[1::2], strict=True)]

    found: list[int] = []

    async def main() -> None:
        found.extend(await game())

    with patch.context() as patched:
        fix_secrets(patched)
        patched.setattr("sandriver.tables.chance.new_secret", lambda: secret)
        patched.setattr(bot_driver, "_in_thread", think)
        loop.play(main(), 100_000)
    return found


def test_thinking_disappears_in_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = moments(lambda: 0.0, monkeypatch)
    hidden = random.Random(3)
    slow = moments(lambda: hidden.random() * Pace().shortest, monkeypatch)
    assert len(quick) == 3
    assert slow == quick
    assert all(1000 * Pace().shortest <= pause <= 1000 * Pace().longest for pause in quick)
    assert moments(lambda: 5.0, monkeypatch) != quick, "the comparison has eyes"


def test_a_pause_is_the_tables_own_and_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It follows from the table's key and the ply, so a restart or the state of any generator changes nothing; another table has others."""
    first = moments(lambda: 0.0, monkeypatch)
    random.seed(99)
    assert moments(lambda: 0.0, monkeypatch) == first
    assert len(set(first)) == 3
    assert moments(lambda: 0.0, monkeypatch, secret="6b" * 32) != first


def test_who_skips_the_pause_does_not_see_how_long_the_bot_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    floor, strongest, hidden = Pace().hurried, 0.3, random.Random(3)
    assert floor > strongest, "seconds that the strongest bot thinks"
    for hurry, reply in ((0.0, floor), (0.1, floor), (0.6, 0.6)):
        quick = moments(lambda: 0.0, monkeypatch, hurry=hurry)
        slow = moments(lambda: hidden.random() * strongest, monkeypatch, hurry=hurry)
        assert quick == slow == [round(1000 * reply)] * 3
    eager = moments(lambda: 0.2, monkeypatch, hurry=0.0, pace=Pace(hurried=0, step=0))
    assert eager == [200] * 3, "the comparison has eyes"


def test_a_bot_that_is_late_replies_at_moments_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that is too busy, more than a step's difference in thinking can be seen, and nothing finer."""
    pace = Pace(0.5, 0.5, 0)
    for thinking, reply in ((0.51, 0.75), (0.74, 0.75), (0.76, 1.0), (1.9, 2.0)):
        assert moments(lambda thinking=thinking: thinking, monkeypatch, pace=pace) == [round(1000 * reply)] * 3  # type: ignore[misc]


@every_game
def test_the_pause_counts_only_events_that_everybody_hears(game: Game) -> None:
    for seed in range(6):
        for transition in random_game(game, seed):
            heard = {len(game.hear(transition, viewer).events) for viewer in viewers(game, transition.after)}
            assert heard == {len(transition.events)}
