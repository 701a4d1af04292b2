"""Oracle of Mandala Stones: the rules a second time, slow and literal, written from the rules text alone.

It shares no code and no idea with the package: stones are letters in lists, a position is a plain dict, a ruleset is the mapping that the
ruleset file holds, every sentence of the rules is one line here. It exists to disagree with the kernel when one of the two is wrong.
Section numbers are those of the rules text. Reading and writing of positions stands in ``stones_text.py``.

A position: ``stacks`` (24 lists, bottom to top, a hidden stone is ``(y)``), ``artists`` (``{"A2": "star", ...}``), ``boards[seat]`` (five
lists, bottom to top), ``mandala`` (in order of placing), ``scores[seat]`` (no objectives in them), ``objectives[seat]`` (two names or
``None``), ``turn`` (the seat to act or ``None``), ``trigger`` (``0``, ``A`` or ``B``), ``round`` (from 1), ``first`` (a seat).
"""

from __future__ import annotations

import copy
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = "YRBPyrbp"
PATTERNS = ("star", "circle")
COLOURS = {"Y": "yellow", "R": "red", "B": "blue", "P": "purple"}
ARTIST_SPACES = [f"A{n}" for n in range(1, 10)]
STACK_SPACES = [f"S{n:02d}" for n in range(1, 25)]
SUBSETS = ["".join(str(n) for n in range(1, 6) if mask >> (n - 1) & 1) for mask in range(1, 32)]
"""All ways to take tops, in canonical order: as binary numbers, space 1 the lowest bit (section 11)."""

Position = dict[str, Any]
Rules = dict[str, Any]
Drawer = Callable[[list[str]], str]
"""Is shown everything that can come, thing by thing, and names one."""

DEFAULT: Rules = json.loads((Path(__file__).parents[1] / "data" / "cases" / "stones_ruleset.json").read_text(encoding="utf-8"))


class Refused(Exception):
    """``kind`` is ``syntax``, ``illegal`` or ``hidden``; ``rules`` are the codes of all rules that forbid it."""

    def __init__(self, kind: str, rules: list[str]) -> None:
        super().__init__(f"{kind}: {', '.join(rules)}")
        self.kind, self.rules = kind, rules


def colour(stone: str) -> str:
    """The colour letter of a stone; upper and lower case differ only in the pattern (section 1)."""
    return stone.strip("()").upper()


def pattern(stone: str) -> str:
    """Star is upper case, circle lower case (section 1)."""
    return "star" if stone.isupper() else "circle"


# --- what is allowed (sections 4 to 6) -------------------------------------------------------------


def blocked(position: Position, origin: str, rules: Rules) -> set[str]:
    """The stacks that the artist from ``origin`` cannot use wherever it goes, because another artist stands next to them (5.2, 5.3)."""
    others = [space for space in position["artists"] if space != origin]  # the artist itself has left its space
    return {stack for space in others for stack in rules["board"]["neighbours"][space]}


def yields(position: Position, origin: str, stack: str, shut: set[str]) -> str:
    """What a stack says to the artist from ``origin`` that came next to it: empty if it yields, else the rule against it (5.3)."""
    stones = position["stacks"][int(stack[1:]) - 1]
    if not stones:
        return "empty_stack"
    if pattern(stones[-1]) != position["artists"][origin]:
        return "wrong_pattern"
    return "blocked" if stack in shut else ""


def gains(position: Position, origin: str, target: str, rules: Rules) -> list[str]:
    """The stacks that yield a stone, clockwise from the north (5.3, 5.5)."""
    shut = blocked(position, origin, rules)
    return [stack for stack in rules["board"]["neighbours"][target] if not yields(position, origin, stack, shut)]


def picks(position: Position, rules: Rules) -> list[str]:
    """The legal picks in canonical order."""
    empty = [n + 1 for n, tower in enumerate(position["boards"][position["turn"]]) if not tower]
    shown = {stack: pattern(stones[-1]) for stack, stones in zip(STACK_SPACES, position["stacks"], strict=True) if stones}
    found = []
    for origin in ARTIST_SPACES if empty else []:
        if origin not in position["artists"]:
            continue
        shut, kind = blocked(position, origin, rules), position["artists"][origin]
        yielding = {stack for stack in shown if shown[stack] == kind and stack not in shut}
        for target in ARTIST_SPACES:
            if target in position["artists"]:
                continue
            for stack in rules["board"]["neighbours"][target]:
                if stack in yielding:
                    found += [f"p{origin}-{target}:{stack}@{space}" for space in empty]
    return found


def scorings(position: Position, rules: Rules) -> list[str]:
    """The legal scorings in canonical order."""
    board = position["boards"][position["turn"]]
    tops = [colour(tower[-1]) for tower in board if tower]
    towers = {str(n + 1) for n, tower in enumerate(board) if tower}
    found = [f"s{letter}" for letter in COLOURS if tops.count(letter) >= rules["score_colour"]["min_towers"]]
    return found + [f"q{subset}" for subset in SUBSETS if towers.issuperset(subset)]


def legal(position: Position, rules: Rules) -> list[str]:
    """The legal actions in canonical order; a stuck player has ``-`` only (section 11)."""
    if position["turn"] is None:
        return []
    return picks(position, rules) + scorings(position, rules) or ["-"]


def forbidden(position: Position, action: str, rules: Rules) -> list[str]:
    """Every rule that forbids a well-formed action here; an empty list if it is legal."""
    if position["turn"] is None:
        return ["game_over"]
    stuck = not scorings(position, rules) and not picks(position, rules)
    if action == "-":
        return [] if stuck else ["no_pass"]
    if stuck:
        return ["must_skip"]
    board = position["boards"][position["turn"]]
    if action[0] == "q":
        return [] if all(board[int(n) - 1] for n in action[1:]) else ["no_tower"]
    if action[0] == "s":
        tops = [colour(tower[-1]) for tower in board if tower]
        return [] if tops.count(action[1]) >= rules["score_colour"]["min_towers"] else ["too_few_towers"]
    return _pick_forbidden(position, action, rules)


def _pick_forbidden(position: Position, action: str, rules: Rules) -> list[str]:
    origin, target, stack, space = _pick_parts(action)
    board = position["boards"][position["turn"]]
    found = []
    if all(board):
        found.append("board_full")
    if board[space]:
        found.append("space_taken")
    if origin not in position["artists"]:
        found.append("no_artist")
    if origin == target:
        found.append("must_move")
    elif target in position["artists"]:
        found.append("space_occupied")
    if stack not in rules["board"]["neighbours"][target]:
        found.append("not_beside")
    if origin not in position["artists"] or target in position["artists"]:
        return found
    if stack in rules["board"]["neighbours"][target]:
        reason = yields(position, origin, stack, blocked(position, origin, rules))
        found += [reason] if reason else []
    if not gains(position, origin, target, rules):
        found.append("nothing_gained")
    return found


def _pick_parts(action: str) -> tuple[str, str, str, int]:
    """From, to, first stack, and the own space counted from 0."""
    return action[1:3], action[4:6], action[7:10], int(action[11]) - 1


_SYNTAX = re.compile(r"pA[1-9]-A[1-9]:S(0[1-9]|1[0-9]|2[0-4])@[1-5]|s[YRBP]|q(?=[1-5])1?2?3?4?5?|-")


def is_action(text: str) -> bool:
    """Whether a text is in the notation of actions (section 11)."""
    return _SYNTAX.fullmatch(text) is not None


# --- what happens (sections 5 to 8) ------------------------------------------------------------------


def play(position: Position, action: str, rules: Rules) -> Position:
    """Play an action; return the new position."""
    if not is_action(action):
        raise Refused("syntax", [action])
    against = forbidden(position, action, rules)
    if against:
        raise Refused("illegal", against)
    new = copied(position)
    if action[0] == "p":
        _pick(new, action, rules)
    elif action == "-":
        if new["trigger"] == "0":
            new["trigger"] = "B"
    else:
        _score(new, action, rules)
    _pass_on(new)
    return new


def _pick(position: Position, action: str, rules: Rules) -> None:
    origin, target, first, space = _pick_parts(action)
    stacks = gains(position, origin, target, rules)
    while stacks[0] != first:  # the first stone is the bottom, the others follow clockwise
        stacks.append(stacks.pop(0))
    tower = position["boards"][position["turn"]][space]
    for stack in stacks:
        stones = position["stacks"][int(stack[1:]) - 1]
        tower.append(stones.pop())
        if stones and stones[-1].startswith("("):
            raise Refused("hidden", [stack])
    position["artists"][target] = position["artists"].pop(origin)


def scored(position: Position, action: str, rules: Rules) -> list[dict[str, Any]]:
    """The stones that an action scores, left to right, each with its own space, height, value, place of the mandala and bonus (6, 7)."""
    board = position["boards"][position["turn"]]
    if action[0] == "s":
        spaces = [n for n in range(5) if board[n] and colour(board[n][-1]) == action[1]]
        values = [value(board, n, rules) for n in spaces]
    else:
        spaces = [int(n) - 1 for n in action[1:]]
        values = [rules["score_tops"]["each"] for _ in spaces]
    found = []
    for place, (space, points) in enumerate(zip(spaces, values, strict=True), start=len(position["mandala"]) + 1):
        bonus = rules["mandala"]["bonus"].get(str(place), 0)
        stone = board[space][-1]
        found.append(
            {"space": space + 1, "stone": stone, "height": len(board[space]), "points": points, "place": place, "bonus": bonus}
        )  # fmt: skip
    return found


def value(board: list[list[str]], space: int, rules: Rules) -> int:
    """What the space pays for the top stone of its tower, judged before anything is removed (section 6)."""
    rule, tower = rules["spaces"][space], board[space]
    if rule["rule"] == "distinct_heights":
        return int(rule["each"] * heights(board, rule["count_empty_as_height"]))
    if rule["rule"] == "distinct_colours":
        return int(rule["each"] * len({colour(stone) for stone in tower}))
    return int(rule["points"][len(tower) - 1])


def heights(board: list[list[str]], count_empty: bool) -> int:
    """Different tower heights; empty spaces are none, or all together one more."""
    found = {len(tower) for tower in board if tower}
    return len(found) + (1 if count_empty and not all(board) else 0)


def counts_empty(rules: Rules) -> bool:
    """Whether all empty spaces together are one more height; all spaces that count heights say the same."""
    return any(rule.get("count_empty_as_height", False) for rule in rules["spaces"])


def _score(position: Position, action: str, rules: Rules) -> None:
    seat = position["turn"]
    for entry in scored(position, action, rules):
        position["mandala"].append(position["boards"][seat][entry["space"] - 1].pop())
        position["scores"][seat] += entry["points"] + entry["bonus"]
        if entry["place"] == rules["mandala"]["end"][str(len(position["boards"]))] and position["trigger"] == "0":
            position["trigger"] = "A"


def _pass_on(position: Position) -> None:
    """The next player clockwise; a round ends before the first player's turn (sections 4 and 8)."""
    following = (position["turn"] + 1) % len(position["boards"])
    if following != position["first"]:
        position["turn"] = following
    elif position["trigger"] != "0":
        position["turn"] = None
    else:
        position["turn"] = following
        position["round"] += 1


def copied(position: Position) -> Position:
    """A position that shares nothing with the old one."""
    return position | {
        "stacks": [list(stones) for stones in position["stacks"]],
        "artists": dict(position["artists"]),
        "boards": [[list(tower) for tower in board] for board in position["boards"]],
        "mandala": list(position["mandala"]),
        "scores": list(position["scores"]),
    }


# --- the end (section 8) -------------------------------------------------------------------------------


def objective(name: str, board: list[list[str]], rules: Rules) -> int:
    """What an objective card is worth on a board."""
    card = next(card for card in rules["objectives"]["cards"] if card["id"] == name)
    stones = [stone for tower in board for stone in tower]
    counts = {
        "stones_of_colour": lambda: len([stone for stone in stones if COLOURS[colour(stone)] == card["of"]]),
        "stones_of_pattern": lambda: len([stone for stone in stones if pattern(stone) == card["of"]]),
        "empty_spaces": lambda: len([tower for tower in board if not tower]),
        "distinct_heights": lambda: heights(board, counts_empty(rules)),
        "distinct_top_colours": lambda: len({colour(tower[-1]) for tower in board if tower}),
        "tallest_height": lambda: max(len(tower) for tower in board),
    }
    return int(card["each"] * counts[card["count"]]())


def scores(position: Position, rules: Rules) -> list[int]:
    """Points as they stand; once the game is over with the better objective of each player who has some."""
    found = list(position["scores"])
    for seat, names in enumerate(position["objectives"]):
        if position["turn"] is None and names:
            found[seat] += max(objective(name, position["boards"][seat], rules) for name in names)
    return found


def winners(position: Position, rules: Rules) -> list[int]:
    """The seats that won: most points, then what the tiebreak says."""
    points = scores(position, rules)
    best = [seat for seat, number in enumerate(points) if number == max(points)]
    left = [sum(len(tower) for tower in board) for board in position["boards"]]
    if rules["end"]["tiebreak"] == "most_stones_left":
        return [seat for seat in best if left[seat] == max(left[other] for other in best)]
    if rules["end"]["tiebreak"] == "fewest_stones_left":
        return [seat for seat in best if left[seat] == min(left[other] for other in best)]
    return best


# --- the set-up (section 3) and rulesets (section 9) ---------------------------------------------------


def start(rules: Rules, players: int, first: int, draw: Drawer) -> Position:
    """A new game; ``draw`` decides stones from S01 up, bottom to top, then artists in order of their spaces, then two cards a player."""
    bag = [kind for kind in KINDS for _ in range(rules["stones"]["per_pair"])]
    figures = [kind for kind in PATTERNS for artist in rules["board"]["artists"] if artist == kind]
    deck = [card["id"] for card in rules["objectives"]["cards"]]

    def taken(things: list[str]) -> str:
        thing = draw(things)
        things.remove(thing)
        return thing

    stacks = [[taken(bag) for _ in range(rules["board"]["stack_height"])] for _ in range(rules["board"]["stack_spaces"])]
    artists = {space: taken(figures) for space in rules["board"]["artist_start"]}
    return {
        "stacks": stacks, "artists": artists, "boards": [[[] for _ in range(5)] for _ in range(players)], "mandala": [],
        "scores": [0] * players, "objectives": [[taken(deck), taken(deck)] for _ in range(players)],
        "turn": first, "trigger": "0", "round": 1, "first": first,
    }  # fmt: skip


def ruleset(options: dict[str, Any]) -> Rules:
    """The ruleset that options name, with the quick switches entered."""
    rules: Rules = copy.deepcopy(options.get("ruleset", DEFAULT))
    if "reveal_covered_patterns" in options:
        rules["reveal_covered_patterns"] = options["reveal_covered_patterns"]
    if "tiebreak" in options:
        rules["end"]["tiebreak"] = options["tiebreak"]
    if "count_empty_as_height" in options:
        for rule in rules["spaces"]:
            if rule["rule"] == "distinct_heights":
                rule["count_empty_as_height"] = options["count_empty_as_height"]
    return rules


def every_action() -> list[str]:
    """All well-formed actions."""
    spots = itertools.product(ARTIST_SPACES, ARTIST_SPACES, STACK_SPACES, range(1, 6))
    found = [f"p{origin}-{target}:{stack}@{space}" for origin, target, stack, space in spots]
    return [*found, *(f"s{letter}" for letter in COLOURS), *(f"q{subset}" for subset in SUBSETS), "-"]
