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
from sandriver.tables.wire import Act
from tests.games.test_contract import every_game, random_game, viewers
from tests.simulation.loop import VirtualLoop
from tests.simulation.world import EPOCH
from tests.tables.tools import GAMES, SOLO, MemoryStore, PolicyBook, fix_secrets, started


def moments(thinking: Callable[[], float], patch: pytest.MonkeyPatch) -> list[int]:
    """When the bot replied, in ms of virtual time, at a table that is the same each time."""
    loop = VirtualLoop(random.Random(1), jumbled=False)

    async def think(work: Callable[[], str]) -> str:
        await asyncio.sleep(thinking())
        return work()

    async def game() -> list[int]:
        store = MemoryStore()
        bus: Any = MemoryBus()
        service = TableService(store, bus, games=GAMES, find_bot=PolicyBook(), pace=Pace(), now=lambda: EPOCH + int(loop.time() * 1000))
        await service.start()
        table, persons = await started(service, SOLO)
        for ply in (0, 2, 4):
            await service.command(table, persons[0], Act(f"c{ply}", ply, "t"))
            while (await service.snapshot(table, None)).ply < ply + 2:  # noqa: ASYNC110  # virtual time costs nothing
                await asyncio.sleep(0.01)
        return [row.at for row in store.log[table] if isinstance(row.entry, Action) and row.entry.seat == 1]

    found: list[int] = []

    async def main() -> None:
        found.extend(await game())

    with patch.context() as patched:
        fix_secrets(patched)
        patched.setattr(bot_driver, "_in_thread", think)
        random.seed(7)
        loop.play(main(), 100_000)
    return found


def test_thinking_disappears_in_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = moments(lambda: 0.0, monkeypatch)
    hidden = random.Random(3)
    slow = moments(lambda: hidden.random() * Pace().shortest, monkeypatch)
    assert len(quick) == 3
    assert slow == quick
    assert moments(lambda: 5.0, monkeypatch) != quick, "the comparison has eyes"


@every_game
def test_the_pause_counts_only_events_that_everybody_hears(game: Game) -> None:
    for seed in range(6):
        for transition in random_game(game, seed):
            heard = {len(game.hear(transition, viewer).events) for viewer in viewers(game, transition.after)}
            assert heard == {len(transition.events)}
