"""Without a mouse: from the first page by Tab, letters and Enter to a game, each kind of action, and the next game."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.browser.mandala_page import MandalaPage


def test_a_game_and_the_next_by_keyboard(page: Page) -> None:
    table = MandalaPage(page, seed=3)
    table.open_home()
    table.walk_to(page.get_by_role("radio", name="Newcomer"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Apprentice")).to_be_checked()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="Newcomer")).to_be_checked()
    table.walk_to(page.get_by_role("button", name="Play", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(table.hand).to_be_visible()
    while {action[0] for action in table.played} != {"b", "f", "d", "c"}:
        assert table.wait_for_turn(by_keys=True)
        table.act(table.choose(), "keys")
    table.give_up()
    assert not table.wait_for_turn(by_keys=True)
    table.walk_to(page.get_by_role("button", name="Play again").first)
    before = page.url
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(before)
    expect(table.hand).to_be_visible()
    assert table.snapshot()["table"]["state"] == "running"


def test_arrows_move_and_escape_puts_back(page: Page) -> None:
    table = MandalaPage(page, seed=4)
    table.play_bot()
    assert table.wait_for_turn()
    colour = next(action[-1] for action in table.snapshot()["view"]["legal"] if action[0] == "b")
    page.keyboard.press(colour.lower())
    lifted = table.hand.locator("[aria-pressed=true]")
    expect(lifted).to_have_count(1)
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement !== document.body")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(lifted).to_have_count(0)
