"""Tests of the tables that use ``backend`` run once on each kind of database and bus that can be had here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import services
from tests.tables import backends

HERE = Path(__file__).parent


STORED = (
    "test_backup.py",
    "test_faults.py",
    "test_people.py",
    "test_postgres.py",
    "test_races.py",
    "test_reload.py",
    "test_store.py",
    "test_subscriptions.py",
)
"""Files about what is stored, read again and told to other processes: always tried with PostgreSQL and Valkey. The others are about what
the service decides, which SQLite shows as well; with PostgreSQL they run in `make full`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What costs the most and shows the least is slow."""
    for item in items:
        if item.path.parent == HERE and "[postgresql" in item.name and item.path.name not in STORED:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(params=backends.KINDS)
def backend(request: pytest.FixtureRequest) -> Iterator[backends.Backend]:
    """The databases and the bus that ``tools.open_store`` and ``tools.serving`` use in this test."""
    with backends.using(request.param) as used:
        yield used


collect_ignore = [*([] if services.can_start_database() else ["test_postgres.py"]), *([] if services.can_start_bus() else ["test_bus.py"])]
"""What cannot be run here; `make test` says so."""
