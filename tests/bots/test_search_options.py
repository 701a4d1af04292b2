"""Searches look ahead by the rules of the game that they play in: options that a view does not tell reach them from every side."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from tests.bots.test_search import KINDS, SOURCE, USED, every_game, every_kind, facts, views

from sandriver import bots, games
from sandriver.arena import play_match
from sandriver.bots import search_bot
from sandriver.bots.levels import Searcher
from sandriver.bots.policy import for_options
from sandriver.envs.gym import SeatEnv


def shorter() -> dict[str, Any]:
    """A ruleset of Mandala Stones that ends early and pays tops otherwise."""
    game = games.get("stones")
    raw: Any = game.format_options(game.parse_options({}))["ruleset"]
    raw["score_tops"]["each"] = 3
    raw["mandala"]["end"] = {"2": 12, "3": 20, "4": 30}
    return {"ruleset": raw}


UNUSUAL: list[tuple[str, dict[str, Any]]] = [
    ("mandala", {"exhaustion": "lazy"}),
    ("stones", {"tiebreak": "fewest_stones_left"}),
    ("stones", shorter()),
]
unusual = pytest.mark.parametrize(("game_id", "raw"), UNUSUAL, ids=["lazy", "tiebreak", "ruleset"])


@unusual
def test_options_change_what_is_found_alike_in_both_forms(game_id: str, raw: dict[str, Any]) -> None:
    """Over a few views of a game by these options; the bot finds what a search that is made with them does."""
    options = games.get(game_id).parse_options(raw)
    name = "ismcts" if game_id == "mandala" else "mcts"
    usual = search_bot.parse(game_id, f"{name}:150")
    bot = for_options(usual, options)
    assert isinstance(bot, search_bot.SearchBot)
    assert (bot.id, bot.version, bot.game) == (usual.id, usual.version, usual.game)
    differ = 0
    for view in views(game_id, 3, step=9, **raw)[-4:]:
        found = bot.analyse(view, seed=1)
        assert facts(found) == facts(USED[game_id].Search(options=options).run(view, iterations=150, seed=1))
        differ += facts(found) != facts(usual.analyse(view, seed=1))
    assert differ
    compiled, source = (form[game_id].Search(options=options).run(view, iterations=15, seed=1) for form in (USED, SOURCE))
    assert facts(compiled) == facts(source)


@every_kind
def test_the_usual_options_change_nothing(game_id: str, name: str) -> None:
    usual = search_bot.parse(game_id, f"{name}:50")
    bot = usual.for_options(games.get(game_id).parse_options({}))
    for view in views(game_id, 4, step=11):
        assert facts(bot.analyse(view, seed=2)) == facts(usual.analyse(view, seed=2))


@unusual
def test_a_level_passes_them_on_and_stays_itself(game_id: str, raw: dict[str, Any]) -> None:
    options = games.get(game_id).parse_options(raw)
    kind = {"mandala": "ismcts-sums", "stones": "mcts-sums"}[game_id]
    level, plain = Searcher("master", kind, 60), search_bot.SearchBot(kind, iterations=Searcher("master", kind, 60).iterations)
    told = for_options(level, options)
    assert (told.id, told.version) == ("master", level.version)
    for view in views(game_id, 5, step=13, **raw):
        for policy, same in ((told, plain.for_options(options)), (level, plain)):
            assert policy.choose(view, view.legal, random.Random(7)) == same.choose(view, view.legal, random.Random(7))


class Knowing:
    """Plays the first action and keeps the options that it was told when it is asked."""

    id, version, game = "knowing", 1, None

    def __init__(self, asked: list[Any], options: Any = None) -> None:
        self.asked, self.options = asked, options

    def for_options(self, options: Any) -> Knowing:
        return Knowing(self.asked, options)

    def choose(self, _: Any, legal: Sequence[str], _rng: random.Random) -> str:
        self.asked.append(self.options)
        return legal[0]


@unusual
def test_the_arena_and_the_environments_tell_them(game_id: str, raw: dict[str, Any]) -> None:
    options = games.get(game_id).parse_options(raw)
    play: list[Any] = []
    play_match(game_id, Knowing(play), "random", 2, options=raw)
    assert play
    assert all(told == options for told in play)
    environment = SeatEnv(game_id, opponent=Knowing(play := []), options=raw, seat=0)
    _, info = environment.reset(seed=1)
    for _ in range(10):
        environment.step(int(info["action_mask"].argmax()))
        info["action_mask"] = environment.action_masks()
    assert play
    assert all(told == options for told in play)


@every_game
def test_a_policy_without_a_wish_for_them_stays_the_same_object(game_id: str) -> None:
    bot = bots.get(game_id, "random")
    assert for_options(bot, games.get(game_id).parse_options({})) is bot


def test_every_search_takes_options() -> None:
    for game_id, name in KINDS:
        options = games.get(game_id).parse_options({})
        search: Any = search_bot.KINDS[name][1](options=options)
        assert search.options == options
