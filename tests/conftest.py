"""What holds for every test: properties are judged by what they find, never by how long a busy machine took."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

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

settings.register_profile("sandriver", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("sandriver"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "sandriver")


def pytest_configure() -> None:
    """Hear Ctrl-C also where the tests were started with deaf ears (a shell's ``&`` does that), or those that send it prove nothing."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones begin first, so that no worker is left alone with one of them at the end."""
    order = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get("/".join(item.path.parts[-2:]), len(order)))
