"""A table of Mandala by roles and names: cards, places, stacks; how each action is played; the moments worth looking at."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import Locator, Page
from tests.browser.pages import Stages, Stop, open_table, play_by_interface
from tests.browser.table_page import Manner, TablePage

COLOURS = {"K": "black", "G": "green", "P": "purple", "Y": "yellow", "O": "orange", "R": "red"}
HIDDEN = re.compile(r"\?\d+|-")
ACTION = re.compile(r"(?P<kind>[bfdc])(?P<mandala>[12]?)(?P<colour>[KGPYOR])(?P<count>\d?)")


class MandalaPage(TablePage):
    """One person's browser at a table of Mandala."""

    game = "mandala"
    ready = "[data-hand]:not(.off), button[data-claim]"
    over = ".reckoning"
    scene = "section.hand"
    voice = ".voice"
    art = ".art, .grains"

    def choose(self) -> str:
        """Something that brings the end near; this person's third action is a redraw, so that a game has every kind."""
        view = self.known["view"]
        redraws = [action for action in view["legal"] if action[0] == "d"]
        if len(self.played) >= 2 and redraws and not any(action[0] == "d" for action in self.played):
            return str(self._random.choice(redraws))
        return quickest(view, self._random)

    def check_view(self, view: dict[str, Any], viewer: int | None) -> None:
        """Hands and cups of others are numbers only."""
        assert view["viewer"] == viewer
        for seat, side in enumerate(view["sides"]):
            if seat != viewer:
                assert HIDDEN.fullmatch(side["hand"]), side
                assert HIDDEN.fullmatch(side["dealt"]), side
                assert HIDDEN.fullmatch(side["claimed"]), side
                assert side["points"] is None or view["phase"] == "over", side
        hands = view["notation"].split(" ")[2].split("/")
        assert all(HIDDEN.fullmatch(hands[seat]) for seat in (0, 1) if seat != viewer)
        assert HIDDEN.fullmatch(view["notation"].split(" ")[5])

    def check_event(self, event: dict[str, Any], viewer: int | None) -> None:
        """What the other drew is a number; what the log says of their draws shows no colour."""
        if event.get("type") == "draw" and event["seat"] != viewer:
            assert HIDDEN.fullmatch(event["cards"]), event
        if event.get("kind") == "action" and event["seat"] != viewer and event["move"][0] in "bd":
            assert re.fullmatch(r"[^>]+>(\?\d+[KGPYOR]*)?", event["move"]), event

    def secrets(self, view: dict[str, Any]) -> set[str]:
        """The hand, if it is a set of five and more cards of several colours: those are all but unique."""
        return unusual([view["sides"][view["viewer"]]["hand"]])

    def public(self, view: dict[str, Any]) -> set[str]:
        """Such sets on mountains, in fields and in the discard pile."""
        return unusual([view["discard"], *(cards for each in view["mandalas"] for cards in (each["mountain"], *each["fields"]))])

    @property
    def hand(self) -> Locator:
        """The own hand."""
        return self.page.get_by_role("region", name="Your hand")

    def card(self, colour: str, number: int) -> Locator:
        """The ``number``-th card (from 1) of a colour in hand."""
        return self.hand.get_by_role("button", name=re.compile(f"^{COLOURS[colour]}, card {number} of", re.IGNORECASE))

    def place(self, kind: str, mandala: str) -> Locator:
        """Where a card goes: a mountain, an own field, the discard pile."""
        names = {"b": f"Mountain of mandala {mandala}:", "f": f"Your field in mandala {mandala}:", "d": "Deck: "}
        return self.page.get_by_role("button", name=re.compile("^" + re.escape(names[kind])))

    def perform(self, action: str, manner: Manner) -> None:
        """Play ``b1Y``, ``f2K3``, ``d4R`` or ``cG``."""
        parts = ACTION.fullmatch(action)
        assert parts is not None, action
        if parts["kind"] == "c":
            self._claim(parts["colour"], by_keys=manner == "keys")
        elif manner == "keys":
            self._by_keys(parts)
        elif manner == "drag":
            self._by_drag(parts)
        else:
            self._by_taps(parts)

    def _by_taps(self, parts: re.Match[str]) -> None:
        for number in range(1, int(parts["count"] or 1) + 1):
            self.card(parts["colour"], number).click()
        self.place(parts["kind"], parts["mandala"]).click()
        self.page.get_by_role("button", name="Confirm").click()

    def _by_drag(self, parts: re.Match[str]) -> None:
        count = int(parts["count"] or 1)
        for number in range(1, count + 1) if count > 1 else ():
            self.card(parts["colour"], number).click()
        card = self.card(parts["colour"], 1)
        box = card.bounding_box()
        target = self.place(parts["kind"], parts["mandala"]).bounding_box()
        assert box is not None
        assert target is not None
        mouse = self.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse.down()
        mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=5)
        mouse.up()

    def _by_keys(self, parts: re.Match[str]) -> None:
        keyboard = self.page.keyboard
        for _ in range(int(parts["count"] or 1)):
            keyboard.press(parts["colour"].lower())
        self.walk_to(self.place(parts["kind"], parts["mandala"]))
        keyboard.press("Enter")
        keyboard.press("Enter")

    def _claim(self, colour: str, *, by_keys: bool) -> None:
        if by_keys:
            self.page.keyboard.press(colour.lower())
            self.page.keyboard.press("Enter")
            return
        self.page.get_by_role("button", name=re.compile(rf"^\d+ {COLOURS[colour]}: ")).click()
        self.page.get_by_role("button", name="Confirm").click()


def unusual(sets: list[str]) -> set[str]:
    """How sets of five and more cards of several colours stand in a message, alone or in a position line."""
    large = [cards for cards in sets if sum(map(int, re.findall(r"\d+", cards))) >= 5 and len(cards) >= 6]
    return {text for cards in large for text in (f'"{cards}"', f" {cards}/", f"/{cards} ")}


def quickest(view: dict[str, Any], rng: random.Random) -> str:
    """The legal action that brings the end nearest: colours that a mandala lacks, own fields not empty, new colours for the river."""
    best: list[str] = []
    least: tuple[int, ...] | None = None
    for choice in view["choices"]:
        for effect in choice["effects"]:
            cost = _distance(view, choice, effect)
            if least is None or cost < least:
                least, best = cost, []
            if cost == least:
                best.append(effect["action"])
    return rng.choice(best)


def _distance(view: dict[str, Any], choice: dict[str, Any], effect: dict[str, Any]) -> tuple[int, ...]:
    if choice["kind"] == "claim":
        return (0, effect.get("river_place") is None, effect.get("discarded", 0) > 0)
    if choice["kind"] == "redraw":
        return (6, 0, -effect["count"])
    empty = view["mandalas"][choice["mandala"]]["fields"][view["viewer"]] == "-"
    return (len(effect.get("missing", "")), (choice["kind"] == "build") == empty, effect["count"])


# --- moments worth looking at -----------------------------------------------------------------------


def claiming(snapshot: dict[str, Any]) -> bool:
    """Whether this guest has to claim."""
    return bool(snapshot["view"]["phase"] == "claim" and snapshot["view"]["legal"])


def midway(snapshot: dict[str, Any]) -> bool:
    """Whether there is something to see, and this guest has a turn."""
    return bool(snapshot["ply"] >= 16 and snapshot["view"]["phase"] == "turn" and snapshot["view"]["legal"])


def make_stages(stages: Stages) -> None:
    """Bring one table to each moment."""
    for name, until in {"start": None, "middle": midway, "claiming": claiming, "end": lambda _: False}.items():
        for seed in range(20):
            table = open_table(stages.request, {"kind": "bot", "bot": "random"}, first=0)
            if until is None or play_by_interface(stages.request, table, until, quickest, seed) or name == "end":
                stages.tables[name] = table
                break
        else:
            raise AssertionError(f"no table came to {name!r} in 20 games")


def hold(page: Page) -> None:
    """Lift a card, so that its places light up."""
    page.locator("[data-hand]").nth(2).click()


STOPS = (
    Stop("start", "[data-hand]"),
    Stop("middle", "[data-hand]", then=hold, undo="Escape"),
    Stop("claiming", "[data-claim]"),
    Stop("end", ".reckoning"),
)
"""The moments of a game; in the middle a card is held."""
