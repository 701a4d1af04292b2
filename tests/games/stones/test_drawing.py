"""Drawings of Mandala Stones: every stone is there, in text and as a picture, and what is hidden stays so."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from sandriver.games.chance import RandomChance
from sandriver.games.stones import STONES
from sandriver.games.stones.view import split


def positions(seats: int) -> list[Any]:
    """Every seventh position of a random game, as everybody may see it and as it is."""
    rng, found = random.Random(seats), list[Any]()
    position: Any = STONES.start(STONES.parse_options({}), seats, 0, RandomChance(seats))
    for number in range(1000):
        if number % 7 == 0 or position.to_move is None:
            line = STONES.view(position, None).notation
            found += [position, STONES.parse_position(line, position.options)]
        if position.to_move is None:
            break
        wanted = rng.choice(["pick", "pick", "colour", "tops"])
        actions = list(position.legal_actions)
        position = position.play(rng.choice([action for action in actions if action.kind == wanted] or actions)).after
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_stone_is_drawn_and_only_known_patterns(seats: int) -> None:
    for position in positions(seats):
        piles = [*position.stacks, *[tower for board in position.boards for tower in board]]
        stones = [stone for pile in piles for stone in split(pile)]
        known = sum(len(stone) == 1 for stone in stones) + len(position.mandala)
        text, svg = position.draw(), position._repr_svg_()
        assert text.count("★") + text.count("●") == known + 4
        lattice = text.split("\n\n")[0]
        assert [lattice.count(f"[{mark}]") for mark in "★●"] == [2, 2]
        assert max(map(len, lattice.splitlines())) <= 63
        ET.fromstring(svg)
        assert svg.count('href="#stones-star"') + svg.count('href="#stones-circle"') == known + 4
        assert svg.count('href="#stones-stone-') == len(stones)
        assert str(position) in svg


def test_the_text_says_whose_turn_it_is_and_who_has_won() -> None:
    first, *_, last = [position.draw() for position in positions(3)[::2]]
    assert first.endswith("round 1; 1 to move")
    assert "over (end_space) in round" in last
    assert "  0 points | 1 -         2 -" in first
    spectator = positions(3)[1].draw()
    assert spectator.count("| ?") == 3
