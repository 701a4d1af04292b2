"""The position line: eight fields ``STACKS ARTISTS BOARDS MANDALA SCORES OBJECTIVES TURN FLAGS`` to and from a kernel state."""

from __future__ import annotations

import re
from functools import lru_cache

from sandriver.games.common import bad_field, parts_of
from sandriver.games.errors import PositionError, quote
from sandriver.games.stones import kernel
from sandriver.games.stones.options import Options
from sandriver.games.stones.ruleset import STONES, tables

FIELDS = ("STACKS", "ARTISTS", "BOARDS", "MANDALA", "SCORES", "OBJECTIVES", "TURN", "FLAGS")
SEATS = "1234"
TRIGGERS = "0AB"

Hidden = frozenset[tuple[int, int]]
"""Covered stones whose pattern is not known: stack 0..23, level from 0 at the bottom."""

_PILE = re.compile(r"-|(?:[YRBPyrbp]|\([yrbp]\))+")
_STONE = re.compile(r"\(([yrbp])\)|([YRBPyrbp])")
_ARTISTS = re.compile(r"A([1-9])\+A([1-9])/A([1-9])\+A([1-9])")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_FLAGS = re.compile(r"([0AB])/([1-9][0-9]{0,8})/([1-4])")


def parse_line(text: str, options: Options) -> tuple[kernel.State, Hidden]:
    """Read a position line as it is, without asking whether it can be. Raises ``NotationError`` (params name the ``field``).

    For a stone whose pattern is not known the state holds one with a star as a stand-in; the second result names those.
    """
    parts = text.split(" ")
    if len(parts) != len(FIELDS):
        bad_field("POSITION", f"a position has eight fields with one space between them, here are {len(parts)}")
    boards = parts[2].split("/")
    if not 2 <= len(boards) <= 4:
        bad_field("BOARDS", f"two to four boards with a slash between them are wanted, here is {len(boards)}")
    state = kernel.State(tables(options.ruleset), len(boards))
    hidden = _parse_stacks(state, parts[0])
    _parse_artists(state, parts[1])
    for seat, board in enumerate(boards):
        towers = board.split(",")
        if len(towers) != kernel.TOWERS:
            bad_field("BOARDS", f"{quote(board)}: five towers with a comma between them are wanted, here are {len(towers)}")
        for space, tower in enumerate(towers):
            pile, unknown = _parse_pile(tower, "BOARDS")
            if unknown:
                bad_field("BOARDS", f"{quote(tower)}: only covered stones on the main board can be hidden")
            state.put(kernel.BOARDS + kernel.TOWERS * seat + space, pile)
    _parse_mandala(state, parts[3])
    for seat, points in enumerate(parts_of(parts[4], state.seats, "SCORES")):
        if not _NUMBER.fullmatch(points):
            bad_field("SCORES", f"{quote(points)} is no number of points")
        state.put(kernel.TRACK + seat, int(points))
    _parse_objectives(state, parts[5], options)
    if parts[6] != "-" and (len(parts[6]) != 1 or parts[6] not in SEATS[: state.seats]):
        bad_field("TURN", f"{quote(parts[6])} is not a player 1 to {state.seats}, or - when over")
    flags = _FLAGS.fullmatch(parts[7])
    if flags is None or int(flags[3]) > state.seats:
        bad_field("FLAGS", f"{quote(parts[7])} is not 0, A or B, slash, round from 1, slash, first player 1 to {state.seats}")
    state.mover = int(parts[6]) - 1 if parts[6] != "-" else -1
    state.trigger, state.round, state.first = TRIGGERS.index(flags[1]), int(flags[2]), int(flags[3]) - 1
    state.over = (state.trigger or kernel.END_SPACE) if state.mover < 0 else 0
    state.look()
    return state, hidden


def format_line(state: kernel.State, hidden: Hidden, options: Options) -> str:
    """Write a position line; exact inverse of ``parse_line``."""
    boards = [",".join([format_pile(tower) or "-" for tower in board]) for board in board_piles(state)]
    stars, circles = ("+".join([f"A{space}" for space in spaces(state.get(kernel.ARTISTS + pattern))]) for pattern in (0, 1))
    return (
        f"{','.join([format_stack(state, stack, hidden) or '-' for stack in range(kernel.STACKS)])} {stars}/{circles} {'/'.join(boards)} "
        f"{format_mandala(state) or '-'} {'/'.join([str(state.get(kernel.TRACK + seat)) for seat in range(state.seats)])} "
        f"{'/'.join(['+'.join(cards) if cards else '?' for cards in objectives(state, options)])} {format_turn(state)} "
        f"{TRIGGERS[state.trigger]}/{state.round}/{state.first + 1}"
    )


def format_turn(state: kernel.State) -> str:
    """The field TURN: the number of the player to move, ``-`` when over."""
    return SEATS[state.mover] if state.mover >= 0 else "-"


@lru_cache(maxsize=1 << 13)
def format_pile(pile: int) -> str:
    """The stones of a pile from bottom to top; empty for none."""
    return "".join([STONES[(pile >> shift) & 7] for shift in range(pile.bit_length() - 4, -1, -3)])


def format_stack(state: kernel.State, stack: int, hidden: Hidden) -> str:
    """The stones of a stack 0..23 from bottom to top, ``(y)`` where the pattern is not known."""
    letters = format_pile(state.get(stack))
    if not hidden:
        return letters
    return "".join([f"({stone.lower()})" if (stack, level) in hidden else stone for level, stone in enumerate(letters)])


def format_mandala(state: kernel.State) -> str:
    """The stones of the mandala in order of placing."""
    return "".join([STONES[state.get(kernel.MANDALA + i)] for i in range(state.placed)])


def board_piles(state: kernel.State) -> list[list[int]]:
    """The five piles of each seat."""
    return [[state.get(kernel.BOARDS + kernel.TOWERS * seat + i) for i in range(kernel.TOWERS)] for seat in range(state.seats)]


def spaces(bits: int) -> list[int]:
    """Spaces given as bits, as rising numbers from 1."""
    return [space + 1 for space in range(bits.bit_length()) if bits >> space & 1]


def objectives(state: kernel.State, options: Options) -> list[tuple[str, str] | None]:
    """The ids of each seat's two objective cards, ``None`` where they are not known."""
    deck, cards = options.ruleset.objectives.cards, [state.get(kernel.CARDS + i) for i in range(2 * state.seats)]
    return [(deck[one].id, deck[two].id) if one >= 0 else None for one, two in zip(cards[::2], cards[1::2], strict=True)]


def _parse_pile(text: str, field: str) -> tuple[int, list[int]]:
    """A pile, and the levels of its stones whose pattern is not known."""
    if not _PILE.fullmatch(text):
        bad_field(field, f"{quote(text)} is no pile of stones, letters of {STONES} from bottom to top, empty -")
    stones = _STONE.findall(text)
    if len(stones) > 4:
        raise PositionError(
            field, "too_many_stones", f"{field}: {len(stones)} stones in {quote(text)}, four are possible", {"field": field}
        )
    pile = 1
    for covered, stone in stones:
        pile = pile << 3 | STONES.index(covered.upper() or stone)
    return pile, [level for level, (covered, _) in enumerate(stones) if covered]


def _parse_stacks(state: kernel.State, text: str) -> Hidden:
    stacks = text.split(",")
    if len(stacks) != kernel.STACKS:
        bad_field("STACKS", f"{kernel.STACKS} stacks with a comma between them are wanted, here are {len(stacks)}")
    hidden: list[tuple[int, int]] = []
    for stack, piled in enumerate(stacks):
        pile, unknown = _parse_pile(piled, "STACKS")
        state.put(stack, pile)
        hidden += [(stack, level) for level in unknown]
    return frozenset(hidden)


def _parse_artists(state: kernel.State, text: str) -> None:
    found = _ARTISTS.fullmatch(text)
    if found is None or found[1] >= found[2] or found[3] >= found[4]:
        bad_field("ARTISTS", f"{quote(text)} is not two star spaces and two circle spaces, rising, like A2+A8/A4+A6")
    numbers = [int(space) - 1 for space in found.groups()]
    state.put(kernel.ARTISTS, 1 << numbers[0] | 1 << numbers[1])
    state.put(kernel.ARTISTS + 1, 1 << numbers[2] | 1 << numbers[3])


def _parse_mandala(state: kernel.State, text: str) -> None:
    letters = "" if text == "-" else text
    if not text or any(letter not in STONES for letter in letters):
        bad_field("MANDALA", f"{quote(text)}: letters of {STONES} in order of placing are wanted, empty -")
    if len(letters) > kernel.MOST_STONES:
        raise PositionError("MANDALA", "mandala_full", f"MANDALA: {len(letters)} stones are more than there are", {"field": "MANDALA"})
    for i, letter in enumerate(letters):
        state.put(kernel.MANDALA + i, STONES.index(letter))
    state.placed = len(letters)


def _parse_objectives(state: kernel.State, text: str, options: Options) -> None:
    ids = [card.id for card in options.ruleset.objectives.cards]
    for seat, cards in enumerate(parts_of(text, state.seats, "OBJECTIVES")):
        if cards == "?":
            continue
        names = cards.split("+")
        if len(names) != 2:
            bad_field("OBJECTIVES", f"{quote(cards)}: two names with a + between them are wanted, or ?")
        for i, name in enumerate(names):
            if name not in ids:
                bad_field("OBJECTIVES", f"there is no objective {quote(name)}")
            state.put(kernel.CARDS + 2 * seat + i, ids.index(name))
