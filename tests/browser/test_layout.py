"""Every page in four languages and three widths: nothing clipped, the language set, nothing that axe finds; tables without scrolling."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.mandala_page import STOPS, MandalaPage
from tests.browser.pages import LANGUAGES, SETTLED, Stages, start_game, visit_shell, visit_tables
from tests.browser.test_accessibility import by_day_and_night, listed
from tests.browser.watching import Watch

HEIGHTS = {320: 640, 768: 1024, 1280: 800}
"""Of a window of each width."""
HERE = Path(__file__).parent
CLIPPED = (HERE / "clipped.js").read_text()
SCROLLS = """() => [document.scrollingElement, ...document.querySelectorAll('main')]
  .filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName)"""
IN_VIEW = """(css) => new Promise((resolve) => {
  const watcher = new IntersectionObserver((seen) => {
    watcher.disconnect();
    const outside = seen.filter((entry) => entry.intersectionRatio < 0.95).map((entry) => entry.target.outerHTML.slice(0, 200));
    resolve([seen.length - outside.length, outside]);
  });
  for (const element of document.querySelectorAll(css)) watcher.observe(element);
})"""
SMALL = """() => [...document.querySelectorAll('button, a[href], select, input')].filter((e) => e.checkVisibility())
  .map((e) => [e.ariaLabel ?? e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.bottom > 0 && (box.width < 43 || box.height < 43))
  .map(([name, box]) => `${name}: ${box.width}×${box.height}`)"""

WINDOWS = [[(360, 740), (320, 640), (390, 844), (768, 1024), (740, 360)], [(1280, 800), (1024, 640), (768, 1024)]]
"""Sizes of windows, on devices with touch and with a mouse."""


def looked_at(
    page: Page, stages: Stages, language: str, widths: list[int], *, axe: bool
) -> tuple[set[str], dict[str, list[str]], dict[str, list[str]]]:
    """Visit everything at the first width, and bring each page to the others; the pages seen, what is clipped there, what ``axe`` finds."""
    found: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] = {}
    visited = set()
    for name in chain(visit_shell(page, stages), visit_tables(page, stages, STOPS)):
        visited.add(name)
        if axe:
            wrong |= by_day_and_night(page, name)
        assert page.evaluate("document.documentElement.lang") == language, name
        for width in widths:
            if page.viewport_size != {"width": width, "height": HEIGHTS[width]}:
                page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
                page.evaluate(SETTLED)
            if texts := page.evaluate(CLIPPED):
                found[f"{name} at {width}"] = texts
        page.set_viewport_size({"width": widths[0], "height": HEIGHTS[widths[0]]})
    return visited, found, wrong


OFTEN = {"ja": 1280}
"""Loaded wide and brought to a phone's width; Stones is looked at in Greek, narrow first, and `make full` looks at all."""
EVERY = [
    pytest.param(language, width, marks=[] if OFTEN.get(language) == width else pytest.mark.slow)
    for language in LANGUAGES
    for width in HEIGHTS
]


@pytest.mark.parametrize(("language", "fresh"), EVERY)
def test_no_text_is_clipped_and_the_language_is_set(
    new_context: Callable[..., BrowserContext], watch: Watch, mandala_stages: Stages, language: str, fresh: int
) -> None:
    """At every width; loaded at one of them (at each with ``make full``), then brought to the others as by turning a device.

    Where it is loaded wide in Japanese, axe looks at it too, by day and by night.
    """
    watch.allow("404")
    size, axe = {"width": fresh, "height": HEIGHTS[fresh]}, (language, fresh) == ("ja", 1280)
    cookies = mandala_stages.cookies()
    page = new_context(locale=LANGUAGES[language], viewport=size, drawn=True, bypass_csp=axe, storage_state=cookies).new_page()
    widths = [fresh, *(width for width in HEIGHTS if width != fresh)]
    visited, found, wrong = looked_at(page, mandala_stages, language, widths, axe=axe)
    assert {"home", "help", "waiting", "invitation", "menu", *(stop.name for stop in STOPS)} <= visited
    assert found == {}
    assert listed(wrong) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_server_sends_the_page_in_the_readers_language(new_context: Callable[..., BrowserContext], language: str) -> None:
    page = new_context(locale=LANGUAGES[language]).new_page()
    html = page.request.get("/", headers={"Accept-Language": f"{LANGUAGES[language]},en;q=0.5"}).text()
    assert f'<html lang="{language}"' in html


@pytest.mark.parametrize("sizes", [WINDOWS[0], pytest.param(WINDOWS[1], marks=pytest.mark.slow)], ids=["touch", "mouse"])
def test_the_table_needs_no_scrolling(
    new_context: Callable[..., BrowserContext], mandala_stages: Stages, sizes: list[tuple[int, int]]
) -> None:
    page = new_context(has_touch=sizes is WINDOWS[0], storage_state=mandala_stages.cookies()).new_page()
    for stop in STOPS[:3]:
        page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
        page.goto(f"/t/{mandala_stages.tables[stop.name]}")
        page.locator(stop.shows).first.wait_for()
        hand = MandalaPage(page).snapshot()["view"]["sides"][0]["hand"]
        targets = page.locator("[data-claim], [data-place]").count()
        assert targets >= 5
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            assert (width, page.evaluate(SCROLLS)) == (width, [])
            inside, outside = page.evaluate(IN_VIEW, "[data-hand], [data-place], [data-claim]")
            assert (width, outside) == (width, [])
            assert inside == sum(map(int, re.findall(r"\d", hand))) + targets


def test_touch_targets_on_a_phone_are_large_enough(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(viewport={"width": 360, "height": 740}, has_touch=True).new_page()
    table = MandalaPage(page)
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
