"""What the server's tests share: settings in a folder of their own, a real server, guests."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import uvicorn

import services
from sandriver.server.app import create_app
from sandriver.server.listener import listen
from sandriver.server.run import configure
from sandriver.server.settings import Settings
from tests.server.support import Guest, serving

collect_ignore = [] if services.has_database() and services.can_start_bus() else ["test_processes.py"]
"""What cannot be run here; `make test` says so."""
PAGE = """<!doctype html>
<html lang="en">
<head><title>T</title><style>b{color:red}</style></head>
<body><script type="module" src="/assets/a-1.js"></script></body>
</html>"""


def settings_in(folder: Path, rates: float = 1.0) -> Settings:
    """A server that keeps its tables in ``folder``, whose bots do not pause and whose client is a small page."""
    static = folder / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text(PAGE)
    (static / "assets" / "a-1.js").write_text("console.log(1);\n" * 100)
    return Settings(data=folder / "data", static=static, bot_pause=0, port=0, rates=rates)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A server of the test's own."""
    return settings_in(tmp_path)


@pytest.fixture
async def own(settings: Settings) -> AsyncIterator[Guest]:
    """A guest of a server that no other test uses."""
    async with serving(settings) as address, Guest(address) as guest:
        yield guest


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that the tests share, in a thread of its own, with limits that they do not reach."""
    settings = settings_in(tmp_path_factory.mktemp("server"), rates=10_000)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(configure(create_app(settings), settings))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture
async def ana(base: str) -> AsyncIterator[Guest]:
    """A guest of the shared server."""
    async with Guest(base) as guest:
        yield guest


@pytest.fixture
async def rui(base: str) -> AsyncIterator[Guest]:
    """Another guest."""
    async with Guest(base) as guest:
        yield guest
