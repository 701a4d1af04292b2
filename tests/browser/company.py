"""Two people at one table, each with a window of their own, for the tests of what they do together; opened and played over HTTP."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, Page

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
_numbers = itertools.count()


class Company(NamedTuple):
    """Two guests who sit at a table, by seat."""

    table: str
    people: tuple[BrowserContext, BrowserContext]

    def snapshot(self, seat: int = 0) -> dict[str, Any]:
        """The table as a seat sees it."""
        answer: dict[str, Any] = self.people[seat].request.get(f"/api/tables/{self.table}").json()
        return answer

    def command(self, seat: int, **command: Any) -> None:
        """Have a command carried out."""
        data = {"id": f"{self.table}-{next(_numbers)}", **command}
        answer = self.people[seat].request.post(f"/api/tables/{self.table}/commands", data=data)
        assert answer.ok, answer.text()

    def act(self, count: int = 1, choose: Callable[[list[str]], str] = lambda legal: legal[0]) -> None:
        """Play so many actions, each chosen from the legal ones; fewer where the game ends before."""
        for _ in range(count):
            seat = self.snapshot()["view"]["to_move"]
            if seat is None:
                return
            known = self.snapshot(seat)
            self.command(seat, t="act", ply=known["ply"], action=choose(known["view"]["legal"]))

    def finish(self, count: int) -> None:
        """Play so many actions, then let seat 1 resign."""
        self.act(count)
        self.command(1, t="resign")

    def page(self, seat: int, address: str = "") -> Page:
        """A window of somebody's at the table."""
        page = self.people[seat].new_page()
        page.goto(f"/t/{self.table}{address}")
        page.locator("main section").first.wait_for()
        return page


def sit_down(
    ana: BrowserContext, ben: BrowserContext, game: str = "mandala", *, before: Callable[[str], None] = lambda table: None, **wish: Any
) -> Company:
    """Ana opens a table and begins, Ben joins. ``wish``: more of ``OpenTable``, a clock say; ``before``: done before Ben comes."""
    for context, name in ((ana, "Ana"), (ben, "Ben")):
        assert context.request.put("/api/me", data={"name": name}).ok
    seats = [{"kind": "person"}, {"kind": "person"}]
    opened = ana.request.post("/api/tables", data={"game": game, "seats": seats, "first": 0, **wish})
    assert opened.ok, opened.text()
    table = str(opened.json()["id"])
    code = ana.request.post(f"/api/tables/{table}/join", data={}).json()["table"]["code"]
    before(table)
    joined = ben.request.post(f"/api/tables/{table}/join", data={"code": code})
    assert joined.ok, joined.text()
    return Company(table, (ana, ben))
