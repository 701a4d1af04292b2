"""The answer that grows with a game, some megabytes at worst: each frame is encoded as it comes, and all are sent in pieces."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sandriver.server.problems import NO_STORE
from sandriver.tables.replay import Replay, ReplayFrame

PIECE = 32
"""Frames in a piece."""


class ReplayAnswer:
    """Takes the frames of a replay, and in the end the rest of it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._frames: list[bytes] = []

    def take(self, frame: ReplayFrame) -> None:
        """Encode a frame, which is not kept: those of a long game have a great many objects."""
        self._frames.append(msgspec.json.encode(frame))
        if len(self._frames) == PIECE:
            self._cut()

    def _cut(self) -> None:
        if self._frames:
            self._pieces.append(b",".join(self._frames))
            self._frames.clear()

    def encoded(self, replay: Replay) -> list[bytes]:
        """The replay with all these frames, as JSON in pieces. ``replay`` has none of its own."""
        self._cut()
        head, end = msgspec.json.encode(replay)[:-2], b"]}"
        assert head.endswith(b'"frames":[')
        between = [b","] * (2 * len(self._pieces))
        between[::2] = self._pieces
        return [head, *between[:-1], end]

    def response(self, replay: Replay) -> Response:
        """The same as an answer that nobody may keep."""
        return _InPieces(self.encoded(replay))


class _InPieces(Response):
    """A body that is sent piece by piece, as fast as it is read. Once nobody is there any more, sending does nothing."""

    def __init__(self, pieces: list[bytes]) -> None:
        headers = {**NO_STORE, "content-length": str(sum(map(len, pieces)))}
        super().__init__(headers=headers, media_type="application/json")
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for piece in self._pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
