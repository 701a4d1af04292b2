"""What a choice would do, computed from what the acting seat may know: forecasts of a destruction, effects of actions, the final sum.

The rules decide what is legal and why not (``Position.explain``); this module only adds up what everybody at the table could
add up too: how many cards follow, who would claim first, what a claimed colour scores.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from sandriver.games.mandala.rules import ACTIONS, COLOURS, Action, Position
from sandriver.games.mandala.wire import Choice, Effect, Forecast, MandalaView, Reckoning, Refusal, RiverScore

HAND_LIMIT = 8
BUILD_DRAW = 3
MOST_GROWN = 7
MOST_REDRAWN = 8

TEXTS: tuple[str, ...] = tuple(str(action) for action in ACTIONS)
_INDEX: dict[str, int] = {text: index for index, text in enumerate(TEXTS)}


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
    """Return, for the seat to move, every colour × place with its effects or the rule that forbids it."""
    if position.to_move is None:
        return ()
    if position.claim is not None:
        return _claims(position, position.to_move)
    return _turn(position, position.to_move, mandalas)


def _turn(position: Position, seat: int, mandalas: tuple[MandalaView, MandalaView]) -> tuple[Choice, ...]:
    hand = position.hands[seat]
    size = hand.total
    stock = position.deck.total + position.discard.total
    draw = min(BUILD_DRAW, HAND_LIMIT + 1 - size, stock)
    legal = {TEXTS[action.index] for action in position.legal_actions}
    totals = [(position.fields[m][0].total, position.fields[m][1].total) for m in (0, 1)]
    heights = [sum(1 for colour in COLOURS if position.mountains[m][colour]) for m in (0, 1)]
    result: list[Choice] = []
    for colour in COLOURS:
        held = hand[colour]
        if not held:
            continue
        for m in (0, 1):
            text = f"b{m + 1}{colour}"
            if text not in legal:
                result.append(_refused(position, text, "build", colour, m))
                continue
            missing = mandalas[m].missing.replace(colour, "")
            height = heights[m] + (not position.mountains[m][colour])
            effect = Effect(text, 1, draw, not missing, forecast(height, *totals[m]), missing)
            result.append(Choice("build", colour, m, (effect,), None))
        for m in (0, 1):
            missing = mandalas[m].missing.replace(colour, "")
            effects: list[Effect] = []
            for count in range(1, min(held, MOST_GROWN) + 1):
                text = f"f{m + 1}{colour}{count}"
                if text in legal:
                    a, b = totals[m]
                    after = forecast(heights[m], a + count, b) if seat == 0 else forecast(heights[m], a, b + count)
                    effects.append(Effect(text, count, 0, not missing, after, missing))
            if effects:
                result.append(Choice("grow", colour, m, tuple(effects), None))
            else:
                result.append(_refused(position, f"f{m + 1}{colour}1", "grow", colour, m))
        redraws = [Effect(f"d{colour}{n}", n, n) for n in range(1, min(held, MOST_REDRAWN) + 1)]
        result.append(Choice("redraw", colour, None, tuple(redraws), None))
    return tuple(result)


def _refused(position: Position, text: str, kind: Literal["build", "grow"], colour: str, mandala: int) -> Choice:
    action: Action = ACTIONS[_INDEX[text]]
    reason = position.explain(action)
    if reason is None:
        raise AssertionError(f"{text} is neither legal nor forbidden")
    return Choice(kind, colour, mandala, (), Refusal(reason.code, reason.params))


def _claims(position: Position, seat: int) -> tuple[Choice, ...]:
    claim = position.claim
    if claim is None:
        raise AssertionError("no claim is due")
    m = claim.mandala
    mountain, river, dealt = position.mountains[m], position.rivers[seat], position.dealt[seat]
    empty = not position.fields[m][seat].total
    result: list[Choice] = []
    for colour in COLOURS:
        count = mountain[colour]
        if not count:
            continue
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
    worthless = "".join(f"{colour}{cup[colour]}" for colour in COLOURS if cup[colour] and colour not in river)
    total = sum(entry.points for entry in places)
    return Reckoning(tuple(places), worthless or "-", total, sum(cup.values()))
