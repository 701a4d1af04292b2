"""Matches on paired deals: fair, repeatable, the same on one process or several, and summed up honestly."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence
from typing import Any

import pytest

from sandriver import games
from sandriver.arena import crew, play_match
from sandriver.arena.match import make_match
from sandriver.arena.play import Bot, PairedChance, PlayedDeal, PlayedGame, play_deal
from sandriver.arena.tally import MatchResult, Tally, interval
from sandriver.games.errors import OptionError


def test_a_bot_against_itself_wins_exactly_half() -> None:
    """Seats swapped on the same deal with the same minds: the two games of a pair are one game seen from both sides."""
    result = play_match("mandala", "random", "random", 20, seed=5)
    assert result.rate == 0.5
    assert result.wins == result.losses
    assert result.points[0] == result.points[1]
    assert result.low < 0.5 < result.high


def test_a_match_is_a_function_of_its_arguments() -> None:
    once = play_match("mandala", "random", "apprentice", 4, seed=3)
    assert once == play_match("mandala", "random", "apprentice", 4, seed=3)
    assert once != play_match("mandala", "random", "apprentice", 4, seed=4)


def test_both_sides_of_a_match_add_up() -> None:
    one = play_match("mandala", "apprentice", "random", 8, seed=2)
    two = play_match("mandala", "random", "apprentice", 8, seed=2)
    assert (one.wins, one.draws, one.losses) == (two.losses, two.draws, two.wins)
    assert one.wins + one.draws + one.losses == one.games == sum(one.reasons.values()) == 8
    assert one.points == two.points[::-1]


class Noting:
    """A random policy that notes who acts from which seat."""

    version, game = 1, None

    def __init__(self, name: str, notes: list[tuple[str, int]]) -> None:
        self.id, self.notes = name, notes

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        self.notes.append((self.id, view.viewer))
        return rng.choice(legal)


@pytest.mark.parametrize(("game_id", "seats"), [("mandala", 2), ("stones", 3), ("stones", 4)])
def test_a_deal_is_played_once_from_each_seat_and_another_begins_the_next(game_id: str, seats: int) -> None:
    game, notes = games.get(game_id), list[tuple[str, int]]()
    for seed in range(seats):
        notes.clear()
        deal = play_deal(game, Noting("one", notes), Noting("two", notes), seats, seed, game.parse_options({}))
        assert (deal.seed, len(deal.games)) == (seed, seats)
        assert deal.moves == (sum(who == "one" for who, _ in notes), sum(who == "two" for who, _ in notes))
        assert min(deal.spent) > 0
        for place, played in enumerate(deal.games):
            acted, notes = notes[: played.plies], notes[played.plies :]
            assert acted[0][1] == seed % seats
            assert {seat for who, seat in acted if who == "one"} == {place}
            assert {seat for who, seat in acted if who == "two"} == set(range(seats)) - {place}
        assert notes == []


@pytest.mark.parametrize("seats", [3, 4])
def test_equal_bots_share_the_victories_whoever_begins(seats: int) -> None:
    result = play_match("stones", "random", "random", 6 * seats, seats=seats, seed=3)
    assert result.rate == pytest.approx(1 / seats)
    assert result.points[0] == pytest.approx(result.points[1])
    assert result.wins + result.draws + result.losses == result.games == 6 * seats
    assert result.low < 1 / seats < result.high


def summed(deals: Sequence[Sequence[PlayedGame]]) -> MatchResult:
    tally = Tally(len(deals[0]), 0, len(deals))
    for seed, played in enumerate(deals):
        tally.add(PlayedDeal((Bot("a", 1), Bot("b", 1)), seed, tuple(played), (1, 1), (0, 0)))
    return tally.result("stones", "a", "b")


def test_a_shared_victory_counts_by_the_number_of_winners() -> None:
    def game(*winners: int) -> PlayedGame:
        return PlayedGame(winners, (5, 5, 2), 10, "end")

    result = summed([(game(0), game(0, 1), game(0, 1, 2)), (game(1, 2), game(0), game(2))])
    assert (result.wins, result.draws, result.losses) == (2, 2, 2)
    assert result.rate == pytest.approx((1 + 1 / 2 + 1 / 3 + 0 + 0 + 1) / 6)
    assert result.points == (4.0, 4.0)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("winner", [0, 1, None], ids=["all won", "all lost", "won in turn"])
@pytest.mark.parametrize("deals", [1, 2, 50, 400])
def test_the_interval_holds_the_rate_it_is_of(seats: int, winner: int | None, deals: int) -> None:
    def game(place: int, deal: int) -> PlayedGame:
        first_wins = winner == 0 or (winner is None and deal % 3 == 0)
        won = place if first_wins else (place + 1) % seats
        return PlayedGame((won,), (0,) * seats, 10, "end")

    result = summed([[game(place, deal) for place in range(seats)] for deal in range(deals)])
    assert 0.0 <= result.low <= result.rate <= result.high <= 1.0
    assert result.low < result.high
    assert (result.rate == result.high == 1.0) == (winner == 0 or (winner is None and deals == 1))
    assert (result.rate == result.low == 0.0) == (winner == 1)


def interval_of(scores: Sequence[float], seats: int = 2) -> tuple[float, float]:
    return interval(len(scores), sum(scores), sum(score * score for score in scores), seats)


def test_more_deals_make_the_interval_narrower() -> None:
    widths = [high - low for low, high in (interval_of([1.0, 0.5] * n, 3) for n in (1, 5, 50, 500))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.05


class Last:
    """A policy of one's own: the last legal action."""

    id, version, game = "last", 1, "mandala"

    def choose(self, view: object, legal: Sequence[str], rng: random.Random) -> str:
        return legal[-1]


@pytest.mark.parametrize("processes", [1, 2])
def test_a_policy_of_ones_own_plays_and_processes_change_nothing_but_the_time(processes: int) -> None:
    result = play_match("mandala", Last(), "random", 4, options={"stall_limit": 3}, processes=processes)
    assert result.bots == ("last", "random")
    assert result.games == 4
    assert result == play_match("mandala", Last(), "random", 4, options={"stall_limit": 3})


def test_a_policy_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="last plays mandala, not stones"):
        play_match("stones", "random", Last(), 4)


def test_options_reach_the_game() -> None:
    result = play_match("mandala", "random", "random", 10, options={"stall_limit": 1})
    assert result.reasons == {"stall": 10}


@pytest.mark.parametrize("count", [-2, 0, 1, 7])
def test_a_deal_is_played_twice_or_not_at_all(count: int) -> None:
    with pytest.raises(ValueError, match="even"):
        play_match("mandala", "random", "random", count)


@pytest.mark.parametrize(("seats", "count"), [(3, 10), (3, 0), (4, 6), (4, 2)])
def test_a_deal_is_played_from_every_seat_or_not_at_all(seats: int, count: int) -> None:
    with pytest.raises(ValueError, match=f"multiple of {seats}"):
        play_match("stones", "random", "random", count, seats=seats)


@pytest.mark.parametrize(("game", "seats", "known"), [("mandala", 3, "for 2 seats"), ("stones", 5, "for 2, 3 or 4 seats")])
def test_a_number_of_seats_that_a_game_does_not_know_is_refused(game: str, seats: int, known: str) -> None:
    with pytest.raises(ValueError, match=known):
        play_match(game, "random", "random", 60, seats=seats)


def test_unknown_names_and_options_are_refused() -> None:
    for names in (("chess", "random", "random"), ("mandala", "nobody", "random"), ("mandala", "random", "nobody")):
        with pytest.raises(KeyError):
            play_match(*names, 2)
    with pytest.raises(OptionError):
        play_match("mandala", "random", "random", 2, options={"nonsense": 1})


def test_paired_chance_deals_in_proportion_and_never_what_is_not_there() -> None:
    counts = [0, 0, 0]
    chance = PairedChance(1)
    for _ in range(6000):
        counts[chance.draw((1, 0, 2))] += 1
    assert counts[1] == 0
    assert 1850 < counts[0] < 2150


def test_paired_chance_keeps_the_deal_of_a_seat() -> None:
    game = games.get("mandala")
    options = game.parse_options({})
    assert game.start(options, 2, 0, PairedChance(9)) == game.start(options, 2, 0, PairedChance(9))
    assert game.start(options, 2, 0, PairedChance(9)) != game.start(options, 2, 0, PairedChance(10))


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = random.Random(1)
    for truth in (0.5, 0.9, 0.99):
        hits = 0
        for _ in range(400):
            low, high = interval_of([(float(rng.random() < truth) + float(rng.random() < truth)) / 2 for _ in range(100)])
            assert 0 <= low < high <= 1
            hits += low <= truth <= high
        assert hits > 0.92 * 400


def test_a_long_match_takes_two_bytes_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    games = (PlayedGame((0,), (3, 1), 20, "end"), PlayedGame((0, 1), (2, 2), 30, "stall"))

    def instead(game: object, one: object, two: object, seats: int, seed: int, options: object) -> PlayedDeal:
        return PlayedDeal((Bot("random", 1), Bot("apprentice", 1)), seed, games, (20, 30), (40, 50))

    monkeypatch.setattr(crew, "play_deal", instead)

    def peak(deals: int) -> int:
        series = make_match("mandala", "random", "apprentice", 2 * deals)
        tracemalloc.start()
        series.run(1)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert series.deals == deals
        return most + len(series.tallies[0].scores) * series.tallies[0].scores.itemsize

    peak(10)
    short, long = peak(1000), peak(6000)
    assert long - short < 2.5 * 5000
