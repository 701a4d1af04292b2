"""The table as a person finds it: by roles and names. Plays actions by pointer, by drag or by keyboard."""

from __future__ import annotations

import random
import re
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

COLOURS = {"K": "black", "G": "green", "P": "purple", "Y": "yellow", "O": "orange", "R": "red"}
ACTION = re.compile(r"(?P<kind>[bfdc])(?P<mandala>[12]?)(?P<colour>[KGPYOR])(?P<count>\d?)")
Manner = Literal["tap", "drag", "keys"]


class TablePage:
    """One person's browser at one table, in English."""

    def __init__(self, page: Page, seed: int = 0) -> None:
        self.page = page
        self._random = random.Random(seed)

    # --- the way to a table ---------------------------------------------------------------------------

    def open_home(self) -> None:
        """Go to the first page."""
        self.page.goto("/")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def play_bot(self, bot: str = "Random") -> None:
        """From the first page to a running game against a bot."""
        self.open_home()
        self.page.get_by_role("radio", name=bot).check()
        self.page.get_by_role("button", name="Play", exact=True).click()
        self.page.wait_for_url("**/t/*")
        expect(self.hand).to_be_visible()

    def open_for_friend(self) -> str:
        """From the first page to the waiting room; the invitation link."""
        self.open_home()
        self.page.get_by_role("button", name="Open a table").click()
        self.page.wait_for_url("**/t/*")
        return self.page.get_by_label("Invitation link").input_value()

    def accept(self, link: str, name: str) -> None:
        """Follow an invitation and take the seat."""
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take the seat").click()
        self.page.wait_for_url("**/t/*")
        expect(self.hand).to_be_visible()

    # --- what lies there ------------------------------------------------------------------------------

    @property
    def table_id(self) -> str:
        """From the address."""
        return self.page.url.rstrip("/").rpartition("/")[2]

    @property
    def hand(self) -> Locator:
        """The own hand."""
        return self.page.get_by_role("region", name="Your hand")

    @property
    def scene(self) -> Locator:
        """The action bar: one sentence, and the buttons that belong to it."""
        return self.page.locator(".voice")

    def snapshot(self) -> dict[str, Any]:
        """What this person may know, asked from the server with the page's own cookie."""
        answer = self.page.request.get(f"/api/tables/{self.table_id}")
        assert answer.ok, answer.text()
        snapshot: dict[str, Any] = answer.json()
        return snapshot

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.snapshot()["table"]["state"] == "over")

    def skip(self) -> None:
        """A press anywhere on the table shows the newest picture at once."""
        if self.hand.is_visible():
            self.hand.dispatch_event("pointerdown")

    def wait_for_turn(self, *, by_keys: bool = False) -> bool:
        """Wait until this person can act; ``False`` when the game is over."""
        ready = self.hand.locator("button:not(.off)").or_(self.page.locator("button[data-claim]"))
        over = self.page.get_by_role("button", name="Show the table")
        for _ in range(100):
            if over.is_visible():
                return False
            if ready.first.is_visible():
                return True
            if not by_keys:
                self.skip()
            self.page.wait_for_timeout(60)
        raise AssertionError(f"neither a turn nor the end: {self.scene.inner_text()!r}")

    # --- acting ---------------------------------------------------------------------------------------

    def choose(self) -> str:
        """One of the legal actions, mostly one that brings a mandala closer to its end; the same for the same seed."""
        view = self.snapshot()["view"]
        assert view["legal"], "asked for a choice although it is not this person's turn"
        near = {effect["action"]: len(effect.get("missing", "")) for choice in view["choices"] for effect in choice["effects"]}
        legal: list[str] = view["legal"]
        goal = min(near[action] if action[0] in "bf" else 6 for action in legal)
        good = [action for action in legal if action[0] in "bf" and near[action] == goal] or legal
        return self._random.choice(good if self._random.random() < 0.8 else legal)

    def act(self, action: str, manner: Manner = "tap") -> None:
        """Play an action and wait until it has been sent and answered."""
        parts = ACTION.fullmatch(action)
        assert parts is not None, action
        before = self.snapshot()["v"]
        if parts["kind"] == "c":
            self._claim(parts["colour"], by_keys=manner == "keys")
        elif manner == "keys":
            self._by_keys(parts)
        elif manner == "drag":
            self._by_drag(parts)
        else:
            self._by_taps(parts)
        for _ in range(100):
            if self.snapshot()["v"] > before:
                return
            self.page.wait_for_timeout(30)
        raise AssertionError(f"{action} was not played: {self.scene.inner_text()!r}")

    def card(self, colour: str, number: int) -> Locator:
        """The ``number``-th card (from 1) of a colour in hand."""
        return self.hand.get_by_role("button", name=re.compile(f"^{COLOURS[colour]}, card {number} of", re.IGNORECASE))

    def place(self, kind: str, mandala: str) -> Locator:
        """Where a card goes: a mountain, an own field, the discard pile."""
        names = {"b": f"Mountain of mandala {mandala}:", "f": f"Your field in mandala {mandala}:", "d": "Deck: "}
        return self.page.get_by_role("button", name=re.compile("^" + re.escape(names[kind])))

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
        mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=8)
        mouse.up()

    def _by_keys(self, parts: re.Match[str]) -> None:
        keyboard = self.page.keyboard
        for _ in range(int(parts["count"] or 1)):
            keyboard.press(parts["colour"].lower())
        self.walk_to(self.place(parts["kind"], parts["mandala"]))
        keyboard.press("Enter")
        keyboard.press("Enter")

    def _claim(self, colour: str, *, by_keys: bool) -> None:
        stack = self.page.get_by_role("button", name=re.compile(rf"^\d+ {COLOURS[colour]}: "))
        if by_keys:
            self.page.keyboard.press(colour.lower())
            self.page.keyboard.press("Enter")
            return
        stack.click()
        self.page.get_by_role("button", name="Confirm").click()

    def walk_to(self, target: Locator) -> None:
        """Bring the focus to something with Tab and Shift+Tab alone."""
        handle = target.element_handle()
        where = """(goal) => document.activeElement === goal ? 'here'
          : document.activeElement.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_PRECEDING ? 'before' : 'after'"""
        for _ in range(120):
            place = self.page.evaluate(where, handle)
            if place == "here":
                return
            self.page.keyboard.press("Shift+Tab" if place == "before" else "Tab")
        raise AssertionError(f"the Tab key never reaches {target}")

    def play_to_the_end(self, manners: tuple[Manner, ...] = ("tap",), limit: int = 250) -> int:
        """Act whenever it is this person's turn; return the number of own actions."""
        for number in range(limit):
            if not self.wait_for_turn(by_keys=manners == ("keys",)):
                return number
            self.act(self.choose(), manners[number % len(manners)])
        raise AssertionError(f"no end after {limit} own actions")
