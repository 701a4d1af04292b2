"""Ladders: ratings that find the strengths results came from, and intervals that hold them about as often as they say."""

from __future__ import annotations

import importlib
import math
import random
from pathlib import Path

import numpy as np
import pytest
from tests.arena.results import STRENGTH, made_up, played

from sandriver.arena import Keep, MissingExtra, head_of, play_ladder
from sandriver.arena.elo import share_of
from sandriver.arena.ladder import ladder_of, make_ladder, pairings
from sandriver.arena.play import Bot
from sandriver.arena.ratings import fit, rate_all
from sandriver.arena.tally import Tally

__all__ = ["played"]

BOTS = ["random", "apprentice", "ismcts:1", "ismcts:2"]


def truth(bot: str, anchor: str = "random") -> float:
    return 400 * math.log10(STRENGTH[bot] / STRENGTH[anchor])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_exact_shares_give_exact_ratings(seats: int) -> None:
    elos = [0.0, 120.0, -75.0, 800.0]
    named = [(str(one), str(two)) for one, two in pairings(["0", "1", "2", "3"], seats)]
    pairs = [(int(one), int(two)) for one, two in named]
    shares = np.array([[share_of(elos[one] - elos[two], seats) for one, two in pairs]])
    assert fit(pairs, 50 * shares, 50 * (1 - shares), seats, 0)[0] == pytest.approx(elos, abs=1e-6)
    assert fit(pairs, shares, 1 - shares, seats, 3)[0] == pytest.approx([elo - 800 for elo in elos], abs=1e-6)


def test_two_bots_have_the_rating_of_their_share() -> None:
    won = np.array([[3.0], [1.0]])
    assert fit([(0, 1)], won, 4 - won, 2, 0)[:, 1] == pytest.approx([-400 * math.log10(3), 400 * math.log10(3)])


@pytest.mark.parametrize("seats", [2, 3])
def test_a_ladder_finds_the_strengths(played: list[tuple[str, str, int]], seats: int) -> None:
    bots = BOTS if seats == 2 else ["random", "apprentice", "mcts:1"]
    game = "mandala" if seats == 2 else "stones"
    ladder = play_ladder(game, bots, 300 * seats, seats=seats)
    assert sorted(rating.bot for rating in ladder.ratings) == sorted(bots)
    assert len(ladder.matches) == math.comb(len(bots), 2) * (1 if seats == 2 else 2)
    assert len(played) == 300 * len(ladder.matches)
    for rating in ladder.ratings:
        assert rating.low <= rating.elo <= rating.high
        assert rating.elo == pytest.approx(truth(rating.bot), abs=60)  # shared victories pull together
        assert (rating.low == rating.high == rating.elo == 0) == (rating.bot == "random")
        assert 10 < rating.high - rating.low < 150 or rating.bot == "random"
        assert rating.games == 300 * seats * (len(bots) - 1) * (1 if seats == 2 else 2)
    assert [rating.elo for rating in ladder.ratings] == sorted((rating.elo for rating in ladder.ratings), reverse=True)


def test_the_anchor_is_where_it_is_put_and_the_others_keep_their_distance(played: list[tuple[str, str, int]]) -> None:
    plain = {rating.bot: rating for rating in play_ladder("mandala", BOTS, 60).ratings}
    moved = {rating.bot: rating for rating in play_ladder("mandala", BOTS, 60, anchor="ismcts:2", elo=1000).ratings}
    assert (moved["ismcts:2"].low, moved["ismcts:2"].elo, moved["ismcts:2"].high) == (1000, 1000, 1000)
    for bot in BOTS:
        assert moved[bot].elo - moved["random"].elo == pytest.approx(plain[bot].elo)
        assert (moved[bot].games, moved[bot].rate, moved[bot].moves) == (plain[bot].games, plain[bot].rate, plain[bot].moves)


def test_order_of_the_bots_and_number_of_processes_do_not_matter(played: list[tuple[str, str, int]]) -> None:
    one = {rating.bot: rating for rating in play_ladder("mandala", BOTS, 40).ratings}
    assert one == {rating.bot: rating for rating in play_ladder("mandala", BOTS, 40, processes=None).ratings}


def test_who_never_loses_has_a_rating_too_and_a_wide_interval() -> None:
    tallies = [Tally(2, 0, 50)]
    for seed in range(50):
        tallies[0].add(made_up(Bot("a", 1), Bot("b", 1), 2, seed, 1e9, draws=0))
    points, low, high = rate_all([(0, 1)], tallies, 1)
    assert points[0] == pytest.approx(400 * math.log10(50.5 / 0.5))
    assert low[0] < points[0] - 100
    assert points[0] + 100 < high[0] < 5000


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Forty ladders of three bots, two intervals each, 95 % promised."""
    rng, hits = random.Random(5), 0
    pairs, strengths = [(0, 1), (0, 2), (1, 2)], [1.0, 1.6, 3.0]
    for _ in range(40):
        tallies = [Tally(2, 0, 80) for _ in pairs]
        start = rng.randrange(10**9)
        for tally, (one, two) in zip(tallies, pairs, strict=True):
            for seed in range(80):
                deal = made_up(Bot(f"{one}-{start}", 1), Bot(f"{two}", 1), 2, seed, strengths[one] / strengths[two], draws=0)
                tally.add(deal)
        _, low, high = rate_all(pairs, tallies, 0, resamples=200)
        hits += sum(low[bot] <= 400 * math.log10(strengths[bot]) <= high[bot] for bot in (1, 2))
    assert 0.88 * 80 < hits <= 80


def test_more_deals_make_intervals_narrower(played: list[tuple[str, str, int]]) -> None:
    widths = [{r.bot: r.high - r.low for r in play_ladder("mandala", BOTS[:2], games).ratings}["apprentice"] for games in (20, 200, 2000)]
    assert widths[0] > 2 * widths[1] > 4 * widths[2]


def test_a_ladder_with_one_more_bot_plays_only_its_games(tmp_path: Path, played: list[tuple[str, str, int]]) -> None:
    head = head_of("mandala", 2, {})
    with Keep(tmp_path / "k.jsonl", head) as keep:
        play_ladder("mandala", BOTS[:3], 20, keep=keep)
    played.clear()
    with Keep(tmp_path / "k.jsonl", head) as keep:
        series = make_ladder("mandala", [BOTS[3], *BOTS[:3]], 20, keep=keep)
        series.run(1)
    assert {bot for pair in played for bot in pair[:1]} == {"ismcts:2"}
    assert (len(played), series.kept, series.deals) == (30, 30, 60)
    assert ladder_of(series) == play_ladder("mandala", [BOTS[3], *BOTS[:3]], 20)


def test_matches_of_a_ladder_advance_together(played: list[tuple[str, str, int]]) -> None:
    play_ladder("mandala", BOTS[:3], 6)
    assert [seed for _, _, seed in played] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_time_of_a_move_is_told(played: list[tuple[str, str, int]]) -> None:
    ladder = play_ladder("mandala", BOTS[:2], 10)
    assert {rating.bot: (rating.ms, rating.moves) for rating in ladder.ratings} == {"random": (0.05, 200), "apprentice": (0.1, 200)}


@pytest.mark.parametrize("bots", [["random"], [], ["random", "apprentice", "random"]])
def test_a_ladder_is_for_different_bots(bots: list[str]) -> None:
    with pytest.raises(ValueError, match="two or more bots, each once"):
        play_ladder("mandala", bots, 4)


def test_an_anchor_must_play(played: list[tuple[str, str, int]]) -> None:
    with pytest.raises(ValueError, match="anchor ismcts:1 does not play"):
        play_ladder("mandala", BOTS[:2], 4, anchor="ismcts:1")
    assert played == []


def test_without_the_extra_it_is_said_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch, played: list[tuple[str, str, int]]
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"a ladder needs numpy, which is not installed: pip install 'sandriver\[arena\]'"):
        play_ladder("mandala", BOTS, 4)
    assert played == []
