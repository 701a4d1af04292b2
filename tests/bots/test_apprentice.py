"""The apprentice: clearly better than random, quick, and every rule of thumb shows in the move it makes."""

from __future__ import annotations

import os
import random
import re
import time
from typing import Any

import pytest
from tests.positions import make

from sandriver import bots, games
from sandriver.arena import play_match
from sandriver.games.chance import RandomChance

MANDALA = games.get("mandala")
APPRENTICE = bots.get("mandala", "apprentice")


def choose(*parts: str, **rest: str) -> str:
    """What it plays in a position."""
    position = make(*parts, **rest)
    view: Any = MANDALA.view(position, position.to_move, assist=True)
    return APPRENTICE.choose(view, view.legal, random.Random(0))


def test_it_beats_random_play() -> None:
    result = play_match("mandala", "apprentice", "random", 40, seed=100)
    assert result.rate >= 0.95
    assert result.points[0] > 2 * result.points[1]


@pytest.mark.slow
def test_it_beats_random_play_in_a_thousand_paired_games() -> None:
    result = play_match("mandala", "apprentice", "random", 1000, processes=os.cpu_count() or 1)
    assert result.rate >= 0.99
    assert result.low >= 0.95


def test_a_decision_takes_about_a_millisecond() -> None:
    """Measured on the processor's clock and with a wide margin, so that a busy machine does not fail it."""
    rng = random.Random(3)
    views: list[Any] = []
    chance = RandomChance(3)
    position: Any = MANDALA.start(MANDALA.parse_options({}), 2, 0, chance)
    while position.to_move is not None:
        view: Any = MANDALA.view(position, position.to_move, assist=True)
        views.append(view)
        position = MANDALA.play(position, MANDALA.parse_action(APPRENTICE.choose(view, view.legal, rng)), chance).after
    began = time.process_time()
    for view in views:
        APPRENTICE.choose(view, view.legal, rng)
    assert (time.process_time() - began) / len(views) < 0.01


def test_it_completes_what_pays_and_claims_in_good_order() -> None:
    assert choose("K1G3P3/Y2/O1", "K2/-/-", "R1K1P1/K3", rivers="YKGP/-") in {"b1R", "f1R1"}
    assert choose("K1G3P1/Y2R1/O1", "K2/-/-", "K2/K3", rivers="PYG/K", turn="A*1A") == "cG"


def test_it_fights_for_the_majority_before_it_completes() -> None:
    assert choose("K1G3P3/Y1/O3", "K2/-/-", "R1Y3K1/K3", rivers="YO/RKGP").startswith("f1Y")


def test_with_an_empty_field_it_bins_what_the_other_wants_most() -> None:
    assert choose("K1G2P3/-/Y1O1", "K2/-/-", "R1K2/K3", rivers="G/KYRP", cups="Y1O1+-/K1G1+-", turn="A*1B") == "cP"


def test_it_does_not_open_the_colour_of_its_dealt_cards_on_a_low_place() -> None:
    assert choose("K1G1/Y1P1/O1R1", "K2/-/-", "R1K2/K3", cups="K2+-/G1Y1+-", turn="A*1B") == "cG"
    assert choose("K1G1/Y1P1/O1R1", "K2/-/-", "R1K2/K3", cups="G2+-/K1Y1+-", turn="A*1B") == "cK"


def test_it_ends_the_game_when_ahead_and_not_when_behind() -> None:
    claim = ("G1R1/P1Y1O1/K1", "K2/-/-", "R1K2/K3")
    ahead, behind = "K1G1+Y2O1/K1Y1+-", "K1G1+-/Y1O1+G5P5Y3"
    assert choose(*claim, rivers="KPYOG/GPY", cups=ahead, turn="A*1B") == "cR"
    assert choose(*claim, rivers="KPYOG/GPY", cups=behind, turn="A*1B") == "cG"


def test_singles_go_to_mountains_and_sets_to_fields() -> None:
    assert re.fullmatch(r"b[12][YO]|f[12]P[234]", choose("K2/-/-", "G2/-/-", "P4Y1O1/K3R3"))


def test_blocked_cards_are_redrawn() -> None:
    assert choose("K1G1/P3/R2", "K1G1/P3/R2", "R3/K3") == "dR3"
