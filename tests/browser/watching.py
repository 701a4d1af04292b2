"""What a page may not do (errors, other hosts), and everything that reaches it (frames, bodies), noted while a test runs."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError, WebSocket

LOCAL = {"127.0.0.1", "localhost", ""}


class Watch:
    """Complaints about every page of the test; what a test expects is allowed by a pattern."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, pattern: str) -> None:
        """Complaints that match are expected in this test."""
        self._allowed.append(re.compile(pattern))

    def follow(self, context: BrowserContext) -> None:
        """Listen to a context and all its pages."""
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            self.complaints.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _error(self, error: WebError) -> None:
        self.complaints.append(f"page error: {error.error}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and address.hostname not in LOCAL:
            self.complaints.append(f"request to another host: {request.url}")

    def unexpected(self) -> list[str]:
        """Everything that no pattern allows."""
        return [complaint for complaint in self.complaints if not any(pattern.search(complaint) for pattern in self._allowed)]


class Ear:
    """Everything that a page gets from the server, as text: WebSocket frames and bodies of the interface."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        self.sent: list[str] = []
        self._responses: list[Response] = []
        page.on("websocket", self._socket)
        page.on("response", self._response)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(_text(frame)))
        socket.on("framesent", lambda frame: self.sent.append(_text(frame)))

    def _response(self, response: Response) -> None:
        if urlsplit(response.url).path.startswith("/api/"):
            self._responses.append(response)

    def bodies(self) -> list[str]:
        """The bodies of all answers so far, headers included; call it when nothing is on its way."""
        return [f"{response.all_headers()}\n{response.text()}" for response in self._responses]


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode()
