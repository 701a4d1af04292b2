"""Section 13: what greedy play looks like, as a loose check that the whole of the rules is as meant.

The rules text does not say which greedy player its figures are of; this one takes what pays most now and leaves most to score next time. So
the figures are met within a sixth or so, which is enough to see a rule that is plainly wrong.
"""

from __future__ import annotations

import os
import random
from statistics import mean
from typing import Any

import pytest
from tests.oracles import stones as oracle

from sandriver.games.chance import RandomChance
from sandriver.games.stones import STONES
from sandriver.games.stones.wire import Gathered

GAMES = 24
PATIENCE = 0.9
"""What a point that can be scored next time is worth now."""
pytestmark = [] if os.environ.get("SANDRIVER_FULL") else [pytest.mark.slow]


def prospect(board: tuple[str, ...]) -> int:
    """Points of the best colour on top of several towers."""
    towers = [list(tower) for tower in board]
    paid = [(oracle.colour(tower[-1]), oracle.value(towers, space, oracle.DEFAULT)) for space, tower in enumerate(towers) if tower]
    sums = [[points for colour, points in paid if colour == wanted] for wanted in "YRBP"]
    return max((sum(points) for points in sums if len(points) > 1), default=0)


def greedy(position: Any, rng: random.Random) -> Any:
    """The action that is worth most now; one of the best at random."""
    seat = position.to_move

    def worth(action: Any) -> tuple[float, float]:
        after = position.play(action).after
        return after.track[seat] - position.track[seat] + PATIENCE * prospect(after.boards[seat]), rng.random()

    return max(position.legal_actions, key=worth)


@pytest.mark.parametrize(("seats", "rounds", "points"), [(2, 20, 76), (3, 17, 62), (4, 15, 54)])
def test_greedy_play_is_as_expected(seats: int, rounds: int, points: int) -> None:
    ends: list[Any] = []
    gained: list[int] = []
    legal: list[int] = []
    for seed in range(GAMES):
        rng = random.Random(seed)
        position: Any = STONES.start(STONES.parse_options({}), seats, seed % seats, RandomChance(seed))
        while position.to_move is not None:
            legal.append(len(position.legal_actions))
            transition = position.play(greedy(position, rng))
            gained += [len(event.stones) for event in transition.events if isinstance(event, Gathered)]
            position = transition.after
        ends.append(position)
    assert mean(end.round for end in ends) == pytest.approx(rounds, rel=0.12)
    assert mean(score for end in ends for score in end.track) == pytest.approx(points, rel=0.12)
    assert mean(gained) == pytest.approx(1.85, rel=0.12)
    assert mean(legal) == pytest.approx(60, rel=0.3)
    assert 150 <= max(legal) <= 190
    assert sum(end.trigger == "B" for end in ends) <= 1
