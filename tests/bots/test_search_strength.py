"""What searching longer, and looking better, is worth: fixed deals and seeds, with wide margins; the larger matches are slow."""

from __future__ import annotations

import os

import pytest

from sandriver import bots
from sandriver.arena import Sprt, play_match
from sandriver.arena.match import make_match
from sandriver.bots import mandala_search
from sandriver.games import kernels

compiled = pytest.mark.skipif(not kernels.is_compiled(mandala_search), reason="uncompiled, a match of searches takes very long")


@compiled
@pytest.mark.parametrize(
    ("game_id", "much", "little"),
    [("mandala", "ismcts-sums:300", "ismcts-sums:10"), ("stones", "mcts-sums:150", "mcts-sums:8")],
)
def test_it_beats_its_own_lower_budget(game_id: str, much: str, little: str) -> None:
    """The arena's sequential test takes it for much better than equal before the games are over."""
    series = make_match(game_id, much, little, 60, seed=500, sprt=Sprt(0, 200, alpha=0.1, beta=0.1))
    series.run(1)
    assert series.verdict is not None
    assert series.verdict.accepted == "H1"


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "much", "little"),
    [
        ("mandala", "ismcts:2000", "ismcts:200"),
        ("mandala", "ismcts-sums:2000", "ismcts-sums:200"),
        ("stones", "mcts:2000", "mcts:200"),
        ("stones", "mcts-sums:1000", "mcts-sums:100"),
    ],
)
def test_ten_times_the_iterations_are_surely_better(game_id: str, much: str, little: str) -> None:
    assert play_match(game_id, much, little, 100, processes=os.cpu_count() or 1).low > 0.55


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "search"), [("mandala", "ismcts-sums:5000"), ("stones", "mcts-sums:2000")])
def test_with_sums_it_is_surely_better_than_the_apprentice(game_id: str, search: str) -> None:
    assert play_match(game_id, search, bots.get(game_id, "apprentice"), 100, processes=os.cpu_count() or 1).low > 0.6


@compiled
@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_among_apprentices_it_wins_more_than_its_share(seats: int) -> None:
    result = play_match("stones", "mcts-sums:1000", "apprentice", 20 * seats, seats=seats, processes=os.cpu_count() or 1)
    assert result.low > 1 / seats
