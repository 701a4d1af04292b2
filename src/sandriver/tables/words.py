"""What people write for others to read, names and talk: which characters may stand in it, and in which form it is kept. Pure."""

from __future__ import annotations

import re
import unicodedata

NAME_LENGTH = 24
"""Characters of a name."""
MARKS = 5
"""Combining marks that may stand above and below one letter: every script makes do with them, and more would cover what stands around."""
JOINERS = "\u200c\u200d"
"""Zero-width characters that scripts and emoji need."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols by category that show nothing: Hangul fillers, the empty Braille pattern."""


class UnfitName(ValueError):
    """A name that cannot be shown. ``reason``: ``name_characters`` or ``name_length``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnfitName], tuple[str]]:
        return type(self), (self.reason,)


def clean_name(text: str) -> str:
    """Return a name as it is kept: composed (NFC), trimmed, runs of blanks made one.

    Raises ``UnfitName`` for a name without a visible character, longer than ``NAME_LENGTH`` characters, or that is not ``fit``.
    """
    name = " ".join(unicodedata.normalize("NFC", text).strip().split(" "))
    name = re.sub(" {2,}", " ", name)
    if not fit(name):
        raise UnfitName("name_characters")
    if not shows(name) or len(name) > NAME_LENGTH:
        raise UnfitName("name_length")
    return name


def fit(text: str) -> bool:
    """Whether nothing in a line steers how text is shown (line ends, direction marks), has no meaning, hides as a blank, or is piled up."""
    marks = MARKS  # a mark that begins a text would stand on what is shown before it
    for character in text:
        category = unicodedata.category(character)
        if (category[0] == "C" and character not in JOINERS) or category in ("Zl", "Zp") or character in BLANKS:
            return False
        if category in ("Mn", "Me"):
            marks += 1
        elif character not in JOINERS:
            marks = 0
        if marks > MARKS:
            return False
    return True


def shows(text: str) -> bool:
    """Whether there is anything to be seen: a letter, number, sign or symbol."""
    return any(unicodedata.category(character)[0] in "LNPS" for character in text)
