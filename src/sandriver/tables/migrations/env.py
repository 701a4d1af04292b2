"""Alembic's environment: migrates over the connection that ``store_sql.migrate`` hands in."""

from __future__ import annotations

from alembic import context

from sandriver.tables.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
