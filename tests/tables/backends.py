"""Where tests keep their tables: SQLite with a bus in memory, or a real PostgreSQL with a real Valkey."""

from __future__ import annotations

import atexit
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import services
from sandriver.tables.bus import Bus, MemoryBus
from sandriver.tables.bus_valkey import ValkeyBus
from sandriver.tables.databases import sqlite_url
from sandriver.tables.store_sql import SqlStore

KINDS = ["sqlite", *(["postgresql"] if services.has_database() and services.has_bus() else [])]
"""What can be had here; ``make test`` says so if that is not everything."""
_stack = ExitStack()
atexit.register(_stack.close)


@cache
def database() -> str:
    """The address of this process's PostgreSQL, started when first asked for."""
    return _stack.enter_context(services.database())


@cache
def valkey() -> str:
    """The address of this process's Valkey, started when first asked for."""
    return _stack.enter_context(services.bus())


class Backend:
    """The databases and the bus of one test."""

    kind = "sqlite"

    def __init__(self) -> None:
        self._template: bytes | None = None

    async def open(self, folder: Path, kind: type[SqlStore] = SqlStore) -> SqlStore:
        """The database of a folder. The first one ever is migrated, others begin as its copy: quicker, and the same."""
        path = folder / "test.sqlite3"
        fresh = not path.exists()
        if fresh and self._template:
            path.write_bytes(self._template)
        store = await kind.open(sqlite_url(path))
        if fresh and not self._template:
            await store.close()
            self._template = path.read_bytes()
            store = await kind.open(sqlite_url(path))
        return store

    async def empty(self, folder: Path) -> str:
        """The address of a database in which nothing is, not even tables."""
        return sqlite_url(folder / "empty.sqlite3")

    def url(self, folder: Path) -> str:
        """The address of the folder's database."""
        return sqlite_url(folder / "test.sqlite3")

    def common_bus(self) -> Callable[[], Bus]:
        """A function that gives each process of one system its bus."""
        bus = MemoryBus()
        return lambda: bus

    def release(self) -> None:
        """Give back what the test used."""


class PostgresBackend(Backend):
    """Numbered databases of one cluster, emptied after each test and used again by the next."""

    kind = "postgresql"

    def __init__(self) -> None:
        super().__init__()
        self._folders: dict[Path, str] = {}
        self._idle: list[str] = []
        self._made = 0

    async def open(self, folder: Path, kind: type[SqlStore] = SqlStore) -> SqlStore:
        """The database of a folder."""
        return await kind.open(self.url(folder))

    async def empty(self, folder: Path) -> str:
        """The address of a database in which nothing is, not even tables."""
        url = self._make()
        self._folders[folder / "empty"] = url
        return url

    def url(self, folder: Path) -> str:
        """The address of the folder's database."""
        if folder not in self._folders:
            self._folders[folder] = self._idle.pop() if self._idle else self._make()
        return self._folders[folder]

    def common_bus(self) -> Callable[[], Bus]:
        """A function that gives each process of one system its bus."""
        channel = secrets.token_hex(4)
        return lambda: ValkeyBus(valkey(), channel=channel)

    def _make(self) -> str:
        import psycopg

        self._made += 1
        name = f"sandriver_test_{secrets.token_hex(4)}_{self._made}"
        with psycopg.connect(database(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        head, _, query = database().partition("?")
        url = f"{head.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")
        if services.DATABASE_VARIABLE in os.environ:
            _stack.callback(_drop, database(), name)
        return url

    def release(self) -> None:
        """Empty the databases of the test that ends."""
        for url in self._folders.values():
            _empty(url)
        self._idle += self._folders.values()
        self._folders.clear()


def _empty(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        connection.execute(others)
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        changed = connection.execute("SELECT 1 FROM alembic_version WHERE version_num = '9999'").fetchall() if found else []
        if changed:
            connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        elif found:
            connection.execute("TRUNCATE log, tables, people")


def _drop(url: str, name: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


_all: dict[str, Backend] = {"sqlite": Backend(), "postgresql": PostgresBackend()}
_current: list[Backend] = [_all["sqlite"]]


def current() -> Backend:
    """What the running test uses."""
    return _current[-1]


@contextmanager
def using(kind: str) -> Iterator[Backend]:
    """Let what runs now use this kind."""
    _current.append(_all[kind])
    try:
        yield _all[kind]
    finally:
        _current.pop().release()
