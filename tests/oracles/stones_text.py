"""Oracle of Mandala Stones, second half: position lines read, written and judged, from the rules text alone (sections 8, 10 and 11).

``faults`` lists everything that is wrong with a line, each as (field, reason). The names of the fields at fault are what
the package's refusals are compared with; where the rules text leaves a question open, ``open_question`` says so.
"""

from __future__ import annotations

import re
from collections import Counter

from tests.oracles.stones import ARTIST_SPACES, DEFAULT, KINDS, Position, Rules, colour

FIELDS = ("STACKS", "ARTISTS", "BOARDS", "MANDALA", "SCORES", "OBJECTIVES", "TURN", "FLAGS")
_NUMBER = re.compile(r"0|[1-9][0-9]*")
_STONE = re.compile(r"[YRBPyrbp]|\([yrbp]\)")


class Unreadable(Exception):
    """A line that is not in the notation; ``field`` is at fault."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


# --- write -----------------------------------------------------------------------------------------


def position_text(position: Position) -> str:
    """The position line."""
    fields = [
        ",".join("".join(stones) or "-" for stones in position["stacks"]),
        "/".join("+".join(spaces_of(position, kind)) for kind in ("star", "circle")),
        "/".join(",".join("".join(tower) or "-" for tower in board) for board in position["boards"]),
        "".join(position["mandala"]) or "-",
        "/".join(str(number) for number in position["scores"]),
        "/".join("+".join(names) if names else "?" for names in position["objectives"]),
        turn_text(position),
        f"{position['trigger']}/{position['round']}/{position['first'] + 1}",
    ]
    return " ".join(fields)


def spaces_of(position: Position, kind: str) -> list[str]:
    """Where the artists of a pattern stand, rising."""
    return [space for space in ARTIST_SPACES if position["artists"].get(space) == kind]


def turn_text(position: Position) -> str:
    """The TURN field: ``1`` to ``4``, ``-`` when over."""
    return "-" if position["turn"] is None else str(position["turn"] + 1)


def hidden(position: Position) -> str:
    """The position line with every covered stone in brackets."""
    covered = [[f"({stone.strip('()').lower()})" for stone in stones[:-1]] + stones[-1:] for stones in position["stacks"]]
    return position_text(position | {"stacks": covered})


# --- read ------------------------------------------------------------------------------------------


def read_pile(text: str, field: str, brackets: bool = False) -> list[str]:
    """The stones of a stack or tower, bottom to top."""
    if text == "-":
        return []
    stones = _STONE.findall(text)
    if not text or "".join(stones) != text:
        raise Unreadable(field, f"no stones: {text!r}")
    if not brackets and "(" in text:
        raise Unreadable(field, "only a stack covers stones")
    return list(stones)


def read_position(line: str) -> Position:
    """Parse a position line, or raise ``Unreadable``. Whether such a position can be is another question."""
    parts = line.split(" ")
    if len(parts) != 8:
        raise Unreadable("POSITION", f"{len(parts)} fields")
    text = dict(zip(FIELDS, parts, strict=True))
    position: Position = {"stacks": [read_pile(pile, "STACKS", brackets=True) for pile in text["STACKS"].split(",")]}
    if len(position["stacks"]) != 24:
        raise Unreadable("STACKS", f"{len(position['stacks'])} stacks")
    position["artists"] = _read_artists(text["ARTISTS"])
    position["boards"] = [[read_pile(pile, "BOARDS") for pile in board.split(",")] for board in text["BOARDS"].split("/")]
    position["mandala"] = read_pile(text["MANDALA"], "MANDALA")
    numbers = text["SCORES"].split("/")
    if not all(_NUMBER.fullmatch(number) for number in numbers):
        raise Unreadable("SCORES", f"no numbers: {numbers}")
    position["scores"] = [int(number[:9]) for number in numbers]
    position["objectives"] = [None if pair == "?" else pair.split("+") for pair in text["OBJECTIVES"].split("/")]
    if not re.fullmatch(r"[1-4]|-", text["TURN"]):
        raise Unreadable("TURN", f"no turn: {text['TURN']!r}")
    position["turn"] = None if text["TURN"] == "-" else int(text["TURN"]) - 1
    flags = re.fullmatch(r"([0AB])/([1-9][0-9]*)/([1-4])", text["FLAGS"])
    if not flags:
        raise Unreadable("FLAGS", f"no flags: {text['FLAGS']!r}")
    position["trigger"], position["round"], position["first"] = flags[1], int(flags[2][:9]), int(flags[3]) - 1
    return position


def _read_artists(text: str) -> dict[str, str]:
    sides = [side.split("+") for side in text.split("/")]
    if len(sides) != 2:
        raise Unreadable("ARTISTS", "star/circle expected")
    for side in sides:
        if not all(space in ARTIST_SPACES for space in side) or side != sorted(set(side)):
            raise Unreadable("ARTISTS", f"no spaces, rising: {side}")
    if set(sides[0]) & set(sides[1]):
        raise Unreadable("ARTISTS", "two artists on one space")
    return dict.fromkeys(sides[0], "star") | dict.fromkeys(sides[1], "circle")


# --- judge -----------------------------------------------------------------------------------------


def faults(line: str, rules: Rules = DEFAULT) -> list[tuple[str, str]]:
    """Everything wrong with a position line as (field, reason); empty when it is a position that can be."""
    try:
        position = read_position(line)
    except Unreadable as error:
        return [(error.field, error.reason)]
    found: list[tuple[str, str]] = []
    _judge_board(position, rules, found)
    _judge_players(position, rules, found)
    _judge_flow(position, rules, found)
    return found


def _judge_board(position: Position, rules: Rules, found: list[tuple[str, str]]) -> None:
    stacks = position["stacks"]
    if any(len(stones) > rules["board"]["stack_height"] for stones in stacks):
        found.append(("STACKS", "a stack of more than four (10)"))
    if any(stones and stones[-1].startswith("(") for stones in stacks):
        found.append(("STACKS", "the top of a stack is open (11)"))
    if sorted(position["artists"].values()) != ["circle", "circle", "star", "star"]:
        found.append(("ARTISTS", "two artists of each pattern (10)"))
    if len(position["mandala"]) > rules["mandala"]["spaces"]:
        found.append(("MANDALA", "more stones than spaces (11)"))
    stones = [stone for pile in stacks for stone in pile]
    stones += [stone for board in position["boards"] for tower in board for stone in tower] + position["mandala"]
    pair = rules["stones"]["per_pair"]
    if len(stones) != 8 * pair:
        found.append(("STONES", f"{len(stones)} stones (10)"))
    for letter, count in Counter(colour(stone) for stone in stones).items():
        if count > 2 * pair:
            found.append(("STONES", f"{count} of {letter} (10)"))
    found += [("STONES", f"{stones.count(kind)} of {kind} (10)") for kind in KINDS if stones.count(kind) > pair]


def _judge_players(position: Position, rules: Rules, found: list[tuple[str, str]]) -> None:
    players = len(position["boards"])
    if not 2 <= players <= 4:
        found.append(("BOARDS", f"{players} players"))
    if any(len(board) != 5 for board in position["boards"]):
        found.append(("BOARDS", "five spaces a board"))
    if any(len(tower) > 4 for board in position["boards"] for tower in board):
        found.append(("BOARDS", "a tower of more than four (10)"))
    if len(position["scores"]) != players:
        found.append(("SCORES", "one number a player"))
    if len(position["objectives"]) != players:
        found.append(("OBJECTIVES", "one pair a player"))
    names = [name for pair in position["objectives"] if pair for name in pair]
    if any(pair is not None and len(pair) != 2 for pair in position["objectives"]):
        found.append(("OBJECTIVES", "two cards a player"))
    if not set(names) <= {card["id"] for card in rules["objectives"]["cards"]}:
        found.append(("OBJECTIVES", "no such card"))
    if len(set(names)) < len(names):
        found.append(("OBJECTIVES", "each card exists once (8)"))
    if position["turn"] is not None and position["turn"] >= players:
        found.append(("TURN", "no such player"))
    if position["first"] >= players:
        found.append(("FLAGS", "no such first player"))


def _judge_flow(position: Position, rules: Rules, found: list[tuple[str, str]]) -> None:
    end = rules["mandala"]["end"].get(str(len(position["boards"])), 1000)
    covered, trigger = len(position["mandala"]) >= end, position["trigger"]
    if trigger == "A" and not covered:
        found += [("FLAGS", "A, but the end space is free (11)"), ("MANDALA", "does not reach the end space (11)")]
    if position["turn"] is None:
        if trigger == "0":
            found += [("FLAGS", "over without a trigger (11)"), ("TURN", "not over (11)")]
    elif trigger == "0" and covered:
        found += [("FLAGS", "0, but the end space is covered (11)"), ("MANDALA", "reaches the end space (11)")]
    if position["turn"] is not None and trigger != "0" and position["turn"] == position["first"]:
        found += [("TURN", "the last round is over (8, 10)"), ("FLAGS", "the last round is over (8, 10)")]


def open_question(line: str, rules: Rules = DEFAULT) -> str:
    """Why a line without faults may still be refused: what the rules text does not say. Empty if there is no such reason."""
    position = read_position(line)
    players = len(position["boards"])
    if max(*position["scores"], position["round"]) > 9999:
        return "numbers that no game reaches"
    if len(position["mandala"]) > rules["mandala"]["end"][str(players)] - 1 + 5 * players:
        return "more stones in the mandala than any game can bring there"
    if "(" in line and rules["reveal_covered_patterns"]:
        return "brackets although nothing is hidden"
    if position["round"] == 1 and position["turn"] is not None:
        return "what lies on boards and mandala in the first round"
    return ""
