"""Ratings of several bots from their matches: Bradley-Terry strengths on the Elo scale, with intervals.

The likelihood is the one of Bradley and Terry (1952), a shared victory counting in parts; with more than two seats one seat stands
against all others, as in Luce's choice rule (see ``elo``). To every match one deal is added that is won as often as among equals, so that a
bot that never loses has a rating too. The intervals are those of the Bayesian bootstrap (Rubin 1981) over deals: every deal weighs at
random, exponentially distributed, the same number of a deal alike in all matches, since they share its luck. The added deals weigh at
random too, in parts, so a match that was won throughout does not look certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandriver.arena.tally import NOT_PLAYED, Tally, whole
from sandriver.extras import load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 1000
"""Bootstrap samples; the ends of an interval are the 25th and the 975th."""
CHUNK = 4096
"""Deals weighed at a time: memory stays the same however many there are."""
SEED = 20_261_130
"""Of the weights: the same deals, the same intervals."""
STEPS = 100
LARGEST_STEP = 2.0
"""Of a strength (natural logarithm) in one step of Newton's method, which from far away would overshoot."""


class Rating(msgspec.Struct, frozen=True):
    """A bot's place in a ladder."""

    bot: str
    version: int
    elo: float
    low: float
    high: float
    """95 % interval of ``elo``, the anchor being fixed."""
    games: int
    """Games in which it had one seat alone or all the others."""
    rate: float
    """Share of the victories over the games in which it had one seat (with two seats: over all of them)."""
    ms: float
    """Mean time of a move in milliseconds, also of those that leave no choice."""
    moves: int


def fit(pairs: Sequence[tuple[int, int]], won: Floats, lost: Floats, seats: int, anchor: int) -> Floats:
    """Return the maximum-likelihood Elo of each player.

    ``pairs``: of every match the players' numbers; ``won`` and ``lost`` (samples, matches): victories of the first and of the others, any
    unit. Result (samples, players), player ``anchor`` at 0. The matches must connect the players, and each must have both kinds of result.
    """
    numpy: Any = load("numpy", "a ladder")
    players = 1 + max(max(pair) for pair in pairs)
    free = [player for player in range(players) if player != anchor]
    design = numpy.zeros((len(pairs), players))
    for match, (one, two) in enumerate(pairs):
        design[match, one], design[match, two] = 1.0, -1.0
    design = design[:, free]
    games = won + lost
    strength = numpy.zeros((len(won), len(free)))
    for _ in range(STEPS):
        expected = 1 / (1 + (seats - 1) * numpy.exp(-(strength @ design.T)))
        slope = (won - games * expected) @ design
        curve = numpy.einsum("sm,mi,mj->sij", games * expected * (1 - expected), design, design)
        step = numpy.linalg.solve(curve, slope[..., None])[..., 0]
        step *= numpy.minimum(1.0, LARGEST_STEP / numpy.maximum(numpy.abs(step).max(axis=1, keepdims=True), 1e-300))
        strength += step
        if numpy.abs(step).max() < 1e-10:
            break
    result: Floats = numpy.zeros((len(won), players))
    result[:, free] = strength * (400 / numpy.log(10))
    return result


def rate_all(
    pairs: Sequence[tuple[int, int]], tallies: Sequence[Tally], anchor: int, *, resamples: int = RESAMPLES
) -> tuple[Floats, Floats, Floats]:
    """Return of each player the Elo (player ``anchor`` at 0) and the ends of its 95 % interval, each of shape (players,).

    Raises ``MissingExtra`` without numpy.
    """
    numpy: Any = load("numpy", "a ladder")
    seats = tallies[0].seats
    won, lost = _weighed(tallies, resamples, numpy)
    points = fit(pairs, won[:1], lost[:1], seats, anchor)[0]
    sampled = fit(pairs, won[1:], lost[1:], seats, anchor)
    low, high = numpy.quantile(sampled, (0.025, 0.975), axis=0)
    return points, numpy.minimum(low, points), numpy.maximum(high, points)


def _weighed(tallies: Sequence[Tally], resamples: int, numpy: Any) -> tuple[Floats, Floats]:
    """Won and lost deals by sample and match, the first sample with every weight 1."""
    seats, matches = tallies[0].seats, len(tallies)
    random = numpy.random.default_rng(SEED)
    won, lost = numpy.ones((2, 1 + resamples, matches))
    won[1:], lost[1:] = random.standard_exponential((2, resamples, matches))
    won /= seats
    lost *= (seats - 1) / seats
    scores = [numpy.frombuffer(tally.scores, dtype=numpy.int16) for tally in tallies]
    for start in range(0, len(scores[0]), CHUNK):
        part = numpy.stack([column[start : start + CHUNK] for column in scores], axis=1)
        weights = numpy.ones((1 + resamples, len(part)))
        weights[1:] = random.standard_exponential((resamples, len(part)))
        played = part != NOT_PLAYED
        share = numpy.where(played, part, 0) / (seats * whole(seats))
        won += weights @ share
        lost += weights @ (played - share)
    return won, lost
