"""PettingZoo and Gymnasium: their own conformance tests pass, and what the environments add to the rules is right."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import sandriver.envs.gym as single
from sandriver import bots
from sandriver.envs import mandala_v0, stones_v0
from sandriver.envs.errors import IllegalIndex
from sandriver.games.errors import OptionError

NAMED = [mandala_v0, stones_v0]
named = pytest.mark.parametrize("module", NAMED, ids=["mandala_v0", "stones_v0"])


@named
def test_pettingzoo_finds_no_fault(module: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(module.env(), num_cycles=60)
        seed_test(module.env, num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out
    known = ("Observation is not a NumPy array", "Observation space for each agent probably should be gymnasium.spaces.box")
    assert [
        str(each.message) for each in told if not str(each.message).startswith(known)
    ] == []  # it is a dictionary, as with its own games


@pytest.mark.parametrize("seats", [3, 4])
def test_pettingzoo_finds_no_fault_with_more_seats(seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(stones_v0.env(seats=seats), num_cycles=30)


@named
def test_a_game_to_its_end(module: Any) -> None:
    env = module.env(render_mode="ansi")
    assert env.metadata["name"] == {0: "mandala_v0", 1: "stones_v0"}[NAMED.index(module)]
    env.reset(seed=4, options={"first": 1})
    assert env.agent_selection == "player_1"
    assert env.render()
    rng = np.random.default_rng(4)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        paid[agent] += reward
        assert not truncated
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
        env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert env.agents == []
    assert sorted(paid.values()) == [-1.0, 1.0]


@named
def test_an_illegal_action_changes_nothing(module: Any) -> None:
    env = module.raw_env()
    env.reset(seed=1)
    before = env.position
    with pytest.raises(IllegalIndex, match="is not legal here"):
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
    assert env.position is before
    with pytest.raises(OptionError):
        module.env(seats=7)


@pytest.mark.parametrize("name", ["Mandala", "Stones"])
def test_gymnasium_finds_no_fault(name: str) -> None:
    check_env(gymnasium.make(f"sandriver/{name}-v0", render_mode="ansi").unwrapped)


@pytest.mark.parametrize(("name", "seats"), [("Mandala", 2), ("Stones", 3)])
def test_a_learner_against_bots(name: str, seats: int) -> None:
    rewards = []
    for seed in range(4):
        env: Any = gymnasium.make(f"sandriver/{name}-v0", opponent="apprentice", seats=seats)
        _, info = env.reset(seed=seed)
        done, reward = False, 0.0
        while not done:
            assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
            assert env.unwrapped.position.to_move == info["seat"]
            _, reward, done, _, info = env.step(env.action_space.sample(info["action_mask"]))
        rewards.append(reward)
        assert not info["action_mask"].any()
    assert set(rewards) <= {-1.0, 1.0, -0.5, 0.0, 0.25}
    assert sum(rewards) < 0  # random play against an apprentice


def test_a_forbidden_action_loses_or_is_refused() -> None:
    for illegal in ("lose", "raise"):
        env = single.SeatEnv("mandala", illegal=illegal, seat=1)
        _, info = env.reset(seed=3)
        wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
        if illegal == "raise":
            with pytest.raises(IllegalIndex):
                env.step(wrong)
        else:
            _, reward, terminated, _, told = env.step(wrong)
            assert (reward, terminated, told["illegal"], told["seat"]) == (-1.0, True, True, 1)
            assert not told["action_mask"].any()
            with pytest.raises(ResetNeeded):
                env.step(int(np.flatnonzero(info["action_mask"])[0]))
            env.reset(seed=3)
            assert not env.step(int(np.flatnonzero(info["action_mask"])[0]))[2]
    for how, error in (({"opponent": "nobody"}, KeyError), ({"seat": 2}, ValueError), ({"seats": 3}, OptionError)):
        with pytest.raises(error):
            single.SeatEnv("mandala", **how)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_forbidden_action_pays_what_a_loss_pays(seats: int) -> None:
    env, paid = single.SeatEnv("stones", seats=seats), {0.0}
    env.reset(seed=1)
    while min(paid) == 0:  # until a game is lost
        _, info = env.reset()
        terminated, reward = False, 0.0
        while not terminated:
            _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        paid.add(reward)
        with pytest.raises(ResetNeeded):
            env.step(0)
    _, info = env.reset()
    assert env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))[1] == min(paid) == -1 / (seats - 1)


def test_before_the_first_reset_nothing_can_be_done() -> None:
    for env in (single.SeatEnv("mandala"), mandala_v0.raw_env()):
        with pytest.raises(ResetNeeded, match=r"reset\(\) comes before"):
            env.step(0)
    assert not single.SeatEnv("mandala").action_masks().any()
    with pytest.raises(ResetNeeded):
        mandala_v0.raw_env().observe("player_0")


def test_a_policy_plays_only_its_own_game() -> None:
    apprentice = bots.get("stones", "apprentice")
    with pytest.raises(ValueError, match="apprentice plays stones, not mandala"):
        single.SeatEnv("mandala", opponent=apprentice)
    with pytest.raises(ValueError, match="apprentice plays stones, not mandala"):
        gymnasium.make("sandriver/Mandala-v0", opponent=apprentice)
    assert single.SeatEnv("stones", opponent=apprentice).reset(seed=1)[1]["action_mask"].any()


@named
def test_what_an_environment_shows_is_not_what_it_goes_by(module: Any) -> None:
    """Arrays that were handed out can be written to, and nothing comes of it."""
    env = module.raw_env()
    env.reset(seed=2)
    agent = env.agent_selection
    other = next(each for each in env.agents if each != agent)
    wrong = int(np.flatnonzero(env.infos[agent]["action_mask"] == 0)[0])
    for mask in (env.observe(agent)["action_mask"], env.infos[agent]["action_mask"], env.infos[other]["action_mask"]):
        mask.fill(1)
    assert env.observe(agent)["action_mask"][wrong] == 0
    assert not env.observe(other)["action_mask"].any()
    with pytest.raises(IllegalIndex):
        env.step(wrong)
