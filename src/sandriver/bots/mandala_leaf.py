"""What a running game of Mandala is worth, without playing it on: the sums of the apprentice, weighed by what they were worth in games.

A mandala is worth what sharing out its mountain would bring if both claimed greedily, for either first claimer, by how likely each is to be
first; the fewer colours it lacks, the more of that counts now. To this come the lead, what the rivers still promise, hands and tempo.
Everything is seat 0's minus seat 1's; both hands are known here (a search has dealt the hidden cards).

A learned evaluation takes the place of ``look`` and of the weighing in ``value``: it gets the same state, may write what it reads into a
buffer of its own (``games.mandala.planes.observe`` does), holds its weights as a C array of floats that ``__init__`` fills and checks, and
returns seat 0's chance. Claims are played on before and ends are known, so it is only asked about turns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cython

from sandriver.bots.search import check_range
from sandriver.games import kernels
from sandriver.games.mandala import kernel as used_kernel

if not cython.compiled:  # compiled, these are C constants, functions and types that mandala_leaf.pxd defines
    _kernel: Any = kernels.interpreted(used_kernel.__name__) if kernels.is_compiled(used_kernel) else used_kernel
    HAND, DEALT, CLAIMED, DECK, RIVER = 6, 8, 10, 12, 14
    ONE, ONES, SET = _kernel.ONE, _kernel.ONES, _kernel.SET
    points, present, total = _kernel.points, _kernel.present, _kernel.total
    exp = math.exp
    FEATURES = 24


WEIGHTS = (
    0.09312, 0.05011, 0.177, -0.1289, 0.26, 0.1888, 0.05701, 0.01963, 0.02122, 0.01088, -0.01162, 0.004307, 0.04761, 0.01102, 0.07177,
    -0.07299, 0.1166, -0.1434, 0.1009, -0.06714, 0.1141, 0.03952, 0.1154, 0.01225,
)  # fmt: skip
"""Of each sum, then of the same times how late it is: lead, river places, dealt cards not opened, hand, its colours, its largest set, worth
of the mandalas that lack one, two, three, more colours, cards in fields. Then being to move, and the lead times late squared.

A logistic regression on 126,000 turns of 2,500 games of short searches in which 30 % of the actions were random (games of good play alone
teach it less: what never varies is never weighed)."""


def most_of_one(cards: int) -> int:
    """Cards of the most frequent colour of a set."""
    most = 0
    while cards:
        n = cards & 255
        most = max(most, n)
        cards >>= 8
    return most


def first_of(one: int, two: int, completer: int) -> int:
    """The seat that claims first where the fields of seats 0 and 1 hold so many cards, not none."""
    return 1 - completer if one == two else 0 if one > two else 1


class Leaf:
    """An evaluation with its weights and its scratch paper. For one thread at a time."""

    def __init__(self, weights: Sequence[float] = WEIGHTS) -> None:
        """``weights``: one for each of the ``FEATURES`` sums. Raises ``ValueError`` for another number of them."""
        if len(weights) != FEATURES:
            raise ValueError(f"the evaluation of Mandala has {FEATURES} weights, not {len(weights)}")
        if not cython.compiled:
            self.sums, self.weights = [0.0] * FEATURES, [0.0] * FEATURES
            self.own, self.by_place, self.opens = [0.0] * 12, [0.0] * 12, [0] * 12
            self.places = [0] * 2
            self.parts = [0.0] * 6
            self.late = 0.0
        for i in range(FEATURES):
            check_range("a weight", weights[i], -1_000_000, 1_000_000)
            self.weights[i] = weights[i]

    def lay(self, state: Any, mountain: int, empty_0: int, empty_1: int) -> int:
        """Lay out what each colour of a mountain would bring to either seat; returns the colours as bits."""
        left = 0
        for colour in range(6):
            shift = 8 * colour
            n = (mountain >> shift) & 255
            if n == 0:
                continue
            left |= 1 << colour
            for seat in range(2):
                i = 6 * seat + colour
                empty = empty_1 if seat else empty_0
                place = (state.cards[RIVER + seat] >> shift) & 255
                self.opens[i] = 0
                self.by_place[i] = 0.0
                self.own[i] = 0.0
                if empty:
                    continue
                if place:
                    self.own[i] = place * n
                else:
                    dealt = (state.cards[DEALT + seat] >> shift) & 255
                    self.opens[i] = 1
                    self.by_place[i] = n - 1 + dealt + 1.1 * (1.0 - self.late)  # more of an opened colour will be claimed, if there is time
                    self.own[i] = -3.4 * dealt * (1.0 - self.late)
        for seat in range(2):
            self.places[seat] = total(present(state.cards[RIVER + seat])) + 1
        return left

    def wanted(self, left: int, one: float, two: float) -> int:
        """The colour that both together want most, if their next river places are these."""
        best = 0
        most = -1e9
        for colour in range(6):
            if (left >> colour) & 1:
                worth = self.own[colour] + self.by_place[colour] * one + self.own[6 + colour] + self.by_place[6 + colour] * two
                if worth > most:
                    most = worth
                    best = colour
        return best

    def shared(self, every: int, first: int) -> float:
        """What sharing out the mountain that was laid out brings, if ``first`` begins and both claim greedily."""
        left = every
        one: float = self.places[0]
        two: float = self.places[1]
        seat = first
        worth = 0.0
        while left:
            best = self.wanted(left, one, two)
            left &= ~(1 << best)
            if seat:
                worth -= self.own[6 + best] + self.by_place[6 + best] * two
                two += self.opens[6 + best]
            else:
                worth += self.own[best] + self.by_place[best] * one
                one += self.opens[best]
            seat = 1 - seat
        return worth

    def greedy_claim(self, state: Any) -> int:
        """The word of the claim that both want most, where somebody must claim."""
        base = 3 * state.claim
        left = self.lay(state, state.cards[base], state.cards[base + 1] == 0, state.cards[base + 2] == 0)
        word: int = ONE << (8 * self.wanted(left, self.places[0], self.places[1])) | (ONE * 5) << 48
        return word

    def look(self, state: Any) -> None:
        """Add up a state in which somebody chooses a turn, seat 0's minus seat 1's."""
        for i in range(FEATURES):
            self.sums[i] = 0.0
        longest = max(total(present(state.cards[RIVER])), total(present(state.cards[RIVER + 1])))
        t: float = 1.0 if state.last else 0.7 * (1.0 - total(state.cards[DECK]) / 88.0)
        t = max(t, longest * longest / 36.0)
        self.late = t
        self.sums[0] = state.score(0) - state.score(1)
        for seat in range(2):
            sign = 1.0 - 2.0 * seat
            river = state.cards[RIVER + seat]
            place = total(present(river))
            self.sums[2] += sign * place * (place + 1) * 0.5
            self.sums[4] += sign * total(state.cards[DEALT + seat] & ~(present(river) * 255))
            hand = state.cards[HAND + seat]
            self.sums[6] += sign * total(hand)
            self.sums[8] += sign * total(present(hand))
            self.sums[10] += sign * most_of_one(hand)
        for m in range(2):
            base = 3 * m
            one = total(state.cards[base + 1])
            two = total(state.cards[base + 2])
            self.sums[20] += one - two
            missing = 6 - total(present(state.cards[base] | state.cards[base + 1] | state.cards[base + 2]))
            if missing <= 1:
                self.parts[3 * m + 2] = self.one_missing(state, base, one, two)
                self.sums[12] += self.parts[3 * m + 2]
                continue
            every = self.lay(state, state.cards[base], one == 0 and missing < 3, two == 0 and missing < 3)
            chance = 1.0 / (1.0 + exp(-(one - two) / (0.6 + 0.35 * missing)))
            first = self.parts[3 * m] = self.shared(every, 0)
            second = self.parts[3 * m + 1] = self.shared(every, 1)
            self.parts[3 * m + 2] = chance * first + (1.0 - chance) * second
            self.sums[10 + 2 * min(missing, 4)] += self.parts[3 * m + 2]
        for i in range(11):
            self.sums[2 * i + 1] = self.sums[2 * i] * t
        self.sums[22] = 1.0 - 2.0 * state.mover
        self.sums[23] = self.sums[1] * t

    def one_missing(self, state: Any, base: int, one: int, two: int) -> float:
        """What a mandala is worth that one colour completes: who is to move may do so by mountain or field, or else the other."""
        every = self.lay(state, state.cards[base], one == 0, two == 0)
        first = self.parts[base] = self.shared(every, 0)
        second = self.parts[base + 1] = self.shared(every, 1)
        worth: float = 0.3 * (first + second)
        gap = ONES & ~present(state.cards[base] | state.cards[base + 1] | state.cards[base + 2])
        seat = state.mover
        if state.cards[HAND + seat] & (gap * 255) == 0:
            seat = 1 - seat
        held = state.cards[HAND + seat] & (gap * 255)
        if held == 0:
            return worth
        sign = 1.0 - 2.0 * seat
        best: float = sign * worth
        if held != state.cards[HAND + seat]:  # one card stays in hand
            n = total(held)
            if seat:
                every = self.lay(state, state.cards[base], one == 0, 0)
                best = max(best, sign * self.shared(every, first_of(one, two + n, seat)))
            else:
                every = self.lay(state, state.cards[base], 0, two == 0)
                best = max(best, sign * self.shared(every, first_of(one + n, two, seat)))
        if one + two:
            every = self.lay(state, state.cards[base] + gap, one == 0, two == 0)
            best = max(best, sign * self.shared(every, first_of(one, two, seat)))
        best *= sign
        return best

    def value(self, state: Any) -> float:
        """The value of a running game for seat 0, 0..1; claims are played on greedily before."""
        while state.claim >= 0:
            state.act(self.greedy_claim(state))
            if state.owed:
                state.draw()
        if state.over:
            winners = state.winners()
            return 0.5 if winners == 3 else 1.0 if winners == 1 else 0.0
        self.look(state)
        x = 0.0
        for i in range(FEATURES):
            x += self.weights[i] * self.sums[i]
        return 1.0 / (1.0 + exp(-min(max(x, -700.0), 700.0)))

    def read(self, state: Any) -> list[float]:
        """The sums of a state, for those who weigh them."""
        self.look(state)
        return [self.sums[i] for i in range(FEATURES)]
