"""Bytes that are no HTTP, or barely: the server answers or hangs up, logs no traceback, and goes on."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.server.support import PATIENCE, Guest

UPGRADE = (
    b"\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: "
)
PUT = b"PUT /api/me HTTP/1.1\r\nHost: x\r\n"
JSON = PUT + b"Content-Type: application/json\r\n"


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /%ff%fe%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /api/tables/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\nCookie: sandriver_guest=\xff\xfe; =; ;;; \x01\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \xff\r\nAccept-Language: \xff;q=\xff,;;;\r\nCookie: locale=\xff\r\nConnection: close\r\n\r\n",
        JSON + b"Content-Length: -1\r\n\r\n{}",
        JSON + b"Content-Length: 99999999999\r\nConnection: close\r\n\r\n{}",
        JSON + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        JSON + b"Content-Length: 5\r\nConnection: close\r\n\r\n\xff\xff\xff\xff\xff",
        PUT + b"Content-Type: \xff\r\nOrigin: \xff\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
        b"GET /api/tables/a/socket HTTP/1.1" + UPGRADE + b"13\r\nOrigin: http://x\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff",
        b"GET /api/tables/a/socket HTTP/1.1" + UPGRADE + b"13\r\n\r\n\x81\xfe\xff",
        b"GET /api/tables/a/socket HTTP/1.1" + UPGRADE + b"12\r\n\r\n",
        b"GET /api/tables/\xc3\xa9/socket HTTP/1.1" + UPGRADE + b"13\r\n\r\n",
        b"GET /nowhere HTTP/1.1" + UPGRADE + b"13\r\n\r\n",
        b"GET / HTTP/1.1" + UPGRADE + b"13\r\n\r\n",
        b"GET /api/me HTTP/1.1" + UPGRADE + b"13\r\n\r\n",
        b"GET /api/nothing HTTP/1.1" + UPGRADE + b"13\r\n\r\n",
    ],
)
async def test_raw_bytes(own: Guest, data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever arrives, there is no traceback on either side and the next guest is served."""
    loop = asyncio.get_running_loop()
    faults: list[object] = []
    loop.set_exception_handler(lambda _, context: faults.append(context))
    host, _, port = own.base.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(data)
    if b"close" not in data:
        writer.write_eof()
    try:
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
    except ConnectionError:
        answer = b""
    writer.close()
    assert b"Traceback" not in answer
    assert b"500" not in answer.partition(b"\r\n")[0]
    assert (await own.get("/healthz"))["status"] == "ok"
    assert not faults
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
