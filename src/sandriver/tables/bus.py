"""How processes that share a store tell each other that a table went on: the ``Bus`` protocol, and the one for a single process.

A notice carries no content, only a number: who hears it reads the log. So a lost, doubled or late notice does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec


class Notice(msgspec.Struct, frozen=True):
    """Something happened at a table."""

    table: str
    v: int
    """The version it has now."""
    hurry: bool = False
    """Somebody wants the bot to move without its pause; nothing new in the log."""


Listener = Callable[[Notice], None]


class Bus(Protocol):
    """Best-effort notices between table services."""

    def publish(self, notice: Notice) -> None:
        """Send a notice to every listener, the sender's own included; never waits, never fails."""

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear every notice from now on; the returned function ends that."""


class MemoryBus:
    """A bus within one process. Listeners are called by the event loop, never from within ``publish``."""

    def __init__(self) -> None:
        self._listeners: dict[object, Listener] = {}

    def publish(self, notice: Notice) -> None:
        """See ``Bus.publish``."""
        loop = asyncio.get_running_loop()
        for listener in self._listeners.values():
            loop.call_soon(listener, notice)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """See ``Bus.listen``."""
        ticket = object()
        self._listeners[ticket] = listener

        def stop() -> None:
            self._listeners.pop(ticket, None)

        return stop
