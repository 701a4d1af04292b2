"""The apprentice of Mandala Stones: clearly better than random with any number of seats, quick, and its rules of thumb show."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from typing import Any

import pytest

from sandriver import bots, games
from sandriver.arena import play_match
from sandriver.bots.stones_sums import Sums
from sandriver.games.chance import RandomChance

STONES = games.get("stones")
APPRENTICE = bots.get("stones", "apprentice")
CARDS = "keep_star+spire/keep_red+palette"


def make(own: str, *, other: str = "-,-,-,-,-", placed: int = 0, scores: str = "0/0", cards: str = CARDS, last: bool = False) -> Any:
    """A position in which the second player is to move; what lies nowhere else lies in the mandala and on the stacks, two kinds in turn."""
    left = Counter(dict.fromkeys("YRBPyrbp", 12))
    left -= Counter(stone for stone in own + other if stone.isalpha())
    rest = [stone for _ in range(12) for stone in "YrBpyRbP" if left[stone] and not left.subtract(stone)]
    mandala, rest = "".join(rest[:placed]) or "-", rest[placed:]
    stacks = [rest[n::24] for n in range(24)]
    board, flags = ",".join("".join(stack) or "-" for stack in stacks), f"{'A' if last else 0}/9/1"
    line = f"{board} A2+A6/A4+A8 {other}/{own} {mandala} {scores} {cards} 2 {flags}"
    return STONES.parse_position(line, STONES.parse_options({}))


def choose(*parts: str, **rest: Any) -> str:
    """What it plays in a position."""
    position = make(*parts, **rest)
    view: Any = STONES.view(position, position.to_move, assist=True)
    return APPRENTICE.choose(view, view.legal, random.Random(0))


def sums(*parts: str, **rest: Any) -> Sums:
    """How it weighs boards in a position."""
    view: Any = STONES.view(make(*parts, **rest), 1, assist=True)
    return Sums(view)


@pytest.mark.parametrize(("seats", "count"), [(2, 40), (3, 18), (4, 16)])
def test_it_beats_random_play(seats: int, count: int) -> None:
    result = play_match("stones", "apprentice", "random", count, seats=seats, seed=100)
    assert result.rate >= 0.95
    assert result.points[0] > 2 * result.points[1]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "count"), [(2, 1000), (3, 999), (4, 1000)])
def test_it_beats_random_play_in_a_thousand_paired_games(seats: int, count: int) -> None:
    result = play_match("stones", "apprentice", "random", count, seats=seats, processes=os.cpu_count() or 1)
    assert result.rate >= 0.99
    assert result.low >= 0.95


@pytest.mark.parametrize("seats", [3, 4])
def test_among_its_like_it_wins_its_share(seats: int) -> None:
    result = play_match("stones", "apprentice", "apprentice", 2 * seats, seats=seats)
    assert result.rate == pytest.approx(1 / seats)
    assert result.points[0] == pytest.approx(result.points[1])


def test_a_decision_takes_about_a_millisecond() -> None:
    """Measured on the processor's clock and with a wide margin, so that a busy machine does not fail it."""
    rng, views = random.Random(3), list[Any]()
    position: Any = STONES.start(STONES.parse_options({}), 2, 0, RandomChance(3))
    while position.to_move is not None:
        view: Any = STONES.view(position, position.to_move, assist=True)
        views.append(view)
        position = STONES.replay(position, APPRENTICE.choose(view, view.legal, rng)).after
    began = time.process_time()
    for view in views:
        APPRENTICE.choose(view, view.legal, rng)
    assert (time.process_time() - began) / len(views) < 0.015


def test_a_colour_on_two_towers_beats_all_five_tops() -> None:
    assert choose("Y,Y,r,bR,p") == "sY"
    assert choose("r,bR,p,BRYP,RYbP") == "sP"


def test_without_a_pair_it_picks_and_does_not_sell_its_tops() -> None:
    assert choose("Y,-,r,-,-").startswith("p")
    assert choose("-,-,-,-,-").startswith("p")


def test_it_lays_colours_so_that_they_surface_together() -> None:
    weighed = sums("Y,-,y,-,-")
    assert weighed.with_tower(4, "RY") > weighed.with_tower(4, "YR")
    below = sums("RB,-,rb,-,-")
    assert below.with_tower(4, "RB") > below.with_tower(4, "YP")


def test_tall_picks_go_to_the_tall_space_and_single_stones_to_the_low_one() -> None:
    weighed = sums("Y,-,y,-,-")
    assert weighed.with_tower(4, "RBPY") > weighed.with_tower(2, "RBPY")
    assert weighed.with_tower(2, "Y") > weighed.with_tower(4, "Y")


def test_it_ends_the_game_when_ahead_and_not_when_behind() -> None:
    board = "Y,y,r,-,-"
    assert choose(board, placed=38, scores="20/60") == "sY"
    assert choose(board, placed=38, scores="60/20") != "sY"


def test_its_last_turn_is_for_the_better_objective() -> None:
    assert choose("YyYy,-,-,-,-", placed=48, cards="keep_star+spire/keep_yellow+palette", last=True).startswith("p")
    assert choose("Y,R,B,-,-", placed=48, cards="keep_circle+spire/open_space+keep_star", last=True) == "q123"


def test_it_knows_other_rulesets_by_what_their_actions_pay() -> None:
    """A foreign ruleset may have cards and prices it has never seen; it still plays, by the choices of its view."""
    raw: Any = STONES.format_options(STONES.parse_options({}))["ruleset"]
    for card in raw["objectives"]["cards"]:
        card["id"] = f"other_{card['id']}"
    raw["score_tops"]["each"] = 9
    position: Any = STONES.start(STONES.parse_options({"ruleset": raw}), 2, 0, RandomChance(1))
    rng, played = random.Random(1), Counter[str]()
    while position.to_move is not None:
        view: Any = STONES.view(position, position.to_move, assist=True)
        text = APPRENTICE.choose(view, view.legal, rng)
        played[text[0]] += 1
        position = STONES.replay(position, text).after
    assert played["q"] > played["s"]
