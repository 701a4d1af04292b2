"""What holds for the SQLite file alone: its durable settings, its indexes, and files that are none."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from sandriver.tables.databases import sqlite_url
from sandriver.tables.errors import StoreFailed
from sandriver.tables.store_sql import SqlStore
from tests.tables.tools import open_store


async def test_durable_settings(tmp_path: Path) -> None:
    store = await SqlStore.open(sqlite_url(tmp_path / "new.sqlite3"))
    async with store._engine.connect() as connection:
        pragmas = [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
        assert pragmas == ["wal", 2]
    await store.close()


async def test_finding_tables_looks_into_an_index(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    asked: list[tuple[str, Any]] = []
    sa.event.listen(store._engine.sync_engine, "before_cursor_execute", lambda _c, _u, text, values, *_: asked.append((text, values)))
    await store.tables_of("ana", 10)
    await store.due(10, 10)
    await store.put_off("a", 5, 1, None)
    await store.close()
    assert len(asked) == 3
    with contextlib.closing(sqlite3.connect(tmp_path / "test.sqlite3")) as database:
        plans = [str(row[3]) for text, values in asked for row in database.execute(f"EXPLAIN QUERY PLAN {text}", values)]
    reading = [plan for plan in plans if plan.startswith(("SCAN", "SEARCH"))]
    assert len(reading) == 5, plans
    assert all("USING" in plan for plan in reading), plans


async def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite3").write_text("This is no database at all, whatever its name may say." * 20)
    for path in (tmp_path / "missing" / "x.sqlite3", tmp_path / "text.sqlite3", tmp_path):
        with pytest.raises(StoreFailed, match="cannot open the database"):
            await SqlStore.open(sqlite_url(path))
