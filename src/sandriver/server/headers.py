"""What every answer says to the browser: no foreign host, no guessing of types, no framing."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COMMON = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For everything that is not a page."""


def page_policy(page: bytes) -> str:
    """The content security policy of an HTML page: this host only; scripts and styles written in the page itself by their digests.

    Nothing is inline: what the client moves and measures it sets through the style objects of elements, which a policy does not bind.
    """
    scripts, styles = _digests(page, b"script"), _digests(page, b"style")
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self'{scripts}",
            f"style-src 'self'{styles}",
            "img-src 'self'",
            "font-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


def _digests(page: bytes, tag: bytes) -> str:
    found = re.findall(rb"<%b(?![^>]*\ssrc=)[^>]*>(.+?)</%b>" % (tag, tag), page, flags=re.DOTALL | re.IGNORECASE)
    return "".join(f" 'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in found)


class SecurityHeaders:
    """Middleware that adds what an answer does not say yet."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; complete the head of its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in COMMON.items():
                    headers.setdefault(name, value)
                # What a 304 says replaces what the browser keeps of the page, its policy too.
                if message["status"] != 304:
                    headers.setdefault("content-security-policy", DATA_POLICY)
            await send(message)

        await self._app(scope, receive, complete)
