"""Oracle of Mandala, second half: position lines read, written and judged, from the rules text alone (sections 8 and 9).

``faults`` lists everything that is wrong with a line, each as (field, reason). The names of the fields at fault are what
the package's refusals are compared with; where the rules text leaves a question open, ``open_question`` says so.
"""

from __future__ import annotations

import re

from tests.oracles.mandala import COLOURS, DEFAULTS, Options, Position, first_claimer

FIELDS = ("M1", "M2", "HANDS", "RIVERS", "CUPS", "DECK", "DISCARD", "TURN", "FLAGS")
_TURN = re.compile(r"-|[AB]|[AB]\*[12][AB]")
_FLAGS = re.compile(r"[01]/(0|[1-9][0-9]*)")


class Unreadable(Exception):
    """A line that is not in the notation; ``field`` is at fault."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


# --- write -----------------------------------------------------------------------------------------


def cards_text(cards: list[str]) -> str:
    """A count string: ``K2Y1R3``, ``-`` when empty, ``?7`` when hidden."""
    text = "".join(cards)
    return "".join([f"{c}{text.count(c)}" for c in "KGPYOR?" if c in text]) or "-"


def position_text(position: Position) -> str:
    """The position line."""
    lines = []
    for mandala in (0, 1):
        mine, yours = position["field"][mandala]
        lines.append(f"{cards_text(position['mountain'][mandala])}/{cards_text(mine)}/{cards_text(yours)}")
    lines.append("/".join(cards_text(hand) for hand in position["hand"]))
    lines.append("/".join("".join(river) or "-" for river in position["river"]))
    lines.append("/".join(f"{cards_text(position['dealt'][seat])}+{cards_text(position['claimed'][seat])}" for seat in (0, 1)))
    lines.append(cards_text(position["deck"]))
    lines.append(cards_text(position["discard"]))
    lines.append(turn_text(position))
    lines.append(f"{int(position['last'])}/{position['redraws']}")
    return " ".join(lines)


def turn_text(position: Position) -> str:
    """The TURN field: ``A``, ``A*1B`` in a destruction, ``-`` when over."""
    if position["turn"] is None:
        return "-"
    seat, claim = "AB"[position["turn"]], position["claim"]
    return seat if claim is None else f"{seat}*{claim['mandala'] + 1}{'AB'[claim['completer']]}"


# --- read ------------------------------------------------------------------------------------------


def read_cards(text: str, field: str, hidden: bool = False) -> list[str]:
    """The letters of a count string; hidden cards are ``?``."""
    if text == "-":
        return []
    if hidden and re.fullmatch(r"\?[1-9][0-9]*", text):
        return ["?"] * int(text[1:])
    if not re.fullmatch(r"([KGPYOR][1-9][0-9]*)+", text):
        raise Unreadable(field, f"no count string: {text!r}")
    pairs = re.findall(r"([KGPYOR])([0-9]+)", text)
    places = [COLOURS.index(colour) for colour, _ in pairs]
    if places != sorted(set(places)):
        raise Unreadable(field, f"not in canonical order: {text!r}")
    if any(int(number) > 999 for _, number in pairs):
        raise Unreadable(field, "more cards than there are")
    return [colour for colour, number in pairs for _ in range(int(number))]


def read_position(line: str) -> Position:
    """Parse a position line, or raise ``Unreadable``. Whether such a position can be is another question."""
    parts = line.split(" ")
    if len(parts) != 9:
        raise Unreadable("POSITION", f"{len(parts)} fields")
    text = dict(zip(FIELDS, parts, strict=True))

    def split(field: str, into: int, by: str = "/") -> list[str]:
        pieces = text[field].split(by)
        if len(pieces) != into:
            raise Unreadable(field, f"{into} parts expected")
        return pieces

    position: Position = {"mountain": [], "field": [], "river": [], "dealt": [], "claimed": []}
    for field in ("M1", "M2"):
        mountain, mine, yours = (read_cards(piece, field) for piece in split(field, 3))
        position["mountain"].append(mountain)
        position["field"].append([mine, yours])
    position["hand"] = [read_cards(piece, "HANDS", hidden=True) for piece in split("HANDS", 2)]
    for river in split("RIVERS", 2):
        if river != "-" and not re.fullmatch(r"[KGPYOR]+", river):
            raise Unreadable("RIVERS", f"no river: {river!r}")
        position["river"].append([] if river == "-" else list(river))
    for cup in split("CUPS", 2):
        if cup.count("+") != 1:
            raise Unreadable("CUPS", "dealt+claimed expected")
        dealt, claimed = cup.split("+")
        position["dealt"].append(read_cards(dealt, "CUPS", hidden=True))
        position["claimed"].append(read_cards(claimed, "CUPS", hidden=True))
    position["deck"] = read_cards(text["DECK"], "DECK", hidden=True)
    position["discard"] = read_cards(text["DISCARD"], "DISCARD")
    if not _TURN.fullmatch(text["TURN"]):
        raise Unreadable("TURN", f"no turn: {text['TURN']!r}")
    if not _FLAGS.fullmatch(text["FLAGS"]):
        raise Unreadable("FLAGS", f"no flags: {text['FLAGS']!r}")
    turn = text["TURN"]
    position["turn"] = None if turn == "-" else "AB".index(turn[0])
    position["claim"] = {"mandala": int(turn[2]) - 1, "completer": "AB".index(turn[3])} if len(turn) == 4 else None
    position["last"] = text["FLAGS"][0] == "1"
    position["redraws"] = int(text["FLAGS"][2:])
    return position


# --- judge -----------------------------------------------------------------------------------------


def faults(line: str, options: Options = DEFAULTS) -> list[tuple[str, str]]:
    """Everything wrong with a position line as (field, reason); empty when it is a position that can be."""
    try:
        position = read_position(line)
    except Unreadable as error:
        return [(error.field, error.reason)]
    found: list[tuple[str, str]] = []
    _judge_cards(position, found)
    _judge_mandalas(position, found)
    _judge_sides(position, found)
    _judge_flow(position, options, found)
    return found


def _judge_cards(position: Position, found: list[tuple[str, str]]) -> None:
    places = [*position["mountain"], *position["field"][0], *position["field"][1], position["deck"], position["discard"]]
    places += [*position["hand"], *position["river"], *position["dealt"], *position["claimed"]]
    cards = [card for place in places for card in place]
    if len(cards) != 108:
        found.append(("CARDS", f"{len(cards)} cards (8.1)"))
    for colour in COLOURS:
        count = cards.count(colour)
        if count > 18 or (count < 18 and "?" not in cards):
            found.append(("CARDS", f"{count} of {colour} (8.1)"))


def _judge_mandalas(position: Position, found: list[tuple[str, str]]) -> None:
    claim = position["claim"]
    for mandala, field in ((0, "M1"), (1, "M2")):
        mountain, fields = position["mountain"][mandala], position["field"][mandala]
        areas = [set(mountain), set(fields[0]), set(fields[1])]
        colours = set.union(*areas)
        if len(colours) < sum(len(area) for area in areas):
            found.append((field, "a colour in two areas (8.3)"))
        if len(colours) == 6 and (claim is None or claim["mandala"] != mandala):
            found.append((field, "six colours outside its destruction (8.4)"))
    if claim is None:
        return
    mandala = claim["mandala"]
    mountain, fields = position["mountain"][mandala], position["field"][mandala]
    field = f"M{mandala + 1}"
    if not mountain or (not fields[0] and not fields[1]):
        found += [(field, "nothing to claim (8.14)"), ("TURN", "nothing to claim (8.14)")]
    made = 6 - len(set(mountain + fields[0] + fields[1]))
    first = first_claimer(fields, claim["completer"])
    due = first if made % 2 == 0 else 1 - first
    if due != position["turn"]:
        found += [("TURN", "the other player is due to claim (8.14)"), (field, "does not fit the claimer (8.14)")]


def _judge_sides(position: Position, found: list[tuple[str, str]]) -> None:
    for seat in (0, 1):
        river = position["river"][seat]
        if not 1 <= len(position["hand"][seat]) <= 8:
            found.append(("HANDS", f"{len(position['hand'][seat])} cards in a hand (8.2)"))
        if len(set(river)) < len(river):
            found.append(("RIVERS", "a colour twice in a river (8.7)"))
        if len(position["dealt"][seat]) != 2:
            found.append(("CUPS", "the dealt part is two cards (8.11)"))
        claimed = set(position["claimed"][seat])
        if not claimed - {"?"} <= set(river) or (claimed and not river):
            found += [("CUPS", "a claimed colour not in the river (8.12)"), ("RIVERS", "lacks a claimed colour (8.12)")]
        running = position["turn"] is not None and position["claim"] is None
        if running and len(river) >= 6:
            found += [("RIVERS", "a full river in a running game (8.13)"), ("TURN", "a full river in a running game (8.13)")]


def _judge_flow(position: Position, options: Options, found: list[tuple[str, str]]) -> None:
    running = position["turn"] is not None
    limit = options["stall_limit"]
    if running and limit and position["redraws"] >= limit:
        found += [("FLAGS", "the redraw count has reached the limit (8.13)"), ("TURN", "over by the stall guard (8.13)")]
    if running and position["claim"] is None and options["exhaustion"] == "eager" and not position["deck"]:
        if position["discard"]:
            found += [("DECK", "empty although the pile is not (8.10)"), ("DISCARD", "not shuffled (8.10)")]
        if not position["last"]:
            found += [("FLAGS", "deck empty, flag not set (8.10)"), ("DECK", "deck empty, flag not set (8.10)")]


def open_question(line: str, options: Options = DEFAULTS) -> str:
    """Why a line without faults may still be refused: what section 8 does not say. Empty if there is no such reason."""
    position = read_position(line)
    limit = options["stall_limit"]
    if position["turn"] is None:
        full = any(len(river) == 6 for river in position["river"])
        cleared = any(not position["mountain"][m] and not any(position["field"][m]) for m in (0, 1))
        stalled = limit > 0 and position["redraws"] == limit
        if not (stalled or (cleared and (full or position["last"]))):
            return "over without a reason"
        if limit and position["redraws"] > limit:
            return "more redraws than the limit when over"
        if stalled and full and not cleared:
            return "a full river in a game over by the stall guard"
        if any(len(set(position["mountain"][m] + position["field"][m][0] + position["field"][m][1])) == 6 for m in (0, 1)):
            return "six colours in a game that is over"
        if options["exhaustion"] == "eager" and not position["deck"] and (position["discard"] or not position["last"]):
            return "an empty deck when over"
    if position["claim"] is not None:
        if position["redraws"]:
            return "redraws counted in a destruction"
        if options["exhaustion"] == "eager" and not position["deck"] and not position["last"]:
            return "an empty deck in a destruction without the flag"
        return "claims made before may not fit the rivers"
    if position["turn"] is not None and any(not position["mountain"][m] for m in (0, 1)):
        return "an empty mountain in a turn"
    if "?" in line:
        return "hidden sets"
    return ""
