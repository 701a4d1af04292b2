"""A person against a bot, from the first page to the reckoning; taps and drags; resignation in two steps; rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.mandala_page import MandalaPage


def test_game_to_the_end_by_taps_and_drags(page: Page) -> None:
    table = MandalaPage(page, seed=11)
    table.play_bot()
    actions = table.play_to_the_end(("tap", "drag"))
    assert actions > 10
    assert {action[0] for action in table.played} >= {"b", "f", "d", "c"}
    snapshot = table.snapshot()
    assert snapshot["table"]["ended_by"] in {"sixth_colour", "last_mandala", "stall"}
    reckoning = snapshot["view"]["reckoning"]
    for side in reckoning:
        assert sum(place["points"] for place in side["river"]) == side["total"]
        expect(page.get_by_text(re.compile(rf"^{side['total']} points?$")).first).to_be_visible()
    record = page.request.get(f"/api/tables/{table.table_id}/record")
    assert record.ok
    assert snapshot["table"]["secret"] in record.text()


WATCH = """(hand) => {
  const seen = (window.seen = []);
  const look = () => {
    const cards = hand.querySelectorAll("button").length;
    if (seen.at(-1) !== cards) seen.push(cards);
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.slow
def test_a_move_is_shown_once_and_in_its_order(new_context: Callable[..., BrowserContext]) -> None:
    """A build is seen as one card leaving the hand and then the drawn ones coming: the newest picture never flashes up before."""
    page = new_context(art=True, reduced_motion="no-preference").new_page()
    table = MandalaPage(page, seed=3)
    table.play_bot()
    assert table.wait_for_turn()
    page.wait_for_timeout(500)  # what wait_for_turn skipped is over
    hand = table.hand.get_by_role("button").count()
    table.hand.evaluate(WATCH)
    table.act(next(action for action in table.snapshot()["view"]["legal"] if action[0] == "b"))
    after = hand - 1 + min(3, 8 - (hand - 1))
    expect(table.hand.get_by_role("button")).to_have_count(after)
    page.wait_for_timeout(1500)
    seen = page.evaluate("window.seen")
    assert seen[:2] == [hand, hand - 1]
    assert seen[1:] == sorted(seen[1:])
    assert seen[-1] == after


@pytest.mark.slow
def test_rematch_begins_with_the_other_player(page: Page) -> None:
    table = MandalaPage(page, seed=5)
    table.play_bot()
    first = table.snapshot()["table"]["first"]
    page.get_by_role("button", name="Resign").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    expect(page.get_by_role("region", name="Newcomer wins")).to_contain_text("You resigned")
    page.get_by_role("button", name="Look back").click()
    expect(page.get_by_role("slider", name="Looking back")).to_be_visible()
    page.get_by_role("button", name="To the result").click()
    before = page.url
    page.get_by_role("button", name="Play again").click()
    expect(page).not_to_have_url(before)
    expect(table.hand).to_be_visible()
    after = table.snapshot()["table"]
    assert after["state"] == "running"
    assert after["first"] == 1 - first


def test_resigning_takes_two_steps_and_the_focus_is_on_playing_on(page: Page) -> None:
    table = MandalaPage(page, seed=6)
    table.play_bot()
    page.get_by_role("button", name="Resign").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert "Resign" not in (page.evaluate("document.activeElement.textContent") or "")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    assert table.snapshot()["table"]["state"] == "running"


def test_illegal_wish_is_answered_with_the_rule(page: Page) -> None:
    table = MandalaPage(page, seed=7)
    table.play_bot()
    assert table.wait_for_turn()
    choices = table.snapshot()["view"]["choices"]
    forbidden = [choice for choice in choices if choice["refusal"] and choice["kind"] in {"build", "grow"}]
    while not forbidden:
        table.act(table.choose())
        assert table.wait_for_turn()
        forbidden = [choice for choice in table.snapshot()["view"]["choices"] if choice["refusal"] and choice["kind"] in {"build", "grow"}]
    choice = forbidden[0]
    version = table.snapshot()["v"]
    table.card(choice["colour"], 1).click()
    table.place({"build": "b", "grow": "f"}[choice["kind"]], str(choice["mandala"] + 1)).click(force=True)
    expect(table.says).to_contain_text(re.compile("Not here:|must stay|No card is left"))
    assert table.snapshot()["v"] == version


@pytest.mark.slow
def test_a_card_drawn_to_the_other_field_is_answered_with_the_rule(page: Page) -> None:
    table = MandalaPage(page, seed=7)
    table.play_bot()
    assert table.wait_for_turn()
    version = table.snapshot()["v"]
    card, field = table.hand.get_by_role("button").first, page.get_by_role("button", name=re.compile("^Newcomer’s field in mandala 1:"))
    for number, element in enumerate((card, field)):
        box = element.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=1 + 3 * number)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    expect(table.says).to_contain_text("Nobody plays into the other player’s field")
    assert table.snapshot()["v"] == version
