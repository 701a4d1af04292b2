"""The switches of the ruleset: every choice that the published rules leave open, with the default of this project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandriver.games.errors import OptionError

MOST_REDRAWS = 1_000_000


class Options(msgspec.Struct, frozen=True):
    """How a game is played. Raises ``OptionError`` (``bad_option``) for a value that an option does not have.

    >>> Options()
    Options(exhaustion='eager', stall_limit=20, memory_aid=False)
    """

    exhaustion: Literal["eager", "lazy"] = "eager"
    """When the deck counts as run out: the moment it is empty, or when a card is needed and it is empty."""
    stall_limit: int = 20
    """Consecutive redraws (of both players together) that end the game; 0: never."""
    memory_aid: bool = False
    """Claimed cup cards stay open for everybody instead of their owner alone."""

    def __post_init__(self) -> None:
        if type(self.stall_limit) is not int or not 0 <= self.stall_limit <= MOST_REDRAWS:
            raise OptionError("bad_option", f"stall_limit is a whole number from 0 to {MOST_REDRAWS}", {"option": "stall_limit"})
        if self.exhaustion not in ("eager", "lazy"):
            raise OptionError("bad_option", "exhaustion is eager or lazy", {"option": "exhaustion"})
        if not isinstance(self.memory_aid, bool):
            raise OptionError("bad_option", "memory_aid is true or false", {"option": "memory_aid"})


def parse_options(raw: Mapping[str, object]) -> Options:
    """Validate options; what is not named has its default. Raises ``OptionError`` (``unknown_option``, ``bad_option``).

    >>> parse_options({"stall_limit": 0})
    Options(exhaustion='eager', stall_limit=0, memory_aid=False)
    """
    for name in raw:
        if name not in Options.__struct_fields__:
            raise OptionError("unknown_option", f"there is no option {str(name)[:40]!r}", {"option": str(name)[:40]})
    given: dict[str, Any] = dict(raw)
    return Options(**given)


def format_options(options: Options) -> dict[str, object]:
    """Every option with its value; exact inverse of ``parse_options``."""
    return msgspec.structs.asdict(options)
