"""Clocks at a table, in virtual time: flags fall once, whoever notices; pauses hold; the client's time counts for nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.tables.bus import MemoryBus
from sandriver.tables.clock import CREDIT_FIRST
from sandriver.tables.errors import CorruptLog, Refusal
from sandriver.tables.fold import fold
from sandriver.tables.log import Action, Flagged, Row
from sandriver.tables.proposals import LONGEST_PAUSE_MS
from sandriver.tables.timekeeper import Timers
from sandriver.tables.wire import Act, Answer, ClockPlan, OpenTable, Propose, Rematch, Resign, SeatPlan
from tests.tables.tools import BOT, GAMES, NOON, PERSON, MemoryStore, ids, legal, open_store, people, serving, started, until, waiting

pytestmark = pytest.mark.usefixtures("backend")
BLITZ = ClockPlan(60, 2)
TIMED = OpenTable("toy", (PERSON, PERSON), first=0, clock=BLITZ)
THREE = OpenTable("toy", (PERSON, PERSON, PERSON), first=0, clock=BLITZ)


class Time:
    """A clock that goes only when told to."""

    def __init__(self) -> None:
        self.ms = NOON

    def __call__(self) -> int:
        return self.ms

    def passes(self, seconds: float) -> None:
        self.ms += round(1000 * seconds)


async def act(service: Any, table: str, persons: list[str], action: str | None = None) -> None:
    """The next action, by whoever must act."""
    live = service._tables.get(table)
    seat = live.state.to_move
    legal_actions = list(live.snapshot(seat).view.legal)
    await service.command(table, persons[seat], Act(next(ids), live.state.ply, action or legal_actions[0]))


async def clock_of(service: Any, table: str) -> Any:
    return (await service.snapshot(table, None)).table.clock


async def test_time_is_counted_while_one_is_to_move(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        owner, other = await people(service, "Ana", "Bo")
        table = await service.open_table(owner, TIMED)
        assert (await clock_of(service, table)).remaining == (60_000, 60_000)
        await service.join(table, owner)
        code = (await service.snapshot(table, owner)).table.code
        time.passes(1000)  # nobody's time is counted before the start
        await service.join(table, other, code=code)
        began = time.ms
        clock = await clock_of(service, table)
        assert (clock.plan, clock.at, clock.remaining, clock.running) == (BLITZ, began, (60_000, 60_000), 0)
        assert clock.deadline == began + 60_000
        time.passes(10)
        await act(service, table, [owner, other])
        clock = await clock_of(service, table)
        assert (clock.remaining, clock.running, clock.deadline) == ((52_000, 60_000), 1, time.ms + 60_000)
        time.passes(59)
        await act(service, table, [owner, other])
        assert (await clock_of(service, table)).remaining == (52_000, 3_000)


async def test_a_little_late_is_in_time_and_later_is_not(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TIMED)
        time.passes(60 + CREDIT_FIRST / 1000)
        await act(service, table, persons)
        entry = service._tables.get(table).rows[-1].entry
        assert isinstance(entry, Action)
        assert entry.lag == CREDIT_FIRST
        assert (await clock_of(service, table)).remaining == (2_000, 60_000)
        await act(service, table, persons)
        follower = await service.subscribe(table, None)
        time.passes(2.101)  # regained a tenth of a second, and that is over
        with pytest.raises(Refusal) as caught:
            await service.command(table, persons[0], Act("late", 2, "t"))
        refused = caught.value.refused
        assert refused.code == "game_over"
        assert refused.snapshot is not None
        assert (refused.snapshot.table.ended_by, refused.snapshot.table.winners) == ("time", (1,))
        assert refused.snapshot.table.seats[0].flagged
        assert refused.snapshot.table.secret is not None
        assert waiting(follower)[-1]["step"] == {"v": 7, "kind": "flagged", "seat": 0}


@pytest.mark.parametrize("notice", ["timer", "look", "other person", "round", "restart", "follow"])
async def test_the_flag_falls_whoever_notices(tmp_path: Path, notice: str) -> None:
    time = Time()
    due: list[tuple[float, Callable[[], None]]] = []

    class Bell:
        def cancel(self) -> None:
            due.clear()

    def later(seconds: float, ring: Callable[[], None]) -> Bell:
        due.append((seconds, ring))
        return Bell()

    store = await open_store(tmp_path)
    async with serving(tmp_path, store, now=time) as service:
        service._timers = Timers(time, service._look_at, later)
        table, persons = await started(service, TIMED)
        live = service._tables.get(table)
        assert [seconds for seconds, _ in due] == [(60_001 + CREDIT_FIRST) / 1000]
        time.passes(60.4)
        await service.snapshot(table, None)
        assert live.state.phase == "running"
        time.passes(0.101)
        if notice == "timer":
            due[0][1]()
            await until(lambda: live.state.over)
        elif notice == "look":
            assert (await service.snapshot(table, None)).table.state == "over"
        elif notice == "other person":
            with pytest.raises(Refusal, match="game_over"):
                await service.command(table, persons[1], Resign("r"))
        elif notice == "follow":
            subscription = await service.subscribe(table, persons[1])
            assert waiting(subscription)[0]["table"]["state"] == "over"
        elif notice == "round":
            service._tables.forget(live)
            assert service._tables.peek(table) is None
            await service.rounds.once()
        before = len(await store.rows(table))
    if notice == "restart":
        assert before == 4
        time.passes(3600)
    async with serving(tmp_path, store, now=time) as service:
        await until(lambda: service._tables.peek(table) is not None or notice != "restart")
        shown = (await service.snapshot(table, None)).table
        assert (shown.ended_by, shown.winners) == ("time", (1,))
        rows = await store.rows(table)
        assert [type(row.entry) for row in rows[4:]] == [Flagged]
        assert [row.terminal for row in rows].count(True) == 1
        again = await service.command(table, persons[0], Rematch("again"))
        assert again.v == 6
    await store.close()


@pytest.mark.parametrize("plan", [BLITZ, ClockPlan(60, kind="per_move")], ids=["whole game", "per move"])
@pytest.mark.parametrize("away", [59, 3600])
async def test_time_runs_on_while_no_process_is_there(tmp_path: Path, plan: ClockPlan, away: int) -> None:
    """A deadline is a moment: an outage moves none. Who was in time then still is, and a flag falls once, as soon as anybody is there."""
    time = Time()
    store = await open_store(tmp_path)
    async with serving(tmp_path, store, now=time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0, clock=plan))
        deadline = (await clock_of(service, table)).deadline
    time.passes(away)
    async with serving(tmp_path, store, now=time) as one, serving(tmp_path, store, now=time) as other:
        await asyncio.gather(*(service.rounds.once() for service in (one, other)), one.snapshot(table, None), other.snapshot(table, None))
        info, clock = (await one.snapshot(table, None)).table, await clock_of(one, table)
        if away < 60:
            assert (info.state, clock.deadline) == ("running", deadline)
            await act(one, table, persons)
        else:
            assert (info.ended_by, info.winners, clock.remaining[0]) == ("time", (1,), 0)
    assert sum(isinstance(row.entry, Flagged) for row in await store.rows(table)) == (away > 60)
    await store.close()


async def test_two_services_flag_once(tmp_path: Path) -> None:
    time = Time()
    stores = [await open_store(tmp_path) for _ in range(2)]
    async with serving(tmp_path, stores[0], MemoryBus(), now=time) as one, serving(tmp_path, stores[1], MemoryBus(), now=time) as other:
        for _ in range(5):
            table, persons = await started(one, TIMED)
            await other.snapshot(table, None)
            time.passes(61)
            late = Act(next(ids), 0, "t")
            looks = [service.snapshot(table, None) for service in (one, other) for _ in range(3)]
            results = await asyncio.gather(*looks, other.command(table, persons[0], late), return_exceptions=True)
            assert isinstance(results[-1], Refusal)
            assert results[-1].code == "game_over"
            rows = await stores[0].rows(table)
            assert [type(row.entry).__name__ for row in rows[4:]] == ["Flagged"]
            for service in (one, other):
                assert (await service.snapshot(table, None)).table.ended_by == "time"
    for store in stores:
        await store.close()


async def test_an_action_counts_from_when_it_arrived(tmp_path: Path) -> None:
    """What it had to wait for here costs its sender nothing, and no flag falls before it."""
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TIMED)
        live = service._tables.get(table)
        await live.lock.acquire()
        time.passes(59)
        sent = asyncio.create_task(service.command(table, persons[0], Act("m", 0, "t")))
        await asyncio.sleep(0)
        time.passes(30)
        looked = asyncio.create_task(service.snapshot(table, None))
        await asyncio.sleep(0)
        live.lock.release()
        assert (await sent).v == 5
        assert (await looked).table.state == "running"
        assert (await clock_of(service, table)).remaining == (3_000, 60_000)


async def test_with_more_seats_a_bot_plays_on_for_who_ran_out_of_time(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, THREE)
        live = service._tables.get(table)
        time.passes(61)
        shown = (await service.snapshot(table, persons[0])).table
        assert (shown.state, shown.you, shown.seats[0].flagged, shown.seats[0].resigned) == ("running", None, True, False)
        await until(lambda: live.state.to_move == 1)
        clock = await clock_of(service, table)
        assert (clock.remaining, clock.running, clock.deadline) == ((0, 60_000, 60_000), 1, time.ms + 60_000)
        with pytest.raises(Refusal, match="not_seated"):
            await service.command(table, persons[0], Act("x", live.state.ply, "t"))
        time.passes(62)
        shown = (await service.snapshot(table, None)).table
        assert (shown.state, shown.ended_by, shown.winners) == ("over", "time", (2,))
        text = await service.record(table, None)
        assert "Flagged: X@0,Y@1\n" in text
        assert "Result: Z time" in text


async def test_bots_have_all_the_time(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, MemoryStore(), now=time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, BOT), first=0, clock=BLITZ))
        live = service._tables.get(table)
        service._bots._closed = True  # the bot is kept from moving
        await act(service, table, [persons[0], ""])
        time.passes(3600)
        clock = await clock_of(service, table)
        assert (clock.running, clock.deadline, clock.remaining) == (None, None, (62_000, 60_000))
        service._bots._closed = False
        service._bots.kick(live)
        await until(lambda: live.state.to_move == 0)
        assert (await clock_of(service, table)).deadline == time.ms + 62_000


async def test_forced_actions_take_and_earn_no_time(tmp_path: Path) -> None:
    time = Time()
    rng = random.Random(2)
    wish = OpenTable("toy", (PERSON, PERSON), {"skips": True}, 0, ClockPlan(60, 2))
    async with serving(tmp_path, now=time) as service:
        forced = 0
        for _ in range(6):
            table, persons = await started(service, wish)
            live: Any = service._tables.get(table)
            while not live.state.over:
                seat, ply = live.state.to_move, live.state.ply
                before = live.state.clock.left[seat]
                time.passes(1)
                puts = [action for action in live.snapshot(seat).view.legal if action != "t"]
                await act(service, table, persons, rng.choice(puts) if puts else None)
                assert live.state.clock.left[seat] == before + 1_000
                forced += live.state.ply - ply - 1
        assert forced > 0


# --- pauses --------------------------------------------------------------------------------------


async def pause(service: Any, table: str, persons: list[str]) -> None:
    live = service._tables.get(table)
    await service.command(table, persons[0], Propose(next(ids), "pause", live.state.ply))
    for person in persons[1:]:
        await service.command(table, person, Answer(next(ids), "pause", live.state.company.asked[0].v, True))


async def test_a_pause_stops_all_and_holds(tmp_path: Path) -> None:
    time = Time()
    store = await open_store(tmp_path)
    async with serving(tmp_path, store, now=time) as service:
        table, persons = await started(service, TIMED)
        time.passes(20)
        await pause(service, table, persons)
        clock = await clock_of(service, table)
        assert (clock.paused, clock.running, clock.deadline, clock.remaining) == (True, None, None, (40_000, 60_000))
        assert clock.free_at == time.ms + LONGEST_PAUSE_MS
        time.passes(300)
        with pytest.raises(Refusal, match="not_running: paused"):
            await service.command(table, persons[0], Act("early", 0, "t"))
    async with serving(tmp_path, store, now=time) as service:  # a restart, and somebody new who watches
        await service.subscribe(table, None)
        await service.rounds.once(time.ms + 3_600_000)
        assert (await clock_of(service, table)).paused
        v = (await service.command(table, persons[1], Propose("go", "resume", 0))).v
        assert (await clock_of(service, table)).paused, "one alone does not end it"
        await service.command(table, persons[0], Answer("yes", "resume", v, True))
        clock = await clock_of(service, table)
        assert (clock.paused, clock.free_at, clock.running, clock.deadline) == (False, None, 0, time.ms + 40_000)
        await act(service, table, persons)
        assert (await clock_of(service, table)).remaining == (42_000, 60_000)
    await store.close()


async def test_a_pause_ends_with_the_game(tmp_path: Path) -> None:
    """Whoever gives up in a pause leaves no clock that is said to wait."""
    async with serving(tmp_path) as service:
        table, persons = await started(service, TIMED)
        await pause(service, table, persons)
        assert (await clock_of(service, table)).paused
        await service.command(table, persons[1], Resign(next(ids)))
        clock = await clock_of(service, table)
        assert (clock.paused, clock.free_at, clock.running, clock.deadline) == (False, None, None, None)
        assert clock.remaining == (60_000, 60_000)


async def test_a_pause_does_not_last_for_ever(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TIMED)
        await pause(service, table, persons)
        v = (await service.command(table, persons[0], Propose("a", "resume", 0))).v
        await service.command(table, persons[1], Answer("b", "resume", v, False))
        with pytest.raises(Refusal, match="too_many_requests: declined"):
            await service.command(table, persons[0], Propose("c", "resume", 0))
        time.passes(LONGEST_PAUSE_MS / 1000)
        await service.command(table, persons[0], Propose("d", "resume", 0))
        clock = await clock_of(service, table)
        assert (clock.paused, clock.remaining, clock.deadline) == (False, (60_000, 60_000), time.ms + 60_000)


async def test_who_asked_to_go_on_and_got_no_answer_goes_on_alone(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TIMED)
        await pause(service, table, persons)
        v = (await service.command(table, persons[0], Propose("a", "resume", 0))).v
        time.passes(LONGEST_PAUSE_MS / 1000 - 1)
        assert (await service.command(table, persons[0], Propose("b", "resume", 0))).v == v, "asked already"
        time.passes(1)
        await service.command(table, persons[0], Propose("c", "resume", 0))
        assert not (await clock_of(service, table)).paused


async def test_bots_wait_in_a_pause(tmp_path: Path) -> None:
    time = Time()
    wish = OpenTable("toy", (PERSON, SeatPlan("bot", "random"), PERSON), first=0, clock=BLITZ)
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, wish)
        live = service._tables.get(table)
        await pause(service, table, persons)
        assert live.state.bot_to_move is None
        await service.command(table, persons[0], Resign("gone"))  # from now on a bot has to move, but not yet
        await asyncio.sleep(0)
        assert (live.state.to_move, live.state.ply, live.state.bot_to_move) == (0, 0, None)
        await service.command(table, persons[1], Propose("go", "resume", 0))
        await until(lambda: live.state.to_move == 2)


async def test_what_cannot_be_asked_of_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0))
        for what, refusal in (("pause", "forbidden: no_clock"), ("resume", "not_running: not_paused")):
            with pytest.raises(Refusal, match=refusal):
                await service.command(table, persons[0], Propose(next(ids), what, 0))  # type: ignore[arg-type]
        assert await clock_of(service, table) is None
        for plan in (ClockPlan(1), ClockPlan(60, 301), ClockPlan(60, 5, "per_move")):
            with pytest.raises(Refusal, match="bad_request: clock") as caught:
                await service.open_table(persons[0], OpenTable("toy", (PERSON, PERSON), clock=plan))
            assert set(caught.value.refused.params) == {"field"}


async def test_the_rematch_has_the_same_clock(tmp_path: Path) -> None:
    wish = msgspec.structs.replace(TIMED, chat="phrases")
    async with serving(tmp_path) as service:
        table, persons = await started(service, wish)
        await service.command(table, persons[0], Resign("r"))
        for person in persons:
            await service.command(table, person, Rematch(next(ids)))
        following = (await service.snapshot(table, None)).table.rematch.table
        assert following is not None
        info = (await service.snapshot(following, None)).table
        assert info.clock is not None
        assert (info.clock.plan, info.chat) == (BLITZ, "phrases")


# --- the log -------------------------------------------------------------------------------------


async def test_a_log_whose_times_were_changed_is_refused(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TIMED)
        time.passes(30)
        await act(service, table, persons)
        time.passes(61)
        await service.snapshot(table, None)
        rows: list[Row] = list(await service._store.rows(table))
    change = msgspec.structs.replace
    assert isinstance(rows[4].entry, Action)
    for index, row in (
        (4, change(rows[4], at=rows[4].at + 31_000)),
        (4, change(rows[4], entry=change(rows[4].entry, lag=100))),
        (5, change(rows[5], at=rows[4].at + 60_000)),
        (5, change(rows[5], entry=Flagged(0))),
    ):
        state = None
        for each in rows[:index]:
            state, _ = fold(GAMES, state, each)
        with pytest.raises(CorruptLog):
            fold(GAMES, state, row)


async def test_time_at_a_table_never_goes_back(tmp_path: Path) -> None:
    """Another process may be a little behind: its entries are not older than those before them."""
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TIMED)
        time.passes(20)
        await act(service, table, persons)
        time.passes(-5)
        await act(service, table, persons)
        moments = [row.at for row in service._tables.get(table).rows]
        assert moments == sorted(moments)
        assert (await clock_of(service, table)).remaining == (42_000, 62_000)


async def test_untimed_tables_are_left_alone(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0))
        time.passes(10**6)
        await act(service, table, persons)
        assert not len(service._timers)
        assert legal(await service.snapshot(table, persons[1]))
