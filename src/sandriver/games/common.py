"""What the rules of every game share: asking a source of chance, checking how a game is set up, saying which kind of value is wanted."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeVar

from sandriver.games.chance import Chance
from sandriver.games.errors import ChanceError, OptionError, quote

T = TypeVar("T")


def of_type(value: object, kind: type[T], wanted: str) -> T:
    """Return ``value`` if it is a ``kind``, else raise ``TypeError`` with what is ``wanted`` instead."""
    if isinstance(value, kind):
        return value
    raise TypeError(f"{wanted} is wanted, not {quote(value)}")


def check_start(game: str, seats: object, possible: Sequence[int], first: object) -> None:
    """Raise ``OptionError`` for a number of seats that a game does not know, or a first seat that is none of them."""
    if type(seats) is not int or seats not in possible:
        known = " or ".join(map(str, possible))
        raise OptionError("bad_option", f"{game} is for {known} seats, not {quote(seats)}", {"option": "seats"})
    if type(first) is not int or first not in range(seats):
        raise OptionError("bad_option", f"the first seat is one from 0 to {seats - 1}, not {quote(first)}", {"option": "first"})


def check_viewer(viewer: object, seats: int) -> None:
    """Raise ``TypeError`` or ``ValueError`` for a viewer that is neither a seat nor ``None``."""
    if viewer is None or (type(viewer) is int and 0 <= viewer < seats):
        return
    kind = ValueError if type(viewer) is int else TypeError
    raise kind(f"a viewer is a seat from 0 to {seats - 1}, or None for a spectator, not {quote(viewer)}")


def decide(chance: Chance, weights: Sequence[int]) -> int:
    """Ask ``chance`` for an index into ``weights``; whether there is such a thing is the caller's to check.

    Raises ``TypeError`` for a source that is none, ``ChanceError`` for an answer that is no whole number.
    """
    draw: Any = getattr(chance, "draw", None)
    if draw is None:
        raise TypeError(f"a source of chance is wanted, such as RandomChance(seed) or ListedChance(outcomes), not {quote(chance)}")
    drawn = draw(weights)
    try:
        return operator.index(drawn)
    except TypeError:
        message = f"the source of chance answered {quote(drawn)}; the index of a weight is wanted, a whole number"
        raise ChanceError("chance_no_number", message, {"index": str(drawn)[:60]}) from None
