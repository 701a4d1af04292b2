"""``BatchEnv``: thousands of games at once in NumPy arrays that are made once and written over by every step.

>>> env = BatchEnv("mandala", num_envs=2, seed=7)
>>> env.observations.shape, env.masks.shape, env.to_move.tolist()
((2, 90), (2, 150), [0, 1])
>>> for _ in range(500):
...     step = env.step()  # without actions: random ones
>>> env.episodes.tolist()
[5, 6]
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, SupportsIndex

from sandriver.envs.errors import IllegalIndex
from sandriver.extras import missing
from sandriver.games import GAMES
from sandriver.games.chance import plain_seed
from sandriver.games.encoding import encoding_of

try:
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError as error:
    raise missing(error.name, "an environment", "rl") from None


class Step(NamedTuple):
    """The arrays after a step, one row a game: always the same ones, written over by the next step. They are for reading only."""

    observations: npt.NDArray[np.uint8]
    """``(num_envs, size)``: what the seat that must act knows (after an end: of the next game)."""
    masks: npt.NDArray[np.bool_]
    """``(num_envs, actions)``: which actions are legal for it."""
    to_move: npt.NDArray[np.int64]
    """``(num_envs,)``: the seat that must act."""
    rewards: npt.NDArray[np.float32]
    """``(num_envs, seats)``: 0 until a game ends; then 1 and -1, or winners share what the others lose; the sum is 0."""
    terminations: npt.NDArray[np.bool_]
    """``(num_envs,)``: a game ended with this step, and the row already shows the next one."""


class BatchEnv:
    """So many games of one kind, dealt anew as they end. Steps and observes without the interpreter lock where compiled.

    Game ``i`` of seed ``s`` is the same game in a batch of any size, on any number of threads, as long as its actions are. Its seats begin
    in turn. Not to be used from two threads at once; ``threads`` are its own.
    """

    def __init__(
        self,
        game: str = "mandala",
        num_envs: int = 4096,
        *,
        seed: SupportsIndex = 0,
        options: Mapping[str, object] | None = None,
        seats: int | None = None,
        threads: int = 1,
    ) -> None:
        """Raises ``KeyError`` for a game that there is not, ``OptionError`` for options, ``ValueError`` for numbers that cannot be."""
        rules, self.encoding = GAMES[game], encoding_of(game)
        num_envs, threads = operator.index(num_envs), operator.index(threads)
        self.seats = rules.seat_counts[0] if seats is None else operator.index(seats)
        if self.seats not in rules.seat_counts:
            raise ValueError(f"{game} has {' or '.join(map(str, rules.seat_counts))} seats, not {seats}")
        if num_envs < 1 or threads < 1:
            raise ValueError("a batch has at least one game and one thread")
        self.game, self.num_envs, self.threads = game, num_envs, min(threads, num_envs)
        self._batch = self.encoding.batch(rules.parse_options(options or {}), self.seats, num_envs)
        self._actions = np.full(num_envs, -1, np.int64)
        lent: dict[str, npt.NDArray[Any]] = {
            "observations": np.zeros((num_envs, self.encoding.size), np.uint8),
            "masks": np.zeros((num_envs, self.encoding.actions), np.uint8),
            "legal": np.zeros(num_envs, np.int64),
            "rewards": np.zeros((num_envs, self.seats), np.float32),
            "scores": np.zeros((num_envs, self.seats), np.int64),
            "ended": np.zeros(num_envs, np.uint8),
            "to_move": np.zeros(num_envs, np.int64),
            "episodes": np.zeros(num_envs, np.int64),
        }
        self._batch.lend(actions=self._actions, **lent)
        shown: dict[str, Any] = {name: array.view(np.bool_) if name in {"masks", "ended"} else array.view() for name, array in lent.items()}
        for array in shown.values():
            array.flags.writeable = False
        self.observations, self.masks, self.legal = shown["observations"], shown["masks"], shown["legal"]
        self.rewards, self.scores, self.terminations = shown["rewards"], shown["scores"], shown["ended"]
        self.to_move, self.episodes = shown["to_move"], shown["episodes"]
        self._step = Step(self.observations, self.masks, self.to_move, self.rewards, self.terminations)
        self._shares = [(num_envs * part // self.threads, num_envs * (part + 1) // self.threads) for part in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads - 1, "batch") if self.threads > 1 else None
        self.reset(seed)

    def reset(self, seed: SupportsIndex | None = None) -> Step:
        """Begin every game anew; with a seed as that seed says, else with the generators as they stand.

        A seed is a whole number from 0 on, of which the lowest 64 bits count. Raises ``ValueError`` below 0.
        """
        if seed is not None:
            self._batch.reseed(plain_seed(seed))
        self._each(self._batch.begin)
        return self._step

    def step(self, actions: npt.ArrayLike | None = None) -> Step:
        """Play one action in every game: by its index, or -1 for a random legal one; ``None``: random ones everywhere.

        Raises ``IllegalIndex`` for the first action that is not legal, ``ValueError`` and ``TypeError`` for an array of another shape or
        kind; then nothing has changed.
        """
        if actions is None:
            self._actions.fill(-1)
        else:
            given = np.asarray(actions)
            if given.shape != (self.num_envs,):
                raise ValueError(f"an action for each of {self.num_envs} games is wanted, not an array of shape {given.shape}")
            if given.dtype.kind not in "iu":
                raise TypeError(f"actions are whole numbers, not {given.dtype}")
            if given.dtype.kind == "u" and given.dtype.itemsize == self._actions.itemsize:
                self._actions[:] = np.minimum(given, self.encoding.actions)  # the greatest would turn into -1
            else:
                self._actions[:] = given
            refused = self._batch.refused(0, self.num_envs)
            if refused >= 0:
                raise IllegalIndex(refused, int(given[refused]))
        self._each(self._batch.play)
        return self._step

    def _each(self, work: Any) -> None:
        """Do something with every game, each thread its share, the caller's the first."""
        first, *others = self._shares
        started = [self._pool.submit(work, *share) for share in others] if self._pool is not None else []
        work(*first)
        for share in started:
            share.result()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __repr__(self) -> str:
        return f"<BatchEnv {self.game}, {self.num_envs} games, {self.seats} seats>"
