"""Rounds: tables where something happens by itself are looked after in time; those that were left for ever cost nothing."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from sandriver.tables import migrating
from sandriver.tables.bot_driver import Pace
from sandriver.tables.databases import sqlite_url, sync_engine
from sandriver.tables.due import QUIET_MS, needed
from sandriver.tables.errors import Refusal
from sandriver.tables.store_sql import SqlStore
from sandriver.tables.timekeeper import AT_A_TIME
from sandriver.tables.wire import Act, Answer, ClockPlan, OpenTable, Propose, Resign
from tests.tables.tools import BOT, NOON, PERSON, SOLO, TWO, MemoryStore, ids, open_store, play, serving, started, until

FOR_EVER = 1 << 60
OLD = 10_000


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.ms = NOON

    def __call__(self) -> int:
        return self.ms


async def left(store: SqlStore) -> list[str]:
    """One table of each kind that people leave: waiting for them, against a bot, paused, over."""
    time = Time()
    clock = ClockPlan(60, 1)
    async with serving(Path(), store, now=time) as service:
        alone, _ = await started(service, TWO)
        solo, persons = await started(service, SOLO)
        await service.command(solo, persons[0], Act(next(ids), 0, "t"))
        await until(lambda: service._tables.get(solo).state.ply == 2)
        paused, persons = await started(service, OpenTable("toy", (PERSON, BOT), first=0, clock=clock))
        await service.command(paused, persons[0], Propose(next(ids), "pause", 0))
        over, persons = await started(service, OpenTable("toy", (PERSON, PERSON), clock=clock))
        await service.command(over, persons[0], Resign(next(ids)))
        assert {table for table, _, _ in await store.due(FOR_EVER, 10)} == {solo, paused, over}
        time.ms += 60_000 + 60_000
        await service.rounds.once()
        assert await store.due(FOR_EVER, 10) == [], "looked at once, and never again"
    return [alone, solo, paused, over]


async def test_what_was_left_for_ever_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps that the database takes for a round are the same with 10,000 old tables as with none; none of them is read."""
    store = await open_store(tmp_path)
    tables = await left(store)
    asked: list[tuple[str, Any]] = []
    sa.event.listen(store._engine.sync_engine, "before_cursor_execute", lambda _c, _u, text, values, *_: asked.append((text, values)))
    path = tmp_path / "test.sqlite3"
    read: list[str] = []
    async with serving(tmp_path, store, now=lambda: NOON + 10**9) as service:
        await service.rounds.once()
        question = next((text, values) for text, values in reversed(asked) if "due" in text)
        before = steps(path, *question)
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            for n, table in enumerate(tables):
                last = n * OLD + OLD // len(tables)
                numbers = f"WITH RECURSIVE n(x) AS (SELECT {n * OLD} UNION ALL SELECT x + 1 FROM n WHERE x < {last})"
                columns = "v, at, kind, seat, person, command, terminal, entry"
                copied = f"{numbers} INSERT INTO log SELECT 'old' || x, {columns} FROM n, log WHERE table_id = ?"
                database.execute(copied, (table,))
                copied = f"{numbers} INSERT INTO tables SELECT 'old' || x, game, owner, NULL, created, due FROM n, tables WHERE id = ?"
                database.execute(copied, (table,))
            assert database.execute("SELECT count(*) FROM tables").fetchone()[0] > OLD
        assert steps(path, *question) <= before + 5
        rows = store.rows

        async def noted(table: str, after: int = 0) -> Any:
            read.append(table)
            return await rows(table, after)

        monkeypatch.setattr(store, "rows", noted)
        for _ in range(3):
            await service.rounds.once()
    async with serving(tmp_path, store, now=lambda: NOON + 10**9) as service:  # nor does a start
        await service.rounds.once(NOON + 2 * 10**9)
        assert len(service._tables) == 0
    assert read == []
    await store.close()


def steps(path: Path, text: str, values: Any) -> int:
    """How many steps SQLite's machine takes for a query."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    with contextlib.closing(sqlite3.connect(path)) as database:
        database.set_progress_handler(step, 1)
        database.execute(text, values).fetchall()
    return count


async def test_who_comes_back_is_answered_and_the_table_is_due_again(tmp_path: Path) -> None:
    time = Time()
    store = MemoryStore()
    async with serving(tmp_path, store, now=time) as service:
        table, persons = await started(service, SOLO)
        await service.command(table, persons[0], Act(next(ids), 0, "t"))
        await until(lambda: service._tables.get(table).state.ply == 2)
        assert store.dues == {table: NOON + QUIET_MS}
        time.ms += QUIET_MS + 1
        await service.rounds.once()
        assert store.dues == {}
    time.ms += 10**9
    async with serving(tmp_path, store, now=time, pace=Pace(60, 60)) as service:
        await service.command(table, persons[0], Act(next(ids), 2, "t"))
        assert store.dues == {table: time.ms + QUIET_MS}
        time.ms += QUIET_MS + 1
        await service.rounds.once()
        assert store.dues == {table: time.ms + QUIET_MS}, "its bot has still to move: looked at again soon"
    async with serving(tmp_path, store, now=time) as service:
        await until(lambda: service._tables.get(table).loaded and service._tables.get(table).state.ply == 4)


@pytest.mark.parametrize("seed", range(12))
async def test_a_table_is_never_due_too_late(tmp_path: Path, seed: int) -> None:
    """Whatever is done at a table: as long as something must happen by itself, the store knows a moment that is early enough."""
    rng, time, store = random.Random(seed), Time(), MemoryStore()
    plans = [PERSON, rng.choice((PERSON, BOT)), rng.choice((PERSON, BOT))][: rng.choice((2, 2, 3))]
    clock = rng.choice((None, ClockPlan(10, 2), ClockPlan(60), ClockPlan(20, kind="per_move")))
    looked = 0
    async with serving(tmp_path, store, now=time) as service:
        table, persons = await started(service, OpenTable("toy", tuple(plans), {"limit": 20}, clock=clock))
        for _ in range(25):
            time.ms += rng.choice((0, 100, 3000, 9000, 21_000))
            with contextlib.suppress(Refusal):
                await something(service, table, persons, rng)
            if rng.random() < 0.3:
                await service.rounds.once()
                looked = time.ms
            state = service._tables.get(table).state
            if (moment := needed(state)) is not None:
                assert store.dues.get(table, FOR_EVER) <= max(moment, looked + QUIET_MS)
        time.ms += 600_000
        await service.rounds.once()
        await until(lambda: service._tables.get(table).state.bot_to_move is None)
        time.ms += 600_000
        await service.rounds.once()
        if needed(service._tables.get(table).state) is None:
            assert store.dues == {}


async def something(service: Any, table: str, persons: list[str], rng: random.Random) -> None:
    person, ply = rng.choice(persons), service._tables.get(table).state.ply
    asked = service._tables.get(table).state.company.asked
    if asked:
        await service.command(table, person, Answer(next(ids), asked[0].what, asked[0].v, rng.random() < 0.8))
    elif rng.random() < 0.3:
        await service.command(table, person, Propose(next(ids), rng.choice(("pause", "resume", "resume", "undo")), ply))
    elif rng.random() < 0.04:
        await service.command(table, person, Resign(next(ids)))
    else:
        await play(service, table, persons, 1, seed=rng.getrandbits(30))


async def test_more_than_one_query_brings_are_all_looked_at(tmp_path: Path) -> None:
    store = MemoryStore()
    time = Time()
    async with serving(tmp_path, store, now=time, pace=Pace(60, 60)) as service:
        tables = [(await started(service, OpenTable("toy", (PERSON, BOT), first=1)))[0] for _ in range(AT_A_TIME + 20)]
    time.ms += 10 * QUIET_MS
    async with serving(tmp_path, store, now=time) as service:
        await until(lambda: all(len(store.log[table]) > 4 for table in tables))


async def test_a_table_that_cannot_be_read_is_put_off(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store, time = MemoryStore(), Time()
    async with serving(tmp_path, store, now=time, pace=Pace(60, 60)) as service:
        table, _ = await started(service, OpenTable("toy", (PERSON, BOT), first=1))
    del store.log[table][2]
    time.ms += QUIET_MS + 1
    async with serving(tmp_path, store, now=time) as service:
        await until(lambda: store.dues[table] > time.ms)
        for _ in range(3):
            await service.rounds.once()
    assert caplog.text.count("cannot be replayed") == 1


async def test_a_database_of_the_schema_before_wakes_what_runs(tmp_path: Path) -> None:
    """Nothing says there when its tables are due: all that run are looked at once, and at none a bot or a flag is forgotten."""
    store = await open_store(tmp_path)
    time = Time()
    async with serving(tmp_path, store, now=time, pace=Pace(60, 60)) as service:
        table, _ = await started(service, OpenTable("toy", (PERSON, BOT), first=1))
        over, persons = await started(service, TWO)
        await service.command(over, persons[0], Resign(next(ids)))
    await store.close()
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).parent / "migrations"))
    engine = sync_engine(sa.make_url(sqlite_url(tmp_path / "test.sqlite3")))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0002")
    engine.dispose()
    store = await open_store(tmp_path)
    assert [each[:2] for each in await store.due(FOR_EVER, 10)] == [(table, 0)]
    async with serving(tmp_path, store, now=time) as service:
        await until(lambda: service._tables.get(table).loaded and service._tables.get(table).state.ply == 1)
    await store.close()
