"""A ladder: several bots, each against each on the same deals, and the ratings that follow.

With two seats every two bots play one match. With more seats they play two, since one seat of A among Bs is not one seat of B among As.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import msgspec

from sandriver import games
from sandriver.arena.crew import Setting
from sandriver.arena.keep import Keep
from sandriver.arena.play import find_policy
from sandriver.arena.ratings import Rating, rate_all
from sandriver.arena.series import Series, check_numbers
from sandriver.arena.tally import MatchResult
from sandriver.bots.policy import Policy
from sandriver.extras import load


class LadderResult(msgspec.Struct, frozen=True):
    """Ratings of several bots and the matches that they come from."""

    game: str
    seats: int
    anchor: str
    """The bot whose rating was given."""
    ratings: tuple[Rating, ...]
    """The best first."""
    matches: tuple[MatchResult, ...]

    def shares(self) -> dict[tuple[str, str], float]:
        """By bot and opponent the share of the victories."""
        found = {match.bots: match.rate for match in self.matches}
        if self.seats == 2:
            found |= {match.bots[::-1]: 1 - match.rate for match in self.matches}
        return found


def pairings(bots: Sequence[str | Policy], seats: int) -> tuple[tuple[str | Policy, str | Policy], ...]:
    """Who plays whom, the one seat first.

    >>> pairings(["a", "b", "c"], 2)
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    >>> pairings(["a", "b"], 3)
    (('a', 'b'), ('b', 'a'))
    """
    return tuple(combinations(bots, 2)) if seats == 2 else tuple(permutations(bots, 2))


def ladder_of(series: Series, anchor: str | None = None, elo: float = 0.0) -> LadderResult:
    """Return the ratings of a series in which every deal has been played.

    ``anchor``: whose rating is given (the first bot's, if not said), ``elo``: what it is. Raises ``ValueError`` when it did not play,
    ``MissingExtra`` without numpy.
    """
    bots = list(dict.fromkeys(bot for pair in series.bots for bot in pair))
    places = {bot: place for place, bot in enumerate(bots)}
    names = [bot.id for bot in bots]
    anchor = names[0] if anchor is None else anchor
    if anchor not in names:
        raise ValueError(f"the anchor {anchor} does not play")
    pairs = [(places[one], places[two]) for one, two in series.bots]
    points, low, high = rate_all(pairs, series.tallies, names.index(anchor))
    ratings = []
    for place, bot in enumerate(bots):
        games, victories, chances, moves, spent = 0, 0.0, 0, 0, 0
        for pair, tally in zip(pairs, series.tallies, strict=True):
            if place not in pair:
                continue
            side = pair.index(place)
            games, moves, spent = games + tally.deals * tally.seats, moves + tally.moves[side], spent + tally.spent[side]
            if side == 0 or tally.seats == 2:
                won = tally.sums[1]
                victories, chances = victories + (won if side == 0 else tally.deals - won), chances + tally.deals
        ratings.append(
            Rating(
                bot.id, bot.version, elo + float(points[place]), elo + float(low[place]), elo + float(high[place]), games,
                victories / chances, spent / 1000 / max(1, moves), moves,
            )
        )  # fmt: skip
    matches = [tally.result(series.setting.game, one.id, two.id) for (one, two), tally in zip(series.bots, series.tallies, strict=True)]
    ratings.sort(key=lambda rating: (-rating.elo, rating.bot))
    return LadderResult(series.setting.game, series.setting.seats, anchor, tuple(ratings), tuple(matches))


def make_ladder(
    game_id: str,
    bots: Sequence[str | Policy],
    count: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    keep: Keep | None = None,
) -> Series:
    """Return a ladder that is yet to be run, as a series of all its matches. Raises as ``play_ladder`` does."""
    load("numpy", "a ladder")  # before anything is played
    seats = check_numbers(game_id, seats, count)
    raw = dict(options or {})
    games.get(game_id).parse_options(raw)
    names = [find_policy(game_id, bot).id for bot in bots]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError("a ladder is for two or more bots, each once")
    setting = Setting(game_id, seats, raw, pairings(bots, seats))
    return Series(setting, range(seed, seed + count // seats), keep=keep)


def play_ladder(
    game_id: str,
    bots: Sequence[str | Policy],
    count: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    processes: int | None = 1,
    options: Mapping[str, object] | None = None,
    anchor: str | None = None,
    elo: float = 0.0,
    keep: Keep | None = None,
) -> LadderResult:
    """Let every two of the bots play ``count`` games as ``play_match`` does, and rate them.

    The bot ``anchor`` (the first, if not said) is at ``elo``, the others where their results put them. With more than two seats every two
    bots play ``count`` games each way round. Raises as ``play_match`` does, also ``ValueError`` for fewer than two bots, one bot twice or
    an anchor that does not play, ``MissingExtra`` without numpy.
    """
    series = make_ladder(game_id, bots, count, seats=seats, seed=seed, options=options, keep=keep)
    if anchor not in (None, *(bot.id for pair in series.bots for bot in pair)):
        raise ValueError(f"the anchor {anchor} does not play")
    series.run(processes)
    return ladder_of(series, anchor, elo)
