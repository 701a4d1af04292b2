"""Run the application with uvicorn: listening socket, event loop, orderly end. The command line and tests call this."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from sandriver.server import guard
from sandriver.server.app import create_app, open_service
from sandriver.server.settings import Settings

GRACE_SECONDS = 5
KEEP_SECONDS = 75
"""How long an idle connection is kept for the next request."""
TOO_LONG = 4
"""A WebSocket message so many times the answerable length ends its connection (1009)."""


class Server(uvicorn.Server):
    """Uvicorn, with a word when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def configure(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the application: frames uncompressed and bounded, proxies believed only where named, no access log."""
    return uvicorn.Config(
        app,
        http=guard.Http,
        h11_max_incomplete_event_size=guard.HEAD_BYTES,
        ws=guard.WebSocket,
        ws_max_size=TOO_LONG * settings.frame_limit,
        ws_per_message_deflate=False,
        forwarded_allow_ips=settings.proxies,
        server_header=False,
        access_log=False,
        log_level=settings.log_level,
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


async def serve(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; clients are told to come back (1012), then the tables close.

    Raises ``StoreFailed`` or ``OSError`` when the data folder cannot be used.
    """
    async with open_service(settings) as service:
        server = Server(configure(create_app(settings, service=service), settings), ready)
        # Uvicorn takes these signals while it serves and raises them again at its end, when the tables are yet to be closed.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        await server.serve([listener])


def run(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Run ``serve`` on the fastest event loop that is installed."""
    _allow_connections()
    _collect_seldom()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve(settings, listener, ready))


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
    gc.set_threshold(50_000, 20, 50)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
