"""Two tables that differ only in what a viewer cannot know: everything that ever leaves the server is the same, byte for byte.

Frames, bodies, headers and refusals over HTTP and sockets, views of the past, records, chat, notices, the moment of every bot's reply, the
log in both forms, and the figures.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.server.twin_session import READS, Session
from tests.tables.twins import pairs

MANY = int(os.environ.get("SANDRIVER_TWIN_TABLES", "8"))
"""How many pairs of tables of each kind the slow test compares."""
KINDS = [
    ("mandala", 2, 0, ()),
    ("mandala", 2, 1, (0,)),
    ("mandala", 2, None, ()),
    ("mandala", 2, None, (1,)),
    ("stones", 2, 0, (1,)),
    ("stones", 3, 1, (2,)),
    ("stones", 4, None, (1, 3)),
    ("stones", 4, 3, ()),
]
"""Game, seats, the viewer's seat, seats of bots."""
kinds = pytest.mark.parametrize(("game", "seats", "viewer", "bots"), KINDS)


def both(folder: Path, game: str, seats: int, viewer: int | None, bots: tuple[int, ...], seed: int, *, most: int) -> Session:
    """Play both tables of a pair and compare everything; returns one of them."""
    pair = next(pairs(game, viewer, random.Random(f"{game} {seats} {viewer} {seed}"), seats=seats, most=most))
    assert pair.different() > 0.9 * pair.plies > 0
    one, other = (Session(pair, world, bots, seed, viewer=viewer) for world in (0, 1))
    compare(one.run(folder), other.run(folder))
    return one


def compare(one: Sequence[tuple[str, bytes]], other: Sequence[tuple[str, bytes]]) -> None:
    """The same, in the same order; or the first difference."""
    for (name, here), (where, there) in zip(one, other, strict=False):
        assert name == where
        if here != there:
            at = next((n for n, (x, y) in enumerate(zip(here, there, strict=False)) if x != y), min(len(here), len(there)))
            raise AssertionError(f"{name}: …{here[max(0, at - 200) : at + 100]!r} or …{there[max(0, at - 200) : at + 100]!r}")
    assert len(one) == len(other)


@kinds
def test_no_byte_depends_on_what_the_viewer_cannot_know(
    tmp_path: Path, game: str, seats: int, viewer: int | None, bots: tuple[int, ...]
) -> None:
    session = both(tmp_path, game, seats, viewer, bots, 1, most=18)
    assert {f"{each.path} " for each in READS if "{seen_as}" not in each.path} <= session.kinds
    assert {"frame on socket 0", "socket", "socket?since=", "figures"} <= session.kinds
    assert len(session.heard) > 100
    assert "taken back" in session.kinds or seats > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 2 + MANY))
@kinds
def test_many_more(tmp_path: Path, game: str, seats: int, viewer: int | None, bots: tuple[int, ...], seed: int) -> None:
    both(tmp_path, game, seats, viewer, bots, seed, most=60)


@pytest.mark.parametrize(("game", "viewer", "other"), [("mandala", 0, 1), ("stones", None, 0)])
def test_the_comparison_has_eyes(tmp_path: Path, game: str, viewer: int | None, other: int) -> None:
    """Seen by somebody who knows what differs, the same two tables are not the same."""
    pair = next(pairs(game, viewer, random.Random(7), most=12))
    one, two = (Session(pair, world, (), 1, viewer=other).run(tmp_path) for world in (0, 1))
    with pytest.raises(AssertionError, match="after 0 actions"):
        compare(one, two)
