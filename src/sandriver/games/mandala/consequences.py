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


def _turn(position: Position, seat: int, mandalas: tuple[MandalaView, MandalaView]) -> tuple[Choice, ...]:
    hand = position.hands[seat]
    draw = min(BUILD_DRAW, HAND_LIMIT + 1 - hand.total, position.deck.total + position.discard.total)
    heights, sizes = [len(list(mountain)) for mountain in position.mountains], [(a.total, b.total) for a, b in position.fields]
    result: list[Choice] = []
    for colour, held in hand:
        missing = [mandala.missing.replace(colour, "") for mandala in mandalas]
        for m in (0, 1):
            legal, refusal = _allowed(position, _ALIKE["build", colour, m])
            after = forecast(heights[m] + (colour not in mandalas[m].mountain), *sizes[m])
            effects = [Effect(action.text, 1, draw, not missing[m], after, missing[m]) for action in legal]
            result.append(Choice("build", colour, m, tuple(effects), refusal))
        for m in (0, 1):
            legal, refusal = _allowed(position, _ALIKE["grow", colour, m][:held])
            a, b = sizes[m]
            effects = []
            for n, action in enumerate(legal, 1):
                after = forecast(heights[m], a, b + n) if seat else forecast(heights[m], a + n, b)
                effects.append(Effect(action.text, n, 0, not missing[m], after, missing[m]))
            result.append(Choice("grow", colour, m, tuple(effects), refusal))
        legal, refusal = _allowed(position, _ALIKE["redraw", colour, None][:held])
        effects = [Effect(action.text, action.count, action.count) for action in legal]
        result.append(Choice("redraw", colour, None, tuple(effects), refusal))
    return tuple(result)


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
