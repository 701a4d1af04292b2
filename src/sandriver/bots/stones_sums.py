"""What the apprentice of Mandala Stones adds up: what a board of five towers is still worth, in points, when its turn is over.

Towers are strings as in a view. What spaces and objectives pay is asked of the rules; a view says no ruleset, so future points
are those of the shipped one (what an action pays at once stands in the view's choices and is right under any).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sandriver.games.stones import kernel
from sandriver.games.stones.ruleset import COLOURS, STONES, shipped, tables
from sandriver.games.stones.wire import View

AHEAD = 3
"""Own scorings looked ahead; two are hardly worse, four no better, one loses three games of four."""
PATIENCE = 0.8
"""Worth of a point a turn later. With 0.95 it hoards until others end the game, with 0.65 it scores small change."""
BONUS = 0.3
"""What the mandala pays for a stone on average: 4 points for 12 places."""
BURIED = 0.6
"""Worth of a stone that those scorings leave on the board: it may be scored some day."""
PACE = 1.0
"""Stones that a player lays on the mandala in an average turn; how far the end is follows from it."""
CLOSING = 2.0
"""Own turns before the end from which objectives begin to count: what is kept earlier is mostly scored before it pays."""


class Sums:
    """A view in numbers, and boards weighed by them."""

    def __init__(self, view: View) -> None:
        me = view.viewer or 0
        side, others = view.sides[me], [other.score for seat, other in enumerate(view.sides) if seat != me]
        self.towers: tuple[str, ...] = side.towers
        self.lead = side.score - max(others)
        seats = len(view.sides)
        room = view.mandala.end - len(view.mandala.stones)
        self.turns = 0.0 if view.trigger else max(0.5, room / (PACE * seats))
        """Own turns expected after this one; 0: this is the last."""
        self._state = kernel.State(_rules(), seats)
        self._cards = [_CARDS[card.id] for card in side.objectives or () if card.id in _CARDS]
        self._memo: dict[tuple[str, ...], float] = {}

    def with_tower(self, space: int, tower: str) -> float:
        """Worth of the board with a new tower on an empty own space (1..5)."""
        return self._after((*self.towers[: space - 1], tower, *self.towers[space:]))

    def without_tops(self, spaces: Sequence[int], *, ends: bool) -> float:
        """Worth of the board without the top stones of some towers (spaces 1..5); ``ends``: this is the last turn."""
        board = tuple([tower[:-1] if space in spaces else tower for space, tower in enumerate(self.towers, 1)])
        return self.kept(board) if ends else self._after(board)

    def _after(self, board: tuple[str, ...]) -> float:
        worth = self._memo.get(board)
        if worth is None:
            worth = self._memo[board] = self.weigh(board)
        return worth

    def weigh(self, board: tuple[str, ...]) -> float:
        """Worth of a board: the best scorings to come, each a turn later than the one before; what they leave; near the end, objectives."""
        if not self.turns:
            return self.kept(board)
        worth, factor = 0.0, PATIENCE
        towers = [tower.upper() for tower in board]
        for _ in range(min(AHEAD, max(1, round(self.turns)))):
            gain, spaces = best_scoring(towers)
            if not spaces:
                break
            worth += factor * gain
            factor *= PATIENCE
            for space in spaces:
                towers[space] = towers[space][:-1]
        worth += factor * BURIED * sum(map(len, towers))
        if self.turns < CLOSING:
            worth += (1 - self.turns / CLOSING) * self.kept(board)
        return worth

    def kept(self, board: tuple[str, ...]) -> float:
        """What the better of the own objectives pays for a board at the end."""
        if not self._cards:
            return 0.0
        for space, tower in enumerate(board):
            self._state.put(kernel.BOARDS + space, _pile(tower))
        self._state.look()
        return float(max([self._state.worth(0, card) for card in self._cards]))


def best_scoring(towers: Sequence[str]) -> tuple[float, list[int]]:
    """The scoring that pays most (towers in upper case; at least two of a colour, or all tops) and the spaces (0..4) it takes from."""
    points: dict[str, float] = {}
    spaces: dict[str, list[int]] = {}
    filled = [space for space, tower in enumerate(towers) if tower]
    heights = len({len(towers[space]) for space in filled})
    for space in filled:
        tower = towers[space]
        top = tower[-1]
        paid = BONUS + _paid(space, tower) + PER_HEIGHT[space] * heights
        if top in points:
            points[top] += paid
            spaces[top].append(space)
        else:
            points[top], spaces[top] = paid, [space]
    best, taken = len(filled) * (1 + BONUS), filled
    for top, at in spaces.items():
        if len(at) > 1 and points[top] > best:
            best, taken = points[top], at
    return best, taken


@lru_cache(maxsize=1 << 13)
def _paid(space: int, tower: str) -> int:
    """What a space (0..4) pays for the top of a tower by the tower itself."""
    return kernel.State(_rules(), 2).value(space, _pile(tower), 0)


@lru_cache(maxsize=1 << 13)
def _pile(tower: str) -> int:
    """A tower as the kernel knows it."""
    pile = 1
    for stone in tower:
        pile = pile << 3 | STONES.index(stone)
    return pile


@lru_cache(maxsize=1)
def _rules() -> kernel.Rules:
    return tables(shipped())


PER_HEIGHT = [kernel.State(_rules(), 2).value(space, _pile("Y"), 1) - _paid(space, "Y") for space in range(kernel.TOWERS)]
"""What a space pays for each different height on the board."""
_CARDS = {card.id: number for number, card in enumerate(shipped().objectives.cards)}

assert STONES[:4] == COLOURS
