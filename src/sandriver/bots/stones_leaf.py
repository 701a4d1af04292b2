"""What a running game of Mandala Stones is worth to every seat, without playing it on: the sums of the apprentice.

A seat has its points, and on its board the scorings to come: the best three in a row, each a turn later and so worth less, and the stones
that they leave. Near the end the better objective counts too. The differences of these sums become shares of the victory; the less time
is left, the more a point decides.
"""

from __future__ import annotations

import math
from typing import Any

import cython

from sandriver.bots.search import check_range
from sandriver.games import kernels
from sandriver.games.stones import kernel as used_kernel

if not cython.compiled:  # compiled, these are C constants, functions and types that stones_leaf.pxd defines
    _kernel: Any = kernels.interpreted(used_kernel.__name__) if kernels.is_compiled(used_kernel) else used_kernel
    BOARDS, CARDS, MOST_SEATS, TOWERS, TRACK = 24, 50, 4, 5, 46
    height = _kernel.height
    exp = math.exp


class Leaf:
    """An evaluation with its numbers and its scratch paper. For one thread at a time."""

    def __init__(self, *, sooner: float = 0.8, tempo: float = 0.5, spread: float = 3.0, spread_later: float = 0.8) -> None:
        """``sooner``: worth of a point a turn later. ``tempo``: points that being to move is worth. Points that make a share of the victory
        e times as large: ``spread``, and ``spread_later`` more for each turn left."""
        if not cython.compiled:
            self.piles, self.paid, self.on, self.values = [0] * TOWERS, [0.0] * 4, [0] * 4, [0.0] * MOST_SEATS
        for name, value in {"sooner": sooner, "tempo": tempo}.items():
            check_range(name, value, -1000, 1000)
        check_range("spread", spread, 0.000_001, 1_000_000)
        check_range("spread_later", spread_later, 0, 1_000_000)
        self.sooner, self.tempo, self.spread, self.spread_later = sooner, tempo, spread, spread_later

    def best_scoring(self, state: Any) -> float:
        """What the scoring that pays most pays on the board laid out in ``piles``; leaves the spaces it takes from in ``taken``."""
        filled = everywhere = 0
        for i in range(4):
            self.paid[i] = 0.0
            self.on[i] = 0
        seen = 0
        for i in range(TOWERS):
            seen |= 1 << height(self.piles[i])
        heights = ((seen >> 1) & 1) + ((seen >> 2) & 1) + ((seen >> 3) & 1) + ((seen >> 4) & 1)
        for i in range(TOWERS):
            pile = self.piles[i]
            if pile > 1:
                filled += 1
                everywhere |= 1 << i
                top = pile & 3
                self.paid[top] += 0.3 + state.value(i, pile, heights)  # 0.3: what the mandala pays for a stone on average
                self.on[top] |= 1 << i
        best: float = filled * (0.3 + state.rules.tops_each)
        self.taken = everywhere
        for top in range(4):
            if self.on[top] & (self.on[top] - 1) and self.paid[top] > best:
                best = self.paid[top]
                self.taken = self.on[top]
        return best

    def score(self, state: Any, factor: float) -> float:
        """Take off what the best scoring takes; returns what it pays, times ``factor``."""
        factor *= self.best_scoring(state)
        for i in range(TOWERS):
            if (self.taken >> i) & 1:
                self.piles[i] >>= 3
        return factor

    def stones(self) -> int:
        """Stones in ``piles``."""
        n: int = height(self.piles[0]) + height(self.piles[1]) + height(self.piles[2]) + height(self.piles[3]) + height(self.piles[4])
        return n

    def kept(self, state: Any, seat: int) -> float:
        """What the better objective of a seat pays on its board as it stands."""
        one = state.cells[CARDS + 2 * seat]
        two = state.cells[CARDS + 2 * seat + 1]
        if one < 0 or two < 0:
            return 0.0
        return float(max(state.worth(seat, one), state.worth(seat, two)))

    def weigh(self, state: Any, seat: int, factor: float, turns: float) -> float:
        """Worth of a seat's board in points with so many turns left, the first of them worth ``factor``."""
        for i in range(TOWERS):
            self.piles[i] = state.cells[BOARDS + TOWERS * seat + i]
        worth = 0.0
        n = 0
        while n < 3 and (n == 0 or n + 0.5 < turns):
            worth += self.score(state, factor)
            factor *= self.sooner
            n += 1
        worth += factor * 0.6 * self.stones()  # what stays behind may be scored some day
        if turns < 2.0:
            worth += (1.0 - 0.5 * turns) * self.kept(state, seat)
        return worth

    def value(self, state: Any) -> None:
        """Leave the shares of the victory, by seat, of a running game in ``values``."""
        turns: float = state.rules.ends[state.seats] - state.placed
        turns = turns / state.seats if turns > 0.5 * state.seats else 0.5
        most = -1e9
        for seat in range(state.seats):
            ahead = seat - state.mover
            if ahead < 0:
                ahead += state.seats
            if state.trigger:  # who has yet to come before the round is over has one turn left, the others none
                left = state.first - state.mover
                if left <= 0:
                    left += state.seats
                if ahead < left:
                    self.values[seat] = state.cells[TRACK + seat] + self.last_turn(state, seat)
                else:
                    self.values[seat] = state.cells[TRACK + seat] + self.kept(state, seat)
            else:
                factor = 1.0 - (1.0 - self.sooner) * ahead / state.seats
                self.values[seat] = state.cells[TRACK + seat] + self.weigh(state, seat, factor, turns)
                if ahead == 0:
                    self.values[seat] += self.tempo
            most = max(most, self.values[seat])
        spread = self.spread + (0.0 if state.trigger else self.spread_later * turns)
        every = 0.0
        for seat in range(state.seats):
            self.values[seat] = exp((self.values[seat] - most) / spread)
            every += self.values[seat]
        for seat in range(state.seats):
            self.values[seat] /= every

    def last_turn(self, state: Any, seat: int) -> float:
        """Points of a seat that has one turn left: the best scoring, and most of its objective as it stands."""
        for i in range(TOWERS):
            self.piles[i] = state.cells[BOARDS + TOWERS * seat + i]
        return self.best_scoring(state) + 0.6 * self.kept(state, seat)
