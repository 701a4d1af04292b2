"""A learned value of a running game of Mandala: a small network on everything that lies on the table and in both hands.

The six colours are alike, so one layer reads each of them, knowing the context (all that is not of one colour), and what it finds is added
up; a second layer judges that sum and the context. Everything is as the seat to move sees it. The mandala that lacks fewer colours comes
first. Sums are made in one order in doubles, so the result is the same compiled or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cython

from sandriver.bots import mandala_leaf
from sandriver.bots.weights import packed_with_us, size_of
from sandriver.games import kernels
from sandriver.games.mandala import kernel as used_kernel

if not cython.compiled:  # compiled, these are C constants, functions and types that mandala_net.pxd defines
    _kernel: Any = kernels.interpreted(used_kernel.__name__) if kernels.is_compiled(used_kernel) else used_kernel
    _leaf: Any = kernels.interpreted(mandala_leaf.__name__) if kernels.is_compiled(mandala_leaf) else mandala_leaf
    HAND, DEALT, DECK, PILE, RIVER = 6, 8, 12, 13, 14
    ONES = _kernel.ONES
    present, total = _kernel.present, _kernel.total
    Leaf, most_of_one, State = _leaf.Leaf, _leaf.most_of_one, _kernel.State
    exp = math.exp
    CONTEXT, COLOUR, HIDDEN, LAST, BOTH, KINDS = 91, 45, 32, 32, 64, 24
    INPUTS = 1

    def weigh(sums: list[float], to: int, inputs: list[float], first: int, weights: list[float], n: int, width: int) -> None:
        """Add rows of weights, each as often as its input says."""
        for i in range(n):
            x = inputs[first + i]
            if x != 0.0:
                for j in range(width):
                    sums[to + j] += x * weights[i * width + j]


def _shapes() -> dict[str, tuple[int, ...]]:
    both, inner = (BOTH,), (COLOUR, HIDDEN)
    return {"context": (CONTEXT, BOTH), "context biases": both, "colour": inner, "second": (HIDDEN, LAST), "out": (LAST,), "out bias": (1,)}


def _shapes_of_choice() -> dict[str, tuple[int, ...]]:
    names = ("choice context", "choice context biases", "choice colour", "choice", "choice biases")
    return dict(zip(names, ((CONTEXT, HIDDEN), (HIDDEN,), (COLOUR, HIDDEN), (HIDDEN, KINDS), (KINDS,)), strict=True))


VALUE_SIZE = size_of(_shapes())
"""How many of the weights are those of the value; the others choose (``mandala_choice``)."""
SHAPES = _shapes() | _shapes_of_choice()
"""Of the layers, by name, in the order in which weights are given; the context's is both for the colours and for the second layer."""
SIZE = size_of(SHAPES)
FILE = "mandala-3.net"
STALL_LIMIT = 20


def packed() -> tuple[float, ...]:
    """Return the weights that come with Sandriver. Raises ``WeightsError`` when their file is missing or damaged."""
    return packed_with_us(FILE, "mandala", INPUTS, tuple(SHAPES.items()))


class Net:
    """The network with its weights and its scratch paper. For one thread at a time."""

    def __init__(self, weights: Sequence[float]) -> None:
        """``weights``: ``SIZE`` numbers, the layers of ``SHAPES`` one after another. Raises ``ValueError`` for another number of them
        and for what is no finite number."""
        if len(weights) != SIZE:
            raise ValueError(f"the network for Mandala has {SIZE} weights, not {len(weights)}")
        if not all(map(math.isfinite, weights)):
            raise ValueError("the network for Mandala has weights that are finite numbers")
        self.leaf = Leaf()
        if not cython.compiled:
            self.context, self.colour = [0.0] * CONTEXT, [0.0] * (6 * COLOUR)
            self.first, self.first_bias, self.by_colour = [0.0] * (CONTEXT * BOTH), [0.0] * BOTH, [0.0] * (COLOUR * HIDDEN)
            self.second, self.out = [0.0] * (HIDDEN * LAST), [0.0] * LAST
            self.sums, self.hidden, self.pooled = [0.0] * BOTH, [0.0] * HIDDEN, [0.0] * HIDDEN
            self.order = [0, 1]
        numbers = iter(weights)
        for i in range(CONTEXT * BOTH):
            self.first[i] = next(numbers)
        for i in range(BOTH):
            self.first_bias[i] = next(numbers)
        for i in range(COLOUR * HIDDEN):
            self.by_colour[i] = next(numbers)
        for i in range(HIDDEN * LAST):
            self.second[i] = next(numbers)
        for i in range(LAST):
            self.out[i] = next(numbers)
        self.out_bias = next(numbers)

    def look(self, state: Any) -> None:
        """Lay out a state in which somebody chooses a turn."""
        self.leaf.look(state)
        me = state.mover
        other = 1 - me
        sign = 1.0 - 2.0 * me
        g = self.context
        for i in range(22):
            g[i] = sign * self.leaf.sums[i]
        t: float = self.leaf.late
        lead: float = g[0]
        g[22] = sign * self.leaf.sums[23]
        g[23] = t
        g[24] = t * t
        g[25] = state.last
        g[26] = lead / (8.0 + abs(lead))
        g[27] = g[26] * t
        g[28] = total(state.cards[DECK])
        g[29] = total(state.cards[PILE])
        at = 30
        for k in range(2):
            seat = other if k else me
            river = state.cards[RIVER + seat]
            n = total(present(river))
            for i in range(5):
                g[at + i] = 1.0 if n > i else 0.0
            hand = state.cards[HAND + seat]
            g[at + 5] = total(hand)
            g[at + 6] = total(present(hand))
            g[at + 7] = most_of_one(hand)
            g[at + 8] = total(state.cards[DEALT + seat] & ~(present(river) * 255))
            at += 9
        g[at] = state.redraws
        at += 1
        one = total(present(state.cards[0] | state.cards[1] | state.cards[2]))
        two = total(present(state.cards[3] | state.cards[4] | state.cards[5]))
        if one == two:
            one = total(state.cards[0] + state.cards[1] + state.cards[2])
            two = total(state.cards[3] + state.cards[4] + state.cards[5])
        self.order[0] = 0 if one >= two else 1
        self.order[1] = 1 - self.order[0]
        for k in range(2):
            m = self.order[k]
            base = 3 * m
            mountain = state.cards[base]
            gap = ONES & ~present(mountain | state.cards[base + 1] | state.cards[base + 2])
            missing = total(gap)
            mine = total(state.cards[base + 1 + me])
            theirs = total(state.cards[base + 1 + other])
            g[at] = 1.0 if missing <= 1 else 0.0
            g[at + 1] = 1.0 if missing == 2 else 0.0
            g[at + 2] = 1.0 if missing == 3 else 0.0
            g[at + 3] = mine
            g[at + 4] = theirs
            g[at + 5] = 1.0 if mine == 0 else 0.0
            g[at + 6] = 1.0 if theirs == 0 else 0.0
            g[at + 7] = 1.0 if mine > theirs else 0.0
            g[at + 8] = 1.0 if theirs > mine else 0.0
            g[at + 9] = 1.0 if mine > theirs + 1 else 0.0
            g[at + 10] = 1.0 if theirs > mine + 1 else 0.0
            n = total(present(mountain))
            g[at + 11] = total(mountain)
            g[at + 12] = n
            g[at + 13] = n & 1
            g[at + 14] = sign * self.leaf.parts[3 * m + me]
            g[at + 15] = sign * self.leaf.parts[3 * m + other]
            g[at + 16] = sign * self.leaf.parts[3 * m + 2]
            g[at + 17] = total(present(state.cards[HAND + me]) & gap)
            g[at + 18] = total(present(state.cards[HAND + other]) & gap)
            g[at + 19] = g[at] * g[at + 17]
            g[at + 20] = g[at] * g[at + 18]
            at += 21
        self.look_at_colours(state, me)

    def look_at_colours(self, state: Any, me: int) -> None:
        """Lay out the six colours as a seat sees them."""
        x = self.colour
        for i in range(6 * COLOUR):
            x[i] = 0.0
        for colour in range(6):
            shift = 8 * colour
            at = COLOUR * colour
            for k in range(2):
                seat = 1 - me if k else me
                n = (state.cards[HAND + seat] >> shift) & 255
                x[at] = n
                x[at + 1] = 1.0 if n > 0 else 0.0
                x[at + 2] = 1.0 if n > 1 else 0.0
                x[at + 3] = 1.0 if n > 2 else 0.0
                there = (state.cards[RIVER + seat] >> shift) & 255
                x[at + 4 + there] = 1.0
                n = (state.cards[DEALT + seat] >> shift) & 255
                x[at + 11] = n
                x[at + 12] = 0.0 if there else n
                at += 13
            for k in range(2):
                base = 3 * self.order[k]
                n = (state.cards[base] >> shift) & 255
                x[at] = n
                x[at + 1] = 1.0 if n > 0 else 0.0
                x[at + 2] = 1.0 if n > 1 else 0.0
                there = n
                n = (state.cards[base + 1 + me] >> shift) & 255
                x[at + 3] = n
                x[at + 4] = 1.0 if n > 0 else 0.0
                there += n
                n = (state.cards[base + 2 - me] >> shift) & 255
                x[at + 5] = n
                x[at + 6] = 1.0 if n > 0 else 0.0
                x[at + 7] = 0.0 if there + n else 1.0
                at += 8
            x[at] = (state.cards[DECK] >> shift) & 255
            x[at + 1] = (state.cards[PILE] >> shift) & 255
            x[at + 2] = 1.0

    def forward(self) -> float:
        """The output for what was laid out, before it is made a probability."""
        sums = self.sums
        hidden = self.hidden
        pooled = self.pooled
        for j in range(BOTH):
            sums[j] = self.first_bias[j]
        weigh(sums, 0, self.context, 0, self.first, CONTEXT, BOTH)
        for j in range(HIDDEN):
            pooled[j] = 0.0
        for colour in range(6):
            for j in range(HIDDEN):
                hidden[j] = sums[j]
            weigh(hidden, 0, self.colour, COLOUR * colour, self.by_colour, COLOUR, HIDDEN)
            for j in range(HIDDEN):
                pooled[j] += max(hidden[j], 0.0)
        weigh(sums, HIDDEN, pooled, 0, self.second, HIDDEN, LAST)
        x = self.out_bias
        for j in range(LAST):
            x += max(sums[HIDDEN + j], 0.0) * self.out[j]
        return x

    def first_read(self) -> int:
        """Which mandala of the state that was laid out comes first."""
        return self.order[0]

    def value(self, state: Any) -> float:
        """The value of a running game for seat 0, 0..1; claims are played on greedily before."""
        while state.claim >= 0:
            state.act(self.leaf.greedy_claim(state))
            if state.owed:
                state.draw()
        if state.over:
            winners = state.winners()
            return 0.5 if winners == 3 else 1.0 if winners == 1 else 0.0
        x: float = self.worth(state)
        return 1.0 - x if state.mover else x

    def worth(self, state: Any) -> float:
        """The chance of the seat to move to win, 0..1, where it chooses a turn."""
        self.look(state)
        x: float = self.forward()
        return 1.0 / (1.0 + exp(-min(max(x, -700.0), 700.0)))

    def read(self, state: Any) -> list[float]:
        """Everything that the network reads of a state: ``CONTEXT`` numbers, then ``COLOUR`` for each of the six colours."""
        self.look(state)
        return [self.context[i] for i in range(CONTEXT)] + [self.colour[i] for i in range(6 * COLOUR)]


def begin(seed: int) -> Any:
    """A game of the usual options that is about to begin, all of its chance from a seed; seat 1 begins if that is odd."""
    state = State(0, STALL_LIMIT)
    state.reseed(seed)
    state.fresh(seed & 1)
    return state


def play(state: Any, index: int) -> None:
    """Play a legal action, with cards at random."""
    state.begin(index)
    state.draw()
