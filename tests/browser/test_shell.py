"""The pages around a table: two games to choose from, four seats to fill, a rules file, resigning, a rematch of three, one's own tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, FilePayload, FloatRect, Locator, Page, expect
from tests.browser.pages import SETTLED, open_table
from tests.browser.stones_page import StonesPage, open_seats
from tests.browser.table_page import in_step
from tests.browser.test_accessibility import violations
from tests.browser.watching import Watch

RULESET = Path(__file__).resolve().parents[2] / "src" / "sandriver" / "games" / "stones" / "ruleset.json"
PERSON = {"kind": "person"}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
WIDER = "document.documentElement.scrollWidth - innerWidth"
"""Pixels by which the page is wider than its window."""


def box(element: Locator) -> FloatRect:
    """Where something that is shown stands, in pixels."""
    found = element.bounding_box()
    assert found is not None
    return found


def choose_game(page: Page, name: str) -> None:
    """Touch a game's picture on the first page."""
    page.get_by_role("radiogroup", name="Which game?").get_by_text(name, exact=True).click()


def choose_players(page: Page, count: int) -> None:
    """Say for how many the table is to be."""
    page.get_by_role("group", name="Players").get_by_text(str(count), exact=True).click()


def open_options(page: Page) -> Locator:
    """Unfold the options of a new table; who begins stands first."""
    page.get_by_text("Options for a new table").click()
    who = page.get_by_label("Who begins")
    expect(who).to_be_visible()
    return who


def invited(page: Page) -> tuple[str, str]:
    """In the waiting room: the invitation's link and its code."""
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("heading", name="Invite your friends")).to_be_visible()
    link = page.get_by_label("Invitation link").input_value()
    return link, link.rpartition("/")[2]


def three_at_a_table(new_context: Callable[..., BrowserContext]) -> list[StonesPage]:
    """Three people at a running table in the order of their seats; the first begins."""
    people = [StonesPage(new_context().new_page(), seed=seed) for seed in range(3)]
    for person, name in zip(people, ("Ana", "Ben", "Cleo"), strict=True):
        assert person.page.request.put("/api/me", data={"name": name}).ok
    table = open_seats(people[0].page.request, PERSON, PERSON)
    code = people[0].page.request.get(f"/api/tables/{table}").json()["table"]["code"]
    for person in people[1:]:
        assert person.page.request.post(f"/api/tables/{table}/join", data={"code": code}).ok
    for person in people:
        person.page.goto(f"/t/{table}")
        person.sit()
    return people


def resign(person: StonesPage) -> str:
    """Give the game up by the menu; what the dialog said before that."""
    person.page.get_by_role("button", name="Menu").click()
    person.page.get_by_role("button", name="Resign this game").click()
    dialog = person.page.get_by_role("dialog", name="Give this game up?")
    said = dialog.get_by_role("paragraph").inner_text()
    dialog.get_by_role("button", name="Resign", exact=True).click()
    expect(dialog).to_have_count(0)
    return said


@pytest.mark.parametrize("window", [pytest.param({}, marks=pytest.mark.slow), PHONE], ids=["desktop", "phone"])
def test_home_offers_both_games_with_a_picture_each(new_context: Callable[..., BrowserContext], window: dict[str, Any]) -> None:
    page = new_context(art=True, **window).new_page()
    page.goto("/")
    group = page.get_by_role("radiogroup", name="Which game?")
    games = group.locator("label")
    expect(games).to_have_count(2)
    for name, players in (("Mandala", "2 players"), ("Mandala Stones", "2–4 players")):
        game = games.filter(has=page.get_by_text(name, exact=True))
        expect(game).to_contain_text(players)
        drawn = game.locator(".picture svg").filter(visible=True).first
        expect(drawn).to_be_visible()
        picture = box(game.locator(".picture"))
        assert picture["width"] > 100
        assert 0 < picture["x"] < picture["x"] + picture["width"] < page.evaluate("innerWidth")
    expect(page.get_by_role("group", name="Players")).to_have_count(0)
    choose_game(page, "Mandala Stones")
    expect(page.get_by_role("group", name="Players").get_by_role("radio")).to_have_count(3)
    expect(page.get_by_text("For two to four")).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Mandala Stones")).to_be_checked()
    assert page.evaluate(WIDER) <= 0


@pytest.mark.slow
def test_four_seats_are_filled_from_the_waiting_room_to_the_first_move(new_context: Callable[..., BrowserContext]) -> None:
    """A phone's owner, a friend by invitation, a seat given to a bot, taken away and given again, and the last one to a bot as well."""
    ana, ben = (StonesPage(new_context(**size).new_page()) for size in (PHONE, {}))
    page = ana.page
    ana.open_home()
    choose_game(page, "Mandala Stones")
    choose_players(page, 4)
    expect(page.get_by_role("combobox", name=re.compile("^Player [234]$"))).to_have_count(3)
    open_options(page).select_option("I begin")
    page.get_by_role("button", name="Open a table").click()
    link, _ = invited(page)
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Which bot").select_option("newcomer")
    seats = page.get_by_role("main").get_by_role("listitem")
    expect(seats).to_have_count(4)
    give, take = (page.get_by_role("button", name=f"Player 4: {what}") for what in ("Give to a bot", "Take the bot away"))
    for button, holder in ((give, "Newcomer"), (take, "Open seat"), (give, "Newcomer")):
        button.click()
        expect(seats.nth(3)).to_contain_text(holder)
    expect(give).to_have_count(0)
    assert page.evaluate(WIDER) <= 0

    ben.page.goto(link)
    free = ben.page.get_by_role("list", name="2 of 4 seats are taken.").get_by_role("listitem")
    expect(free).to_have_text(["Ana", "Open seat", "Open seat", "Newcomer"])
    expect(ben.page.locator("dl div").first).to_have_text(re.compile(r"Who begins\s*Ana"))
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Take the seat").click()
    expect(ben.page.get_by_role("heading", name="Invite your friends")).to_be_visible()
    expect(ben.page.get_by_role("button", name=re.compile("bot"))).to_have_count(0)
    expect(seats.nth(1)).to_contain_text("Ben")

    page.get_by_role("button", name="Fill every seat and begin").click()
    ana.sit()
    ben.sit()
    assert ana.wait_for_turn()
    assert [seat["kind"] for seat in ana.known["table"]["seats"]] == ["person", "person", "bot", "bot"]
    ana.act(ana.choose())
    assert ben.wait_for_turn()
    assert in_step(ben, ana)["view"]["to_move"] == 1
    assert page.evaluate(WIDER) <= 0


@pytest.mark.slow
def test_a_rules_file_is_read_or_refused_in_words(page: Page, watch: Watch) -> None:
    watch.allow("400")
    rules = json.loads(RULESET.read_text())
    rules["name"], rules["mandala"]["end"]["4"] = "short", 70

    def give(name: str, text: str) -> None:
        file: FilePayload = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
        page.get_by_label("Rules file").set_input_files(file)

    def play() -> None:
        page.get_by_role("button", name="Play", exact=True).click()

    table = StonesPage(page)
    table.open_home()
    choose_game(page, "Mandala Stones")
    open_options(page)
    alert = page.get_by_role("alert").filter(has_text=re.compile("."))
    for name, text in (("broken.json", '{"schema": 1'), ("list.json", "[1, 2]"), ("long.json", json.dumps(rules) + " " * 14_000)):
        give(name, text)
        expect(alert).to_have_text(f"“{name}” is no JSON file of at most 14 kB.")
        expect(page.get_by_role("button", name="Remove the file")).to_have_count(0)
    give("wrong.json", json.dumps(rules))
    expect(alert).to_have_count(0)
    play()
    expect(alert).to_have_text(
        "The rules file does not fit at “mandala.end.4”: with 4 players up to 89 stones can lie there, but it has 80 spaces"
    )
    del rules["stones"]["per_pair"]
    give("lacking.json", json.dumps(rules))
    expect(alert).to_have_count(0)
    play()
    expect(alert).to_contain_text("does not fit at “stones.per_pair”")
    assert page.request.get("/api/me/tables").json()["tables"] == []
    rules["stones"]["per_pair"], rules["mandala"]["end"] = 12, {"2": 20, "3": 30, "4": 40}
    give("good.json", json.dumps(rules))
    play()
    table.sit()
    played = table.snapshot()["options"]["ruleset"]
    assert (played["name"], played["mandala"]["end"]["2"]) == ("short", 20)
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("About this table").click()
    expect(page.get_by_role("definition").filter(has_text="own: short")).to_be_visible()


@pytest.mark.slow
def test_others_play_on_when_one_of_three_resigns(new_context: Callable[..., BrowserContext]) -> None:
    ana, ben, cleo = three_at_a_table(new_context)
    assert resign(ana).startswith("A bot plays on for you and the others finish the game")
    for person in (ben, cleo):
        assert person.wait_for_turn()
        person.act(person.choose())
    known = in_step(ben, cleo)
    assert known["table"]["state"] == "running"
    assert [seat.get("resigned", False) for seat in known["table"]["seats"]] == [True, False, False]
    line = ben.page.get_by_role("complementary", name="Table").get_by_role("listitem").filter(has_text="Ana").first
    expect(line).to_contain_text("resigned – a bot plays on")
    expect(ana.page.get_by_text("You are watching").first).to_be_visible()
    expect(ana.page.get_by_role("button", name="Confirm")).to_have_count(0)
    ana.page.get_by_role("button", name="Menu").click()
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Resign this game")).to_have_count(0)


@pytest.mark.slow
def test_a_rematch_of_three_lets_the_next_begin(new_context: Callable[..., BrowserContext]) -> None:
    people = three_at_a_table(new_context)
    before = people[0].table_id
    assert people[0].snapshot()["view"]["to_move"] == 0
    for person in people[:2]:
        assert person.wait_for_turn()
        resign(person)
    for person, outcome in zip(people, ("Cleo won", "Cleo won", "You won"), strict=True):
        expect(person.page.get_by_role("heading", name=outcome, exact=True).first).to_be_visible()
    ana, ben, cleo = (person.page for person in people)
    ana.get_by_role("button", name="Play again").click()
    expect(ana.get_by_text("Asked – waiting for Ben and Cleo").filter(visible=True)).to_be_visible()
    expect(ben.get_by_text("Ana wants to play again · Still missing: Cleo").filter(visible=True)).to_be_visible()
    ben.get_by_role("button", name="Agree and play").click()
    expect(ana.get_by_text("Asked – waiting for Cleo").filter(visible=True)).to_be_visible()
    expect(cleo.get_by_text("Ana and Ben want to play again", exact=True).filter(visible=True)).to_be_visible()
    cleo.get_by_role("button", name="Agree and play").click()
    for person in people:
        person.page.wait_for_url(lambda address: before not in address)
        person.sit()
    known = people[0].snapshot()
    assert people[0].table_id == people[1].table_id == people[2].table_id
    assert [seat["name"] for seat in known["table"]["seats"]] == ["Ana", "Ben", "Cleo"]
    assert known["view"]["to_move"] == 1
    assert people[1].wait_for_turn()


@pytest.mark.slow
def test_your_tables_come_first_with_whose_turn_it_is(page: Page, new_context: Callable[..., BrowserContext]) -> None:
    """Those that wait for the reader before the others; the finished ones below, folded away."""
    ben = new_context().request
    assert ben.put("/api/me", data={"name": "Ben"}).ok
    over = open_table(page.request, {"kind": "bot", "bot": "random"}, first=0)
    assert page.request.post(f"/api/tables/{over}/commands", data={"t": "resign", "id": "give-up"}).ok
    mine = open_seats(page.request, {"kind": "bot", "bot": "random"})
    bens = open_table(page.request, PERSON, first=1)
    code = page.request.get(f"/api/tables/{bens}").json()["table"]["code"]
    assert ben.post(f"/api/tables/{bens}/join", data={"code": code}).ok
    waiting = open_seats(page.request, PERSON, PERSON)
    page.goto("/")
    tables = page.get_by_role("region", name="Your tables").get_by_role("link")
    expect(tables).to_have_count(3)
    expect(tables.first).to_have_text(re.compile("Mandala Stones.*Your turn.*Against Random"))
    expect(tables.first).to_have_attribute("href", f"/t/{mine}")
    said = {link.get_attribute("href"): link.inner_text() for link in tables.all()}
    assert "Ben to play" in said[f"/t/{bens}"]
    assert "Waiting for a player" in said[f"/t/{waiting}"]
    assert box(tables.first)["y"] + box(tables.first)["height"] <= box(page.get_by_role("heading", level=1))["y"]
    page.get_by_text("1 finished game").click()
    expect(page.get_by_role("link", name=re.compile("Random won by resignation"))).to_have_attribute("href", f"/t/{over}")
    tables.first.click()
    expect(page.locator(StonesPage.scene)).to_be_visible()


@pytest.mark.slow
def test_axe_finds_nothing_around_a_table_for_four(new_context: Callable[..., BrowserContext]) -> None:
    """Home, waiting room and invitation, with everything unfolded, by day by every rule, by night by those about colour."""
    page = new_context(bypass_csp=True).new_page()
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        page.evaluate(SETTLED)
        found[f"{name} by day"] = violations(page)
        page.emulate_media(color_scheme="dark")
        page.evaluate(SETTLED)
        found[f"{name} by night"] = violations(page, "color-contrast", "link-in-text-block")
        page.emulate_media(color_scheme="light")

    page.goto("/")
    choose_game(page, "Mandala Stones")
    choose_players(page, 4)
    open_options(page)
    look("home")
    for seat, whose in (("Player 2", "A friend, by link"), ("Player 3", "newcomer"), ("Player 4", "A friend, by link")):
        page.get_by_role("combobox", name=seat).select_option(whose)
    page.get_by_role("button", name="Open a table").click()
    link, _ = invited(page)
    expect(page.get_by_role("button", name="Player 3: Take the bot away")).to_be_visible()
    expect(page.get_by_role("button", name="Fill every seat and begin")).to_be_visible()
    look("waiting room")
    page.goto(link)
    expect(page.get_by_role("button", name="Take the seat")).to_be_visible()
    page.get_by_text("About this table").click()
    look("invitation")
    assert len(found) == 6
    assert [f"{name}: {line}" for name, lines in found.items() for line in lines] == []
