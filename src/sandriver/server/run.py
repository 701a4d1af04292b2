"""Run the application with uvicorn: listening socket, event loop, orderly end. The command line and tests call this."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from sandriver.server import guard, guard_http
from sandriver.server.app import create_app, open_service
from sandriver.server.logs import configure as configure_log
from sandriver.server.logs import event
from sandriver.server.metrics import Metrics
from sandriver.server.operations import beside, operations_app
from sandriver.server.settings import Settings

logger = logging.getLogger("sandriver.server")

DRAIN_SECONDS = 5.0
"""How long commands under way may take to be stored and heard, once the end was asked for."""
GRACE_SECONDS = 3
"""How long requests under way may take after that."""
CUT_SECONDS = GRACE_SECONDS - 0.5
"""What goes on for so long after that is answered that it cannot be done now, or cut off where nobody reads the answer."""
END_SECONDS = DRAIN_SECONDS + GRACE_SECONDS + 1.5
"""How long the whole end may take: less than the ten seconds after which Docker kills."""
KEEP_SECONDS = 75
"""How long an idle connection is kept for the next request."""
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter if another one wants it: storing a batch takes it a few times, and 5 ms each add up."""
TOO_LONG = 4
"""A WebSocket message so many times the answerable length ends its connection (1009)."""


class Server(uvicorn.Server):
    """Uvicorn, with a word when it is ready, and an end in order: no new connection, then ``drain``, then what uvicorn does."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], drain: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._ready = ready
        self._drain = drain

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, then say so."""
        await super().startup(sockets)
        if self.started:
            event(logger, logging.INFO, "ready")
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; whoever says it a second time wants no waiting."""
        if self.should_exit:
            end_at_once()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting; let what was begun be stored and told (sockets are closed with 1012); then close the rest."""
        event(logger, logging.INFO, "draining")
        for each in self.servers:
            each.close()
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._drain()
        except TimeoutError:
            event(logger, logging.WARNING, "drained only in part", seconds=DRAIN_SECONDS)
        cut = asyncio.create_task(self._cut())
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()
        event(logger, logging.INFO, "served")

    async def _cut(self) -> None:
        """End what does not end by itself before uvicorn does, which would take it for a fault and write a traceback."""
        await asyncio.sleep(CUT_SECONDS)
        for connection in list(self.server_state.connections):
            if getattr(getattr(connection, "cycle", None), "response_started", False):  # nobody reads what was said
                connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
        await asyncio.sleep(0.1)
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def configure(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the application: frames uncompressed and bounded, proxies believed only where named, no log of its own.

    Below a warning, uvicorn and the protocols beneath it would write down addresses, paths and whole frames.
    """
    return uvicorn.Config(
        app,
        http=guard_http.Http,
        h11_max_incomplete_event_size=guard_http.HEAD_BYTES,
        ws=guard.WebSocket,
        ws_max_size=TOO_LONG * settings.frame_limit,
        ws_per_message_deflate=False,
        forwarded_allow_ips=settings.proxies,
        server_header=False,
        access_log=False,
        log_config=None,
        log_level="error" if settings.log_level == "error" else "warning",
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


async def serve(
    settings: Settings, listener: socket.socket, ready: Callable[[], None], metrics_listener: socket.socket | None = None
) -> None:
    """Serve until SIGINT or SIGTERM; clients are told to come back (1012), then the tables close.

    ``metrics_listener``: where figures and probes are served, to the very end. However the store behaves, the process ends
    ``END_SECONDS`` after the signal. Raises ``StoreFailed`` or ``OSError`` when the data folder cannot be used.
    """
    metrics = Metrics()
    async with contextlib.AsyncExitStack() as left:
        service = await left.enter_async_context(open_service(settings, metrics))
        app = create_app(settings, service=service, metrics=metrics)

        async def drain() -> None:
            left.callback(_end_by_force_later())
            await service.drain()

        server = Server(configure(app, settings), ready, drain)
        if metrics_listener is not None:
            await left.enter_async_context(beside(configure(operations_app(app.state.server), settings), metrics_listener))
        # Uvicorn takes these signals while it serves and raises them again at its end, when the tables are yet to be closed.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        await server.serve([listener])
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end_at_once)


def end_at_once(*_: object) -> None:
    """End the process as it is: what was acknowledged is stored, and nothing else was promised."""
    event(logger, logging.WARNING, "ended at once")
    os._exit(1)


def _end_by_force_later() -> Callable[[], None]:
    """End the process when it does not end by itself; the returned function calls that off."""

    def end() -> None:
        event(logger, logging.ERROR, "the store does not close: ended by force", seconds=END_SECONDS)
        os._exit(1)

    timer = threading.Timer(END_SECONDS, end)
    timer.daemon = True
    timer.start()
    return timer.cancel


def run(settings: Settings, listener: socket.socket, ready: Callable[[], None], metrics_listener: socket.socket | None = None) -> None:
    """Run ``serve`` on the fastest event loop that is installed, with the log as the settings want it."""
    configure_log(settings.log, settings.log_level)
    _allow_connections()
    _collect_seldom()
    sys.setswitchinterval(SWITCH_SECONDS)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve(settings, listener, ready, metrics_listener))


def _allow_connections() -> None:
    """Let as many connections be open as the system grants: the usual soft limit of 1024 files is soon full."""
    try:
        import resource
    except ImportError:  # not a Unix
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _collect_seldom() -> None:
    """Let the cyclic garbage collector run seldom: positions and frames hold no cycles, and it took a fifth of the time of a move."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 100, 50)  # a youngest generation so small that its collection takes a millisecond or two


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
