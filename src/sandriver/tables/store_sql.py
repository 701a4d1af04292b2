"""The store over SQLAlchemy Core, async, in SQLite or PostgreSQL.

Appends of many tables that arrive while a transaction is being written go together into the next one (group commit): one
``fsync`` then serves them all, and a lone append waits for nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from sandriver.tables import sqlite_writer
from sandriver.tables.databases import ANSWER_SECONDS, async_engine, database_url, is_sqlite, reason, shown, sqlite_url
from sandriver.tables.errors import Conflict, CorruptLog, StoreFailed
from sandriver.tables.log import Entry, Opened, Row, decode_entry, encode_entry, kind_of
from sandriver.tables.migrating import migrate
from sandriver.tables.schema import LOG, PEOPLE, SAT_DOWN, TABLES
from sandriver.tables.store import Person

__all__ = ["SqlStore", "sqlite_url"]

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

BATCH = 256
"""At most so many appends in one transaction."""


class SqlStore:
    """A ``Store`` in an SQL database. Made by ``open``."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # SQLite's work is done by threads, which cannot be called back; what it waits for is bounded by its busy timeout.
        self._patience = None if is_sqlite(engine.url) else ANSWER_SECONDS
        self._sqlite = sqlite_writer.SqliteWriter(engine.url) if is_sqlite(engine.url) else None
        self._waiting: deque[tuple[Sequence[Row], asyncio.Future[None]]] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._writer = asyncio.create_task(self._write(), name="store writer")

    @classmethod
    async def open(cls, url: str) -> SqlStore:
        """Open (for SQLite: create) the database, migrate it, and start the writer. Raises ``StoreFailed``, ``ValueError`` (address)."""
        address = database_url(url)
        engine = await asyncio.to_thread(async_engine, address)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
        except (SQLAlchemyError, StoreFailed) as error:
            await engine.dispose()
            raise StoreFailed(f"cannot open the database {shown(address)}: {reason(error)}") from error
        return cls(engine)

    async def close(self) -> None:
        """Write what is waiting, then let go of the database."""
        self._closing = True
        self._wake.set()
        await self._writer
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._sqlite is not None:
            await self._sqlite.close()
        await self._engine.dispose()

    # --- appending -------------------------------------------------------------------------------

    async def append(self, rows: Sequence[Row]) -> None:
        """See ``Store.append``. A caller that is cancelled before its turn leaves nothing behind."""
        if self._closing:
            raise StoreFailed("the store is closing")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((rows, done))
        self._wake.set()
        await done

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch: list[tuple[Sequence[Row], asyncio.Future[None]]] = []
                while self._waiting and len(batch) < BATCH:
                    rows, done = self._waiting.popleft()
                    if not done.cancelled():
                        batch.append((rows, done))
                await self._commit(batch)
            if self._closing:
                return

    async def _commit(self, batch: Sequence[tuple[Sequence[Row], asyncio.Future[None]]]) -> None:
        """Write a batch in one transaction; if something in it cannot be stored, each append in its own, so that only that one fails."""
        error: Exception | None = None
        try:
            await self._insert([row for rows, _ in batch for row in rows])
        except DBAPIError as fault:
            if len(batch) > 1 and (not isinstance(fault, sa.exc.OperationalError) or _to_be_repeated(fault)):
                for unit in batch:
                    await self._commit([unit])
                return
            error = Conflict(reason(fault)) if isinstance(fault, IntegrityError) else StoreFailed(reason(fault))
        except Exception as fault:  # noqa: BLE001  # whatever happens to one transaction, the writer goes on for the others
            error = StoreFailed(reason(fault))
        if isinstance(error, StoreFailed):
            logger.error("could not store %d appends: %s", len(batch), error)
        for _, done in batch:
            sqlite_writer.settle(done, error)

    async def _insert(self, rows: Sequence[Row]) -> None:
        if not rows:
            return
        opened = [_table_values(row, row.entry) for row in rows if isinstance(row.entry, Opened)]
        # In the order of the tables: two processes that write the same ones wait for each other then, and never crosswise.
        added = [_log_values(row) for row in sorted(rows, key=_table_of)]
        due = {row.table: row.due for row in sorted(rows, key=_table_of) if row.due is not None}

        def insert(connection: sa.Connection) -> None:
            if opened:
                connection.execute(_INSERT_TABLES, opened)
            if self._sqlite is not None:
                sqlite_writer.insert(connection, LOG, added)
            else:
                connection.execute(_INSERT_LOG, [dict(zip(_LOG_COLUMNS, values, strict=True)) for values in added])
            if due:
                connection.execute(_UPDATE_DUE, [{"its_id": table, "its_due": moment} for table, moment in due.items()])

        if self._sqlite is not None:
            await self._sqlite.write(insert)
        else:
            await self._in_time(self._transact(insert))

    async def _transact(self, work: Callable[[sa.Connection], None]) -> None:
        """Do some writing in one transaction."""
        async with self._engine.begin() as connection:
            await connection.run_sync(work)

    # --- reading ---------------------------------------------------------------------------------

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        """See ``Store.rows``."""
        found = await self._run(_SELECT_ROWS, {"table": table, "after": after})
        return [
            Row(table, v, at, _entry(table, v, entry), person, command, bool(terminal)) for v, at, entry, person, command, terminal in found
        ]

    async def table_by_code(self, code: str) -> str | None:
        """See ``Store.table_by_code``."""
        found = await self._run(sa.select(TABLES.c.id).where(TABLES.c.code == code))
        return str(found[0][0]) if found else None

    async def due(self, before: int, limit: int) -> list[tuple[str, int, int]]:
        """See ``Store.due``."""
        return [(table, moment, v) for table, moment, v in await self._run(_SELECT_DUE, {"before": before, "most": limit})]

    async def put_off(self, table: str, due: int, v: int, until: int | None) -> None:
        """See ``Store.put_off``."""
        await self._run(_PUT_OFF, {"its_id": table, "its_due": due, "next_v": v + 1, "until": until})

    async def tables_of(self, person: str, limit: int) -> list[str]:
        """See ``Store.tables_of``."""
        newest = sa.func.max(LOG.c.at).desc()
        query = sa.select(LOG.c.table_id).where(SAT_DOWN, LOG.c.person == person)
        return [table for (table,) in await self._run(query.group_by(LOG.c.table_id).order_by(newest).limit(limit))]

    async def news(self, known: Mapping[str, int]) -> list[str]:
        """See ``Store.news``."""
        if not known:
            return []
        nexts = [(table, v + 1) for table, v in known.items()]
        return [table for (table,) in await self._run(_SELECT_NEXTS, {"nexts": nexts})]

    # --- people ----------------------------------------------------------------------------------

    async def add_person(self, person: Person, token_hash: str, created: int) -> None:
        """See ``Store.add_person``."""
        values = {"id": person.id, "token_hash": token_hash, "name": person.name, "language": person.language, "created": created}
        await self._run(sa.insert(PEOPLE), values)

    async def person_by_token(self, token_hash: str) -> Person | None:
        """See ``Store.person_by_token``."""
        found = await self._run(_SELECT_PEOPLE.where(PEOPLE.c.token_hash == token_hash))
        return Person(*found[0]) if found else None

    async def people(self, ids: Iterable[str]) -> list[Person]:
        """See ``Store.people``."""
        return [Person(*values) for values in await self._run(_SELECT_PEOPLE.where(PEOPLE.c.id.in_(list(ids))))]

    async def update_person(self, person: Person) -> None:
        """See ``Store.update_person``."""
        await self._run(sa.update(PEOPLE).where(PEOPLE.c.id == person.id).values(name=person.name, language=person.language))

    async def _run(self, statement: sa.Executable, parameters: dict[str, Any] | None = None) -> Sequence[Any]:
        """Execute one statement in a transaction of its own and return its rows."""
        return await self._in_time(self._execute(statement, parameters))

    async def _in_time(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Wait for the database, but no longer than it may take. Raises ``StoreFailed`` when that is over; the outcome is unknown then.

        A task of its own: a caller that stops waiting does not tear a connection out of the middle of its work.
        """
        task = self._keep(work)
        given_up = True
        try:
            await asyncio.wait([task], timeout=self._patience)
            given_up = False
        finally:
            if self._patience is not None and not task.done():
                self._keep(_abandon(task, self._patience if given_up else 0))
        if not task.done():
            raise StoreFailed("the database does not answer")
        return task.result()

    def _keep(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # heard, in case that nobody waits any more

    async def _execute(self, statement: sa.Executable, parameters: dict[str, Any] | None) -> Sequence[Any]:
        try:
            async with self._engine.begin() as connection:
                result = await connection.execute(statement, parameters)
                return result.all() if result.returns_rows else ()
        except IntegrityError as error:
            raise Conflict(reason(error)) from error
        except (SQLAlchemyError, OSError) as error:
            raise StoreFailed(reason(error)) from error


async def _abandon(task: asyncio.Task[Any], grace: float) -> None:
    """Drop the connection of work that gets no answer: told to stop, psycopg asks the server to; told again, it hangs up.

    ``grace``: seconds that it may still take, where only the caller has stopped waiting.
    """
    if grace:
        await asyncio.wait([task], timeout=grace)
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.5)


def _to_be_repeated(fault: DBAPIError) -> bool:
    """Whether PostgreSQL gave this transaction up for another's sake (class 40 of its error codes)."""
    return str(getattr(fault.orig, "sqlstate", None) or "").startswith("40")


def _entry(table: str, v: int, text: str | bytes) -> Entry:
    try:
        return decode_entry(text)
    except CorruptLog as error:
        raise CorruptLog(f"table {table}: entry {v} is {error}", v) from error


def _table_of(row: Row) -> str:
    return row.table


_INSERT_LOG = sa.insert(LOG)
_INSERT_TABLES = sa.insert(TABLES)
_SELECT_ROWS = (
    sa.select(LOG.c.v, LOG.c.at, LOG.c.entry, LOG.c.person, LOG.c.command, LOG.c.terminal)
    .where(LOG.c.table_id == sa.bindparam("table"), LOG.c.v > sa.bindparam("after"))
    .order_by(LOG.c.v)
)
_SELECT_NEXTS = sa.select(LOG.c.table_id).where(sa.tuple_(LOG.c.table_id, LOG.c.v).in_(sa.bindparam("nexts", expanding=True)))
_UPDATE_DUE = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("its_id")).values(due=sa.bindparam("its_due"))
_PUT_OFF = (
    sa.update(TABLES)
    .where(
        TABLES.c.id == sa.bindparam("its_id"),
        TABLES.c.due == sa.bindparam("its_due"),
        ~sa.exists().where(LOG.c.table_id == TABLES.c.id, LOG.c.v == sa.bindparam("next_v")),
    )
    .values(due=sa.bindparam("until"))
)
_NEWEST = sa.select(sa.func.max(LOG.c.v)).where(LOG.c.table_id == TABLES.c.id).scalar_subquery()
_SELECT_DUE = (
    sa.select(TABLES.c.id, TABLES.c.due, _NEWEST)
    .where(TABLES.c.due < sa.bindparam("before"))
    .order_by(TABLES.c.due)
    .limit(sa.bindparam("most"))
)
_SELECT_PEOPLE = sa.select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.language)


_LOG_COLUMNS = tuple(LOG.c.keys())


def _log_values(row: Row) -> tuple[Any, ...]:
    """What stands in the columns."""
    entry = row.entry
    return row.table, row.v, row.at, kind_of(entry), row.seat, row.person, row.command, row.terminal, encode_entry(entry)


def _table_values(row: Row, entry: Opened) -> dict[str, Any]:
    return {"id": row.table, "game": entry.game, "owner": entry.owner, "code": entry.code, "created": row.at}
