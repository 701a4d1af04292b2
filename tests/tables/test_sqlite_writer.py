"""The thread that appends to an SQLite file, when something happens to the file."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from sandriver.tables import sqlite_writer
from sandriver.tables.errors import StoreFailed
from sandriver.tables.log import Action, Row
from sandriver.tables.store import Person
from sandriver.tables.store_sql import SqlStore, sqlite_url


def _row(table: str, v: int) -> Row:
    return Row(table, v, 0, Action(0, v, "t>a"))


def _may_not_write(connection: sa.Connection) -> None:
    connection.exec_driver_sql("PRAGMA query_only = ON")


@pytest.mark.parametrize("deleted", ["", "-wal"])
async def test_what_somebody_deleted_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deleted: str) -> None:
    """What went on being written to files without a name would be gone after a restart, so it is refused."""
    monkeypatch.setattr(sqlite_writer, "LOOK_SECONDS", 0.0)
    store = await SqlStore.open(sqlite_url(tmp_path / "a.sqlite3"))
    await store.append([_row("a", 1)])
    await store.append([_row("a", 2)])
    (tmp_path / f"a.sqlite3{deleted}").unlink()
    for _ in range(3):
        with pytest.raises(StoreFailed, match="deleted or replaced"):
            await store.append([_row("a", 3)])
    await store.close()


async def test_a_connection_that_may_not_write_is_made_anew(tmp_path: Path) -> None:
    """As one does that was opened while the file was read-only: both kinds go on by themselves after the first failure."""
    store = await SqlStore.open(sqlite_url(tmp_path / "a.sqlite3"))
    await store.append([_row("a", 1)])
    async with store._engine.connect() as connection:
        await connection.exec_driver_sql("PRAGMA query_only = ON")
    assert store._sqlite is not None
    await store._sqlite.write(_may_not_write)
    with pytest.raises(StoreFailed, match="readonly"):
        await store.append([_row("a", 2)])
    await store.append([_row("a", 2)])
    with pytest.raises(StoreFailed, match="readonly"):
        await store.add_person(Person("p", "Ana", ""), "hash", 0)
    await store.add_person(Person("p", "Ana", ""), "hash", 0)
    await store.close()
