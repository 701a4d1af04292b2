"""What a choice would do, computed from what the acting seat may know: forecasts of a destruction, effects of actions, the final sum.

The rules decide what is legal and why not (``Position.explain``); this module only adds up what everybody at the table could
add up too: how many cards follow, who would claim first, what a claimed colour scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from sandriver.games.mandala.actions import ACTIONS, Action
from sandriver.games.mandala.cards import COLOURS
from sandriver.games.mandala.rules import Position
from sandriver.games.mandala.wire import Choice, Effect, Forecast, MandalaView, Reckoning, Refusal, RiverScore

HAND_LIMIT = 8
BUILD_DRAW = 3


@lru_cache(maxsize=4096)
def forecast(colours: int, field_a: int, field_b: int) -> Forecast:
    """Return who would claim what in a mandala with ``colours`` in the mountain and fields of so many cards."""
    tie = field_a == field_b
    first = (1, 0) if tie else (0, 0) if field_a > field_b else (1, 1)
    claimed = colours if field_a or field_b else 0
    more, less = (claimed + 1) // 2, claimed // 2
    by_first = ((more, less), (less, more))
    return Forecast(first=first, claims=(by_first[first[0]], by_first[first[1]]), tie=tie, empty=(not field_a, not field_b))


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
    draw = min(BUILD_DRAW, HAND_LIMIT + 1 - total, position.deck.total + position.discard.total)
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
    river, dealt = position.rivers[seat], position.dealt[seat]
    empty = not position.fields[m][seat].total
    result: list[Choice] = []
    for colour, count in position.mountains[m]:
        text = f"c{colour}"
        if empty:
            effect = Effect(text, count, discarded=count)
        elif colour in river:
            effect = Effect(text, count, cup=count, points=count * (river.index(colour) + 1))
        else:
            place = len(river) + 1
            effect = Effect(text, count, river_place=place, cup=count - 1, points=place * (count - 1 + dealt[colour]))
        result.append(Choice("claim", colour, m, (effect,), None))
    return tuple(result)


def reckoning(position: Position, seat: int) -> Reckoning:
    """Return the sum of one seat's cup as it stands."""
    river, dealt, claimed = position.rivers[seat], position.dealt[seat], position.claimed[seat]
    cup = {colour: dealt[colour] + claimed[colour] for colour in COLOURS}
    places: list[RiverScore] = []
    for place in range(1, 7):
        colour = river[place - 1] if place <= len(river) else None
        cards = cup[colour] if colour is not None else 0
        places.append(RiverScore(place, colour, cards, place * cards))
    worthless = "".join([f"{colour}{cup[colour]}" for colour in COLOURS if cup[colour] and colour not in river])
    total = sum(entry.points for entry in places)
    return Reckoning(tuple(places), worthless or "-", total, sum(cup.values()))
