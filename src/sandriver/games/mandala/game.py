"""``MANDALA``: the game as the floors above know it (``games/contract.py``)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandriver.games.common import PositionGame
from sandriver.games.mandala import view as views
from sandriver.games.mandala import wire
from sandriver.games.mandala.options import format_options, parse_options
from sandriver.games.mandala.rules import SEAT_COUNTS, Action, Position


class Mandala(PositionGame[Position, Action]):
    """Mandala for two. Stateless; see ``contract.Game`` for what each member is for."""

    id = "mandala"
    rules_version = 1
    seat_counts: Sequence[int] = SEAT_COUNTS
    seat_names: Sequence[str] = ("A", "B")
    view_type: type[msgspec.Struct] = wire.View
    event_types: tuple[type[msgspec.Struct], ...] = wire.EVENT_TYPES
    position_type = Position
    action_type = Action

    parse_options = staticmethod(parse_options)
    format_options = staticmethod(format_options)
    view = staticmethod(views.view)
    hear = staticmethod(views.hear)


MANDALA = Mandala()
