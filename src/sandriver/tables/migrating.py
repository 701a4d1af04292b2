"""Bring a database up to the schema of this version; processes that start together do it one after the other."""

from __future__ import annotations

from importlib.resources import as_file, files

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from sandriver.tables.databases import BUSY_TIMEOUT_MS, reason, sync_engine
from sandriver.tables.errors import StoreFailed
from sandriver.tables.schema import HEAD

LOCK_KEY = 0x53616E64
"""Key of PostgreSQL's advisory lock for whoever migrates."""
PATIENCE_MS = 60_000
"""How long one waits for another that migrates."""

WAKE = sa.text(
    "UPDATE tables SET due = 0 WHERE id IN (SELECT table_id FROM log WHERE kind = 'started')"
    " AND id NOT IN (SELECT table_id FROM log WHERE terminal)"
)
"""Makes every running table due at once: what must be looked after is found out when it is read."""


def revision(connection: sa.Connection) -> str | None:
    """The revision that the database has, ``None``: it is empty."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def migrate(connection: sa.Connection, *, begun: bool = False) -> None:
    """Bring the database up to the newest schema, all of it or nothing. The caller commits. ``begun``: it holds a write lock already.

    Raises ``StoreFailed`` for the database of another version. Alembic is loaded only if there is something to do: it takes a while.
    """
    if revision(connection) == HEAD:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SET LOCAL lock_timeout = {PATIENCE_MS}"))
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({LOCK_KEY})"))
    elif not begun:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    if revision(connection) == HEAD:  # somebody else was quicker
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    with as_file(files("sandriver.tables") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StoreFailed(f"it was made by another version of this program: {error}") from error


def bring_up_to_date(url: sa.URL) -> tuple[str | None, str]:
    """Migrate the database at an address; returns its revision before and after. Raises ``StoreFailed``."""
    engine = sync_engine(url)
    try:
        with engine.begin() as connection:
            before = revision(connection)
            migrate(connection)
            return before, HEAD
    except SQLAlchemyError as error:
        raise StoreFailed(reason(error)) from error
    finally:
        engine.dispose()
