"""People at one table: time that runs out, taking back and drawing by consent, talk in two languages, and somebody who is away."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.company import PHONE, sit_down
from tests.browser.served import Served
from tests.browser.test_accessibility import violations

Contexts = Callable[..., BrowserContext]
SOON = "from sandriver.tables import absence; absence.AWAY_MS = 300; import sys; from sandriver.cli import main; sys.exit(main())"
"""A server at which people count as absent in a moment."""


def menu(page: Page, entry: str) -> None:
    """Choose something from the table's menu."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name=entry).click()


@pytest.mark.slow
def test_a_timed_game_ends_by_flag(new_context: Contexts) -> None:
    """Ana, who is to move, does nothing: her clock is marked when it grows short, and she and Ben learn why the game is over."""
    window, other = new_context(**PHONE), new_context()
    ana = window.new_page()

    def wait(table: str) -> None:
        ana.goto(f"/t/{table}")
        expect(ana.get_by_text("10 s a move")).to_be_visible()

    company = sit_down(window, other, before=wait, clock={"kind": "per_move", "base_s": 10})
    mine = ana.get_by_role("timer", name=re.compile("^Ana: [1-9]"))
    expect(mine.locator("svg")).to_be_visible()
    expect(ana.get_by_role("timer")).to_have_count(2)
    expect(ana.get_by_role("status").filter(has_text=re.compile("Only [1-4] seconds left"))).to_be_attached()
    expect(ana.get_by_text("Ana lost on time")).to_be_visible()
    assert company.snapshot()["table"]["ended_by"] == "time"
    expect(ana.get_by_role("timer", name=re.compile("^Ana"))).to_have_accessible_name("Ana: 0 seconds")
    ben = company.page(1)
    expect(ben.get_by_text("Ana lost on time")).to_be_visible()
    expect(ben.get_by_role("timer", name="Ben: 10 seconds")).to_be_visible()


def test_a_move_is_taken_back_by_consent(new_context: Contexts) -> None:
    company = sit_down(new_context(), new_context(drawn=True, **PHONE))
    company.act(1, lambda legal: next(action for action in legal if action[0] == "f"))
    ana, ben = company.page(0), company.page(1)
    menu(ana, "Take my move back")
    expect(ana.get_by_text("Waiting for Ben")).to_be_visible()
    focus = ben.evaluate("document.activeElement.tagName")
    expect(ben.get_by_role("status").filter(has_text="Ana: asks to take the last move back")).to_be_attached()
    assert ben.evaluate("document.activeElement.tagName") == focus
    assert violations(ben) == []
    ben.get_by_role("region", name="What is asked").get_by_role("button", name="Agree").click()
    expect(ana.get_by_role("region", name="What is asked")).to_have_count(0)
    assert company.snapshot()["ply"] == 0
    expect(ana.locator("s").filter(has_text="You grew")).to_be_visible()
    expect(ana.get_by_role("log").or_(ana.locator("aside")).get_by_text("You took your move back")).to_be_visible()
    expect(ana.get_by_text("You took your move back · Your turn: choose a card")).to_be_visible()
    expect(ben.get_by_text("Ana took the move back · Ana is choosing a move")).to_be_visible()
    company.act(1, lambda legal: next(action for action in legal if action[0] == "b"))
    expect(ana.get_by_role("region", name="Your hand").get_by_role("button", name=re.compile(", new$"))).to_have_count(3)
    ana.get_by_role("button", name="Menu").click()
    expect(ana.get_by_role("button", name=re.compile("^Take my move back ?Not any more"))).to_be_disabled()


@pytest.mark.slow
def test_a_draw_takes_two_steps_and_both(new_context: Contexts) -> None:
    company = sit_down(new_context(drawn=True), new_context())
    ana, ben = company.page(0), company.page(1)
    menu(ana, "Offer a draw")
    expect(ana.get_by_role("button", name="Keep playing")).to_be_focused()
    ana.get_by_role("button", name="Offer the draw").click()
    ben.get_by_role("button", name="No, play on").click()
    asked = ana.get_by_role("region", name="What is asked")
    expect(asked.get_by_text("Ben: no, let us play on")).to_be_visible()
    # It goes by itself.
    expect(asked.get_by_text("Ben: no, let us play on")).to_have_count(0)
    ana.get_by_role("button", name="Menu").click()
    expect(ana.get_by_role("dialog").get_by_role("button", name="Resign this game")).to_be_visible()
    expect(ana.get_by_role("button", name=re.compile("^Offer a draw… ?Somebody said no"))).to_be_disabled()
    ana.keyboard.press("Escape")
    menu(ben, "Offer a draw")
    ben.get_by_role("button", name="Offer the draw").click()
    assert violations(ana) == []
    ana.get_by_role("button", name="Agree").click()
    expect(ana.get_by_role("button", name="Wait")).to_be_focused()
    ana.get_by_role("dialog").get_by_role("button", name="Agree").click()
    for page in (ana, ben):
        expect(page.locator(".why")).to_have_text("A draw by agreement")
    assert company.snapshot()["table"]["winners"] == [0, 1]


@pytest.mark.slow
def test_nothing_can_be_chosen_during_a_pause_and_a_refusal_goes_by_itself(new_context: Contexts) -> None:
    """Ana is about to offer a draw when the clocks stop: she is told why not, above the hand, for a while."""
    company = sit_down(new_context(**PHONE), new_context(), clock={"kind": "fischer", "base_s": 300, "increment_s": 5})
    ana = company.page(0)
    menu(ana, "Offer a draw")
    company.command(0, t="propose", what="pause", ply=0)
    company.command(1, t="answer", what="pause", v=company.snapshot()["table"]["proposals"][0]["v"], yes=True)
    expect(ana.locator(".title").get_by_text("Paused")).to_be_visible()
    ana.get_by_role("button", name="Offer the draw").click()
    toast = ana.get_by_role("alert").filter(has_text="Paused. It goes on when all agree")
    expect(toast).to_be_visible()
    below, hand = toast.bounding_box(), ana.get_by_role("region", name="Your hand").bounding_box()
    assert below
    assert hand
    assert below["y"] + below["height"] < hand["y"]
    card = ana.locator("[data-hand]").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "false")
    expect(ana.locator(".voice").get_by_text("Paused. It goes on when all agree")).to_be_visible()
    expect(toast).to_have_count(0)


@pytest.mark.slow
def test_talk_is_read_in_each_ones_language_and_can_be_muted(new_context: Contexts) -> None:
    """A phrase is a code; what is unread is marked; Back closes the sheet; who watches learns only that something was said."""
    company = sit_down(new_context(), new_context(locale="ja-JP", drawn=True, **PHONE))
    ana, ben = company.page(0), company.page(1)
    watching = new_context().new_page()
    watching.goto(f"/t/{company.table}")
    ana.get_by_role("button", name="Chat", exact=True).click()
    ana.get_by_role("button", name="Good luck!").click()
    expect(ben.get_by_role("button", name="チャット、新着1件")).to_be_visible()
    expect(ben.get_by_role("status").filter(has_text="Ana: よろしくお願いします")).to_be_attached()
    ana.get_by_label("Your message").fill("Slowly today?")
    ana.keyboard.press("Enter")
    expect(ana.get_by_label("Your message")).to_have_value("")
    ben.get_by_role("button", name="チャット、新着2件").click()
    expect(ben.get_by_role("log")).to_contain_text("Slowly today?")
    assert violations(ben) == []
    ben.get_by_role("button", name="こんにちは！").click()
    expect(ana.get_by_role("log", name="Chat")).to_contain_text("Ben Hello!")
    ben.get_by_label("このテーブルをミュート").check()
    ben.go_back()
    expect(ben.get_by_role("dialog")).to_have_count(0)
    assert ben.url.endswith(company.table)
    ana.get_by_role("button", name="Nice move!").click()
    expect(ana.get_by_role("log", name="Chat")).to_contain_text("You Nice move!")
    expect(ben.get_by_role("button", name="チャット", exact=True)).to_be_visible()
    watching.get_by_role("button", name=re.compile("^Chat")).click()
    expect(watching.get_by_role("log", name="Chat")).to_contain_text("Ana said something to the table")
    assert "Slowly" not in watching.content()


@pytest.mark.slow
def test_who_is_away_is_replaced_comes_back_and_loses_by_a_claim(new_context: Contexts, tmp_path: Path) -> None:
    with Served(tmp_path, entry=("-c", SOON)) as served:
        company = sit_down(new_context(base_url=served.url, drawn=True), new_context(base_url=served.url, **PHONE))
        company.act(1)
        ana = company.page(0)
        ana.get_by_role("button", name="Let a bot play").click()
        expect(ana.get_by_role("button", name="Wait")).to_be_focused()
        ana.get_by_role("button", name="Let a bot play", exact=True).last.click()
        expect(ana.get_by_text("Ben: away for too long")).to_be_visible()
        ben = company.page(1)
        ben.get_by_role("button", name="Take my seat back").click()
        expect(ben.get_by_role("region", name="What is asked")).to_have_count(0)
        expect(ana.get_by_text("Ben: is back")).to_be_visible()
        ben.close()
        while company.snapshot()["view"]["to_move"] == 0:
            company.act(1)
        ana.get_by_role("button", name="Claim the win").click()
        assert violations(ana) == []
        ana.get_by_role("button", name="Claim the win", exact=True).click()
        expect(ana.get_by_text("Ben was away for too long")).to_be_visible()
        assert company.snapshot()["table"]["ended_by"] == "absence"


@pytest.mark.slow
def test_a_clock_is_chosen_when_a_table_is_opened(new_context: Contexts) -> None:
    """From the first page to a table with a clock of one's own; the friend reads of it before taking the seat."""
    ana, ben = new_context(drawn=True).new_page(), new_context().new_page()
    ana.goto("/")
    ana.get_by_text("Options for a new table").click()
    ana.get_by_label("Time").select_option("Your own…")
    ana.get_by_label("Minutes").fill("7")
    ana.get_by_label("Seconds added after each move").fill("4")
    ana.get_by_label("Talking at the table").select_option("Ready phrases only")
    assert violations(ana) == []
    ana.get_by_role("button", name="Open a table").click()
    link = ana.get_by_label("Invitation link").input_value()
    ben.goto(link)
    expect(ben.get_by_text("7 min + 4 s a move")).to_be_visible()
    ben.get_by_role("button", name="Take the seat").click()
    expect(ben.get_by_role("timer")).to_have_count(2)
    ben.get_by_role("button", name=re.compile("^Chat")).click()
    expect(ben.get_by_role("button", name="Hello!")).to_be_visible()
    expect(ben.get_by_label("Your message")).to_have_count(0)
