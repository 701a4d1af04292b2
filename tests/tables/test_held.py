"""A store that hangs costs the service its time and no player theirs, in virtual time."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from sandriver.tables.bus import MemoryBus
from sandriver.tables.clock import CREDIT_FIRST
from sandriver.tables.errors import Refusal, StoreFailed
from sandriver.tables.held import AGAIN_MS, NOTICED_MS, Held
from sandriver.tables.keeping import STORE_SECONDS
from sandriver.tables.log import Action, Flagged, Row
from sandriver.tables.service import TableService
from sandriver.tables.wire import Act, ClockPlan, OpenTable, Propose
from tests.simulation.loop import VirtualLoop
from tests.simulation.world import EPOCH
from tests.tables.tools import GAMES, PERSON, MemoryStore, PolicyBook, ids, started

TEN = OpenTable("toy", (PERSON, PERSON), first=0, clock=ClockPlan(10))
HUNG = 1000 * STORE_SECONDS
"""Ms that an attempt takes at a store that does not answer."""


class Moody(MemoryStore):
    """A store that takes so many seconds for the next appends (``None``: it never answers), or fails after them."""

    def __init__(self) -> None:
        super().__init__()
        self.moods: list[float | None] = []
        self.fails = False

    async def append(self, rows: Sequence[Row]) -> None:
        mood = self.moods.pop(0) if self.moods else 0
        if mood is None:
            await asyncio.Event().wait()
        await asyncio.sleep(mood or 0)
        if mood and self.fails:
            raise StoreFailed("disk full")
        await super().append(rows)


class Scene:
    """A table for two with ten seconds each, Ana to move."""

    store: Moody
    service: TableService
    table: str
    persons: list[str]

    def __init__(self) -> None:
        self.loop = VirtualLoop(random.Random(1), jumbled=False)

    def now(self) -> int:
        return EPOCH + round(self.loop.time() * 1000)

    def play(self, work: Callable[[Scene], Awaitable[None]]) -> None:
        async def main() -> None:
            self.store = Moody()
            bus: Any = MemoryBus()
            self.service = TableService(self.store, bus, games=GAMES, find_bot=PolicyBook(), now=self.now)
            await self.service.start()
            self.table, self.persons = await started(self.service, TEN)
            await work(self)

        self.loop.play(main(), 20_000)

    async def act(self, seat: int, command: Act | None = None) -> str | None:
        """The seat plays; returns the code of the refusal."""
        command = command or self.command()
        try:
            await self.service.command(self.table, self.persons[seat], command)
        except Refusal as refusal:
            return refusal.code
        return None

    def command(self) -> Act:
        state = self.service._tables.get(self.table).state
        return Act(next(ids), state.ply, state.game.format_action(state.position.legal_actions[0]))

    async def left(self, seat: int) -> int:
        """Ms that the seat's clock shows."""
        clock = (await self.service.snapshot(self.table, None)).table.clock
        assert clock is not None
        return clock.remaining[seat] - (self.now() - clock.at if clock.running == seat else 0)

    @property
    def rows(self) -> list[Row]:
        return self.store.log[self.table]


def test_arithmetic() -> None:
    held = Held()
    assert (held.at(5000), held.most) == (0, 0)
    held.failed(1000, 6000)
    assert (held.ms, held.at(6000), held.at(7000), held.at(99_000), held.most) == (5000, 5000, 6000, 5000 + AGAIN_MS, 5000 + AGAIN_MS)
    held.failed(2000, 7000)
    assert held.at(7000) == 6000, "attempts that overlap count once"
    held.failed(8000, 13_000)
    assert held.at(13_000) == 12_000
    held.begin(NOTICED_MS - 1)
    assert (held.ms, held.most) == (0, 0)
    held.begin(NOTICED_MS)
    assert (held.at(1), held.most) == (NOTICED_MS, NOTICED_MS)


@pytest.mark.parametrize("fails", [False, True])
def test_an_attempt_that_failed_is_not_charged(fails: bool) -> None:
    """The same command, sent again a second later, is stored then; Ana pays what she thought, and Bo's clock begins when he hears of it."""

    async def work(scene: Scene) -> None:
        scene.store.fails = fails
        await asyncio.sleep(4)
        scene.store.moods = [4.0] if fails else [None]
        command = scene.command()
        assert await scene.act(0, command) == "try_again"
        took = 4000 if fails else HUNG
        assert scene.now() - EPOCH == 4000 + took
        await asyncio.sleep(1)
        assert await scene.act(0, command) is None
        assert await scene.left(0) == 6000
        assert await scene.left(1) == 10_000
        assert scene.rows[-1].at == scene.now()
        assert isinstance(scene.rows[-1].entry, Action)
        assert scene.rows[-1].entry.held == took + 1000
        other: Any = MemoryBus()
        again = TableService(scene.store, other, games=GAMES, find_bot=PolicyBook(), now=scene.now)
        assert (await again.snapshot(scene.table, None)).table.clock == (await scene.service.snapshot(scene.table, None)).table.clock

    Scene().play(work)


def test_a_flag_does_not_fall_over_an_outage() -> None:
    """Received with a second left, refused four times: the deadline passes, everybody looks, and the action still counts."""

    async def work(scene: Scene) -> None:
        await asyncio.sleep(9)
        command = scene.command()
        for _ in range(4):
            scene.store.moods = [None]
            assert await scene.act(0, command) == "try_again"
            await scene.service.snapshot(scene.table, None)
            await asyncio.sleep(2)
        assert scene.now() - EPOCH == 9000 + 4 * (HUNG + 2000)
        assert await scene.act(0, command) is None
        assert await scene.left(0) == 1000

    Scene().play(work)


def test_who_does_not_come_again_is_flagged() -> None:
    """What is granted is what was measured and a moment to come again: no outage is an endless game."""

    async def work(scene: Scene) -> None:
        await asyncio.sleep(9)
        scene.store.moods = [None]
        assert await scene.act(0) == "try_again"
        await asyncio.sleep(60)
        assert isinstance(scene.rows[-1].entry, Flagged)
        assert scene.rows[-1].at - EPOCH == 10_000 + HUNG + AGAIN_MS + CREDIT_FIRST + 1

    Scene().play(work)


def test_thinking_on_after_a_failure_is_charged() -> None:
    async def work(scene: Scene) -> None:
        await asyncio.sleep(1)
        scene.store.moods = [None]
        assert await scene.act(0) == "try_again"
        await asyncio.sleep(AGAIN_MS / 1000 + 4)
        assert await scene.act(0) is None
        assert await scene.left(0) == 5000

    Scene().play(work)


def test_a_commit_that_is_slow_does_not_cost_the_next_player() -> None:
    async def work(scene: Scene) -> None:
        await asyncio.sleep(2)
        scene.store.moods = [4.0]
        assert await scene.act(0) is None
        await asyncio.sleep(3)
        assert await scene.act(1) is None
        assert (await scene.left(0), await scene.left(1)) == (8000, 7000)
        await asyncio.sleep(10.4)
        assert await scene.act(0) == "game_over", "nothing of it is left for anybody else"

    Scene().play(work)


def test_waiting_for_somebody_elses_commit_is_not_charged() -> None:
    """What Bo says hangs, and Ana's action waits behind it."""

    async def work(scene: Scene) -> None:
        scene.store.moods = [None]
        asking = asyncio.create_task(scene.service.command(scene.table, scene.persons[1], Propose("p", "draw", 0)))
        await asyncio.sleep(1)
        assert await scene.act(0) is None
        assert scene.now() - EPOCH == HUNG
        assert await scene.left(0) == 9000
        with contextlib.suppress(Refusal):
            await asking

    Scene().play(work)


@pytest.mark.parametrize("what", ["illegal", "stale", "not one's turn"])
def test_nothing_that_the_service_refuses_buys_time(what: str) -> None:
    async def work(scene: Scene) -> None:
        for _ in range(4):
            await asyncio.sleep(1)
            command = {"illegal": Act(next(ids), 0, "zz"), "stale": Act(next(ids), 7, "t")}.get(what, scene.command())
            assert await scene.act(1 if what == "not one's turn" else 0, command) in ("bad_request", "stale", "illegal", "not_your_turn")
        assert await scene.act(0) is None
        assert await scene.left(0) == 6000

    Scene().play(work)


@pytest.mark.parametrize("seed", range(12))
def test_nobody_is_granted_more_than_was_measured(seed: int) -> None:
    """Whatever goes wrong: a clock loses at least what its person thought, and at most what passed."""
    rng = random.Random(seed)

    async def work(scene: Scene) -> None:
        for ply in range(8):
            seat = ply % 2
            before = await scene.left(seat)
            thought, failures, begun = 0.0, 0, scene.now()
            command = scene.command()
            while True:
                pause = rng.choice((0, 0.1, 0.4, 2.5))
                await asyncio.sleep(pause)
                thought += pause
                scene.store.moods = [rng.choice((0, 0.05, 0.3, 3.0, None))]
                code = await scene.act(seat, command)
                if code is None:
                    break
                if code == "game_over":
                    return
                assert code == "try_again"
                failures += 1
            lost, passed = before - await scene.left(seat), scene.now() - begun
            assert lost <= passed + CREDIT_FIRST
            assert lost >= 1000 * thought - AGAIN_MS * failures - HUNG - 1
            assert lost <= 1000 * thought + NOTICED_MS * (failures + 2)

    Scene().play(work)
