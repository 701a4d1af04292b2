"""Oracle of Mandala Stones, second half: position lines read, written and judged, from the rules text alone (sections 8, 10 and 11).

``faults`` lists everything that is wrong with a line, each as (field, reason). The names of the fields at fault are what
the package's refusals are compared with; where the rules text leaves a question open, ``open_question`` says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

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
    position, unreadable = _read(line)
    if unreadable:
        raise unreadable[0]
    return position


def _read(line: str) -> tuple[Position, list[Unreadable]]:
    """What can be read of a line, and the fields that cannot."""
    parts = line.split(" ")
    if len(parts) != 8:
        return {}, [Unreadable("POSITION", f"{len(parts)} fields")]
    position: Position = {}
    unreadable = []
    for field, part in zip(FIELDS, parts, strict=True):
        try:
            position |= _READERS[field](part)
        except Unreadable as error:
            unreadable.append(error)
    return position, unreadable


def _read_stacks(text: str) -> Position:
    stacks = [read_pile(pile, "STACKS", brackets=True) for pile in text.split(",")]
    if len(stacks) != 24:
        raise Unreadable("STACKS", f"{len(stacks)} stacks")
    return {"stacks": stacks}


def _read_boards(text: str) -> Position:
    return {"boards": [[read_pile(pile, "BOARDS") for pile in board.split(",")] for board in text.split("/")]}


def _read_scores(text: str) -> Position:
    numbers = text.split("/")
    if not all(_NUMBER.fullmatch(number) for number in numbers):
        raise Unreadable("SCORES", f"no numbers: {numbers}")
    return {"scores": [int(number[:9]) for number in numbers]}


def _read_turn(text: str) -> Position:
    if not re.fullmatch(r"[1-4]|-", text):
        raise Unreadable("TURN", f"no turn: {text!r}")
    return {"turn": None if text == "-" else int(text) - 1}


def _read_flags(text: str) -> Position:
    flags = re.fullmatch(r"([0AB])/([1-9][0-9]*)/([1-4])", text)
    if not flags:
        raise Unreadable("FLAGS", f"no flags: {text!r}")
    return {"trigger": flags[1], "round": int(flags[2][:9]), "first": int(flags[3]) - 1}


def _read_artists(text: str) -> Position:
    sides = [side.split("+") for side in text.split("/")]
    if len(sides) != 2:
        raise Unreadable("ARTISTS", "star/circle expected")
    for side in sides:
        if not all(space in ARTIST_SPACES for space in side) or side != sorted(set(side)):
            raise Unreadable("ARTISTS", f"no spaces, rising: {side}")
    if set(sides[0]) & set(sides[1]):
        raise Unreadable("ARTISTS", "two artists on one space")
    return {"artists": dict.fromkeys(sides[0], "star") | dict.fromkeys(sides[1], "circle")}


_READERS: dict[str, Callable[[str], Position]] = {
    "STACKS": _read_stacks,
    "ARTISTS": _read_artists,
    "BOARDS": _read_boards,
    "MANDALA": lambda text: {"mandala": read_pile(text, "MANDALA")},
    "SCORES": _read_scores,
    "OBJECTIVES": lambda text: {"objectives": [None if pair == "?" else pair.split("+") for pair in text.split("/")]},
    "TURN": _read_turn,
    "FLAGS": _read_flags,
}


# --- judge -----------------------------------------------------------------------------------------


def faults(line: str, rules: Rules = DEFAULT) -> list[tuple[str, str]]:
    """Everything wrong with a position line as (field, reason); empty when it is a position that can be."""
    position, unreadable = _read(line)
    found = [(error.field, error.reason) for error in unreadable]
    for needed, judge in _JUDGES:
        if all(key in position for key in needed.split()):
            judge(position, rules, found)
    return found


Found = list[tuple[str, str]]


def _judge_stacks(position: Position, rules: Rules, found: Found) -> None:
    if any(len(stones) > rules["board"]["stack_height"] for stones in position["stacks"]):
        found.append(("STACKS", "a stack of more than four (10)"))
    if any(stones and stones[-1].startswith("(") for stones in position["stacks"]):
        found.append(("STACKS", "the top of a stack is open (11)"))


def _judge_artists(position: Position, rules: Rules, found: Found) -> None:
    if sorted(position["artists"].values()) != ["circle", "circle", "star", "star"]:
        found.append(("ARTISTS", "two artists of each pattern (10)"))


def _judge_boards(position: Position, rules: Rules, found: Found) -> None:
    if not 2 <= len(position["boards"]) <= 4:
        found.append(("BOARDS", f"{len(position['boards'])} players"))
    if any(len(board) != 5 for board in position["boards"]):
        found.append(("BOARDS", "five spaces a board"))
    if any(len(tower) > 4 for board in position["boards"] for tower in board):
        found.append(("BOARDS", "a tower of more than four (10)"))


def _judge_mandala(position: Position, rules: Rules, found: Found) -> None:
    if len(position["mandala"]) > rules["mandala"]["spaces"]:
        found.append(("MANDALA", "more stones than spaces (11)"))


def _judge_stones(position: Position, rules: Rules, found: Found) -> None:
    stones = [stone for pile in position["stacks"] for stone in pile]
    stones += [stone for board in position["boards"] for tower in board for stone in tower] + position["mandala"]
    pair = rules["stones"]["per_pair"]
    if len(stones) != 8 * pair:
        found.append(("STONES", f"{len(stones)} stones (10)"))
    for letter, count in Counter(colour(stone) for stone in stones).items():
        if count > 2 * pair:
            found.append(("STONES", f"{count} of {letter} (10)"))
    found += [("STONES", f"{stones.count(kind)} of {kind} (10)") for kind in KINDS if stones.count(kind) > pair]


def _judge_objectives(position: Position, rules: Rules, found: Found) -> None:
    names = [name for pair in position["objectives"] if pair for name in pair]
    if any(pair is not None and len(pair) != 2 for pair in position["objectives"]):
        found.append(("OBJECTIVES", "two cards a player"))
    if not set(names) <= {card["id"] for card in rules["objectives"]["cards"]}:
        found.append(("OBJECTIVES", "no such card"))
    if len(set(names)) < len(names):
        found.append(("OBJECTIVES", "each card exists once (8)"))


def _judge_players(position: Position, rules: Rules, found: Found) -> None:
    """Every field is about the players that have boards."""
    players = len(position["boards"])
    if "scores" in position and len(position["scores"]) != players:
        found.append(("SCORES", "one number a player"))
    if len(position["objectives"]) != players:
        found.append(("OBJECTIVES", "one pair a player"))
    if (position.get("turn") or 0) >= players:
        found.append(("TURN", "no such player"))
    if position.get("first", 0) >= players:
        found.append(("FLAGS", "no such first player"))


def _judge_flow(position: Position, rules: Rules, found: Found) -> None:
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


_JUDGES: tuple[tuple[str, Callable[[Position, Rules, Found], None]], ...] = (
    ("stacks", _judge_stacks),
    ("artists", _judge_artists),
    ("boards", _judge_boards),
    ("mandala", _judge_mandala),
    ("objectives", _judge_objectives),
    ("boards objectives", _judge_players),
    ("stacks boards mandala", _judge_stones),
    ("boards mandala turn trigger", _judge_flow),
)
"""What each judge needs to have been read, and the judge."""


def open_question(line: str, rules: Rules = DEFAULT) -> str:
    """Why a line may be refused for what the rules text does not say. Empty if there is no such reason, or nothing can be said of it."""
    position, unreadable = _read(line)
    players = len(position.get("boards", ()))
    if unreadable or not 2 <= players <= 4:
        return ""
    if max(*position["scores"], position["round"]) > 9999:
        return "numbers that no game reaches"
    if len(position["mandala"]) > rules["mandala"]["end"][str(players)] - 1 + 5 * players:
        return "more stones in the mandala than any game can bring there"
    if position["trigger"] != "0" and len(position["mandala"]) > rules["mandala"]["spaces"] - 5 * players:
        return "not everything that can still be scored would find a place"
    if "(" in line and rules["reveal_covered_patterns"]:
        return "brackets although nothing is hidden"
    if position["round"] == 1 and position["turn"] is not None:
        return "what lies on boards and mandala in the first round"
    return ""
