"""A table of Mandala Stones by roles and names: artists, stacks, spaces; how each action is played; the moments worth looking at."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import Locator, Page
from tests.browser.pages import Stages, Stop, play_by_interface
from tests.browser.table_page import Manner, TablePage

COLOURS = {"Y": "yellow", "R": "red", "B": "blue", "P": "purple"}
PICK = re.compile(r"pA(?P<artist>\d)-A(?P<to>\d):S(?P<first>\d\d)@(?P<space>\d)")
COVERED = re.compile(r"(\([yrbp]\))*[YRBPyrbp]?")
FULL = 4
"""Towers that this player wants before scoring; enough for a game to be quick, and to hold every kind of action."""
ARROW = """([from, to]) => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [[x0, y0], [x1, y1]] = [middle(from.getBoundingClientRect()), middle(to.getBoundingClientRect())];
  if (Math.abs(y1 - y0) > 24) return y1 > y0 ? 'ArrowDown' : 'ArrowUp';
  return x1 > x0 ? 'ArrowRight' : 'ArrowLeft';
}"""
"""The arrow that leads from one element towards another: first to its row, then along it."""


class StonesPage(TablePage):
    """One person's browser at a table of Mandala Stones."""

    game = "stones"
    ready = ".status[data-ready]"
    over = ".reckoning"
    scene = ".score"
    voice = ".status p"
    art = ".stones svg"

    def choose(self) -> str:
        """Something that brings the end near; the first ways to score are a colour and single stones, so that a game has every kind."""
        view = self.known["view"]
        for kind in "sq":
            ways = [action for action in view["legal"] if action[0] == kind]
            if ways and len(self.played) > 3 and not any(action[0] == kind for action in self.played):
                return str(ways[-1])
        return quickest(view, self._random)

    def check_view(self, view: dict[str, Any], viewer: int | None) -> None:
        """Objectives of others are not there; a covered stone shows its colour, never its pattern."""
        assert view["viewer"] == viewer
        for seat, side in enumerate(view["sides"]):
            assert (side["objectives"] is None) == (seat != viewer), side
        assert all(COVERED.fullmatch(stack) for stack in view["stacks"]), view["stacks"]
        stacks, *_, objectives, _turn, _flags = view["notation"].split(" ")
        assert all(stack == "-" or COVERED.fullmatch(stack) for stack in stacks.split(",")), stacks
        assert [text == "?" for text in objectives.split("/")] == [seat != viewer for seat in range(len(view["sides"]))]

    def check_event(self, event: dict[str, Any], viewer: int | None) -> None:
        """A stone comes to light one at a time: nothing of what lies beneath it."""
        if event.get("type") == "uncover":
            assert all(len(each["stone"]) == 1 for each in event["stones"]), event

    def secrets(self, view: dict[str, Any]) -> set[str]:
        """The own objectives, as a view holds them (the ruleset names every card, but with other things)."""
        return {f'{{"id":"{card["id"]}","points":' for card in view["sides"][view["viewer"]]["objectives"]}

    # --- what lies there ------------------------------------------------------------------------------

    def artist(self, space: int | str) -> Locator:
        """The artist on a space."""
        return self.page.get_by_role("button", name=re.compile(rf"^(Star|Circle) artist on A{space}$"))

    def vacant(self, space: int | str) -> Locator:
        """A vacant artist space, whatever it promises."""
        return self.page.get_by_role("button", name=re.compile(rf"^Space A{space}[:,]"))

    def stack(self, stack: int | str) -> Locator:
        """A stack of the main board."""
        return self.page.get_by_role("button", name=re.compile(rf"^Stack S{int(stack):02}:"))

    def space(self, space: int | str) -> Locator:
        """One of the own five spaces."""
        return self.page.get_by_role("button", name=re.compile(rf"^Your space {space}:"))

    def colour(self, colour: str) -> Locator:
        """The way to score a colour."""
        return self.page.get_by_role("button", name=re.compile(rf"^(Score )?{COLOURS[colour]}\b", re.IGNORECASE))

    @property
    def confirm(self) -> Locator:
        """Plays what is chosen."""
        return self.page.get_by_role("button", name="Confirm")

    # --- acting ---------------------------------------------------------------------------------------

    def perform(self, action: str, manner: Manner) -> None:
        """Play ``pA2-A5:S09@3``, ``sY`` or ``q135``."""
        if pick := PICK.fullmatch(action):
            self._pick(pick, manner)
        elif manner == "keys":
            self.page.keyboard.press(action[1].lower() if action[0] == "s" else "q")
            for space in action[1:] if action[0] == "q" else ():
                self.page.keyboard.press(space)
            self.page.keyboard.press("Enter")
        else:
            self._score(action)
            self.confirm.click()

    def _score(self, action: str) -> None:
        if action[0] == "s":
            self.colour(action[1]).click()
            return
        self.page.get_by_role("button", name=re.compile("^Single stones")).click()
        for space in action[1:]:
            self.space(space).click()

    def _pick(self, pick: re.Match[str], manner: Manner) -> None:
        choices = self.known["view"]["choices"]
        ways = next(each for each in choices["picks"] if each["artist"] == int(pick["artist"]) and each["to"] == int(pick["to"]))
        first = self.stack(pick["first"]) if len(ways["firsts"]) > 1 else None
        space = pick["space"] if len(choices["spaces"]) > 1 else None
        if manner == "keys":
            self._pick_by_keys(pick, first)
            if space:
                self.page.keyboard.press("Enter")
            return
        if manner == "drag":
            self._draw(self.artist(pick["artist"]), self.vacant(pick["to"]))
        else:
            self.artist(pick["artist"]).click()
            self.vacant(pick["to"]).click()
        if first:
            first.click()
        if space and manner == "drag":
            self._draw(self.page.locator(".status .tower"), self.space(space))
            return
        if space:
            self.space(space).click()
        self.confirm.click()

    def _pick_by_keys(self, pick: re.Match[str], first: Locator | None) -> None:
        for target in (self.artist(pick["artist"]), self.vacant(pick["to"]), *([first] if first else [])):
            self.arrow_to(target)
            self.page.keyboard.press("Enter")
        self.page.keyboard.press(pick["space"])

    def arrow_to(self, target: Locator) -> None:
        """Bring the focus to something on the main board with the arrows."""
        goal = target.element_handle()
        for _ in range(24):
            here = self.page.evaluate_handle("document.activeElement").as_element()
            assert here is not None
            if here.evaluate("(here, goal) => here === goal", goal):
                return
            self.page.keyboard.press(self.page.evaluate(ARROW, [here, goal]))
        raise AssertionError(f"the arrows never reach {target}")

    def _draw(self, what: Locator, to: Locator) -> None:
        """Drag one thing to another, by the places where they stand: what is drawn may be taller than its button."""
        mouse = self.page.mouse
        for number, element in enumerate((what, to)):
            box = element.bounding_box()
            assert box is not None
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7, steps=1 + 3 * number)
            if number == 0:
                mouse.down()
        mouse.up()


def quickest(view: dict[str, Any], rng: random.Random) -> str:
    """The legal action that brings the end nearest: many stones to the mandala, and before that many stones to the towers."""
    choices = view["choices"]
    towers = [space for space, tower in enumerate(view["sides"][view["viewer"]]["towers"], 1) if tower]
    colours = [way for way in choices["colours"] if not way["refusal"]]
    picks = [pick for pick in choices["picks"] if pick["firsts"]]
    if picks and len(towers) < FULL:
        most = max(len(pick["firsts"]) for pick in picks)
        pick = rng.choice([pick for pick in picks if len(pick["firsts"]) == most])
        first = rng.choice(pick["firsts"])["stack"]
        return f"pA{pick['artist']}-A{pick['to']}:S{first:02}@{rng.choice(choices['spaces'])}"
    if colours and rng.random() < 0.4:
        way = max(colours, key=lambda way: len(way["stones"]))
        return str(way["action"])
    return "q" + "".join(map(str, towers))


# --- moments worth looking at -----------------------------------------------------------------------


def open_seats(request: Any, *others: dict[str, str], options: dict[str, Any] | None = None, join: bool = True) -> str:
    """Open a table for this guest and ``others``, this guest to begin, and sit down; its id."""
    body = {"game": "stones", "options": options or {}, "seats": [{"kind": "person"}, *others], "first": 0}
    answer = request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    table: str = answer.json()["id"]
    if join:
        joined = request.post(f"/api/tables/{table}/join", data={})
        assert joined.ok, joined.text()
    return table


def midway(snapshot: dict[str, Any]) -> bool:
    """Whether there is something to see and a colour to score, and this guest has a turn."""
    choices = (snapshot["view"] or {}).get("choices")
    return bool(snapshot["ply"] >= 14 and choices and choices["spaces"] and any(not way["refusal"] for way in choices["colours"]))


def make_stages(stages: Stages) -> None:
    """Bring one table to each moment: against one bot, and in the middle also against three."""
    bot = {"kind": "bot", "bot": "random"}
    moments = {"start": (None, 1), "middle": (midway, 1), "scoring": (midway, 1), "four": (midway, 3), "end": (lambda _: False, 1)}
    for name, (until, bots) in moments.items():
        for seed in range(20):
            table = open_seats(stages.request, *[bot] * bots)
            if until is None or play_by_interface(stages.request, table, until, quickest, seed) or name == "end":
                stages.tables[f"stones {name}"] = table
                break
        else:
            raise AssertionError(f"no table came to {name!r} in 20 games")


def lift(page: Page) -> None:
    """Choose an artist that can go somewhere, and a place where it gains something."""
    page.locator(".space.can").first.click()
    goals = page.locator(".space.goal")
    if goals.count():
        goals.first.click()


def score(page: Page) -> None:
    """Choose a colour that can be scored."""
    page.locator("[data-colour]:not(.off)").first.click()


STOPS = (
    Stop("stones start", ".status[data-ready]"),
    Stop("stones middle", ".status[data-ready]", then=lift, undo="Escape"),
    Stop("stones scoring", ".status[data-ready]", then=score, undo="Escape"),
    Stop("stones four", ".status[data-ready]"),
    Stop("stones end", ".reckoning"),
)
"""The moments of a game; in the middle an artist is on its way."""
