"""The store fails or hangs: nobody hears of what was not stored, the sender may try again, others go on, nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from sandriver.tables import store_sql
from sandriver.tables.errors import Conflict, Refusal, StoreFailed
from sandriver.tables.log import Action, Resigned, Row
from sandriver.tables.schema import HEAD, METADATA
from sandriver.tables.store_sql import SqlStore, sqlite_url
from sandriver.tables.wire import Act
from tests.tables.tools import SOLO, TWO, FaultyStore, open_store, people, play, serving, started, until, waiting


@pytest.fixture
async def faulty(tmp_path: Path) -> Any:
    store = await open_store(tmp_path, FaultyStore)
    async with serving(tmp_path, store, store_seconds=0.8) as service:
        yield store, service
    await store.close()


@pytest.mark.parametrize("fault", ["fail", "hang"])
async def test_a_failed_commit_is_seen_by_nobody(faulty: Any, fault: str) -> None:
    store, service = faulty
    table, persons = await started(service)
    other, others = await started(service)
    first = (await service.snapshot(table, None)).table.first
    watching = [await service.subscribe(table, viewer) for viewer in (*persons, None)]
    before = [waiting(subscription)[0] for subscription in watching]
    store.fault = lambda rows: fault if rows[0].table == table else None
    moves = asyncio.create_task(play(service, other, others))
    with pytest.raises(Refusal) as caught:
        await service.command(table, persons[first], Act("x", 0, "t"))
    assert (caught.value.code, caught.value.refused.id) == ("try_again", "x")
    assert await moves > 5, "other tables go on"
    assert [waiting(subscription) for subscription in watching] == [[], [], []]
    assert (await service.snapshot(table, None)).v == before[2]["v"]
    store.fault = lambda rows: None
    ack = await service.command(table, persons[first], Act("x", 0, "t"))
    assert ack.v == before[2]["v"] + 1, "the same command, tried again, is carried out"
    assert [[frame["v"] for frame in waiting(subscription)] for subscription in watching] == [[ack.v]] * 3


async def test_a_commit_that_arrived_though_nobody_heard(faulty: Any) -> None:
    """The answer of the database is lost: the sender is asked to try again and gets the answer to what was stored."""
    store, service = faulty
    table, persons = await started(service)
    first = (await service.snapshot(table, None)).table.first
    watching = await service.subscribe(table, None)
    v = waiting(watching)[0]["v"]
    store.fault = lambda rows: "late"
    with pytest.raises(Refusal, match="try_again"):
        await service.command(table, persons[first], Act("x", 0, "t"))
    assert waiting(watching) == []
    store.fault = lambda rows: None
    await until(lambda: service._tables.get(table).v == v + 1)
    assert [frame["v"] for frame in waiting(watching)] == [v + 1], "followers hear of it once it is certain"
    assert (await service.command(table, persons[first], Act("x", 0, "t"))).v == v + 1
    assert sum(isinstance(row.entry, Action) for row in await store.rows(table)) == 1


async def test_a_bot_tries_again(faulty: Any) -> None:
    store, service = faulty
    failures = iter(["fail", "late", "hang", "fail"])
    store.fault = lambda rows: next(failures, None) if isinstance(rows[0].entry, Action) and rows[0].person is None else None
    table, persons = await started(service, SOLO)
    await service.command(table, persons[0], Act("x", 0, "t"))
    await until(lambda: service._tables.get(table).state.ply == 2)
    assert next(failures, None) is None or service._tables.get(table).state.ply == 2
    await service.command(table, persons[0], Act("y", 2, "t"))
    await until(lambda: service._tables.get(table).state.ply == 4)
    plies = [row.entry.ply for row in await store.rows(table) if isinstance(row.entry, Action)]
    assert plies == [1, 2, 3, 4]


async def test_opening_and_joining_refuse_as_well(faulty: Any) -> None:
    store, service = faulty
    ana, _ = await people(service, "Ana", "Ben")
    store.fault = lambda rows: "fail"
    with pytest.raises(Refusal, match="try_again"):
        await service.open_table(ana, TWO)
    store.fault = lambda rows: None
    table = await service.open_table(ana, TWO)
    store.fault = lambda rows: "hang"
    with pytest.raises(Refusal, match="try_again"):
        await service.join(table, ana)
    store.fault = lambda rows: None
    assert await service.join(table, ana) == 0


async def test_reading_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await open_store(tmp_path)
    async with serving(tmp_path, store) as service:
        table, persons = await started(service)
    async with serving(tmp_path, store, store_seconds=0.1) as service:

        async def fail(table: str, after: int = 0) -> list[Row]:
            raise StoreFailed("no disk")

        async def hang(table: str, after: int = 0) -> list[Row]:
            await asyncio.Event().wait()
            return []

        for fault in (fail, hang):
            with monkeypatch.context() as patch:
                patch.setattr(store, "rows", fault)
                with pytest.raises(Refusal, match="try_again"):
                    await service.snapshot(table, persons[0])
        assert (await service.snapshot(table, persons[0])).ply == 0
    await store.close()


# --- the SQL store itself ------------------------------------------------------------------------


def _row(table: str, v: int, **values: Any) -> Row:
    return Row(table, v, 0, values.pop("entry", Action(0, v, "t>a")), **values)


async def test_what_the_keys_refuse(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    await store.append([_row("a", 1, command="x"), _row("a", 2)])
    for rows in (
        [_row("a", 2)],
        [_row("a", 3), _row("a", 3)],
        [_row("a", 3), _row("b", 1), _row("a", 1)],
        [_row("a", 3, command="x")],
    ):
        with pytest.raises(Conflict):
            await store.append(rows)
    assert [row.v for row in await store.rows("a")] == [1, 2]
    assert await store.rows("b") == [], "all of an append or nothing"
    await store.append([_row("a", 3, command="x", entry=Resigned(1), terminal=True)])
    with pytest.raises(Conflict):
        await store.append([_row("a", 4, terminal=True)])
    assert [row.v for row in await store.rows("a", after=2)] == [3]
    await store.close()
    with pytest.raises(StoreFailed):
        await store.append([_row("z", 1)])


async def test_group_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Appends that arrive together share transactions; a bad one among them fails alone, one given up in time leaves nothing."""
    store = await open_store(tmp_path)
    sizes: list[int] = []
    insert = store._insert

    async def counted(rows: Sequence[Row]) -> None:
        sizes.append(len(rows))
        await insert(rows)

    monkeypatch.setattr(store, "_insert", counted)
    await asyncio.gather(*(store.append([_row(f"t{n}", 1)]) for n in range(100)))
    assert sum(sizes) == 100
    assert len(sizes) <= 3
    tables = [f"t{n}" for n in range(50)]
    results = await asyncio.gather(*(store.append([_row(table, 1 if table == "t7" else 2)]) for table in tables), return_exceptions=True)
    assert [n for n, result in enumerate(results) if isinstance(result, Conflict)] == [7]
    assert results.count(None) == 49
    given_up = [asyncio.create_task(store.append([_row(f"u{n}", 1)])) for n in range(10)]
    await asyncio.sleep(0)
    for task in given_up[1:]:
        task.cancel()
    await asyncio.wait(given_up)
    await store.append([_row("w", 1)])
    assert len([n for n in range(1, 10) if await store.rows(f"u{n}")]) in (0, 9)
    await store.close()


async def test_durable_settings_and_schema(tmp_path: Path) -> None:
    store = await SqlStore.open(sqlite_url(tmp_path / "new.sqlite3"))
    async with store._engine.connect() as connection:
        pragmas = [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
        assert pragmas == ["wal", 2]

        def differences(sync: sa.Connection) -> list[Any]:
            return list(compare_metadata(MigrationContext.configure(sync), METADATA))

        assert await connection.run_sync(differences) == [], "the migrations make what schema.py says"
    await store.close()


async def test_finding_tables_looks_into_an_index(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    asked: list[tuple[str, Any]] = []
    sa.event.listen(store._engine.sync_engine, "before_cursor_execute", lambda _c, _u, text, values, *_: asked.append((text, values)))
    await store.tables_of("ana", 10)
    await store.running_tables()
    await store.close()
    assert len(asked) == 2
    with contextlib.closing(sqlite3.connect(tmp_path / "test.sqlite3")) as database:
        plans = [str(row[3]) for text, values in asked for row in database.execute(f"EXPLAIN QUERY PLAN {text}", values)]
    reading = [plan for plan in plans if plan.startswith(("SCAN log", "SEARCH log"))]
    assert len(reading) == 5
    assert all("USING" in plan for plan in reading), plans


async def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite3").write_text("This is no database at all, whatever its name may say." * 20)
    for path in (tmp_path / "missing" / "x.sqlite3", tmp_path / "text.sqlite3", tmp_path):
        with pytest.raises(StoreFailed, match="cannot open the database"):
            await SqlStore.open(sqlite_url(path))


async def test_migrations_end_at_the_head_that_is_looked_for(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(store_sql.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


async def test_a_database_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    async with store._engine.begin() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    before = (tmp_path / "test.sqlite3").read_bytes()
    with pytest.raises(StoreFailed, match="made by another version"):
        await open_store(tmp_path)
    assert (tmp_path / "test.sqlite3").read_bytes() == before


PLAYER = """
import asyncio, sys
from pathlib import Path
from tests.tables.tools import TWO, play, serving, started
from sandriver.tables.service import TableService

command = TableService.command
async def told(self, table, person, act, **more):
    ack = await command(self, table, person, act, **more)
    print(table, person, act.id, ack.v, flush=True)
    return ack
TableService.command = told

async def main():
    async with serving(Path(sys.argv[1])) as service:
        async def games(n):
            while True:
                table, persons = await started(service, TWO)
                await play(service, table, persons, seed=n)
        await asyncio.gather(*(games(n) for n in range(20)))
asyncio.run(main())
"""


async def test_kill_under_load_loses_nothing_acknowledged(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    for lines_wanted in (150, 20):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PLAYER, str(tmp_path),
            cwd=root, env={"PYTHONPATH": f"{root / 'src'}:{root}"}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        lines = [await process.stdout.readline() for _ in range(lines_wanted)]
        process.send_signal(signal.SIGKILL)
        lines += (await process.stdout.read()).splitlines(keepends=True)
        await process.wait()
        acknowledged = [line.decode().split() for line in lines if line.endswith(b"\n") and line.strip()]
        assert len(acknowledged) >= lines_wanted
        async with serving(tmp_path) as service:
            logs = {table: await service._store.rows(table) for table in {line[0] for line in acknowledged}}
            for table, person, command, v in acknowledged:
                row = logs[table][int(v) - 1]
                assert (row.v, row.command, row.person) == (int(v), command, person)
            table, person, command, v = acknowledged[-1]
            assert (await service.command(table, person, Act(command, 0, "t"))).v == int(v), "a resend is answered as before the crash"
