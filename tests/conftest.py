"""What holds for every test: properties are judged by what they find, never by how long a busy machine took."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

LONG = (
    "ground/test_wheel.py",
    "simulation/test_kills.py",
    "server/test_processes.py",
    "server/test_frames.py",
    "simulation/test_simulation.py",
    "simulation/test_full_disk.py",
    "server/test_drain.py",
)
"""Files whose tests take seconds each, the longest first."""

TOGETHER = ("arena/test_report.py", "ground/test_wheel.py", "server/test_processes.py", "tables/test_postgres.py")
"""Files whose tests share something dear: a server, what they built, a library that takes long to load."""

settings.register_profile("sandriver", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("sandriver"), derandomize=True, max_examples=50)
settings.load_profile("ci" if os.environ.get("CI") else "sandriver")


def pytest_configure() -> None:
    """Hear Ctrl-C also where the tests were started with deaf ears (a shell's ``&`` does that), or those that send it prove nothing."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones begin first, so that no worker is left alone with one of them at the end."""
    order = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get("/".join(item.path.parts[-2:]), len(order)))


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # its package says nothing of types
    """Hands out test by test, but files of ``TOGETHER`` whole. (xdist's own groups are ignored by pytest 9.2 without a word.)"""

    def _split_scope(self, nodeid: str) -> str:
        """What a test has in common with those that are done by the same worker."""
        file = nodeid.partition("::")[0]
        return file if file.endswith(TOGETHER) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Where files may be kept together, keep them together."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadscope" else None
