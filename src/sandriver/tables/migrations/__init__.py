"""Migrations of the database, run by ``SqlStore.open``; alembic finds them inside the package."""
