"""Two browsers by invitation link to the end, each reloaded in mid-game, all that is sent searched; a code; what a late guest meets."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route, expect
from tests.browser.mandala_page import MandalaPage
from tests.browser.secrecy import check_everything
from tests.browser.table_page import TablePage, in_step
from tests.browser.watching import Ear, Watch


class Anyhow(MandalaPage):
    """Somebody who plays whatever is allowed: long games, with redraws and a last mandala."""

    choose = TablePage.choose


@pytest.mark.parametrize(("kind", "length"), [(MandalaPage, 18), pytest.param(Anyhow, 300, marks=pytest.mark.slow)])
def test_game_by_invitation_with_a_reload_on_each_side(
    new_context: Callable[..., BrowserContext], kind: type[TablePage], length: int
) -> None:
    """Every frame of the game, to both players and to a spectator, is searched for what its reader may not know.

    After ``length`` actions somebody resigns.
    """
    ana, ben = (kind(new_context().new_page(), seed=seed) for seed in (1, 2))
    ben.accept(ana.open_for_friend(), "Ben")
    expect(ana.mine).to_be_visible()
    watching = new_context().new_page()
    ear = Ear(watching)
    watching.goto(ana.page.url)
    expect(watching.get_by_text("You are watching")).to_be_visible()
    people = [ana, ben] if in_step(ana, ben)["table"]["you"] == 0 else [ben, ana]
    assert [person.known["table"]["you"] for person in people] == [0, 1]
    reloads = {7: ana, 8: ben}
    for number in range(length + 1):
        if number in reloads:
            reloads[number].reload()
        known = in_step(*people)
        if known["table"]["state"] == "over":
            break
        mover = people[known["view"]["to_move"]]
        if number == length:
            mover.give_up()
            break
        assert mover.wait_for_turn()
        mover.act(mover.choose())
    for person in people:
        assert not person.wait_for_turn()
        expect(person.page.get_by_role("button", name="Show the table")).to_be_visible()
    ends = [person.snapshot() for person in people]
    assert ends[0]["v"] == ends[1]["v"] == people[0].known["v"]
    assert [step["v"] for step in ends[0]["log"]] == list(range(1, ends[0]["v"] + 1))
    assert len(people[0].played) + len(people[1].played) == ends[0]["ply"]
    expect(watching.locator(ana.over)).to_be_visible()
    check_everything(people, ear, least=20)


@pytest.mark.slow
def test_code_seats_a_friend_and_a_third_may_only_watch(new_context: Callable[..., BrowserContext]) -> None:
    ana = MandalaPage(new_context().new_page())
    link = ana.open_for_friend()
    code = link.rpartition("/")[2]
    ben = MandalaPage(new_context().new_page())
    ben.open_home()
    ben.page.get_by_label("Join with a code").fill(code.lower())
    ben.page.get_by_role("button", name="Join").click()
    ben.page.get_by_role("button", name="Take the seat").click()
    expect(ben.hand).to_be_visible()
    third = new_context().new_page()
    third.goto(ana.page.url)
    expect(third.get_by_text("You are watching")).to_be_visible()
    expect(third.get_by_role("region", name="Your hand")).to_have_count(0)


@pytest.mark.slow
def test_name_and_seat_taken_at_once_make_one_guest(new_context: Callable[..., BrowserContext]) -> None:
    """The name is sent when its field is left, which pressing the button does: both requests of a new guest at the same moment."""
    ana = MandalaPage(new_context().new_page())
    link = ana.open_for_friend()
    ben = MandalaPage(new_context().new_page())

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
