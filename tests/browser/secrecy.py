"""Everything that people at a table were sent, searched for what each may not know; a game's page object knows what that is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.browser.table_page import TablePage
from tests.browser.watching import Ear


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object within a value."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def check_message(kind: TablePage, text: str, viewer: int | None) -> bool:
    """Look through one message; whether the game was already over in it."""
    message = json.loads(text)
    for each in objects(message):
        if each.get("ended_by") or each.get("outcome") is not None:
            return True
    for each in objects(message):
        if {"notation", "viewer"} <= each.keys():
            kind.check_view(each, viewer)
        kind.check_event(each, viewer)
        assert each.get("secret") is None
    return False


def running(kind: TablePage, ear: Ear, viewer: int | None) -> list[str]:
    """The frames from before the end, each of them looked through."""
    frames = []
    for frame in ear.frames:
        if check_message(kind, frame, viewer):
            break
        frames.append(frame)
    return frames


def check_everything(people: Sequence[TablePage], spectator: Ear, least: int) -> None:
    """Search all frames of a game that is over, by seat, and what a spectator was sent; at least ``least`` frames came to each."""
    final = people[0].snapshot()
    assert final["table"]["state"] == "over"
    secret = final["table"]["secret"]
    heard = [running(person, person.ear, seat) for seat, person in enumerate(people)]
    watched = running(people[0], spectator, None)
    own = [told(person.secrets, frames) for person, frames in zip(people, heard, strict=True)]
    public = told(people[0].public, watched)
    for seat, frames in enumerate([*heard, watched]):
        assert len(frames) >= least
        everything = "\n".join(frames)
        assert secret not in everything
        for other in set(range(len(people))) - {seat}:
            secrets = own[other] - public - (own[seat] if seat < len(people) else set())
            assert secrets
            leaked = [text for text in secrets if text in everything]
            assert leaked == [], f"seat {other} alone knew {leaked}, and reader {seat} was sent it"
    for body in spectator.bodies():
        headers, _, content = body.partition("\n")
        assert secret not in headers
        if content.startswith("{") and '"secret":"' not in content:
            check_message(people[0], content, None)


def told(what: Callable[[dict[str, Any]], set[str]], frames: list[str]) -> set[str]:
    """What all views in these frames say, by a page object's reading."""
    views = (json.loads(frame).get("view") for frame in frames)
    return {text for view in views if view for text in what(view)}
