"""Tests of the tables that use ``backend`` run once on each kind of database and bus that can be had here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import services
from tests.tables import backends


@pytest.fixture(params=backends.KINDS)
def backend(request: pytest.FixtureRequest) -> Iterator[backends.Backend]:
    """The databases and the bus that ``tools.open_store`` and ``tools.serving`` use in this test."""
    with backends.using(request.param) as used:
        yield used


collect_ignore = [*([] if services.can_start_database() else ["test_postgres.py"]), *([] if services.can_start_bus() else ["test_bus.py"])]
"""What cannot be run here; `make test` says so."""
