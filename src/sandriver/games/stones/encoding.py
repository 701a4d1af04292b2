"""Mandala Stones in numbers: ``ENCODING`` ties observations, action indices and batches to positions and actions."""

from __future__ import annotations

from typing import Any

from sandriver.games import kernels
from sandriver.games.common import check_start
from sandriver.games.encoding import Walk, checked
from sandriver.games.stones import kernel
from sandriver.games.stones import planes as written
from sandriver.games.stones.actions import Action, words
from sandriver.games.stones.options import Options
from sandriver.games.stones.rules import SEAT_COUNTS, Position, state_of
from sandriver.games.stones.ruleset import tables


class StonesWalk(Walk):
    """See ``encoding.Walk``."""

    draws = False

    def __init__(self, options: Options, seats: int, first: int) -> None:
        self.options, self.seats, self.first = options, seats, first
        self.rules = tables(options.ruleset)
        super().__init__()

    def fresh(self) -> kernel.State:
        """A state whose set-up has just begun."""
        state = kernel.State(self.rules, self.seats)
        state.setup(self.first)
        return state

    def begin(self, state: kernel.State, action: int) -> None:
        """Play an action; nothing is left to chance."""
        state.begin(written.from_index(action))

    def weights(self) -> list[int]:
        """The kinds of stone, the artists, or the objective cards that are left."""
        weights: list[int] = self.state.weights()
        return weights

    def observe(self, seat: int) -> bytearray:
        """What a seat knows."""
        return written.observation(self.state, seat, int(self.options.ruleset.reveal_covered_patterns))

    def mask(self) -> bytearray:
        """1 for each legal action of who must act."""
        return written.legal_mask(self.state)

    def say(self, action: int) -> str:
        """An action in notation."""
        return words(self.options.ruleset.beside)[written.from_index(action)].text


class StonesEncoding:
    """See ``encoding.Encoding`` for what each member is for."""

    version = int(written.OBSERVATION_VERSION)
    planes = written.PLANES
    size = int(written.SIZE)
    actions = int(written.ACTIONS)
    outcomes = int(kernel.MOST_CARDS)
    longest = 1_000
    action_table = """\
| index | action |
| --- | --- |
| 0..1619 | pick: `180 * origin + 20 * to + 5 * direction + space` |
| 1620..1623 | score a colour: yellow, red, blue, purple |
| 1624..1654 | score tops: `1623 + set`, a set of tower spaces 1..31, its lowest bit space 1 |
| 1655 | skip, where nothing else can be done |

Artist spaces, directions (N E S W, of the first stack gathered) and tower spaces count from 0 here."""

    def observe(self, position: Position, seat: int) -> bytearray:
        """What ``seat`` knows of a position."""
        return written.observation(state_of(position), seat, int(position.ruleset.reveal_covered_patterns))

    def mask(self, position: Position) -> bytearray:
        """1 for each legal action of who must act, else 0."""
        return written.legal_mask(state_of(position))

    def action(self, position: Position, index: int) -> Action:
        """The action of an index."""
        return words(position.ruleset.beside)[written.from_index(checked(index, self.actions))]

    def index(self, position: Position, action: Action) -> int:
        """The index of an action."""
        return int(written.to_index(action.word(position.ruleset.beside)))

    def walk(self, options: Options, seats: int, first: int) -> StonesWalk:
        """A game before its first stone is laid."""
        check_start("Mandala Stones", seats, SEAT_COUNTS, first)
        return StonesWalk(options, seats, first)

    def batch(self, options: Options, seats: int, games: int) -> Any:
        """So many games to be played at once."""
        check_start("Mandala Stones", seats, SEAT_COUNTS, 0)
        return kernels.choose("sandriver.games.stones.batch").Batch(options, seats, games)


ENCODING = StonesEncoding()
