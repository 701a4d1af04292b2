"""What the rules of every game share: a game made of its positions, asking a source of chance, refusing values of a wrong kind."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Generic, NoReturn, Protocol, Self, TypeVar

from sandriver.games.chance import Chance
from sandriver.games.contract import Transition
from sandriver.games.errors import ChanceError, NotationError, OptionError, quote

T = TypeVar("T")
P = TypeVar("P", bound="Playable")
A = TypeVar("A", bound="Named")


class Playable(Protocol):
    """A game's positions, as far as ``PositionGame`` needs them."""

    @classmethod
    def start(cls, chance: Chance, *, options: Any, seats: int, first: int) -> Self:
        """Set up a new game."""

    @classmethod
    def parse(cls, text: str, options: Any) -> Self:
        """Read a position line."""

    def play(self, action: Any, chance: Chance) -> Transition[Self, Any]:
        """Play an action."""

    def replay(self, move: str) -> Transition[Self, Any]:
        """Play a move with its recorded chance."""


class Named(Protocol):
    """A game's actions, as far as ``PositionGame`` needs them."""

    @property
    def text(self) -> str:
        """Its notation."""

    @staticmethod
    def parse(text: str) -> Any:
        """Read an action."""


class PositionGame(Generic[P, A]):
    """The part of ``contract.Game`` that a game's ``Position`` and ``Action`` do by themselves. Stateless."""

    position_type: type[P]
    action_type: type[A]

    def start(self, options: Any, seats: int, first: int, chance: Chance) -> P:
        """Set up a new game in which seat ``first`` acts first."""
        return self.position_type.start(chance, options=options, seats=seats, first=first)

    def parse_position(self, text: str, options: Any) -> P:
        """Read a position line. Raises ``NotationError`` or ``PositionError``."""
        return self.position_type.parse(text, options)

    def format_position(self, position: P) -> str:
        """Write a position line."""
        return str(position)

    def parse_action(self, text: str) -> A:
        """Read an action without chance. Raises ``NotationError``."""
        action: A = self.action_type.parse(text)
        return action

    def format_action(self, action: A) -> str:
        """Write an action."""
        return action.text

    def play(self, position: P, action: A, chance: Chance) -> Transition[P, A]:
        """Play an action for the seat to move."""
        return position.play(action, chance)

    def replay(self, position: P, move: str) -> Transition[P, A]:
        """Play a move as a record writes it, with its chance if it has any."""
        return position.replay(move)


def of_type(value: object, kind: type[T], wanted: str) -> T:
    """Return ``value`` if it is a ``kind``, else raise ``TypeError`` with what is ``wanted`` instead."""
    if isinstance(value, kind):
        return value
    raise TypeError(f"{wanted} is wanted, not {quote(value)}")


def bad_field(field: str, reason: str) -> NoReturn:
    """Raise for a field of a position line that cannot be read."""
    raise NotationError("bad_position", f"{field}: {reason}", {"field": field})


def parts_of(text: str, n: int, field: str) -> list[str]:
    """The parts of a field between slashes, as many as are wanted. Raises ``NotationError``."""
    parts = text.split("/")
    if len(parts) != n:
        bad_field(field, f"{quote(text)}: {n} parts with a slash between them are wanted, here are {len(parts)}")
    return parts


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
