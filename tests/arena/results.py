"""Made-up results for tests of what is done with them: deals that nobody played, from a given generator or by given odds."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandriver.arena import crew
from sandriver.arena.play import Bot, PlayedDeal, PlayedGame
from sandriver.bots.policy import Policy

STRENGTH = {"random": 1.0, "apprentice": 3.0, "ismcts:1": 2.0, "ismcts:2": 4.0, "ismcts:100": 2.0, "ismcts:1000": 4.0, "mcts:1": 2.0}
"""Odds among each other, of bots that exist, so that the command line knows them."""


def made_up(one: Bot, two: Bot, seats: int, seed: int, odds: float, draws: float = 0.1) -> PlayedDeal:
    """A deal in which the one seat wins with ``odds`` to 1 against each single other seat."""
    rng = random.Random(f"{one.id} {two.id} {seed}")
    games = []
    for place in range(seats):
        others = [seat for seat in range(seats) if seat != place]
        if rng.random() < draws:
            winners = tuple(range(seats))
        else:
            winners = (place,) if rng.random() < odds / (odds + seats - 1) else (rng.choice(others),)
        games.append(PlayedGame(winners, tuple(10 * (seat in winners) for seat in range(seats)), 40, "end"))
    return PlayedDeal((one, two), seed, tuple(games), (20 * seats, 20 * seats), (1000 * seats, 2000 * seats))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, int]]:
    """Deals of this process are made up; who was let play which is noted."""
    notes: list[tuple[str, str, int]] = []

    def instead(game: Any, one: Policy, two: Policy, seats: int, seed: int, options: Any) -> PlayedDeal:
        notes.append((one.id, two.id, seed))
        return made_up(Bot(one.id, one.version), Bot(two.id, two.version), seats, seed, STRENGTH[one.id] / STRENGTH[two.id])

    monkeypatch.setattr(crew, "play_deal", instead)
    return notes
