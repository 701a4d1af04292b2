"""Looking back: by keys and touch, without a jump while the game goes on; an address for each move; records; pages that are too old."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from tests.browser.company import PHONE, sit_down
from tests.browser.mandala_page import MandalaPage
from tests.browser.test_accessibility import violations
from tests.browser.watching import Watch

Contexts = Callable[..., BrowserContext]


def place(page: Page) -> str:
    """Where the reader is, as a screen reader is told."""
    return page.get_by_role("slider", name="Looking back").get_attribute("aria-valuetext") or ""


def test_looking_back_while_the_game_goes_on(new_context: Contexts) -> None:
    """By keys, by steps and by touch; nothing can be played, new moves are counted, and nobody is taken anywhere."""
    company = sit_down(new_context(drawn=True, **PHONE), new_context())
    company.act(6)
    ana = company.page(0)
    expect(ana.locator(MandalaPage.ready).first).to_be_visible()
    ana.get_by_role("button", name="Menu").click()
    ana.get_by_role("button", name="Look back").click()
    slider = ana.get_by_role("slider", name="Looking back")
    expect(slider).to_have_attribute("aria-valuetext", "Move 6 of 6")
    for key, there in (("ArrowLeft", 5), ("Home", 0), ("ArrowRight", 1), ("End", 6), ("ArrowLeft", 5)):
        ana.keyboard.press(key)
        assert place(ana) == f"Move {there} of 6"
    box = slider.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    ana.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(slider).to_have_attribute("aria-valuetext", "Move 3 of 6")
    for name in ("To the start", "One back", "Play", "One on", "To the end"):
        size = ana.get_by_role("button", name=name, exact=True).bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44, name
    ana.get_by_role("button", name="One on").click()
    assert place(ana) == "Move 4 of 6"
    expect(ana.locator(MandalaPage.ready)).to_have_count(0)
    assert violations(ana) == []
    company.act(2)
    expect(ana.get_by_role("button", name=re.compile("Back to the game ?2 new moves"))).to_be_visible()
    assert place(ana) == "Move 4 of 6"
    ana.get_by_role("button", name="Back to the game").click()
    expect(slider).to_have_count(0)
    expect(ana.locator(MandalaPage.ready).first).to_be_visible()
    assert company.snapshot()["ply"] == 8


@pytest.mark.slow
def test_playing_back_and_jumping_from_the_log(new_context: Contexts) -> None:
    company = sit_down(new_context(), new_context())
    company.act(5)
    ana = company.page(0)
    ana.get_by_role("button", name=re.compile("^3 ?You built")).click()
    ana.get_by_role("button", name="See the table after it").click()
    slider = ana.get_by_role("slider", name="Looking back")
    expect(slider).to_have_attribute("aria-valuetext", "Move 3 of 5")
    ana.get_by_role("button", name=re.compile("^1 ?You")).click()
    expect(slider).to_have_attribute("aria-valuetext", "Move 1 of 5")
    expect(ana.get_by_role("button", name=re.compile("^1 ?You"))).to_have_attribute("aria-pressed", "true")
    ana.keyboard.press("Home")
    ana.locator("main").focus()
    ana.keyboard.press("Space")
    expect(ana.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(slider).to_have_attribute("aria-valuetext", "Move 2 of 5")
    ana.keyboard.press("Space")
    expect(ana.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.slow
def test_an_address_leads_to_a_move_through_somebodys_eyes(new_context: Contexts, watch: Watch) -> None:
    company = sit_down(new_context(), new_context())
    company.act(4)
    stranger = new_context(**PHONE).new_page()
    watch.allow("403")
    # While it runs, nobody looks through another's eyes: the picture comes as who watches knows it.
    stranger.goto(f"/t/{company.table}?ply=3&as=A")
    expect(stranger.get_by_role("slider")).to_have_attribute("aria-valuetext", "Move 3 of 4")
    expect(stranger.get_by_role("region", name="Your hand")).to_have_count(0)
    company.command(1, t="resign")
    stranger.goto(f"/t/{company.table}?ply=3&as=B")
    expect(stranger.get_by_role("slider")).to_have_attribute("aria-valuetext", "Move 3 of 4")
    expect(stranger.get_by_role("region", name="Your hand")).to_be_visible()
    eyes = stranger.get_by_label("Through whose eyes")
    expect(eyes).to_have_value("B")
    eyes.select_option("Everything open")
    expect(stranger).to_have_url(re.compile(r"\?ply=3&as=all$"))
    stranger.keyboard.press("ArrowLeft")
    expect(stranger).to_have_url(re.compile(r"\?ply=2&as=all$"))
    stranger.get_by_role("button", name="Copy the link to this move").click()
    expect(stranger.get_by_label("Move 2 of 4")).to_have_value(re.compile(rf"/t/{company.table}\?ply=2&as=all$"))
    stranger.go_back()
    expect(stranger.get_by_role("dialog")).to_have_count(0)
    stranger.get_by_role("button", name="To the result").click()
    expect(stranger).to_have_url(re.compile(rf"/t/{company.table}$"))


@pytest.mark.slow
def test_a_record_is_looked_at(new_context: Contexts, watch: Watch, tmp_path: Path) -> None:
    company = sit_down(new_context(), new_context(), game="stones")
    company.finish(5)
    record = company.people[0].request.get(f"/api/tables/{company.table}/record").text()
    (tmp_path / "game.txt").write_text(record)
    watch.allow("400")
    page = new_context(drawn=True, **PHONE).new_page()
    page.goto("/")
    page.get_by_role("link", name="Look at a record").click()
    page.get_by_label("Text of the record").fill(record[:100])
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("alert")).to_have_text("This is no full record of a game.")
    assert violations(page) == []
    page.get_by_label("Or a file").set_input_files(tmp_path / "game.txt")
    slider = page.get_by_role("slider", name="Looking back")
    expect(slider).to_have_attribute("aria-valuetext", "Move 0 of 5")
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "Move 5 of 5")
    page.get_by_label("Through whose eyes").select_option("Ben")
    expect(slider).to_have_attribute("aria-valuetext", "Move 5 of 5")
    page.get_by_role("button", name="Another record").click()
    expect(page.get_by_label("Text of the record")).to_have_value(record)


@pytest.mark.slow
def test_a_page_that_has_become_old_loads_itself_anew(new_context: Contexts, watch: Watch) -> None:
    """The server has a newer client: files of the old one are gone. Once the page helps itself; after that it says what is wrong."""
    watch.allow("404|Failed to fetch dynamically imported module|preload")
    company = sit_down(new_context(), new_context())
    ana = company.page(0)

    def newer(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"assets/index-[\w-]+\.js", "assets/index-newer.js", answer.text()))

    ana.route(re.compile(r"/$"), newer)
    ana.route("**/assets/together-*.js", lambda route: route.fulfill(status=404))
    chat = ana.get_by_role("button", name="Chat", exact=True)
    with ana.expect_event("load"):
        chat.click()
    chat.click()
    expect(ana.get_by_role("alert")).to_have_text("This page is out of date. Load it anew.")
    expect(ana.get_by_role("region", name="Your hand")).to_be_visible()
