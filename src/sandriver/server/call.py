"""One request on its way through the server: who asks, from where, and the cookie that goes back."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from sandriver.server.health import Readiness
from sandriver.server.identity import find_guest, make_guest, set_cookie, token_hash, token_of
from sandriver.server.limits import Limits, address_key
from sandriver.server.metrics import Metrics
from sandriver.server.problems import Problem
from sandriver.server.settings import Settings
from sandriver.tables.service import TableService
from sandriver.tables.store import Person

MOVES_SHARE = 1_000
"""Moves that count like one more game given again: more than any ordinary game has."""


@dataclass(frozen=True)
class Server:
    """What every request shares; ``app.state.server``."""

    settings: Settings
    limits: Limits
    service: TableService
    metrics: Metrics = field(default_factory=Metrics)
    readiness: Readiness = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "readiness", Readiness(self.service))


def server_of(connection: HTTPConnection) -> Server:
    """The server that a request or socket came to."""
    server = connection.app.state.server
    assert isinstance(server, Server)
    return server


def check_origin(connection: HTTPConnection, settings: Settings) -> None:
    """Raise ``Problem`` (``forbidden``) when a page of another site asks. Whoever sends no origin is no browser."""
    origin = connection.headers.get("origin")
    if origin is None and connection.headers.get("sec-fetch-site", "none") in ("cross-site", "same-site"):
        raise Problem("forbidden", {"reason": "origin"})  # a browser that keeps the origin to itself still says this
    if origin is None or origin in settings.origins:
        return
    # Only the host is compared: behind a proxy that ends TLS the scheme differs.
    scheme, _, host = origin.partition("://")
    if scheme not in ("http", "https") or not host or host.lower() != connection.headers.get("host", "").lower():
        raise Problem("forbidden", {"reason": "origin"})


class Call:
    """One HTTP request."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.server = server_of(request)
        self.address = address_key(request.client.host if request.client else None)
        self._token: str | None = None

    @property
    def service(self) -> TableService:
        """The tables."""
        return self.server.service

    def path(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def admit(self, *, changes: bool) -> None:
        """Raise ``Problem`` when this address or guest asks too often, or when another site's page asks for a change."""
        limits = self.server.limits
        limits.check(limits.asking, self.address)
        if changes:
            check_origin(self.request, self.server.settings)
            if token := token_of(self.request):
                limits.check(limits.guest, token_hash(token))

    def count_making(self) -> None:
        """Raise ``Problem`` when this address makes too many guests or tables."""
        self.server.limits.check(self.server.limits.making, self.address)

    def count_replay(self, moves: float = 0.0) -> None:
        """Raise ``Problem`` when this address has too many games given again; each move takes its time."""
        self.server.limits.check(self.server.limits.replaying, self.address, 1 + moves / MOVES_SHARE)

    async def guest(self) -> Person | None:
        """Who asks, if known. A mere visit stores nothing."""
        return await find_guest(self.service.people, self.request)

    async def person_id(self) -> str | None:
        """The id of who asks, if known."""
        person = await self.guest()
        return None if person is None else person.id

    async def need_guest(self, *, name: str = "", language: str = "") -> Person:
        """Who asks; a new guest is stored, and gets a cookie with the answer."""
        person = await self.guest()
        if person is None:
            self.count_making()
            person, self._token = await make_guest(self.service.people, name=name, language=language)
        return person

    def finish(self, response: Response) -> None:
        """Add what the request earned to its answer."""
        if self._token is not None:
            set_cookie(response, self._token, secure=self.request.url.scheme == "https")
