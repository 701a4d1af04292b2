"""An event loop in virtual time: no selector, no waiting; a seed decides what runs next, and whoever has crashed runs no more."""

from __future__ import annotations

import asyncio
import random
from asyncio import events
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from heapq import heappop, heappush
from typing import Any

OWNER: ContextVar[int] = ContextVar("owner", default=0)
"""Which process a callback belongs to; 0: the world outside of all of them."""


class Standstill(AssertionError):
    """Nothing is left that could ever happen."""


_Loop: Any = asyncio.AbstractEventLoop


class Handle:
    """What is to be run: as much of ``asyncio.Handle`` and ``TimerHandle`` as is asked for here, since millions of them are made."""

    __slots__ = ("_when", "args", "callback", "context", "off")

    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...], context: Context | None, when: float) -> None:
        self.callback = callback
        self.args = args
        self.context = copy_context() if context is None else context
        self.off = False
        self._when = when

    def cancel(self) -> None:
        self.off = True

    def cancelled(self) -> bool:
        return self.off

    def when(self) -> float:
        return self._when


class VirtualLoop(_Loop):  # type: ignore[misc]  # most of what a loop can do is not needed here
    """Runs what is ready in an order drawn from ``rng`` (``jumbled``) or first come, first served; then time jumps to the next timer.

    No order that it takes is one that an operating system could not bring about, as far as separate connections go; within one
    process the jumbled order is harsher than any real loop.
    """

    def __init__(self, rng: random.Random, *, jumbled: bool) -> None:
        self._random = rng.random
        self._jumbled = jumbled
        self._ready: list[Handle] = []
        self._timers: list[tuple[float, int, Handle]] = []
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

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Handle:
        handle = Handle(callback, args, context, 0.0)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_at(self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Handle:
        handle = Handle(callback, args, context, when)
        self._count += 1
        heappush(self._timers, (when, self._count, handle))
        return handle

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Handle:
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

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.complaints.append(f"{context.get('message')}: {context.get('exception')!r}")

    # --- running ---------------------------------------------------------------------------------

    def play(self, main: Coroutine[Any, Any, Any], steps: int) -> None:
        """Run until ``main`` is done, in at most so many steps. Raises what it raised, ``Standstill``, or ``AssertionError``."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            task = self.create_task(main)
            self._run(task, steps)
            task.result()
        finally:
            self._clear()
            events._set_running_loop(before)

    def _run(self, main: asyncio.Task[Any], steps: int) -> None:
        """One callback after the other. Everything is in here, because every step of every schedule passes through it."""
        ready, dead, draw, jumbled, complaints = self._ready, self.dead, self._random, self._jumbled, self.complaints
        while not main.done():
            if not ready:
                self._advance()
            if jumbled:
                last = len(ready) - 1
                place = int(draw() * (last + 1)) if last else 0
                handle, ready[place] = ready[place], ready[last]
                ready.pop()
            else:
                handle = ready.pop(0)
            self.steps += 1
            context = handle.context
            if not handle.off and (not dead or context.get(OWNER, 0) not in dead):
                try:
                    context.run(handle.callback, *handle.args)
                except Exception as error:  # noqa: BLE001  # it came out of a callback, so nobody else will see it
                    complaints.append(f"{handle.callback!r}: {error!r}")
            assert self.steps < steps, "it goes round in circles"
            assert not complaints, complaints

    def _advance(self) -> None:
        """Let time pass until something is ready."""
        timers, ready = self._timers, self._ready
        while not ready:
            if not timers:
                raise Standstill("nothing is left that could happen")
            when, _, handle = heappop(timers)
            if handle.off:
                continue
            now = self._now = max(self._now, when)
            ready.append(handle)
            while timers and timers[0][0] <= now:
                ready.append(heappop(timers)[2])

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
