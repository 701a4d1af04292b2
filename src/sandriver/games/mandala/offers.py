"""What a seat of Mandala can choose, in numbers: one word for each choice of its view, and nothing goes into that choice but its word.

So choices are made once for each word (``consequences.py``). Compiled with ``offers.pxd``, since every move of a live table asks for them.
"""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:  # compiled, these are C constants and functions that the kernel's .pxd defines
    from sandriver.games import kernels
    from sandriver.games.mandala import kernel as _used

    _kernel: Any = kernels.interpreted(_used.__name__) if kernels.is_compiled(_used) else _used
    DECK, GROW, HAND, ONE, PILE = 12, 12, 6, 1, 13
    build_draw, present, total = _kernel.build_draw, _kernel.present, _kernel.total


def offers(state: Any) -> list[int]:
    """The words of all choices of who must act in a turn (no claim): by colour of the hand, build and grow at mandala 1 and 2, redraw.

    A word holds, from its lowest bit: the group of actions that differ in the number of cards only (6 bits: 6 × mandala + colour for
    builds, 12 more for grows, 24 + colour for redraws), how many of them are legal (4), the rule that forbids the next one by the kernel's
    code (4; 0: none), cards that a build draws (4), the seat that grows (1); of the mandala after a build, or before a grow: colours in
    the mountain (3), cards in each field (7, 7), colours that it lacks after either (6). What a choice does not depend on is 0.
    """
    words = []
    seat = state.mover
    hand = state.get(HAND + seat)
    draw = min(build_draw(total(hand) - 1), total(state.get(DECK)) + total(state.get(PILE)))
    for colour in range(6):
        held = (hand >> (8 * colour)) & 255
        if held == 0:
            continue
        for kind in range(4):
            m = kind & 1
            first = 6 * m + colour if kind < 2 else GROW + 42 * m + 7 * colour
            most = 0
            code = 0
            while code == 0 and most < (1 if kind < 2 else min(held, 7)):
                code = state.forbids(first + most)
                most += code == 0
            word = (6 * kind + colour) | most << 6 | code << 10
            if most:
                card = ONE << (8 * colour)
                mountain = present(state.get(3 * m))
                lacked = ~(present(state.get(3 * m) + state.get(3 * m + 1) + state.get(3 * m + 2)) | card)
                if kind < 2:
                    mountain |= card
                    word |= draw << 14
                else:
                    word |= ONE * seat << 18
                word |= ONE * total(mountain) << 19
                word |= ONE * total(state.get(3 * m + 1)) << 22 | ONE * total(state.get(3 * m + 2)) << 29
                for n in range(6):
                    word |= (lacked >> (8 * n) & 1) << (36 + n)
            words.append(word)
        words.append((24 + colour) | held << 6)
    return words
