"""An index of resignations: after a restart, bots play on for who resigned from a game that others play on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from sandriver.tables.migrations import where

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("log_resigned", "log", ["table_id"], **where(sa.text("kind = 'resigned'")))


def downgrade() -> None:
    """Drop it."""
    op.drop_index("log_resigned", "log")
