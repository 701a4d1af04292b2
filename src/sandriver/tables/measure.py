"""What whoever measures a table service needs of it: figures of a moment, when a command arrived, and a name for a table in the log."""

from __future__ import annotations

import hashlib
from contextvars import ContextVar

import msgspec

BEGAN: ContextVar[float] = ContextVar("sandriver_began", default=0.0)
"""When the command that is carried out here arrived (``time.perf_counter``); 0: not measured, or nobody sent it."""


class Figures(msgspec.Struct, frozen=True):
    """How much a table service holds at this moment."""

    tables: int
    """Tables in memory."""
    followers: int
    """Subscriptions of all tables."""
    frames_waiting: int
    """Frames in the queues of all subscriptions."""
    longest_queue: int
    """Frames in the longest of them."""
    bots_to_move: int
    """Tables where a bot thinks, waits or plays."""
    bots_thinking: int


def tag(name: str) -> str:
    """Name a table or person in the log: 12 hex digits of the SHA-256 of the id, since who knows a table's id may watch it."""
    return hashlib.sha256(name.encode()).hexdigest()[:12]
