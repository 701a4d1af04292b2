"""Positions of Mandala for tests, written down by what matters in them: the rest of the 108 cards lies in the deck."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sandriver.games.mandala import MANDALA

COLOURS = "KGPYOR"


def text(cards: Iterable[str]) -> str:
    """The count string of a list of letters."""
    counted = Counter(cards)
    return "".join(f"{colour}{counted[colour]}" for colour in COLOURS if counted[colour]) or "-"


def spelled(cards: str) -> list[str]:
    """The letters that a count string stands for."""
    return [colour for colour, count in re.findall(r"([KGPYOR])(\d+)", cards) for _ in range(int(count))]


def number(cards: str) -> int:
    """How many cards a count string or a hidden set has."""
    return sum(map(int, re.findall(r"\d+", cards)))


def make(
    m1: str, m2: str, hands: str, rivers: str = "-/-", cups: str = "K1G1+-/K1G1+-", deck: str = "", turn: str = "A", **options: Any
) -> Any:  # fmt: skip
    """A position with all other cards in the deck, or on the discard pile if ``deck`` is given; colours may stand in any order."""
    m1, m2, hands, cups = (re.sub(r"(?:[KGPYOR]\d+)+", lambda found: text(spelled(found[0])), part) for part in (m1, m2, hands, cups))
    left = Counter(dict.fromkeys(COLOURS, 18))
    for part in (m1, m2, hands, cups, deck):
        left -= Counter(spelled(part))
    rest = text((left - Counter(rivers)).elements())
    stock = f"{deck} {rest}" if deck else f"{rest} -"
    return MANDALA.parse_position(f"{m1} {m2} {hands} {rivers} {cups} {stock} {turn} 0/0", MANDALA.parse_options(options))
