"""What a seat of Mandala knows as a vector of bytes, and which actions are legal: for environments and for learned evaluation.

``observe`` and ``mask`` write into a buffer (compiled: a pointer; ``planes.pxd``) from a place on, without any allocation; ``observation``
and ``legal_mask`` return bytes of their own. An observation holds nothing that its seat's view does not show. Counts by colour stand in the
canonical order K G P Y O R. *Own* and *other* are as the observing seat sees it; mandalas keep their numbers, as actions name them.
"""

from __future__ import annotations

from typing import Any

import cython

from sandriver.games.planes import MANY, Plane

if not cython.compiled:  # compiled, these are C constants, functions and types that planes.pxd and the kernel's .pxd define
    from sandriver.games import kernels
    from sandriver.games.mandala import kernel as _used
    from sandriver.games.planes import clear, store

    _kernel: Any = kernels.interpreted(_used.__name__) if kernels.is_compiled(_used) else _used
    ACTIONS, CLAIM, CLAIMED, DEALT, DECK, GROW = 150, 144, 10, 8, 12, 12
    HAND, PILE, REDRAW, RIVER = 6, 13, 96, 14
    points, present, total = _kernel.points, _kernel.present, _kernel.total
    RUNS = [0x0101_0101_0101_0101 >> (64 - 8 * n) if n else 0 for n in range(9)] + [0] * 7
    OBSERVATION_VERSION, SIZE = 1, 90

PLANES = (
    Plane("own_hand", (6,), 8, "cards in the own hand, by colour"),
    Plane("own_dealt", (6,), 2, "the two cards dealt to the own cup, by colour"),
    Plane("own_claimed", (6,), 18, "cards claimed to the own cup, by colour"),
    Plane("own_river", (6,), 6, "place 1..6 of each colour in the own river, 0: not there"),
    Plane("other_river", (6,), 6, "place of each colour in the other river"),
    Plane("other_claimed", (6,), 18, "cards claimed to the other cup, by colour; all 0 unless `memory_aid` is on"),
    Plane("mountains", (2, 6), 18, "cards in the mountain of mandala 1, 2, by colour"),
    Plane("fields", (2, 2, 6), 18, "mandala 1, 2; own, other field; by colour"),
    Plane("discard", (6,), 18, "cards on the discard pile, by colour"),
    Plane("deck", (1,), 108, "number of cards in the deck"),
    Plane("other_hand", (1,), 8, "number of cards in the other hand"),
    Plane("other_cup", (1,), 108, "number of cards in the other cup, with the two that were dealt"),
    Plane("last_mandala", (1,), 1, "the deck has run out: the next mandala to be destroyed is the last"),
    Plane("redraws", (1,), MANY, "consecutive redraws so far; 255: or more"),
    Plane("to_move", (2,), 1, "the own seat, the other seat must act; both 0: the game is over"),
    Plane("claim", (2,), 1, "mandala 1, 2 is being destroyed, and who must act claims"),
    Plane("completed", (1,), 1, "the own seat completed the mandala that is being destroyed"),
    Plane("own_points", (1,), MANY, "own points as they stand; 255: or more"),
    Plane("other_points", (1,), MANY, "points of the other's claimed cards; 0 unless `memory_aid` is on; 255: or more"),
)
"""The observation, plane by plane, in this order. ``OBSERVATION_VERSION`` is raised when anything of it changes."""


def observe(state: Any, seat: int, memory_aid: int, out: Any, at: int) -> None:
    """Write what ``seat`` knows of a game into ``out[at : at + SIZE]``."""
    other = 1 - seat
    cup = state.cards[CLAIMED + other]
    theirs = cup if memory_aid else 0
    store(out, at, state.cards[HAND + seat])
    store(out, at + 6, state.cards[DEALT + seat])
    store(out, at + 12, state.cards[CLAIMED + seat])
    store(out, at + 18, state.cards[RIVER + seat])
    store(out, at + 24, state.cards[RIVER + other])
    store(out, at + 30, theirs)
    store(out, at + 36, state.cards[0])
    store(out, at + 42, state.cards[3])
    store(out, at + 48, state.cards[1 + seat])
    store(out, at + 54, state.cards[1 + other])
    store(out, at + 60, state.cards[4 + seat])
    store(out, at + 66, state.cards[4 + other])
    store(out, at + 72, state.cards[PILE])
    out[at + 78] = total(state.cards[DECK])
    out[at + 79] = total(state.cards[HAND + other])
    out[at + 80] = total(state.cards[DEALT + other]) + total(cup)
    out[at + 81] = state.last != 0
    out[at + 82] = min(state.redraws, 255)
    out[at + 83] = state.mover == seat
    out[at + 84] = state.mover == other
    out[at + 85] = state.claim == 0
    out[at + 86] = state.claim == 1
    out[at + 87] = state.claim >= 0 and state.completer == seat
    n = points(state.cards[DEALT + seat] + state.cards[CLAIMED + seat], state.cards[RIVER + seat])
    out[at + 88] = min(n, 255)
    n = points(theirs, state.cards[RIVER + other]) if memory_aid else 0
    out[at + 89] = min(n, 255)


def mask(state: Any, out: Any, at: int) -> int:
    """Write 1 for each legal action of who must act, else 0, into ``out[at : at + ACTIONS]``; returns how many there are."""
    n: int = state.scan()
    if n == 0 or state.claim >= 0:
        clear(out, at, ACTIONS)
        if n:
            store(out, at + CLAIM - 2, state.choices[4] << 16)
        return n
    hand = state.cards[HAND + state.mover]
    one, two = state.choices[2], state.choices[3]
    store(out, at, state.choices[0])
    store(out, at + 6, state.choices[1])
    for i in range(6):
        store(out, at + GROW + 7 * i, RUNS[(one >> (8 * i)) & 15])
    for i in range(6):
        store(out, at + GROW + 42 + 7 * i, RUNS[(two >> (8 * i)) & 15])
    store(out, at + CLAIM - 2, 0)
    for i in range(6):
        store(out, at + REDRAW + 8 * i, RUNS[(hand >> (8 * i)) & 15])
    return n


def observation(state: Any, seat: int, memory_aid: int) -> bytearray:
    """What ``seat`` knows of a game, in bytes of its own. Raises ``ValueError`` for a seat that there is not."""
    if not 0 <= seat < 2:
        raise ValueError(f"there is no seat {seat} among 2")
    out = bytearray(SIZE)
    observe(state, seat, memory_aid, out, 0)
    return out


def legal_mask(state: Any) -> bytearray:
    """The legal actions of who must act, in bytes of their own."""
    out = bytearray(ACTIONS)
    mask(state, out, 0)
    return out
