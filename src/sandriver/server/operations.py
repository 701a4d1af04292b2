"""What only those who run the server may ask, on a port of its own: figures, sign of life, readiness."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Generator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sandriver.server.api import about
from sandriver.server.call import Server, server_of
from sandriver.server.endpoints import routes
from sandriver.server.metrics import CONTENT_TYPE
from sandriver.server.problems import HANDLERS, NO_STORE


def operations_app(server: Server) -> Starlette:
    """The application of that port. It is never reachable through the public one, whatever a proxy in front does."""
    app = Starlette(routes=[Route("/metrics", get_metrics), *routes(about.HEALTH)], exception_handlers=HANDLERS)
    app.state.server = server
    return app


async def get_metrics(request: Request) -> Response:
    """Everything that is counted, in Prometheus' text format."""
    return Response(server_of(request).metrics.text(), headers={**NO_STORE, "content-type": CONTENT_TYPE})


class _Beside(uvicorn.Server):
    """A server beside another in the same process, which alone hears signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave them to the other."""
        yield


@contextlib.asynccontextmanager
async def beside(config: uvicorn.Config, listener: socket.socket) -> AsyncIterator[None]:
    """Serve within the block."""
    server = _Beside(config)
    task = asyncio.create_task(server.serve([listener]), name="operations")
    try:
        yield
    finally:
        server.should_exit = True
        await task
