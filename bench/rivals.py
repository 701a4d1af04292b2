"""Who is measured side by side: our kernels, batches and wrappers, and what one would pick instead. ``compare.py`` measures them.

Each entry of ``RIVALS`` makes a *pass*: a function that plays for some milliseconds and returns how many decisions of players were made
and how many games ended. Everybody plays uniformly random legal actions, whole games, new games included; what chance deals is never
counted as a decision. Whoever cannot be made raises ``ImportError``.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

Pass = Callable[[], tuple[int, float]]

ENGINE = "rules alone, random play inside the engine"
BATCH = "many games at once, with observations and legal masks"
SINGLE = "one game at a time from Python, with observations and legal actions"
SPIEL = "one game at a time through OpenSpiel's Python interface, legal actions only"
BATCH_SIZE = 4096
PGX_STEPS = 16
ROLLOUTS = 200
ROLLOUT_SAMPLE = 300
"""Games from whose mean length the decisions of OpenSpiel's rollouts are reckoned, since it does not count them."""


class Rival(NamedTuple):
    """One thing that is measured."""

    group: str
    library: str
    game: str
    make: Callable[[], Pass]


def any_of(mask: np.ndarray[Any, Any], rng: random.Random) -> int:
    """One of the actions that a mask allows, as quickly as Python can."""
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


# --- ours --------------------------------------------------------------------------------------------


def kernel(game: str, seats: int, interpreted: bool = False) -> Pass:
    """Random games in a kernel, compiled or as plain Python."""
    from sandriver.games import kernels
    from sandriver.games.stones.ruleset import shipped, tables

    name = f"sandriver.games.{game}.kernel"
    module: Any = kernels.interpreted(name) if interpreted else kernels.choose(name)
    if not interpreted and not kernels.is_compiled(module):
        raise ImportError("the kernels are not compiled (python tools/build_kernels.py)")
    state = module.State(0, 20) if game == "mandala" else module.State(tables(shipped(), module), seats)
    state.reseed(1)
    games = 10 if interpreted else 2000
    return lambda: (int(state.run(games)), games)


def batch(game: str, size: int) -> Pass:
    """``BatchEnv`` with random actions inside the engine; of one game: with actions chosen in Python."""
    from sandriver.envs.batch import BatchEnv

    env, rng = BatchEnv(game, size, seed=1), random.Random(1)

    def stepped() -> tuple[int, float]:
        before = int(env.episodes.sum())
        for _ in range(20):
            env.step()
        return 20 * size, float(env.episodes.sum()) - before

    def chosen() -> tuple[int, float]:
        before, action = int(env.episodes[0]), np.zeros(1, np.int64)
        for _ in range(200):
            action[0] = any_of(env.masks[0], rng)
            env.step(action)
        return 200, int(env.episodes[0]) - before

    return chosen if size == 1 else stepped


def naive() -> Pass:
    """Mandala in plain Python."""
    from naive_mandala import random_game

    rng = random.Random(1)
    return lambda: (random_game(rng), 1)


# --- OpenSpiel -----------------------------------------------------------------------------------------


def spiel(name: str) -> Any:
    """A game of OpenSpiel, or one of ours in it."""
    import pyspiel

    if name.startswith("sandriver"):
        import sandriver.envs.openspiel  # noqa: F401 (registers them)
    return pyspiel.load_game(name)


def spiel_game(game: Any, rng: random.Random) -> int:
    """Play a random game of OpenSpiel from Python; the decisions of its players."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def spiel_python(name: str) -> Pass:
    """Random games through ``legal_actions`` and ``apply_action``."""
    game, rng = spiel(name), random.Random(1)
    return lambda: (spiel_game(game, rng), 1)


def spiel_rollouts(name: str) -> Pass:
    """Random games in C++: the rollouts of its own tree search, which is asked for one simulation of many rollouts from a fresh deal."""
    import pyspiel

    game, rng = spiel(name), random.Random(1)
    length = sum(spiel_game(game, rng) for _ in range(ROLLOUT_SAMPLE)) / ROLLOUT_SAMPLE
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 2.0, 1, 1, False, 1, False)

    def run() -> tuple[int, float]:
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        bot.step(state)
        return round(ROLLOUTS * length), ROLLOUTS

    return run


# --- PettingZoo, RLCard, Gymnasium, Pgx ------------------------------------------------------------------


def zoo(module: str) -> Pass:
    """A PettingZoo environment: ``last``, a random legal action, ``step``."""
    import importlib

    env, rng, seeds = importlib.import_module(module).env(), random.Random(1), itertools.count(1)

    def run() -> tuple[int, float]:
        env.reset(seed=next(seeds))
        decisions = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
                env.step(any_of(mask, rng))
                decisions += 1
        return decisions, 1

    return run


def rlcard(name: str) -> Pass:
    """An RLCard environment: ``reset``, ``step``, with the states that its agents get."""
    import rlcard as library

    env, rng = library.make(name, config={"seed": 1}), random.Random(1)

    def run() -> tuple[int, float]:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions, 1

    return run


def gym(name: str, **how: Any) -> Pass:
    """A Gymnasium environment: the learner's decisions; with ours the opponent's are played too, and not counted."""
    import gymnasium

    import sandriver.envs.gym  # noqa: F401 (registers ours)

    env, rng, seeds = gymnasium.make(name, **how), random.Random(1), itertools.count(1)

    def run() -> tuple[int, float]:
        _, info = env.reset(seed=next(seeds))
        decisions, over = 0, False
        while not over:
            action = any_of(info["action_mask"], rng) if "action_mask" in info else rng.randrange(2)
            _, _, terminated, truncated, info = env.step(action)
            over, decisions = terminated or truncated, decisions + 1
        return decisions, 1

    return run


def pgx(name: str) -> Pass:
    """A batch of Pgx on the CPU, compiled by XLA with its loop of steps; compilation is not counted."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(name)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def steps(state: Any, key: Any) -> tuple[Any, Any, Any]:
        def once(carry: Any, key: Any) -> tuple[Any, Any]:
            one, two = jax.random.split(key)
            logits = jax.numpy.log(carry.legal_action_mask.astype(jax.numpy.float32))
            after = step(carry, jax.random.categorical(one, logits, axis=1), jax.random.split(two, BATCH_SIZE))
            return after, after.terminated.sum()

        state, ended = jax.lax.scan(once, state, jax.random.split(key, PGX_STEPS))
        return state, state.observation.sum(), ended.sum()

    compiled = jax.jit(steps)
    state, keys = jax.jit(init)(jax.random.split(jax.random.key(0), BATCH_SIZE)), itertools.count(1)
    state, *_ = compiled(state, jax.random.key(0))

    def run() -> tuple[int, float]:
        nonlocal state
        state, seen, ended = compiled(state, jax.random.key(next(keys)))
        jax.block_until_ready((state, seen))
        return BATCH_SIZE * PGX_STEPS, float(ended)

    return run


OURS = "Sandriver"
RIVALS = (
    Rival(ENGINE, OURS, "Mandala", partial(kernel, "mandala", 2)),
    Rival(ENGINE, OURS, "Mandala Stones, 2 players", partial(kernel, "stones", 2)),
    Rival(ENGINE, OURS, "Mandala, the kernel uncompiled", partial(kernel, "mandala", 2, True)),
    Rival(ENGINE, "plain Python", "Mandala, written naively", naive),
    *(
        Rival(ENGINE, "OpenSpiel, C++ rollouts", game, partial(spiel_rollouts, game))
        for game in ("kuhn_poker", "spades", "euchre", "leduc_poker", "hearts", "gin_rummy")
    ),
    *(
        Rival(BATCH, OURS, title, partial(batch, game, BATCH_SIZE))
        for game, title in (("mandala", "Mandala"), ("stones", "Mandala Stones"))
    ),
    *(
        Rival(BATCH, "Pgx on the CPU", game, partial(pgx, game))
        for game in ("kuhn_poker", "leduc_holdem", "tic_tac_toe", "connect_four", "sparrow_mahjong")
    ),
    Rival(SINGLE, f"{OURS}, PettingZoo", "Mandala", partial(zoo, "sandriver.envs.mandala_v0")),
    Rival(SINGLE, f"{OURS}, PettingZoo", "Mandala Stones", partial(zoo, "sandriver.envs.stones_v0")),
    Rival(SINGLE, f"{OURS}, a batch of one", "Mandala", partial(batch, "mandala", 1)),
    Rival(SINGLE, f"{OURS}, Gymnasium", "Mandala against random", partial(gym, "sandriver/Mandala-v0", opponent="random")),
    *(
        Rival(SINGLE, "PettingZoo", game, partial(zoo, f"pettingzoo.classic.{game}"))
        for game in ("leduc_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5", "tictactoe_v3", "connect_four_v3")
    ),
    *(Rival(SINGLE, "RLCard", game, partial(rlcard, game)) for game in ("leduc-holdem", "limit-holdem", "uno", "gin-rummy")),
    Rival(SINGLE, "Gymnasium", "Blackjack-v1", partial(gym, "Blackjack-v1")),
    Rival(SPIEL, OURS, "sandriver_mandala", partial(spiel_python, "sandriver_mandala")),
    Rival(SPIEL, OURS, "sandriver_stones", partial(spiel_python, "sandriver_stones")),
    *(
        Rival(SPIEL, "OpenSpiel", game, partial(spiel_python, game))
        for game in ("tarok", "leduc_poker", "crazy_eights", "gin_rummy", "connect_four")
    ),
)
"""In each group the first one is ours, which the others are compared with."""
