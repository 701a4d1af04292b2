"""What a game offers to the floors above: the only way in which tables, bots, server and tools know a game.

Seats are numbers from 0. A *position* is everything that is known, and immutable. A *view* is what one seat (or a spectator, ``None``)
may know of it, as JSON-able data, built from the few things it may know. *Chance* is an argument, never a habit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol

import msgspec

from sandriver.games.chance import Chance

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with defaults, which 3.11 does not have; type checkers bring it along

    P = TypeVar("P", default=Any)
    A = TypeVar("A", default=Any)
else:
    from typing import TypeVar

    P = TypeVar("P")
    A = TypeVar("A")


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended by its own rules."""

    reason: str
    """Code of the rule that ended it, e.g. ``sixth_colour``."""
    winners: tuple[int, ...]
    """Seats that won; several seats: shared, every seat: a draw."""
    scores: tuple[int, ...]
    """Final points by seat."""


class Position(Protocol):
    """An immutable state of a game. One read from a view can lack what its viewer could not know; a game that is played lacks nothing.

    Positions with the same line and options are equal and have the same hash.
    """

    @property
    def to_move(self) -> int | None:
        """The seat that must act, ``None`` when the game is over."""

    @property
    def turn(self) -> str:
        """Who must act, and why if there are several reasons, as the notation writes it; ``-`` when the game is over."""

    @property
    def options(self) -> Any:
        """How the game is played, as ``parse_options`` gave it."""

    @property
    def complete(self) -> bool:
        """Whether nothing is hidden. Whether one that is not can be played on is the game's to say: ``play`` refuses what it cannot."""

    @property
    def legal_actions(self) -> Sequence[Any]:
        """The legal actions in canonical order; lazy, countable, with a fast ``in``. Never empty while somebody must act."""

    @property
    def forced(self) -> Any | None:
        """The one action that a live table plays by itself for the seat to move, because it is no choice (a skipped turn); else ``None``.

        An ordinary action that happens to be the only legal one is not forced: people like to play it.
        """

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat as they stand; points that only the end reveals are in them when over, as in ``outcome``."""

    @property
    def outcome(self) -> Outcome | None:
        """The result when over, else ``None``."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...


class Transition(msgspec.Struct, Generic[P, A], frozen=True):
    """One action played: everything that happened, as somebody who sees everything would tell it.

    ``Transition[Position, Action]`` says of which game; without them any.
    """

    before: P
    action: A
    seat: int
    dealt: str
    """Chance in notation, without the ``>`` (``"GPY"``); empty when nothing was dealt: always, where set-up is the only chance."""
    after: P
    move: str
    """The action with its chance, if it has any, as a full record writes it (``"b1R>GPY"``)."""
    events: tuple[Any, ...]
    """Every event of it, nothing hidden, in the order in which they happened."""
    reveals: tuple[int, ...]
    """Seats that learn from it what they could not know before: chance dealt, something hidden shown. What is known stays known."""


class Heard(msgspec.Struct, frozen=True):
    """A transition as one viewer may hear it."""

    move: str
    """The action in notation, hidden chance replaced (``"b1R>?3"``)."""
    events: tuple[Any, ...]
    """Typed event structs of the game, in the order in which they happened."""


class Game(Protocol):
    """One game. Implementations are stateless and registered in ``sandriver.games``."""

    id: str
    """Short name used in addresses, records and on the command line, e.g. ``mandala``."""
    rules_version: int
    """Raised when the same record would replay differently."""
    seat_counts: Sequence[int]
    """Possible numbers of seats, rising, e.g. ``(2,)`` or ``(2, 3, 4)``."""
    seat_names: Sequence[str]
    """Names of the seats in notation, as many as the most seats, e.g. ``("A", "B")``."""
    view_type: type[msgspec.Struct]
    """The struct that ``view`` returns."""
    event_types: tuple[type[msgspec.Struct], ...]
    """Every struct that may stand in ``Heard.events`` (a tagged union)."""

    def parse_options(self, raw: Mapping[str, object]) -> Any:
        """Validate options; what is not named has its default. Raises ``OptionError``.

        An option is a truth value, a number, a word, or a whole JSON object (which the command line reads from a file).
        """

    def format_options(self, options: Any) -> dict[str, object]:
        """Every option with its value, JSON-able; exact inverse of ``parse_options``."""

    def start(self, options: Any, seats: int, first: int, chance: Chance) -> Position:
        """Set up a new game in which seat ``first`` acts first."""

    def parse_position(self, text: str, options: Any) -> Position:
        """Read a position line. Raises ``NotationError`` or ``PositionError``."""

    def format_position(self, position: Any) -> str:
        """Write a position line; exact inverse of ``parse_position``."""

    def parse_action(self, text: str) -> Any:
        """Read an action without chance. Raises ``NotationError``."""

    def format_action(self, action: Any) -> str:
        """Write an action; exact inverse of ``parse_action``."""

    def play(self, position: Any, action: Any, chance: Chance) -> Transition:
        """Play ``action`` for the seat to move. Raises ``IllegalAction`` or ``ChanceError``; ``position`` is unchanged."""

    def replay(self, position: Any, move: str) -> Transition:
        """Play a move with its recorded chance (``"b1R>GPY"``). Raises also when chance is missing, wrong or left over.

        Raises ``PositionError`` where the move needs what the position lacks.
        """

    def view(
        self,
        position: Any,
        viewer: int | None,
        *,
        assist: bool = False,
        stopped: bool = False,
        reveal: bool = False,
        recall: bool = False,
        encoded: bool = False,
    ) -> msgspec.Struct:
        """What ``viewer`` may know. With ``assist``, the seat to move also gets what each choice would do, and why others are forbidden.

        ``stopped``: the game ended here although its rules go on (somebody gave up), so it is nobody's turn: no legal actions, no choices.
        ``reveal``: nothing is hidden (a game that is over, looked at again). Never for a game that runs.
        ``recall``: what everybody has seen and may remember is open, too (in Mandala the cards that were claimed). For bots, which have no
        other memory; people get it where the game's options say so.
        ``encoded``: it is to be written as JSON and nothing else, so what many views have in common may stand in it written already
        (``msgspec.Raw``); the same bytes come of it.
        """

    def hear(self, transition: Transition, viewer: int | None) -> Heard:
        """The transition as ``viewer`` may hear it."""
