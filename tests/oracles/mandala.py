"""Oracle of Mandala: the rules a second time, slow and literal, written from the rules text alone.

It shares no code and no idea with the package: cards are letters in lists, a position is a plain dict, every sentence of
the rules is one line here. It exists to disagree with the kernel when one of the two is wrong. Section numbers are
those of the rules text. Reading and writing of positions stands in ``mandala_text.py``.

A position: ``mountain[m]``, ``field[m][seat]``, ``hand[seat]``, ``river[seat]``, ``dealt[seat]``, ``claimed[seat]``, ``deck`` and
``discard`` are lists of letters; ``turn`` is the seat to act or ``None``; ``claim`` is ``None`` or ``{"mandala", "completer"}``;
``last`` is the last-mandala flag; ``redraws`` counts consecutive redraws. Options: ``{"exhaustion", "stall_limit"}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

COLOURS = "KGPYOR"
DEFAULTS: dict[str, Any] = {"exhaustion": "eager", "stall_limit": 20}
ACTIONS = (
    [f"b{m}{c}" for m in "12" for c in COLOURS]
    + [f"f{m}{c}{n}" for m in "12" for c in COLOURS for n in range(1, 8)]
    + [f"d{c}{n}" for c in COLOURS for n in range(1, 9)]
    + [f"c{c}" for c in COLOURS]
)
"""All 150 actions in index order (section 9)."""

Position = dict[str, Any]
Options = dict[str, Any]
Dealer = Callable[[list[str]], str]
"""Is shown the deck and names the card that is dealt from it."""


class Refused(Exception):
    """``kind`` is ``syntax``, ``illegal`` or ``chance``; ``rules`` are the codes of all rules that forbid it."""

    def __init__(self, kind: str, rules: list[str]) -> None:
        super().__init__(f"{kind}: {', '.join(rules)}")
        self.kind, self.rules = kind, rules


# --- what is allowed (sections 3 and 4) ------------------------------------------------------------


def forbidden(position: Position, action: str) -> list[str]:
    """Every rule that forbids a well-formed action here; an empty list if it is legal."""
    kind, seat = action[0], position["turn"]
    if seat is None:
        return ["game_over"]
    if position["claim"] is not None:
        if kind != "c":
            return ["must_claim"]
        return [] if action[1] in position["mountain"][position["claim"]["mandala"]] else ["not_in_mountain"]
    if kind == "c":
        return ["not_claiming"]
    hand = position["hand"][seat]
    colour, count = (action[1], int(action[2:])) if kind == "d" else (action[2], int(action[3:] or 1))
    rules = []
    if hand.count(colour) < count:
        rules.append("not_in_hand")
    if kind == "d":
        return rules
    mandala = int(action[1]) - 1
    own, other = position["field"][mandala][seat], position["field"][mandala][1 - seat]
    if kind == "f" and colour in position["mountain"][mandala]:
        rules.append("colour_in_mountain")
    if kind == "b" and colour in own:
        rules.append("colour_in_own_field")
    if colour in other:
        rules.append("colour_in_other_field")
    if kind == "f" and count >= len(hand):
        rules.append("must_keep_card")
    if kind == "b" and len(hand) == 1 and not position["deck"] and not position["discard"]:
        rules.append("nothing_to_draw")
    return rules


def legal(position: Position) -> list[str]:
    """The legal actions in index order."""
    seat = position["turn"]
    if seat is None:
        return []
    # Only what the hand or the mountain holds is worth asking about. Of a colour that may grow one card may grow more, short of the last.
    if position["claim"] is not None:
        return [f"c{c}" for c in COLOURS if c in position["mountain"][position["claim"]["mandala"]]]
    hand = position["hand"][seat]
    colours = [(c, hand.count(c)) for c in COLOURS if c in hand]
    found = [f"b{m}{c}" for m in "12" for c, _ in colours if not forbidden(position, f"b{m}{c}")]
    for m in "12":
        for c, most in colours:
            if not forbidden(position, f"f{m}{c}1"):
                found += [f"f{m}{c}{n}" for n in range(1, min(most, len(hand) - 1) + 1)]
    return found + [f"d{c}{n}" for c, most in colours for n in range(1, most + 1)]


# --- what happens (sections 3 to 6) ------------------------------------------------------------------


def play(position: Position, action: str, options: Options, dealer: Dealer) -> tuple[Position, str]:
    """Play a bare action; return the new position and the letters of the cards dealt, in the order dealt."""
    if action not in _KNOWN:
        raise Refused("syntax", [action])
    rules = forbidden(position, action)
    if rules:
        raise Refused("illegal", rules)
    new = _copy(position)
    out: list[str] = []
    seat, kind = new["turn"], action[0]
    hand = new["hand"][seat]
    if kind == "b":
        mandala, colour = int(action[1]) - 1, action[2]
        hand.remove(colour)
        new["mountain"][mandala].append(colour)
        new["redraws"] = 0
        _draw(new, hand, min(3, 8 - len(hand)), options, dealer, out)
        _check(new, mandala, seat, options, dealer, out)
    elif kind == "f":
        mandala, colour = int(action[1]) - 1, action[2]
        for _ in range(int(action[3:])):
            hand.remove(colour)
            new["field"][mandala][seat].append(colour)
        new["redraws"] = 0
        _check(new, mandala, seat, options, dealer, out)
    elif kind == "d":
        count = int(action[2:])
        for _ in range(count):
            hand.remove(action[1])
            new["discard"].append(action[1])
        _draw(new, hand, count, options, dealer, out)
        new["redraws"] += 1
        new["turn"] = None if new["redraws"] == options["stall_limit"] else 1 - seat
    else:
        _claim(new, seat, action[1], options, dealer, out)
    return new, "".join(out)


def play_text(position: Position, move: str, options: Options) -> Position:
    """Play an action with its chance (``b1R>GPY``) and insist that exactly these cards are dealt."""
    action, _, letters = move.partition(">")
    left = list(letters)
    if not re.fullmatch(r"[KGPYOR]*", letters):
        raise Refused("syntax", [move])

    def dealer(deck: list[str]) -> str:
        if not left:
            raise Refused("chance", ["a dealt card is missing"])
        if left[0] not in deck:
            raise Refused("chance", [f"no {left[0]} in the deck"])
        return left.pop(0)

    new, _ = play(position, action, options, dealer)
    if left:
        raise Refused("chance", ["more cards than are dealt"])
    return new


def move_text(action: str, dealt: str) -> str:
    """The action as a record writes it: ``>`` after every build and redraw, elsewhere only if cards were dealt."""
    return f"{action}>{dealt}" if action[0] in "bd" or dealt else action


def _draw(position: Position, to: list[str], count: int, options: Options, dealer: Dealer, out: list[str]) -> None:
    """Deal ``count`` cards to a hand or mountain, or as many as there are (section 5)."""
    for _ in range(count):
        if not position["deck"]:
            if options["exhaustion"] == "lazy":
                position["last"] = True
            _shuffle(position)
        if not position["deck"]:
            return
        card = dealer(position["deck"])
        position["deck"].remove(card)
        to.append(card)
        out.append(card)
        if not position["deck"] and options["exhaustion"] == "eager":
            position["last"] = True
            _shuffle(position)


def _shuffle(position: Position) -> None:
    """The discard pile becomes the deck (if it is empty, the deck stays so)."""
    position["deck"], position["discard"] = position["discard"], []


def _check(position: Position, mandala: int, completer: int, options: Options, dealer: Dealer, out: list[str]) -> None:
    """After a build or a grow: destroy the mandala if it shows all six colours, else the turn passes."""
    mountain, fields = position["mountain"][mandala], position["field"][mandala]
    if len(set(mountain + fields[0] + fields[1])) < 6:
        position["turn"] = 1 - completer
        return
    if not fields[0] and not fields[1]:
        position["discard"] += mountain
        mountain.clear()
    if not mountain:
        _end_destruction(position, mandala, completer, options, dealer, out)
        return
    position["claim"] = {"mandala": mandala, "completer": completer}
    position["turn"] = first_claimer(fields, completer)


def first_claimer(fields: list[list[str]], completer: int) -> int:
    """More cards in the field claim first; on equal numbers who did not complete (section 4.1)."""
    if len(fields[0]) != len(fields[1]):
        return 0 if len(fields[0]) > len(fields[1]) else 1
    return 1 - completer


def _claim(position: Position, seat: int, colour: str, options: Options, dealer: Dealer, out: list[str]) -> None:
    """Take every card of a colour from the mountain of the destroyed mandala (sections 4.2 to 4.4)."""
    mandala, completer = position["claim"]["mandala"], position["claim"]["completer"]
    mountain, river = position["mountain"][mandala], position["river"][seat]
    cards = [card for card in mountain if card == colour]
    position["mountain"][mandala] = [card for card in mountain if card != colour]
    if not position["field"][mandala][seat]:
        position["discard"] += cards
    else:
        if colour not in river:
            river.append(cards.pop())
        position["claimed"][seat] += cards
    position["turn"] = 1 - seat
    if not position["mountain"][mandala]:
        _end_destruction(position, mandala, completer, options, dealer, out)


def _end_destruction(position: Position, mandala: int, completer: int, options: Options, dealer: Dealer, out: list[str]) -> None:
    """Fields to the pile, then the end of the game or two fresh cards (sections 4.5, 4.6 and 6)."""
    for field in position["field"][mandala]:
        position["discard"] += field
        field.clear()
    position["claim"] = None
    if position["last"] or 6 in (len(position["river"][0]), len(position["river"][1])):
        position["turn"] = None
        return
    _draw(position, position["mountain"][mandala], 2, options, dealer, out)
    position["turn"] = 1 - completer


def _copy(position: Position) -> Position:
    """A position that shares no list with the old one."""
    new = {key: value for key, value in position.items() if not isinstance(value, list)}
    for key in ("mountain", "hand", "river", "dealt", "claimed"):
        new[key] = [list(cards) for cards in position[key]]
    new["field"] = [[list(cards) for cards in fields] for fields in position["field"]]
    new["deck"], new["discard"] = list(position["deck"]), list(position["discard"])
    return new


# --- the set-up and the score (sections 2 and 6) -----------------------------------------------------


def start(first: int, dealer: Dealer) -> tuple[Position, str]:
    """A new game; returns the position and the letters dealt: mountains, hands, cups."""
    position: Position = {
        "mountain": [[], []], "field": [[[], []], [[], []]], "hand": [[], []], "river": [[], []], "dealt": [[], []], "claimed": [[], []],
        "deck": [c for c in COLOURS for _ in range(18)], "discard": [], "turn": first, "claim": None, "last": False, "redraws": 0,
    }  # fmt: skip
    out: list[str] = []
    for place, count in ((position["mountain"], 2), (position["hand"], 6), (position["dealt"], 2)):
        for cards in place:
            _draw(position, cards, count, DEFAULTS, dealer, out)
    return position, "".join(out)


def scores(position: Position) -> list[int]:
    """Points of A and B as they stand: each cup card scores the place of its colour in the owner's river."""
    points = [0, 0]
    for seat in (0, 1):
        for card in position["dealt"][seat] + position["claimed"][seat]:
            if card in position["river"][seat]:
                points[seat] += position["river"][seat].index(card) + 1
    return points


def winner(position: Position) -> str:
    """``A``, ``B`` or ``draw``: more points, then fewer cards in the cup."""
    points = scores(position)
    cups = [len(position["dealt"][seat] + position["claimed"][seat]) for seat in (0, 1)]
    if points[0] != points[1]:
        return "A" if points[0] > points[1] else "B"
    if cups[0] != cups[1]:
        return "A" if cups[0] < cups[1] else "B"
    return "draw"


def ending(position: Position, options: Options) -> str:
    """Why a finished game is over: ``sixth_colour``, ``last_mandala`` or ``stall``."""
    if options["stall_limit"] and position["redraws"] == options["stall_limit"]:
        return "stall"
    return "sixth_colour" if 6 in (len(position["river"][0]), len(position["river"][1])) else "last_mandala"


_KNOWN = frozenset(ACTIONS)
