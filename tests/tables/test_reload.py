"""A table in memory is a cache: rebuilt from its log at any version it is the same, byte for byte, and so is its future."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from sandriver.games import GAMES as ALL_GAMES
from sandriver.games.contract import Game
from sandriver.tables import watch
from sandriver.tables.errors import CorruptLog, Refusal
from sandriver.tables.fold import fold
from sandriver.tables.hub import encode_frame
from sandriver.tables.keeping import UNREADABLE_MS
from sandriver.tables.live import Live
from sandriver.tables.log import (
    Absent,
    Action,
    Answered,
    Drawn,
    Filled,
    Flagged,
    Joined,
    Opened,
    Paused,
    Proposed,
    Resigned,
    Resumed,
    Returned,
    Row,
    Said,
    Started,
    Undone,
    decode_entry,
    encode_entry,
)  # fmt: skip
from sandriver.tables.log import Rematch as Again
from sandriver.tables.schema import LOG
from sandriver.tables.state import State
from sandriver.tables.wire import Act, ClockPlan, OpenTable, Rematch
from tests.tables.tools import NOON, PERSON, SOLO, fix_secrets, ids, legal, open_store, play, serving, started, until
from tests.tables.toy import TOY

pytestmark = pytest.mark.usefixtures("backend")

GAMES: dict[str, Game] = {**ALL_GAMES, "toy": TOY}


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_reload_at_every_ply(tmp_path: Path, game: str) -> None:
    """Play on one service; before every action, open another over the same database and compare everything it shows."""
    rng = random.Random(4)
    async with serving(tmp_path, games=GAMES) as service:
        table, persons = await started(service, OpenTable(game, (PERSON, PERSON)))
        live = service._tables.get(table)
        store = service._store
        while True:
            again = Live(table, GAMES, lambda: NOON)
            again.load(await store.rows(table))
            again.names = live.names
            for viewer in (0, 1, None):
                assert again.snapshot_frame(viewer) == live.snapshot_frame(viewer)
            assert (again.state.key, again.state.draws, again.answers) == (live.state.key, live.state.draws, live.answers)
            assert again.state == live.state if game == "toy" else again.state.position == live.state.position
            if live.state.phase == "over":
                break
            mover = live.state.to_move
            assert mover is not None
            actions = list(live.snapshot(mover).view.legal)  # type: ignore[union-attr]
            ack = await service.command(table, persons[mover], Act(next(ids), live.state.ply, rng.choice(actions)))
            assert again.v + 1 == ack.v
        assert live.state.ply > 10


async def test_restart_at_every_ply_continues_identically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole services come and go between the actions; the game is the one that an uninterrupted service plays."""
    fix_secrets(monkeypatch)
    records = []
    for interrupted in (False, True):
        folder = tmp_path / str(interrupted)
        folder.mkdir()
        rng = random.Random(1)
        async with serving(folder) as service:
            table, persons = await started(service, SOLO, nonces=("01" * 16,))
            if not interrupted:
                records.append(await _finish(folder, table, persons, rng, 1000))
        if interrupted:
            text = None
            while text is None:
                text = await _finish(folder, table, persons, rng, 1)
            records.append(text)
    moves = [[line for line in text.splitlines() if not line.startswith("Date")] for text in records if text is not None]
    assert moves[0] == moves[1]
    assert len(moves[0]) > 25


async def _finish(folder: Path, table: str, persons: Sequence[str], rng: random.Random, plies: int) -> str | None:
    async with serving(folder) as service, await service.subscribe(table, persons[0]) as frames:
        async for _ in frames:
            snapshot = await service.snapshot(table, persons[0])
            if snapshot.table.state == "over":
                return await service.record(table, None)
            if actions := legal(snapshot):
                if plies == 0:
                    return None
                plies -= 1
                await service.command(table, persons[0], Act(next(ids), snapshot.ply, rng.choice(actions)))
    raise AssertionError("the frames ended")


async def test_command_ids_and_ends_survive_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0))
        first = await service.command(table, persons[0], Act("first", 0, "t"))
        await play(service, table, persons)
        asked = await service.command(table, persons[1], Rematch("again"))
        shown = await service.snapshot(table, persons[1])
    async with serving(tmp_path) as service:
        assert await service.command(table, persons[0], Act("first", 0, "t")) == first
        assert await service.command(table, persons[1], Rematch("again")) == asked
        with pytest.raises(Refusal, match="game_over"):
            await service.command(table, persons[0], Act("second", shown.ply, "t"))
        assert encode_frame(await service.snapshot(table, persons[1])) == encode_frame(shown)


async def test_cache_stays_small(tmp_path: Path) -> None:
    async with serving(tmp_path, tables_cached=3) as service:
        tables = [await started(service) for _ in range(8)]
        assert len(list(service._tables)) <= 3
        for table, persons in tables:
            await play(service, table, persons, 4)
        held = [await service.subscribe(table, None) for table, _ in tables]
        assert len(list(service._tables)) == 8, "who is followed stays"
        for subscription in held:
            subscription.close()
        await service.snapshot(tables[0][0], None)
        assert len(list(service._tables)) <= 3


async def _log(tmp_path: Path) -> list[Row]:
    async with serving(tmp_path) as service:
        table, persons = await started(service)
        await play(service, table, persons, 8)
        rows: list[Row] = await service._store.rows(table)
        return rows


def _fold(rows: Sequence[Row]) -> State:
    state: State | None = None
    for row in rows:
        state, _ = fold(GAMES, state, row)
    assert state is not None
    return state


async def test_a_log_that_was_tampered_with_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_secrets(monkeypatch)
    rows = await _log(tmp_path)
    assert _fold(rows).v == len(rows)
    opened, joined, begun = rows[0].entry, rows[1].entry, rows[3].entry
    assert isinstance(opened, Opened)
    assert isinstance(joined, Joined)
    assert isinstance(begun, Started)
    deal = next(n for n, row in enumerate(rows) if isinstance(row.entry, Action) and row.entry.move.startswith("t"))
    dealt = rows[deal].entry
    assert isinstance(dealt, Action)
    other = next(move for move in ("t>a", "t>b") if move != dealt.move)
    for n, entry in (
        (0, replace(opened, secret="00" * 32)),
        (0, replace(opened, rules_version=99)),
        (0, replace(opened, game="chess")),
        (1, replace(joined, nonce="00" * 16)),
        (1, replace(joined, seat=1)),
        (3, replace(begun, first=1 - begun.first)),
        (deal, replace(dealt, move=other)),
        (deal, replace(dealt, seat=1 - dealt.seat)),
        (deal, replace(dealt, ply=99)),
        (deal, replace(dealt, move="?")),
    ):
        changed = [*rows[:n], replace(rows[n], entry=entry), *rows[n + 1 :]]
        with pytest.raises(CorruptLog):
            _fold(changed)
    for wrong in (rows[1:], [*rows[:5], *rows[6:]], [rows[0], *rows]):
        with pytest.raises(CorruptLog):
            _fold(wrong)


def _impossible(rng: random.Random, rows: Sequence[Row]) -> list[Row]:
    """A log in which one entry is another, one too many or one too few; its versions follow, so that all else is looked at."""
    entries = [row.entry for row in rows]
    seat, place = rng.choice((-1, 0, 1, 2, 99)), rng.choice((-1, 0, 1, 2, 99))
    other = rng.choice(
        (
            *entries,
            *(Resigned(seat), Resigned(seat, "random"), Flagged(seat), Proposed(seat, "undo"), Proposed(seat, "pause"), Drawn()),
            *(Answered(seat, "undo", True), Undone(seat, 0), Paused(), Resumed(), Absent(seat, place), Absent(seat, place, "random")),
            *(Returned(seat), Said(seat, text="x"), Again(seat), Again(), Joined(seat, "p", "00" * 16), Filled(0, place, "random")),
        )
    )
    n = rng.randrange(len(entries))
    entries[n : n + rng.choice((0, 1))] = [] if rng.random() < 0.2 else [other]
    if rng.random() < 0.2:
        rng.shuffle(entries)
    return [Row("sandrver2345", v, NOON, entry, None, f"c{v}") for v, entry in enumerate(entries, 1)]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_whatever_a_log_says_it_replays_or_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """An action before the start, a seat that is none, two starts …: ``CorruptLog``, never another error, and never a table half known."""
    fix_secrets(monkeypatch)
    rng = random.Random(7)
    async with serving(tmp_path, games=GAMES) as service:
        table, persons = await started(service, OpenTable(game, (PERSON, PERSON), clock=ClockPlan(60)))
        await play(service, table, persons, 4)
        rows = await service._store.rows(table)
    refused = 0
    for _ in range(150):
        live = Live(table, GAMES, lambda: NOON)
        try:
            live.load(_impossible(rng, rows))
        except CorruptLog:
            refused += 1
            assert not live.loaded
        else:
            if live.loaded:
                for viewer in (0, None):
                    live.snapshot_frame(viewer)
    assert 30 < refused < 150


async def test_a_broken_table_is_refused_and_others_go_on(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    async with serving(tmp_path, store) as service:
        table, persons = await started(service)
        other, others = await started(service)
        rows = await store.rows(table)
        bad = replace(rows[-1], v=rows[-1].v + 1, entry=Action(0, 1, "t>z"))
        await store.append([bad])
    async with serving(tmp_path, store) as service:
        for _ in range(2):
            with pytest.raises(Refusal, match="try_again: unreadable"):
                await service.snapshot(table, persons[0])
        mine = await service.open_table(persons[0], SOLO)
        assert [info.id for info in await service.tables_of(persons[0])] == [mine], "the broken one hides no other"
        assert await play(service, other, others) > 5
    await store.close()


def test_entries_are_stored_as_readable_json() -> None:
    entry = Action(1, 3, "t>a")
    assert encode_entry(entry) == '{"kind":"action","seat":1,"ply":3,"move":"t>a"}'
    assert decode_entry(encode_entry(entry)) == entry
    for text in ('{"kind":"castling"}', '{"kind":"action","seat":"one"}', "no JSON", "[" * 100_000, ""):
        with pytest.raises(CorruptLog, match="no entry that is known here"):
            decode_entry(text)


@pytest.mark.parametrize("entry", ['{"kind":"castled","seat":0}', "no JSON"])
async def test_an_entry_of_a_later_version_stops_its_table_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, entry: str
) -> None:
    """A process of the older version refuses that table, whoever asks and however it hears of it, and goes on with all others."""
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.02)
    time = NOON
    store = await open_store(tmp_path)
    async with serving(tmp_path, store, now=lambda: time) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0, clock=ClockPlan(60)))
        other, others = await started(service)
        followed = await service.subscribe(table, None)
        followed_too = await service.subscribe(other, None)
        later = {"table_id": table, "v": 5, "at": NOON, "kind": "castled", "terminal": False, "entry": entry}
        await store._run(sa.insert(LOG), later)
        service._watch._at_once.set()
        with pytest.raises(Refusal, match="try_again: unreadable"):
            await service.command(table, persons[0], Act(next(ids), 0, "t"))
        time += 600_000
        await service.rounds.once()
        assert (await store.due(1 << 60, 9)) == [(table, time + UNREADABLE_MS, 5)], "put off, not asked for at every round"
        await play_elsewhere(tmp_path, other, others)
        await until(lambda: service._tables.get(other).v == 5)
        assert (followed.closed, followed_too.closed) == (None, None)
        assert caplog.text.count("cannot be replayed") == 1, "told once, however often it is tried"
        assert table not in caplog.text, "nor any more of it than that"
        assert "castl" not in caplog.text
    async with serving(tmp_path, store) as service:
        for _ in range(2):
            with pytest.raises(Refusal, match="try_again: unreadable"):
                await service.snapshot(table, persons[0])
        mine = await service.open_table(persons[0], SOLO)
        assert [info.id for info in await service.tables_of(persons[0])] == [mine]
    await store.close()


async def play_elsewhere(folder: Path, table: str, persons: Sequence[str]) -> None:
    """One action at another process, of which this one hears nothing."""
    store = await open_store(folder)
    async with serving(folder, store) as service:
        await play(service, table, persons, 1)
    await store.close()
