"""What needs consent: draw, taking back, pause. And what an undo may never do: show somebody what they could not know."""

from __future__ import annotations

import itertools
import random
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.games import GAMES as ALL_GAMES
from sandriver.games.contract import Game
from sandriver.tables.errors import Refusal
from sandriver.tables.live import Live
from sandriver.tables.log import Undone
from sandriver.tables.proposals import MOST_UNDOS, MOST_WISHES
from sandriver.tables.verify import verify
from sandriver.tables.wire import Act, Answer, ClockPlan, OpenTable, Propose, Rematch, Resign
from tests.tables.test_clocks_live import Time
from tests.tables.tools import BOT, NOON, PERSON, MemoryStore, PolicyBook, ids, play, serving, started, until, waiting
from tests.tables.toy import TOY

GAMES: dict[str, Game] = {**ALL_GAMES, "toy": TOY}
TWO = OpenTable("toy", (PERSON, PERSON), first=0)
THREE = OpenTable("toy", (PERSON, PERSON, PERSON), first=0)


def live_of(service: Any, table: str) -> Any:
    return service._tables.get(table)


async def ask(service: Any, table: str, person: str, what: Any) -> int:
    state = live_of(service, table).state
    return int((await service.command(table, person, Propose(next(ids), what, state.ply))).v)


async def reply(service: Any, table: str, person: str, yes: bool = True, index: int = 0) -> int:
    asked = live_of(service, table).state.company.asked[index]
    return int((await service.command(table, person, Answer(next(ids), asked.what, asked.v, yes))).v)


async def act(service: Any, table: str, persons: list[str], action: str | None = None) -> str:
    live = live_of(service, table)
    seat = live.state.to_move
    chosen = action or next(iter(live.snapshot(seat).view.legal))
    await service.command(table, persons[seat], Act(next(ids), live.state.ply, chosen))
    return chosen


async def put(service: Any, table: str, persons: list[str]) -> str:
    """The player to move puts a token: that shows it to the others, and nothing to them."""
    live = live_of(service, table)
    return await act(service, table, persons, next(a for a in live.snapshot(live.state.to_move).view.legal if a[0] == "p"))


# --- draws ---------------------------------------------------------------------------------------


async def test_a_draw_by_consent(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, THREE)
        await act(service, table, persons)
        watcher = await service.subscribe(table, None)
        v = await ask(service, table, persons[1], "draw")
        shown = (await service.snapshot(table, persons[0])).table
        assert [(p.what, p.seat, p.v, p.waiting) for p in shown.proposals] == [("draw", 1, v, (0, 2))]
        await reply(service, table, persons[0])
        shown = (await service.snapshot(table, persons[0])).table
        assert shown.proposals[0].waiting == (2,)
        assert shown.state == "running"
        await reply(service, table, persons[2])
        shown = (await service.snapshot(table, persons[0])).table
        assert (shown.state, shown.ended_by, shown.winners, shown.proposals) == ("over", "agreed", (0, 1, 2), ())
        steps = [frame["step"] for frame in waiting(watcher) if frame["t"] == "update"]
        assert [(step["kind"], step.get("seat"), step.get("what"), step.get("yes")) for step in steps] == [
            ("proposed", 1, "draw", None),
            ("answered", 0, "draw", True),
            ("answered", 2, "draw", True),
            ("drawn", None, None, None),
        ]
        rows = live_of(service, table).rows
        assert [row.terminal for row in rows].count(True) == 1
        for command in (Propose(next(ids), "draw", 1), Act(next(ids), 1, "t"), Resign(next(ids)), Answer(next(ids), "draw", v, True)):
            with pytest.raises(Refusal, match="game_over"):
                await service.command(table, persons[0], command)
        text = await service.record(table, None)
        assert "Result: X,Y,Z agreed 0/0/0" in text
        assert len(verify(text, GAMES).transitions) == 1


async def test_a_refusal_holds_until_the_next_action(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        v = await ask(service, table, persons[0], "draw")
        await reply(service, table, persons[1], False)
        with pytest.raises(Refusal, match="too_many_requests: declined"):
            await ask(service, table, persons[0], "draw")
        with pytest.raises(Refusal, match="stale"):
            await service.command(table, persons[1], Answer("late", "draw", v, True))
        await ask(service, table, persons[1], "draw")  # the other one may
        await act(service, table, persons)
        assert live_of(service, table).state.company.asked == ()
        v = await ask(service, table, persons[0], "draw")
        await service.command(table, persons[0], Answer("never mind", "draw", v, False))  # withdrawn, and asked again
        await ask(service, table, persons[0], "draw")
        assert len((await service.snapshot(table, None)).table.proposals) == 1


async def test_asking_for_what_is_asked_is_to_agree(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        first = Propose("p", "draw", 0)
        v = (await service.command(table, persons[0], first)).v
        assert (await service.command(table, persons[0], first)).v == v
        assert (await service.command(table, persons[0], Propose("q", "draw", 0))).v == v, "done already"
        await ask(service, table, persons[1], "draw")
        assert (await service.snapshot(table, None)).table.ended_by == "agreed"
        assert (await service.command(table, persons[0], first)).v == v, "the first answer, also after the end"


async def test_bots_agree_to_no_draw(tmp_path: Path) -> None:
    async with serving(tmp_path, MemoryStore()) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, BOT, PERSON), first=0))
        with pytest.raises(Refusal, match="forbidden: bot"):
            await ask(service, table, persons[0], "draw")


async def test_proposals_are_for_players_of_a_running_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, THREE)
        with pytest.raises(Refusal, match="not_seated"):
            await service.command(table, None, Propose("x", "draw", 0))
        with pytest.raises(Refusal, match="stale") as caught:
            await service.command(table, persons[0], Propose("y", "draw", 7))
        assert caught.value.refused.snapshot is not None
        await service.command(table, persons[2], Resign("r"))
        with pytest.raises(Refusal, match="not_seated"):
            await ask(service, table, persons[2], "draw")
        for _ in range(MOST_WISHES):
            v = await ask(service, table, persons[0], "draw")
            await service.command(table, persons[0], Answer(next(ids), "draw", v, False))
        with pytest.raises(Refusal, match="too_many_requests: proposals"):
            await ask(service, table, persons[0], "draw")
        await ask(service, table, persons[1], "draw")  # which costs nobody else their say


async def test_who_leaves_is_waited_for_no_longer(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, THREE)
        await ask(service, table, persons[0], "draw")
        await service.command(table, persons[2], Resign("r"))
        assert (await service.snapshot(table, None)).table.proposals == ()
        await ask(service, table, persons[0], "draw")
        await reply(service, table, persons[1])
        shown = (await service.snapshot(table, None)).table
        assert (shown.ended_by, shown.winners) == ("agreed", (0, 1))
        verify(await service.record(table, None), GAMES)


# --- undo ----------------------------------------------------------------------------------------


async def test_undo_between_people(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        live = live_of(service, table)
        start = live.state
        assert not (await service.snapshot(table, persons[0])).table.undo
        await put(service, table, persons)
        mine, others, watching = [(await service.snapshot(table, who)).table.undo for who in (persons[0], persons[1], None)]
        assert (mine, others, watching) == (True, False, False)
        with pytest.raises(Refusal, match="forbidden: revealed"):
            await ask(service, table, persons[1], "undo")
        await ask(service, table, persons[0], "undo")
        follower = await service.subscribe(table, persons[1])
        waiting(follower)
        await reply(service, table, persons[1])
        last = waiting(follower)[-1]
        assert last["step"] == {"v": live.v, "kind": "undone", "seat": 0, "ply": 0}
        assert (last["ply"], last["table"]["to_move"]) == (0, 0)
        assert live.state.position == start.position
        assert (live.state.ply, live.state.draws, live.state.to_move) == (0, start.draws, 0)
        await play(service, table, persons)
        verify(await service.record(table, None), GAMES)


async def test_no_undo_after_something_was_revealed(tmp_path: Path) -> None:
    """Neither what was dealt, nor what the others have shown since."""
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        await act(service, table, persons, "t")
        assert not (await service.snapshot(table, persons[0])).table.undo
        await put(service, table, persons)
        assert (await service.snapshot(table, persons[1])).table.undo
        await put(service, table, persons)
        assert [(await service.snapshot(table, who)).table.undo for who in persons] == [True, False]
        await put(service, table, persons)
        assert [(await service.snapshot(table, who)).table.undo for who in persons] == [False, True]
        for who in (0, 1):
            if who == 0:
                with pytest.raises(Refusal, match="forbidden: revealed"):
                    await ask(service, table, persons[who], "undo")


async def test_an_action_answers_a_question_about_undo(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        await put(service, table, persons)
        v = await ask(service, table, persons[0], "undo")
        await put(service, table, persons)
        with pytest.raises(Refusal, match="stale"):
            await service.command(table, persons[1], Answer("yes", "undo", v, True))


def stones_wish(*seats: Any, **more: Any) -> OpenTable:
    return OpenTable("stones", seats, {"reveal_covered_patterns": True}, 0, **more)


async def test_undo_against_a_bot_happens_at_once(tmp_path: Path) -> None:
    """In a game without anything hidden, move after move can be taken back, and the bot answers anew, as it did before."""
    async with serving(tmp_path, MemoryStore(), games=GAMES) as service:
        table, persons = await started(service, stones_wish(PERSON, BOT))
        live = live_of(service, table)
        seen: list[list[str]] = []
        for _ in range(3):
            for _ in range(3):
                await until(lambda: live.state.to_move == 0)
                await act(service, table, persons)
            await until(lambda: live.state.to_move == 0)
            moves = (await service.record(table, persons[0])).splitlines()
            seen.append(moves)
            for left in (4, 2, 0):
                assert (await service.snapshot(table, persons[0])).table.undo
                before = live.v
                command = Propose(next(ids), "undo", live.state.ply)
                acked = await service.command(table, persons[0], command)
                assert (acked.v, live.v, live.state.ply, live.state.to_move) == (before + 1, before + 2, left, 0)
                assert await service.command(table, persons[0], command) == acked, "resent: once"
                assert (live.v, live.state.ply) == (before + 2, left)
            assert not (await service.snapshot(table, persons[0])).table.undo
        assert seen[0] == seen[1] == seen[2], "a bot is not asked anew until it answers better"
        ended = 0
        while not live.state.over:
            await until(lambda: live.state.over or live.state.to_move == 0)
            if not live.state.over:
                await act(service, table, persons)
                ended += 1
        assert ended > 3
        text = await service.record(table, None)
        assert len(verify(text, GAMES).transitions) == live.state.ply


async def test_undo_while_the_bot_thinks(tmp_path: Path) -> None:
    """Its answer belongs to a position that is no more: it is dropped, also when the same ply has come again."""
    gate = threading.Event()
    asked: list[Any] = []

    class Slow:
        def choose(self, view: Any, legal: Any, rng: random.Random) -> str:
            asked.append(view)
            if len(asked) == 1:
                gate.wait(20)
            return str(legal[0])

    async with serving(tmp_path, MemoryStore(), games=GAMES, find_bot=PolicyBook(random=Slow())) as service:
        table, persons = await started(service, stones_wish(PERSON, BOT))
        live = live_of(service, table)
        first, second = list(live.snapshot(0).view.legal)[:2]
        await act(service, table, persons, first)
        await until(lambda: len(asked) == 1)
        await ask(service, table, persons[0], "undo")
        assert (live.state.ply, live.state.to_move) == (0, 0)
        await act(service, table, persons, second)
        before = live.state.position
        gate.set()
        await until(lambda: live.state.to_move == 0)
        assert len(asked) == 2
        assert asked[1].notation == msgspec.structs.asdict(service._house.games["stones"].view(before, 1))["notation"]


async def test_undos_are_bounded(tmp_path: Path) -> None:
    async with serving(tmp_path, MemoryStore(), games=GAMES, find_bot=None) as service:
        table, persons = await started(service, stones_wish(PERSON, PERSON))
        for _ in range(MOST_UNDOS):
            await act(service, table, persons)
            await ask(service, table, persons[0], "undo")
            await reply(service, table, persons[1])
        await act(service, table, persons)
        assert not (await service.snapshot(table, persons[0])).table.undo
        with pytest.raises(Refusal, match="too_many_requests: undos"):
            await ask(service, table, persons[0], "undo")


async def test_undo_and_the_clock(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, MemoryStore(), games=GAMES, now=time) as service:
        table, persons = await started(service, stones_wish(PERSON, PERSON, clock=ClockPlan(60, 10)))
        time.passes(4)
        await act(service, table, persons)
        time.passes(6)
        await ask(service, table, persons[0], "undo")
        await reply(service, table, persons[1])
        clock = (await service.snapshot(table, None)).table.clock
        assert clock is not None
        assert (clock.remaining, clock.running, clock.deadline) == ((56_000, 54_000), 0, time.ms + 56_000)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_undone_games_reload_and_verify(tmp_path: Path, game: str) -> None:
    """Random games with as many undos as can be had: reloaded they are the same, their records are the games as played."""
    undone = 0
    async with serving(tmp_path, MemoryStore(), games=GAMES) as service:
        for seed, seats in itertools.product(range(2), GAMES[game].seat_counts):
            rng = random.Random(seed)
            options = {"reveal_covered_patterns": True} if game == "stones" and seed else {}
            table, persons = await started(service, OpenTable(game, (PERSON,) * seats, options, 0))
            live = live_of(service, table)
            while not live.state.over:
                actions = list(live.snapshot(live.state.to_move).view.legal)
                await act(service, table, persons, rng.choice(actions))
                askers = [seat for seat in range(seats) if live.info(live.state, seat).undo]
                if askers and rng.random() < 0.4 and undone < 60:
                    asker = rng.choice(askers)
                    await ask(service, table, persons[asker], "undo")
                    for seat, person in enumerate(persons):
                        if seat != asker:
                            await reply(service, table, person)
                    undone += 1
                    assert isinstance(live.rows[-1].entry, Undone)
                    assert live.state.to_move == asker
                    again = Live(table, GAMES, lambda: NOON)
                    again.load(live.rows)
                    again.names = live.names
                    for viewer in (None, *range(seats)):
                        assert again.snapshot_frame(viewer) == live.snapshot_frame(viewer)
                    assert again.state.position == live.state.position
            text = await service.record(table, None)
            assert len(verify(text, GAMES).transitions) == live.state.ply
            for person in persons:
                await service.command(table, person, Rematch(next(ids)))
    assert undone > 3


async def test_what_was_taken_back_tells_no_more_than_it_did(tmp_path: Path) -> None:
    """After an undo a viewer's snapshot log holds the same steps as before, and the one that took them back."""
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        await put(service, table, persons)
        before = {who: (await service.snapshot(table, who)).log for who in (*persons, None)}
        await ask(service, table, persons[0], "undo")
        await reply(service, table, persons[1])
        for who, log in before.items():
            snapshot = await service.snapshot(table, who)
            assert snapshot.log[: len(log)] == log
            assert [step.kind for step in snapshot.log[len(log) :]] == ["proposed", "answered", "undone"]
