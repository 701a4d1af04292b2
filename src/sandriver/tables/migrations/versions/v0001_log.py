"""The first database: people, tables and their log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from sandriver.tables.migrations import where

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("code", sa.String(16), nullable=True, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("v", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("person", sa.String(32), nullable=True),
        sa.Column("command", sa.String(64), nullable=True),
        sa.Column("terminal", sa.Boolean, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("log_command", "log", ["table_id", "seat", "command"], unique=True, **where(sa.text("command IS NOT NULL")))
    op.create_index("log_terminal", "log", ["table_id"], unique=True, **where(sa.text("terminal")))
    op.create_index("log_person", "log", ["person", "at"], **where(sa.text("kind IN ('opened', 'joined')")))
    op.create_index("log_started", "log", ["table_id"], **where(sa.text("kind = 'started'")))


def downgrade() -> None:
    """Remove everything."""
    for table in ("log", "tables", "people"):
        op.drop_table(table)
