"""Ways to play on the oracle that meet what is rare in plain random play, other rulesets, and the census of what was met.

A game is fully named by its number and its number of players: ruleset, habits and seed follow from them.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tests.oracles import stones as oracle
from tests.oracles.stones import Position, Rules
from tests.oracles.stones_text import position_text

Habit = Callable[[Position, list[str], Rules, random.Random], list[str]]
"""Narrows the legal actions down; the player then picks at random. It may answer nothing, then all are open."""


class Ply(NamedTuple):
    """One action as the oracle played it."""

    before: Position
    legal: list[str]
    action: str
    after: Position


# --- habits of players ---------------------------------------------------------------------------


def anything(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    return legal


def any_kind(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    """Pick, colour and tops equally often, however many actions there are of each."""
    kind = rng.choice(sorted({action[0] for action in legal}))
    return [action for action in legal if action[0] == kind]


def gain(position: Position, action: str, rules: Rules) -> int:
    return len(oracle.gains(position, action[1:3], action[4:6], rules))


def by_gain(position: Position, legal: list[str], rules: Rules) -> dict[int, list[str]]:
    """The picks, by how many stones they gain."""
    found: dict[int, list[str]] = {}
    for _, group in itertools.groupby((action for action in legal if action[0] == "p"), key=lambda action: action[:6]):
        actions = list(group)
        found.setdefault(gain(position, actions[0], rules), []).extend(actions)
    return found


def hoard(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    """As many stones as possible at a time; with a full board one stone away, from the lowest tower."""
    found = by_gain(position, legal, rules)
    if found:
        return found[max(found)]
    towers = position["boards"][position["turn"]]
    lowest = min((len(tower) for tower in towers if tower), default=0)
    return [f"q{n}" for n in range(1, 6) if len(towers[n - 1]) == lowest and f"q{n}" in legal]


def spend(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    """Everything away at once, until the board is empty; then as little as possible."""
    tops = [action for action in legal if action[0] == "q"]
    found = {} if tops else by_gain(position, legal, rules)
    return tops[-1:] or (found[min(found)] if found else [])


def fill_and_spend(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    """Five towers, then five tops."""
    return [action for action in legal if action[0] == "p"] or [action for action in legal if action == "q12345"]


def colours(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    return [action for action in legal if action[0] == "s"] or [action for action in legal if action[0] == "p"]


def crowd(position: Position, legal: list[str], rules: Rules, rng: random.Random) -> list[str]:
    """Artists into corners, where they stand in few ways, or all of them to the middle, where they block most."""
    wanted = rng.choice((("A1", "A3", "A7", "A9"), ("A2", "A4", "A5", "A6", "A8")))
    return [action for action in legal if action[0] == "p" and action[4:6] in wanted and action[1:3] not in wanted]


HABITS: tuple[Habit, ...] = (anything, any_kind, hoard, spend, fill_and_spend, colours, crowd)


# --- rulesets --------------------------------------------------------------------------------------


def _tables(rules: Rules, rng: random.Random) -> None:
    for rule in rules["spaces"]:
        if rule["rule"] == "height_table":
            rule["points"] = [rng.randrange(10) for _ in range(4)]
        else:
            rule["each"] = rng.randrange(1, 4)


def _bonuses(rules: Rules, rng: random.Random) -> None:
    places = rng.sample(range(1, rules["mandala"]["spaces"] + 1), rng.randrange(40))
    rules["mandala"]["bonus"] = {str(place): rng.randrange(1, 6) for place in sorted(places)}
    rules["score_tops"]["each"] = rng.randrange(3)


def _soon(rules: Rules, rng: random.Random) -> None:
    ends = sorted(rng.sample(range(2, 30), 3))
    rules["mandala"]["end"] = {str(players): end for players, end in zip((2, 3, 4), ends, strict=True)}


def _late(rules: Rules, rng: random.Random) -> None:
    """So late that main board and players run out of stones before the mandala is full."""
    least = rng.choice((60, 70, 75))
    rules["mandala"]["end"] = {"2": least, "3": least + 1, "4": least + 2}
    rules["mandala"]["spaces"] = least + 21
    rules["mandala"]["bonus"] = {place: points for place, points in rules["mandala"]["bonus"].items() if int(place) <= least + 21}


def _options(rules: Rules, rng: random.Random) -> None:
    for rule in rules["spaces"]:
        if rule["rule"] == "distinct_heights":
            rule["count_empty_as_height"] = True
    rules["end"]["tiebreak"] = rng.choice(("most_stones_left", "fewest_stones_left"))
    rules["reveal_covered_patterns"] = rng.random() < 0.5


def _places(rules: Rules, rng: random.Random) -> None:
    """The same grid with other numbers on its stacks, other cells, and other starting spaces."""
    stacks, cells = list(oracle.STACK_SPACES), list(oracle.ARTIST_SPACES)
    rng.shuffle(stacks)
    rng.shuffle(cells)
    renamed = dict(zip(oracle.STACK_SPACES, stacks, strict=True))
    old = rules["board"]["neighbours"]
    moved = {cell: [renamed[stack] for stack in old[origin]] for cell, origin in zip(cells, oracle.ARTIST_SPACES, strict=True)}
    rules["board"]["neighbours"] = {cell: moved[cell] for cell in oracle.ARTIST_SPACES}
    rules["board"]["artist_start"] = rng.sample(oracle.ARTIST_SPACES, 4)


def _scoring(rules: Rules, rng: random.Random) -> None:
    """Other spaces in other order, colours of three towers, other objectives in other order."""
    rng.shuffle(rules["spaces"])
    if rng.random() < 0.5:
        rules["spaces"][rng.randrange(5)] = dict(next(rule for rule in rules["spaces"] if rule["rule"] == "distinct_heights"))
    rules["score_colour"]["min_towers"] = rng.choice((2, 3, 4))
    rng.shuffle(rules["objectives"]["cards"])
    for card in rules["objectives"]["cards"]:
        card["each"] = rng.randrange(1, 5)


def _poor(rules: Rules, rng: random.Random) -> None:
    """Next to nothing scores, so that many games are tied."""
    for rule in rules["spaces"]:
        rule.update({"points": [0, 0, 0, 0]} if rule["rule"] == "height_table" else {"each": 0})
    for card in rules["objectives"]["cards"]:
        card["each"] = 0
    rules["mandala"]["bonus"] = rng.choice(({}, {"1": 1, "3": 1, "5": 1, "7": 1}))
    rules["score_tops"]["each"] = 0
    rules["end"]["tiebreak"] = rng.choice(("shared", "most_stones_left", "fewest_stones_left"))


def _fewer(rules: Rules, rng: random.Random) -> None:
    """Lower stacks, so fewer stones: the main board runs dry."""
    height = rng.randrange(1, 4)
    rules["board"]["stack_height"], rules["stones"]["per_pair"] = height, 3 * height


CHANGES = (_tables, _bonuses, _soon, _late, _options, _places, _scoring, _poor, _fewer)


def variant(rng: random.Random) -> Rules:
    """The shipped ruleset, with up to four things changed."""
    rules = copy.deepcopy(oracle.DEFAULT)
    for change in rng.sample(CHANGES, rng.choice((1, 1, 2, 4))):
        change(rules, rng)
    return rules


# --- games ----------------------------------------------------------------------------------------


def game(number: int, players: int) -> tuple[Rules, int, Position, list[str], Iterator[Ply]]:
    """A game: its ruleset, first seat, start position, what was drawn for it, and its plies, played while they are read."""
    rng = random.Random(f"stones {number} {players}")
    rules = oracle.DEFAULT if number % 5 < 2 else variant(rng)
    plain = number % 5 == 0
    habits = [anything if plain else rng.choice(HABITS) for _ in range(players)]
    if number % 5 in (1, 2):  # some have almost everything, the others almost nothing
        spenders = rng.sample(range(players), rng.randrange(1, players))
        habits = [spend if seat in spenders else hoard for seat in range(players)]
    if number % 5 == 2:
        _late(rules, rng)
    if number % 10 == 3:
        _poor(rules, rng)
    noise = rng.choice((0.0, 0.05, 0.3))
    first = rng.randrange(players)
    drawn: list[str] = []

    def draw(things: list[str]) -> str:
        drawn.append(rng.choice(things))
        return drawn[-1]

    begin = oracle.start(rules, players, first, draw)

    def plies() -> Iterator[Ply]:
        position = begin
        while legal := oracle.legal(position, rules):
            wanted = legal if rng.random() < noise else habits[position["turn"]](position, legal, rules, rng)
            action = rng.choice(wanted or legal)
            after = oracle.play(position, action, rules)
            yield Ply(position, legal, action, after)
            position = after

    return rules, first, begin, drawn, plies()


@lru_cache(maxsize=256)
def lines(number: int, players: int) -> tuple[Rules, list[str]]:
    """The ruleset of a game and all its position lines, from the start to the end."""
    rules, _, begin, _, plies = game(number, players)
    return rules, [position_text(begin), *(position_text(ply.after) for ply in plies)]


# --- what was met -----------------------------------------------------------------------------------

SITUATIONS: dict[str, tuple[int, int]] = {
    "pick of four": (0, 3),
    "pick of one": (0, 2),
    "full board, no pick": (0, 2),
    "heights judged before a stone of the same score is gone": (68, 2),
    "colour score of two": (0, 2),
    "colour score of four or five": (0, 4),
    "five tops": (3, 3),
    "bonus for a colour score": (0, 4),
    "bonus for tops": (0, 2),
    "two bonuses at once": (4, 2),
    "end space in mid-action": (0, 2),
    "end space covered by the first player": (0, 2),
    "end space covered by the last player": (0, 4),
    "stuck": (1, 4),
    "stuck after the end space was covered": (29, 3),
    "two players stuck": (7, 4),
    "stuck in the last turn of a round": (2, 4),
    "end space covered after somebody was stuck": (54, 4),
    "stack emptied": (0, 2),
    "twelve empty stacks": (0, 4),
    "board emptied by scoring": (1, 2),
    "empty spaces count as a height": (24, 4),
    "no empty space, so no height of it": (49, 2),
    "tie": (1, 4),
    "tie of all": (3, 2),
    "tie broken": (3, 2),
    "tie broken in part or not at all": (3, 4),
    "objectives decide": (1, 4),
}
"""Every rare situation that a sample of ``game`` must meet, each with the first game that does: its number and its number of players."""


def met(ply: Ply, rules: Rules) -> list[str]:
    """The rare situations in one ply."""
    before, action, after, seat = ply.before, ply.action, ply.after, ply.before["turn"]
    board, found = before["boards"][seat], []

    def note(condition: object, name: str) -> None:
        if condition:
            found.append(name)

    end = rules["mandala"]["end"][str(len(before["boards"]))]
    last = (seat + 1) % len(before["boards"]) == before["first"]
    note(all(board), "full board, no pick")
    if action[0] == "p":
        taken = gain(before, action, rules)
        note(taken == 4, "pick of four")
        note(taken == 1, "pick of one")
        note(any(b and not a for b, a in zip(before["stacks"], after["stacks"], strict=True)), "stack emptied")
        note(sum(not stones for stones in after["stacks"]) >= 12, "twelve empty stacks")
    elif action == "-":
        note(True, "stuck")
        note(before["trigger"] == "A", "stuck after the end space was covered")
        note(before["trigger"] == "B", "two players stuck")
        note(last, "stuck in the last turn of a round")
    else:
        entries = oracle.scored(before, action, rules)
        bonuses = [entry for entry in entries if entry["bonus"]]
        note(len(bonuses) >= 2, "two bonuses at once")
        covered = len(before["mandala"]) < end <= len(after["mandala"])
        note(covered and len(after["mandala"]) > end, "end space in mid-action")
        note(covered and seat == before["first"], "end space covered by the first player")
        note(covered and last, "end space covered by the last player")
        note(covered and before["trigger"] == "B", "end space covered after somebody was stuck")
        note(not any(after["boards"][seat]), "board emptied by scoring")
        if action[0] == "s":
            note(len(entries) == 2, "colour score of two")
            note(_heights_fell(board, entries, rules), "heights judged before a stone of the same score is gone")
            note(len(entries) >= 4, "colour score of four or five")
            note(bonuses, "bonus for a colour score")
            if any(rules["spaces"][entry["space"] - 1].get("count_empty_as_height") for entry in entries):
                note(not all(board), "empty spaces count as a height")
                note(all(board), "no empty space, so no height of it")
        else:
            note(len(entries) == 5, "five tops")
            note(bonuses, "bonus for tops")
    return found + (_met_at_the_end(after, rules) if after["turn"] is None else [])


def _heights_fell(board: list[list[str]], entries: list[dict[str, Any]], rules: Rules) -> bool:
    """Whether a space that counts heights would have paid something else, had the stones before it been gone already."""
    left = [list(tower) for tower in board]
    for entry in entries:
        if (
            rules["spaces"][entry["space"] - 1]["rule"] == "distinct_heights"
            and oracle.value(left, entry["space"] - 1, rules) != entry["points"]
        ):
            return True
        left[entry["space"] - 1].pop()
    return False


def _met_at_the_end(after: Position, rules: Rules) -> list[str]:
    points, winners, found = oracle.scores(after, rules), oracle.winners(after, rules), []
    best = [seat for seat, number in enumerate(points) if number == max(points)]
    if len(best) > 1:
        found.append("tie")
        if len(best) == len(points):
            found.append("tie of all")
        if rules["end"]["tiebreak"] != "shared":
            found.append("tie broken" if len(winners) == 1 else "tie broken in part or not at all")
    track = after["scores"]
    if best != [seat for seat, number in enumerate(track) if number == max(track)]:
        found.append("objectives decide")
    return found
