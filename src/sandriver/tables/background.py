"""Work that goes on beside the requests: kept, in the log as soon as it fails; and loops, of which one knows whether they go round."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 5.0
"""A loop whose round failed begins the next one after so long."""
STALLED_SECONDS = 120.0
"""A loop that has done nothing right for so long stands still."""

Beat = Callable[[], None]
"""To be called by a round whenever a part of it is done, so that a long one is not taken for one that stands still."""
Round = Callable[[Beat], Coroutine[Any, Any, None]]


class Background:
    """The tasks of one owner. Nobody waits for them, so whatever they raise is logged here."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loops: dict[str, asyncio.Task[Any]] = {}
        self._beats: dict[str, float] = {}

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin work of its own."""
        task = asyncio.create_task(work, name=getattr(work, "__qualname__", "a task"))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def loop(self, name: str, once: Round) -> None:
        """Do ``once`` again and again until ``close``. It must take its time: there is no wait between two rounds but its own."""
        self._beats[name] = asyncio.get_running_loop().time()
        self._loops[name] = self.spawn(self._forever(name, once))

    @property
    def stalled(self) -> tuple[str, ...]:
        """The loops that have ended, or have failed or hung for long."""
        oldest = asyncio.get_running_loop().time() - STALLED_SECONDS
        return tuple(name for name, task in self._loops.items() if task.done() or self._beats[name] < oldest)

    async def close(self) -> None:
        """End all of it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _forever(self, name: str, once: Round) -> None:
        clock = asyncio.get_running_loop().time

        def beat() -> None:
            self._beats[name] = clock()

        while True:
            try:
                await once(beat)
                beat()
            except Exception:  # whatever happens to one round, there is a next one
                logger.exception("a round of %s failed", name)
                await asyncio.sleep(AGAIN_SECONDS)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s failed", task.get_name(), exc_info=error)
