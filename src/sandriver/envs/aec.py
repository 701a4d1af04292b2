"""Any game as a PettingZoo environment in which the seats act in turn (AEC), under the names ``mandala_v0`` and ``stones_v0``."""

from __future__ import annotations

import operator
import random
from collections.abc import Mapping
from typing import Any, SupportsIndex

from sandriver.envs.errors import IllegalIndex
from sandriver.envs.rewards import rewards
from sandriver.extras import missing
from sandriver.games import GAMES
from sandriver.games.chance import RandomChance, plain_seed
from sandriver.games.encoding import encoding_of
from sandriver.games.planes import scale

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise missing(error.name, "an environment", "rl") from None

Observation = dict[str, npt.NDArray[Any]]


class GameEnv(AECEnv[str, Observation, int]):
    """A game among agents ``player_0``, ``player_1``..., one for each seat.

    Observations are dictionaries: ``observation`` (unsigned bytes, plane by plane) is what that seat knows, ``action_mask`` which actions
    are legal for it (none when it is not its turn). Rewards come at the end: 1 and -1, or winners share what the others lose.
    """

    def __init__(
        self,
        game: str,
        version: int,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Raises ``KeyError`` for a game that there is not, ``OptionError`` for options and numbers of seats that it does not have."""
        super().__init__()
        self.rules, self.encoding = GAMES[game], encoding_of(game)
        self.seats = self.rules.seat_counts[0] if seats is None else seats
        self.options = self.rules.parse_options(options or {})
        self.rules.start(self.options, self.seats, 0, RandomChance(0))  # refuses what cannot be
        self.metadata = {"name": f"{game}_v{version}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.seats)]
        self.agents: list[str] = []
        most = np.array(scale(self.encoding.planes), np.uint8)
        self._observation_spaces = {agent: self._space(most) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents}
        self._rng = random.Random()
        self.position: Any = None

    def _space(self, most: npt.NDArray[np.uint8]) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.encoding.actions,), np.int8)
        return spaces.Dict({"observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations, the same for all."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions, the same for all: indices."""
        return self._action_spaces[agent]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. ``options`` may name the seat that begins (``first``, from 0); else it is drawn.

        A seed is a whole number from 0 on. Raises ``ValueError`` below 0.
        """
        if seed is not None:
            self._rng = random.Random(plain_seed(seed))
        drawn = self._rng.randrange(self.seats)
        first = (options or {}).get("first", drawn)
        self._chance = RandomChance(self._rng.getrandbits(62))
        self.position = self.rules.start(self.options, self.seats, first, self._chance)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look()

    def _look(self) -> None:
        """After a change: whose turn it is, and what each may do."""
        if self.position.to_move is not None:
            self.agent_selection = self.possible_agents[self.position.to_move]
        self._mask = bytes(self.encoding.mask(self.position))
        self.infos = {agent: {"action_mask": self._legal(seat)} for seat, agent in enumerate(self.possible_agents)}

    def _legal(self, seat: int) -> npt.NDArray[np.int8]:
        """What a seat may do, as an array that is the caller's to change."""
        mask = np.frombuffer(self._mask, np.int8)
        return mask.copy() if seat == self.position.to_move else np.zeros_like(mask)

    def observe(self, agent: str) -> Observation:
        """What an agent knows, and what it may do; both arrays are the caller's own. Raises ``ResetNeeded`` before the first ``reset``."""
        if self.position is None:
            raise ResetNeeded("reset() comes before the first observe()")
        seat = self.possible_agents.index(agent)
        return {"observation": np.frombuffer(self.encoding.observe(self.position, seat), np.uint8), "action_mask": self._legal(seat)}

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is.

        Raises ``IllegalIndex``, then nothing has changed; ``ResetNeeded`` before the first ``reset`` and when all agents are gone.
        """
        if not self.agents:
            raise ResetNeeded("reset() comes before step()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        index = -1 if action is None else operator.index(action)
        if not 0 <= index < self.encoding.actions or not self._mask[index]:
            raise IllegalIndex(0, index)
        self._cumulative_rewards[agent] = 0.0
        self.position = self.rules.play(self.position, self.encoding.action(self.position, index), self._chance).after
        paid = rewards(self.position.outcome, self.seats)
        self.rewards = dict(zip(self.possible_agents, paid, strict=True))
        if self.position.outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
        self._look()
        if self.position.outcome is not None:
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text, for somebody who sees everything (``render_mode="ansi"``)."""
        if self.render_mode != "ansi":
            return None
        draw = getattr(self.position, "draw", None)
        return draw() if draw else str(self.position)

    def close(self) -> None:
        """Nothing is held that had to be given back."""


def wrapped(game: str, version: int, **how: Any) -> OrderEnforcingWrapper[str, Observation, int]:
    """The environment with PettingZoo's checks of use: ``reset`` before anything else, and no index that is none."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(GameEnv(game, version, **how)))
