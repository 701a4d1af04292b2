"""What a choice would do, computed from what the acting seat may know: forecasts of a destruction, effects of actions, the final sum.

The rules decide what is legal and why not, who claims first and what a cup scores: all of it is asked of the
kernel, a claim by playing it on a copy. This module only puts the answers side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from sandriver.games.mandala import kernel
from sandriver.games.mandala.actions import ACTIONS
from sandriver.games.mandala.cards import COLOURS, format_counts
from sandriver.games.mandala.offers import offers
from sandriver.games.mandala.rules import Position, state_of
from sandriver.games.mandala.telling import claimed, said
from sandriver.games.mandala.wire import Choice, Effect, Forecast, MandalaView, Reckoning, Refusal, RiverScore


@lru_cache(maxsize=4096)
def forecast(colours: int, field_a: int, field_b: int) -> Forecast:
    """Return who would claim what in a mandala with ``colours`` in the mountain and fields of so many cards."""
    one, two = (kernel.first_claimer(field_a, field_b, completer) for completer in (0, 1))
    empty = (not field_a, not field_b)
    if all(empty):  # nobody claims anything
        return Forecast(first=(1, 0), claims=((0, 0), (0, 0)), tie=True, empty=empty)
    return Forecast(first=(one, two), claims=(_shares(colours, one), _shares(colours, two)), tie=one != two, empty=empty)


@lru_cache(maxsize=16)
def _shares(colours: int, first: int) -> tuple[int, int]:
    """How many of so many colours each seat claims if ``first`` begins, as a destruction goes that is played to its end."""
    state = kernel.State()
    for place in range(3):
        state.put(place, (1 << 8 * colours) // 255)  # one card of each of the first ``colours`` colours
    state.mover, state.claim, state.completer = first, 0, first
    claims = [0, 0]
    for colour in range(colours):
        claims[state.mover] += 1
        state.begin(kernel.CLAIM + colour)
    return claims[0], claims[1]


class Lying(NamedTuple):
    """How a mandala lies: as a viewer gets it, the same as it is written, and the number of colours in the mountain."""

    view: MandalaView
    encoded: msgspec.Raw
    colours: int


@lru_cache(maxsize=1 << 14)
def lying(mountain: int, field_a: int, field_b: int) -> Lying:
    """A mandala from its packed sets: nothing else goes into it, so equal ones are made once."""
    sets = [packed.to_bytes(6, "little") for packed in (mountain, field_a, field_b)]
    missing = "".join([colour for colour, *counts in zip(COLOURS, *sets, strict=True) if not any(counts)])
    colours, a, b = 6 - sets[0].count(0), sum(sets[1]), sum(sets[2])
    texts = [format_counts(packed) for packed in (mountain, field_a, field_b)]
    shown = MandalaView(texts[0], (texts[1], texts[2]), missing, forecast(colours, a, b))
    return Lying(shown, written(shown), colours)


def written(shown: msgspec.Struct) -> msgspec.Raw:
    """A part of a view as it is written."""
    return msgspec.Raw(msgspec.json.encode(shown))


def choices(position: Position, *, encoded: bool = False) -> tuple[Choice, ...]:
    """Return, for the seat to move, every colour × place with its effects and the rule that forbids it (or more of it).

    ``encoded``: they are to be written and nothing else.
    """
    state = state_of(position)
    if state.mover < 0:
        return ()
    if state.claim >= 0:
        return _claims(position, state.mover, state.claim)
    make: Callable[[int], Any] = _written if encoded else _kept
    return tuple([make(word) for word in offers(state)])


KEPT_MOST, WRITTEN_MOST = 1 << 13, 1 << 15
"""Choices that are kept, and kept as they are written (half a kB each): of those, random games at many tables miss fewer than one a move.

Most of a table is as it was a move ago, and nothing but its word goes into a choice (a test compares).
"""


def forget() -> None:
    """Drop all choices that were kept."""
    _kept.cache_clear()
    _written.cache_clear()


_ALIKE = [tuple(alike) for _, alike in groupby(ACTIONS, lambda action: (action.kind, action.colour, action.mandala))]
"""The actions that differ in the number of cards only, from one card upwards, by the group's number in a word."""


def _choice(word: int) -> Choice:
    """The choice of which a word of ``offers`` tells."""
    actions, most, code = _ALIKE[word & 63], word >> 6 & 15, word >> 10 & 15
    draw, seat, colours, a, b = word >> 14 & 15, word >> 18 & 1, word >> 19 & 7, word >> 22 & 127, word >> 29 & 127
    missing = "".join([colour for n, colour in enumerate(COLOURS) if word >> 36 + n & 1])
    kind, effects, refusal = actions[0].kind, [], None
    for n, action in enumerate(actions[:most], 1):
        if kind == "redraw":
            effects.append(Effect(action.text, n, n))
        elif kind == "build":
            effects.append(Effect(action.text, n, draw, not missing, forecast(colours, a, b), missing))
        else:
            after = forecast(colours, a, b + n) if seat else forecast(colours, a + n, b)
            effects.append(Effect(action.text, n, 0, not missing, after, missing))
    if code:
        rule, _, params = said(code, actions[most])
        refusal = Refusal(rule, params)
    return Choice(kind, actions[0].colour, actions[0].mandala, tuple(effects), refusal)


@lru_cache(maxsize=KEPT_MOST)
def _kept(word: int) -> Choice:
    """The same, made once."""
    return _choice(word)


@lru_cache(maxsize=WRITTEN_MOST)
def _written(word: int) -> msgspec.Raw:
    """The same as it is written."""
    return written(_choice(word))


def _claims(position: Position, seat: int, m: int) -> tuple[Choice, ...]:
    state = state_of(position)
    before = state.score(seat)
    result: list[Choice] = []
    for colour, count in position.mountains[m]:
        after = state.copy()
        after.tracing = 1
        after.begin(kernel.CLAIM + COLOURS.index(colour))
        told = claimed(after.word(0), seat, m, colour)
        effect = Effect(
            f"c{colour}", count, river_place=told.river_place, cup=told.cup, discarded=told.discarded, points=after.score(seat) - before
        )
        result.append(Choice("claim", colour, m, (effect,), None))
    return tuple(result)


def reckoning(position: Position, seat: int) -> Reckoning:
    """Return the sum of one seat's cup as it stands."""
    state, letters = state_of(position), position.rivers[seat]
    cup, river = state.get(kernel.DEALT + seat) + state.get(kernel.CLAIMED + seat), state.get(kernel.RIVER + seat)
    held = dict(zip(COLOURS, cup.to_bytes(6, "little"), strict=True))
    places: list[RiverScore] = []
    for place in range(1, 7):
        colour = letters[place - 1] if place <= len(letters) else None
        own = 0 if colour is None else cup & 255 << 8 * COLOURS.index(colour)
        places.append(RiverScore(place, colour, held[colour] if colour else 0, kernel.points(own, river)))
    worthless = "".join([f"{colour}{cards}" for colour, cards in held.items() if cards and colour not in letters])
    return Reckoning(tuple(places), worthless or "-", kernel.points(cup, river), sum(held.values()))
