"""The thread that appends to an SQLite file: one connection, one transaction at a time, and as few changes of threads as there can be.

Whoever serves and this thread share the interpreter. For every statement the thread lets go of it, and waits for the one that serves
before it goes on: half a millisecond if that is busy. So many rows are one statement; one for each took 45 ms for 60 rows, this takes 7.
"""

from __future__ import annotations

import asyncio
import functools
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from sandriver.tables.databases import writing_engine
from sandriver.tables.errors import StoreFailed

LARGEST = 256
"""At most so many rows, a power of two, in one statement; SQLite takes 32,766 values."""
LOOK_SECONDS = 0.25
"""So long the files are trusted to be there. To look takes a change of threads, so it is not done for every transaction."""
Values = tuple[Any, ...]
Identity = tuple[int, int]
"""Device and inode; zeros where there is no file."""
Work = Callable[[sa.Connection], None]


class SqliteWriter:
    """Writes from an event loop, in a thread of its own."""

    def __init__(self, url: sa.URL) -> None:
        self._engine = writing_engine(url)
        self._connection: sa.Connection | None = None
        self._path = Path(url.database or "")
        self._looked = 0.0
        # What was written to: the file, once something was, and its log, as long as the connection lasts (the last one deletes it).
        self._file: Identity | None = None
        self._wal: Identity | None = None
        self._works: SimpleQueue[tuple[Work, asyncio.Future[None]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    async def write(self, work: Work) -> None:
        """Do some writing in one transaction. Raises what that raises; nothing of it is stored then."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._works.put((work, done))
        await done

    async def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        self._works.put(None)
        await asyncio.to_thread(self._thread.join)
        self._engine.dispose()

    def _run(self) -> None:
        while (given := self._works.get()) is not None:
            work, done = given
            error: BaseException | None = None
            try:
                self._transact(work)
            except BaseException as fault:  # noqa: BLE001  # it is raised where the writing was asked for
                error = fault
            done.get_loop().call_soon_threadsafe(settle, done, error)
            del given, work, done, error  # nothing is kept while it waits
        self._let_go()

    def _transact(self, work: Work) -> None:
        """Write, by the connection that there is: to get it anew from the engine takes as long as a small transaction."""
        if (now := time.monotonic()) - self._looked >= LOOK_SECONDS:
            self._look()
            self._looked = now
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                work(self._connection)
        except BaseException:
            self._let_go()
            raise
        if self._wal is None:
            self._file, self._wal = self._identities()

    def _look(self) -> None:
        """See to it that what is written lasts. Raises ``StoreFailed``, from then on, when somebody has deleted or replaced the files."""
        file, wal = self._identities()
        if self._file not in (None, file) or self._wal not in (None, wal):
            raise StoreFailed("the database was deleted or replaced while it was in use; nothing is stored before a new start")

    def _identities(self) -> tuple[Identity, Identity]:
        return _identity(self._path), _identity(self._path.with_name(f"{self._path.name}-wal"))

    def _let_go(self) -> None:
        connection, self._connection, self._wal = self._connection, None, None
        if connection is not None:
            connection.close()


def settle(done: asyncio.Future[None], error: BaseException | None) -> None:
    """Tell whoever still waits how it went."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _identity(path: Path) -> Identity:
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_dev, status.st_ino


def insert(connection: sa.Connection, table: sa.Table, rows: Sequence[Values]) -> None:
    """Insert rows, their values in the order of the columns: so few different statements that all are prepared once."""
    at, size = 0, LARGEST
    while at < len(rows):
        while size > len(rows) - at:
            size >>= 1
        part = rows[at : at + size]
        connection.exec_driver_sql(_statement(table, size), tuple(value for values in part for value in values))
        at += size


@functools.cache
def _statement(table: sa.Table, rows: int) -> str:
    before, values = str(sa.insert(table).compile(dialect=sqlite.dialect())).split(" VALUES ")
    return f"{before} VALUES {', '.join([values] * rows)}"
