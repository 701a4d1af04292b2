"""When each table is to be looked after next: so rounds ask for those alone, however many games were begun and left."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from sandriver.tables.migrations import where

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and its index, make every running table due once, and drop the indexes that found them before."""
    op.add_column("tables", sa.Column("due", sa.BigInteger, nullable=True))
    op.create_index("tables_due", "tables", ["due"], **where(sa.text("due IS NOT NULL")))
    op.execute(
        "UPDATE tables SET due = 0 WHERE id IN (SELECT table_id FROM log WHERE kind = 'started')"
        " AND id NOT IN (SELECT table_id FROM log WHERE terminal)"
    )
    op.drop_index("log_started", "log")
    op.drop_index("log_resigned", "log")


def downgrade() -> None:
    """Bring the indexes back and drop the column."""
    op.create_index("log_resigned", "log", ["table_id"], **where(sa.text("kind = 'resigned'")))
    op.create_index("log_started", "log", ["table_id"], **where(sa.text("kind = 'started'")))
    op.drop_index("tables_due", "tables")
    op.drop_column("tables", "due")
