"""Mandala in numbers: ``ENCODING`` ties observations, action indices and batches to positions and actions."""

from __future__ import annotations

from typing import Any

from sandriver.games import kernels
from sandriver.games.common import check_start
from sandriver.games.encoding import Walk, checked
from sandriver.games.mandala import kernel
from sandriver.games.mandala import planes as written
from sandriver.games.mandala.options import Options
from sandriver.games.mandala.rules import ACTIONS, SEAT_COUNTS, Action, Position, state_of


class MandalaWalk(Walk):
    """See ``encoding.Walk``."""

    def __init__(self, options: Options, first: int) -> None:
        self.options, self.first = options, first
        super().__init__()

    def fresh(self) -> kernel.State:
        """A state whose set-up has just begun."""
        state = kernel.State(int(self.options.exhaustion == "lazy"), self.options.stall_limit)
        state.setup(self.first)
        return state

    def begin(self, state: kernel.State, action: int) -> None:
        """Play an action up to the first card to be dealt."""
        state.begin(action)

    def weights(self) -> list[int]:
        """The cards in the deck by colour."""
        return list(self.state.get(kernel.DECK).to_bytes(6, "little"))

    def observe(self, seat: int) -> bytearray:
        """What a seat knows."""
        return written.observation(self.state, seat, int(self.options.memory_aid))

    def mask(self) -> bytearray:
        """1 for each legal action of who must act."""
        return written.legal_mask(self.state)

    def say(self, action: int) -> str:
        """An action in notation."""
        return ACTIONS[action].text


class MandalaEncoding:
    """See ``encoding.Encoding`` for what each member is for."""

    version = int(written.OBSERVATION_VERSION)
    planes = written.PLANES
    size = int(written.SIZE)
    actions = int(written.ACTIONS)
    outcomes = 6
    longest = 100_000
    action_table = """\
| index | action |
| --- | --- |
| 0..11 | build: `6 * mandala + colour` |
| 12..95 | grow: `12 + 42 * mandala + 7 * colour + cards - 1`, 1 to 7 cards |
| 96..143 | redraw: `96 + 8 * colour + cards - 1`, 1 to 8 cards |
| 144..149 | claim: `144 + colour` |

Mandalas count from 0 here, colours too, in the order K G P Y O R."""

    def observe(self, position: Position, seat: int) -> bytearray:
        """What ``seat`` knows of a position."""
        return written.observation(state_of(position), seat, int(position.options.memory_aid))

    def mask(self, position: Position) -> bytearray:
        """1 for each legal action of who must act, else 0."""
        return written.legal_mask(state_of(position))

    def action(self, position: Position, index: int) -> Action:
        """The action of an index."""
        return ACTIONS[checked(index, self.actions)]

    def index(self, position: Position, action: Action) -> int:
        """The index of an action."""
        return action.index

    def walk(self, options: Options, seats: int, first: int) -> MandalaWalk:
        """A game before its first card is dealt."""
        check_start("Mandala", seats, SEAT_COUNTS, first)
        return MandalaWalk(options, first)

    def batch(self, options: Options, seats: int, games: int) -> Any:
        """So many games to be played at once."""
        check_start("Mandala", seats, SEAT_COUNTS, 0)
        return kernels.choose("sandriver.games.mandala.batch").Batch(options, seats, games)


ENCODING = MandalaEncoding()
