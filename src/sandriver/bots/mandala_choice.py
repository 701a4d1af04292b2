"""A learned choice among the turns of Mandala: how likely each legal one is to be what a search would play.

A small network beside the one that judges (``mandala_net``) and of the same inputs: one layer reads each colour in the hand of the seat to
move, knowing the context, another tells what speaks for each kind of turn with that colour. All that are legal share the chances by their
exponentials. A search asks it which new action comes into the tree, and how much to make of those that are in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cython

from sandriver.bots import mandala_net
from sandriver.games import kernels
from sandriver.games.mandala import kernel as used_kernel

if not cython.compiled:  # compiled, these are C constants, functions and types that mandala_choice.pxd defines
    _kernel: Any = kernels.interpreted(used_kernel.__name__) if kernels.is_compiled(used_kernel) else used_kernel
    _net: Any = kernels.interpreted(mandala_net.__name__) if kernels.is_compiled(mandala_net) else mandala_net
    GROW, HAND, REDRAW = 12, 6, 96
    CONTEXT, COLOUR, HIDDEN, KINDS = _net.CONTEXT, _net.COLOUR, _net.HIDDEN, _net.KINDS
    exp = math.exp
    weigh = _net.weigh
    WIDTH, MOST = 32, 64


class Choice:
    """The network with its weights and its scratch paper. For one thread at a time."""

    def __init__(self, weights: Sequence[float]) -> None:
        """``weights``: all of ``mandala_net.SHAPES``, as ``mandala_net.Net`` wants and has checked them."""
        if not cython.compiled:
            self.first, self.first_bias, self.by_colour = [0.0] * (CONTEXT * HIDDEN), [0.0] * HIDDEN, [0.0] * (COLOUR * HIDDEN)
            self.last, self.last_bias = [0.0] * (HIDDEN * WIDTH), [0.0] * WIDTH
            self.sums, self.hidden, self.answers = [0.0] * HIDDEN, [0.0] * HIDDEN, [0.0] * WIDTH
            self.legal, self.chances = [0] * MOST, [0.0] * MOST
            self.count = 0
        numbers = iter(weights[mandala_net.VALUE_SIZE :])
        for i in range(CONTEXT * HIDDEN):
            self.first[i] = next(numbers)
        for i in range(HIDDEN):
            self.first_bias[i] = next(numbers)
        for i in range(COLOUR * HIDDEN):
            self.by_colour[i] = next(numbers)
        for i in range(HIDDEN):
            for j in range(KINDS):
                self.last[i * WIDTH + j] = next(numbers)
        for j in range(KINDS):
            self.last_bias[j] = next(numbers)

    def judge(self, net: Any, state: Any) -> None:
        """Lay out the legal turns of a state that was scanned: their indices in ``legal``, their chances in ``chances``, ``count`` of each.

        ``net`` reads the state."""
        net.look(state)
        sums = self.sums
        hidden = self.hidden
        for j in range(HIDDEN):
            sums[j] = self.first_bias[j]
        weigh(sums, 0, net.context, 0, self.first, CONTEXT, HIDDEN)
        hand = state.cards[HAND + state.mover]
        count = 0
        most = -1e300
        for colour in range(6):
            shift = 8 * colour
            if (hand >> shift) & 255 == 0:
                continue
            for j in range(HIDDEN):
                hidden[j] = sums[j]
            weigh(hidden, 0, net.colour, COLOUR * colour, self.by_colour, COLOUR, HIDDEN)
            for j in range(HIDDEN):
                hidden[j] = max(hidden[j], 0.0)
            for j in range(WIDTH):
                self.answers[j] = self.last_bias[j]
            weigh(self.answers, 0, hidden, 0, self.last, HIDDEN, WIDTH)
            for move in range(5):
                n = ((hand if move == 4 else state.choices[move]) >> shift) & 255
                first = net.order[0] ^ (move & 1)
                answer = first if move < 2 else 2 + 7 * first if move < 4 else 16
                index = 6 * move + colour if move < 2 else GROW + 42 * (move - 2) + 7 * colour if move < 4 else REDRAW + 8 * colour
                for i in range(n):
                    self.legal[count] = index + i
                    self.chances[count] = self.answers[answer + i]
                    most = max(most, self.chances[count])
                    count += 1
        every = 0.0
        for i in range(count):
            self.chances[i] = exp(self.chances[i] - most)
            every += self.chances[i]
        for i in range(count):
            self.chances[i] /= every
        self.count = count

    def read(self, net: Any, state: Any) -> dict[int, float]:
        """The chance of each legal turn, by its index."""
        state.scan()
        self.judge(net, state)
        return {self.legal[i]: self.chances[i] for i in range(self.count)}


def answer_of(index: int, first: int) -> int:
    """Which of the ``6 * KINDS`` answers is about a turn: by colour, then by kind as ``judge`` reads them. ``first``: the mandala that is
    read first (``mandala_net.Net.first_read``)."""
    if index < GROW:
        colour, kind = index % 6, index // 6 ^ first
    elif index < REDRAW:
        index -= GROW
        colour, kind = index // 7 % 6, 2 + 7 * (index // 42 ^ first) + index % 7
    else:
        index -= REDRAW
        colour, kind = index // 8, 16 + index % 8
    answer: int = KINDS * colour + kind
    return answer
