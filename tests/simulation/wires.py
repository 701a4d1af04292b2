"""The network of a simulation: a bus that loses, doubles, delays and reorders, and connections that break in the middle of anything."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

import msgspec

from sandriver.tables.bus import Gap, Listener, Message
from sandriver.tables.errors import Refusal
from sandriver.tables.hub import encode_frame
from tests.simulation.loop import OWNER, VirtualLoop


class Weather(msgspec.Struct):
    """How bad it is; all zero: perfect."""

    loss: float = 0.0
    """Part of the bus's messages that never arrive."""
    doubled: float = 0.0
    slow: float = 0.0
    """Part of all messages that take long."""
    bus_down: bool = False


class Ether:
    """What the buses of all processes have in common."""

    def __init__(self, loop: VirtualLoop, rng: random.Random) -> None:
        self.weather = Weather()
        self._loop = loop
        self._rng = rng
        self._listeners: dict[object, tuple[Listener, Context, bool]] = {}

    def send(self, message: Message) -> None:
        """Towards every listener, each with a fate of its own."""
        weather, rng = self.weather, self._rng
        if weather.bus_down:
            return
        for listener, context, _ in list(self._listeners.values()):
            for _ in range(2 if rng.random() < weather.doubled else 1):
                if rng.random() >= weather.loss:
                    delay = rng.random() * (3.0 if rng.random() < weather.slow else 0.002)
                    self._loop.call_later(delay, listener, message, context=context)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear messages, in the context (and so the process) of who calls this."""
        ticket = object()
        self._listeners[ticket] = listener, copy_context(), True
        return lambda: self._listeners.pop(ticket, None) and None

    def forget(self, owner: int) -> None:
        """A process is dead."""
        self._listeners = {ticket: each for ticket, each in self._listeners.items() if each[1].get(OWNER) != owner}

    def fail(self) -> None:
        """From now on everybody knows that nothing is heard."""
        self.weather.bus_down = True

    def recover(self) -> None:
        """The bus is back; everybody is told that something may have been missed."""
        self.weather.bus_down = False
        for listener, context, _ in list(self._listeners.values()):
            self._loop.call_soon(listener, Gap(), context=context)


class SimBus:
    """The ``Bus`` of one process."""

    def __init__(self, ether: Ether) -> None:
        self._ether = ether
        self.publish = ether.send
        self.listen = ether.listen

    @property
    def sure(self) -> bool:
        return not self._ether.weather.bus_down

    async def close(self) -> None:
        pass


class Line:
    """One socket: a client outside, a subscription inside a process. Both directions keep their order, as TCP does."""

    def __init__(self, loop: VirtualLoop, rng: random.Random, context: Context, *, lag: float) -> None:
        self._loop = loop
        self._rng = rng
        self._context = context
        self.process = context.get(OWNER, 0)
        """Number of the process that it leads to."""
        self._outside = Context()
        self._lag = lag
        self._in: deque[Any] = deque()
        self._ways: tuple[deque[Any], deque[Any]] = deque(), deque()
        """What is on its way in, and out; whatever arrives is always the first of it."""
        self._wake: asyncio.Event | None = None
        self._arrivals = [0.0, 0.0]
        self._task: asyncio.Task[None] | None = None
        self.hear: Callable[[bytes | None], None] = lambda _: None
        """What the client does with a frame; ``None``: the connection ended."""
        self.open = True
        """Whether the client still listens."""
        self.reading = True
        """Whether the client takes what is sent."""
        self._unread: deque[bytes | None] = deque()

    def start(self, service: Any, table: str, person: str | None, since: int | None) -> None:
        """Begin to serve, inside the process."""
        self._task = self._loop.create_task(self._serve(service, table, person, since), context=self._context)

    def send(self, command: Any) -> None:
        """From the client."""
        self._ways[0].append(command)
        self._loop.call_at(self._due(0), self._arrive, context=self._context)

    def cut(self, notice: float) -> None:
        """The connection breaks; the client knows at once, the process after so many seconds."""
        self.open = False
        self._loop.call_later(notice, self._noticed, context=self._context)

    def lost(self) -> None:
        """The process has crashed: the client hears of it, and what was on its way to it may still arrive."""
        self._tell(None)

    def read_again(self) -> None:
        """The client takes frames again."""
        self.reading = True
        while self._unread and self.open:
            self._take(self._unread.popleft())

    def _due(self, way: int) -> float:
        delay = self._rng.random() * self._lag
        self._arrivals[way] = max(self._arrivals[way], self._loop.time() + delay)
        return self._arrivals[way]

    def _arrive(self) -> None:
        self._in.append(self._ways[0].popleft())
        if self._wake is not None:
            self._wake.set()

    def _noticed(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _serve(self, service: Any, table: str, person: str | None, since: int | None) -> None:
        try:
            subscription = await service.subscribe(table, person, since=since)
        except Refusal as refusal:
            self._tell(encode_frame(refusal.refused))
            self._tell(None)
            return
        async with subscription:
            reading = asyncio.create_task(self._read(service, subscription))
            try:
                async for frame in subscription:
                    self._tell(frame)
                    while not self.reading and self.open:  # noqa: ASYNC110  # the client's buffers are full
                        await asyncio.sleep(0.5)
            finally:
                reading.cancel()
        self._tell(None)

    async def _read(self, service: Any, subscription: Any) -> None:
        self._wake = asyncio.Event()
        while True:
            while self._in:
                await service.answer(subscription, self._in.popleft())
            self._wake.clear()
            await self._wake.wait()

    def _tell(self, frame: bytes | None) -> None:
        self._ways[1].append(frame)
        self._loop.call_at(self._due(1), self._deliver, context=self._outside)

    def _deliver(self) -> None:
        frame = self._ways[1].popleft()
        if self.reading:
            self._take(frame)
        else:
            self._unread.append(frame)

    def _take(self, frame: bytes | None) -> None:
        if self.open:
            self.open = frame is not None
            self.hear(frame)
