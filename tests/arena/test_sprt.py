"""The sequential test: right as often as it promises, the same from both sides, and the same on any number of processes."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.results import played

from sandriver.arena import Sprt, play_match
from sandriver.arena.crew import Setting
from sandriver.arena.elo import elo_of, share_of
from sandriver.arena.match import make_match
from sandriver.arena.series import Series

__all__ = ["played"]


def deal(rng: random.Random, share: float, seats: int, draws: float, luck: float) -> float:
    """A deal's score where one seat gets ``share`` of the victories, some shared by two, with luck that the deal's games have in common."""
    shift = rng.choice((-luck, luck)) * min(share, 1 - share)
    score = 0.0
    for place in range(seats):
        chance = share + (shift if place % 2 else -shift)  # seats on both sides of the luck: as many, or one more
        if rng.random() < draws:
            score += 1 / seats if seats > 2 else 0.5
            continue
        score += rng.random() < (chance - draws / seats) / (1 - draws)
    return score / seats


def run(test: Sprt, rng: random.Random, elo: float, seats: int = 2, draws: float = 0.1, luck: float = 0.3) -> tuple[str, int]:
    share, total, squares = share_of(elo, seats), 0.0, 0.0
    for deals in range(1, 100_000):
        score = deal(rng, share, seats, draws, luck)
        total, squares = total + score, squares + score * score
        if accepted := test.judge(deals, total, squares, seats).accepted:
            return accepted, deals
    raise AssertionError("no end")


@pytest.mark.parametrize(
    ("elo0", "elo1", "draws", "luck"),
    [(0, 50, 0.1, 0.0), (-60, 60, 0.0, 0.5), (100, 200, 0.3, 0.2)],
    ids=["plain", "lucky deals", "draws"],
)
def test_errors_are_about_as_frequent_as_promised(elo0: float, elo1: float, draws: float, luck: float) -> None:
    """At the two hypotheses themselves, where errors are likeliest: 200 tests each, 0.05 promised, four deviations of tolerance."""
    test, rng, runs = Sprt(elo0, elo1), random.Random(7), 200
    most = 0.05 * runs + 4 * math.sqrt(0.05 * 0.95 * runs)
    for truth, wrong in ((elo0, "H1"), (elo1, "H0")):
        errors = sum(run(test, rng, truth, draws=draws, luck=luck)[0] == wrong for _ in range(runs))
        assert errors <= most


def test_with_more_seats_too() -> None:
    test, rng = Sprt(0, 150), random.Random(3)
    for truth, wrong in ((0, "H1"), (150, "H0")):
        assert sum(run(test, rng, truth, seats=4, draws=0.0)[0] == wrong for _ in range(150)) <= 0.05 * 150 + 4 * math.sqrt(
            0.05 * 0.95 * 150
        )


def test_what_is_clear_is_decided_sooner_and_a_stricter_test_takes_longer() -> None:
    rng = random.Random(1)

    def mean(test: Sprt, elo: float) -> float:
        return sum(run(test, rng, elo)[1] for _ in range(60)) / 60

    assert mean(Sprt(0, 100), 400) < mean(Sprt(0, 100), 100) < mean(Sprt(0, 100, 0.001, 0.001), 100)


scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60)


@given(scores, st.floats(-300, 300), st.floats(1, 300), st.floats(0.001, 0.4), st.floats(0.001, 0.4))
def test_the_other_side_sees_the_same_test_turned_round(seen: list[float], elo0: float, wide: float, alpha: float, beta: float) -> None:
    mirror = [1 - score for score in seen]
    one = Sprt(elo0, elo0 + wide, alpha, beta).judge(len(seen), sum(seen), sum(s * s for s in seen), 2)
    two = Sprt(-elo0 - wide, -elo0, beta, alpha).judge(len(seen), sum(mirror), sum(s * s for s in mirror), 2)
    assert two.llr == pytest.approx(-one.llr, abs=1e-9)
    assert (two.lower, two.upper) == pytest.approx((-one.upper, -one.lower))
    if min(abs(one.llr - one.lower), abs(one.llr - one.upper)) > 1e-6:
        assert {one.accepted: two.accepted} in ({"H0": "H1"}, {"H1": "H0"}, {None: None})


@given(scores)
def test_better_results_speak_for_the_higher_difference(seen: list[float]) -> None:
    test = Sprt(0, 50)
    llr = test.judge(len(seen), sum(seen), sum(s * s for s in seen), 2).llr
    middle = (share_of(0) + share_of(50)) / 2
    assert math.copysign(1, llr) == math.copysign(1, sum(seen) / len(seen) - middle)


def test_the_formula_by_hand() -> None:
    """Four deals of 0.75: with two won and two lost added, mean 0.625 and variance 0.19643 over eight."""
    found = Sprt(0, 100).judge(4, 3.0, 4 * 0.5625, 2)
    s1 = share_of(100)
    variance = (4 * 0.125**2 + 2 * 0.375**2 + 2 * 0.625**2) / 7
    assert found.llr == pytest.approx((s1 - 0.5) * (2 * 3.0 - 4 * (0.5 + s1)) / (2 * variance))
    assert [found.lower, found.upper] == pytest.approx([-2.944439, 2.944439])
    assert found.accepted is None


def test_bots_that_always_draw_are_found_equal_but_not_at_once() -> None:
    test = Sprt(0, 10)
    assert test.judge(1, 0.5, 0.25, 2).accepted is None
    assert test.judge(50, 25, 12.5, 2).accepted is None
    assert test.judge(400, 200, 100, 2).accepted == "H0"


@pytest.mark.parametrize(
    "numbers", [(10, 10), (10, 0), (math.nan, 1), (0, math.inf), (0, 5, 0), (0, 5, 0.05, 0.5), (0, 5, math.nan), (-5000, 0)]
)
def test_numbers_that_make_no_test_are_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"wanted|must be"):
        Sprt(*numbers)


def test_elo_and_share_are_inverse() -> None:
    for seats in (2, 3, 4):
        assert elo_of(1 / seats, seats) == pytest.approx(0, abs=1e-9)
        for elo in (-700.0, -1.0, 35.0, 400.0):
            assert elo_of(share_of(elo, seats), seats) == pytest.approx(elo)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_the_match_ends_where_the_test_does_and_counts_no_deal_behind(played: list[tuple[str, str, int]]) -> None:
    test = Sprt(0, 100)
    series = make_match("mandala", "apprentice", "random", 2000, sprt=test)
    series.run(1)
    assert series.verdict is not None
    assert series.verdict.accepted == "H1"
    assert series.verdict.deals == series.deals == len(played) < 200
    assert series.verdict.llr >= series.verdict.upper
    before = make_match("mandala", "apprentice", "random", 2 * (series.deals - 1), sprt=test)
    before.run(1)
    assert before.verdict is not None
    assert before.verdict.accepted is None
    result = series.tallies[0].result("mandala", "apprentice", "random")
    assert result == play_match("mandala", "apprentice", "random", 2 * series.deals)


def test_a_test_is_for_two_bots() -> None:
    with pytest.raises(ValueError, match="for two bots"):
        Series(Setting("mandala", 2, {}, (("random", "apprentice"), ("random", "random"))), range(2), sprt=Sprt(0, 1))
