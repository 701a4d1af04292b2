"""Any game as a Gymnasium environment for one learner, all other seats played by a bot. Importing this registers one for each game.

>>> import gymnasium
>>> env = gymnasium.make("sandriver/Mandala-v0", opponent="apprentice")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum()) > 0
((90,), True)
"""

from __future__ import annotations

import operator
import random
from collections.abc import Mapping
from typing import Any, Literal, SupportsIndex

from sandriver import bots
from sandriver.bots.policy import Policy, for_options, seen_by
from sandriver.envs.errors import IllegalIndex
from sandriver.envs.rewards import loss, rewards
from sandriver.extras import missing
from sandriver.games import GAMES
from sandriver.games.chance import RandomChance, plain_seed
from sandriver.games.encoding import encoding_of
from sandriver.games.planes import scale

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
except ModuleNotFoundError as error:
    raise missing(error.name, "an environment", "rl") from None

Observation = npt.NDArray[np.uint8]
Told = tuple[Observation, float, bool, bool, dict[str, Any]]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game against a bot. The observation is what that seat knows; which actions are legal stands in ``info["action_mask"]``
    and is what ``action_masks()`` returns. The reward comes at the end: what the game pays to that seat (``rewards.shares``); a forbidden
    action is a loss, and pays what a loss pays."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Policy = "random",
        seat: int | None = None,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: str | None = None,
    ) -> None:
        """``opponent``: a bot's id or a policy; ``seat``: always this one (else drawn); ``illegal``: what a forbidden action does.

        Raises ``KeyError`` for a game or bot that there is not, ``OptionError`` for options and numbers of seats that it does not have,
        ``ValueError`` for a seat that it does not have and for a policy of another game.
        """
        self.rules, self.encoding = GAMES[game], encoding_of(game)
        self.opponent = bots.get(game, opponent) if isinstance(opponent, str) else opponent
        if self.opponent.game not in (None, game):
            raise ValueError(f"{self.opponent.id} plays {self.opponent.game}, not {game}")
        self.seats = self.rules.seat_counts[0] if seats is None else seats
        self.options = self.rules.parse_options(options or {})
        self.rules.start(self.options, self.seats, 0, RandomChance(0))  # refuses what cannot be
        self.opponent = for_options(self.opponent, self.options)
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"seat is one from 0 to {self.seats - 1}")
        self.fixed, self.illegal, self.render_mode = seat, illegal, render_mode
        most = np.array(scale(self.encoding.planes), np.uint8)
        self.observation_space = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.position: Any = None
        self._over = True

    def reset(self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and let the others act until it is the learner's turn (a game that is over before is dealt again).

        A seed is a whole number from 0 on. Raises ``ValueError`` below 0.
        """
        super().reset(seed=None if seed is None else plain_seed(seed))
        self._rng = random.Random(int(self.np_random.integers(1 << 62)))
        self._chance = RandomChance(self._rng.getrandbits(62))
        self.seat = self._rng.randrange(self.seats) if self.fixed is None else self.fixed
        while True:
            self.position = self.rules.start(self.options, self.seats, self._rng.randrange(self.seats), self._chance)
            self._others()
            if self.position.to_move is not None:
                self._over = False
                return self._seen()

    def step(self, action: np.int64 | int) -> Told:
        """Play the learner's action, then the others' until it is its turn again or the game is over.

        Raises ``IllegalIndex`` for a forbidden action if that is wanted, then nothing has changed; ``ResetNeeded`` before the first
        ``reset`` and after the end.
        """
        if self._over:
            raise ResetNeeded("reset() comes before the first step(), and after the end of a game")
        index = operator.index(action)
        if not 0 <= index < self.encoding.actions or not self.action_masks()[index]:
            if self.illegal == "raise":
                raise IllegalIndex(0, index)
            self._over = True
            observation, info = self._seen()
            return observation, loss(self.seats), True, False, info | {"illegal": True}
        self._over = True  # should the opponent fail, only reset() helps
        self._play(self.encoding.action(self.position, index))
        self._others()
        outcome = self.position.outcome
        self._over = outcome is not None
        observation, info = self._seen()
        return observation, rewards(outcome, self.seats)[self.seat], self._over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal for the learner; none before the first ``reset`` and when the game is over."""
        if self._over:
            return np.zeros(self.encoding.actions, np.bool_)
        return np.frombuffer(self.encoding.mask(self.position), np.bool_)

    def render(self) -> str | None:
        """The position as text, for somebody who sees everything (``render_mode="ansi"``)."""
        if self.render_mode != "ansi":
            return None
        draw = getattr(self.position, "draw", None)
        return draw() if draw else str(self.position)

    def _play(self, action: Any) -> None:
        self.position = self.rules.play(self.position, action, self._chance).after

    def _others(self) -> None:
        while self.position.to_move not in (None, self.seat):
            view = seen_by(self.opponent, self.rules, self.position)
            self._play(self.rules.parse_action(self.opponent.choose(view, view.legal, self._rng)))

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation = np.frombuffer(self.encoding.observe(self.position, self.seat), np.uint8)
        return observation, {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}


for _game in GAMES:
    _name = f"sandriver/{_game.capitalize()}-v0"
    if _name not in gymnasium.registry:
        gymnasium.register(_name, entry_point="sandriver.envs.gym:SeatEnv", kwargs={"game": _game})
