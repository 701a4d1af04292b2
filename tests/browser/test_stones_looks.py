"""The table of Mandala Stones at its moments: axe by day and night, nothing clipped in any language, no scrolling, large targets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from tests.browser.pages import LANGUAGES, SETTLED, Stages, visit_tables
from tests.browser.stones_page import STOPS, make_stages
from tests.browser.test_accessibility import WINDOWS as LOOKS
from tests.browser.test_accessibility import by_day_and_night, listed, violations
from tests.browser.test_layout import CLIPPED, HEIGHTS, IN_VIEW, SCROLLS, SMALL, WINDOWS

PARTS = "[data-artist-space], .pile, [data-space], [data-colour], [data-tops], .status"
"""Whatever is touched: nine spaces, 24 stacks, five own spaces, four colours, single stones; and the sentence."""


@pytest.fixture(scope="module")
def stages(playwright: Playwright, base_url: str) -> Iterator[Stages]:
    """Tables of Mandala Stones at their moments, made once."""
    request = playwright.request.new_context(base_url=base_url)
    stages = Stages(request)
    make_stages(stages)
    yield stages
    request.dispose()


@pytest.fixture
def window(new_context: Callable[..., BrowserContext], stages: Stages) -> Callable[..., Page]:
    """Opens a window of the guest who sits at all the tables."""

    def opened(width: int, height: int, **options: Any) -> Page:
        size = {"width": width, "height": height}
        return new_context(viewport=size, storage_state=stages.cookies(), **options).new_page()

    return opened


@pytest.mark.slow  # the next test looks at the same, by day and by night, in Greek on the narrowest phone
@pytest.mark.parametrize(("width", "night", "art"), LOOKS)
def test_axe_finds_nothing(window: Callable[..., Page], stages: Stages, width: int, night: bool, art: bool) -> None:
    page = window(width, 800, art=art, bypass_csp=True)
    found: dict[str, list[str]] = {}
    for name in visit_tables(page, stages, STOPS):
        found |= by_day_and_night(page, name, night=night)
    page.goto("/help/stones")
    expect(page.locator("#questions")).to_be_visible()
    found["help"] = violations(page)
    assert len(found) == (2 if night else 1) * (len(STOPS) + 1) + 1
    assert listed(found) == []


@pytest.mark.parametrize(
    "language", ["el", *(pytest.param(language, marks=pytest.mark.slow) for language in LANGUAGES if language != "el")]
)
def test_no_text_is_clipped_in_any_language(window: Callable[..., Page], stages: Stages, language: str) -> None:
    page = window(320, HEIGHTS[320], locale=LANGUAGES[language], bypass_csp=True)
    found: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] = {}
    for name in visit_tables(page, stages, STOPS):
        assert page.evaluate("document.documentElement.lang") == language, name
        wrong |= by_day_and_night(page, name)
        for width, height in HEIGHTS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            if texts := page.evaluate(CLIPPED):
                found[f"{name} at {width}"] = texts
        page.set_viewport_size({"width": 320, "height": HEIGHTS[320]})
    page.goto("/help/stones")
    expect(page.locator("#questions dt")).to_have_count(8)
    if texts := page.evaluate(CLIPPED):
        found["help"] = texts
    wrong["help"] = violations(page)
    assert found == {}
    assert listed(wrong) == []


@pytest.mark.parametrize("sizes", [WINDOWS[0], pytest.param(WINDOWS[1], marks=pytest.mark.slow)], ids=["touch", "mouse"])
def test_the_table_needs_no_scrolling(window: Callable[..., Page], stages: Stages, sizes: list[tuple[int, int]]) -> None:
    page = window(*sizes[0], has_touch=sizes is WINDOWS[0])
    for stop in STOPS[:4]:
        page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
        page.goto(f"/t/{stages.tables[stop.name]}")
        page.locator(stop.shows).first.wait_for()
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            assert (width, page.evaluate(SCROLLS)) == (width, [])
            inside, outside = page.evaluate(IN_VIEW, PARTS)
            assert (width, outside) == (width, [])
            assert inside == 9 + 24 + 5 + 5 + 1


@pytest.mark.slow
def test_four_fit_on_a_phone_on_its_side(new_context: Callable[..., BrowserContext]) -> None:
    """One opponent at a time, above the own board and not over it; every name whole, and its number, in the longest language."""
    page = new_context(viewport={"width": 740, "height": 360}, has_touch=True, drawn=True, locale=LANGUAGES["el"]).new_page()
    seats = [{"kind": "person"}, *({"kind": "bot", "bot": "apprentice"} for _ in range(3))]
    table = page.request.post("/api/tables", data={"game": "stones", "seats": seats, "first": 0}).json()["id"]
    assert page.request.post(f"/api/tables/{table}/join", data={"seat": 0}).ok
    page.goto(f"/t/{table}")
    expect(page.locator(".tabs button")).to_have_count(3)
    for width, height in ((740, 360), (667, 375), (915, 412)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        lowest = page.locator(".rivals .tower").evaluate_all("(all) => Math.max(...all.map((e) => e.getBoundingClientRect().bottom))")
        own = page.locator(".own").bounding_box()
        assert own
        assert lowest <= own["y"], (width, height)
        if width > 700:
            assert page.evaluate(CLIPPED) == []


@pytest.mark.slow
def test_touch_targets_on_a_phone_are_large_enough(window: Callable[..., Page], stages: Stages) -> None:
    page = window(360, 740, has_touch=True)
    for name in visit_tables(page, stages, STOPS[:4]):
        if name != "menu":
            assert page.evaluate(SMALL) == []


def test_values_of_our_own_are_marked_in_the_rules(page: Page) -> None:
    page.goto("/help/stones")
    marked = page.locator("#score dd", has_text="our value")
    expect(marked).to_have_count(3)
    expect(page.locator("#end li", has_text="end space is 40")).to_contain_text("our value")
    expect(page.locator("#mandala li", has_text="12, 24, 36")).to_contain_text("our value")
    expect(page.locator("#objectives li", has_text="our value")).to_have_count(10)
    expect(page.locator("#ours")).to_contain_text("no published source gives")


@pytest.mark.slow
def test_the_rules_lead_to_a_table_of_their_game(page: Page) -> None:
    for game, name in (("stones", "Mandala Stones"), ("mandala", "Mandala")):
        page.goto(f"/help/{game}")
        page.get_by_role("link", name="Good to know").click()
        expect(page.locator("#tips li").first).to_be_visible()
        expect(page.get_by_role("link", name="Up")).to_be_visible()
        page.get_by_role("link", name="Play", exact=True).click()
        expect(page.get_by_role("radio", name=re.compile(rf"^{name} \d"))).to_be_checked()


@pytest.mark.slow
def test_what_is_said_on_the_table_lies_clear(window: Callable[..., Page], stages: Stages) -> None:
    """The mandala's words beside it, gains above the stack below, the ring of the last move behind its pillar."""
    page = window(1280, 800, art=True)
    page.goto(f"/t/{stages.tables['stones middle']}")
    page.locator(STOPS[1].shows).first.wait_for()
    for width, height in ((768, 1024), (1024, 768), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        words, disc = (page.locator(f".medal {part}").bounding_box() for part in (".words", ".spiral .disc"))
        assert words
        assert disc
        apart = words["y"] + words["height"] <= disc["y"] + 1 or words["x"] + words["width"] <= disc["x"] + 1
        assert apart, (width, words, disc)
    behind = "(e) => Boolean(e.compareDocumentPosition(e.parentElement.querySelector('.art')) & Node.DOCUMENT_POSITION_FOLLOWING)"
    # The last move was a pick or scored something: only a pick leaves a ring round an artist.
    assert all(ring.evaluate(behind) for ring in page.locator(".space:has(.art) .was").all())
    layer = "(e) => Number(getComputedStyle(e).zIndex)"
    page.locator(".space.can").first.click()
    goals = page.locator(".space.goal").all()
    assert goals
    for goal in goals:
        top = goal.evaluate("(e) => parseFloat(e.style.top)")
        below = page.locator(".pile").evaluate_all(
            "(all, top) => all.filter((e) => parseFloat(e.style.top) > top).map((e) => Number(e.style.zIndex))", top
        )
        assert not below or goal.evaluate(layer) > min(below)
