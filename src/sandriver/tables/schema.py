"""The tables of the database: the log, an index of the tables in it, and the people. Changes need a migration beside this file."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

METADATA = sa.MetaData()
HEAD = "0003"
"""Revision of the newest migration."""

PEOPLE = sa.Table(
    "people",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("language", sa.String(16), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

ENDED, SAT_DOWN, DUE = sa.text("terminal"), sa.text("kind IN ('opened', 'joined')"), sa.text("due IS NOT NULL")
"""Conditions that have an index. Queries must use these: SQLite takes such an index only where it finds its very words."""


def _where(condition: sa.TextClause) -> dict[str, Any]:
    """The condition of a partial index, for either kind of database."""
    return {"sqlite_where": condition, "postgresql_where": condition}


TABLES = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("code", sa.String(16), nullable=True, unique=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("due", sa.BigInteger, nullable=True),
    sa.Index("tables_due", "due", **_where(DUE)),
)
"""For finding tables only; all of it follows from their logs too. ``due``: when somebody must look after it, at the earliest."""

LOG = sa.Table(
    "log",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("v", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("person", sa.String(32), nullable=True),
    sa.Column("command", sa.String(64), nullable=True),
    sa.Column("terminal", sa.Boolean, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
    sa.Index("log_command", "table_id", "seat", "command", unique=True, **_where(sa.text("command IS NOT NULL"))),
    sa.Index("log_terminal", "table_id", unique=True, **_where(ENDED)),
    sa.Index("log_person", "person", "at", **_where(SAT_DOWN)),
    sqlite_with_rowid=False,
)
"""The truth. The primary key decides every race; ``log_command`` makes resent commands harmless, ``log_terminal`` an end unique."""
