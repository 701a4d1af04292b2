"""A table as a person finds it, whatever is played there: the ways to it, waiting for one's turn, acting, walking by Tab.

A game's own page object (``mandala_page.py``) says how its actions are played by pointer, by drag and by keyboard.
"""

from __future__ import annotations

import json
import random
from typing import Any, ClassVar, Literal, Self

from playwright.sync_api import Locator, Page, expect
from tests.browser.watching import Ear

Manner = Literal["tap", "drag", "keys"]

# One look at the page: whether the end stands there, or something that can be played with. While neither does, a press on the
# table (unless it is played by keys) shows the newest picture at once, as it does for everybody who does not want to wait.
LOOK = """([ready, over, scene, byKeys]) => {
  const seen = (css) => [...document.querySelectorAll(css)].some((element) => element.checkVisibility({ visibilityProperty: true }));
  if (seen(over)) return 'over';
  if (seen(ready)) return 'turn';
  if (!byKeys) document.querySelector(scene)?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  return '';
}"""
WHERE = """(goal) => {
  const here = document.activeElement;
  if (here === goal) return 0;
  const { DOCUMENT_POSITION_PRECEDING: before, DOCUMENT_POSITION_FOLLOWING: after } = Node;
  const lies = (element, side, of) => of.compareDocumentPosition(element) & side;
  const back = lies(goal, before, here);
  const [near, far] = back ? [goal, here] : [here, goal];
  const between = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter((element) =>
    lies(element, after, near) && lies(element, before, far) && element.tabIndex >= 0 && !element.disabled
    && (element.type !== 'radio' || element.checked)
    && !element.closest('[inert]') && element.checkVisibility({ visibilityProperty: true }));
  return (between.length + 1) * (back ? -1 : 1);
}"""
"""How many stops the Tab key makes from the focus to an element; below zero: backwards. Of radio buttons only the chosen one is a stop."""


PLAIN = "transition: none !important; background-image: none !important; filter: none !important; box-shadow: none !important"


def plain(art: str, *, drawn: bool = True) -> str:
    """A script after which a page shows no ornament: CSS of parts, pictures in backgrounds, shadows. Sizes and places stay.

    Not ``drawn``: nothing is painted at all, and everything is where it was, to be read and touched.
    """
    rules = f"{art} {{ display: none !important }} *, ::before, ::after {{ {PLAIN} }}"
    if not drawn:
        rules += " html { opacity: 0 !important }"
    return f"{{ const s = new CSSStyleSheet(); s.replaceSync({json.dumps(rules)}); document.adoptedStyleSheets.push(s); }}"


class TablePage:
    """One person's browser at one table, in English. ``ear`` hears everything that the server tells it."""

    game: ClassVar[str]
    ready: ClassVar[str]
    """CSS of what can be touched while it is this person's turn, and only then."""
    over: ClassVar[str]
    """CSS of what stands there only after the end."""
    scene: ClassVar[str]
    """CSS of what a seated person has before them from the first picture on: a hand, a board."""
    voice: ClassVar[str]
    """CSS of the sentence that says what is going on."""
    art: ClassVar[str]
    """CSS of what is only to be looked at. Most of a browser's time goes into drawing it when there is no graphics processor."""

    def __init__(self, page: Page, seed: int = 0) -> None:
        self.page = page
        self.ear = Ear(page)
        self.played: list[str] = []
        self._random = random.Random(seed)

    def without_art(self) -> Self:
        """Leave out, from the next load on, what is only to be looked at."""
        self.page.add_init_script(plain(self.art))
        return self

    # --- what may be known of it ----------------------------------------------------------------------

    def check_view(self, view: dict[str, Any], viewer: int | None) -> None:
        """Fail if a view of a running game holds what its viewer (``None``: a spectator) may not know."""
        raise NotImplementedError

    def check_event(self, event: dict[str, Any], viewer: int | None) -> None:
        """Fail if any JSON object of a message, an event say, holds what its reader may not know."""
        raise NotImplementedError

    def secrets(self, view: dict[str, Any]) -> set[str]:
        """What only this person may know, as it stands in their view: texts that would hardly stand anywhere else."""
        raise NotImplementedError

    def public(self, view: dict[str, Any]) -> set[str]:
        """Texts like those of ``secrets`` that everybody may read in this view: a hand may happen to hold what lies on the table."""
        return set()

    # --- the way to a table ---------------------------------------------------------------------------

    def open_home(self) -> None:
        """Go to the first page."""
        self.page.goto("/")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def play_bot(self, bot: str = "Newcomer") -> None:
        """From the first page to a running game against a bot."""
        self.open_home()
        self.page.locator("label", has=self.page.get_by_role("radio", name=bot)).click()
        self.page.get_by_role("button", name="Play", exact=True).click()
        self.sit()

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
        self.sit()

    def sit(self) -> None:
        """Wait until the table stands and this person sits at it."""
        self.page.wait_for_url("**/t/*")
        expect(self.mine).to_be_visible()

    def reload(self) -> None:
        """Load the page anew and wait until the table stands again."""
        self.page.reload()
        expect(self.mine).to_be_visible()

    # --- what lies there ------------------------------------------------------------------------------

    @property
    def table_id(self) -> str:
        """From the address."""
        return self.page.url.rstrip("/").rpartition("/")[2]

    @property
    def mine(self) -> Locator:
        """What a seated person has before them."""
        return self.page.locator(self.scene)

    @property
    def says(self) -> Locator:
        """The sentence that says what is going on."""
        return self.page.locator(self.voice)

    @property
    def known(self) -> dict[str, Any]:
        """The last snapshot or update that this page was sent: version, table and view. It comes when the page has a connection."""
        for _ in range(600):
            for frame in reversed(self.ear.frames):
                if frame.startswith(('{"t":"update"', '{"t":"snapshot"')):
                    known: dict[str, Any] = json.loads(frame)
                    return known
            self.page.wait_for_timeout(25)
        raise AssertionError("this page was told of no table")

    def snapshot(self) -> dict[str, Any]:
        """What this person may know, the log included, asked from the server with the page's own cookie."""
        answer = self.page.request.get(f"/api/tables/{self.table_id}")
        assert answer.ok, answer.text()
        snapshot: dict[str, Any] = answer.json()
        return snapshot

    def wait_for_turn(self, *, by_keys: bool = False) -> bool:
        """Wait until this person can act; ``False`` when the game is over."""
        look = [self.ready, self.over, self.scene, by_keys]
        for _ in range(400):
            if by_keys:
                self.page.keyboard.press("Escape")
            found = self.page.evaluate(LOOK, look)
            if found == "over":
                return False
            known = self.known
            if found == "turn" and known["table"]["id"] == self.table_id and known["view"] and known["view"]["legal"]:
                return True
            self.page.wait_for_timeout(25)
        raise AssertionError(f"neither a turn nor the end: {self.says.inner_text()!r}")

    # --- acting ---------------------------------------------------------------------------------------

    def choose(self) -> str:
        """One of the legal actions; a game says which bring its end near. The same for the same seed and position."""
        legal = self.known["view"]["legal"]
        assert legal, "asked for a choice although it is not this person's turn"
        action: str = self._random.choice(legal)
        return action

    def act(self, action: str, manner: Manner = "tap") -> None:
        """Play an action, given in notation, and wait until it has been sent and answered."""
        before = self.known["v"]
        self.perform(action, manner)
        self.played.append(action)
        for _ in range(600):
            if self.known["v"] > before:
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"{action} was not played: {self.says.inner_text()!r}")

    def give_up(self) -> None:
        """Resign over HTTP, with the page's own cookie: for tests of something else, which need an end."""
        answer = self.page.request.post(f"/api/tables/{self.table_id}/commands", data={"t": "resign", "id": "give-up"})
        assert answer.ok, answer.text()

    def perform(self, action: str, manner: Manner) -> None:
        """Do with pointer or keys what makes this action; a game's own."""
        raise NotImplementedError

    def play_to_the_end(self, manners: tuple[Manner, ...] = ("tap",), limit: int = 150) -> int:
        """Act whenever it is this person's turn; return the number of own actions."""
        for number in range(limit):
            if not self.wait_for_turn(by_keys=manners == ("keys",)):
                return number
            self.act(self.choose(), manners[number % len(manners)])
        raise AssertionError(f"no end after {limit} own actions")

    # --- the keyboard ---------------------------------------------------------------------------------

    def walk_to(self, target: Locator) -> None:
        """Bring the focus to something with Tab and Shift+Tab alone."""
        handle = target.element_handle()
        for _ in range(40):
            stops = self.page.evaluate(WHERE, handle)
            if stops == 0:
                return
            for _ in range(max(1, abs(stops) - 1) if abs(stops) > 3 else 1):
                self.page.keyboard.press("Tab" if stops > 0 else "Shift+Tab")
        raise AssertionError(f"the Tab key never reaches {target}")


def in_step(*people: TablePage) -> dict[str, Any]:
    """Wait until all pages at a table have heard the same version; the first one's newest knowledge."""
    for _ in range(600):
        versions = {person.known["v"] for person in people}
        if len(versions) == 1:
            return people[0].known
        people[0].page.wait_for_timeout(25)
    raise AssertionError(f"the pages of one table are at versions {[person.known['v'] for person in people]}")
