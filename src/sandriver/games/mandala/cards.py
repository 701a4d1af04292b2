"""Sets of cards: six colour counts, or a hidden set of which only the number is known, and their text (``K2Y1``, ``-``, ``?7``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeGuard

from sandriver.games.common import of_type
from sandriver.games.errors import NotationError, quote

COLOURS = "KGPYOR"
"""Black, green, purple, yellow, orange, red: the canonical order everywhere."""
EACH = 18
"""Cards of each colour in the game."""
ALL = EACH * len(COLOURS)

_SET = re.compile("".join(f"(?:{colour}([1-9][0-9]{{0,2}}))?" for colour in COLOURS))
_HIDDEN = re.compile(r"\?([1-9][0-9]{0,2})")


def _is_colour(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) == 1 and value in COLOURS


def _items(counts: object) -> Iterable[tuple[object, object]]:
    if counts is None:
        return ()
    if isinstance(counts, Mapping):
        return counts.items()
    raise TypeError(f"a mapping of colours to numbers is wanted (Cards.parse reads text), not {quote(counts)}")


class Cards:
    """An immutable set of cards.

    >>> cards = Cards.parse("K2Y1")
    >>> cards["K"], cards["R"], cards.total
    (2, 0, 3)
    >>> list(cards)
    [('K', 2), ('Y', 1)]
    >>> str(Cards.hidden(7)), str(Cards())
    ('?7', '-')
    """

    __slots__ = ("_hidden", "_packed")
    _packed: int
    _hidden: int

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        packed = 0
        for colour, count in _items(counts):
            if not _is_colour(colour) or type(count) is not int or not 0 <= count <= EACH:
                raise NotationError("bad_cards", f"a set holds 0 to {EACH} cards of each of {COLOURS}", {"text": str(counts)[:60]})
            packed |= count << 8 * COLOURS.index(colour)
        self._packed, self._hidden = packed, 0

    @staticmethod
    def unpack(packed: int) -> Cards:
        """The set of a kernel's packed counts (eight bits a colour, black lowest)."""
        return _unpack(packed)

    @staticmethod
    def hidden(total: int) -> Cards:
        """A set of ``total`` unknown cards; none are the known empty set."""
        if type(total) is not int or not 0 <= total <= ALL:
            raise NotationError("bad_cards", f"a set holds 0 to {ALL} cards", {"text": str(total)[:60]})
        cards = Cards()
        cards._hidden = total
        return cards

    @classmethod
    def parse(cls, text: str) -> Cards:
        """Read a count string or a hidden set. Raises ``NotationError``."""
        return _parse(of_type(text, str, "a count string, such as 'K2Y1',"))

    @property
    def known(self) -> bool:
        """Whether the colours are known."""
        return not self._hidden

    @property
    def total(self) -> int:
        """How many cards."""
        return self._hidden or sum(self._packed.to_bytes(6, "little"))

    @property
    def packed(self) -> int:
        """The counts packed as in the kernel; of a hidden set 0."""
        return self._packed

    def __getitem__(self, colour: str) -> int:
        """How many of one colour; ``KeyError`` for no colour, ``ValueError`` when hidden."""
        if not _is_colour(colour):
            raise KeyError(colour)
        if self._hidden:
            raise ValueError("the colours of a hidden set are not known")
        return (self._packed >> 8 * COLOURS.index(colour)) & 255

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """The colours it holds with their counts, in canonical order; ``ValueError`` when hidden."""
        if self._hidden:
            raise ValueError("the colours of a hidden set are not known")
        return iter([(colour, count) for colour, count in zip(COLOURS, self._packed.to_bytes(6, "little"), strict=True) if count])

    def __contains__(self, colour: object) -> bool:
        return _is_colour(colour) and self[colour] > 0

    def __len__(self) -> int:
        return self.total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and (self._packed, self._hidden) == (other._packed, other._hidden)

    def __hash__(self) -> int:
        return hash((self._packed, self._hidden))

    def __str__(self) -> str:
        return f"?{self._hidden}" if self._hidden else format_counts(self._packed)

    def __repr__(self) -> str:
        return f"Cards.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Cards.parse, (str(self),)


@lru_cache(maxsize=1 << 14)
def _unpack(packed: int) -> Cards:
    cards = Cards()
    cards._packed = packed  # noqa: SLF001 (its own module)
    return cards


@lru_cache(maxsize=1 << 12)
def _parse(text: str) -> Cards:
    if hidden := _HIDDEN.fullmatch(text):
        return Cards.hidden(int(hidden[1]))
    return Cards(parse_counts(text))


def parse_counts(text: str) -> dict[str, int]:
    """Read a count string without asking whether so many cards exist. Raises ``NotationError``."""
    if text == "-":
        return {}
    found = _SET.fullmatch(text) if text else None
    if found is None:
        raise NotationError("bad_cards", f"{quote(text)} is no count string like K2Y1 (order {COLOURS}, empty -)", {"text": text[:60]})
    return {colour: int(count) for colour, count in zip(COLOURS, found.groups(), strict=True) if count}


@lru_cache(maxsize=1 << 14)
def format_counts(packed: int) -> str:
    """The count string of packed counts."""
    return "".join([f"{colour}{n}" for colour, n in zip(COLOURS, packed.to_bytes(6, "little"), strict=True) if n]) or "-"
