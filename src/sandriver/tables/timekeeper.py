"""Sees to it that flags fall and bots move without anybody asking: one timer a table with a clock, and a round past all that are quiet."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from sandriver.tables import clock as clocks
from sandriver.tables.live import Live

ROUND_SECONDS, ROUND_SECONDS_MOST = 10.0, 30.0
"""Between two rounds, more or less, and at most: processes that share a store shall not all ask at once."""
QUIET_MS = 15_000
"""A table at which something happened in that time is looked after by the process where it happened."""


class Handle(Protocol):
    """What can be called off."""

    def cancel(self) -> None:
        """Call it off."""


class Timers:
    """One timer for each table whose clock runs. ``look`` is called with the table's id when its flag may have fallen, or before."""

    def __init__(
        self,
        now: Callable[[], int],
        look: Callable[[str], None],
        later: Callable[[float, Callable[[], None]], Handle] | None = None,
    ) -> None:
        """``later`` calls a function after so many seconds; by default the event loop's."""
        self._now = now
        self._look = look
        self._later = later
        self._timers: dict[str, tuple[int, Handle]] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def watch(self, live: Live) -> None:
        """Set the timer of a table. One that is set too early stays: it is set anew when it goes off."""
        clock = live.state.clock
        last = None if clock is None else clocks.falls_after(clock)
        if last is None:
            return
        known = self._timers.get(live.table)
        if known is not None:
            if known[0] <= last:
                return
            known[1].cancel()
        later = self._later or asyncio.get_running_loop().call_later
        table, seconds = live.table, max(0, last + 1 - self._now()) / 1000
        self._timers[table] = last, later(seconds, lambda: self._ring(table))

    def _ring(self, table: str) -> None:
        del self._timers[table]
        self._look(table)

    def close(self) -> None:
        """Call all of them off."""
        for _, handle in self._timers.values():
            handle.cancel()
        self._timers.clear()


class Rounds:
    """Looks after running tables that have a clock or a bot: all of them at the start, then those at which nothing has happened lately.

    So a table goes on although the process that looked after it has died, or nobody is connected to it.
    """

    def __init__(
        self,
        now: Callable[[], int],
        quiet: Callable[[int], Awaitable[Sequence[tuple[str, int]]]],
        visit: Callable[[str, int], Awaitable[bool]],
    ) -> None:
        """``quiet``: running tables (and their versions) with nothing since a moment.

        ``visit`` reads one up to a version at least, and says if all is done there.
        """
        self._now = now
        self._quiet = quiet
        self._visit = visit
        self._done: dict[str, int] = {}

    async def once(self, before: int | None = None) -> None:
        """One round. ``before``: tables with nothing since then; by default ``QUIET_MS`` ago."""
        found = dict(await self._quiet(self._now() - QUIET_MS if before is None else before))
        self._done = {table: v for table, v in self._done.items() if found.get(table) == v}
        for table, v in found.items():
            if table not in self._done and await self._visit(table, v):
                self._done[table] = v

    async def forever(self) -> None:
        """All tables now, then a round from time to time."""
        loop = asyncio.get_running_loop()
        before: int | None = self._now() + 1
        while True:
            began = loop.time()
            await self.once(before)
            before = None
            took = loop.time() - began  # a round that is hard work comes round less often; one that waited for a hung store, soon enough
            await asyncio.sleep(min(max(ROUND_SECONDS, 20 * took), ROUND_SECONDS_MOST) * random.uniform(0.8, 1.2))
