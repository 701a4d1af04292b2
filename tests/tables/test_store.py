"""The SQL store itself, on each kind of database: what its keys refuse, group commit, migrations, processes that start together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from sandriver.tables import migrating
from sandriver.tables.errors import Conflict, StoreFailed
from sandriver.tables.log import Action, Joined, Opened, Resigned, Row, Started
from sandriver.tables.schema import HEAD, LOG, METADATA
from sandriver.tables.store import Person
from sandriver.tables.store_sql import SqlStore
from sandriver.tables.wire import SeatPlan
from tests.tables.backends import Backend
from tests.tables.tools import open_store

pytestmark = pytest.mark.usefixtures("backend")


def _row(table: str, v: int, **values: Any) -> Row:
    return Row(table, v, values.pop("at", 0), values.pop("entry", Action(0, v, "t>a")), **values)


def _opened(table: str, code: str | None = None, **values: Any) -> Row:
    return _row(table, 1, entry=Opened("toy", 3, {}, (SeatPlan("person"),), "ana", "00", "11", code), person="ana", **values)


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


@pytest.mark.parametrize("number", [2, 3, 77, 256, 300, 517])
async def test_many_rows_at_once(tmp_path: Path, number: int) -> None:
    """However many rows an append has, all are stored, each as it was, or none."""
    store = await open_store(tmp_path)
    rows = [_row("a", v, command=f"c{v}") for v in range(1, number + 1)]
    await store.append(rows)
    assert await store.rows("a") == rows
    with pytest.raises(Conflict):
        await store.append([_row("b", v) for v in [*range(1, number), 1]])
    assert await store.rows("b") == []
    await store.append([_row("b", 1)])
    assert len(await store.rows("b")) == 1
    await store.close()


async def test_the_migrations_make_what_the_schema_says(tmp_path: Path) -> None:
    store = await open_store(tmp_path)

    def look(connection: sa.Connection) -> tuple[list[Any], dict[str, Any]]:
        indexes = {str(index["name"]): index for index in sa.inspect(connection).get_indexes("log")}
        return list(compare_metadata(MigrationContext.configure(connection), METADATA)), indexes

    async with store._engine.connect() as connection:
        differences, indexes = await connection.run_sync(look)
        assert differences == []
        for index in LOG.indexes:
            found = indexes[str(index.name)]
            assert bool(found["unique"]) == index.unique
            assert any("where" in option for option in found["dialect_options"]), f"{index.name} is to cover a part of the log only"
    await store.close()


async def test_migrations_end_at_the_head_that_is_looked_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


async def test_a_database_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    await store.append([_row("a", 1)])
    async with store._engine.begin() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreFailed, match="made by another version"):
        await open_store(tmp_path)
    assert len(await store.rows("a")) == 1
    async with store._engine.connect() as connection:
        assert (await connection.execute(sa.text("SELECT version_num FROM alembic_version"))).scalars().all() == ["9999"]
    await store.close()


async def test_processes_that_start_together_migrate_once(tmp_path: Path, backend: Backend) -> None:
    """Eight at once on an empty database: all of them come up, and one after the other they found it migrated."""
    address = await backend.empty(tmp_path)
    stores = await asyncio.gather(*(SqlStore.open(address) for _ in range(8)))
    for n, store in enumerate(stores):
        await store.append([_row("a", n + 1)])
    assert [row.v for row in await stores[0].rows("a")] == [1, 2, 3, 4, 5, 6, 7, 8]
    for store in stores:
        await store.close()


async def test_what_is_found(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    bot, person = Joined(1, None, "00"), Joined(1, "ben", "00")
    await store.append([_opened("solo", "AAAAAA", at=5), _row("solo", 2, entry=bot), _row("solo", 3, entry=Started(0, "x"))])
    await store.append(
        [_opened("duel", "BBBBBB", at=9), _row("duel", 2, entry=person, person="ben", at=9), _row("duel", 3, entry=Started(0, "x"))]
    )
    await store.append([_opened("done", at=7), _row("done", 2, entry=bot), _row("done", 3, entry=Started(0, "x"))])
    await store.append([_row("done", 4, terminal=True), _row("duel", 4, entry=Resigned(0, "random"))])
    assert [await store.table_by_code(code) for code in ("AAAAAA", "BBBBBB", "CCCCCC")] == ["solo", "duel", None]
    assert await store.tables_of("ana", 2) == ["duel", "done"], "the newest first"
    assert await store.tables_of("ben", 9) == ["duel"]
    with pytest.raises(Conflict):
        await store.append([_opened("other", "AAAAAA")])
    assert await store.rows("other") == [], "nothing of a table whose code was given out before"
    assert sorted(await store.news({"solo": 3, "duel": 3, "done": 1, "none": 0})) == ["done", "duel"]
    assert await store.news({}) == []
    assert sorted(await store.news({f"t{n}": 1 for n in range(500)} | {"solo": 0})) == ["solo"]
    await store.close()


async def test_what_is_due(tmp_path: Path) -> None:
    """The earliest first; put off only by who knows the newest version and the moment that stands there."""
    store = await open_store(tmp_path)
    for n, table in enumerate("abc"):
        await store.append([_opened(table), _row(table, 2, due=30 - n)])
    await store.append([_opened("d"), _row("d", 2), _row("d", 3)])
    assert await store.due(99, 10) == [("c", 28, 2), ("b", 29, 2), ("a", 30, 2)]
    assert await store.due(29, 10) == [("c", 28, 2)]
    assert await store.due(99, 2) == [("c", 28, 2), ("b", 29, 2)]
    await store.append([_row("c", 3)])
    assert await store.due(29, 10) == [("c", 28, 3)], "what says nothing changes nothing"
    await store.put_off("c", 28, 2, 90)
    await store.put_off("b", 28, 2, 90)
    assert await store.due(30, 10) == [("c", 28, 3), ("b", 29, 2)], "it went on, or somebody else was quicker"
    await store.put_off("c", 28, 3, 90)
    await store.put_off("b", 29, 2, None)
    assert await store.due(99, 10) == [("a", 30, 2), ("c", 90, 3)]
    with pytest.raises(Conflict):
        await store.append([_row("a", 2, due=5)])
    await store.append([_row("b", 3, due=7), _row("a", 3, due=8), _row("a", 4)])
    assert await store.due(99, 10) == [("b", 7, 3), ("a", 8, 4), ("c", 90, 3)]
    await store.close()


async def test_people_and_what_they_are_called(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    name = "Żółw 蛇 Ελένη '; DROP TABLE log; --"
    await store.add_person(Person("ana", name, "pt-BR"), "a" * 64, 10**13)
    assert await store.person_by_token("a" * 64) == Person("ana", name, "pt-BR")
    with pytest.raises(Conflict):
        await store.add_person(Person("eve", "", ""), "a" * 64, 0)
    await store.update_person(Person("ana", "Ana", "el"))
    assert await store.people(["ana", "eve"]) == [Person("ana", "Ana", "el")]
    assert await store.person_by_token("b" * 64) is None
    assert await store.people([]) == []
    await store.close()


async def test_two_processes_write_the_same_tables_crosswise(tmp_path: Path) -> None:
    """Each ``(table, v)`` is stored once and the other hears of a conflict, never of a failure, in whatever order they come."""
    stores = [await open_store(tmp_path) for _ in range(2)]
    tables = [f"t{n}" for n in range(20)]
    for v in range(1, 6):
        order = tables if v % 2 else tables[::-1]
        appends = [store.append([_row(table, v)]) for store, names in zip(stores, (order, order[::-1]), strict=True) for table in names]
        results = await asyncio.gather(*appends, return_exceptions=True)
        assert sum(result is None for result in results) == 20
        assert sum(isinstance(result, Conflict) for result in results) == 20, [result for result in results if result is not None]
    for store in stores:
        await store.close()
