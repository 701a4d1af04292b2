"""The invariants of section 10, each sentence by itself, over one ply: position before, action, position after.

Positions are the oracle's plain dicts (read from position lines, so nothing of the package is trusted); rules are the ruleset's mapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.oracles.stones import KINDS, Position, Rules


def piles(position: Position) -> list[list[str]]:
    """Everywhere that stones lie."""
    return [*position["stacks"], *(tower for board in position["boards"] for tower in board), position["mandala"]]


def stones_are_kept(before: Position, action: str, after: Position, rules: Rules) -> bool:
    stones = Counter(stone for pile in piles(after) for stone in pile)
    kept = len(after["stacks"]) == 24 and stones.total() == 8 * rules["stones"]["per_pair"]  # 96 and 12 in the shipped ruleset
    return kept and stones == dict.fromkeys(KINDS, rules["stones"]["per_pair"])


def artists_stand_apart(before: Position, action: str, after: Position, rules: Rules) -> bool:
    return len(after["artists"]) == 4 and sorted(after["artists"].values()) == ["circle", "circle", "star", "star"]


def stacks_never_grow(before: Position, action: str, after: Position, rules: Rules) -> bool:
    pairs = zip(before["stacks"], after["stacks"], strict=True)
    return all(0 <= len(new) <= 4 and old[: len(new)] == new for old, new in pairs)


def towers_never_grow(before: Position, action: str, after: Position, rules: Rules) -> bool:
    pairs = zip(piles(before)[24:-1], piles(after)[24:-1], strict=True)
    return all(0 <= len(new) <= 4 and (not old or old[: len(new)] == new) for old, new in pairs)


def a_pick_takes_one_to_four(before: Position, action: str, after: Position, rules: Rules) -> bool:
    """One artist moved, 1..4 stacks lowered by one, one empty space filled with just these stones; nothing else changed."""
    if action[0] != "p":
        return bool(before["stacks"] == after["stacks"] and before["artists"] == after["artists"])
    lowered = [(old, new) for old, new in zip(before["stacks"], after["stacks"], strict=True) if old != new]
    changed = [(old, new) for old, new in zip(piles(before)[24:-1], piles(after)[24:-1], strict=True) if old != new]
    moved = set(before["artists"].items()) ^ set(after["artists"].items())
    if not (1 <= len(lowered) <= 4 and len(changed) == 1 and len(moved) == 2):
        return False
    taken = [old[-1] for old, new in lowered if len(old) - len(new) == 1]
    tower = after["boards"][before["turn"]][int(action[-1]) - 1]
    one_of_the_own = changed[0] == ([], tower) and sorted(tower) == sorted(taken)
    rest = before["mandala"] == after["mandala"] and before["scores"] == after["scores"]
    return one_of_the_own and bool(rest)


def scoring_takes_tops(before: Position, action: str, after: Position, rules: Rules) -> bool:
    """A colour score removes 2..5 stones of one colour, any tops 1..5, each from a tower of its own; all of them go to the mandala."""
    seat = before["turn"]
    others = all(before["boards"][s] == after["boards"][s] for s in range(len(before["boards"])) if s != seat)
    if action[0] not in "sq":
        return others and before["mandala"] == after["mandala"]
    pairs = list(zip(before["boards"][seat], after["boards"][seat], strict=True))
    gone = [old[-1] for old, new in pairs if len(old) - len(new) == 1]
    rest = all(old == new or old[:-1] == new for old, new in pairs)
    if action[0] == "s":
        rest = rest and 2 <= len(gone) <= 5 and {stone.upper() for stone in gone} == {action[1]}
        rest = rest and not any(new == old and old[-1].upper() == action[1] for old, new in pairs if old)
    else:
        rest = rest and len(gone) == len(action) - 1
    return others and rest and after["mandala"] == before["mandala"] + gone


def scores_never_fall(before: Position, action: str, after: Position, rules: Rules) -> bool:
    rises = [new - old for old, new in zip(before["scores"], after["scores"], strict=True)]
    return min(rises) >= 0 and all(not rise for seat, rise in enumerate(rises) if seat != before["turn"])


def rounds_are_finished(before: Position, action: str, after: Position, rules: Rules) -> bool:
    """Clockwise, and over exactly when the last player of a round has acted and an end has been triggered."""
    following = (before["turn"] + 1) % len(before["boards"])
    if following != before["first"]:
        return bool(after["turn"] == following and after["round"] == before["round"])
    if after["trigger"] != "0":
        return after["turn"] is None and bool(after["round"] == before["round"])
    return bool(after["turn"] == following and after["round"] == before["round"] + 1)


def the_first_trigger_stays(before: Position, action: str, after: Position, rules: Rules) -> bool:
    if before["trigger"] != "0":
        return bool(after["trigger"] == before["trigger"])
    covered = len(after["mandala"]) >= rules["mandala"]["end"][str(len(after["boards"]))]
    return bool(after["trigger"] == ("A" if covered else "B" if action == "-" else "0"))


def what_was_dealt_stays(before: Position, action: str, after: Position, rules: Rules) -> bool:
    return bool(before["objectives"] == after["objectives"] and before["first"] == after["first"])


Invariant = Callable[[Position, str, Position, Rules], bool]
INVARIANTS: tuple[Invariant, ...] = (
    stones_are_kept,
    artists_stand_apart,
    stacks_never_grow,
    towers_never_grow,
    a_pick_takes_one_to_four,
    scoring_takes_tops,
    scores_never_fall,
    rounds_are_finished,
    the_first_trigger_stays,
    what_was_dealt_stays,
)
