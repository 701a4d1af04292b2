"""PettingZoo and Gymnasium: their own conformance tests pass, and what the environments add to the rules is right."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import sandriver.envs.gym as single
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
    for how, error in (({"opponent": "nobody"}, KeyError), ({"seat": 2}, ValueError), ({"seats": 3}, OptionError)):
        with pytest.raises(error):
            single.SeatEnv("mandala", **how)
