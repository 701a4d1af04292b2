"""How processes that share a store tell each other that a table went on: the ``Bus`` protocol, and the one for a single process.

A message carries no content of a game: who hears it reads the log. So a lost, doubled or late one does no harm; what is missed
is found by ``watch.Watch``, which looks into the log from time to time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec


class Notice(msgspec.Struct, frozen=True, tag_field="t", tag="notice", omit_defaults=True):
    """Something happened at a table."""

    table: str
    v: int
    """The version it has now."""
    hurry: bool = False
    """Somebody wants the bot to move without its pause; nothing new in the log."""


class Here(msgspec.Struct, frozen=True, tag_field="t", tag="here"):
    """Who follows a table at one process; said at every change, and again from time to time while there is anybody."""

    process: str
    table: str
    people: tuple[str, ...]
    """Those who sit at the table, by id."""
    spectators: int
    """How many others."""


class Gone(msgspec.Struct, frozen=True, tag_field="t", tag="gone"):
    """A process ends: nobody is at any table there any more."""

    process: str


class Renamed(msgspec.Struct, frozen=True, tag_field="t", tag="renamed"):
    """A person has another name or language, given at this process."""

    process: str
    person: str


class Gap(msgspec.Struct, frozen=True, tag_field="t", tag="gap"):
    """Messages may have been missed; whoever relies on them looks into the store."""


Message = Notice | Here | Gone | Renamed | Gap
Listener = Callable[[Message], None]


class Bus(Protocol):
    """Best-effort messages between table services."""

    @property
    def sure(self) -> bool:
        """Whether all that others publish is heard now, as far as one can know."""

    def publish(self, message: Message) -> None:
        """Send a message to every listener, the sender's own included; never waits, never fails."""

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear every message from now on; the returned function ends that."""

    async def close(self) -> None:
        """Send what can be sent at once, and end."""


class MemoryBus:
    """A bus within one process. Listeners are called by the event loop, never from within ``publish``."""

    sure = True

    def __init__(self) -> None:
        self._listeners: dict[object, Listener] = {}

    def publish(self, message: Message) -> None:
        """See ``Bus.publish``."""
        loop = asyncio.get_running_loop()
        for listener in self._listeners.values():
            loop.call_soon(listener, message)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """See ``Bus.listen``."""
        ticket = object()
        self._listeners[ticket] = listener

        def stop() -> None:
            self._listeners.pop(ticket, None)

        return stop

    async def close(self) -> None:
        """Nothing waits here."""
