"""``Position``: a game of Mandala Stones as it stands, immutable and typed: the friendly face over the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NoReturn, overload

from sandriver.games.chance import Chance
from sandriver.games.common import check_start, decide, of_type
from sandriver.games.contract import Outcome, Transition
from sandriver.games.errors import ChanceError, IllegalAction, PositionError, quote
from sandriver.games.stones import kernel
from sandriver.games.stones.actions import Action, words
from sandriver.games.stones.notation import (
    TRIGGERS,
    Hidden,
    board_piles,
    format_line,
    format_mandala,
    format_pile,
    format_stack,
    format_turn,
    objectives,
    parse_line,
    spaces,
)
from sandriver.games.stones.options import Options
from sandriver.games.stones.ruleset import Pattern, Ruleset, tables
from sandriver.games.stones.status import problems
from sandriver.games.stones.telling import events, illegal
from sandriver.games.stones.wire import Uncovered

__all__ = ["Action", "LegalActions", "Options", "Position"]

SEAT_COUNTS = (2, 3, 4)
"""Possible numbers of seats."""
DEFAULT = Options()
REASONS: dict[int, Literal["end_space", "stuck"]] = {kernel.END_SPACE: "end_space", kernel.STUCK: "stuck"}


class LegalActions(Sequence[Action]):
    """The legal actions of a position in canonical order: counted and asked without being listed.

    >>> from sandriver.games.chance import RandomChance
    >>> legal = Position.start(RandomChance(1)).legal_actions
    >>> len(legal), str(legal[0]), legal[-1] in legal, Action("colour", colour="Y") in legal
    (110, 'pA2-A1:S01@1', True, False)
    """

    __slots__ = ("_beside", "_count", "_state", "_words")

    def __init__(self, state: kernel.State, beside: tuple[tuple[int, ...], ...]) -> None:
        self._state, self._beside, self._words = state, beside, words(beside)
        self._count = state.scan()

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, item: int) -> Action: ...
    @overload
    def __getitem__(self, item: slice) -> list[Action]: ...
    def __getitem__(self, item: int | slice) -> Action | list[Action]:
        if isinstance(item, slice):
            return [self._at(k) for k in range(self._count)[item]]
        return self._at(range(self._count)[item])

    def _at(self, k: int) -> Action:
        return self._words[self._state.nth(k)]

    def __iter__(self) -> Iterator[Action]:
        return iter([self._words[word] for word in self._state.legal()])

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self._state.forbids(action.word(self._beside)) == 0

    def __repr__(self) -> str:
        return f"<LegalActions {' '.join(map(str, self))}>"


class Position:
    """A game as it stands. Everything that a person sees as a whole stands here; who may see what is the views' business.

    >>> from sandriver.games.chance import RandomChance
    >>> position = Position.start(RandomChance(1), seats=3, first=2)
    >>> position.to_move, position.artists, position.objectives[0]
    (2, ((2, 'star'), (4, 'star'), (6, 'circle'), (8, 'circle')), ('open_space', 'spire'))
    >>> after = position.replay(str(position.legal_actions[0])).after
    >>> after.to_move, after.round, after.boards[2]
    (0, 1, ('BP', '', '', '', ''))
    """

    __slots__ = ("_checked", "_hidden", "_options", "_state")

    def __init__(self, state: kernel.State, options: Options, hidden: Hidden = frozenset(), *, checked: bool = True) -> None:
        """For the rules' own use: take over a kernel state. Use ``start`` or ``parse``."""
        self._state = state
        self._hidden = hidden
        self._options = options
        self._checked = checked

    @property
    def options(self) -> Options:
        """How the game is played."""
        return self._options

    # --- making one -------------------------------------------------------------------------------

    @classmethod
    def start(cls, chance: Chance, *, options: Options = DEFAULT, seats: int = 2, first: int = 0) -> Position:
        """Set up a new game for two to four ``seats`` in which seat ``first`` (from 0) begins.

        ``chance`` decides the stones of S01..S24 from bottom to top (eight weights in the order ``YRBPyrbp``), then the pattern on each
        starting space of the artists (star, circle), then two objective cards a seat from seat 0 (those left, in the ruleset's order).
        Raises ``OptionError`` for seats that there are not, ``ChanceError`` for an outcome that cannot be.
        """
        of_type(options, Options, "Options(…)")
        check_start("Mandala Stones", seats, SEAT_COUNTS, first)
        state = kernel.State(tables(options.ruleset), seats)
        state.setup(first)
        while state.owed:
            weights = state.weights()
            index = decide(chance, weights)
            if not 0 <= index < len(weights) or not weights[index]:
                raise ChanceError("chance_not_there", f"choice {index} is not among those left: {weights}", {"index": index})
            state.deal(index)
        return cls(state, options)

    @classmethod
    def parse(cls, text: str, options: Options = DEFAULT, *, check: bool = True) -> Position:
        """Read a position line. Raises ``NotationError`` for text that is none, ``PositionError`` for a position that cannot be.

        With ``check=False`` an impossible position is accepted, for ``status`` to tell everything that is wrong with it. It can be looked
        at, but not played on.
        """
        of_type(options, Options, "Options(…)")
        state, hidden = parse_line(of_type(text, str, "a position line"), options)
        if check:
            for problem in problems(state, hidden, options):
                raise problem
        return cls(state, options, hidden, checked=check)

    # --- what lies where --------------------------------------------------------------------------

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset by which the game is played."""
        return self._options.ruleset

    @property
    def seats(self) -> int:
        """Number of seats, 2 to 4."""
        return self._state.seats

    @property
    def stacks(self) -> tuple[str, ...]:
        """The 24 stacks from bottom to top, empty string for none; ``(y)`` where the pattern is not known."""
        return tuple([format_stack(self._state, stack, self._hidden) for stack in range(kernel.STACKS)])

    @property
    def artists(self) -> tuple[tuple[int, Pattern], ...]:
        """Space 1..9 and pattern of each artist, rising by space."""
        circles = self._state.get(kernel.ARTISTS + 1)
        standing = spaces(self._state.get(kernel.ARTISTS) | circles)
        return tuple([(space, "circle" if circles >> (space - 1) & 1 else "star") for space in standing])

    @property
    def boards(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """By seat the five towers from bottom to top, empty string for none."""
        boards = [[format_pile(pile) for pile in board] for board in board_piles(self._state)]
        return tuple([(one, two, three, four, five) for one, two, three, four, five in boards])

    @property
    def mandala(self) -> str:
        """The stones of the mandala in order of placing."""
        return format_mandala(self._state)

    @property
    def objectives(self) -> tuple[tuple[str, str] | None, ...]:
        """By seat the ids of its two objective cards, ``None`` where they are not known."""
        return tuple(objectives(self._state, self._options))

    # --- whose turn it is, and the score ----------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The seat that must act, ``None`` when the game is over."""
        return self._state.mover if self._state.mover >= 0 else None

    @property
    def turn(self) -> str:
        """Whose turn it is, as the notation writes it: ``1``..``4``, ``-``."""
        return format_turn(self._state)

    @property
    def trigger(self) -> str:
        """``0``, or the end trigger that fired first: ``A`` the end space is covered, ``B`` somebody could do nothing."""
        return TRIGGERS[self._state.trigger]

    @property
    def round(self) -> int:
        """Number of the round from 1; when over, of the last one played."""
        return self._state.round

    @property
    def first(self) -> int:
        """The seat that began the game, from 0."""
        return self._state.first

    @property
    def complete(self) -> bool:
        """Whether every pattern and every objective card is known."""
        return not self._hidden and None not in self.objectives

    @property
    def track(self) -> tuple[int, ...]:
        """Points by seat without objectives."""
        return tuple([self._state.get(kernel.TRACK + seat) for seat in range(self.seats)])

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat as they stand; when over with objectives (none for a seat whose cards are not known)."""
        return tuple([self._state.total(seat) for seat in range(self.seats)])

    @property
    def outcome(self) -> Outcome | None:
        """The result when over, else ``None``."""
        if not self._state.over:
            return None
        winners = self._state.winners()
        return Outcome(REASONS[self._state.over], tuple([seat for seat in range(self.seats) if winners >> seat & 1]), self.scores)

    # --- playing ----------------------------------------------------------------------------------

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions; none when over, the skip alone for a player who can do nothing.

        Raises ``PositionError`` for a position that cannot be (``parse`` with ``check=False``).
        """
        if not self._checked:
            self._check()
        return LegalActions(self._state, self.ruleset.beside)

    @property
    def forced(self) -> Action | None:
        """The skip, if nothing else can be done: a live table plays it by itself."""
        legal = self.legal_actions
        return legal[0] if len(legal) == 1 and legal[0].kind == "skip" else None

    def explain(self, action: Action) -> IllegalAction | None:
        """Why a well-formed action is forbidden here; ``None`` if it is legal. Raises ``PositionError`` as ``legal_actions`` does."""
        if type(action) is not Action:
            _refuse_kind(action)
        if not self._checked:
            self._check()
        word = action.word(self.ruleset.beside)
        code = self._state.forbids(word)
        return illegal(self._state, action, code, word) if code else None

    def play(self, action: Action, chance: Chance | None = None) -> Transition[Position, Action]:
        """Play an action; nothing is left to chance, ``chance`` is never asked.

        Raises ``IllegalAction``, and ``PositionError`` for a pick that uncovers a stone whose pattern is not known.
        """
        if type(action) is not Action:
            _refuse_kind(action)
        if not self._checked:
            self._check()
        before = self._state
        word = action.word(self.ruleset.beside)
        code = before.forbids(word)
        if code:
            raise illegal(before, action, code, word)
        after = before.copy()
        after.tracing = 1
        after.begin(word)
        after.tracing = 0
        for stack, level in self._hidden:
            if level == len(format_pile(after.get(stack))) - 1:
                message = f"STACKS: {action} uncovers a stone of S{stack + 1:02} whose pattern is not known"
                raise PositionError("STACKS", "hidden", message, {"field": "STACKS", "stack": stack + 1})
        position = Position(after, self._options, self._hidden)
        told = events(before, action, after, position)
        return Transition(
            before=self,
            action=action,
            seat=before.mover,
            dealt="",
            after=position,
            move=action.text,
            events=told,
            reveals=tuple(range(self.seats)) if after.over or any(isinstance(event, Uncovered) for event in told) else (),
        )

    def replay(self, move: str) -> Transition[Position, Action]:
        """Play a move as a record writes it: the action, since nothing is dealt."""
        return self.play(Action.parse(move))

    def _check(self) -> None:
        """Raise for a position that cannot be, if it was read without asking."""
        for problem in self.status():
            raise problem
        self._checked = True

    def status(self) -> list[PositionError]:
        """Everything wrong with the position, in the order of its fields; empty unless it was read with ``check=False``."""
        return problems(self._state, self._hidden, self._options)

    # --- text and pictures ------------------------------------------------------------------------

    def __str__(self) -> str:
        return format_line(self._state, self._hidden, self._options)

    def __repr__(self) -> str:
        return f"<Position {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._state.key() == other._state.key() and self._hidden == other._hidden and self._options == other.options

    def __hash__(self) -> int:
        return hash(self._state.key())

    def __reduce__(self) -> tuple[object, tuple[str, Options]]:
        return _unpickle, (str(self), self._options)

    def draw(self) -> str:
        """The table as text for a terminal."""
        from sandriver.games.stones.drawing import text

        return text(self)

    def _repr_svg_(self) -> str:
        from sandriver.games.stones.drawing import svg

        return svg(self)


def state_of(position: Position) -> kernel.State:
    """The kernel's state of a position, for the game's own modules: to be asked, never changed."""
    return position._state  # noqa: SLF001 (its own module)


def _refuse_kind(action: object) -> NoReturn:
    raise TypeError(f"an Action of Mandala Stones is wanted, such as Action.parse('sY'), not {quote(action)}")


def _unpickle(text: str, options: Options) -> Position:
    return Position.parse(text, options, check=False)
