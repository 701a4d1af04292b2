"""Mandala Stones in the browser: two and four players to the end, by tap, by drag and by keyboard; wishes answered; what may be known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.secrecy import check_everything
from tests.browser.stones_page import StonesPage, open_seats
from tests.browser.table_page import in_step
from tests.browser.watching import Ear

BOT = {"kind": "bot", "bot": "random"}
PERSON = {"kind": "person"}
RULESET = Path(__file__).resolve().parents[2] / "src" / "sandriver" / "games" / "stones" / "ruleset.json"


ARRIVALS = """() => {
  const sum = document.querySelector('.own .points > [aria-hidden]');
  const seen = (window.arrivals = []);
  const look = (records) => {
    const now = Number(sum.textContent);
    const won = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.className === 'won');
    for (const _ of won) seen.push(['won', now]);
    if (seen.length && seen.at(-1)[1] !== now) seen.push(['sum', now]);
  };
  new MutationObserver(look).observe(document.querySelector('.stones'), { subtree: true, childList: true, characterData: true });
}"""
"""Notes the own sum whenever points appear that are on their way, and whenever it changes after that."""

BADGES = """() => [...document.querySelectorAll('.badge')].flatMap((badge) => {
  const { x, y, width, height } = badge.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button');
  return found === badge.closest('button') ? [] : [`${badge.textContent} of ${badge.closest('button').dataset.at}`];
})"""
"""The badges of stacks whose middle belongs to something else."""
WATCH = """() => {
  const seen = (window.seen = []);
  const look = () => {
    const own = [...document.querySelectorAll('.score small')].slice(0, 4).every((small) => small.textContent);
    const rings = document.querySelectorAll('.was, ellipse.mark').length;
    const now = [document.querySelector('.status p').textContent, own, rings];
    if (JSON.stringify(seen.at(-1)) !== JSON.stringify(now)) seen.push(now);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes from now on, whenever one of them changes: the sentence, whether every colour says how many towers, how many rings there are."""


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext]) -> Page:
    """A phone's browser."""
    return new_context(viewport={"width": 360, "height": 740}, has_touch=True).new_page()


def sit_down(page: Page, *others: dict[str, str], seed: int = 0, **options: Any) -> StonesPage:
    """Open a table, this guest to begin, and look at it."""
    table = StonesPage(page, seed)
    page.goto(f"/t/{open_seats(page.request, *others, **options)}")
    table.sit()
    return table


def sooner() -> dict[str, Any]:
    """Options with a ruleset of the table's own: as the one shipped, but the end is nearer."""
    ruleset: dict[str, Any] = json.loads(RULESET.read_text())
    ruleset["name"] = "sooner"
    ruleset["mandala"]["end"] = {"2": 16, "3": 18, "4": 20}
    return {"ruleset": ruleset}


def check_end(table: StonesPage) -> None:
    """The end is shown as the server reckons it: every sum is the points of the game and the better objective."""
    snapshot = table.snapshot()
    assert snapshot["table"]["ended_by"] in {"end_space", "stuck"}
    for seat, side in enumerate(snapshot["view"]["reckoning"]):
        best = max(card["points"] for card in side["objectives"])
        assert side["total"] == side["track"] + best
        assert side["objectives"][side["best"]]["points"] == best
        assert snapshot["view"]["sides"][seat]["score"] == side["track"]
        expect(table.page.locator(".reckoning").get_by_text(str(side["total"]), exact=True).filter(visible=True).first).to_be_visible()


def test_two_players_to_the_end_on_a_phone(phone: Page) -> None:
    table = sit_down(phone, {"kind": "bot", "bot": "apprentice"}, seed=1)
    actions = table.play_to_the_end(("tap", "drag"))
    assert actions > 8
    assert {action[0] for action in table.played} == {"p", "s", "q"}
    check_end(table)
    assert phone.request.get(f"/api/tables/{table.table_id}/record").ok


@pytest.mark.slow  # always: two play to the end, four sit in test_stones_looks.py, two people are watched in test_two_people.py
def test_four_players_two_of_them_bots_to_the_end(new_context: Callable[..., BrowserContext]) -> None:
    """By invitation, with rules of their own; each reloads once; everything sent to the two people and to a spectator is searched."""
    ana, ben = (StonesPage(new_context().new_page(), seed=seed) for seed in (1, 2))
    ana.page.goto(f"/t/{open_seats(ana.page.request, PERSON, BOT, BOT, options=sooner())}")
    ben.accept(ana.page.get_by_label("Invitation link").input_value(), "Ben")
    expect(ana.mine).to_be_visible()
    watching = new_context().new_page()
    ear = Ear(watching)
    watching.goto(ana.page.url)
    expect(watching.get_by_text("You are watching").first).to_be_visible()
    people = [ana, ben]
    reloads = {3: ana, 4: ben}
    for number in range(120):
        if number in reloads:
            reloads[number].reload()
        if not all(person.wait_for_turn() for person in people[number % 2 : number % 2 + 1]):
            break
        people[number % 2].act(people[number % 2].choose())
    known = in_step(ana, ben)
    assert known["table"]["state"] == "over"
    assert len(known["view"]["sides"]) == 4
    assert known["view"]["mandala"]["end"] == 20
    for person in people:
        assert not person.wait_for_turn()
        check_end(person)
    expect(watching.locator(ana.over)).to_be_visible()
    check_everything(people, ear, least=20)


@pytest.mark.slow
def test_whole_game_by_keyboard(page: Page) -> None:
    table = sit_down(page, {"kind": "bot", "bot": "apprentice"}, seed=4, options=sooner())
    assert table.play_to_the_end(("keys",)) > 4
    assert {action[0] for action in table.played} == {"p", "s", "q"}
    check_end(table)


def test_escape_takes_back_step_by_step(page: Page) -> None:
    table = sit_down(page, BOT)
    assert table.wait_for_turn()
    pick = next(pick for pick in table.known["view"]["choices"]["picks"] if len(pick["firsts"]) > 1)
    table.artist(pick["artist"]).click()
    table.vacant(pick["to"]).click()
    table.stack(pick["firsts"][0]["stack"]).click()
    table.space(4).click()
    expect(table.says).to_contain_text("to space 4")
    expect(table.confirm).to_be_enabled()
    for words in ("choose an empty space", "for the bottom of your tower", "choose a lit space", "Your turn"):
        page.keyboard.press("Escape")
        expect(table.says).to_contain_text(words)
    expect(table.confirm).to_have_count(0)


def test_illegal_wishes_are_answered_in_words(page: Page) -> None:
    """The questions that players ask: what cannot be done is said, and nothing is played."""
    table = sit_down(page, BOT, seed=5)
    assert table.wait_for_turn()
    picks = table.known["view"]["choices"]["picks"]
    while not (bare := [pick for pick in picks if pick["refusal"] and pick["refusal"]["code"] == "nothing_gained"]):
        table.act(table.choose())
        assert table.wait_for_turn()
        picks = table.known["view"]["choices"]["picks"]
    version = table.known["v"]
    table.stack(1).click()
    expect(table.says).to_contain_text("First choose one of the four artists")
    table.artist(bare[0]["artist"]).click()
    table.vacant(bare[0]["to"]).click()
    expect(table.says).to_contain_text(f"Nothing to take on A{bare[0]['to']}")
    expect(table.says).to_contain_text("A move must gain at least one stone")
    refused = {"pattern": "The pattern does not fit", "blocked": "Any other artist blocks", "empty": "This stack is empty"}
    met = set()
    for pick in picks:
        wanted = {each["refusal"]: each["stack"] for each in pick["yields"] if each.get("refusal") and each["refusal"] not in met}
        if pick["refusal"] or not wanted:
            continue
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        table.artist(pick["artist"]).click()
        table.vacant(pick["to"]).click()
        for code, stack in wanted.items():
            table.stack(stack).click()
            expect(table.says).to_contain_text(refused[code])
            met.add(code)
    assert met >= {"pattern", "blocked"}
    few = next(way for way in table.known["view"]["choices"]["colours"] if way["refusal"])
    table.colour(few["colour"]).click()
    expect(table.says).to_contain_text("at least 2 of your towers")
    assert table.snapshot()["v"] == version


@pytest.mark.slow
def test_a_full_board_and_a_whole_colour(page: Page) -> None:
    """With five towers nothing can be picked, and of a colour that is scored no tower can be left out."""
    table = sit_down(page, BOT, seed=6)
    ways: list[dict[str, Any]] = []
    while True:
        assert table.wait_for_turn()
        view = table.known["view"]
        ways = [way for way in view["choices"]["colours"] if not way["refusal"]]
        if ways and not view["choices"]["spaces"]:
            break
        picks = [action for action in view["legal"] if action[0] == "p"]
        table.act(picks[0] if picks else view["legal"][-1])
    expect(table.says).to_contain_text("your five spaces are full, so score")
    vacant = next(space for space in range(1, 10) if all(artist["space"] != space for artist in view["artists"]))
    for touched in (table.artist(view["artists"][0]["space"]), table.stack(1), table.vacant(vacant)):
        page.keyboard.press("Escape")
        touched.click()
        expect(table.says).to_contain_text("towers never grow: score first")
    first, *_ = ways[0]["stones"]
    table.space(first["space"]).click()
    expect(table.says).to_contain_text(f"{ways[0]['points']} point")
    table.space(first["space"]).click()
    expect(table.says).to_contain_text("none may be left out")
    table.confirm.click()
    assert table.wait_for_turn()
    assert view["mandala"]["stones"] != table.known["view"]["mandala"]["stones"]


def test_own_objectives_lie_open_for_their_owner(page: Page) -> None:
    table = sit_down(page, BOT)
    assert table.wait_for_turn()
    page.get_by_role("button", name=re.compile("^Your objectives:")).click()
    sheet = page.get_by_role("dialog", name="Your objectives")
    expect(sheet.get_by_role("listitem")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


@pytest.mark.slow
def test_points_count_when_they_have_arrived(new_context: Callable[..., BrowserContext]) -> None:
    """While points are in the air the sum is the old one; it grows with each that arrives."""
    page = new_context(reduced_motion="no-preference", art=True).new_page()
    table = sit_down(page, BOT, seed=6)
    while True:
        assert table.wait_for_turn()
        view = table.known["view"]
        ways = [way for way in view["choices"]["colours"] if not way["refusal"]]
        if ways:
            break
        picks = [action for action in view["legal"] if action[0] == "p"]
        table.act(picks[0] if picks else view["legal"][-1])
    before, points = view["sides"][0]["score"], ways[0]["points"]
    page.evaluate(ARRIVALS)
    table.act(ways[0]["action"])
    expect(page.locator(".own .points > [aria-hidden]")).to_have_text(str(before + points))
    expect(page.locator(".air")).to_have_count(0)
    arrivals = [(kind, score) for kind, score in page.evaluate("window.arrivals") if score <= before + points]
    assert arrivals[0] == ("won", before)
    sums = [score for kind, score in arrivals if kind == "sum"]
    assert sums == sorted(set(sums))
    assert sums[-1] == before + points


@pytest.mark.slow
def test_every_badge_can_be_touched_on_a_phone(phone: Page) -> None:
    """Whatever space an artist is brought to: what is said of the stacks beside it lies on top, and belongs to its stack."""
    table = sit_down(phone, BOT, seed=2)
    seen: set[int] = set()
    for _ in range(20):
        assert table.wait_for_turn()
        for pick in table.known["view"]["choices"]["picks"]:
            if pick["to"] in seen or pick["refusal"]:
                continue
            for _ in range(3):
                phone.keyboard.press("Escape")
            table.artist(pick["artist"]).click()
            table.vacant(pick["to"]).click()
            expect(phone.locator(".badge").first).to_be_visible()
            assert phone.evaluate(BADGES) == [], pick
            # What it would gain is said by the stacks now; the space shows who comes.
            expect(phone.locator(f"[data-artist-space='{pick['to']}'] .gain")).to_have_count(0)
            seen.add(pick["to"])
        if len(seen) == 9:
            return
        for _ in range(3):
            phone.keyboard.press("Escape")
        table.act(table.choose())
    raise AssertionError(f"only {seen} were ever free")


@pytest.mark.slow
def test_nothing_wrong_is_said_between_a_move_and_the_next(new_context: Callable[..., BrowserContext]) -> None:
    """From Confirm to the next turn: no prompt that does not hold, no number that comes and goes, and nobody's marks on own stones."""
    page = new_context(reduced_motion="no-preference", art=True).new_page()
    table = sit_down(page, BOT, seed=3)
    for _ in range(2):
        assert table.wait_for_turn()
        table.act(next(action for action in table.known["view"]["legal"] if action[0] == "p"))
    assert table.wait_for_turn()
    pick = next(action for action in table.known["view"]["legal"] if action[0] == "p")
    page.evaluate(WATCH)
    table.act(pick)
    expect(table.says).to_contain_text("Your turn")
    seen = page.evaluate("window.seen")
    assert all(own for _, own, _ in seen)
    sentences = [sentence for sentence, *_ in seen]
    moves = [i for i, sentence in enumerate(sentences) if " artist to A" in sentence]
    assert moves
    assert sentences[moves[0]].startswith("You:")
    assert not [sentence for sentence in sentences[moves[0] : -1] if "Your turn" in sentence]
    others = next(i for i, sentence in enumerate(sentences) if i > moves[0] and sentence.startswith("Random:"))
    assert not any(rings for _, _, rings in seen[moves[0] : others])
    assert seen[-1][2] or " scored " in " ".join(sentences[others:])


@pytest.mark.slow
def test_a_round_of_bots_can_be_cut_short(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(reduced_motion="no-preference").new_page()
    table = sit_down(page, BOT, BOT, BOT, seed=4)
    assert table.wait_for_turn()
    table.perform(next(action for action in table.known["view"]["legal"] if action[0] == "p"), "tap")
    page.get_by_role("button", name="Skip the wait").click()
    expect(table.says).to_contain_text("Your turn", timeout=5000)
