"""Migrations of the database, run by ``migrating.migrate``; alembic finds them inside the package."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa


def where(condition: sa.TextClause) -> dict[str, Any]:
    """The condition of a partial index, as ``op.create_index`` takes it for either kind of database."""
    return {"sqlite_where": condition, "postgresql_where": condition}
