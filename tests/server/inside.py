"""A browser without a network: talks to the application within the same event loop, so it works in virtual time and hears every byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping, Sequence
from typing import Any

Headers = Sequence[tuple[bytes, bytes]]
Message = MutableMapping[str, Any]
HOST = (b"host", b"table.example")


class Reply:
    """What was answered to an HTTP request."""

    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def everything(self) -> bytes:
        """Status, headers and body."""
        return b"\n".join([str(self.status).encode(), *(name + b": " + value for name, value in self.headers), self.body])


class Browser:
    """Somebody with a cookie."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._cookie: bytes | None = None

    def _scope(self, kind: str, path: str, headers: Headers) -> dict[str, Any]:
        where, _, query = path.partition("?")
        cookie = [] if self._cookie is None else [(b"cookie", self._cookie)]
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "path": where,
            "raw_path": where.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http" if kind == "http" else "ws",
            "server": ("table.example", 80),
            "client": ("192.0.2.1", 50_000),
            "headers": [HOST, *cookie, *headers],
            "state": {},
        }

    async def ask(self, method: str, path: str, body: Any = None) -> Reply:
        """Make a request, with a JSON body if there is one."""
        data = b"" if body is None else json.dumps(body).encode()
        scope = self._scope("http", path, [] if body is None else [(b"content-type", b"application/json")])
        scope["method"] = method
        sent: list[Message] = []
        heard = [{"type": "http.request", "body": data, "more_body": False}]

        async def receive() -> Message:
            return heard.pop() if heard else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        head = sent[0]
        for name, value in head["headers"]:
            if name == b"set-cookie":
                self._cookie = value.partition(b";")[0]
        return Reply(head["status"], head["headers"], b"".join(message.get("body", b"") for message in sent[1:]))

    def connect(self, path: str) -> Socket:
        """Open a WebSocket."""
        scope = self._scope("websocket", path, [])
        scope |= {"subprotocols": [], "extensions": {"websocket.http.response": {}}}
        return Socket(self._app, scope)


class Socket:
    """One WebSocket, with all that the application has sent on it."""

    def __init__(self, app: Any, scope: dict[str, Any]) -> None:
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self.heard: list[bytes] = []
        """Frames, and whatever else was sent: a refusal before the upgrade with its headers, the close code."""
        self.task = asyncio.ensure_future(app(scope, self._incoming.get, self._sent))

    async def _sent(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self.heard.append(message["text"].encode())
        else:
            self.heard.append(repr(sorted(message.items())).encode())

    def send(self, command: Any) -> None:
        """Send a command, or raw text."""
        text = command if isinstance(command, str) else json.dumps(command)
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})

    @property
    def frames(self) -> list[Any]:
        """The frames among what was heard."""
        return [json.loads(text) for text in self.heard if text.startswith(b"{")]

    async def leave(self) -> None:
        """Hang up."""
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self.task
