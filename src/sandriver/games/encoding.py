"""How a game is written in numbers for those who learn it: observations, action indices, batches (each game's ``encoding.py``)."""

from __future__ import annotations

import copy
import importlib
import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, SupportsIndex

from sandriver.games.errors import ChanceError, IllegalAction
from sandriver.games.planes import Plane


class Walk(ABC):
    """A game that is played one decision at a time, those of chance too: for tools that walk trees. Changed in place, and copied.

    The kernel's states are copied between actions only, so a walk remembers the last of these, and what was decided since.
    """

    draws = True
    """Whether chance decides anything after the set-up."""

    def __init__(self) -> None:
        self.state: Any = self.fresh()
        self._before: Any = None
        self._action = -1
        self._dealt: list[int] = []
        self.owed = True
        """Whether chance decides next."""

    def __deepcopy__(self, _memo: dict[int, Any]) -> Walk:
        twin = copy.copy(self)
        if not self.owed:
            twin.state = self.state.copy()
            return twin
        twin._dealt = []  # noqa: SLF001 (its own class)
        if self._before is None:
            twin.state = self.fresh()
        else:
            twin.state = self._before.copy()
            self.begin(twin.state, self._action)
        for outcome in self._dealt:
            twin._decide(outcome)  # noqa: SLF001
        return twin

    @abstractmethod
    def fresh(self) -> Any:
        """A state whose set-up has just begun."""

    @abstractmethod
    def begin(self, state: Any, action: int) -> None:
        """Play an action up to the first thing that chance decides."""

    @abstractmethod
    def weights(self) -> list[int]:
        """How likely chance decides which way, where it must (``owed``)."""

    @abstractmethod
    def observe(self, seat: int) -> bytearray:
        """What a seat knows. Raises ``ValueError`` for one that there is not."""

    @abstractmethod
    def mask(self) -> bytearray:
        """1 for each legal action of who must act."""

    @abstractmethod
    def say(self, action: int) -> str:
        """An action in notation."""

    @property
    def to_move(self) -> int | None:
        """The seat that must act, ``None`` when the game is over."""
        return self.state.mover if self.state.mover >= 0 else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, when the game is over."""
        return tuple(seat for seat in range(4) if self.state.winners() >> seat & 1)

    def deal(self, outcome: SupportsIndex) -> None:
        """Decide one thing, as an index into ``weights``. Raises ``ChanceError`` for one that cannot be dealt; then nothing has changed."""
        index = operator.index(outcome)
        weights = self.weights() if self.owed else []
        if not 0 <= index < len(weights) or not weights[index]:
            raise ChanceError("chance_not_there", f"outcome {index} cannot be dealt here", {"index": index})
        self._decide(index)

    def _decide(self, outcome: int) -> None:
        self.state.deal(outcome)
        self._dealt.append(outcome)
        self.owed = bool(self.state.owed)

    def play(self, action: SupportsIndex) -> None:
        """Play an action up to the first thing that chance decides. Raises ``IllegalAction``; then nothing has changed."""
        index = operator.index(action)
        mask = self.mask() if not self.owed else b""
        if not 0 <= index < len(mask) or not mask[index]:
            raise IllegalAction("illegal_index", f"action {index} is not legal here", {"action": index})
        self._before, self._action, self._dealt = self.state.copy(), index, []
        self.begin(self.state, index)
        self.owed = self.draws and bool(self.state.owed)


class Encoding(Protocol):
    """What a game's ``ENCODING`` offers. Stateless."""

    version: int
    """Raised when the same position would be observed otherwise, or an action had another index."""
    planes: Sequence[Plane]
    """The observation of a seat, part by part."""
    size: int
    """Numbers in an observation."""
    actions: int
    """Indices of actions: ``0..actions-1``, legal or not."""
    outcomes: int
    """The most ways in which chance may decide one thing."""
    longest: int
    """More decisions than a game has, with those of chance."""
    action_table: str
    """What the indices mean, as a Markdown table."""

    def observe(self, position: Any, seat: int) -> bytearray:
        """What ``seat`` knows of a position. Raises ``ValueError`` for one that there is not."""

    def mask(self, position: Any) -> bytearray:
        """1 for each legal action of who must act, else 0."""

    def action(self, position: Any, index: int) -> Any:
        """The action of an index. Raises ``IndexError`` for a number that is none."""

    def index(self, position: Any, action: Any) -> int:
        """The index of an action."""

    def walk(self, options: Any, seats: int, first: int) -> Walk:
        """A game before its first card is dealt. Raises ``OptionError`` for seats that there are not."""

    def batch(self, options: Any, seats: int, games: int) -> Any:
        """So many games to be played at once (``batch.Batch``). Raises ``OptionError`` for seats that there are not."""


def checked(index: int, actions: int) -> int:
    """An index of an action as a plain number. Raises ``IndexError`` unless it is one of ``0..actions-1``."""
    plain = operator.index(index)
    if not 0 <= plain < actions:
        raise IndexError(f"actions have the indices 0 to {actions - 1}, not {plain}")
    return plain


def encoding_of(game_id: str) -> Encoding:
    """The encoding of a game. Raises ``KeyError`` for a game that there is not."""
    from sandriver.games import GAMES

    module = importlib.import_module(f"sandriver.games.{GAMES[game_id].id}.encoding")
    found: Encoding = module.ENCODING
    return found
