"""When a table must be looked after although nobody asks: its flag falls, or its bot should have moved long ago. Pure."""

from __future__ import annotations

from sandriver.tables import clock as clocks
from sandriver.tables.state import State

QUIET_MS = 15_000
"""So long a bot's move is the business of the process where it became the bot's turn."""


def needed(state: State) -> int | None:
    """The moment for a table at which nothing happens any more (ms since 1970); ``None``: it can wait for people."""
    if state.bot_to_move is not None:
        return state.at + QUIET_MS
    last = None if state.clock is None else clocks.falls_after(state.clock)
    return None if last is None else last + 1


def newly_due(before: State, after: State) -> int | None:
    """The moment to be stored with what led from one state to the other; ``None``: what is stored is early enough."""
    now = needed(after)
    if now is None:
        return None
    then = needed(before)
    return now if then is None or now < then else None
