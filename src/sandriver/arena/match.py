"""A match of two bots over paired deals, summed up for the first: the same seed gives the same result, on one process or on many."""

from __future__ import annotations

from collections.abc import Mapping

from sandriver import games
from sandriver.arena.crew import Setting
from sandriver.arena.keep import Keep
from sandriver.arena.series import Series, check_numbers
from sandriver.arena.sprt import Sprt
from sandriver.arena.tally import MatchResult
from sandriver.bots.policy import Policy


def make_match(
    game_id: str,
    one: str | Policy,
    two: str | Policy,
    count: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    sprt: Sprt | None = None,
    keep: Keep | None = None,
) -> Series:
    """Return a match of ``count`` games that is yet to be run, as a series of one pairing. Raises as ``play_match`` does."""
    seats = check_numbers(game_id, seats, count)
    raw = dict(options or {})
    games.get(game_id).parse_options(raw)
    setting = Setting(game_id, seats, raw, ((one, two),))
    return Series(setting, range(seed, seed + count // seats), sprt=sprt, keep=keep)


def play_match(
    game_id: str,
    one: str | Policy,
    two: str | Policy,
    count: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    processes: int | None = 1,
    options: Mapping[str, object] | None = None,
    sprt: Sprt | None = None,
    keep: Keep | None = None,
) -> MatchResult:
    """Play ``count`` games (a multiple of ``seats``, which is how often each deal is played) and sum them up for the bot ``one``.

    A bot is the id of one that the game has, or any ``Policy`` (with other ``processes`` one that can be pickled). ``seats``: how many
    play; the fewest that the game knows, if not said. ``processes``: how many share the deals out (``None``: one a core); the result is
    the same. ``sprt``: a test that may end the match early; only deals up to the one that decided are counted. ``keep``: a file that
    deals are taken from and added to.
    Raises ``ValueError`` for a number of seats that the game does not know, a count that does not fit and a policy of another game,
    ``KeyError`` for an unknown game or bot, ``OptionError`` for a bad option, ``EndlessGame``, ``KeepError``, ``CrewError``.
    """
    series = make_match(game_id, one, two, count, seats=seats, seed=seed, options=options, sprt=sprt, keep=keep)
    series.run(processes)
    (first, second), = series.bots  # fmt: skip
    return series.tallies[0].result(game_id, first.id, second.id)
