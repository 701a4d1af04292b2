"""PostgreSQL goes away, hangs, comes back or takes no more: typed failures in time, recovery by itself, nothing acknowledged lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import psycopg
import pytest

import services
from sandriver.tables import databases
from sandriver.tables.errors import Conflict, Refusal, StoreFailed
from sandriver.tables.log import Action, Row
from sandriver.tables.store import Person
from sandriver.tables.store_sql import SqlStore
from sandriver.tables.wire import Act
from tests.tables.tools import TWO, serving, started, until, waiting


@pytest.fixture(scope="module")
def running() -> Iterator[services.Postgres]:
    """A PostgreSQL that these tests may break."""
    with services.Postgres() as postgres:
        yield postgres


@pytest.fixture
def server(running: services.Postgres) -> services.Postgres:
    """The same, with nothing in it."""
    with psycopg.connect(running.url, autocommit=True) as admin:
        admin.execute("DROP SCHEMA public CASCADE")
        admin.execute("CREATE SCHEMA public")
    return running


@asynccontextmanager
async def opened(server: services.Postgres) -> AsyncIterator[SqlStore]:
    store = await SqlStore.open(server.url)
    try:
        yield store
    finally:
        await store.close()


@contextmanager
def stopped(server: services.Postgres, store: SqlStore) -> Iterator[None]:
    """Every process of it stands still, as on a machine that hangs: connections stay, answers do not come. The store waits less long."""
    assert server.process is not None
    root = server.process.pid
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(root)], capture_output=True, text=True, check=True).stdout.split()
    processes = [root, *map(int, children)]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    patience, store._patience = store._patience, 0.4
    try:
        yield
    finally:
        store._patience = patience
        for process in processes:
            os.kill(process, signal.SIGCONT)


def _row(v: int, table: str = "t") -> Row:
    return Row(table, v, 0, Action(0, v, "t"))


async def _again(store: SqlStore, rows: list[Row]) -> None:
    """Append as soon as that is possible."""
    async with asyncio.timeout(20):
        while True:
            try:
                await store.append(rows)
            except StoreFailed:
                await asyncio.sleep(0.02)
            else:
                return


async def test_gone_and_back(server: services.Postgres) -> None:
    async with opened(server) as store:
        await store.append([_row(1)])
        for v in (2, 3):
            server.stop()
            with pytest.raises(StoreFailed):
                await store.append([_row(v)])
            with pytest.raises(StoreFailed):
                await store.rows("t")
            server.start()
            await store.append([_row(v)])  # at once, by a new connection: the old ones are known to be dead
            assert [row.v for row in await store.rows("t")] == list(range(1, v + 1))


async def test_connections_that_are_cut_are_replaced(server: services.Postgres) -> None:
    async with opened(server) as store:
        await asyncio.gather(*(store.rows("t") for _ in range(8)))
        with psycopg.connect(server.url, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        await asyncio.gather(*(store.append([_row(1, f"t{n}")]) for n in range(8)))
        assert len(await store.rows("t3")) == 1


async def test_one_that_hangs(server: services.Postgres) -> None:
    """Everything is refused in time, however much waits; and afterwards everything goes on, with nothing doubled."""
    async with opened(server) as store:
        await store.append([_row(1)])
        with stopped(server, store):
            began = time.perf_counter()
            results = await asyncio.gather(store.append([_row(2)]), *(store.rows("t") for _ in range(12)), return_exceptions=True)
            assert all(isinstance(result, StoreFailed) for result in results), results
            assert time.perf_counter() - began < 3
        with contextlib.suppress(Conflict):  # the first one went through after all
            await _again(store, [_row(2)])
        await _again(store, [_row(3)])
        assert [row.v for row in await store.rows("t")] == [1, 2, 3]


async def test_a_table_at_one_that_hangs(server: services.Postgres, tmp_path: Path) -> None:
    """The sender is asked to try again, nobody sees the move; sent again later it is carried out once, and everybody sees it."""
    async with opened(server) as store, serving(tmp_path, store) as service:
        table, persons = await started(service, TWO)
        first = (await service.snapshot(table, None)).table.first or 0
        watching = await service.subscribe(table, None)
        v = waiting(watching)[0]["v"]
        with stopped(server, store):
            with pytest.raises(Refusal, match="try_again"):
                await service.command(table, persons[first], Act("x", 0, "t"))
            assert waiting(watching) == []
        await until(lambda: not service._tables.get(table).doubtful)
        assert (await service.command(table, persons[first], Act("x", 0, "t"))).v == v + 1
        assert [frame["v"] for frame in waiting(watching) if frame["t"] == "update"] == [v + 1]
        assert sum(isinstance(row.entry, Action) for row in await store.rows(table)) == 1


async def test_one_that_takes_nothing_more(server: services.Postgres) -> None:
    """Read-only, as a standby is or a database whose disk is full: reading goes on, writing is refused, and later goes on."""
    async with opened(server) as store:
        await store.append([_row(1)])
        with psycopg.connect(server.url, autocommit=True) as admin:
            admin.execute("ALTER SYSTEM SET default_transaction_read_only = on")
            admin.execute("SELECT pg_reload_conf()")
        await until(lambda: _read_only(server.url))
        results = await asyncio.gather(*(store.append([_row(1, f"t{n}")]) for n in range(3)), return_exceptions=True)
        assert all(isinstance(result, StoreFailed) for result in results), results
        assert len(await store.rows("t")) == 1
        with psycopg.connect(server.url, autocommit=True) as admin:
            admin.execute("SET default_transaction_read_only = off")
            admin.execute("ALTER SYSTEM RESET default_transaction_read_only")
            admin.execute("SELECT pg_reload_conf()")
        await _again(store, [_row(1, "t1")])


def _read_only(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return connection.execute("SHOW default_transaction_read_only").fetchone() == ("on",)


async def test_a_lock_that_is_not_let_go(server: services.Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody at the database holds the log: writing is refused when the wait was long enough, and goes on afterwards."""
    monkeypatch.setattr(databases, "LOCK_MS", 100)
    async with opened(server) as store:
        with psycopg.connect(server.url) as holder:
            holder.execute("LOCK TABLE log IN EXCLUSIVE MODE")
            with pytest.raises(StoreFailed, match="lock timeout"):
                await store.append([_row(1)])
            assert await store.rows("t") == []
        await store.append([_row(1)])


async def test_too_many_connections(server: services.Postgres) -> None:
    with psycopg.connect(server.url, autocommit=True) as admin:
        admin.execute("CREATE ROLE guest LOGIN CONNECTION LIMIT 0")
        with pytest.raises(StoreFailed, match="too many connections"):
            await SqlStore.open(server.url.replace(services.USER, "guest", 1))
        admin.execute("DROP ROLE guest")


@pytest.mark.parametrize(
    "wrong", ["postgresql://sandriver:hush@127.0.0.1:1/x", "postgresql://sandriver:hush@/x?host=/nowhere&password=hush"]
)
async def test_a_server_that_is_not_there_is_named_without_its_password(wrong: str) -> None:
    with pytest.raises(StoreFailed, match="cannot open the database postgresql://sandriver") as refused:
        await SqlStore.open(wrong)
    assert "hush" not in str(refused.value)
    assert "\n" not in str(refused.value)


async def test_a_database_without_an_encoding_of_its_own(server: services.Postgres) -> None:
    """One that was made without a locale keeps whatever bytes it gets: names come back as they were given."""
    with psycopg.connect(server.url, autocommit=True) as admin:
        admin.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        store = await SqlStore.open(server.url.replace("/postgres?", "/plain?"))
        try:
            await store.add_person(Person("p", "砂川 Άννα", "el"), "hash", 0)
            assert await store.person_by_token("hash") == Person("p", "砂川 Άννα", "el")
        finally:
            await store.close()
    finally:
        with psycopg.connect(server.url, autocommit=True) as admin:
            admin.execute("DROP DATABASE plain WITH (FORCE)")


async def test_finding_tables_looks_into_an_index(server: services.Postgres) -> None:
    """With a log of some length, no question that is asked again and again reads all of it."""
    async with opened(server) as store:
        with psycopg.connect(server.url, autocommit=True) as admin:
            columns = "'t' || t, v, v, CASE v WHEN 1 THEN 'opened' ELSE 'action' END, 0, 'p' || t % 500, 'c' || v, v = 40, '{}'"
            admin.execute(f"INSERT INTO log SELECT {columns} FROM generate_series(1, 1000) t, generate_series(1, 40) v")
            admin.execute("ANALYZE log")
            asked = {
                "rows": "SELECT v FROM log WHERE table_id = 't5' AND v > 30 ORDER BY v",
                "news": "SELECT table_id FROM log WHERE (table_id, v) IN (('t5', 41), ('t6', 41))",
                "tables_of": "SELECT table_id FROM log WHERE kind IN ('opened', 'joined') AND person = 'p7' GROUP BY table_id",
            }
            for name, query in asked.items():
                plan = "\n".join(str(line[0]) for line in admin.execute(f"EXPLAIN {query}").fetchall())
                assert "Seq Scan" not in plan, (name, plan)
        assert await store.news({"t5": 40, "t6": 39}) == ["t6"]
