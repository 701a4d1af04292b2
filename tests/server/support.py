"""Players made of HTTP and WebSocket clients, as a browser or a script would be one."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect

from sandriver.server.app import create_app, open_service
from sandriver.server.listener import listen
from sandriver.server.metrics import Metrics
from sandriver.server.run import Server, configure
from sandriver.server.settings import Settings
from sandriver.tables.service import TableService

Json = dict[str, Any]
PATIENCE = 10.0
"""Seconds after which a test gives up waiting."""


class Guest:
    """Somebody with a cookie jar."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")
        self.http = httpx.AsyncClient(base_url=self.base, timeout=PATIENCE, verify=False)  # no TLS here: reading certificates takes long

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.http.aclose()

    def move_to(self, base: str) -> None:
        """Ask another server from now on, with the same cookies."""
        self.base, self.http.base_url = base, httpx.URL(base)

    async def get(self, path: str, status: int = 200) -> Any:
        """GET JSON."""
        response = await self.http.get(path)
        assert response.status_code == status, (response.status_code, response.text)
        return response.json()

    async def post(self, path: str, body: Any, status: int = 200) -> Any:
        """POST and get JSON."""
        response = await self.http.post(path, json=body)
        assert response.status_code == status, (response.status_code, response.text)
        return response.json()

    async def open(self, *seats: str, **more: Any) -> str:
        """Open a table with seats like ``"person"`` or a bot's id; return the table's id."""
        plan = [{"kind": "person"} if seat == "person" else {"kind": "bot", "bot": seat} for seat in seats]
        opened = await self.post("/api/tables", {"game": "mandala", "seats": plan, **more}, 201)
        assert len(opened["commitment"]) == 64
        return str(opened["id"])

    async def join(self, table: str, **more: Any) -> Json:
        """Take a seat; return the snapshot."""
        snapshot: Json = await self.post(f"/api/tables/{table}/join", {"nonce": secrets.token_hex(16), **more})
        return snapshot

    @asynccontextmanager
    async def sit(self, table: str, query: str = "") -> AsyncIterator[Seat]:
        """Follow a table over a socket."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookie} if cookie else {}
        url = f"{self.base.replace('http', 'ws', 1)}/api/tables/{table}/socket{query}"
        async with connect(url, additional_headers=headers, proxy=None, max_size=None) as socket:
            yield Seat(socket)


class Seat:
    """One connection to a table, with everything that it has heard."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Json] = []
        self.texts: list[str] = []
        self.v = 0
        self.latest: Json = {}
        """The newest snapshot or update."""

    async def receive(self) -> Json:
        """The next frame. Versions must follow each other without a gap."""
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(text, str)
        frame: Json = json.loads(text)
        self.texts.append(text)
        self.frames.append(frame)
        if frame["t"] == "update":
            assert frame["v"] == self.v + 1, (frame["v"], self.v)
        if frame["t"] in ("snapshot", "update"):
            self.v, self.latest = frame["v"], frame
        return frame

    async def until(self, *kinds: str) -> Json:
        """The next frame of one of these kinds."""
        while True:
            frame = await self.receive()
            if frame["t"] in kinds:
                return frame

    async def send(self, command: Json | str | bytes) -> None:
        """Send a command, or raw text or bytes."""
        await self.socket.send(json.dumps(command) if isinstance(command, dict) else command)

    async def ask(self, command: Json) -> Json:
        """Send a command and return its answer."""
        await self.send(command)
        return await self.until("ack", "refused", "pong")

    @property
    def legal(self) -> list[str]:
        """Legal actions, as the latest view tells them."""
        view = self.latest.get("view")
        return list(view["legal"]) if view else []

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.latest) and self.latest["table"]["state"] == "over"

    def act(self, action: str, ply: int | None = None) -> Json:
        """A command that plays ``action``."""
        return {"t": "act", "id": secrets.token_hex(8), "ply": self.latest["ply"] if ply is None else ply, "action": action}


@asynccontextmanager
async def serving(settings: Settings, service: TableService | None = None, metrics: Metrics | None = None) -> AsyncIterator[str]:
    """A real server on a free port in this event loop; yields its address. ``metrics``: what it counts in."""
    if service is None:
        metrics = metrics or Metrics()
        async with open_service(settings, metrics) as own, serving(settings, own, metrics) as base:
            yield base
        return
    async with launched(settings, service, metrics) as (base, _):
        yield base


@asynccontextmanager
async def launched(settings: Settings, service: TableService, metrics: Metrics | None = None) -> AsyncIterator[tuple[str, Server]]:
    """The same, with the server itself, which ends when its ``should_exit`` is set."""
    listener = listen("127.0.0.1", 0)
    ready = asyncio.Event()
    app = create_app(settings, service=service, metrics=metrics)
    server = Server(configure(app, settings), ready.set, service.drain)
    task = asyncio.create_task(server.serve([listener]))
    try:
        await asyncio.wait_for(ready.wait(), PATIENCE)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", server
    finally:
        server.should_exit = True
        await asyncio.wait_for(task, PATIENCE)
        listener.close()
