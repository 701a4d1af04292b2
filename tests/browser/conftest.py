"""Browser tests: the system's Chromium against a real server; a test fails on any error or foreign request of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Playwright, expect
from tests.browser import mandala_page
from tests.browser.mandala_page import MandalaPage
from tests.browser.pages import Stages
from tests.browser.served import Served
from tests.browser.stones_page import StonesPage
from tests.browser.table_page import plain
from tests.browser.watching import Watch

import system

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-quic", "--no-first-run", "--font-render-hinting=none",
]  # fmt: skip
HERE = Path(__file__).parent
PATIENCE = 30_000
"""Milliseconds to wait for what has to come, on a machine that may be busy with other things."""
expect.set_options(timeout=PATIENCE)
ART = f"{MandalaPage.art}, {StonesPage.art}"
"""CSS of what is only to be looked at, in all games."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever lies in this folder is a browser test."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the Chromium of the system: none is downloaded."""
    path = system.chromium()
    assert path, "no Chromium on this machine (Debian: apt-get install chromium)"
    return {**browser_type_launch_args, "executable_path": path, "headless": True, "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """Nothing that every window must have: ``new_context`` below has defaults that a test may change."""
    return {}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of a worker; bots move at once."""
    with Served(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture(scope="session")
def base_url(server: Served) -> str:
    """Where the pages are."""
    return server.url


@pytest.fixture(scope="session")
def mandala_stages(playwright: Playwright, base_url: str) -> Iterator[Stages]:
    """Tables of Mandala at its moments, made once for all tests of a worker."""
    request = playwright.request.new_context(base_url=base_url)
    stages = Stages(request)
    mandala_page.make_stages(stages)
    yield stages
    request.dispose()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """The complaints of this test's pages; the test fails if one is unexpected."""
    watch = Watch()
    yield watch
    assert watch.unexpected() == []


@pytest.fixture
def new_context(new_context: Callable[..., BrowserContext], watch: Watch, base_url: str) -> Callable[..., BrowserContext]:
    """Every window of a test is watched; English, 1280×800, without motion and ornament (``art``) unless the test says otherwise.

    Drawing without a graphics processor takes much of a browser's time, ornament the most of it. So nothing is painted (``drawn``)
    except with ornament or for axe, which needs a page without its policy (``bypass_csp``), or if the test says so.
    """
    usual = {"base_url": base_url, "locale": "en-GB", "reduced_motion": "reduce", "viewport": {"width": 1280, "height": 800}}

    def make(*, art: bool = False, drawn: bool = False, **options: Any) -> BrowserContext:
        context = new_context(**{**usual, **options})
        if not art:
            context.add_init_script(plain(ART, drawn=drawn or "bypass_csp" in options))
        context.set_default_timeout(PATIENCE)
        watch.follow(context)
        return context

    return make
