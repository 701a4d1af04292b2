"""Every page in four languages and three widths: nothing clipped, the language set; the phone's table without scrolling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.pages import LANGUAGES, start_game, visit_all
from tests.browser.table_page import TablePage
from tests.browser.watching import Watch

HERE = Path(__file__).parent
CLIPPED = (HERE / "clipped.js").read_text()
SCROLLS = """() => [document.scrollingElement, ...document.querySelectorAll('main')]
  .filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName)"""
SMALL = """() => [...document.querySelectorAll('button, a[href], select, input')].filter((e) => e.checkVisibility())
  .map((e) => [e.ariaLabel ?? e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.bottom > 0 && (box.width < 43 || box.height < 43))
  .map(([name, box]) => `${name}: ${box.width}×${box.height}`)"""


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_clipped_and_the_language_is_set(
    new_context: Callable[..., BrowserContext], watch: Watch, language: str, width: int
) -> None:
    watch.allow("404")
    height = {320: 640, 768: 1024, 1280: 800}[width]
    page = new_context(locale=LANGUAGES[language], viewport={"width": width, "height": height}).new_page()
    clipped: dict[str, list[str]] = {}
    visited = []
    for name in visit_all(page):
        visited.append(name)
        page.evaluate("document.fonts.ready")
        assert page.evaluate("document.documentElement.lang") == language, name
        if found := page.evaluate(CLIPPED):
            clipped[name] = found
    assert {"home", "help", "start", "end", "invitation"} <= set(visited)
    assert clipped == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_server_sends_the_page_in_the_readers_language(new_context: Callable[..., BrowserContext], language: str) -> None:
    page = new_context(locale=LANGUAGES[language]).new_page()
    html = page.request.get("/", headers={"Accept-Language": f"{LANGUAGES[language]},en;q=0.5"}).text()
    assert f'<html lang="{language}"' in html


@pytest.mark.parametrize("size", [(360, 740), (320, 640), (390, 844), (768, 1024), (1280, 800), (740, 360)])
def test_the_table_needs_no_scrolling(new_context: Callable[..., BrowserContext], size: tuple[int, int]) -> None:
    page = new_context(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 800).new_page()
    table = TablePage(page, seed=9)
    page.goto(f"/t/{start_game(page)}")
    expect(table.hand).to_be_visible()
    for number in range(4):
        assert table.wait_for_turn()
        assert page.evaluate(SCROLLS) == []
        for card in table.hand.get_by_role("button").all():
            expect(card).to_be_in_viewport(ratio=0.95)
        places = [table.place("b", "1"), table.place("b", "2"), table.place("f", "1"), table.place("f", "2"), table.place("d", "")]
        if table.snapshot()["view"]["phase"] == "claim":
            places = page.locator("button[data-claim]").all()
        for place in places:
            expect(place).to_be_in_viewport(ratio=0.95)
        if number < 3:
            table.act(table.choose())


def test_touch_targets_on_a_phone_are_large_enough(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(viewport={"width": 360, "height": 740}, has_touch=True).new_page()
    table = TablePage(page)
    page.goto(f"/t/{start_game(page)}")
    assert table.wait_for_turn()
    assert page.evaluate(SMALL) == []


def test_language_can_be_switched_at_once(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("el")
    expect(page.locator("html")).to_have_attribute("lang", "el")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "el")
