"""When the connection goes: it is said, the move is held and sent once; a server that dies under the table comes back unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.mandala_page import MandalaPage
from tests.browser.served import Served
from tests.browser.watching import Ear, Watch


def test_move_made_offline_is_held_and_sent_once(page: Page, watch: Watch) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket")
    ear = Ear(page)
    table = MandalaPage(page, seed=8)
    table.play_bot()
    assert table.wait_for_turn()
    before = table.snapshot()
    action = next(action for action in before["view"]["legal"] if action[0] == "b")
    page.context.set_offline(True)
    expect(page.get_by_text("offline", exact=False).first).to_be_visible(timeout=20_000)
    table.card(action[-1], 1).click()
    table.place("b", action[1]).click()
    page.get_by_role("button", name="Confirm").click()
    expect(table.says).to_contain_text("Held")
    page.wait_for_timeout(300)
    page.context.set_offline(False)
    expect(page.get_by_role("status").filter(has_text="offline")).to_have_count(0, timeout=20_000)
    assert table.wait_for_turn()
    mine = [
        step
        for step in table.snapshot()["log"]
        if step["kind"] == "action" and step["seat"] == before["table"]["you"] and step["v"] > before["v"]
    ]
    assert [step["move"].partition(">")[0] for step in mine] == [action]
    ids = {sent.partition('"id":"')[2].partition('"')[0] for sent in ear.sent if '"act"' in sent}
    assert len(ids) == 1


def test_server_killed_and_started_again_goes_on_without_a_reload(
    new_context: Callable[..., BrowserContext], watch: Watch, tmp_path: Path
) -> None:
    watch.allow("WebSocket|ERR_CONNECTION|502|Failed to load")
    with Served(tmp_path) as served:
        page = new_context(base_url=served.url).new_page()
        table = MandalaPage(page, seed=12)
        table.play_bot()
        for _ in range(3):
            assert table.wait_for_turn()
            table.act(table.choose())
        assert table.wait_for_turn()
        before = table.snapshot()
        served.stop(hard=True)
        expect(page.get_by_text("Reconnecting", exact=False).first).to_be_visible(timeout=20_000)
        served.start(served.port)
        expect(page.get_by_text("Reconnecting", exact=False)).to_have_count(0, timeout=20_000)
        assert table.snapshot()["log"][: len(before["log"])] == before["log"]
        assert table.wait_for_turn()
        table.act(table.choose())


@pytest.mark.slow
def test_two_tabs_of_one_seat_stay_in_step(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(art=True).new_page()
    table = MandalaPage(page, seed=13)
    table.play_bot()
    other = MandalaPage(page.context.new_page(), seed=13)
    other.page.goto(page.url)
    for tab in (table, other, table, other):
        assert tab.wait_for_turn()
        tab.act(tab.choose())
    assert table.wait_for_turn()
    assert other.wait_for_turn()
    cards = [sorted(button.get_attribute("data-hand") or "" for button in tab.hand.get_by_role("button").all()) for tab in (table, other)]
    assert cards[0] == cards[1]
