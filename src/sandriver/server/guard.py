"""WebSocket frames as uvicorn speaks them, bounded: no flood of frames holds the loop up."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from sandriver.server.guard_http import PIECE
from sandriver.server.limits import Rate

FRAMES_BURST, FRAMES_PER_SECOND = 200, 20
"""WebSocket frames that are no message of their own (ping, pong, continuation): more of them end the connection (1008)."""
CLOSE_INVALID, CLOSE_FLOOD = 1007, 1008
DIRECT = "sandriver.direct"
"""An extension of the scope: ``direct(text, more)`` sends bytes of UTF-8 at once and tells whether it could. ``False``: they wait, as in
``send``. ``more``: another text is about to follow, and both can go out together."""


class WebSocket(WebSocketsSansIOProtocol):
    """WebSocket frames. What reaches the application is slowed there; this bounds what does not."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._frames = Rate(FRAMES_PER_SECOND, FRAMES_BURST)

    def data_received(self, data: bytes) -> None:
        """Parse piece by piece, as long as the connection lasts."""
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])

    def handle_connect(self, event: Request) -> None:
        """Offer the application a way to send that needs no task to be woken."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[DIRECT] = self.send_now

    def send_now(self, text: bytes, more: bool = False) -> bool:
        """See ``DIRECT``: only while the peer takes what it is sent."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.close_sent or self.transport.is_closing():
            return False
        self.conn.send_text(text)
        if more:
            self.loop.call_soon(self._flush)  # in case that nothing follows
        else:
            self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def _flush(self) -> None:
        if (waiting := self.conn.data_to_send()) and not self.transport.is_closing():
            self.transport.write(b"".join(waiting))

    async def send(self, message: Any) -> None:
        """Send what the application says; once the connection was ended here, the application hears that nobody is there any more."""
        if self.close_sent and message["type"] in ("websocket.send", "websocket.close"):
            raise ClientDisconnected
        await super().send(message)
        if self.close_sent and self.initial_response is not None:
            self.handshake_complete = True  # refused with an answer: that is complete too, and no error to be logged

    def handle_cont(self, event: Frame) -> None:
        """A further part of a message."""
        if self._may_go_on():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """A ping, whose pong waits to be written."""
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong."""
        if self._may_go_on():
            super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; text that is none ends the connection, and is no fault of ours to be logged.

        Only where one waits already, reading pauses until the application has taken them.
        """
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._end(CLOSE_INVALID)
                return
        alone = self.queue.empty() and not self.read_paused
        if alone:
            self.read_paused = True  # so much that uvicorn does not do it
        super().send_receive_event_to_app()
        if alone:
            self.read_paused = False

    def handle_parser_exception(self) -> None:
        """End the connection as the parser said; without a word where the handshake was not even answered."""
        if self.conn.close_sent is None:
            self.transport.abort()
        else:
            super().handle_parser_exception()

    def _may_go_on(self) -> bool:
        if self.transport.is_closing():
            return False
        if self._frames.spend() > 0:
            self._end(CLOSE_FLOOD)
            return False
        return True

    def _end(self, code: int) -> None:
        self.frames = []
        if not self.close_sent and not self.transport.is_closing():
            self.conn.fail(code)
            self.handle_parser_exception()
