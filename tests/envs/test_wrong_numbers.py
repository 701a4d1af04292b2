"""Seats, indices, outcomes and seeds that cannot be are refused in every form, and change nothing; NumPy's whole numbers are numbers."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import sandriver.envs.gym
import sandriver.envs.openspiel
from sandriver.envs.aec import GameEnv
from sandriver.envs.batch import BatchEnv
from sandriver.envs.errors import IllegalIndex
from sandriver.games import GAMES, kernels
from sandriver.games.chance import RandomChance
from sandriver.games.encoding import Walk, encoding_of
from sandriver.games.errors import ChanceError, IllegalAction, OptionError

every_game = pytest.mark.parametrize("game", GAMES)
NO_INDEX = (-1, 1_000_000, 2**70)
SEEDED: dict[str, Callable[[Any], object]] = {
    "batch": lambda seed: BatchEnv("mandala", 2, seed=seed).observations.tolist(),
    "batch reset": lambda seed: BatchEnv("mandala", 2, seed=1).reset(seed).observations.tolist(),
    "pettingzoo": lambda seed: begun(GameEnv("mandala", 0), seed).observe("player_0")["observation"].tolist(),
    "gymnasium": lambda seed: sandriver.envs.gym.SeatEnv("mandala").reset(seed=seed)[0].tolist(),
    "gymnasium.make": lambda seed: gymnasium.make("sandriver/Mandala-v0").unwrapped.reset(seed=seed)[0].tolist(),
    "chance": lambda seed: [RandomChance(seed).draw([1] * 1000) for _ in range(3)],
}


def begun(env: GameEnv, seed: Any) -> GameEnv:
    env.reset(seed=seed)
    return env


def dealt(game: str, seats: int = 2) -> Walk:
    """A walk after its set-up."""
    walk, rng = encoding_of(game).walk(GAMES[game].parse_options({}), seats, 0), random.Random(1)
    while walk.owed:
        weights = walk.weights()
        walk.deal(rng.choices(range(len(weights)), weights)[0])
    return walk


def seen(walk: Walk) -> tuple[bytes, bytes, bool]:
    return bytes(walk.observe(0)), bytes(walk.mask()), walk.owed


@every_game
def test_only_seats_that_there_are_are_observed(game: str) -> None:
    rules, encoding = GAMES[game], encoding_of(game)
    for seats in rules.seat_counts:
        position, walk = rules.start(rules.parse_options({}), seats, 0, RandomChance(1)), dealt(game, seats)
        source = kernels.interpreted(f"sandriver.games.{game}.planes")
        for seat in (-1, seats, 7, 100_000, 2**70):
            for observe in (
                lambda seat: encoding.observe(position, seat),  # noqa: B023 (called at once)
                walk.observe,
                lambda seat: source.observation(walk.state, seat, 0),  # noqa: B023
            ):
                with pytest.raises(ValueError, match=f"there is no seat {seat} among {seats}"):
                    observe(seat)
        last: Any = np.int64(seats - 1)
        assert encoding.observe(position, last) == encoding.observe(position, seats - 1)
    for seats, first in ((9999, 0), (0, 0), (2, 2), (2, -1)):
        with pytest.raises(OptionError):
            encoding.walk(rules.parse_options({}), seats, first)
    with pytest.raises(OptionError):
        encoding.batch(rules.parse_options({}), 9999, 1)


@every_game
def test_a_walk_plays_only_what_is_legal(game: str) -> None:
    walk, encoding = dealt(game), encoding_of(game)
    before = seen(walk)
    illegal = [index for index, flag in enumerate(walk.mask()) if not flag]
    for index in (*NO_INDEX, encoding.actions, illegal[0], illegal[-1]):
        with pytest.raises(IllegalAction, match=f"action {index} is not legal here") as refused:
            walk.play(index)
        assert refused.value.code == "illegal_index"
        assert seen(walk) == before
    with pytest.raises(ChanceError):
        walk.deal(0)
    assert seen(copy.deepcopy(walk)) == before
    walk.play(np.int64(walk.mask().find(1)))
    assert seen(walk) != before


@every_game
def test_a_walk_deals_only_what_is_there(game: str) -> None:
    encoding = encoding_of(game)
    walk = encoding.walk(GAMES[game].parse_options({}), 2, 0)
    rng = random.Random(3)
    empty = 0
    while walk.owed:
        weights = walk.weights()
        gone = [outcome for outcome, weight in enumerate(weights) if not weight]
        empty += len(gone)
        before = seen(walk)
        for outcome in (*NO_INDEX, len(weights), *gone):
            with pytest.raises(ChanceError, match=f"outcome {outcome} cannot be dealt here"):
                walk.deal(outcome)
        with pytest.raises(IllegalAction):
            walk.play(0)
        assert seen(walk) == before
        walk.deal(rng.choices(range(len(weights)), weights)[0])
    assert empty > 0 or game == "mandala"  # all stones are laid, kind by kind; of the cards some of each are left
    assert walk.to_move == 0


@every_game
def test_openspiel_passes_refusals_on(game: str) -> None:
    state = pyspiel.load_game(f"sandriver_{game}").new_initial_state()
    with pytest.raises(ChanceError):
        state.apply_action(1_000_000)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    wrong = state.legal_actions_mask().index(0)
    for index in (1_000_000, wrong):
        with pytest.raises(IllegalAction):
            state.apply_action(index)
    state.apply_action(state.legal_actions()[0])


@every_game
def test_an_index_has_an_action_or_is_none(game: str) -> None:
    rules, encoding = GAMES[game], encoding_of(game)
    position = rules.start(rules.parse_options({}), 2, 0, RandomChance(1))
    for index in (*NO_INDEX, encoding.actions):
        with pytest.raises(IndexError, match=f"not {index}"):
            encoding.action(position, index)
    three: Any = np.int32(3)
    assert encoding.action(position, three) == encoding.action(position, 3)


@pytest.mark.parametrize("name", SEEDED)
def test_any_whole_number_from_0_on_is_a_seed(name: str) -> None:
    seeded = SEEDED[name]
    for kind in (np.int64, np.int32, np.uint8):
        assert seeded(kind(7)) == seeded(7)
    assert seeded(7) != seeded(8)
    assert seeded(2**64 - 1) == seeded(np.uint64(2**64 - 1))
    seeded(2**200)
    for seed in (-1, np.int64(-3)):
        with pytest.raises(ValueError, match="a seed is 0 or more"):
            seeded(seed)
    for what in (1.5, "1"):
        with pytest.raises(TypeError):
            seeded(what)


def test_of_a_batch_s_seed_64_bits_count() -> None:
    assert SEEDED["batch"](2**64 + 7) == SEEDED["batch"](7)


@every_game
def test_no_action_turns_into_a_random_one(game: str) -> None:
    env = BatchEnv(game, 3, seed=1)
    before = env.observations.copy()
    legal = int(np.flatnonzero(env.masks[0])[0])
    for kind, wrong in ((np.uint64, 2**64 - 1), (np.uint64, 2**63), (np.uint64, env.encoding.actions), (np.uint32, 2**32 - 1)):
        actions = np.array([legal, wrong, wrong], kind)
        with pytest.raises(IllegalIndex) as refused:
            env.step(actions)
        assert (refused.value.game, refused.value.action) == (1, wrong)
    with pytest.raises(TypeError):
        env.step([2**70, 0, 0])
    assert np.array_equal(env.observations, before)
    one, other = BatchEnv(game, 1, seed=1), BatchEnv(game, 1, seed=1)
    assert np.array_equal(one.step(np.array([legal], np.uint64)).observations, other.step([legal]).observations)
