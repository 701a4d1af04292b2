"""Axe finds nothing on any page, by day and by night; the table is text with headings and a live region."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.pages import start_game, visit_all
from tests.browser.table_page import TablePage
from tests.browser.watching import Watch

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it is, one line a place."""
    page.evaluate(AXE.read_text())
    result: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]} {' '.join(node['failureSummary'].split())}"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(new_context: Callable[..., BrowserContext], watch: Watch, scheme: str, width: int) -> None:
    watch.allow("404")
    page = new_context(color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True).new_page()
    found: dict[str, list[str]] = {}
    for name in visit_all(page):
        page.wait_for_timeout(300)
        if problems := violations(page):
            found[name] = problems
    assert found == {}, "\n".join(f"{name}: {line}" for name, lines in found.items() for line in lines)


def test_the_table_is_text(page: Page) -> None:
    table = TablePage(page)
    page.goto(f"/t/{start_game(page)}")
    assert table.wait_for_turn()
    names = page.get_by_role("heading").all_inner_texts()
    for heading in ("Mandala 1", "Mandala 2", "Your hand"):
        assert heading in names
    action = next(action for action in table.snapshot()["view"]["legal"] if action[0] == "b")
    table.act(action)
    heard = page.get_by_role("status").filter(has_text=re.compile("(You|Random) (built|grew|discarded)"))
    expect(heard.first).to_be_attached()


def test_letters_can_stand_on_the_cards(page: Page) -> None:
    table = TablePage(page)
    page.goto(f"/t/{start_game(page)}")
    assert table.wait_for_turn()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Letters on the cards").check()
    page.keyboard.press("Escape")
    first = table.snapshot()["view"]["sides"][0]["hand"][0]
    expect(table.hand.get_by_text(first, exact=True).first).to_be_visible()
