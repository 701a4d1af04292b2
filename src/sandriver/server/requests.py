"""Middleware that counts each HTTP request by the template of its route, and logs it where that is wanted, never with its path."""

from __future__ import annotations

import logging
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandriver.server.logs import event
from sandriver.server.metrics import Metrics

logger = logging.getLogger("sandriver.requests")

TEMPLATE, REFUSED = "sandriver.template", "sandriver.refused"
"""Keys of the scope: the route's template, set by the route; the code of the refusal, set by what answers it."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestWatch:
    """Wraps the whole application. Labels come from small fixed sets, so that nobody can fill the memory with new ones."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and look at what comes back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        status = 500  # unless something is answered: a fault of ours

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            seconds = perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "OTHER"
            route, refused = scope.get(TEMPLATE) or _kind(scope["path"]), scope.get(REFUSED)
            self._metrics.request(method, route, status, seconds)
            if refused is not None:
                self._metrics.refusals[refused] += 1
            if logger.isEnabledFor(logging.INFO):
                more = {} if refused is None else {"refused": refused}
                event(logger, logging.INFO, "request", method=method, route=route, status=status, ms=round(1000 * seconds, 1), **more)


def _kind(path: str) -> str:
    """What stands for a path that no route of the interface serves."""
    for start in ("/api", "/assets"):
        if path == start or path.startswith(start + "/"):
            return start + "/*"
    return "/*"
