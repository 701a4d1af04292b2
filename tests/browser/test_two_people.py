"""Two browsers by invitation link to the end, each reloaded in mid-game; a code; what a late guest meets."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Route, expect
from tests.browser.table_page import TablePage
from tests.browser.watching import Watch


def two_people(new_context: Callable[..., BrowserContext]) -> tuple[TablePage, TablePage]:
    """Ana opens a table, Ben follows her link."""
    ana = TablePage(new_context().new_page(), seed=1)
    ben = TablePage(new_context().new_page(), seed=2)
    link = ana.open_for_friend()
    ben.accept(link, "Ben")
    expect(ana.hand).to_be_visible()
    return ana, ben


def test_game_by_invitation_with_a_reload_on_each_side(new_context: Callable[..., BrowserContext]) -> None:
    ana, ben = two_people(new_context)
    people = {ana.snapshot()["table"]["you"]: ana, ben.snapshot()["table"]["you"]: ben}
    assert set(people) == {0, 1}
    for number in range(300):
        snapshot = ana.snapshot()
        if snapshot["table"]["state"] == "over":
            break
        mover = people[snapshot["view"]["to_move"]]
        if number in {7, 8}:
            mover.page.reload()
            expect(mover.hand).to_be_visible()
        assert mover.wait_for_turn()
        mover.act(mover.choose())
    ends = [person.snapshot() for person in (ana, ben)]
    assert ends[0]["table"]["state"] == "over"
    assert ends[0]["v"] == ends[1]["v"]
    assert [step["v"] for step in ends[0]["log"]] == list(range(1, ends[0]["v"] + 1))
    for person in (ana, ben):
        assert not person.wait_for_turn()
        expect(person.page.get_by_role("button", name="Show the table")).to_be_visible()


def test_code_seats_a_friend_and_a_third_may_only_watch(new_context: Callable[..., BrowserContext]) -> None:
    ana = TablePage(new_context().new_page())
    link = ana.open_for_friend()
    code = link.rpartition("/")[2]
    ben = TablePage(new_context().new_page())
    ben.open_home()
    ben.page.get_by_label("Join with a code").fill(code.lower())
    ben.page.get_by_role("button", name="Join").click()
    ben.page.get_by_role("button", name="Take the seat").click()
    expect(ben.hand).to_be_visible()
    third = new_context().new_page()
    third.goto(ana.page.url)
    expect(third.get_by_text("You are watching")).to_be_visible()
    expect(third.get_by_role("region", name="Your hand")).to_have_count(0)


def test_name_and_seat_taken_at_once_make_one_guest(new_context: Callable[..., BrowserContext]) -> None:
    """The name is sent when its field is left, which pressing the button does: both requests of a new guest at the same moment."""
    ana = TablePage(new_context().new_page())
    link = ana.open_for_friend()
    ben = TablePage(new_context().new_page())

    def slowly(route: Route) -> None:
        time.sleep(0.4)
        route.continue_()

    ben.page.route("**/api/me", slowly)
    ben.accept(link, "Ben")
    assert ben.snapshot()["table"]["you"] is not None
    assert "Ben" in [seat["name"] for seat in ana.snapshot()["table"]["seats"]]


def test_a_used_up_or_mistyped_invitation_leads_on(new_context: Callable[..., BrowserContext], watch: Watch) -> None:
    watch.allow("404")
    page = new_context().new_page()
    for address in ("/j/ZZZZZZ", "/t/nobody-sat-here", "/no/such/page"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("Home|Sandriver")).first).to_be_visible()
