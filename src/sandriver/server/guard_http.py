"""HTTP as uvicorn speaks it, bounded: no head that never ends, body in crumbs, or answer that nobody takes holds the loop up."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from sandriver.server.api.wire import ApiError

HEAD_SECONDS = 20.0
"""How long the head of a request may take to arrive, from the opening of its connection or its first byte on."""
TAKE_SECONDS = 20.0
"""A client that takes no byte of a long answer for so long is let go of."""
HEAD_BYTES = 65_536
"""Longest head of a request."""
PIECE = 4_096
"""Received bytes are parsed in pieces of this size, so that a flood is noticed after the first ones."""
PARTS = 1_000
"""A body that comes in more parts than this is refused: each costs as much as a body that comes whole."""
LATE_BYTES = 65_536
"""So much of a body is still read after the answer, to keep the connection for the next request."""
LINGER_BYTES, LINGER_SECONDS = 16_000_000, 5.0
"""What comes after that is thrown away, so that whoever sends it can hear the answer; then the connection is cut."""
BROKEN = msgspec.json.encode(ApiError(code="bad_request", params={"reason": "http"}))


class Parser(h11.Connection):
    """The parser, which counts the parts of a request's body."""

    _parts = 0

    def next_event(self) -> Any:
        """As h11's. Raises ``RemoteProtocolError`` when a body comes in too many parts."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._parts += 1
            if self._parts > PARTS:
                raise h11.RemoteProtocolError("a body in too many parts")
        elif isinstance(event, h11.Request):
            self._parts = 0
        return event


class Http(H11Protocol):
    """HTTP/1.1, parsed by h11 because it bounds what it keeps of a head or of trailers."""

    _deadline: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _linger: asyncio.TimerHandle | None = None
    _unsent = 0
    _late = 0

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = Parser(h11.SERVER, self.config.h11_max_incomplete_event_size or HEAD_BYTES)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Parse piece by piece, then see whether a head is still to come."""
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:  # WebSocket is spoken then
                break
            if self._throw_away(data[start:]):
                return
            super().data_received(data[start : start + PIECE])
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._rest()
        self._go_on()
        if self._linger is not None:
            self._linger.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Hold back what is still to be said, and watch whether what has been said is taken."""
        super().pause_writing()
        if self._stuck is None:
            self._look(more=True)

    def resume_writing(self) -> None:
        """Go on."""
        self._go_on()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, in the words of every refusal; nothing more can be said where an answer was given already."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        headers = [("content-type", "application/json"), ("content-length", str(len(BROKEN))), ("connection", "close")]
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=BROKEN), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _throw_away(self, data: bytes) -> bool:
        """Whether this is of a body of which enough has come after its answer: then it is not looked at any more."""
        if self._linger is None:
            if self.conn.our_state is not h11.DONE or self.conn.their_state is not h11.SEND_BODY:
                self._late = 0
                return False
            self._late += min(len(data), PIECE)
            if self._late <= LATE_BYTES:
                return False
            self._linger = self.loop.call_later(LINGER_SECONDS, self.transport.abort)
            if self.transport.can_write_eof():
                self.transport.write_eof()  # the client hears that there is nothing to be said here after the answer
        self._late += len(data)
        if self._late > LINGER_BYTES:
            self.transport.abort()
        return True

    def _look(self, *, more: bool = False) -> None:
        unsent = self.transport.get_write_buffer_size()
        if more or unsent < self._unsent:
            self._unsent = unsent
            self._stuck = self.loop.call_later(TAKE_SECONDS, self._look)
        else:
            self._stuck = None
            self.transport.abort()

    def _go_on(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._rest()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
