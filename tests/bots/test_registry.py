"""The registry of bots: which there are for a game, and that each keeps to the policy protocol."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from sandriver import bots, games
from sandriver.games.chance import RandomChance

pairs = [(game_id, bot.id) for game_id in games.GAMES for bot in bots.for_game(game_id)]


LONG = ("journeyman", "master", "champion")
"""Bots that search for long: asked only here and there."""


def test_every_game_has_the_random_bot_and_a_better_one_first() -> None:
    for game_id in games.GAMES:
        ids = [bot.id for bot in bots.for_game(game_id)]
        assert "random" in ids
        assert len(ids) == len(set(ids)) >= 2
        assert ids[0] != "random"
        assert all(bots.get(game_id, bot_id).id == bot_id for bot_id in ids)


@pytest.mark.parametrize(("game_id", "bot_id"), [("mandala", "nobody"), ("mandala", ""), ("chess", "apprentice")])
def test_an_unknown_bot_is_a_key_error(game_id: str, bot_id: str) -> None:
    with pytest.raises(KeyError):
        bots.get(game_id, bot_id)


@pytest.mark.parametrize(("game_id", "bot_id"), pairs)
def test_a_bot_names_a_legal_action_and_chooses_alike_from_what_looks_alike(game_id: str, bot_id: str) -> None:
    """The copy of the view comes back from JSON, so that nothing but what a browser would get too can be used."""
    game, bot = games.get(game_id), bots.get(game_id, bot_id)
    assert bot.version >= 1
    for seed in range(1 if bot_id in LONG else 3):
        chance, rng, seats = RandomChance(seed), random.Random(seed), list(game.seat_counts)[seed % len(game.seat_counts)]
        position: Any = game.start(game.parse_options({}), seats, seed % 2, chance)
        while position.to_move is not None:
            if bot_id in LONG and rng.random() < 0.95:
                position = game.play(position, rng.choice(position.legal_actions), chance).after
                continue
            view: Any = game.view(position, position.to_move, assist=True)
            copy: Any = msgspec.json.decode(msgspec.json.encode(view), type=game.view_type)
            text = bot.choose(view, view.legal, random.Random(seed))
            assert text in view.legal
            assert bot.choose(copy, list(copy.legal), random.Random(seed)) == text
            position = game.play(position, game.parse_action(text), chance).after
