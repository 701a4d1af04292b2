"""OpenSpiel: its own simulation tests, search and playthrough tool run on both games; observations are ours."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

import sandriver.envs.openspiel as ours
from sandriver.games.encoding import encoding_of

GAMES = ["sandriver_mandala", "sandriver_stones"]
every_game = pytest.mark.parametrize("name", GAMES)


def playthrough(name: str) -> str:
    """What OpenSpiel's tool tells of a game. It loads SciPy, which would cost every process that looks for tests two seconds."""
    from open_spiel.python.algorithms import generate_playthrough

    text: str = generate_playthrough.playthrough(name, None, seed=3)
    return text


def dealt(game: Any, seed: int) -> Any:
    """A state after its set-up."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        outcomes, likely = zip(*state.chance_outcomes(), strict=True)
        assert sum(likely) == pytest.approx(1)
        state.apply_action(rng.choices(outcomes, likely)[0])
    return state


def test_openspiel_s_own_simulations_run() -> None:
    pyspiel.random_sim_test(pyspiel.load_game("sandriver_mandala"), num_sims=1, serialize=False, verbose=False)


@every_game
def test_search_of_openspiel_plays(name: str) -> None:
    game = pyspiel.load_game(name)
    state, rng = dealt(game, 1), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 8, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    for _ in range(2):
        before = str(state)
        action = bot.step(state)
        assert str(state) == before
        assert action in state.legal_actions()
        state.apply_action(action)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])


@pytest.mark.slow
def test_playthrough_tool_runs() -> None:
    text = playthrough("sandriver_mandala(stall_limit=1)")
    assert text.startswith("game: sandriver_mandala(stall_limit=1)")
    assert "Rewards() = [" in text


@pytest.mark.slow
def test_playthrough_tool_runs_on_the_longer_game() -> None:
    assert "IsTerminal() = True" in playthrough("sandriver_stones(players=3)")


@every_game
def test_copies_go_their_own_way_also_amid_chance(name: str) -> None:
    rng = random.Random(2)
    for _ in range(2):
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal():
            twin = state.clone() if rng.random() < 0.2 else None
            outcomes = [outcome for outcome, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            if twin is not None:
                seen = ours.GameObserver(encoding_of(name.partition("_")[2]).planes).string_from(twin, 0)
                again = [outcome for outcome, _ in twin.chance_outcomes()] if twin.is_chance_node() else twin.legal_actions()
                assert again == outcomes
                twin.apply_action(outcomes[-1])
                assert ours.GameObserver(encoding_of(name.partition("_")[2]).planes).string_from(state, 0) == seen
            state.apply_action(rng.choice(outcomes))
        assert sum(state.returns()) == pytest.approx(0)
        assert copy.deepcopy(state.walk).winners == state.walk.winners


@every_game
def test_observations_are_ours(name: str) -> None:
    game = pyspiel.load_game(name)
    encoding, state = encoding_of(name.partition("_")[2]), dealt(game, 7)
    observer = make_observation(game)
    for player in range(2):
        observer.set_from(state, player)
        assert observer.tensor.shape == (encoding.size,)
        assert observer.tensor.min() >= 0
        assert observer.tensor.max() <= 1
        first = encoding.planes[0]
        assert observer.dict[first.name].shape == first.shape
        assert np.array_equal(np.rint(observer.tensor * np.array([plane.most for plane in encoding.planes for _ in range(plane.size)])),
                              np.frombuffer(state.walk.observe(player), np.uint8))  # fmt: skip
    assert observer.string_from(state, 0) != observer.string_from(state, 1)
    assert state.action_to_string(state.current_player(), state.legal_actions()[0])
    assert len(state.legal_actions_mask()) == encoding.actions


def test_parameters_count() -> None:
    assert pyspiel.load_game("sandriver_stones(players=4,first=2)").num_players() == 4
    state = dealt(pyspiel.load_game("sandriver_stones(players=4,first=2)"), 1)
    assert state.current_player() == 2
    assert dealt(pyspiel.load_game("sandriver_mandala(first=1)"), 1).current_player() == 1
