"""The content security policy in a real browser: the client needs nothing that it forbids, ornament and motion included, and it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.pages import SETTLED, play_by_interface, start_game
from tests.browser.watching import Watch

NOTE = """
window.broken = [];
document.addEventListener('securitypolicyviolation', (event) =>
  window.broken.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`));
"""
INLINE = {
    "script-src-elem": "const it = document.createElement('script'); it.textContent = 'window.ran = 1'; document.body.append(it)",
    "script-src-attr": "document.body.insertAdjacentHTML('beforeend', '<img src=\"/favicon.svg\" onload=\"window.ran = 1\">')",
    "style-src-elem": "const it = document.createElement('style'); it.textContent = 'body { color: red }'; document.body.append(it)",
    "style-src-attr": "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')",
    "img-src": "new Image().src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='",
    "connect-src": "void fetch('http://localhost:9/').catch(() => 0)",
}
"""What another's text would try if it came into a page, by the directive that stops it."""


def broken(page: Page) -> list[str]:
    """What the policy stopped so far."""
    found: list[str] = page.evaluate("window.broken")
    return found


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A window with everything that moves and shines, which notes what the policy stops."""
    context = new_context(art=True, reduced_motion="no-preference")
    context.add_init_script(NOTE)
    return context.new_page()


@pytest.mark.slow  # whatever is stopped on any page of any other test is a complaint, on which that test fails (watching.py)
@pytest.mark.parametrize("game", ["mandala", "stones"])
def test_the_client_keeps_to_its_policy(page: Page, game: str) -> None:
    """The first page, the rules, and a table at which both sides play."""
    for path in ("/", "/help", f"/help/{game}"):
        page.goto(path)
        expect(page.get_by_role("heading").first).to_be_visible()
        assert broken(page) == []
    table = start_game(page, game=game)
    page.goto(f"/t/{table}")
    expect(page.get_by_role("main")).to_be_visible()

    def far_enough(snapshot: dict[str, Any]) -> bool:
        return bool(snapshot["ply"] >= 12)

    play_by_interface(page.request, table, far_enough, lambda view, rng: str(rng.choice(view["legal"])))
    page.evaluate(SETTLED)
    assert broken(page) == []


def test_the_policy_holds(page: Page, watch: Watch) -> None:
    """What is inline or from elsewhere is stopped, and told."""
    watch.allow("Content Security Policy|Refused to|violates")
    page.goto("/")
    expect(page.get_by_role("heading").first).to_be_visible()
    for directive, attempt in INLINE.items():
        page.evaluate(f"() => {{ window.broken.length = 0; {attempt} }}")
        page.wait_for_function("window.broken.length > 0")
        assert broken(page)[0].startswith(directive)
        assert page.evaluate("window.ran === undefined")
