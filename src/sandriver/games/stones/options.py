"""How a game of Mandala Stones is played: a whole ruleset, and three quick switches that override what it says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

import msgspec

from sandriver.games.errors import OptionError
from sandriver.games.stones.ruleset import Ruleset, Tiebreak, format_ruleset, parse_ruleset, shipped, with_switches

SWITCHES = ("reveal_covered_patterns", "count_empty_as_height", "tiebreak")


class Options(msgspec.Struct, frozen=True):
    """How a game is played: the ruleset with the switches already in it. Raises ``OptionError`` for a ruleset that is none.

    >>> Options().ruleset.mandala.end["2"], Options().tiebreak
    (40, 'shared')
    """

    ruleset: Ruleset = msgspec.field(default_factory=shipped)

    def __post_init__(self) -> None:
        given: object = self.ruleset
        if not isinstance(given, Ruleset):
            message = "ruleset is a Ruleset; parse_options reads one from JSON"
            raise OptionError("bad_option", message, {"option": "ruleset"})
        _check(given)

    @property
    def reveal_covered_patterns(self) -> bool:
        """Whether the patterns of covered stones on the main board are open."""
        return self.ruleset.reveal_covered_patterns

    @property
    def count_empty_as_height(self) -> bool:
        """Whether all empty spaces together count as one more tower height."""
        return self.ruleset.empty_is_height

    @property
    def tiebreak(self) -> Tiebreak:
        """Who wins on equal points."""
        return self.ruleset.end.tiebreak


@lru_cache(maxsize=64)
def _check(ruleset: Ruleset) -> None:
    """Raise ``OptionError`` for a ruleset that ``parse_ruleset`` would refuse, however it was made; each is looked through once."""
    parse_ruleset(msgspec.to_builtins(ruleset))


def parse_options(raw: Mapping[str, object]) -> Options:
    """Validate options; what is not named has its default, a switch that of the ruleset.

    Raises ``OptionError`` (``unknown_option``, ``bad_option``, ``bad_ruleset``).

    >>> parse_options({"tiebreak": "most_stones_left"}).ruleset.end
    End(tiebreak='most_stones_left', mark='OURS')
    """
    for name in raw:
        if name != "ruleset" and name not in SWITCHES:
            raise OptionError("unknown_option", f"there is no option {str(name)[:40]!r}", {"option": str(name)[:40]})
    for name in SWITCHES[:2]:
        if not isinstance(raw.get(name, False), bool):
            raise OptionError("bad_option", f"{name} is true or false", {"option": name})
    tiebreaks = get_args(Tiebreak)
    if raw.get("tiebreak", "shared") not in tiebreaks:
        raise OptionError("bad_option", f"tiebreak is {', '.join(tiebreaks[:-1])} or {tiebreaks[-1]}", {"option": "tiebreak"})
    ruleset = with_switches(parse_ruleset(raw["ruleset"]) if "ruleset" in raw else shipped(), raw)
    if raw.get("count_empty_as_height", ruleset.empty_is_height) != ruleset.empty_is_height:
        message = "count_empty_as_height: no space of this ruleset counts heights"
        raise OptionError("bad_option", message, {"option": "count_empty_as_height"})
    return Options(ruleset)


def format_options(options: Options) -> dict[str, Any]:
    """The whole ruleset and the switches as they stand in it; exact inverse of ``parse_options``."""
    return {"ruleset": format_ruleset(options.ruleset)} | {name: getattr(options, name) for name in SWITCHES}
