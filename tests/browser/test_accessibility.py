"""Axe finds nothing on any page, by day and by night; the table is text with headings and a live region."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.mandala_page import STOPS, MandalaPage
from tests.browser.pages import SETTLED, Stages, start_game, visit_shell, visit_tables
from tests.browser.watching import Watch

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page, *rules: str) -> list[str]:
    """What axe finds on the page as it is, one line a place; by all its rules unless some are named."""
    assert page.evaluate("getComputedStyle(document.documentElement).opacity") == "1", "nothing is drawn here"
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": rules}} if rules else {})
    result: dict[str, Any] = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]} {' '.join(node['failureSummary'].split())}"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]


def by_day_and_night(page: Page, name: str, *, night: bool = True) -> dict[str, list[str]]:
    """What axe finds on the page as it is, by day and (``night``) by night, when only colours differ."""
    found = {f"{name} by day": violations(page)}
    if night:
        page.emulate_media(color_scheme="dark")
        page.evaluate(SETTLED)
        found[f"{name} by night"] = violations(page, "color-contrast", "link-in-text-block")
        page.emulate_media(color_scheme="light")
    return found


def listed(found: dict[str, list[str]]) -> list[str]:
    """All violations, each with where it was found."""
    return [f"{name}: {line}" for name, lines in found.items() for line in lines]


WINDOWS = [(1280, True, False), (360, False, False), (1280, True, True)]
"""Width; whether by night too; whether with all ornament."""


@pytest.mark.slow  # the pages of test_layout.py are looked at always: by day and night, in Japanese
@pytest.mark.parametrize(("width", "night", "art"), WINDOWS)
def test_axe_finds_nothing_on_any_page(
    new_context: Callable[..., BrowserContext], watch: Watch, mandala_stages: Stages, width: int, night: bool, art: bool
) -> None:
    watch.allow("404")
    size = {"width": width, "height": 800}
    page = new_context(viewport=size, art=art, bypass_csp=True, storage_state=mandala_stages.cookies()).new_page()
    found: dict[str, list[str]] = {}
    visited = []
    for name in chain(visit_shell(page, mandala_stages), visit_tables(page, mandala_stages, STOPS)):
        visited.append(name)
        found |= by_day_and_night(page, name, night=night)
    assert {"home", "help", "waiting", "invitation", "menu", *(stop.name for stop in STOPS)} <= set(visited)
    assert listed(found) == []


def test_the_table_is_text(page: Page) -> None:
    table = MandalaPage(page)
    page.goto(f"/t/{start_game(page)}")
    assert table.wait_for_turn()
    names = page.get_by_role("heading").all_inner_texts()
    for heading in ("Mandala 1", "Mandala 2", "Your hand"):
        assert heading in names
    action = next(action for action in table.snapshot()["view"]["legal"] if action[0] == "b")
    table.act(action)
    heard = page.get_by_role("status").filter(has_text=re.compile("(You|Random) (built|grew|discarded)"))
    expect(heard.first).to_be_attached()


@pytest.mark.slow
def test_letters_can_stand_on_the_cards(page: Page) -> None:
    table = MandalaPage(page)
    page.goto(f"/t/{start_game(page)}")
    assert table.wait_for_turn()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Letters on the cards").check()
    page.keyboard.press("Escape")
    first = table.snapshot()["view"]["sides"][0]["hand"][0]
    expect(table.hand.get_by_text(first, exact=True).first).to_be_visible()


@pytest.mark.parametrize(("game", "opener"), [("mandala", "cup"), pytest.param("stones", "bjectives", marks=pytest.mark.slow)])
def test_back_closes_what_lies_over_the_table(page: Page, game: str, opener: str) -> None:
    """The way back of the browser ends what is open, and not the visit; so does Escape, which leaves no step behind it."""
    page.goto("/help")
    page.goto(f"/t/{start_game(page, game=game)}")
    button = (
        page.locator("button[aria-haspopup=dialog]")
        .filter(has_text=re.compile(opener))
        .or_(page.get_by_role("button", name=re.compile(opener)))
        .first
    )
    sheet = page.locator("[popover][role=dialog]")
    button.click()
    expect(sheet).to_be_visible()
    page.go_back()
    expect(sheet).to_have_count(0)
    expect(page).to_have_url(re.compile("/t/"))
    button.click()
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.wait_for_function("!history.state?.sheet")
    page.go_back()
    expect(page).to_have_url(re.compile("/help"))
