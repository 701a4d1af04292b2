"""Both games for OpenSpiel (extra ``openspiel``): importing this registers ``sandriver_mandala`` and ``sandriver_stones``.

Every card dealt is a chance node of its own. A state knows everything, as OpenSpiel's states do; what a player may know is given by the
observation tensor and string. Parameters: ``players``, ``first`` (the seat that begins) and the game's own switches.

>>> import pyspiel
>>> state = pyspiel.load_game("sandriver_mandala(memory_aid=True)").new_initial_state()
>>> state.is_chance_node(), state.chance_outcomes()[0]
(True, (0, 0.16666666666666666))
"""

from __future__ import annotations

from typing import Any

from sandriver.envs.rewards import shares
from sandriver.extras import missing
from sandriver.games import GAMES
from sandriver.games.encoding import Walk, encoding_of
from sandriver.games.planes import offsets, scale

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise missing(error.name, "OpenSpiel's form of the games", "openspiel") from None


class GameState(pyspiel.State):
    """A game as it stands. OpenSpiel copies it attribute by attribute."""

    def __init__(self, game: Any, walk: Walk, seats: int) -> None:
        super().__init__(game)
        self.walk, self.seats = walk, seats

    def current_player(self) -> int:
        """Whose decision is next: a player's, chance's, nobody's."""
        if self.walk.owed:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.walk.to_move is None else self.walk.to_move

    def _legal_actions(self, player: int) -> list[int]:
        return [index for index, flag in enumerate(self.walk.mask()) if flag]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be dealt, and how likely it is."""
        weights = self.walk.weights()
        total = sum(weights)
        return [(outcome, weight / total) for outcome, weight in enumerate(weights) if weight]

    def _apply_action(self, action: int) -> None:
        if self.walk.owed:
            self.walk.deal(action)
        else:
            self.walk.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.walk.say(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.walk.owed and self.walk.to_move is None

    def returns(self) -> list[float]:
        """Rewards by player: all come at the end."""
        return shares(self.walk.winners, self.seats) if self.is_terminal() else [0.0] * self.seats

    def __str__(self) -> str:
        """The decisions so far: in their order they are the state."""
        return " ".join(map(str, self.history()))


class GameObserver:
    """What a player knows, as numbers from 0 to 1 (each plane divided by its greatest) and as text."""

    def __init__(self, planes: Any) -> None:
        self.planes, self.most = planes, np.array(scale(planes), np.float32)
        self.tensor = np.zeros(len(self.most), np.float32)
        at = offsets(planes)
        self.dict = {plane.name: self.tensor[at[plane.name] : at[plane.name] + plane.size].reshape(plane.shape) for plane in planes}

    def set_from(self, state: GameState, player: int) -> None:
        """Write what ``player`` knows into ``tensor`` (and ``dict``, whose arrays lie in it)."""
        np.divide(np.frombuffer(state.walk.observe(player), np.uint8), self.most, out=self.tensor)

    def string_from(self, state: GameState, player: int) -> str:
        """What ``player`` knows, plane by plane; planes of zeros are left out."""
        seen, at, parts = state.walk.observe(player), 0, []
        for plane in self.planes:
            numbers = seen[at : at + plane.size]
            at += plane.size
            if any(numbers):
                parts.append(f"{plane.name} {' '.join(map(str, numbers))}")
        return "; ".join(parts)


def _register(game_id: str) -> None:
    rules, encoding = GAMES[game_id], encoding_of(game_id)
    switches = {name: value for name, value in rules.format_options(rules.parse_options({})).items() if isinstance(value, bool | int | str)}
    kind = pyspiel.GameType(
        short_name=f"sandriver_{game_id}",
        long_name=f"Sandriver {game_id.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seat_counts[-1],
        min_num_players=rules.seat_counts[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": rules.seat_counts[0], "first": 0, **switches},
    )

    class Registered(pyspiel.Game):
        """One of our games in OpenSpiel."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = {"players": rules.seat_counts[0], "first": 0, **switches, **(params or {})}
            self.seats, self.first = given.pop("players"), given.pop("first")
            self.options = rules.parse_options(given)
            if self.seats not in rules.seat_counts or not 0 <= self.first < self.seats:
                raise ValueError(f"{game_id}: there is no game of {self.seats} in which seat {self.first} begins")
            info = pyspiel.GameInfo(
                num_distinct_actions=encoding.actions, max_chance_outcomes=encoding.outcomes, num_players=self.seats,
                min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=encoding.longest,
            )  # fmt: skip
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> GameState:
            """A game before anything is dealt."""
            return GameState(self, encoding.walk(self.options, self.seats, self.first), self.seats)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GameObserver:
            """What observes states."""
            return GameObserver(encoding.planes)

    if kind.short_name not in pyspiel.registered_names():
        pyspiel.register_game(kind, Registered)


for _game in GAMES:
    _register(_game)
