"""``MANDALA``: the game as the floors above know it (``games/contract.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandriver.games.chance import Chance
from sandriver.games.contract import Heard, Transition
from sandriver.games.mandala import view as views
from sandriver.games.mandala import wire
from sandriver.games.mandala.options import format_options, parse_options
from sandriver.games.mandala.rules import SEAT_COUNTS, Action, Options, Position


class Mandala:
    """Mandala for two. Stateless; see ``contract.Game`` for what each member is for."""

    id = "mandala"
    rules_version = 1
    seat_counts: Sequence[int] = SEAT_COUNTS
    seat_names: Sequence[str] = ("A", "B")
    view_type: type[msgspec.Struct] = wire.View
    event_types: tuple[type[msgspec.Struct], ...] = wire.EVENT_TYPES

    def parse_options(self, raw: Mapping[str, object]) -> Options:
        """Validate options. Raises ``OptionError``."""
        return parse_options(raw)

    def format_options(self, options: Options) -> dict[str, object]:
        """Every option with its value."""
        return format_options(options)

    def start(self, options: Options, seats: int, first: int, chance: Chance) -> Position:
        """Set up a new game for two seats, ``first`` acts first."""
        return Position.start(chance, options=options, seats=seats, first=first)

    def parse_position(self, text: str, options: Options) -> Position:
        """Read a position line. Raises ``NotationError`` or ``PositionError``."""
        return Position.parse(text, options)

    def format_position(self, position: Position) -> str:
        """Write a position line."""
        return str(position)

    def parse_action(self, text: str) -> Action:
        """Read an action without chance. Raises ``NotationError``."""
        return Action.parse(text)

    def format_action(self, action: Action) -> str:
        """Write an action."""
        return action.text

    def play(self, position: Position, action: Action, chance: Chance) -> Transition[Position, Action]:
        """Play an action for the seat to move."""
        return position.play(action, chance)

    def replay(self, position: Position, move: str) -> Transition[Position, Action]:
        """Play a move with its recorded chance."""
        return position.replay(move)

    def view(self, position: Any, viewer: int | None, *, assist: bool = False, stopped: bool = False, reveal: bool = False) -> wire.View:
        """What a viewer may know."""
        return views.view(position, viewer, assist=assist, stopped=stopped, reveal=reveal)

    def hear(self, transition: Transition[Position, Action], viewer: int | None) -> Heard:
        """The transition as a viewer may hear it."""
        return views.hear(transition, viewer)


MANDALA = Mandala()
