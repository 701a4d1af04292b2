"""Every frame and body of a whole game, for both players and a spectator, searched for what each may not know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import BrowserContext, expect
from tests.browser.table_page import TablePage
from tests.browser.watching import Ear

HIDDEN = re.compile(r"\?\d+|-")


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object within a value."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def check_view(view: dict[str, Any], viewer: int | None) -> None:
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


def check_message(text: str, viewer: int | None) -> bool:
    """Look through one message; whether the game was already over in it."""
    message = json.loads(text)
    for each in objects(message):
        if each.get("ended_by") or (each.get("outcome") is not None):
            return True
    for each in objects(message):
        if {"sides", "notation", "viewer"} <= each.keys():
            check_view(each, viewer)
        if each.get("type") == "draw" and each["seat"] != viewer:
            assert HIDDEN.fullmatch(each["cards"]), each
        if each.get("kind") == "action" and each["seat"] != viewer and each["move"][0] in "bd":
            assert re.fullmatch(r"[^>]+>(\?\d+[KGPYOR]*)?", each["move"]), each
        if "secret" in each:
            assert each["secret"] is None
    return False


def test_no_message_holds_what_its_reader_may_not_know(new_context: Callable[..., BrowserContext]) -> None:
    people = [TablePage(new_context().new_page(), seed=seed) for seed in (21, 22)]
    ears = [Ear(person.page) for person in people]
    people[1].accept(people[0].open_for_friend(), "Ben")
    expect(people[0].hand).to_be_visible()
    spectator = new_context().new_page()
    ears.append(Ear(spectator))
    spectator.goto(people[0].page.url)
    expect(spectator.get_by_text("You are watching")).to_be_visible()
    seats = [person.snapshot()["table"]["you"] for person in people]
    seated = dict(zip(seats, people, strict=True))
    hands: list[set[str]] = [set(), set()]
    for _ in range(300):
        snapshots = {seat: person.snapshot() for seat, person in seated.items()}
        if snapshots[0]["table"]["state"] == "over":
            break
        for seat, snapshot in snapshots.items():
            hands[seat].add(snapshot["view"]["sides"][seat]["hand"])
        mover = seated[snapshots[0]["view"]["to_move"]]
        assert mover.wait_for_turn()
        mover.act(mover.choose())
    final = people[0].snapshot()
    assert final["table"]["state"] == "over"
    secret = final["table"]["secret"]
    for ear, viewer in zip(ears, [*seats, None], strict=True):
        running = []
        for frame in ear.frames:
            if check_message(frame, viewer):
                break
            running.append(frame)
        assert len(running) > 30
        everything = "\n".join(running)
        assert secret not in everything
        # Sets of five and more cards are all but unique: the other's hands must not stand anywhere, in whatever field.
        for seat in {0, 1} - {viewer}:
            own = hands[viewer] if viewer is not None else set()
            large = {hand for hand in hands[seat] - own if sum(map(int, re.findall(r"\d", hand))) >= 5 and len(hand) >= 6}
            assert large
            assert [hand for hand in large if f'"{hand}"' in everything or f" {hand}/" in everything or f"/{hand} " in everything] == []
    for body in ears[2].bodies():
        headers, _, content = body.partition("\n")
        assert secret not in headers
        if content.startswith("{") and '"secret":"' not in content:
            check_message(content, None)
