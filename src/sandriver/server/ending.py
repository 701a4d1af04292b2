"""Middleware for the end of the process: what is still under way then is cancelled, which is no fault to be logged."""

from __future__ import annotations

import asyncio

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandriver.server.call import server_of
from sandriver.server.problems import on_store_failed
from sandriver.tables.errors import StoreFailed


class Ending:
    """Answers a request that is cancelled while the tables drain (half a body has come, or the store does not answer): ``try_again``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and see how it ends."""
        answered = scope["type"] != "http"

        async def note(message: Message) -> None:
            nonlocal answered
            await send(message)
            answered = True  # not before: it may be cancelled while it waits to be sent

        try:
            await self._app(scope, receive, send if answered else note)
        except asyncio.CancelledError:
            if scope["type"] == "lifespan" or not server_of(HTTPConnection(scope)).service.draining:
                raise
            if not answered:
                response = await on_store_failed(Request(scope), StoreFailed("the process ends"))
                await response(scope, receive, send)
