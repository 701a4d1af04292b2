"""Every page that there is, in each of its states, for the tests that look at all of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Page

LANGUAGES = {"en": "en-GB", "pt-BR": "pt-BR", "ja": "ja-JP", "el": "el-GR"}


def open_table(page: Page, other: dict[str, str], first: int | None = None) -> str:
    """Open a table by the interface, as this page's guest, and sit down; its id."""
    body: dict[str, Any] = {"game": "mandala", "options": {}, "seats": [{"kind": "person"}, other], "first": first}
    answer = page.request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    table: str = answer.json()["id"]
    joined = page.request.post(f"/api/tables/{table}/join", data={})
    assert joined.ok, joined.text()
    return table


def start_game(page: Page, bot: str = "random") -> str:
    """Open a table against a bot, this guest to begin."""
    return open_table(page, {"kind": "bot", "bot": bot}, first=0)


def play_by_interface(page: Page, table: str, until: Callable[[dict[str, Any]], bool], seed: int = 0) -> bool:
    """Play this guest's seat over HTTP until the snapshot fulfils ``until`` (``True``) or the game is over."""
    rng = random.Random(seed)
    for number in range(2000):
        snapshot = page.request.get(f"/api/tables/{table}").json()
        if until(snapshot):
            return True
        if snapshot["table"]["state"] == "over":
            return False
        legal = snapshot["view"]["legal"]
        if not legal:
            page.wait_for_timeout(5)
            continue
        good = [action for action in legal if action[0] in "bfc"] or legal
        command = {"t": "act", "id": f"{table}-{number}", "ply": snapshot["ply"], "action": rng.choice(good)}
        answer = page.request.post(f"/api/tables/{table}/commands", data=command)
        assert answer.ok, answer.text()
    raise AssertionError("no end after 2000 tries")


def visit_all(page: Page) -> Iterator[str]:
    """Bring up each page in turn; yields its name when it stands."""
    for name, address in {"home": "/", "help": "/help/mandala", "missing": "/no/such/page", "unknown table": "/t/none"}.items():
        page.goto(address)
        page.locator("main h1").first.wait_for()
        yield name
    table = start_game(page)
    page.goto(f"/t/{table}")
    page.locator("[data-hand]").first.wait_for()
    yield "start"
    page.locator("[data-hand]").first.click()
    yield "holding"
    page.keyboard.press("Escape")
    page.locator("header button").last.click()
    page.get_by_role("dialog").wait_for()
    yield "menu"
    if play_by_interface(page, table, claiming):
        page.goto(f"/t/{table}")
        page.locator("[data-claim]").first.wait_for()
        yield "claiming"
    play_by_interface(page, table, lambda _: False)
    page.goto(f"/t/{table}")
    page.locator(".reckoning").wait_for()
    yield "end"
    waiting = open_table(page, {"kind": "person"})
    code = page.request.get(f"/api/tables/{waiting}").json()["table"]["code"]
    page.goto(f"/t/{waiting}")
    page.locator("main h2").first.wait_for()
    yield "waiting"
    page.goto(f"/j/{code}")
    page.locator("main h1").first.wait_for()
    yield "invitation"


def claiming(snapshot: dict[str, Any]) -> bool:
    """Whether this guest has to claim."""
    return bool(snapshot["view"]["phase"] == "claim" and snapshot["view"]["legal"])
