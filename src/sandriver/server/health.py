"""Whether this process should get requests: its store answers, what must go on by itself goes on, and it is not about to end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from sandriver.tables.errors import Refusal
from sandriver.tables.service import TableService

KEPT_SECONDS = 1.0
"""How long an answer of the store holds, so that asking often costs nothing."""


class Readiness:
    """Asks the store at most once in ``KEPT_SECONDS``, however many want to know."""

    def __init__(self, service: TableService, clock: Callable[[], float] = time.monotonic) -> None:
        self._service = service
        self._clock = clock
        self._asked = float("-inf")
        self._lock = asyncio.Lock()
        self.obstacle: str | None = None
        """Why it was not ready when last asked: ``draining``, ``store``, or ``stalled`` (flags, bots or news are not seen to)."""

    async def check(self) -> str | None:
        """Return why this process is not ready; ``None``: it is."""
        async with self._lock:
            if self._clock() - self._asked >= KEPT_SECONDS:
                try:
                    await self._service.check_store()
                    self.obstacle = "stalled" if self._service.stalled else None
                except Refusal:
                    self.obstacle = "store"
                self._asked = self._clock()
        if self._service.draining:
            self.obstacle = "draining"
        return self.obstacle
