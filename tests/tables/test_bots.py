"""Bots at live tables: on their own, from a view only, never late, never the cause of a result."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandriver.bots import get as find_bot
from sandriver.games import GAMES as ALL_GAMES
from sandriver.tables import bot_driver
from sandriver.tables.bot_driver import NO_PAUSE, Pace, question
from sandriver.tables.due import QUIET_MS
from sandriver.tables.log import Action
from sandriver.tables.wire import Act, Hurry, OpenTable, Resign, SeatPlan
from tests.tables.tools import NOON, PERSON, SOLO, MemoryStore, PolicyBook, fix_secrets, ids, legal, play, serving, started, until
from tests.tables.toy import ToyView

pytestmark = pytest.mark.usefixtures("backend")


class Bot:
    """A bot made of a function."""

    version, game = 1, None

    def __init__(self, choose: Any) -> None:
        self.id = "special"
        self.choose = choose


def special(first: int = 1) -> OpenTable:
    return OpenTable("toy", (PERSON, SeatPlan("bot", "special")), first=first)


async def to_the_end(service: Any, table: str, person: str, rng: random.Random | None = None) -> None:
    """The person plays whenever it is their turn: the last legal action, or a random one."""
    async with asyncio.timeout(20):
        while (snapshot := await service.snapshot(table, person)).table.state == "running":
            if actions := legal(snapshot):
                await service.command(table, person, Act(next(ids), snapshot.ply, rng.choice(actions) if rng else actions[-1]))
            else:
                await asyncio.sleep(0.002)


async def test_moves_without_any_browser(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, SeatPlan("bot", "random")), first=1))
        await until(lambda: service._tables.get(table).state.ply == 1)
        await to_the_end(service, table, persons[0])


async def test_is_asked_for_the_options_of_its_table(tmp_path: Path) -> None:
    told: list[Any] = []

    class Knowing(Bot):
        def for_options(self, options: Any) -> Bot:
            told.append(options)
            return Bot(lambda _view, actions, _rng: actions[-1])

    async with serving(tmp_path, find_bot=PolicyBook(special=Knowing(None))) as service:
        table, persons = await started(service, special())
        options = service._tables.get(table).state.options
        await to_the_end(service, table, persons[0])
    assert told
    assert all(given == options for given in told)


async def test_mandala_against_its_own_bot(tmp_path: Path) -> None:
    async with serving(tmp_path, games=ALL_GAMES, find_bot=find_bot) as service:
        table, persons = await started(service, OpenTable("mandala", (PERSON, SeatPlan("bot", "apprentice"))))
        await to_the_end(service, table, persons[0])
        assert (await service.snapshot(table, None)).table.ended_by in ("sixth_colour", "last_mandala", "stall")


async def test_goes_on_after_a_restart_without_a_visitor(tmp_path: Path) -> None:
    async with serving(tmp_path, pace=Pace(60, 60)) as service:
        table, _ = await started(service, OpenTable("toy", (PERSON, SeatPlan("bot", "random")), first=1))
        await started(service, OpenTable("toy", (PERSON, PERSON)))
        over, others = await started(service, SOLO)
        await service.command(over, others[0], Resign("r"))
    async with serving(tmp_path) as service:
        async with asyncio.timeout(5):
            while not any(isinstance(row.entry, Action) for row in await service._store.rows(table)):  # noqa: ASYNC110  (no event)
                await asyncio.sleep(0.01)
        assert {live.table for live in service._tables} == {table}, "only where a bot may have to move"


async def test_gets_a_view_and_nothing_else(tmp_path: Path) -> None:
    asked: list[tuple[Any, Sequence[str], str]] = []

    def choose(view: Any, actions: Sequence[str], rng: random.Random) -> str:
        asked.append((view, actions, threading.current_thread().name))
        return actions[0]

    async with serving(tmp_path, find_bot=PolicyBook(special=Bot(choose))) as service:
        table, persons = await started(service, special())
        await to_the_end(service, table, persons[0])
    assert len(asked) > 3
    for view, actions, thread in asked:
        assert isinstance(view, ToyView)
        assert view.viewer == 1
        assert view.hands[0].startswith("?")
        assert list(view.legal) == actions
        assert all(isinstance(action, str) for action in actions)
        assert thread == "bot", "never in the event loop"


@pytest.mark.parametrize("recalls", [False, True])
async def test_is_told_what_was_claimed_if_it_recalls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recalls: bool) -> None:
    fix_secrets(monkeypatch)
    cups: list[str] = []

    class Noting(Bot):
        def __init__(self) -> None:
            super().__init__(self.noted)
            self.recalls = recalls

        def noted(self, view: Any, actions: Sequence[str], rng: random.Random) -> str:
            cups.append(view.sides[1 - view.viewer].claimed)
            return rng.choice(actions)

    async with serving(tmp_path, games=ALL_GAMES, find_bot=PolicyBook(special=Noting())) as service:
        table, persons = await started(service, OpenTable("mandala", (PERSON, SeatPlan("bot", "special"))))
        await to_the_end(service, table, persons[0], random.Random(1))
    claimed = {cup for cup in cups if cup != "-"}
    assert claimed
    assert all(cup.startswith("?") is not recalls for cup in claimed)


async def test_the_same_generator_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service)
        await play(service, table, persons, 5)
        live = service._tables.get(table)
        assert live.state.to_move is not None
        draws = [question(live.state, None)[2].random() for _ in range(2)]
        assert draws[0] == draws[1]
        await play(service, table, persons, 1)
        assert live.state.to_move is not None
        assert question(live.state, None)[2].random() != draws[0]


@pytest.mark.parametrize("fault", ["crash", "nonsense", "illegal", "hang", "sulk"])
async def test_a_broken_bot_is_replaced(tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture) -> None:
    stop = threading.Event()
    calls = 0

    def choose(view: Any, actions: Sequence[str], rng: random.Random) -> Any:
        nonlocal calls
        calls += 1
        match fault:
            case "crash":
                raise KeyError("bug")
            case "nonsense":
                return 7
            case "illegal":
                return "pq"
            case "hang":
                stop.wait()
        return None

    try:
        async with serving(tmp_path, find_bot=PolicyBook(special=Bot(choose)), think_seconds=0.1) as service:
            table, persons = await started(service, special())
            with caplog.at_level(logging.ERROR):
                await to_the_end(service, table, persons[0])
            info = (await service.snapshot(table, None)).table
            assert info.ended_by in ("empty", "limit"), "no result from an internal error"
            assert calls == 1, "once is enough at a table"
            assert "the bot special failed" in caplog.text
            elsewhere, others = await started(service, special())
            await until(lambda: calls == 2)
            await to_the_end(service, elsewhere, others[0])
    finally:
        stop.set()


async def test_when_even_the_fallback_fails(tmp_path: Path) -> None:
    def choose(view: Any, actions: Sequence[str], rng: random.Random) -> str:
        raise RuntimeError("bug")

    async with serving(tmp_path, find_bot=PolicyBook(special=Bot(choose), random=Bot(choose))) as service:
        table, persons = await started(service, special())
        await to_the_end(service, table, persons[0])


async def test_the_last_resort_draws_with_the_generator_of_the_bot(tmp_path: Path) -> None:
    def choose(view: Any, actions: Sequence[str], rng: random.Random) -> str:
        raise RuntimeError("bug")

    async with serving(tmp_path, find_bot=PolicyBook(special=Bot(choose), random=Bot(choose))) as service:
        table, persons = await started(service)
        await play(service, table, persons, 4)
        live = service._tables.get(table)
        assert live.state.to_move is not None
        _, actions, rng = question(live.state, None)
        assert await service._bots._choose(live, live.state, "special") == rng.choice(actions)


async def test_a_late_answer_lands_nowhere(tmp_path: Path) -> None:
    """The bot answers after its time, and after the end of the game: nothing happens at this table or the next."""
    release, answered = threading.Event(), threading.Event()

    def choose(view: Any, actions: Sequence[str], rng: random.Random) -> str:
        release.wait()
        answered.set()
        return actions[0]

    async with serving(tmp_path, find_bot=PolicyBook(special=Bot(choose))) as service:
        table, persons = await started(service, special())
        await until(lambda: table in service._bots._tasks)
        await service.command(table, persons[0], Resign("r"))
        v = (await service.snapshot(table, None)).v
        release.set()
        await until(answered.is_set)
        await until(lambda: table not in service._bots._tasks)
        assert (await service.snapshot(table, None)).v == v
        assert (await service.snapshot(table, None)).table.ended_by == "resigned"


@pytest.mark.parametrize("hurry", [False, True])
async def test_a_human_pause_that_can_be_skipped(tmp_path: Path, hurry: bool) -> None:
    """It lasts as long as it shall; skipped, nobody waits for it (a minute would be more than ``until`` does)."""
    seconds = 60 if hurry else 0.3
    async with serving(tmp_path, pace=Pace(seconds, seconds, 0, seconds, hurried=0.05)) as service:
        table, persons = await started(service, SOLO)
        began = time.monotonic()
        await service.command(table, persons[0], Act(next(ids), 0, "t"))
        if hurry:
            await until(lambda: table in service._bots._pauses)
            await service.command(table, persons[0], Hurry(next(ids)))
        await until(lambda: service._tables.get(table).state.ply == 2)
        assert hurry or time.monotonic() - began > 0.25


def test_pace() -> None:
    pace = Pace()
    assert (pace.seconds(2, 0), pace.seconds(0, 1)) == (pace.shortest, pace.longest)
    assert pace.seconds(6, 0) == pytest.approx(0.7 + 4 * 0.2)
    assert pace.seconds(100, 0.5) == pace.most
    assert NO_PAUSE.seconds(5, 0.5) == 0


async def test_hung_bots_do_not_hold_each_other_up(tmp_path: Path) -> None:
    stop = threading.Event()

    def choose(view: Any, actions: Sequence[str], rng: random.Random) -> str:
        stop.wait()
        return actions[0]

    try:
        async with serving(tmp_path, find_bot=PolicyBook(special=Bot(choose)), think_seconds=0.05) as service:
            tables = [await started(service, special()) for _ in range(8)]
            await asyncio.gather(*(to_the_end(service, table, persons[0]) for table, persons in tables))
    finally:
        stop.set()


async def test_a_round_reads_on_where_the_word_of_the_latest_move_was_lost(tmp_path: Path) -> None:
    """The process that took the move ended before its bot replied; the other one has the table in memory, but an older version of it."""
    store = MemoryStore()
    async with serving(tmp_path, store) as other:
        async with serving(tmp_path, store, pace=Pace(60, 60)) as service:  # a bus of its own: nothing is heard from one to the other
            table, persons = await started(service, SOLO)
            await other.snapshot(table, None)
            await service.command(table, persons[0], Act(next(ids), 0, "t"))
        assert other._tables.get(table).state.ply == 0
        await other.rounds.once(NOON + QUIET_MS + 1)
        await until(lambda: other._tables.get(table).state.ply == 2)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for each thread")
async def test_a_thinking_thread_gives_way_to_the_one_that_serves() -> None:
    """Twenty champions at once must not make anybody's move wait: the event loop's thread keeps its priority, theirs is lower."""
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    asked = await bot_driver._in_thread(lambda: str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))
    assert int(asked) == min(19, mine + bot_driver.COURTESY)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == mine
