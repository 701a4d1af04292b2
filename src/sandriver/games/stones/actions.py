"""What a player can choose: picks (``pA2-A5:S09@3``), scoring a colour (``sY``) or any tops (``q135``), and the forced skip (``-``)."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Literal

import msgspec

from sandriver.games.common import of_type
from sandriver.games.errors import NotationError, quote
from sandriver.games.stones import kernel
from sandriver.games.stones.ruleset import COLOURS

Kind = Literal["pick", "colour", "tops", "skip"]

_TEXT = re.compile(r"pA([1-9])-A([1-9]):S(0[1-9]|1[0-9]|2[0-4])@([1-5])|s([YRBP])|q(?=[1-5])(1?2?3?4?5?)|(-)")


class Action(msgspec.Struct, frozen=True, dict=True):
    """What a player chooses, never its consequences. All numbers count from 1, as the notation writes them.

    >>> action = Action.parse("pA2-A5:S09@3")
    >>> action.kind, action.artist, action.to, action.first, action.space
    ('pick', 2, 5, 9, 3)
    >>> Action("tops", spaces=(1, 3)).text, Action("colour", colour="Y").text, Action("skip").text
    ('q13', 'sY', '-')
    """

    kind: Kind
    artist: int = 0
    """Pick: the space (1..9) of the artist that moves."""
    to: int = 0
    """Pick: the space (1..9) it goes to."""
    first: int = 0
    """Pick: the stack (1..24) whose stone is the bottom of the tower."""
    space: int = 0
    """Pick: the own space (1..5) for the tower."""
    colour: str = ""
    """Colour: which is scored, ``Y R B P``."""
    spaces: tuple[int, ...] = ()
    """Tops: the own spaces (1..5), rising."""

    def __post_init__(self) -> None:
        values = (self.kind, self.artist, self.to, self.first, self.space, self.colour, self.spaces)
        try:
            known = self.kind in ("pick", "colour", "tops", "skip") and _read(self.text) == values
        except (TypeError, ValueError):  # no numbers, no tuple
            known = False
        if not known:
            wanted = "a kind of pick (artist, to, first, space), colour (colour), tops (spaces, a rising tuple) or skip, numbers from 1"
            raise NotationError("unknown_action", f"there is no action {quote(values)}; wanted are {wanted}", {"text": str(values)[:60]})

    @staticmethod
    def parse(text: str) -> Action:
        """Read an action. Raises ``NotationError``."""
        values = _read(of_type(text, str, "an action in notation, such as 'pA2-A5:S09@3',"))
        if values is None:
            raise NotationError("unknown_action", f"unknown action {quote(text)}", {"text": text[:60]})
        return Action(*values)

    @cached_property
    def text(self) -> str:
        """Its notation; exact inverse of ``parse``."""
        if self.kind == "pick":
            return f"pA{self.artist}-A{self.to}:S{self.first:02}@{self.space}"
        if self.kind == "colour":
            return f"s{self.colour}"
        return "-" if self.kind == "skip" else f"q{''.join(map(str, self.spaces))}"

    def word(self, beside: tuple[tuple[int, ...], ...]) -> int:
        """The kernel's word for it, where these stacks lie round the artist spaces."""
        if self.kind == "pick":
            round_it = beside[self.to - 1]
            direction = round_it.index(self.first) if self.first in round_it else kernel.NOWHERE
            return (self.artist - 1) << 12 | (self.to - 1) << 8 | direction << 4 | (self.space - 1)
        if self.kind == "colour":
            return kernel.COLOUR << 16 | COLOURS.index(self.colour)
        return kernel.SKIP << 16 if self.kind == "skip" else kernel.TOPS << 16 | sum(1 << (space - 1) for space in self.spaces)

    def __str__(self) -> str:
        return self.text


_Values = tuple[Kind, int, int, int, int, str, tuple[int, ...]]


@lru_cache(maxsize=1 << 13)
def _read(text: str) -> _Values | None:
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    if found[1]:
        return "pick", int(found[1]), int(found[2]), int(found[3]), int(found[4]), "", ()
    if found[5]:
        return "colour", 0, 0, 0, 0, found[5], ()
    return ("skip" if found[7] else "tops"), 0, 0, 0, 0, "", tuple(map(int, found[6] or ""))


class Words(dict[int, Action]):
    """The actions of a board by the kernel's words, each made when it is first asked for; exact inverse of ``Action.word``."""

    def __init__(self, beside: tuple[tuple[int, ...], ...]) -> None:
        super().__init__()
        self.beside = beside

    def __missing__(self, word: int) -> Action:
        action = self[word] = self._made(word)
        return action

    def _made(self, word: int) -> Action:
        kind = word >> 16
        if kind == kernel.PICK:
            to = (word >> 8) & 15
            return Action("pick", (word >> 12) + 1, to + 1, self.beside[to][(word >> 4) & 15], (word & 15) + 1)
        if kind == kernel.COLOUR:
            return Action("colour", colour=COLOURS[word & 3])
        return Action("skip") if kind == kernel.SKIP else Action("tops", spaces=tuple(i + 1 for i in range(5) if word >> i & 1))


words = lru_cache(maxsize=64)(Words)
"""The actions of a board, shared by all positions on it."""
