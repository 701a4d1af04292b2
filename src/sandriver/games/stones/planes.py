"""What a seat of Mandala Stones knows as a vector of bytes, and which actions are legal: for environments and for learned evaluation.

``observe`` and ``mask`` write into a buffer (compiled: a pointer; ``planes.pxd``) from a place on, without any allocation; ``observation``
and ``legal_mask`` return bytes of their own. An observation holds nothing that its seat's view does not show. Seats are counted from the
observing one on, in turn order; what seats that are not there would have is 0. A *stone* is six flags: yellow, red, blue, purple, star,
circle; where it is not known which pattern it has, both are 0. Piles are written from the top.

Actions have a fixed index: a pick is ``180 * origin + 20 * to + 5 * direction + space`` (from 0, directions N E S W), then four colours,
the 31 sets of tower spaces (bit 0 is space 1) and the skip. ``to_index`` and ``from_index`` translate the kernel's words.
"""

from __future__ import annotations

from typing import Any

import cython

from sandriver.games.planes import MANY, Plane

if not cython.compiled:  # compiled, these are C constants, functions and types that planes.pxd and the kernel's .pxd define
    from sandriver.games.planes import clear, store

    STACKS, SPACES, TOUCHES, TOWERS = 24, 9, 36, 5
    BOARDS, ARTISTS, TRACK, CARDS, MANDALA = 24, 44, 46, 50, 58
    PICK, COLOUR, TOPS, SKIP, END_SPACE, STUCK = 0, 1, 2, 3, 1, 2
    OBSERVATION_VERSION, SIZE = 1, 1168
    COLOURS_AT, TOPS_AT, SKIP_AT, ACTIONS, ONE = 1620, 1624, 1655, 1656, 1
    STONES = [1 << 8 * (kind & 3) | 1 << 8 * (4 + (kind >> 2)) for kind in range(8)] + [0] * 8
    STONES += [1 << 8 * (kind & 3) for kind in range(8)] + [0] * 8

    def lowest(bits: int) -> int:
        """Number of the lowest bit that is set."""
        return (bits & -bits).bit_length() - 1

    def pile_of(pile: int, below: int, out: Any, at: int) -> None:
        """Write the stones of a pile from the top, those under it as ``below`` says: 0 as they are, 16 without their patterns.

        Each is stored as eight bytes, of which the next stone, or pile, writes over the last two.
        """
        for deep in range(4):
            store(out, at + 6 * deep, STONES[(below if deep else 0) + (pile & 7 | (pile < 8) << 3)])
            pile >>= 3


PLANES = (
    Plane("stacks", (24, 4, 6), 1, "S01..S24, stones from the top; the pattern of a covered one only if the ruleset shows it"),
    Plane("towers", (4, 5, 4, 6), 1, "seat, tower space 1..5, stones from the top"),
    Plane("artists", (9, 2), 1, "artist space A1..A9: a star, a circle stands there"),
    Plane("mandala", (8,), 96, "stones in the mandala by kind: the four colours with a star, then with a circle"),
    Plane("placed", (1,), 96, "stones in the mandala"),
    Plane("to_end", (1,), 96, "stones until the place that ends the game is covered"),
    Plane("points", (4,), MANY, "points of each seat without objectives; 255: or more"),
    Plane("objectives", (64,), 1, "the two own objective cards, by number in the ruleset"),
    Plane("objective_points", (1,), MANY, "points of the better own objective on the board as it stands"),
    Plane("seats", (4,), 1, "which seats there are"),
    Plane("to_move", (4,), 1, "the seat that must act; all 0: the game is over"),
    Plane("first", (4,), 1, "the seat that began"),
    Plane("trigger", (2,), 1, "the last round has begun: the end is covered; somebody could do nothing"),
    Plane("round", (1,), MANY, "number of the round, from 1; 255: or more"),
)
"""The observation, plane by plane, in this order. ``OBSERVATION_VERSION`` is raised when anything of it changes."""


def to_index(word: int) -> int:
    """The index of an action, from the kernel's word."""
    if word >> 16 == PICK:
        return ((word >> 12) * TOUCHES + ((word >> 8) & 15) * 4 + ((word >> 4) & 15)) * TOWERS + (word & 15)
    if word >> 16 == COLOUR:
        return COLOURS_AT + (word & 3)
    return TOPS_AT - 1 + (word & 31) if word >> 16 == TOPS else SKIP_AT


def from_index(index: int) -> int:
    """The kernel's word of an action, from its index 0..1655."""
    if index < COLOURS_AT:
        touch = index // TOWERS % TOUCHES
        return index // (TOWERS * TOUCHES) << 12 | touch >> 2 << 8 | (touch & 3) << 4 | index % TOWERS
    if index < TOPS_AT:
        return COLOUR << 16 | (index - COLOURS_AT)
    return TOPS << 16 | (index - TOPS_AT + 1) if index < SKIP_AT else SKIP << 16


def observe(state: Any, seat: int, revealed: int, out: Any, at: int) -> None:
    """Write what ``seat`` knows of a game into ``out[at : at + SIZE]``; ``revealed``: the ruleset shows covered patterns."""
    below = 0 if revealed else 16
    for i in range(STACKS):
        pile_of(state.cells[i], below, out, at)
        at += 24
    owner = seat
    for i in range(state.seats):
        for k in range(TOWERS):
            pile_of(state.cells[BOARDS + TOWERS * owner + k], 0, out, at + 24 * (TOWERS * i + k))
        owner = owner + 1 if owner + 1 < state.seats else 0
    clear(out, at + 120 * state.seats, 592 - 120 * state.seats)  # all that is left
    for i in range(state.seats):
        out[at + 508 + i] = min(max(state.cells[TRACK + owner], 0), 255)
        out[at + 577 + i] = 1
        out[at + 581 + i] = state.mover == owner
        out[at + 585 + i] = state.first == owner
        owner = owner + 1 if owner + 1 < state.seats else 0
    at += 480
    for i in range(SPACES):
        out[at + 2 * i] = (state.cells[ARTISTS] >> i) & 1
        out[at + 2 * i + 1] = (state.cells[ARTISTS + 1] >> i) & 1
    at += 18
    for i in range(state.placed):
        out[at + (state.cells[MANDALA + i] & 7)] += 1
    out[at + 8] = state.placed
    out[at + 9] = max(state.rules.ends[state.seats] - state.placed, 0)
    at += 14  # past the points
    n = 0
    for i in range(2):
        k = state.cells[CARDS + 2 * seat + i]
        if k >= 0:
            out[at + k] = 1
            n = max(n, state.worth(seat, k))
    out[at + 64] = min(n, 255)
    at += 77  # past the seats
    out[at] = state.trigger == END_SPACE
    out[at + 1] = state.trigger == STUCK
    out[at + 2] = min(state.round, 255)


def mask(state: Any, out: Any, at: int) -> int:
    """Write 1 for each legal action of who must act, else 0, into ``out[at : at + ACTIONS]``; returns how many there are."""
    clear(out, at, ACTIONS)
    n: int = state.scan()
    if n == 0:
        return 0
    empty = state.empty
    if state.picks:
        free = (empty & 1) | (empty & 2) << 7 | (empty & 4) << 14 | (empty & 8) << 21 | (ONE * empty & 16) << 28
        for i in range(4):  # rising, so that what is stored too much is written over
            row = at + TOUCHES * TOWERS * state.origins[i]
            bits = state.gains[i]
            while bits:
                store(out, row + TOWERS * lowest(bits), free)
                bits &= bits - 1
    store(out, at + COLOURS_AT, state.ready)
    if empty != 31:
        for i in range(1, 32):
            out[at + TOPS_AT - 1 + i] = (i & empty) == 0
    elif n == 1 and state.picks == 0:
        out[at + SKIP_AT] = 1
    return n


def observation(state: Any, seat: int, revealed: int) -> bytearray:
    """What ``seat`` knows of a game, in bytes of its own. Raises ``ValueError`` for a seat that there is not."""
    if not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat} among {state.seats}")
    out = bytearray(SIZE)
    observe(state, seat, revealed, out, 0)
    return out


def legal_mask(state: Any) -> bytearray:
    """The legal actions of who must act, in bytes of their own."""
    out = bytearray(ACTIONS)
    mask(state, out, 0)
    return out
