"""Which database: addresses, and an engine set up for each kind, SQLite (WAL, full synchronisation) or PostgreSQL (psycopg 3).

Every wait of a PostgreSQL connection ends before the service's own patience does (``service.STORE_SECONDS``), so that its failure is
told as what it is: connecting, waiting for a lock, a statement, and an answer that never comes.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from sandriver.tables.errors import StoreFailed

BUSY_TIMEOUT_MS = 3000
"""How long SQLite waits for another process that writes."""
CONNECTIONS = 4
"""More readers would only wait for the interpreter."""
CONNECT_SECONDS = 3
STATEMENT_MS = 3500
LOCK_MS = 3000
ANSWER_SECONDS = 4.0
"""After so long a PostgreSQL that says nothing is taken for gone, and its connection is dropped."""
KINDS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
"""What an address may begin with, and the driver it means."""


def sqlite_url(path: Path) -> str:
    """The address of an SQLite file."""
    return f"sqlite+aiosqlite:///{path}"


def database_url(text: str) -> sa.URL:
    """Read an address such as ``postgresql://user:password@host/name``. Raises ``ValueError`` in words that hold no password."""
    try:
        url = sa.make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError("it is no address; one is written postgresql://user:password@host/name or sqlite:///file") from None
    if url.drivername not in KINDS:
        raise ValueError(f"there is no {url.drivername!r}; an address begins with postgresql:// or sqlite:///")
    url = url.set(drivername=KINDS[url.drivername])
    if is_sqlite(url) and not url.database:
        raise ValueError("an SQLite address names a file: sqlite:///file")
    return url


def shown(url: sa.URL) -> str:
    """The address as it may be shown: without password and options."""
    return url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)


def is_sqlite(url: sa.URL) -> bool:
    """Whether this is the embedded database."""
    return url.get_backend_name() == "sqlite"


def async_engine(url: sa.URL) -> AsyncEngine:
    """The engine of a server. Raises ``StoreFailed`` where the file is none, or the driver is not installed."""
    if is_sqlite(url):
        probe_sqlite(url.database or ":memory:")
        engine = create_async_engine(url, pool_size=CONNECTIONS, max_overflow=0, hide_parameters=True)
        sa.event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        sa.event.listen(engine.sync_engine, "handle_error", _renew)
        return engine
    _need_psycopg()
    arguments = _postgresql_arguments(url, STATEMENT_MS)
    pool = {"pool_size": CONNECTIONS, "max_overflow": 0, "pool_timeout": CONNECT_SECONDS, "pool_pre_ping": True}
    return create_async_engine(url, connect_args=arguments, hide_parameters=True, **pool)


def writing_engine(url: sa.URL) -> sa.Engine:
    """The engine of a thread that writes to an SQLite file and does nothing else: one connection."""
    engine = sa.create_engine(url.set(drivername="sqlite"), pool_size=1, max_overflow=0, hide_parameters=True)
    sa.event.listen(engine, "connect", _set_up_sqlite)
    sa.event.listen(engine, "handle_error", _renew)
    return engine


def sync_engine(url: sa.URL) -> sa.Engine:
    """An engine for the command line: one connection, statements that may take long. Raises ``StoreFailed`` as ``async_engine``."""
    if is_sqlite(url):
        probe_sqlite(url.database or ":memory:")
        engine = sa.create_engine(url.set(drivername="sqlite"), poolclass=sa.NullPool)
        sa.event.listen(engine, "connect", _set_up_sqlite)
        return engine
    _need_psycopg()
    return sa.create_engine(url, connect_args=_postgresql_arguments(url, 0), poolclass=sa.NullPool)


def reason(error: BaseException) -> str:
    """One line that says what the database said, without the statement and its values (they hold secrets)."""
    text = str(error.orig if isinstance(error, DBAPIError) else error)
    return " ".join(text.split()) or type(error).__name__


def _need_psycopg() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise StoreFailed("PostgreSQL needs psycopg: pip install 'sandriver[many]'") from error


def _postgresql_arguments(url: sa.URL, statement_ms: int) -> dict[str, Any]:
    """What psycopg is given with each connection; what the address itself says of these comes first."""
    options = f"-c statement_timeout={statement_ms} -c lock_timeout={LOCK_MS} -c idle_in_transaction_session_timeout=60000"
    given = url.query.get("options", "")
    arguments: dict[str, Any] = {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "sandriver",
        "client_encoding": "utf8",  # one made without a locale says SQL_ASCII, and would hand out bytes
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": int(ANSWER_SECONDS * 1000),
    }
    arguments = {name: value for name, value in arguments.items() if name not in url.query}
    return {**arguments, "options": f"{options} {given if isinstance(given, str) else ' '.join(given)}".strip()}


def probe_sqlite(path: str) -> None:
    """Refuse a file that cannot be an SQLite database before any connection with its own thread is made, and set it up. Blocks."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000)) as connection:
            connection.execute("PRAGMA schema_version")
            _to_wal(connection)
    except sqlite3.Error as error:
        raise StoreFailed(f"cannot open the database {path}: {error}") from error


def _to_wal(connection: sqlite3.Connection) -> None:
    """Let readers and a writer not wait for each other. SQLite refuses this at once while somebody else does the same."""
    until = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _set_up_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    cursor.close()


def _renew(context: sa.engine.ExceptionContext) -> None:
    """Open the file anew after a fault: a connection that found it read-only, for example, would find it so for ever."""
    if isinstance(context.original_exception, sqlite3.OperationalError):
        context.is_disconnect, context.invalidate_pool_on_disconnect = True, False
