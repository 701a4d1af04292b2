"""Batches: the same games in any size, form and number of threads; what they show is what a single game shows; refusals change nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from sandriver.envs.batch import BatchEnv
from sandriver.envs.errors import IllegalIndex
from sandriver.games import GAMES, kernels
from sandriver.games.encoding import encoding_of
from sandriver.games.errors import OptionError

TABLES = [("mandala", 2), ("stones", 2), ("stones", 3), ("stones", 4)]
tables = pytest.mark.parametrize(("game", "seats"), TABLES, ids=str)
NAMES = ("observations", "masks", "to_move", "legal", "rewards", "scores", "terminations", "episodes")
LENT = ("observations", "masks", "legal", "rewards", "scores", "ended", "to_move", "episodes", "actions")


def picture(env: BatchEnv, rows: int) -> list[Any]:
    """Everything shown of the first rows."""
    return [getattr(env, name)[:rows].copy() for name in NAMES]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


@tables
def test_games_do_not_depend_on_size_or_threads(game: str, seats: int) -> None:
    envs = [BatchEnv(game, num_envs=games, seats=seats, seed=5, threads=threads) for games, threads in ((3, 1), (8, 1), (8, 3))]
    for _ in range(150):
        assert same(picture(envs[0], 3), picture(envs[1], 3))
        assert same(picture(envs[1], 8), picture(envs[2], 8))
        for env in envs:
            env.step()
    assert envs[1].episodes.sum() > 0
    other = BatchEnv(game, num_envs=3, seats=seats, seed=6)
    assert not same(picture(BatchEnv(game, num_envs=3, seats=seats, seed=5), 3), picture(other, 3))
    assert not np.array_equal(envs[1].observations[0], envs[1].observations[2])
    for env in envs:
        env.close()


@tables
def test_both_forms_show_the_same(game: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    used = BatchEnv(game, num_envs=4, seats=seats, seed=2)
    source = kernels.interpreted(f"sandriver.games.{game}.batch").Batch
    monkeypatch.setattr(type(encoding_of(game)), "batch", lambda self, *how: source(*how))
    plain = BatchEnv(game, num_envs=4, seats=seats, seed=2)
    rng = np.random.default_rng(1)
    for n in range(140):
        assert same(picture(used, 4), picture(plain, 4))
        actions = [rng.choice(np.flatnonzero(mask)) if rng.random() < 0.5 else -1 for mask in used.masks]
        used.step(np.array(actions) if n % 3 else None)
        plain.step(np.array(actions) if n % 3 else None)
    assert used.episodes.sum() > 0
    with pytest.raises(IllegalIndex):
        plain.step(np.full(4, encoding_of(game).actions))


@tables
def test_rows_are_what_a_single_game_shows(game: str, seats: int) -> None:
    env = BatchEnv(game, num_envs=5, seats=seats, seed=9)
    before = None
    ends = 0
    while ends < 6:
        for row in range(5):
            state = env._batch.game(row)
            kernel_planes = kernels.choose(f"sandriver.games.{game}.planes")
            assert bytes(env.observations[row]) == kernel_planes.observation(state, state.mover, 0)
            assert bytes(env.masks[row].view(np.uint8)) == kernel_planes.legal_mask(state)
            assert (env.to_move[row], env.legal[row]) == (state.mover, env.masks[row].sum())
            if env.terminations[row]:
                ends += 1
                assert env.rewards[row].sum() == pytest.approx(0, abs=1e-6)
                best = env.scores[row].max()
                assert all(env.scores[row][seat] == best for seat in range(seats) if env.rewards[row][seat] > 0)
                assert env.rewards[row].max() > 0 or len(set(env.scores[row])) == 1
                assert env.to_move[row] == (row + env.episodes[row]) % seats
                assert before is not None
                assert env.episodes[row] == before[row] + 1
            else:
                assert not env.rewards[row].any()
                assert not env.scores[row].any()
        before = env.episodes.copy()
        env.step()


@tables
def test_an_illegal_action_is_named_and_changes_nothing(game: str, seats: int) -> None:
    env, twin = (BatchEnv(game, num_envs=6, seats=seats, seed=3) for _ in range(2))
    for _ in range(20):
        env.step()
        twin.step()
    before = picture(env, 6)
    actions = np.full(6, -1)
    for wrong in (int(np.flatnonzero(~env.masks[4])[0]), env.encoding.actions, -2, 2**40):
        actions[4] = wrong
        with pytest.raises(IllegalIndex) as refused:
            env.step(actions)
        assert (refused.value.game, refused.value.action, refused.value.code) == (4, wrong, "illegal_index")
        assert same(before, picture(env, 6))
    for _ in range(30):
        env.step()
        twin.step()
    assert same(picture(env, 6), picture(twin, 6))


def test_reset_begins_anew() -> None:
    env = BatchEnv("mandala", num_envs=3, seed=1)
    first = picture(env, 3)
    for _ in range(200):
        env.step()
    assert env.episodes.all()
    env.reset()
    assert not env.episodes.any()
    assert not same(first, picture(env, 3))
    env.reset(1)
    assert same(first, picture(env, 3))


def test_options_count() -> None:
    short = BatchEnv("mandala", num_envs=50, options={"stall_limit": 1})
    for _ in range(25):
        short.step()
    usual = BatchEnv("mandala", num_envs=50)
    for _ in range(25):
        usual.step()
    assert short.episodes.sum() > usual.episodes.sum()
    hidden, shown = BatchEnv("stones", num_envs=1), BatchEnv("stones", num_envs=1, options={"reveal_covered_patterns": True})
    assert shown.observations.sum() == hidden.observations.sum() + 72


def test_what_cannot_be_is_refused() -> None:
    for how, error in (
        ({"game": "chess"}, KeyError),
        ({"num_envs": 0}, ValueError),
        ({"threads": 0}, ValueError),
        ({"seats": 3}, ValueError),
        ({"options": {"colour": 1}}, OptionError),
    ):
        with pytest.raises(error):
            BatchEnv(**{"num_envs": 2} | how)
    env = BatchEnv("mandala", num_envs=2)
    with pytest.raises(ValueError, match="shape"):
        env.step([1, 2, 3])
    with pytest.raises(TypeError, match="whole numbers"):
        env.step([0.0, 1.0])
    with pytest.raises(ValueError, match="read-only"):
        env.masks[0, 0] = True


if kernels.is_compiled(kernels.choose("sandriver.games.mandala.batch")):

    @pytest.mark.parametrize(("game", "games"), [("mandala", 30_000), ("stones", 8_000)])
    def test_steps_leave_the_interpreter_free(game: str, games: int) -> None:
        """Another thread goes on while one call lasts; with the lock held it could not do so more than once, at the call's ends."""
        batch = BatchEnv(game, num_envs=games)._batch
        turns, seen = [0], [0]

        def work() -> None:
            while len(seen) < 100 and max(seen) < 4:
                before = turns[0]
                batch.play(0, games)
                seen.append(turns[0] - before)

        worker = threading.Thread(target=work)
        worker.start()
        while worker.is_alive():
            time.sleep(0.0002)
            turns[0] += 1
        worker.join()
        assert max(seen) >= 4


@tables
def test_a_batch_refuses_rows_that_are_not_there(game: str, seats: int) -> None:
    encoding, rules = encoding_of(game), GAMES[game]
    batch, lent = encoding.batch(rules.parse_options({}), seats, 2), BatchEnv(game, num_envs=2, seats=seats)._batch
    for work in (batch.begin, batch.play, batch.refused):
        with pytest.raises(ValueError, match="no buffers"):
            work(0, 2)
    for first, last in ((0, 3), (-1, 2), (2, 1)):
        with pytest.raises(ValueError, match="no buffers"):
            lent.play(first, last)
    with pytest.raises(ValueError, match="writable buffer"):
        batch.lend(**{name: np.zeros(1, np.uint8) for name in LENT})


def test_what_serves_people_does_not_import_numpy() -> None:
    code = "import sys, sandriver.server.app, sandriver.cli, sandriver.games.encoding; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
