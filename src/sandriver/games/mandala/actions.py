"""The 150 actions a player can choose, their text (``b1R``, ``f2K3``, ``dO2``, ``cG``) and their index."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

import msgspec

from sandriver.games.common import of_type
from sandriver.games.errors import NotationError, quote
from sandriver.games.mandala.cards import COLOURS

Kind = Literal["build", "grow", "redraw", "claim"]

MOST: dict[str, int] = {"build": 1, "grow": 7, "redraw": 8, "claim": 1}
"""The most cards that an action of each kind can name."""


class Action(msgspec.Struct, frozen=True, dict=True):
    """What a player chooses, never its consequences.

    >>> action = Action.parse("f2K3")
    >>> action.kind, action.colour, action.count, action.mandala, action.index
    ('grow', 'K', 3, 1, 56)
    >>> Action("claim", "G") == Action.parse("cG")
    True
    """

    kind: Kind
    colour: str
    count: int = 1
    """Cards from the hand; 1 for build and claim."""
    mandala: int | None = None
    """0 or 1 for build and grow."""

    def __post_init__(self) -> None:
        values = (self.kind, self.colour, self.count, self.mandala)
        if not _is_one(*values):
            wanted = f"a kind of {', '.join(MOST)}, a colour of {COLOURS}, a number of cards, mandala 0 or 1 (build, grow) or None"
            raise NotationError("unknown_action", f"there is no action {quote(values)}; wanted are {wanted}", {"text": str(values)[:60]})

    @staticmethod
    def parse(text: str) -> Action:
        """Read an action without chance. Raises ``NotationError``."""
        action = _BY_TEXT.get(of_type(text, str, "an action in notation, such as 'b1K',"))
        if action is None:
            raise NotationError("unknown_action", f"unknown action {quote(text)}", {"text": text[:60]})
        return action

    @cached_property
    def index(self) -> int:
        """Its place 0..149 in the canonical order."""
        colour, mandala = COLOURS.index(self.colour), self.mandala or 0
        if self.kind == "build":
            return 6 * mandala + colour
        if self.kind == "grow":
            return 12 + 42 * mandala + 7 * colour + self.count - 1
        return 96 + 8 * colour + self.count - 1 if self.kind == "redraw" else 144 + colour

    @cached_property
    def text(self) -> str:
        """Its notation; exact inverse of ``parse``."""
        if self.kind == "build":
            return f"b{(self.mandala or 0) + 1}{self.colour}"
        if self.kind == "grow":
            return f"f{(self.mandala or 0) + 1}{self.colour}{self.count}"
        return f"d{self.colour}{self.count}" if self.kind == "redraw" else f"c{self.colour}"

    def __str__(self) -> str:
        return self.text


def _is_one(kind: object, colour: object, count: object, mandala: object) -> bool:
    """Whether these values, of whatever type, make an action."""
    if not isinstance(kind, str) or not isinstance(colour, str) or type(count) is not int or type(mandala) not in (int, type(None)):
        return False
    places = (0, 1) if kind in ("build", "grow") else (None,)
    return kind in MOST and len(colour) == 1 and colour in COLOURS and mandala in places and 1 <= count <= MOST[kind]


ACTIONS: tuple[Action, ...] = (
    *(Action("build", colour, 1, mandala) for mandala in (0, 1) for colour in COLOURS),
    *(Action("grow", colour, count, mandala) for mandala in (0, 1) for colour in COLOURS for count in range(1, 8)),
    *(Action("redraw", colour, count) for colour in COLOURS for count in range(1, 9)),
    *(Action("claim", colour) for colour in COLOURS),
)
"""Every action, by index."""

_BY_TEXT = {action.text: action for action in ACTIONS}
_MOVE = re.compile(r"([^>]*)(?:>(.*))?", re.DOTALL)


def parse_move(text: str) -> tuple[Action, list[int]]:
    """Read an action with its chance (``b1R>GPY``): the action and the colour numbers dealt. Raises ``NotationError``."""
    found = _MOVE.fullmatch(of_type(text, str, "a move in notation, such as 'b1K>GPY',"))
    assert found is not None
    action = Action.parse(found[1])
    letters = found[2] or ""
    if any(letter not in COLOURS for letter in letters):
        raise NotationError("bad_chance", f"{quote(text)}: after > stand the dealt colours, letters of {COLOURS}", {"text": text[:60]})
    return action, [COLOURS.index(letter) for letter in letters]


def format_move(action: Action, dealt: str) -> str:
    """An action with its chance as records write it: ``>`` after every build and redraw, after a claim only with a refill."""
    return f"{action.text}>{dealt}" if dealt or action.kind in ("build", "redraw") else action.text
