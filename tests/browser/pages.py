"""Every page that there is, in each of its states, for the tests that look at all of them; tables opened and played over HTTP."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from playwright.sync_api import APIRequestContext, Page

LANGUAGES = {"en": "en-GB", "pt-BR": "pt-BR", "ja": "ja-JP", "el": "el-GR"}
Options = dict[str, Any] | None
"""A game's options; ``None``: as they are usually."""
Choose = Callable[[dict[str, Any], random.Random], str]
"""Picks a legal action from a view."""

SETTLED = """async () => {
  await document.fonts.ready;
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const short = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().endTime < 3000);
  await Promise.all(short.map((animation) => animation.finished.catch(() => 0)));
}"""
"""Ends when the page has taken its shape: fonts, sizes, whatever moves for a moment."""


class Stages:
    """Tables of one guest, each brought to a moment worth looking at; any window may look with the guest's cookie."""

    def __init__(self, request: APIRequestContext) -> None:
        self.request = request
        self.tables: dict[str, str] = {}
        """Moment to table id."""
        self.waiting = open_table(request, {"kind": "person"})
        self.code = str(request.get(f"/api/tables/{self.waiting}").json()["table"]["code"])

    def cookies(self) -> Any:
        """For ``new_context(storage_state=...)``: the guest who sits at all these tables."""
        return self.request.storage_state()


class Stop(NamedTuple):
    """One moment of a game: its name in ``Stages.tables``, what stands there then (CSS), and what is done there."""

    name: str
    shows: str
    then: Callable[[Page], None] | None = None
    undo: str = ""
    """Key that takes it back."""


def open_table(
    request: APIRequestContext,
    other: dict[str, str],
    first: int | None = None,
    game: str = "mandala",
    options: dict[str, Any] | None = None,
) -> str:
    """Open a table for two by the interface, as this guest, and sit down at seat 0; its id."""
    body: dict[str, Any] = {"game": game, "options": options or {}, "seats": [{"kind": "person"}, other], "first": first}
    answer = request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    table: str = answer.json()["id"]
    joined = request.post(f"/api/tables/{table}/join", data={})
    assert joined.ok, joined.text()
    return table


def start_game(page: Page, bot: str = "random", game: str = "mandala", options: Options = None) -> str:
    """Open a table against a bot, this guest to begin."""
    return open_table(page.request, {"kind": "bot", "bot": bot}, first=0, game=game, options=options)


def play_by_interface(
    request: APIRequestContext, table: str, until: Callable[[dict[str, Any]], bool], choose: Choose, seed: int = 0
) -> bool:
    """Play this guest's seat over HTTP until the snapshot fulfils ``until`` (``True``) or the game is over."""
    rng = random.Random(seed)
    for number in range(4000):
        snapshot = request.get(f"/api/tables/{table}").json()
        if until(snapshot):
            return True
        if snapshot["table"]["state"] == "over":
            return False
        if snapshot["view"]["legal"]:
            command = {"t": "act", "id": f"{table}-{number}", "ply": snapshot["ply"], "action": choose(snapshot["view"], rng)}
            answer = request.post(f"/api/tables/{table}/commands", data=command)
            assert answer.ok, answer.text()
    raise AssertionError("no end after 4000 tries")


def visit_shell(page: Page, stages: Stages) -> Iterator[str]:
    """Bring up each page that is no game in turn; yields its name when it stands."""
    places = {
        "home": ("/", "main h1"),
        "help": ("/help/mandala", "main h1"),
        "missing": ("/no/such/page", "main h1"),
        "unknown table": ("/t/none", "main h1"),
        "waiting": (f"/t/{stages.waiting}", "main h2"),
        "invitation": (f"/j/{stages.code}", "main h1"),
        "records": ("/replay", "main h1"),
    }
    for name, (address, shows) in places.items():
        page.goto(address)
        page.locator(shows).first.wait_for()
        page.evaluate(SETTLED)
        yield name


def visit_tables(page: Page, stages: Stages, stops: Iterable[Stop]) -> Iterator[str]:
    """Bring up each moment of a game in turn, and the table's menu; yields its name when it stands."""
    for number, stop in enumerate(stops):
        page.goto(f"/t/{stages.tables[stop.name]}")
        page.locator(stop.shows).first.wait_for()
        if stop.then:
            stop.then(page)
        page.evaluate(SETTLED)
        yield stop.name
        if stop.undo:
            page.keyboard.press(stop.undo)
        if number == 0:
            page.locator("header button").last.click()
            page.get_by_role("dialog").wait_for()
            page.evaluate(SETTLED)
            yield "menu"
