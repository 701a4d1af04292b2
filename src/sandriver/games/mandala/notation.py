"""The position line: nine fields ``M1 M2 HANDS RIVERS CUPS DECK DISCARD TURN FLAGS`` to and from a kernel state."""

from __future__ import annotations

import re
from functools import lru_cache

from sandriver.games.common import bad_field, parts_of
from sandriver.games.errors import NotationError, PositionError, quote
from sandriver.games.mandala import kernel
from sandriver.games.mandala.cards import ALL, COLOURS, EACH, Cards, format_counts, parse_counts
from sandriver.games.mandala.options import Options

FIELDS = ("M1", "M2", "HANDS", "RIVERS", "CUPS", "DECK", "DISCARD", "TURN", "FLAGS")
SEATS = "AB"

Hidden = dict[int, int]
"""Hidden sets: kernel place -> number of cards."""

_TURN = re.compile(r"-|([AB])(?:\*([12])([AB]))?")
_FLAGS = re.compile(r"([01])/(0|[1-9][0-9]{0,8})")
_HIDDEN = re.compile(r"\?([1-9][0-9]{0,2})")


def parse_line(text: str, options: Options) -> tuple[kernel.State, Hidden]:
    """Read a position line as it is, without asking whether it can be. Raises ``NotationError`` (params name the ``field``).

    Of a hidden set the state holds stand-ins of the right number, so that counts are right; the second result names them.
    """
    parts = text.split(" ")
    if len(parts) != len(FIELDS):
        bad_field("POSITION", f"a position has nine fields with one space between them, here are {len(parts)}")
    state = kernel.State(int(options.exhaustion == "lazy"), options.stall_limit)
    hidden: Hidden = {}
    for m in (0, 1):
        for i, part in enumerate(parts_of(parts[m], 3, "M1" if m == 0 else "M2")):
            state.put(3 * m + i, _known(part, FIELDS[m]))
    for seat, part in enumerate(parts_of(parts[2], 2, "HANDS")):
        _lay(state, hidden, kernel.HAND + seat, part, "HANDS")
    for seat, part in enumerate(parts_of(parts[3], 2, "RIVERS")):
        state.put(kernel.RIVER + seat, _parse_river(part))
    for seat, part in enumerate(parts_of(parts[4], 2, "CUPS")):
        halves = part.split("+")
        if len(halves) != 2:
            bad_field("CUPS", f"{quote(part)}: dealt and claimed cards are joined by one +")
        _lay(state, hidden, kernel.DEALT + seat, halves[0], "CUPS")
        _lay(state, hidden, kernel.CLAIMED + seat, halves[1], "CUPS")
    _lay(state, hidden, kernel.DECK, parts[5], "DECK")
    state.put(kernel.PILE, _known(parts[6], "DISCARD"))
    _parse_turn(state, parts[7])
    flags = _FLAGS.fullmatch(parts[8])
    if flags is None:
        bad_field("FLAGS", f"{quote(parts[8])} is not last-mandala 0 or 1, slash, consecutive redraws")
    state.last, state.redraws = int(flags[1]), int(flags[2])
    if state.mover < 0:
        state.over = _ended_by(state)
    return state, hidden


def format_line(state: kernel.State, hidden: Hidden) -> str:
    """Write a position line; exact inverse of ``parse_line``."""
    sets = [format_counts(state.get(place)) for place in range(kernel.RIVER)]
    for place, total in hidden.items():
        sets[place] = f"?{total}"
    return (
        f"{sets[0]}/{sets[1]}/{sets[2]} {sets[3]}/{sets[4]}/{sets[5]} {sets[6]}/{sets[7]} "
        f"{format_river(state.get(kernel.RIVER)) or '-'}/{format_river(state.get(kernel.RIVER + 1)) or '-'} "
        f"{sets[8]}+{sets[10]}/{sets[9]}+{sets[11]} {sets[12]} {sets[13]} {format_turn(state)} {state.last}/{state.redraws}"
    )


def format_turn(state: kernel.State) -> str:
    """The field TURN: ``A``, ``A*1B`` (A claims in mandala 1, which B completed), ``-`` when over."""
    if state.mover < 0:
        return "-"
    seat = SEATS[state.mover]
    return seat if state.claim < 0 else f"{seat}*{state.claim + 1}{SEATS[state.completer]}"


@lru_cache(maxsize=1 << 12)
def format_river(packed: int) -> str:
    """The letters of a river in place order, from the packed places."""
    places = packed.to_bytes(6, "little")
    return "".join([COLOURS[colour] for colour in sorted(range(6), key=places.__getitem__) if places[colour]])


def _known(text: str, field: str) -> int:
    if text.startswith("?"):
        bad_field(field, f"{quote(text)}: only hands, cups and the deck can be hidden")
    try:
        counts = parse_counts(text)
    except NotationError as error:
        raise NotationError("bad_position", f"{field}: {error}", {"field": field}) from None
    for colour, count in counts.items():
        if count > EACH:
            raise PositionError(
                "CARDS", "card_count", f"CARDS: {count} {colour} in {field}, there are {EACH} of each colour", {"field": "CARDS"}
            )
    return Cards(counts).packed


def _lay(state: kernel.State, hidden: Hidden, place: int, text: str, field: str) -> None:
    """Lay a set that may be hidden at its place."""
    found = _HIDDEN.fullmatch(text)
    if found is None:
        if text.startswith("?"):
            bad_field(field, f"{quote(text)} is no hidden set like ?7 (empty: -)")
        state.put(place, _known(text, field))
        return
    total = int(found[1])
    if total > ALL:
        raise PositionError("CARDS", "card_count", f"CARDS: {total} cards in {field}, there are {ALL}", {"field": "CARDS"})
    hidden[place] = total
    state.put(place, total)


def _parse_river(text: str) -> int:
    letters = "" if text == "-" else text
    if not text or any(letter not in COLOURS for letter in letters):
        bad_field("RIVERS", f"{quote(text)}: a river is letters of {COLOURS} in place order, empty -")
    if len(set(letters)) != len(letters):
        raise PositionError("RIVERS", "river_repeats", f"RIVERS: a colour lies twice in {quote(text)}", {"field": "RIVERS"})
    return sum(place << 8 * COLOURS.index(letter) for place, letter in enumerate(letters, 1))


def _parse_turn(state: kernel.State, text: str) -> None:
    found = _TURN.fullmatch(text)
    if found is None:
        bad_field("TURN", f"{quote(text)} is not A or B, A*1B (A claims in mandala 1, which B completed), or - when over")
    if found[1]:
        state.mover = SEATS.index(found[1])
    if found[2]:
        state.claim, state.completer = int(found[2]) - 1, SEATS.index(found[3])


def _ended_by(state: kernel.State) -> int:
    """By which rule a finished game ended, as its position shows; the last mandala where nothing else does."""
    if state.redraws and state.redraws == state.limit:
        return kernel.STALL
    if max(len(format_river(state.get(kernel.RIVER + seat))) for seat in (0, 1)) == 6:
        return kernel.SIXTH_COLOUR
    return kernel.LAST_MANDALA
