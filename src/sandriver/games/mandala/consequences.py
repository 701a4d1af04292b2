"""What a choice would do, computed from what the acting seat may know: forecasts of a destruction, effects of actions, the final sum.

The rules decide what is legal and why not (``Position.explain``), who claims first and what a cup scores: all of it is asked of the
kernel, a claim by playing it on a copy. This module only puts the answers side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from sandriver.games.mandala import kernel
from sandriver.games.mandala.actions import ACTIONS, Action
from sandriver.games.mandala.cards import COLOURS
from sandriver.games.mandala.rules import Position, state_of
from sandriver.games.mandala.telling import claimed
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


def choices(position: Position, mandalas: tuple[MandalaView, MandalaView]) -> tuple[Choice, ...]:
    """Return, for the seat to move, every colour × place with its effects and the rule that forbids it (or more of it)."""
    if position.to_move is None:
        return ()
    if position.claim is not None:
        return _claims(position, position.to_move, position.claim.mandala)
    return _turn(position, position.to_move, mandalas)


_Own = tuple[int, str, int, bool, int]
"""Seat, colour, cards of it in hand, whether they are the whole hand, and how many cards a build would draw."""
_Lying = tuple[int, int, int]
"""Packed counts of a mandala: mountain, field of seat 0, field of seat 1."""

_KEPT: dict[tuple[_Own, int, _Lying], tuple[Choice, Choice]] = {}
"""Choices made before. Most of a table is as it was a move ago, and nothing but the key goes into them (a test compares)."""
_KEPT_REDRAWS: dict[_Own, Choice] = {}
KEPT_MOST = 1 << 16


def forget() -> None:
    """Drop all choices that were kept."""
    _KEPT.clear()
    _KEPT_REDRAWS.clear()


def _turn(position: Position, seat: int, mandalas: tuple[MandalaView, MandalaView]) -> tuple[Choice, ...]:
    hand, (mountain_1, mountain_2), (fields_1, fields_2) = position.hands[seat], position.mountains, position.fields
    total = hand.total
    draw = min(kernel.build_draw(total - 1), position.deck.total + position.discard.total)
    lying_1 = (mountain_1.packed, fields_1[0].packed, fields_1[1].packed)
    lying_2 = (mountain_2.packed, fields_2[0].packed, fields_2[1].packed)
    if len(_KEPT) > KEPT_MOST:
        forget()
    result: list[Choice] = []
    for colour, held in hand:
        own = (seat, colour, held, held == total, draw)
        at_1 = _KEPT.get((own, 0, lying_1)) or _at_mandala(position, own, 0, lying_1, mandalas[0])
        at_2 = _KEPT.get((own, 1, lying_2)) or _at_mandala(position, own, 1, lying_2, mandalas[1])
        result += (at_1[0], at_2[0], at_1[1], at_2[1], _KEPT_REDRAWS.get(own) or _redraw(position, own))
    return tuple(result)


def _at_mandala(position: Position, own: _Own, m: int, lying: _Lying, mandala: MandalaView) -> tuple[Choice, Choice]:
    """What building a colour in a mandala would do, and growing with it."""
    seat, colour, held, _, draw = own
    height, (a, b) = len(list(position.mountains[m])), (field.total for field in position.fields[m])
    missing = mandala.missing.replace(colour, "")
    legal, refusal = _allowed(position, _ALIKE["build", colour, m])
    after = forecast(height + (colour not in mandala.mountain), a, b)
    effects = [Effect(action.text, 1, draw, not missing, after, missing) for action in legal]
    build = Choice("build", colour, m, tuple(effects), refusal)
    legal, refusal = _allowed(position, _ALIKE["grow", colour, m][:held])
    effects = []
    for n, action in enumerate(legal, 1):
        after = forecast(height, a, b + n) if seat else forecast(height, a + n, b)
        effects.append(Effect(action.text, n, 0, not missing, after, missing))
    _KEPT[own, m, lying] = both = (build, Choice("grow", colour, m, tuple(effects), refusal))
    return both


def _redraw(position: Position, own: _Own) -> Choice:
    """What redrawing with a colour would do."""
    _, colour, held, _, _ = own
    legal, refusal = _allowed(position, _ALIKE["redraw", colour, None][:held])
    effects = [Effect(action.text, action.count, action.count) for action in legal]
    _KEPT_REDRAWS[own] = choice = Choice("redraw", colour, None, tuple(effects), refusal)
    return choice


_ALIKE = {key: tuple(actions) for key, actions in groupby(ACTIONS, lambda action: (action.kind, action.colour, action.mandala))}
"""The actions that differ in the number of cards only, from one card upwards."""


def _allowed(position: Position, actions: Sequence[Action]) -> tuple[Sequence[Action], Refusal | None]:
    """Those of ``actions`` before the first that a rule forbids, and that rule."""
    for n, action in enumerate(actions):
        reason = position.explain(action)
        if reason is not None:
            return actions[:n], Refusal(reason.code, reason.params)
    return actions, None


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
