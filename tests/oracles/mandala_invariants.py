"""The fourteen invariants of section 8, each as its own sentence, over one ply: position before, action, position after.

Positions are the oracle's plain dicts (read from position lines, so nothing of the package is trusted); options as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.oracles.mandala import COLOURS, Options, Position, first_claimer


def places(position: Position) -> list[list[str]]:
    """Every place where cards lie."""
    fields = [field for fields in position["field"] for field in fields]
    seats = [*position["hand"], *position["river"], *position["dealt"], *position["claimed"]]
    return [*position["mountain"], *fields, *seats, position["deck"], position["discard"]]


def shown(position: Position, mandala: int) -> set[str]:
    """The colours in a mandala."""
    return set(position["mountain"][mandala] + position["field"][mandala][0] + position["field"][mandala][1])


def cards_are_kept(before: Position, action: str, after: Position, options: Options) -> bool:
    return Counter(card for place in places(after) for card in place) == dict.fromkeys(COLOURS, 18)


def hands_hold_one_to_eight(before: Position, action: str, after: Position, options: Options) -> bool:
    return all(1 <= len(hand) <= 8 for hand in after["hand"])


def areas_are_disjoint(before: Position, action: str, after: Position, options: Options) -> bool:
    areas = [(after["mountain"][m], *after["field"][m]) for m in (0, 1)]
    return all(not set(a) & set(b) and not set(a) & set(c) and not set(b) & set(c) for a, b, c in areas)


def six_colours_only_while_claimed(before: Position, action: str, after: Position, options: Options) -> bool:
    claimed = after["claim"]["mandala"] if after["claim"] else None
    return all(len(shown(after, m)) < 6 or m == claimed for m in (0, 1))


def destruction_has_one_to_five_claims(before: Position, action: str, after: Position, options: Options) -> bool:
    """A claim takes one colour, the last one ends it; it begins with one to five colours, or both fields are empty."""
    if before["claim"]:
        mandala = before["claim"]["mandala"]
        left = set(before["mountain"][mandala]) - {action[1]}
        return set(after["mountain"][mandala]) == left and bool(after["claim"]) if left else after["claim"] is None
    if action[0] not in "bf" or len(shown(before, int(action[1]) - 1) | {action[2]}) < 6:
        return after["claim"] is None
    mandala = int(action[1]) - 1
    if after["claim"] is None:
        return action[0] == "b" and not any(before["field"][mandala])
    return after["claim"]["mandala"] == mandala and 1 <= len(set(after["mountain"][mandala])) <= 5


def redraw_keeps_hand_size(before: Position, action: str, after: Position, options: Options) -> bool:
    seat = before["turn"]
    return action[0] != "d" or len(before["hand"][seat]) == len(after["hand"][seat])


def rivers_only_grow_with_new_colours(before: Position, action: str, after: Position, options: Options) -> bool:
    kept = all(new[: len(old)] == old for old, new in zip(before["river"], after["river"], strict=True))
    return kept and all(len(set(river)) == len(river) <= 6 for river in after["river"])


def cups_and_rivers_grow_only_by_claims(before: Position, action: str, after: Position, options: Options) -> bool:
    for seat in (0, 1):
        old = Counter(before["river"][seat] + before["claimed"][seat])
        new = Counter(after["river"][seat] + after["claimed"][seat])
        if old - new or ((new - old) and (action[0] != "c" or seat != before["turn"] or set(new - old) != {action[1]})):
            return False
    return True


def flag_is_never_cleared(before: Position, action: str, after: Position, options: Options) -> bool:
    return after["last"] or not before["last"]


def empty_deck_means_empty_pile(before: Position, action: str, after: Position, options: Options) -> bool:
    if options["exhaustion"] == "lazy" or after["turn"] is None or after["claim"] or after["deck"]:
        return True
    return not after["discard"] and after["last"]


def two_cup_cards_are_dealt(before: Position, action: str, after: Position, options: Options) -> bool:
    return all(len(after["dealt"][s]) == 2 and sorted(after["dealt"][s]) == sorted(before["dealt"][s]) for s in (0, 1))


def claimed_colours_lie_in_the_river(before: Position, action: str, after: Position, options: Options) -> bool:
    return all(set(after["claimed"][seat]) <= set(after["river"][seat]) for seat in (0, 1))


def a_running_game_is_not_finished(before: Position, action: str, after: Position, options: Options) -> bool:
    if after["turn"] is None:
        return True
    below = not options["stall_limit"] or after["redraws"] < options["stall_limit"]
    return below and (after["claim"] is not None or all(len(river) < 6 for river in after["river"]))


def the_claimer_is_due(before: Position, action: str, after: Position, options: Options) -> bool:
    if after["claim"] is None:
        return True
    mandala, completer = after["claim"]["mandala"], after["claim"]["completer"]
    fields = after["field"][mandala]
    made = 6 - len(shown(after, mandala))
    first = first_claimer(fields, completer)
    return bool(after["mountain"][mandala]) and any(fields) and after["turn"] == (first if made % 2 == 0 else 1 - first)


Invariant = Callable[[Position, str, Position, Options], bool]
INVARIANTS: dict[int, Invariant] = {
    1: cards_are_kept,
    2: hands_hold_one_to_eight,
    3: areas_are_disjoint,
    4: six_colours_only_while_claimed,
    5: destruction_has_one_to_five_claims,
    6: redraw_keeps_hand_size,
    7: rivers_only_grow_with_new_colours,
    8: cups_and_rivers_grow_only_by_claims,
    9: flag_is_never_cleared,
    10: empty_deck_means_empty_pile,
    11: two_cup_cards_are_dealt,
    12: claimed_colours_lie_in_the_river,
    13: a_running_game_is_not_finished,
    14: the_claimer_is_due,
}
