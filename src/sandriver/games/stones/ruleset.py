"""The ruleset: every number, topology and switch of the game as data, each with its mark of where it comes from; read and checked.

``ruleset.json`` beside this file is the one shipped, and its form is the format. What the notation fixes (four colours, two patterns,
24 stacks, nine artist spaces, five towers, two objective cards a player) stands in a ruleset too, but has only one value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib import resources
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from sandriver.games.errors import OptionError
from sandriver.games.stones import kernel

STONES = "YRBPyrbp"
"""The eight kinds of stone by number: the colours with a star, then with a circle."""
COLOURS = "YRBP"

Mark = Literal["CONFIRMED", "LIKELY", "OURS"]
"""Where a value comes from: the publisher, one good source, or this project."""
Tiebreak = Literal["shared", "most_stones_left", "fewest_stones_left"]
Colour = Literal["yellow", "red", "blue", "purple"]
Pattern = Literal["star", "circle"]
Points = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""No more than this for anything: all that a game can pay (some 96 stones, each with five heights and a bonus) and the 999,999,999 points
that a position line can begin with are together far below 2^31, in which the kernel counts. It ranks seats in 64 bits."""
Place = Annotated[int, msgspec.Meta(ge=1, le=kernel.MOST_STONES)]
"""A place of the mandala, from 1."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
ArtistSpace = Annotated[str, msgspec.Meta(pattern=r"^A[1-9]\Z")]
StackSpace = Annotated[str, msgspec.Meta(pattern=r"^S(0[1-9]|1[0-9]|2[0-4])\Z")]
Beside = tuple[StackSpace, StackSpace, StackSpace, StackSpace]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a ruleset: every key is wanted, no other is taken."""


class Material(_Part, frozen=True):
    """The stones."""

    colours: tuple[Colour, Colour, Colour, Colour]
    patterns: tuple[Pattern, Pattern]
    per_pair: Annotated[int, msgspec.Meta(ge=1, le=12)]


class Board(_Part, frozen=True):
    """The main board."""

    stack_spaces: int
    stack_height: Annotated[int, msgspec.Meta(ge=1, le=4)]
    neighbours: dict[ArtistSpace, Beside]
    """Stacks round each artist space, clockwise: N E S W."""
    artist_start: tuple[ArtistSpace, ArtistSpace, ArtistSpace, ArtistSpace]
    artists: tuple[Pattern, Pattern, Pattern, Pattern]


class DistinctHeights(_Part, frozen=True, tag_field="rule", tag="distinct_heights"):
    """A tower space that pays for each different tower height on the board."""

    each: Points
    count_empty_as_height: bool
    mark: Mark


class HeightTable(_Part, frozen=True, tag_field="rule", tag="height_table"):
    """A tower space that pays by the height 1..4 of its tower."""

    points: tuple[Points, Points, Points, Points]
    mark: Mark


class DistinctColours(_Part, frozen=True, tag_field="rule", tag="distinct_colours"):
    """A tower space that pays for each different colour in its tower."""

    each: Points
    mark: Mark


Space = DistinctHeights | HeightTable | DistinctColours


class ScoreColour(_Part, frozen=True):
    """Scoring a colour."""

    min_towers: Annotated[int, msgspec.Meta(ge=1, le=5)]


class ScoreTops(_Part, frozen=True):
    """Scoring any tops."""

    each: Points


class Mandala(_Part, frozen=True):
    """The shared mandala: places from 1 at the centre."""

    spaces: Place
    bonus: dict[str, Points]
    end: dict[str, Place]
    """By number of players."""
    mark: Mark


class Card(_Part, frozen=True, omit_defaults=True):
    """An objective card: ``each`` points for what it counts on its owner's board."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{0,39}\Z")]
    count: Literal["stones_of_colour", "stones_of_pattern", "empty_spaces", "distinct_heights", "distinct_top_colours", "tallest_height"]
    each: Points
    of: str = ""


class Objectives(_Part, frozen=True):
    """The objective cards."""

    deal: int
    mark: Mark
    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=kernel.MOST_CARDS)]


class End(_Part, frozen=True):
    """What happens on equal points."""

    tiebreak: Tiebreak
    mark: Mark


class Ruleset(_Part, frozen=True, dict=True):
    """A whole ruleset. Two that say the same are equal."""

    schema: Literal[1]
    name: Name
    stones: Material
    board: Board
    spaces: tuple[Space, Space, Space, Space, Space]
    score_colour: ScoreColour
    score_tops: ScoreTops
    mandala: Mandala
    objectives: Objectives
    end: End
    reveal_covered_patterns: bool

    def __repr__(self) -> str:
        return f"<Ruleset {self.name!r}>"

    def __hash__(self) -> int:
        return hash((self.name, self.spaces, self.end, self.reveal_covered_patterns))

    @property
    def empty_is_height(self) -> bool:
        """Whether all empty spaces together count as one more tower height."""
        return any(isinstance(space, DistinctHeights) and space.count_empty_as_height for space in self.spaces)

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """The stacks 1..24 round each artist space, clockwise from the north; the first entry is of A1."""
        return tuple(tuple(int(stack[1:]) for stack in self.board.neighbours[f"A{space}"]) for space in range(1, 10))


def parse_ruleset(raw: object) -> Ruleset:
    """Read and check a ruleset. Raises ``OptionError`` (``bad_ruleset``) with the ``field`` and a code as ``reason``.

    >>> parse_ruleset({"schema": 2})
    Traceback (most recent call last):
    sandriver.games.errors.OptionError: ruleset, field schema: invalid enum value 2
    """
    try:
        ruleset = msgspec.convert(raw, Ruleset)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        path = path.removeprefix("`key` in ").strip("`").removeprefix("$").lstrip(".")
        found = re.search(r"(?:required|unknown) field `(.*)`", reason)
        field = f"{_with_key(raw, path)}.{found[1]}" if found else _with_key(raw, path)
        raise _bad(_form_fault(field.lstrip("."), reason[:1].lower() + reason[1:])) from None
    except UnicodeError:  # half a pair of surrogates, as JSON can spell it
        raise _bad(Fault("ruleset", "no_text", "holds text that is no Unicode text")) from None
    for fault in (*_board_faults(ruleset), *_scoring_faults(ruleset)):
        raise _bad(fault)
    return ruleset


def _with_key(raw: Any, path: str) -> str:
    """The path of a wrong value, where the parser leaves a mapping's key out (``mandala.bonus[...]``)."""
    for start, kind in (("board.neighbours", Beside), ("mandala.bonus", Points), ("mandala.end", Place)):
        if path.startswith(f"{start}[...]"):
            part, name = start.split(".")
            for key, value in raw[part][name].items():
                try:
                    msgspec.convert(value, kind)
                except msgspec.ValidationError:
                    return f"{start}.{key}{path.removeprefix(f'{start}[...]')}"
    return path


def format_ruleset(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as JSON-able data; exact inverse of ``parse_ruleset``."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(ruleset))
    return data


@lru_cache(maxsize=1)
def shipped() -> Ruleset:
    """The ruleset that is used where none is named."""
    return parse_ruleset(msgspec.json.decode(resources.files("sandriver.games.stones").joinpath("ruleset.json").read_bytes()))


class Fault(NamedTuple):
    """What is wrong with a field: a code with what it names, for any language, and the same in English."""

    field: str
    reason: str
    text: str
    params: Mapping[str, str | int] = {}


Faults = list[Fault]


def _bad(fault: Fault) -> OptionError:
    field = fault.field[:80] or "ruleset"
    return OptionError(
        "bad_ruleset", f"ruleset, field {field}: {fault.text[:160]}", {"field": field, "reason": fault.reason, **fault.params}
    )


_FORMS = (
    (r"missing required field", "missing"),
    (r"contains unknown field", "unknown"),
    (r"` >= (-?\d+)", "at_least"),
    (r"` <= (-?\d+)", "at_most"),
    (r"of length (\d+)", "length"),
    (r"of length >= (\d+)", "at_least_long"),
    (r"of length <= (\d+)", "at_most_long"),
    (r"matching regex", "form"),
    (r"^expected `", "kind"),
)
"""What the parser says, and the code for it; a number in it is ``n``. Anything else is a value that is none of those there are."""


def _form_fault(field: str, text: str) -> Fault:
    """A fault of form, from the parser's words."""
    for pattern, reason in _FORMS:
        if found := re.search(pattern, text):
            return Fault(field, reason, text, {"n": int(found[1])} if found.groups() else {})
    return Fault(field, "value", text)


def _board_faults(ruleset: Ruleset) -> Faults:
    stones, board = ruleset.stones, ruleset.board
    faults: Faults = []
    if not ruleset.name.isprintable() or ruleset.name.strip() != ruleset.name:
        faults.append(Fault("name", "one_line", "is one line of text without spaces round it"))
    if stones.colours != ("yellow", "red", "blue", "purple"):
        faults.append(_order("stones.colours", "yellow, red, blue, purple"))
    if stones.patterns != ("star", "circle"):
        faults.append(_order("stones.patterns", "star, circle"))
    if board.stack_spaces != kernel.STACKS:
        faults.append(Fault("board.stack_spaces", "exactly", f"there are {kernel.STACKS}", {"n": kernel.STACKS}))
    if 8 * stones.per_pair != kernel.STACKS * board.stack_height:
        counts = {"stones": 8 * stones.per_pair, "stacks": kernel.STACKS, "height": board.stack_height}
        text = f"{counts['stones']} stones do not fill {kernel.STACKS} stacks of {board.stack_height}"
        faults.append(Fault("stones.per_pair", "fill", text, counts))
    if len(set(board.artist_start)) != 4:
        faults.append(Fault("board.artist_start", "apart", "artists start on different spaces"))
    if sorted(board.artists) != ["circle", "circle", "star", "star"]:
        faults.append(Fault("board.artists", "two_of_each", "there are two of each pattern"))
    if len(found := board.neighbours) != kernel.SPACES:
        text = f"the {kernel.SPACES} spaces A1 to A9 are wanted, here are {len(found)}"
        faults.append(Fault("board.neighbours", "all_spaces", text, {"found": len(found)}))
    return faults or _neighbour_faults(board)


def _order(field: str, wanted: str) -> Fault:
    return Fault(field, "order", f"are {wanted}, in this order", {"wanted": wanted})


def _neighbour_faults(board: Board) -> Faults:
    """A stack lies beside one artist space or between two: then east of one is west of the other, or south is north."""
    faults: Faults = []
    beside: dict[str, list[tuple[str, int]]] = {f"S{number:02}": [] for number in range(1, kernel.STACKS + 1)}
    for space, stacks in board.neighbours.items():
        if len(set(stacks)) != 4:
            faults.append(Fault(f"board.neighbours.{space}", "four_stacks", "four different stacks are wanted"))
        for direction, stack in enumerate(stacks):
            beside[stack].append((space, direction))
    for stack, at in beside.items():
        if not 1 <= len(at) <= 2:
            text = f"{stack} lies beside one or two artist spaces, here beside {len(at)}"
            faults.append(Fault("board.neighbours", "beside", text, {"stack": stack, "found": len(at)}))
        elif len(at) == 2 and (at[0][1] - at[1][1]) % 4 != 2:
            where = " and ".join(f"{'NESW'[direction]} of {space}" for space, direction in at)
            text = f"{stack} lies between two artist spaces, on opposite sides of them, not {where}"
            faults.append(Fault("board.neighbours", "opposite", text, {"stack": stack, "one": at[0][0], "other": at[1][0]}))
    return faults


def _scoring_faults(ruleset: Ruleset) -> Faults:
    mandala = ruleset.mandala
    faults: Faults = []
    switches = [space.count_empty_as_height for space in ruleset.spaces if isinstance(space, DistinctHeights)]
    if len(set(switches)) > 1:
        faults.append(Fault("spaces", "alike", "count_empty_as_height is the same for all spaces that count heights"))
    places = [str(place) for place in range(1, mandala.spaces + 1)]
    for place in mandala.bonus:
        if place not in places:
            text = f"{place[:20]!r} is no place from 1 to {mandala.spaces}"
            faults.append(Fault("mandala.bonus", "no_place", text, {"place": place[:20], "n": mandala.spaces}))
    ends = [mandala.end.get(seats, 0) for seats in ("2", "3", "4")]
    if len(mandala.end) != 3 or not 0 < ends[0] < ends[1] < ends[2]:
        faults.append(Fault("mandala.end", "rising", "an end place for 2, 3 and 4 players is wanted, rising"))
    for seats, end in enumerate(ends, 2):
        if (most := end - 1 + 5 * seats) > mandala.spaces:
            text = f"with {seats} players {most} stones can lie on {mandala.spaces} spaces"
            faults.append(Fault(f"mandala.end.{seats}", "too_many", text, {"seats": seats, "stones": most, "spaces": mandala.spaces}))
    return faults + _card_faults(ruleset)


def _card_faults(ruleset: Ruleset) -> Faults:
    cards = ruleset.objectives.cards
    faults: Faults = []
    if ruleset.objectives.deal != 2:
        faults.append(Fault("objectives.deal", "exactly", "two cards are dealt to each player", {"n": 2}))
    if len(cards) < 8:
        faults.append(Fault("objectives.cards", "few_cards", f"four players get two each, here are {len(cards)}", {"found": len(cards)}))
    if len({card.id for card in cards}) != len(cards):
        faults.append(Fault("objectives.cards", "ids", "each card has an id of its own"))
    for i, card in enumerate(cards):
        kinds = {"stones_of_colour": ruleset.stones.colours, "stones_of_pattern": ruleset.stones.patterns}
        known: tuple[str, ...] = kinds.get(card.count, ("",))
        if card.of in known:
            continue
        if known[0]:
            faults.append(Fault(f"objectives.cards[{i}].of", "of", f"is {' or '.join(known)}", {"wanted": ", ".join(known)}))
        else:
            faults.append(Fault(f"objectives.cards[{i}].of", "of_nothing", f"{card.count} is of nothing", {"count": card.count}))
    return faults


_COUNTS = {
    "stones_of_colour": kernel.OF_COLOUR, "stones_of_pattern": kernel.OF_PATTERN, "empty_spaces": kernel.EMPTY_SPACES,
    "distinct_heights": kernel.HEIGHTS, "distinct_top_colours": kernel.TOP_COLOURS, "tallest_height": kernel.TALLEST,
}  # fmt: skip
_TIEBREAKS = {"shared": kernel.SHARED, "most_stones_left": kernel.MOST_LEFT, "fewest_stones_left": kernel.FEWEST_LEFT}


def tables(ruleset: Ruleset, module: Any = kernel) -> kernel.Rules:
    """The ruleset as a kernel's tables (of another form of the kernel, if one is named)."""
    pay = [0] * 130
    for i, space in enumerate(ruleset.spaces):
        if isinstance(space, DistinctHeights):
            pay[125 + i] = space.each
            continue
        for height in range(1, 5):
            for colours in range(1, 5):
                paid = space.points[height - 1] if isinstance(space, HeightTable) else space.each * colours
                pay[25 * i + 5 * height + colours] = paid
    cards: list[int] = []
    for card in ruleset.objectives.cards:
        of = {"yellow": 0, "red": 1, "blue": 2, "purple": 3, "star": 0, "circle": 1}.get(card.of, 0)
        cards += _COUNTS[card.count], of, card.each
    board, end = ruleset.board, ruleset.mandala.end
    found: kernel.Rules = module.Rules(
        beside=[stack - 1 for stacks in ruleset.beside for stack in stacks],
        pay=pay,
        bonus=[ruleset.mandala.bonus.get(str(place), 0) for place in range(kernel.MOST_STONES + 1)],
        cards=cards,
        per_pair=ruleset.stones.per_pair,
        stack_height=board.stack_height,
        min_towers=ruleset.score_colour.min_towers,
        tops_each=ruleset.score_tops.each,
        tiebreak=_TIEBREAKS[ruleset.end.tiebreak],
        empty_is_height=int(ruleset.empty_is_height),
        ends=[end["2"], end["3"], end["4"]],
        artists=[board.artists.count("star"), board.artists.count("circle")],
        starts=[int(space[1:]) - 1 for space in board.artist_start],
    )
    return found


def with_switches(ruleset: Ruleset, switches: Mapping[str, Any]) -> Ruleset:
    """The ruleset with some of ``reveal_covered_patterns``, ``count_empty_as_height`` and ``tiebreak`` set."""
    if "reveal_covered_patterns" in switches:
        ruleset = msgspec.structs.replace(ruleset, reveal_covered_patterns=switches["reveal_covered_patterns"])
    if "tiebreak" in switches:
        ruleset = msgspec.structs.replace(ruleset, end=msgspec.structs.replace(ruleset.end, tiebreak=switches["tiebreak"]))
    if "count_empty_as_height" in switches:
        counted = switches["count_empty_as_height"]
        spaces: Any = tuple(
            msgspec.structs.replace(space, count_empty_as_height=counted) if isinstance(space, DistinctHeights) else space
            for space in ruleset.spaces
        )
        ruleset = msgspec.structs.replace(ruleset, spaces=spaces)
    return ruleset
