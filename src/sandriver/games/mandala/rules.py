"""``Position``: a game of Mandala as it stands, immutable and typed: the friendly face over the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NoReturn, overload

import msgspec

from sandriver.games.chance import Chance, ListedChance
from sandriver.games.common import check_start, decide, of_type
from sandriver.games.contract import Outcome, Transition
from sandriver.games.errors import ChanceError, IllegalAction, PositionError, quote
from sandriver.games.mandala import kernel
from sandriver.games.mandala.actions import ACTIONS, Action, format_move, parse_move
from sandriver.games.mandala.cards import COLOURS, Cards
from sandriver.games.mandala.notation import SEATS, Hidden, format_line, format_river, format_turn, parse_line
from sandriver.games.mandala.options import Options
from sandriver.games.mandala.status import problems
from sandriver.games.mandala.telling import events, illegal

__all__ = ["ACTIONS", "COLOURS", "Action", "Cards", "Claim", "LegalActions", "Options", "Position"]

DEFAULT = Options()
REASONS: dict[int, Literal["sixth_colour", "last_mandala", "stall"]] = {
    kernel.SIXTH_COLOUR: "sixth_colour",
    kernel.LAST_MANDALA: "last_mandala",
    kernel.STALL: "stall",
}


SEAT_COUNTS = (2,)
"""Possible numbers of seats."""
_TEXTS = [action.text for action in ACTIONS]


class Claim(msgspec.Struct, frozen=True):
    """A destruction in progress: the seat to move claims."""

    mandala: int
    completer: int


class LegalActions(Sequence[Action]):
    """The legal actions of a position in index order: counted and asked without being listed.

    >>> legal = Position.parse("K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0").legal_actions
    >>> len(legal), str(legal[0]), Action.parse("f1P3") in legal, Action.parse("b1R") in legal
    (22, 'b1P', True, False)
    """

    __slots__ = ("_actions", "_count", "_state")

    def __init__(self, state: kernel.State) -> None:
        self._state = state
        self._count = state.scan()
        self._actions: list[Action] | None = None

    def _listed(self) -> list[Action]:
        if self._actions is None:
            self._actions = [ACTIONS[index] for index in self._state.legal()]
        return self._actions

    @property
    def texts(self) -> tuple[str, ...]:
        """Them all in notation."""
        return tuple([_TEXTS[index] for index in self._state.legal()])

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, item: int) -> Action: ...
    @overload
    def __getitem__(self, item: slice) -> list[Action]: ...
    def __getitem__(self, item: int | slice) -> Action | list[Action]:
        return self._listed()[item]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed())

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self._state.forbids(action.index) == 0

    def __repr__(self) -> str:
        return f"<LegalActions {' '.join(map(str, self))}>"


class Position:
    """A game as it stands. Everything that a person sees as a whole stands here; who may see what is the views' business.

    >>> position = Position.parse("K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0")
    >>> position.mountains[0], position.hands[0]["P"], position.to_move
    (Cards.parse('K2'), 3, 0)
    >>> print(position.replay("b1P>GPY").after)
    K2P1/-/- G2/-/- G1P3Y4/O3R3 -/- K1G1+-/P1Y1+- K15G14P13Y13O15R15 - B 0/0
    """

    __slots__ = ("_checked", "_hidden", "_options", "_state")

    def __init__(self, state: kernel.State, options: Options, hidden: Hidden | None = None, *, checked: bool = True) -> None:
        """For the rules' own use: take over a kernel state. Use ``start`` or ``parse``."""
        self._state = state
        self._hidden: Hidden = hidden or {}
        self._options = options
        self._checked = checked

    @property
    def options(self) -> Options:
        """How the game is played."""
        return self._options

    # --- making one -------------------------------------------------------------------------------

    @classmethod
    def start(cls, chance: Chance, *, options: Options = DEFAULT, seats: int = 2, first: int = 0) -> Position:
        """Set up a new game in which seat ``first`` begins; ``chance`` deals mountains, hands and cups, 20 cards.

        ``seats`` are two, and count from 0. Raises ``OptionError`` for seats that there are not, ``ChanceError`` for a card that cannot be.
        """
        of_type(options, Options, "Options(…)")
        check_start("Mandala", seats, SEAT_COUNTS, first)
        state = kernel.State(int(options.exhaustion == "lazy"), options.stall_limit)
        state.setup(first)
        _deal(state, chance)
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
            for problem in problems(state, hidden):
                raise problem
        return cls(state, options, hidden, checked=check)

    # --- what lies where --------------------------------------------------------------------------

    def _cards(self, place: int) -> Cards:
        if place in self._hidden:
            return Cards.hidden(self._hidden[place])
        return Cards.unpack(self._state.get(place))

    @property
    def mountains(self) -> tuple[Cards, Cards]:
        """The mountains of the two mandalas."""
        return self._cards(0), self._cards(3)

    @property
    def fields(self) -> tuple[tuple[Cards, Cards], tuple[Cards, Cards]]:
        """``fields[mandala][seat]``."""
        return (self._cards(1), self._cards(2)), (self._cards(4), self._cards(5))

    @property
    def hands(self) -> tuple[Cards, Cards]:
        """Hands by seat."""
        return self._cards(kernel.HAND), self._cards(kernel.HAND + 1)

    @property
    def rivers(self) -> tuple[str, str]:
        """Rivers by seat: letters in place order."""
        return format_river(self._state.get(kernel.RIVER)), format_river(self._state.get(kernel.RIVER + 1))

    @property
    def dealt(self) -> tuple[Cards, Cards]:
        """The two cup cards dealt at the start, by seat."""
        return self._cards(kernel.DEALT), self._cards(kernel.DEALT + 1)

    @property
    def claimed(self) -> tuple[Cards, Cards]:
        """The cup cards claimed since, by seat."""
        return self._cards(kernel.CLAIMED), self._cards(kernel.CLAIMED + 1)

    @property
    def deck(self) -> Cards:
        """The cards in the deck; they have no order."""
        return self._cards(kernel.DECK)

    @property
    def discard(self) -> Cards:
        """The cards on the discard pile."""
        return self._cards(kernel.PILE)

    # --- whose turn it is, and the score ----------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The seat that must act, ``None`` when the game is over."""
        return self._state.mover if self._state.mover >= 0 else None

    @property
    def turn(self) -> str:
        """Who must act and why, as the notation writes it: ``A``, ``A*1B``, ``-``."""
        return format_turn(self._state)

    @property
    def complete(self) -> bool:
        """Whether no hand, cup or deck is hidden; ``play`` and ``replay`` refuse a position that is not."""
        return not self._hidden

    @property
    def claim(self) -> Claim | None:
        """The destruction in progress, if there is one."""
        return Claim(self._state.claim, self._state.completer) if self._state.claim >= 0 else None

    @property
    def last_mandala(self) -> bool:
        """Whether the deck has run out: the next mandala to be destroyed is the last."""
        return bool(self._state.last)

    @property
    def redraws(self) -> int:
        """Consecutive redraws so far."""
        return self._state.redraws

    @property
    def scores(self) -> tuple[int, int]:
        """Points by seat as they stand. Raises ``PositionError`` when a cup is hidden."""
        return self.points(0), self.points(1)

    def points(self, seat: int) -> int:
        """The points of one seat, likewise."""
        if self._hidden and any(kernel.DEALT <= place < kernel.DECK for place in self._hidden):
            raise PositionError("CUPS", "hidden", "CUPS: the points depend on hidden cards", {"field": "CUPS"})
        return self._state.score(seat)

    @property
    def outcome(self) -> Outcome | None:
        """The result when over, else ``None``. On equal points fewer cards in the cup win; if still equal, both do."""
        if not self._state.over:
            return None
        scores, winners = self.scores, self._state.winners()
        return Outcome(REASONS[self._state.over], tuple([seat for seat in (0, 1) if winners >> seat & 1]), scores)

    # --- playing ----------------------------------------------------------------------------------

    @property
    def forced(self) -> Action | None:
        """Never any: who is to move chooses, if only among one."""
        return None

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions; none when over. Raises ``PositionError`` when the acting hand is hidden, or the position cannot be."""
        self._refuse_unclear()
        return LegalActions(self._state)

    def explain(self, action: Action) -> IllegalAction | None:
        """Why a well-formed action is forbidden here; ``None`` if it is legal. Raises ``PositionError`` as ``legal_actions`` does."""
        if type(action) is not Action:
            _refuse_kind(action)
        self._refuse_unclear()
        code = self._state.forbids(action.index)
        return illegal(self._state, action, code) if code else None

    def play(self, action: Action, chance: Chance) -> Transition[Position, Action]:
        """Play an action; ``chance`` is asked once for every card dealt, with the deck's six counts.

        Raises ``IllegalAction``, ``ChanceError`` for a card that the deck does not hold, ``PositionError`` when something is hidden.
        """
        if type(action) is not Action:
            _refuse_kind(action)
        before = self._state
        if self._hidden or not self._checked:
            self._refuse_hidden()
        code = before.forbids(action.index)
        if code:
            raise illegal(before, action, code)
        after = before.copy()
        after.tracing = 1
        after.begin(action.index)
        dealt = _deal(after, chance) if after.owed else ""
        after.tracing = 0
        position = Position(after, self._options)
        return Transition(
            before=self,
            action=action,
            seat=before.mover,
            dealt=dealt,
            after=position,
            move=format_move(action, dealt),
            events=events(before, action, after, position),
            reveals=(0, 1) if dealt or after.over else () if action.kind == "claim" else (1 - before.mover,),
        )

    def replay(self, move: str) -> Transition[Position, Action]:
        """Play a move with its recorded chance (``b1R>GPY``). Raises also when chance is missing, wrong or left over."""
        action, colours = parse_move(move)
        chance = ListedChance(colours)
        try:
            transition = self.play(action, chance)
        except ChanceError as error:
            if error.code != "chance_missing":
                raise
            owed = len(self.play(action, _FirstCard()).dealt)
            message = f"{action}: {_number(owed)} dealt, the move names {len(colours)}"
            raise ChanceError("chance_missing", message, {"action": str(action), "expected": owed, "given": len(colours)}) from None
        if chance.left:
            owed = len(colours) - chance.left
            message = f"{action}: {_number(owed)} dealt, the move names {len(colours)}"
            raise ChanceError("chance_left_over", message, {"action": str(action), "expected": owed, "given": len(colours)})
        return transition

    def _refuse_unclear(self) -> None:
        """Raise unless what may be done here can be said."""
        if not self._checked:
            self._check()
        state = self._state
        if self._hidden and state.claim < 0 and state.mover >= 0 and kernel.HAND + state.mover in self._hidden:
            raise PositionError("HANDS", "hidden", f"HANDS: the hand of {SEATS[state.mover]} is hidden", {"field": "HANDS"})

    def _check(self) -> None:
        """Raise for a position that cannot be, if it was read without asking."""
        for problem in self.status():
            raise problem
        self._checked = True

    def _refuse_hidden(self) -> None:
        self._check()
        for place in self._hidden:
            field = "HANDS" if place < kernel.DEALT else "CUPS" if place < kernel.DECK else "DECK"
            raise PositionError(field, "hidden", f"{field}: a position with hidden cards cannot be played on", {"field": field})

    def status(self) -> list[PositionError]:
        """Everything wrong with the position, in the order of its fields; empty unless it was read with ``check=False``."""
        return problems(self._state, self._hidden)

    # --- text and pictures ------------------------------------------------------------------------

    def __str__(self) -> str:
        return format_line(self._state, self._hidden)

    def __repr__(self) -> str:
        return f"<Position {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._state.key() == other._state.key() and self._options == other._options and self._hidden == other._hidden

    def __hash__(self) -> int:
        return hash((self._state.key(), self._options))

    def __reduce__(self) -> tuple[object, tuple[str, Options]]:
        return _unpickle, (str(self), self._options)

    def draw(self) -> str:
        """The table as text for a terminal."""
        from sandriver.games.mandala.drawing import text

        return text(self)

    def _repr_svg_(self) -> str:
        from sandriver.games.mandala.drawing import svg

        return svg(self)


def state_of(position: Position) -> kernel.State:
    """The kernel's state of a position, for the game's own modules: to be asked, never changed."""
    return position._state  # noqa: SLF001 (its own module)


def hidden_of(position: Position) -> Hidden:
    """The sets that a position does not show, for the game's own modules."""
    return position._hidden  # noqa: SLF001 (its own module)


def _unpickle(text: str, options: Options) -> Position:
    return Position.parse(text, options, check=False)


def _refuse_kind(action: object) -> NoReturn:
    raise TypeError(f"an Action of Mandala is wanted, such as Action.parse('b1K'), not {quote(action)}")


def _number(cards: int) -> str:
    return "no card is" if cards == 0 else "1 card is" if cards == 1 else f"{cards} cards are"


def _deal(state: Any, chance: Chance) -> str:
    """Deal what is owed, every card by ``chance``; returns the letters in the order dealt."""
    letters = ""
    while state.owed:
        weights = state.get(kernel.DECK).to_bytes(6, "little")
        colour = decide(chance, weights)
        if not 0 <= colour < 6 or not weights[colour]:
            name = COLOURS[colour] if 0 <= colour < 6 else str(colour)
            raise ChanceError("chance_not_in_deck", f"no {name} is left in the deck (card {len(letters) + 1} dealt)", {"colour": name})
        state.deal(colour)
        letters += COLOURS[colour]
    return letters


class _FirstCard:
    """Deals the first colour there is: only to count how many cards a move deals."""

    def draw(self, weights: Sequence[int]) -> int:
        return next(colour for colour, weight in enumerate(weights) if weight)
