"""What the server's tests share: settings in a folder of their own, a real server, guests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sandriver.server.settings import Settings
from tests.server.support import Guest, serving

PAGE = """<!doctype html>
<html lang="en">
<head><title>T</title><style>b{color:red}</style></head>
<body><script type="module" src="/assets/a-1.js"></script></body>
</html>"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A server that keeps its tables in the test's own folder, whose bots do not pause and whose client is a small page."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text(PAGE)
    (static / "assets" / "a-1.js").write_text("console.log(1);\n" * 100)
    return Settings(data=tmp_path / "data", static=static, bot_pause=0, port=0)


@pytest.fixture
async def base(settings: Settings) -> AsyncIterator[str]:
    """The address of a running server."""
    async with serving(settings) as address:
        yield address


@pytest.fixture
async def ana(base: str) -> AsyncIterator[Guest]:
    """A guest."""
    async with Guest(base) as guest:
        yield guest


@pytest.fixture
async def rui(base: str) -> AsyncIterator[Guest]:
    """Another guest."""
    async with Guest(base) as guest:
        yield guest
