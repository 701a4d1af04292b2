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
    "simulation/test_full_disk.py",
    "server/test_drain.py",
)
"""Files whose tests take seconds each, the longest first."""

APART = ("server/test_frames.py", "simulation/test_simulation.py")
"""Files whose tests take seconds each and share nothing."""

LAST = "simulation/test_simulation.py"
"""Many tests, each of a few seconds that no other needs: whoever has nothing left to do takes one."""

settings.register_profile("sandriver", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("sandriver"), derandomize=True, max_examples=50)
settings.load_profile("ci" if os.environ.get("CI") else "sandriver")


def pytest_configure() -> None:
    """Hear Ctrl-C also where the tests were started with deaf ears (a shell's ``&`` does that), or those that send it prove nothing."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones begin first, so that no worker is left alone with one of them at the end."""
    order = {name: number for number, name in enumerate((*LONG, "", LAST))}
    items.sort(key=lambda item: order.get("/".join(item.path.parts[-2:]), len(LONG)))


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # its package says nothing of types
    """Hands out whole files, in their order: tests of a file share servers, libraries that take long to load, games that were played."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        """What a test has in common with those that are done by the same worker."""
        file = nodeid.partition("::")[0]
        return nodeid if file.endswith(APART) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Files are kept together where that may be (`make full` hands out its slow tests one by one)."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadscope" else None
