"""A sequential test between two Elo differences: play until it is clear enough which one the match agrees with.

The generalised sequential probability ratio test as chess engines are tested with it, with the deal as the unit (there: a pair of games
on one opening, counted in five results). The log-likelihood ratio is approximated by the normal distribution with the variance that the
deals show: Michel Van den Bergh, "A Practical Introduction to the GSPRT", equation 2.1
(https://www.cantate.be/Fishtest/GSPRT_approximation.pdf); the bounds are those of Abraham Wald, "Sequential Tests of Statistical
Hypotheses", 1945. At least the spread of two won and two lost deals is assumed, so that a few deals alike do not decide.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from sandriver.arena.elo import share_of
from sandriver.arena.tally import spread

Verdict = Literal["H0", "H1"]


class SprtResult(msgspec.Struct, frozen=True):
    """Where a test stands."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    """Log-likelihood ratio of ``elo1`` against ``elo0``."""
    lower: float
    upper: float
    """Bounds: at or below ``lower`` H0 is accepted, at or above ``upper`` H1."""
    accepted: Verdict | None
    """``None``: undecided."""
    deals: int
    """Deals that were looked at, in the order of their numbers."""


class Sprt(msgspec.Struct, frozen=True):
    """A test of H0 (the first bot is better by ``elo0``) against H1 (by ``elo1``)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often H1 is accepted though H0 is true, about."""
    beta: float = 0.05
    """How often H0 is accepted though H1 is true, about."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for numbers that make no test."""
        if not -4000 <= self.elo0 < self.elo1 <= 4000:
            raise ValueError("two Elo differences from -4000 to 4000 are wanted, the smaller one first")
        if not (1e-6 <= self.alpha < 0.5 and 1e-6 <= self.beta < 0.5):
            raise ValueError("alpha and beta must be from 0.000001 to below 0.5")

    def judge(self, deals: int, total: float, squares: float, seats: int) -> SprtResult:
        """Return where the test stands after ``deals`` deals, by the sum of their scores (each 0..1) and of the scores' squares."""
        lower, upper = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        low, high = share_of(self.elo0, seats), share_of(self.elo1, seats)
        _, variance = spread(deals, total, squares, seats)
        llr = (high - low) * (2 * total - deals * (low + high)) / (2 * variance)
        accepted: Verdict | None = "H0" if llr <= lower else "H1" if llr >= upper else None
        return SprtResult(self.elo0, self.elo1, self.alpha, self.beta, llr, lower, upper, accepted, deals)
