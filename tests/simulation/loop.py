"""An event loop in virtual time: no selector, no waiting; a seed decides what runs next, and whoever has crashed runs no more."""

from __future__ import annotations

import asyncio
import heapq
import random
from asyncio import events
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from typing import Any

OWNER: ContextVar[int] = ContextVar("owner", default=0)
"""Which process a callback belongs to; 0: the world outside of all of them."""


class Standstill(AssertionError):
    """Nothing is left that could ever happen."""


_Loop: Any = asyncio.AbstractEventLoop


class VirtualLoop(_Loop):  # type: ignore[misc]  # most of what a loop can do is not needed here
    """Runs what is ready in an order drawn from ``rng`` (``jumbled``) or first come, first served; then time jumps to the next timer.

    No order that it takes is one that an operating system could not bring about, as far as separate connections go; within one
    process the jumbled order is harsher than any real loop.
    """

    def __init__(self, rng: random.Random, *, jumbled: bool) -> None:
        self._random = rng.random
        self._jumbled = jumbled
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._count = 0
        self._now = 0.0
        self.dead: set[int] = set()
        """Processes that have crashed."""
        self.tasks: list[asyncio.Task[Any]] = []
        self.complaints: list[str] = []
        """Exceptions that nobody caught."""
        self.steps = 0

    # --- what asyncio asks of a loop -------------------------------------------------------------

    def time(self) -> float:
        """Virtual seconds since the beginning."""
        return self._now

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_at(self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, handle))
        return handle

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Context | None = None) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self.tasks.append(task)
        return task

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.complaints.append(f"{context.get('message')}: {context.get('exception')!r}")

    # --- running ---------------------------------------------------------------------------------

    def play(self, main: Coroutine[Any, Any, Any], steps: int) -> None:
        """Run until ``main`` is done, in at most so many steps. Raises what it raised, ``Standstill``, or ``AssertionError``."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            task = self.create_task(main)
            while not task.done():
                self._step()
                assert self.steps < steps, "it goes round in circles"
                assert not self.complaints, self.complaints
            task.result()
        finally:
            self._clear()
            events._set_running_loop(before)

    def _step(self) -> None:
        ready = self._ready
        if not ready:
            self._advance()
        last = len(ready) - 1
        place = int(self._random() * (last + 1)) if self._jumbled and last else 0
        if self._jumbled:
            handle, ready[place] = ready[place], ready[last]
            ready.pop()
        else:
            handle = ready.pop(0)
        self.steps += 1
        if not handle._cancelled and (not self.dead or handle._context.get(OWNER, 0) not in self.dead):  # type: ignore[attr-defined]
            handle._run()

    def _advance(self) -> None:
        timers, ready = self._timers, self._ready
        while not ready:
            if not timers:
                raise Standstill("nothing is left that could happen")
            when, _, handle = heapq.heappop(timers)
            if handle._cancelled:
                continue
            self._now = max(self._now, when)
            ready.append(handle)
            while timers and timers[0][0] <= self._now:
                ready.append(heapq.heappop(timers)[2])

    def _clear(self) -> None:
        """End all tasks where they stand, as the end of a machine would."""
        self._jumbled = False
        self.dead.clear()
        for task in self.tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                coroutine = task.get_coro()
                assert coroutine is not None
                try:
                    coroutine.close()
                except RuntimeError as error:
                    self.complaints.append(f"a task would not end: {error}")
        self._ready.clear()
        self._timers.clear()
