"""Asking the store: bounds the wait and turns its failure into a refusal that invites to try again."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType

from sandriver.tables.errors import Refusal, StoreFailed

EARLY = 0.001
"""Seconds by which a timer may come too early: event loops count in milliseconds."""


class Patience:
    """How long the store is waited for. All waits are equally long and so end in the order in which they began: one timer does for them.

    Every move waits once, and a timer of its own (``asyncio.timeout``) costs five times as much.
    """

    __slots__ = ("_timer", "_waiting", "_waits", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._waits: deque[AskingStore] = deque()
        self._waiting = 0
        """Those among them that have not ended."""
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, wait: AskingStore) -> None:
        """A wait begins."""
        loop = asyncio.get_running_loop()
        wait.until = loop.time() + self.seconds
        waits = self._waits
        while waits and waits[0].task is None:
            waits.popleft()
        waits.append(wait)
        self._waiting += 1
        if self._timer is None:
            self._timer = loop.call_at(wait.until, self._look)

    def end(self) -> None:
        """One of the waits has ended."""
        self._waiting -= 1
        if not self._waiting and self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._waits.clear()

    def _look(self) -> None:
        """Give up the waits that have lasted long enough."""
        loop, waits = asyncio.get_running_loop(), self._waits
        now = loop.time() + EARLY
        while waits and (waits[0].task is None or waits[0].until <= now):
            waits.popleft().give_up()
        self._timer = loop.call_at(waits[0].until, self._look) if waits else None


class AskingStore:
    """``async with AskingStore(patience): await store.…``. Raises ``Refusal("try_again")`` when the store fails or takes longer.

    A class, because every move passes through one: a generator's context manager costs three times as much.
    """

    __slots__ = ("_cancelling", "_late", "_patience", "task", "until")

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._late = False
        self.until = 0.0
        """The loop's time at which it is given up."""
        self.task: asyncio.Task[object] | None = None
        """Who waits, as long as they do."""

    def give_up(self) -> None:
        """Wait no more."""
        if self.task is not None:
            self._late = True
            self.task.cancel()

    async def __aenter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.task, self._cancelling = task, task.cancelling()
        self._patience.begin(self)

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        task, self.task = self.task, None
        self._patience.end()
        # As in asyncio's own: who was cancelled by somebody else as well stays cancelled.
        if self._late and task is not None and task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise Refusal("try_again") from error
        if isinstance(error, StoreFailed):
            raise Refusal("try_again") from error
