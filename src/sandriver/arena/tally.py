"""Summing up played deals: whole numbers only, so that neither their order nor their number matters to result or memory.

A victory is counted in fractions that every number of winners divides, and a deal's score is the sum over its games. Besides the sums,
two bytes a deal are kept: its score, which also says that it has been played.
"""

from __future__ import annotations

import math
from array import array

import msgspec

from sandriver.arena.play import PlayedDeal

Z95 = 1.959963984540054
NOT_PLAYED = -1


class MatchResult(msgspec.Struct, frozen=True):
    """A match as seen by its first bot. A pure function of what was played: it does not hold times."""

    game: str
    bots: tuple[str, str]
    seats: int
    """Seats a game: one for the first bot, all others for the second."""
    games: int
    wins: int
    draws: int
    """Games whose victory was shared."""
    losses: int
    rate: float
    """Share of the victories: a win counts 1, one shared by ``n`` seats counts 1/``n`` (with two seats, a draw: one half)."""
    low: float
    high: float
    """95 % interval of ``rate``."""
    points: tuple[float, float]
    """Mean points a game and seat by bot."""
    plies: float
    """Mean number of actions a game."""
    reasons: dict[str, int]
    """How many games ended by which rule."""


def whole(seats: int) -> int:
    """Parts of a victory that any number of winners divides.

    >>> whole(2), whole(3), whole(4)
    (2, 6, 12)
    """
    return math.lcm(*range(1, seats + 1))


def score_of(deal: PlayedDeal) -> int:
    """A deal's score for its first bot, from 0 to ``seats * whole(seats)``."""
    part = whole(len(deal.games))
    return sum(part // len(game.winners) for place, game in enumerate(deal.games) if place in game.winners)


def interval(count: int, total: float, squares: float, seats: int = 2) -> tuple[float, float]:
    """Return a 95 % interval of the mean of ``count`` deal scores (each 0..1), given their sum and the sum of their squares.

    The mean itself is always in it. Wilson's score interval, with the deal as the unit, because its games share their luck: ``n`` deals
    that differ less than won and lost ones would are worth more than ``n``. How much they differ is estimated as ``spread`` says.
    """
    mean = total / count
    middle, variance = spread(count, total, squares, seats)
    n = count / min(1.0, variance / (middle * (1 - middle)))
    centre = mean + Z95**2 / (2 * n)
    half = Z95 * math.sqrt(max(0.0, mean * (1 - mean)) / n + (Z95 / (2 * n)) ** 2)
    low, high = (centre - half) / (1 + Z95**2 / n), (centre + half) / (1 + Z95**2 / n)
    return max(0.0, min(mean, low)), min(1.0, max(mean, high))


def spread(count: int, total: float, squares: float, seats: int) -> tuple[float, float]:
    """Return mean and variance of deal scores, with two won deals and for each other seat two lost ones added.

    After Agresti and Coull: so that a few deals that happen to be alike are not taken for certainty. ``count`` may be 0.
    """
    n, total, squares = count + 2 * seats, total + 2, squares + 2
    return total / n, (squares - total * total / n) / (n - 1)


class Tally:
    """What the deals of one match add up to, for its first bot."""

    def __init__(self, seats: int, seed: int, deals: int) -> None:
        """``seed``: number of the first deal; ``deals``: how many may come."""
        self.seats, self.seed = seats, seed
        self.scores = array("h", [NOT_PLAYED]) * deals
        """By deal its score in ``whole(seats)`` parts of a victory a game, or ``NOT_PLAYED``."""
        self.deals, self.total, self.squares = 0, 0, 0
        self.wins = self.draws = self.losses = self.plies = 0
        self.points, self.moves, self.spent = [0, 0], [0, 0], [0, 0]
        self.reasons: dict[str, int] = {}

    def has(self, seed: int) -> bool:
        """Whether a deal was counted (or is none of this match)."""
        return not 0 <= seed - self.seed < len(self.scores) or self.scores[seed - self.seed] != NOT_PLAYED

    def add(self, deal: PlayedDeal) -> None:
        """Count a deal that ``has`` does not know."""
        score = score_of(deal)
        self.scores[deal.seed - self.seed] = score
        self.deals, self.total, self.squares = self.deals + 1, self.total + score, self.squares + score * score
        for place, game in enumerate(deal.games):
            self.wins += game.winners == (place,)
            self.draws += place in game.winners and len(game.winners) > 1
            self.losses += place not in game.winners
            self.plies += game.plies
            self.points[0] += game.points[place]
            self.points[1] += sum(game.points) - game.points[place]
            self.reasons[game.reason] = self.reasons.get(game.reason, 0) + 1
        for bot in (0, 1):
            self.moves[bot] += deal.moves[bot]
            self.spent[bot] += deal.spent[bot]

    @property
    def sums(self) -> tuple[int, float, float]:
        """Number of deals, sum of their scores (each 0..1) and sum of the squares."""
        best = self.seats * whole(self.seats)
        return self.deals, self.total / best, self.squares / best**2

    def result(self, game: str, one: str, two: str) -> MatchResult:
        """Return the match so far. Raises ``ValueError`` when nothing has been played."""
        if not self.deals:
            raise ValueError("no deal has been played")
        games = self.deals * self.seats
        low, high = interval(*self.sums, self.seats)
        return MatchResult(
            game=game,
            bots=(one, two),
            seats=self.seats,
            games=games,
            wins=self.wins,
            draws=self.draws,
            losses=self.losses,
            rate=self.sums[1] / self.deals,
            low=low,
            high=high,
            points=(self.points[0] / games, self.points[1] / (games * (self.seats - 1))),
            plies=self.plies / games,
            reasons=dict(sorted(self.reasons.items())),
        )
