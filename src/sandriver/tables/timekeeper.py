"""Sees to it that flags fall and bots move without anybody asking: one timer a table with a clock, and a round past all that are due.

The store keeps the moment at which each table is due (``due.py``), and finds those tables by an index: games that were left for ever, where
nothing can happen by itself, cost nothing. The moment is written only when it comes to lie earlier than before; when it has come, the
round that looks at the table puts it off. So most moves write none.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from sandriver.tables import clock as clocks
from sandriver.tables.background import Beat
from sandriver.tables.due import QUIET_MS
from sandriver.tables.live import Live
from sandriver.tables.measure import tag

logger = logging.getLogger(__name__)

ROUND_SECONDS, ROUND_SECONDS_MOST = 10.0, 30.0
"""Between two rounds, more or less, and at most: processes that share a store shall not all ask at once."""
AT_A_TIME = 200
"""Tables that one query of a round asks for."""
AGAIN_SECONDS, AGAIN_SECONDS_MOST = 0.1, 10.0
"""Where a flag has fallen and cannot be stored: the wait before the next attempt, twice as long each time, and the longest."""


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
        self._past: dict[str, tuple[int, float]] = {}
        """By table whose moment had come already when its timer was set: that moment, and the next wait in seconds."""

    def __len__(self) -> int:
        return len(self._timers)

    def watch(self, live: Live) -> None:
        """Set the timer of a table. One that is set too early stays: it is set anew when it goes off.

        Where the moment has come already, whoever looked could not store that the flag fell: the next look is a while later each time.
        """
        clock = live.state.clock
        falls = None if clock is None else clocks.falls_after(clock)
        if falls is None:
            self._past.pop(live.table, None)
            return
        last = falls + live.held.most
        known = self._timers.get(live.table)
        if known is not None:
            if known[0] <= last:
                return
            known[1].cancel()
        later = self._later or asyncio.get_running_loop().call_later
        table, seconds = live.table, self._seconds(live.table, falls, last + 1 - self._now())
        self._timers[table] = last, later(seconds, lambda: self._ring(table))

    def _seconds(self, table: str, falls: int, left: int) -> float:
        if left > 0:
            self._past.pop(table, None)
            return left / 1000
        moment, seconds = self._past.get(table, (falls, AGAIN_SECONDS))
        if moment != falls:
            seconds = AGAIN_SECONDS
        self._past[table] = falls, min(2 * seconds, AGAIN_SECONDS_MOST)
        return seconds

    def _ring(self, table: str) -> None:
        del self._timers[table]
        self._look(table)

    def close(self) -> None:
        """Call all of them off."""
        for _, handle in self._timers.values():
            handle.cancel()
        self._timers.clear()
        self._past.clear()


class Rounds:
    """Looks after tables that are due: bots that a restart interrupted, flags that fall at tables which no process has in memory.

    So a table goes on although the process that looked after it has died, or nobody is connected to it.
    """

    def __init__(
        self,
        now: Callable[[], int],
        due: Callable[[int, int], Awaitable[Sequence[tuple[str, int, int]]]],
        visit: Callable[[str, int, int], Awaitable[None]],
    ) -> None:
        """``due``: as ``Store.due``, empty where it fails. ``visit`` reads a table that was due then, up to a version, and puts it off."""
        self._now = now
        self._due = due
        self._visit = visit
        self._first = True

    async def once(self, before: int | None = None, beat: Beat = lambda: None) -> None:
        """One round. ``before``: tables that are due by then; by default those that are due now. ``beat`` is called after each table."""
        moment = self._now() if before is None else before
        seen: set[str] = set()
        while True:
            found = await self._due(moment, AT_A_TIME)
            fresh = [each for each in found if each[0] not in seen]
            for table, due, v in fresh:
                seen.add(table)
                try:
                    await self._visit(table, due, v)
                except Exception:  # whatever is wrong with one table, the others are looked after
                    logger.exception("table %s could not be looked after", tag(table))
                beat()
            if len(found) < AT_A_TIME or not fresh:
                return

    async def turn(self, beat: Beat) -> None:
        """A round, and the wait until the next one. The first goes past all tables where a bot is to move now."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self.once(self._now() + QUIET_MS + 1 if self._first else None, beat)
        self._first = False
        beat()
        took = loop.time() - began  # a round that is hard work comes round less often; one that waited for a hung store, soon enough
        await asyncio.sleep(min(max(ROUND_SECONDS, 20 * took), ROUND_SECONDS_MOST) * random.uniform(0.8, 1.2))
