"""What who plays for the first time, on a phone, must not stumble over: codes, links, talk, how to say no, what ends the game."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.company import PHONE, Company, sit_down
from tests.browser.test_accessibility import violations
from tests.browser.watching import Watch

from sandriver import bots, games

Contexts = Callable[..., BrowserContext]
SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 568}, "has_touch": True}


OVER = """bubble => {
  const { left, right, top, bottom } = bubble.getBoundingClientRect();
  const seen = [...document.querySelectorAll('button, a')].map((it) => it.getBoundingClientRect()).filter(({ width }) => width > 1);
  return [seen.length, seen.filter((it) => it.left < right && left < it.right && it.top < bottom && top < it.bottom).length];
}"""
"""How many things on a page can be touched, and how many of them something lies over."""


def test_a_mistyped_code_stays_in_its_field(new_context: Contexts, watch: Watch) -> None:
    watch.allow("404")
    page = new_context(**PHONE).new_page()
    page.goto("/")
    expect(page.get_by_role("radio", name="Newcomer")).to_be_checked()
    field = page.get_by_label("Join with a code")
    field.fill("abc deq")
    field.press("Enter")
    reason = "“ABC DEQ” may be mistyped, or the seat has been taken already."
    expect(field).to_have_accessible_description(re.compile(reason))
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("abc deq")
    expect(field).to_be_focused()
    page.goto("/j/ABCDEQ")
    expect(field).to_have_value("ABC DEQ")
    expect(field).to_have_accessible_description("No table is waiting for this code")
    opened = page.request.post("/api/tables", data={"game": "mandala", "seats": [{"kind": "person"}] * 2}).json()["id"]
    code = page.request.post(f"/api/tables/{opened}/join", data={}).json()["table"]["code"]
    field.fill(code)
    field.press("Enter")
    page.wait_for_url(f"**/j/{code}")
    page.goto(f"/t/{opened}")
    expect(page.get_by_text("This link works on this device only.")).to_be_visible()


@pytest.mark.slow
def test_what_is_said_stands_at_the_name_for_a_while(new_context: Contexts) -> None:
    """In the reader's language, over nothing that can be touched; the number stays until it is read. Clocks stand in a landmark."""
    clock = {"kind": "fischer", "base_s": 300, "increment_s": 5}
    company = sit_down(new_context(), new_context(locale="el-GR", drawn=True, **SMALL), clock=clock)
    page = company.people[1].new_page()
    page.clock.install()
    page.goto(f"/t/{company.table}")
    page.get_by_role("timer").first.wait_for()
    assert violations(page, "region") == []
    company.command(0, t="say", phrase="one_moment")
    bubble = page.locator(".bubble")
    expect(bubble).to_have_text("Ana Μια στιγμή, παρακαλώ")
    buttons, covered = bubble.evaluate(OVER)
    assert buttons > 5
    assert covered == 0
    chat = page.locator("header").get_by_role("button").first
    expect(chat).to_have_text("1")
    page.clock.run_for(8000)
    expect(bubble).to_have_count(0)
    expect(chat).to_have_text("1")


@pytest.mark.slow
def test_another_game_can_be_declined(new_context: Contexts) -> None:
    company = sit_down(new_context(**SMALL), new_context(drawn=True, **PHONE))
    company.finish(1)
    ana, ben = company.page(0), company.page(1)
    ana.get_by_role("button", name="Play again").click()
    expect(ana.get_by_text("Asked – waiting for Ben")).to_be_visible()
    assert violations(ben) == []
    ben.get_by_role("button", name="No, thanks").click()
    expect(ben.get_by_role("button", name="No, thanks")).to_have_count(0)
    expect(ana.get_by_text("Ben: no more for now")).to_be_visible()
    expect(ana.get_by_role("link", name="Home").last).to_be_visible()
    ben.get_by_role("button", name="Moves").click()
    expect(ben.get_by_role("dialog").get_by_text("You want no further game")).to_be_visible()
    ben.keyboard.press("Escape")
    ben.get_by_role("button", name="Agree and play").click()
    for page in (ana, ben):
        page.wait_for_url(lambda address: company.table not in address)


def nearly_over(new_context: Contexts, stop: Callable[[dict[str, Any]], bool]) -> tuple[Company, dict[str, Any]]:
    """A table at which a view of whoever is to move is as wanted, and that view: apprentices play, games that end before are left alone."""
    policy, kind, rng = bots.offered("mandala", "apprentice"), games.get("mandala").view_type, random.Random(5)
    for _ in range(30):
        company = sit_down(new_context(**SMALL), new_context(**SMALL))
        while (seat := company.snapshot()["view"]["to_move"]) is not None:
            known = company.snapshot(seat)
            if stop(known["view"]):
                return company, known["view"]
            action = policy.choose(msgspec.convert(known["view"], kind), known["view"]["legal"], rng)
            company.command(seat, t="act", ply=known["ply"], action=action)
    raise AssertionError("no game came to it")


@pytest.mark.slow
def test_a_sixth_colour_is_announced_before_it_ends_the_game(new_context: Contexts) -> None:
    def claims(view: dict[str, Any]) -> list[str]:
        return [each["colour"] for each in view["choices"] for effect in each["effects"] if effect.get("river_place") == 6]

    company, view = nearly_over(new_context, lambda view: bool(claims(view)))
    page: Page = company.page(view["viewer"])
    expect(page.locator(".notice")).to_contain_text("one more colour ends the game")
    expect(page.locator(".river .sixth")).not_to_have_count(0)
    page.locator(f"[data-claim={claims(view)[0]}]").click()
    expect(page.locator(".voice")).to_contain_text("This ends the game.")
    voice = page.locator(".voice p")
    assert voice.evaluate("it => it.scrollHeight - it.clientHeight") < 6, "all its lines can be read"
