"""What a choice would do, computed from what the acting seat may know: forecasts of a destruction, effects of actions, the final sum.

The rules decide what is legal and why not (``Position.explain``); this module only adds up what everybody at the table could
add up too: how many cards follow, who would claim first, what a claimed colour scores.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from sandriver.games.mandala.actions import MOST, Action
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
    legal: dict[tuple[str, str, int | None], list[Action]] = {}
    for action in position.legal_actions:
        legal.setdefault((action.kind, action.colour, action.mandala), []).append(action)
    mountains, sizes = position.mountains, [(a.total, b.total) for a, b in position.fields]
    heights = [len(list(mountain)) for mountain in mountains]
    result: list[Choice] = []
    for colour, held in hand:
        for m in (0, 1):
            missing, effects = mandalas[m].missing.replace(colour, ""), list[Effect]()
            for action in legal.get(("build", colour, m), ()):
                after = forecast(heights[m] + (colour not in mountains[m]), *sizes[m])
                effects.append(Effect(action.text, 1, draw, not missing, after, missing))
            result.append(_choice(position, "build", colour, m, effects, 1))
        for m in (0, 1):
            missing, effects = mandalas[m].missing.replace(colour, ""), list[Effect]()
            for action in legal.get(("grow", colour, m), ()):
                grown = [sizes[m][0], sizes[m][1]]
                grown[seat] += action.count
                after = forecast(heights[m], *grown)
                effects.append(Effect(action.text, action.count, 0, not missing, after, missing))
            result.append(_choice(position, "grow", colour, m, effects, held))
        effects = [Effect(action.text, action.count, action.count) for action in legal[("redraw", colour, None)]]
        result.append(Choice("redraw", colour, None, tuple(effects), None))
    return tuple(result)


def _choice(position: Position, kind: Literal["build", "grow"], colour: str, mandala: int, effects: list[Effect], most: int) -> Choice:
    """A choice with the reason why nothing, or not all that is held, can go there."""
    count = len(effects) + 1
    if count > min(most, MOST[kind]):
        return Choice(kind, colour, mandala, tuple(effects), None)
    reason = position.explain(Action.parse(f"b{mandala + 1}{colour}" if kind == "build" else f"f{mandala + 1}{colour}{count}"))
    return Choice(kind, colour, mandala, tuple(effects), None if reason is None else Refusal(reason.code, reason.params))


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
