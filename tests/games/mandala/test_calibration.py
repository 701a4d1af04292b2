"""Section 12: what uniformly random play looks like, as a check that the whole of the rules is as meant.

The published figures are rounded, so each is allowed half a unit of its last digit, and on top of it the sampling error of this
seeded sample: four standard errors, estimated from the sample itself.
"""

from __future__ import annotations

import math
from statistics import mean, stdev

import pytest

from sandriver.games.chance import RandomChance
from sandriver.games.mandala import MANDALA
from sandriver.games.mandala.wire import Claimed, Completed, Ended

GAMES = 1000
SIGMAS = 4.0


class Tally:
    """What is counted, one entry a game; of destructions one entry each."""

    def __init__(self) -> None:
        self.turns: list[float] = []
        self.destructions: list[float] = []
        self.claims: list[float] = []
        self.points: list[float] = []
        self.sixth: list[float] = []
        self.one_empty: list[float] = []
        self.both_empty: list[float] = []
        self.first_wins: list[float] = []


@pytest.fixture(scope="module")
def tally() -> Tally:
    """Random play with random deals, from fixed seeds, alternating the first seat."""
    counted = Tally()
    options = MANDALA.parse_options({})
    for seed in range(GAMES):
        first = seed % 2
        chance = RandomChance(seed)
        position = MANDALA.start(options, 2, first, chance)
        turns = destructions = claims = 0
        while position.outcome is None:
            legal = position.legal_actions
            transition = MANDALA.play(position, list(legal)[chance.draw([1] * len(legal))], chance)
            turns += position.claim is None
            claims += any(isinstance(event, Claimed) for event in transition.events)
            for event in transition.events:
                if isinstance(event, Completed):
                    fields = transition.after.fields[event.mandala]
                    destructions += 1
                    empty = 2 if event.first is None else sum(field.total == 0 for field in fields)
                    counted.one_empty.append(empty == 1)
                    counted.both_empty.append(empty == 2)
                if isinstance(event, Ended):
                    counted.sixth.append(event.outcome.reason == "sixth_colour")
            position = transition.after
        counted.turns.append(turns)
        counted.destructions.append(destructions)
        counted.claims.append(claims)
        counted.points.append(mean(position.scores))
        winners = position.outcome.winners
        counted.first_wins.append(0.5 if len(winners) == 2 else float(winners == (first,)))
    return counted


@pytest.mark.parametrize(
    ("name", "figure", "rounding"),
    [
        ("turns", 64, 1),
        ("destructions", 5.3, 0.05),
        ("claims", 18, 0.5),
        ("points", 23, 0.5),
        ("sixth", 1 / 3, 0.02),
        ("one_empty", 0.37, 0.005),
        ("both_empty", 0.017, 0.0005),
    ],
)
def test_random_play_is_as_expected(tally: Tally, name: str, figure: float, rounding: float) -> None:
    sample = getattr(tally, name)
    error = SIGMAS * stdev(sample) / math.sqrt(len(sample))
    assert abs(mean(sample) - figure) < rounding + error, f"{name}: {mean(sample):.4f}, expected {figure}, error {error:.4f}"
    assert error < max(0.06 * figure, 0.06), "the sample is too small to say anything"


def test_first_seat_has_a_small_advantage_at_most(tally: Tally) -> None:
    assert 0.47 < mean(tally.first_wins) < 0.57
