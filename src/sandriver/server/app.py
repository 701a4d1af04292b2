"""The application: routes, middleware and the life of the table service beneath them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from sandriver import __version__, bots
from sandriver.games import GAMES
from sandriver.server.api import about, guests, tables
from sandriver.server.call import Server
from sandriver.server.ending import Ending
from sandriver.server.endpoints import ANY, routes
from sandriver.server.headers import SecurityHeaders
from sandriver.server.limits import Limits
from sandriver.server.metrics import Metrics
from sandriver.server.openapi import describe
from sandriver.server.problems import HANDLERS, NO_STORE
from sandriver.server.requests import TEMPLATE, RequestWatch
from sandriver.server.settings import Settings
from sandriver.server.socket import table_socket
from sandriver.server.static import Client
from sandriver.server.storage import open_bus, open_store
from sandriver.server.watched import watched
from sandriver.tables.bot_driver import NO_PAUSE, Pace
from sandriver.tables.service import TableService

ENDPOINTS = (*about.ENDPOINTS, *guests.ENDPOINTS, *tables.ENDPOINTS)


def create_app(settings: Settings | None = None, *, service: TableService | None = None, metrics: Metrics | None = None) -> Starlette:
    """Return the application. It opens its own tables in ``settings.data``, unless it is given a service that somebody else runs.

    ``metrics``: those that ``open_service`` counts in, if the service was opened by it.
    """
    settings = settings or Settings.load()
    limits = Limits(settings.rates)
    metrics = metrics or Metrics()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if service is not None:
            yield
            return
        async with open_service(settings, metrics) as own:
            app.state.server = Server(settings, limits, own, metrics)
            yield

    middleware = [Middleware(RequestWatch, metrics=metrics), Middleware(SecurityHeaders), Middleware(Ending)]
    app = Starlette(routes=_routes(settings), middleware=middleware, exception_handlers=HANDLERS, lifespan=lifespan)
    if service is not None:
        app.state.server = Server(settings, limits, service, metrics)
    return app


@asynccontextmanager
async def open_service(settings: Settings, metrics: Metrics | None = None) -> AsyncIterator[TableService]:
    """Run the tables of the settings' database. Raises ``StoreFailed`` or ``OSError`` when it cannot be used."""
    metrics = metrics or Metrics()
    metrics.version = __version__
    store = watched(await open_store(settings), metrics)
    bus = open_bus(settings)
    try:
        service = TableService(
            store, bus, games=GAMES, find_bot=bots.offered, stand_in=lambda _: bots.RECOMMENDED, pace=_pace(settings.bot_pause)
        )
        await service.start()
        metrics.figures = service.figures
        metrics.bus = lambda: bus.sure
        metrics.ready = lambda: not (service.draining or service.stalled)
        try:
            yield service
        finally:
            await service.close()
    finally:
        await bus.close()
        await store.close()


def _pace(factor: float) -> Pace:
    """Pauses so many times as long. What hides how long a bot thought stays as it is, unless there is no pause at all."""
    normal = Pace()
    pauses = {name: factor * getattr(normal, name) for name in ("shortest", "longest", "per_event", "most")}
    return replace(normal, **pauses) if factor else NO_PAUSE


def _routes(settings: Settings) -> list[BaseRoute]:
    return [
        *routes(ENDPOINTS),
        Route("/api/openapi.json", get_openapi),
        WebSocketRoute("/api/tables/{table_id}/socket", table_socket),
        Route("/api", unknown_path, methods=ANY),
        Route("/api/{rest:path}", unknown_path, methods=ANY),
        Mount("/", Client(settings.static)),
    ]


_openapi: list[bytes] = []


async def get_openapi(request: Request) -> Response:
    """Give the description of the HTTP interface."""
    request.scope[TEMPLATE] = "/api/openapi.json"
    if not _openapi:
        _openapi.append(msgspec.json.encode(describe(ENDPOINTS, __version__)))
    return Response(_openapi[0], headers=NO_STORE, media_type="application/json")


async def unknown_path(_request: Request) -> Response:
    """Refuse a path that does not exist, typed, instead of the page that other paths get."""
    raise HTTPException(404)
