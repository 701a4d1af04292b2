"""Bytes that are no HTTP, or barely, and too many of them: the server answers or hangs up, logs no traceback, and goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import msgspec
import pytest

from sandriver.server import guard, guard_http
from sandriver.server.api.wire import ApiError
from sandriver.server.long_answers import ReplayAnswer
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


OPENING = b"GET /api/tables/%s/socket HTTP/1.1" + UPGRADE + b"13\r\n\r\n"


@pytest.fixture
def faults(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[logging.LogRecord]]]:
    """What is logged as an error, by uvicorn too, whose loggers keep it to themselves."""
    logger = logging.getLogger("uvicorn")
    logger.addHandler(caplog.handler)
    yield lambda: [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
    logger.removeHandler(caplog.handler)


async def until_closed(base: str, opening: bytes, more: bytes, times: int, *, start: bytes = b"") -> bytes:
    """Send ``opening`` (and ``start`` on its socket), then ``more`` so many times or until the server hangs up; return its answer."""
    host, _, port = base.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    answer = b""
    try:
        writer.write(opening)
        if b"Upgrade" in opening:
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            writer.write(start)
        for _ in range(times):
            writer.write(more)
            await asyncio.wait_for(writer.drain(), PATIENCE)
            await asyncio.sleep(0)
        while data := await asyncio.wait_for(reader.read(65_536), PATIENCE):
            answer += data
    except ConnectionError:
        pass
    finally:
        writer.transport.abort()
    return answer


@pytest.mark.parametrize(
    ("opening", "more"),
    [
        (b"GET /", b"a" * 65_536),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"a" * 65_536),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"x: y\r\n" * 10_000),
        (JSON + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", b"x: y\r\n" * 10_000),
        (JSON + b"Transfer-Encoding: chunked\r\n\r\n2;x=", b"a" * 65_536),
    ],
    ids=["path", "one header", "headers", "trailers", "chunk extension"],
)
async def test_an_endless_head_is_cut_off(own: Guest, opening: bytes, more: bytes) -> None:
    """What does not end ends the connection after some kilobytes: 64 MB of it are never taken."""
    answer = await until_closed(own.base, opening, more, 1_000)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 200"))
    assert (await own.get("/healthz"))["status"] == "ok"


@pytest.mark.parametrize("path", [b"/api/me", b"/nothing"])
async def test_a_body_in_crumbs_is_refused(own: Guest, path: bytes) -> None:
    """Parts of one byte cost the server as much each as a whole body: after so many it hangs up, whether it has answered or not."""
    opening = JSON.replace(b"/api/me", path) + b"Transfer-Encoding: chunked\r\n\r\n"
    answer = await until_closed(own.base, opening, b"1\r\na\r\n" * 10_000, 1_000)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    assert (await own.get("/healthz"))["status"] == "ok"


async def test_what_is_no_request_is_refused_in_the_words_of_every_refusal(own: Guest) -> None:
    answer = await until_closed(own.base, b"no request\r\n\r\n", b"", 1)
    assert answer.startswith(b"HTTP/1.1 400")
    assert msgspec.json.decode(answer.partition(b"\r\n\r\n")[2], type=ApiError) == ApiError("bad_request", params={"reason": "http"})


async def test_a_body_after_the_answer_is_not_read_for_ever(own: Guest) -> None:
    """The answer is heard, what comes then is thrown away, and at last the connection is cut: 640 MB are never taken."""
    opening = b"POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"
    host, _, port = own.base.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(opening)
    assert (await reader.readline()).startswith(b"HTTP/1.1 405")
    sent = 0

    async def flood() -> None:
        nonlocal sent
        for _ in range(10_000):
            writer.write(b"a" * 65_536)
            await asyncio.wait_for(writer.drain(), PATIENCE)
            sent += 65_536
            await asyncio.sleep(0)

    with pytest.raises(ConnectionError):
        await flood()
    assert sent < 2 * guard_http.LINGER_BYTES + 20_000_000, "what the system holds comes on top"
    writer.transport.abort()


async def test_a_body_that_ends_soon_after_its_answer_keeps_the_connection(own: Guest) -> None:
    """Whoever was refused early and says the rest may go on asking by the same connection."""
    host, _, port = own.base.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for _ in range(2):
        writer.write(b"POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n")
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        assert head.startswith(b"HTTP/1.1 405")
        length = int(next(line for line in head.lower().splitlines() if line.startswith(b"content-length")).partition(b":")[2])
        await reader.readexactly(length)
        writer.write(b"a" * 50_000)
    writer.transport.abort()


@pytest.mark.parametrize("opening", [b"", b"GET / HT", JSON])
async def test_who_sends_no_head_is_let_go_of(own: Guest, opening: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that asks for nothing, or never to the end, does not stay."""
    monkeypatch.setattr(guard_http, "HEAD_SECONDS", 0.2)
    assert await until_closed(own.base, opening, b"", 1) == b""


async def test_who_takes_no_answer_is_let_go_of(
    own: Guest, monkeypatch: pytest.MonkeyPatch, faults: Callable[[], list[logging.LogRecord]]
) -> None:
    """A long answer that nobody reads is not kept for ever."""
    lost = asyncio.Event()

    end = guard_http.Http.connection_lost

    def watched(self: guard_http.Http, exc: Exception | None) -> None:
        end(self, exc)
        if self._unsent:
            lost.set()

    monkeypatch.setattr(guard_http, "TAKE_SECONDS", 0.1)
    monkeypatch.setattr(ReplayAnswer, "encoded", lambda *_: [b" " * 1_000_000] * 20)
    table = await own.open("person", "person")
    host, _, port = own.base.removeprefix("http://").partition(":")
    monkeypatch.setattr(guard_http.Http, "connection_lost", watched)
    reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
    writer.write(b"GET /api/tables/%s/replay HTTP/1.1\r\nHost: x\r\n\r\n" % table.encode())
    assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
    await asyncio.wait_for(lost.wait(), PATIENCE)
    writer.transport.abort()
    assert (await own.get("/healthz"))["status"] == "ok"
    assert not faults()


def test_who_takes_a_little_is_waited_for() -> None:
    """Slow is not gone: as long as less and less is left, nobody is let go of."""
    left = [9_000, 5_000, 4_999, 100, 100]
    calls: list[Callable[[], None]] = []
    ended: list[int] = []
    http = object.__new__(guard_http.Http)
    http.transport = SimpleNamespace(get_write_buffer_size=lambda: left.pop(0), abort=lambda: ended.append(len(left)))  # type: ignore[assignment]
    http.loop = SimpleNamespace(call_later=lambda _, call: calls.append(call))  # type: ignore[assignment]
    http._look(more=True)
    while calls:
        assert not ended
        calls.pop()()
    assert ended == [0]


@pytest.mark.parametrize("frame", [b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"], ids=["ping", "pong", "continuation"])
async def test_a_flood_of_frames_ends_the_connection(own: Guest, frame: bytes, faults: Callable[[], list[logging.LogRecord]]) -> None:
    """Frames that are no message of their own are not slowed by the application, so they are counted."""
    table = await own.open("person", "person")
    start = b"\x01\x80\0\0\0\0" if frame.startswith(b"\x00") else b""
    answer = await until_closed(own.base, OPENING % table.encode(), frame * guard.FRAMES_BURST, 100, start=start)
    assert answer == b"" or b"\x88\x02\x03\xf0" in answer
    assert not faults()


async def test_a_person_may_ping(own: Guest) -> None:
    """Pings as clients send them to stay awake, and a message in parts, are answered."""
    table = await own.open("person", "person")
    async with own.sit(table) as seat:
        for _ in range(20):
            await asyncio.wait_for(await seat.socket.ping(), PATIENCE)
        await seat.socket.send(['{"t":', '"ping"', "}"])
        assert (await seat.until("pong"))["t"] == "pong"


async def test_text_that_is_none(own: Guest, faults: Callable[[], list[logging.LogRecord]]) -> None:
    """Bytes that are not UTF-8 in a text message end the connection, with no traceback in the log."""
    table = await own.open("person", "person")
    text = b"\x81\x82\0\0\0\0\xff\xff"
    async with own.sit(table) as seat:
        await seat.receive()
        seat.socket.transport.write(text)
        await asyncio.wait_for(seat.socket.wait_closed(), PATIENCE)
        assert seat.socket.close_code == 1007
    assert not faults()


async def test_a_refused_socket_is_no_error(own: Guest, faults: Callable[[], list[logging.LogRecord]]) -> None:
    """Another site's page hears no, and the log says nothing: it could be filled otherwise."""
    opening = (OPENING % b"aaaaaaaaaaaa").replace(b"Host: x", b"Host: x\r\nOrigin: http://y")
    await until_closed(own.base, opening, b"", 1)
    await own.get("/healthz")
    assert not faults()
