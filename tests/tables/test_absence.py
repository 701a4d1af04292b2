"""Who must act and is not there: a warning with a moment, then a claim by rule; and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.tables import hub
from sandriver.tables.absence import AWAY_MS, AWAY_TIMED_MS
from sandriver.tables.attendance import Attendance
from sandriver.tables.errors import Refusal
from sandriver.tables.log import Absent
from sandriver.tables.service import TableCommand
from sandriver.tables.verify import verify
from sandriver.tables.wire import Act, Answer, Claim, ClockPlan, Hurry, OpenTable, Propose, Rematch, Resign, Return, Say
from tests.tables.test_clocks_live import Time
from tests.tables.tools import BOT, GAMES, PERSON, MemoryStore, ids, open_store, serving, started, until

pytestmark = pytest.mark.usefixtures("backend")
TWO = OpenTable("toy", (PERSON, PERSON), first=0)
THREE = OpenTable("toy", (PERSON, PERSON, PERSON), first=0)


def live_of(service: Any, table: str) -> Any:
    return service._tables.get(table)


async def act(service: Any, table: str, persons: list[str]) -> None:
    live = live_of(service, table)
    seat = live.state.to_move
    await service.command(table, persons[seat], Act(next(ids), live.state.ply, next(iter(live.snapshot(seat).view.legal))))


async def claim(service: Any, table: str, person: str, seat: int, to: Any) -> None:
    await service.command(table, person, Claim(next(ids), seat, to))


def test_attendance() -> None:
    time = [1000]
    attendance = Attendance(lambda: time[0])
    assert attendance.gone(["ana", "bo", None], [False, False, False]) == (1000, 1000, None)
    time[0] = 2000
    attendance.note(["ana", "bo", None], [True, False, False])
    time[0] = 3000
    assert attendance.gone(["ana", "bo", None], [True, False, False]) == (None, 1000, None)
    time[0] = 4000
    assert attendance.gone(["ana", "bo", None], [False, True, False]) == (4000, None, None)
    time[0] = 5000
    assert attendance.gone(["ana", "bo", None], [False, True, False]) == (4000, None, None)


async def test_the_win_is_claimed_at_a_table_for_two(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TWO)
        live = live_of(service, table)
        async with await service.subscribe(table, persons[1]):
            left = await service.subscribe(table, persons[0])
            time.passes(1000)
            with pytest.raises(Refusal, match="forbidden: here"):
                await claim(service, table, persons[1], 0, "win")
            left.close()
            assert live.away() == (time.ms + AWAY_MS, None)
            time.passes(119.5)
            with pytest.raises(Refusal, match="forbidden: here") as caught:
                await claim(service, table, persons[1], 0, "win")
            assert caught.value.refused.params == {"seconds": 1}
            assert live.state.phase == "running"
            time.passes(0.5)
            await claim(service, table, persons[1], 0, "win")
            shown = (await service.snapshot(table, None)).table
            assert (shown.state, shown.ended_by, shown.winners, shown.seats[0].absent) == ("over", "absence", (1,), True)
            text = await service.record(table, None)
            assert "Absent: X@0\n" in text
            verify(text, GAMES)
            for command in (Return(next(ids)), Act(next(ids), 0, "t"), Claim(next(ids), 0, "bot")):
                with pytest.raises(Refusal, match="game_over"):
                    await service.command(table, persons[0], command)


async def test_who_comes_back_in_time_loses_nothing(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TWO)
        live = live_of(service, table)
        time.passes(200)
        assert live.away() == (time.ms - 200_000 + AWAY_MS, None), "who never came is away too"
        async with await service.subscribe(table, persons[0]):
            assert live.away() == ()
            with pytest.raises(Refusal, match="forbidden: here"):
                await claim(service, table, persons[1], 0, "win")
        assert live.away() == (time.ms + AWAY_MS, None)
        await act(service, table, persons)  # without a socket, as a script would
        time.passes(3)
        assert live.away() == (None, time.ms - 3_000 + AWAY_MS), "their own time begins with their turn"
        await act(service, table, persons)
        time.passes(AWAY_MS / 1000)
        await claim(service, table, persons[1], 0, "win")


async def test_a_bot_plays_until_the_person_returns(tmp_path: Path) -> None:
    time = Time()
    store = await open_store(tmp_path)
    async with serving(tmp_path, store, now=time) as service:
        table, persons = await started(service, THREE)
        live = live_of(service, table)
        time.passes(AWAY_MS / 1000)
        with pytest.raises(Refusal, match="bad_request: to"):
            await claim(service, table, persons[1], 0, "win")
        for seat in (1, 3, -1):
            with pytest.raises(Refusal, match="bad_request: seat"):
                await claim(service, table, persons[1], seat, "bot")
        with pytest.raises(Refusal, match="forbidden: here"):
            await claim(service, table, persons[1], 2, "bot")
        await claim(service, table, persons[1], 0, "bot")
        await until(lambda: live.state.to_move == 1)
        snapshot = await service.snapshot(table, persons[0])
        assert (snapshot.table.seats[0].absent, snapshot.table.you, snapshot.table.state) == (True, 0, "running")
        entry = next(row.entry for row in live.rows if isinstance(row.entry, Absent))
        assert entry == Absent(1, 0, "random")
        with pytest.raises(Refusal, match="forbidden: absent"):
            await service.command(table, persons[0], Propose(next(ids), "draw", live.state.ply))
        await act(service, table, persons)
    async with serving(tmp_path, store, now=time) as service:
        live = live_of(service, table)
        await service.snapshot(table, None)
        await act(service, table, ["", "", persons[2]])
        await until(lambda: live.state.to_move == 1)
        assert live.state.ply == 4
        command = Return(next(ids))
        acked = await service.command(table, persons[0], command)
        assert await service.command(table, persons[0], command) == acked
        assert (await service.command(table, persons[0], Return("again"))).v == acked.v, "back already"
        await act(service, table, persons)
        await act(service, table, persons)
        assert live.state.to_move == 0
        assert live.state.bot_to_move is None
        await act(service, table, persons)
    await store.close()


async def test_the_absent_can_still_win(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), {"limit": 5}, 0))
        live = live_of(service, table)
        time.passes(AWAY_MS / 1000)
        await claim(service, table, persons[1], 0, "bot")
        while not live.state.over:
            await until(lambda: live.state.over or live.state.to_move == 1)
            if not live.state.over:
                await act(service, table, persons)
        assert live.state.winners == live.state.position.outcome.winners
        assert live.state.ended_by == "limit"
        verify(await service.record(table, None), GAMES)


async def test_with_a_clock_it_takes_less(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, msgspec.structs.replace(TWO, clock=ClockPlan(300)))
        live = live_of(service, table)
        assert live.away() == (time.ms + AWAY_TIMED_MS, None)
        time.passes(AWAY_TIMED_MS / 1000)
        await claim(service, table, persons[1], 0, "bot")
        await until(lambda: live.state.to_move == 1)
        clock = (await service.snapshot(table, None)).table.clock
        assert clock is not None
        assert (clock.remaining, clock.running) == ((270_000, 300_000), 1)
        with pytest.raises(Refusal, match="forbidden: away"):  # it would bind who is not asked
            await service.command(table, persons[1], Propose("early", "pause", live.state.ply))
        await service.command(table, persons[0], Return("back"))
        await act(service, table, persons)
        clock = (await service.snapshot(table, None)).table.clock
        assert clock is not None
        assert (clock.running, clock.deadline) == (0, time.ms + 270_000)
        await service.command(table, persons[0], Propose("p", "pause", live.state.ply))
        await service.command(table, persons[1], Answer("a", "pause", live.state.company.asked[0].v, True))
        time.passes(100)
        assert live.away() == ()
        with pytest.raises(Refusal, match="not_running: paused"):
            await claim(service, table, persons[1], 0, "bot")


async def test_nobody_is_told_absent_where_nobody_else_plays(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, MemoryStore(), now=time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, BOT), first=0))
        time.passes(10_000)
        assert live_of(service, table).away() == ()
        with pytest.raises(Refusal, match="not_seated"):
            await claim(service, table, "eve", 0, "bot")
        with pytest.raises(Refusal, match="forbidden: here"):
            await claim(service, table, persons[0], 1, "bot")
        table, persons = await started(service, THREE)
        await service.command(table, persons[1], Resign("r"))
        time.passes(10_000)
        with pytest.raises(Refusal, match="not_seated"):
            await claim(service, table, persons[1], 0, "bot")


async def test_what_is_left_to_who_does_not_play(tmp_path: Path) -> None:
    """Who is absent may speak, give up and come back; who gave up, nothing as long as the others play."""
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON,) * 3, first=1))
        live = live_of(service, table)
        await service.command(table, persons[0], Resign("r"))
        time.passes(1000)
        async with await service.subscribe(table, persons[2]):
            await claim(service, table, persons[2], 1, "bot")
            for seat, refusal in ((1, "forbidden: absent"), (0, "not_seated")):
                barred: list[TableCommand] = [
                    Act(next(ids), live.state.ply, "t"),
                    Propose(next(ids), "undo", live.state.ply),
                    Answer(next(ids), "undo", live.v, True),
                    Claim(next(ids), 2, "bot"),
                    Hurry(next(ids)),
                ]
                if seat == 0:
                    barred += [Say(next(ids), "hello"), Resign(next(ids)), Return(next(ids))]
                for command in barred:
                    with pytest.raises(Refusal, match=f"^{refusal}$"):
                        await service.command(table, persons[seat], command)
                with pytest.raises(Refusal, match="not_running"):
                    await service.command(table, persons[seat], Rematch(next(ids)))
            commands: list[TableCommand] = [Say(next(ids), "hello"), Return(next(ids)), Hurry(next(ids)), Resign(next(ids))]
            for allowed in commands:
                await service.command(table, persons[1], allowed)
        with pytest.raises(Refusal, match="game_over") as over:
            await service.command(table, persons[2], Hurry(next(ids)))
        assert over.value.refused.snapshot is not None


async def test_presence_tells_from_when_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When they leave, when the turn passes, and to who comes later; nobody has to ask."""
    monkeypatch.setattr(hub, "PRESENCE_DELAY", 0.01)
    time = Time()

    async def told(subscription: Any) -> Any:
        await until(lambda: subscription._presence is not None)
        frame = msgspec.json.decode(subscription._presence)
        subscription._presence = None
        return frame.get("away")

    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TWO)
        one, two = await service.subscribe(table, persons[0]), await service.subscribe(table, persons[1])
        assert await told(two) is None
        one.close()
        assert await told(two) == [time.ms + AWAY_MS, None]
        late = await service.subscribe(table, None)
        assert await told(late) == [time.ms + AWAY_MS, None]
        await told(two)
        await act(service, table, persons)
        assert await told(two) is None
        time.passes(7)
        await act(service, table, persons)
        assert await told(two) == [time.ms + AWAY_MS, None]
