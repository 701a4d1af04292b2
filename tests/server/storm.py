"""Malformed frames by the hundred thousand: a generator with a seed, and a line to the application that needs no network."""

from __future__ import annotations

import asyncio
import json
import random
import typing
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Scope

from sandriver.tables.wire import Act, Command, Resign, Sync

COMMANDS: tuple[type[msgspec.Struct], ...] = typing.get_args(Command)
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, 2**64, -(2**64), 10**40, 0.5, 1e308, -0.0, "", "a", "A", "0", "t", "x" * 65, "x" * 300,
    "\x00", "\n", "\u2028", "ﷺ" * 40, "💩", "b1R", "cR", "p1Y", "random", "win", "bot", "draw", "undo", "resign", "id", [], [[]], {},
    {"t": "act"}, [1, 2, 3], {"a": {"b": {}}}, "\\", '"', "</script>", "../..", "%00", "'; DROP TABLE log; --", "\ufeff", "é" * 64, "١٢",
)  # fmt: skip
"""Values that break parsers, bounds, encodings or assumptions."""
BITS = (
    "{", "}", "[", "]", '"', ":", ",", "\\", "\\u0000", "\\ud800", "1e999", "-", "null", "\x00", "\x7f", "é",
    "[" * 50, '{"t":' * 20, "//", "NaN",
)  # fmt: skip
ANSWERS = ("ack", "refused", "pong")
_STARTS = tuple(f'{{"t":"{kind}"' for kind in ANSWERS)
_decoder = msgspec.json.Decoder(Command)


def frame(rng: random.Random, legal: Sequence[str], ply: int) -> str | bytes:
    """One frame: nonsense, or a command of any kind with something wrong, more or less; now and then nothing is wrong with it."""
    kind = rng.random()
    if kind < 0.04:
        return rng.randbytes(rng.randrange(40))
    if kind < 0.12:
        return "".join(
            rng.choice(BITS) if rng.random() < 0.5 else chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD800))))
            for _ in range(rng.randrange(30))
        )
    if kind < 0.14:
        return "x" * rng.randrange(4000, 6000)
    text = json.dumps(_command(rng, legal, ply), ensure_ascii=rng.random() < 0.5)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 5))):
        text = _damaged(rng, text)
    return text


def _command(rng: random.Random, legal: Sequence[str], ply: int) -> Any:
    """A command with any of its fields left out, of another kind or value, or too many."""
    chosen = rng.choice(COMMANDS)
    if chosen is Resign and rng.random() < 0.8:
        chosen = Act  # or no game would go on
    made: dict[str, Any] = {"t": chosen.__struct_config__.tag}
    for name in chosen.__struct_fields__:
        made[name] = _value(rng, name, legal, ply)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        name = rng.choice([*made, "seat", "person", "x"])
        made[name] = rng.choice(ODD)
    for name in list(made):
        if rng.random() < 0.05:
            del made[name]
    return made if rng.random() < 0.97 else rng.choice(([made], [made, made], made.get("t"), {"t": made}))


def _value(rng: random.Random, name: str, legal: Sequence[str], ply: int) -> Any:
    if rng.random() < 0.3:
        return rng.choice(ODD)
    if name == "id":
        return f"{rng.randrange(10**6)}"
    if name in ("ply", "since"):
        return ply + rng.choice((0, 0, 0, 1, -1, 5))
    if name == "action":
        return rng.choice(legal) if legal and rng.random() < 0.3 else "".join(rng.choices("bgcph123ROYBKP>.-x ", k=rng.randrange(8)))
    return rng.choice((0, 1, 2, True, "draw", "undo", "random", None))


def _damaged(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    match rng.randrange(4):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + rng.choice(BITS) + text[at:]
        case 2:
            return text[:at] + text[at + rng.randrange(1, 6) :]
        case _:
            return text[:at] + text[max(0, at - rng.randrange(1, 10)) :]


def answers_due(message: str | bytes) -> int:
    """How many frames of ``ANSWERS`` a frame gets: one, unless it asks for what was missed, which may be any number of others."""
    if isinstance(message, str):
        try:
            return 0 if isinstance(_decoder.decode(message), Sync) else 1
        except (msgspec.DecodeError, RecursionError, ValueError):
            pass
    return 1


class Line:
    """A socket to the application as a server would hold it, but in this process: frames in, frames out, at the pace of the machine."""

    def __init__(self, app: ASGIApp, table: str, token: str | None) -> None:
        path = f"/api/tables/{table}/socket"
        cookie = [] if token is None else [(b"cookie", f"sandriver_guest={token}".encode())]
        scope: Scope = {
            "type": "websocket", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "scheme": "ws",
            "server": ("test", 80), "client": ("127.0.0.1", 1), "root_path": "", "path": path, "raw_path": path.encode(),
            "query_string": b"", "headers": [(b"host", b"test"), *cookie], "subprotocols": [], "state": {},
            "extensions": {"websocket.http.response": {}},
        }  # fmt: skip
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._heard = asyncio.Event()
        self.texts: deque[str] = deque()
        """Frames that came and were not taken yet."""
        self.code: int | None = None
        """With which it was closed from the other side."""
        self.task = asyncio.create_task(self._run(app, scope))

    async def _run(self, app: ASGIApp, scope: Scope) -> None:
        await app(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        return await self._incoming.get()

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self.texts.append(message["text"])
        elif message["type"] != "websocket.accept":
            self.code = message.get("code", message.get("status", 0))
        self._heard.set()

    def put(self, message: str | bytes) -> None:
        """Send a frame."""
        self._incoming.put_nowait({"type": "websocket.receive", "text" if isinstance(message, str) else "bytes": message})

    async def answers(self, most: int) -> list[dict[str, Any]]:
        """The next so many answers; what else comes is dropped. Fails when the line is closed or nothing comes."""
        found: list[dict[str, Any]] = []
        async with asyncio.timeout(60):
            while len(found) < most:
                text = await self._next()
                if text.startswith(_STARTS):
                    found.append(json.loads(text))
        return found

    async def until(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of these kinds."""
        starts = tuple(f'{{"t":"{kind}"' for kind in kinds)
        async with asyncio.timeout(60):
            while not (text := await self._next()).startswith(starts):
                pass
        frame: dict[str, Any] = json.loads(text)
        return frame

    async def _next(self) -> str:
        while not self.texts:
            assert self.code is None, self.code
            assert not self.task.done(), self.task
            self._heard.clear()
            await self._heard.wait()
        return self.texts.popleft()

    async def leave(self) -> None:
        """Close it; what the application says of it is raised here."""
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self.task, 30)
