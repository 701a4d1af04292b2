"""The end in order: nothing that was begun is lost, nobody begins anything more, everybody is told to come back, and it is soon over."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from sandriver import bots
from sandriver.games import GAMES
from sandriver.server.long_answers import ReplayAnswer
from sandriver.server.metrics import Metrics
from sandriver.server.run import END_SECONDS, Server
from sandriver.server.settings import Settings
from sandriver.tables.bus import MemoryBus
from sandriver.tables.errors import StoreFailed
from sandriver.tables.log import Action, Row
from sandriver.tables.service import TableService
from sandriver.tables.store_sql import SqlStore, sqlite_url
from tests.server.support import PATIENCE, Guest, Seat, launched
from tests.server.test_serve import ENVIRONMENT, process


class Gate(SqlStore):
    """A store whose appends of actions wait while it is held, and which may be gone."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.free = asyncio.Event()
        self.free.set()
        self.waits = asyncio.Event()
        self.gone = False

    async def append(self, rows: Sequence[Row]) -> None:
        if any(isinstance(row.entry, Action) for row in rows) and not self.free.is_set():
            self.waits.set()
            await self.free.wait()
        await super().append(rows)

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        if self.gone:
            raise StoreFailed("gone")
        return await super().rows(table, after)


@asynccontextmanager
async def gated(settings: Settings, metrics: Metrics) -> AsyncIterator[tuple[str, Server, Gate, TableService]]:
    """A server over a store that the test holds."""
    settings.data.mkdir()
    store = await Gate.open(sqlite_url(settings.data / "t.sqlite3"))
    assert isinstance(store, Gate)
    service = TableService(store, MemoryBus(), games=GAMES, find_bot=bots.get, store_seconds=PATIENCE)
    await service.start()
    try:
        async with launched(settings, service, metrics) as (base, server):
            yield base, server, store, service
    finally:
        await service.close()
        await store.close()


async def reason(client: httpx.AsyncClient) -> str | None:
    """Why the server is not ready, in the typed body; ``None``: it is."""
    response = await client.get("/readyz")
    if response.status_code == 200:
        assert response.json() == {"status": "ok", "bus": "up"}
        return None
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    body = response.json()
    assert body["code"] == "try_again"
    return str(body["params"]["reason"])


async def close_code(seat: Seat) -> int | None:
    """Read to the end; return the code of the close."""
    try:
        while True:
            await seat.receive()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


async def test_what_was_begun_is_stored_and_told_before_the_end(settings: Settings) -> None:
    """A move in the middle of its commit when the end is asked for: acknowledged, seen by the other, and only then 1012 for both."""
    metrics = Metrics()
    async with AsyncExitStack() as left:
        base, server, store, service = await left.enter_async_context(gated(settings, metrics))
        ana, rui = await left.enter_async_context(Guest(base)), await left.enter_async_context(Guest(base))
        table, other = await ana.open("person", "person", first=0), await ana.open("person", "random", first=0)
        code = (await ana.join(table))["table"]["code"]
        await rui.join(table, code=code)
        await ana.join(other)
        one, two = await left.enter_async_context(ana.sit(table)), await left.enter_async_context(rui.sit(table))
        third = await left.enter_async_context(ana.sit(other))
        for seat in (one, two, third):
            await seat.until("snapshot")
        assert await reason(ana.http) is None  # and this connection stays open
        store.free.clear()
        move = one.act(one.legal[0])
        await one.send(move)
        await asyncio.wait_for(store.waits.wait(), PATIENCE)
        server.should_exit = True
        while not service.draining:  # noqa: ASYNC110  # a turn of the loop or two
            await asyncio.sleep(0)
        host, _, port = base.removeprefix("http://").partition(":")
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(host, int(port))
        assert await reason(ana.http) == "draining"
        assert (await third.ask(third.act(third.legal[0])))["code"] == "try_again"
        response = await ana.http.post(f"/api/tables/{other}/commands", json=third.act(third.legal[0]))
        assert (response.status_code, response.json()["code"]) == (503, "try_again")
        assert not one.socket.close_code
        store.free.set()
        assert (await one.until("ack", "refused")) == {"t": "ack", "id": move["id"], "v": one.v + 1}
        assert (await two.until("update"))["step"]["ply"] == 1
        assert [await close_code(seat) for seat in (one, two, third)] == [1012] * 3
        assert not [row for row in await store.rows(other) if isinstance(row.entry, Action)]


async def test_not_ready_while_the_store_does_not_answer(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lives all the same; and it is ready again as soon as the store is."""
    monkeypatch.setattr("sandriver.server.health.KEPT_SECONDS", 0.0)
    async with gated(settings, Metrics()) as (base, _, store, _), Guest(base) as ana:
        assert await reason(ana.http) is None
        store.gone = True
        assert await reason(ana.http) == "store"
        assert (await ana.get("/healthz"))["status"] == "ok"
        store.gone = False
        assert await reason(ana.http) is None


@pytest.mark.parametrize("end", ["rounds", "watch"])
async def test_not_ready_when_flags_and_bots_are_not_seen_to(settings: Settings, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """Whichever of the loops has ended or does nothing right: somebody must restart it."""
    monkeypatch.setattr("sandriver.server.health.KEPT_SECONDS", 0.0)
    async with gated(settings, Metrics()) as (base, _, _, service), Guest(base) as ana:
        assert await reason(ana.http) is None
        loops = (service._background if end == "rounds" else service._watch._background)._loops
        loops[end].cancel()
        await asyncio.wait([loops[end]])
        assert await reason(ana.http) == "stalled"
        assert (await ana.get("/healthz"))["status"] == "ok"


async def test_a_lost_bus_is_told_and_no_obstacle(settings: Settings) -> None:
    """Moves are stored all the same, so requests may come."""
    metrics = Metrics()
    async with gated(settings, metrics) as (base, _, _, _), Guest(base) as ana:
        metrics.bus = lambda: False
        assert await ana.get("/readyz") == {"status": "ok", "bus": "down"}
        assert b"sandriver_bus_up 0.0" in metrics.text()


async def test_the_store_is_not_asked_for_every_probe(settings: Settings) -> None:
    """Who asks a thousand times costs the store one question."""
    async with gated(settings, Metrics()) as (base, _, _, service), Guest(base) as ana:
        asked = 0
        ask = service.check_store

        async def count() -> None:
            nonlocal asked
            asked += 1
            await ask()

        service.check_store = count  # type: ignore[method-assign]
        await asyncio.gather(*(reason(ana.http) for _ in range(20)))
        assert 1 <= asked <= 3


LATE = b"POST /api/replay HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"


@pytest.mark.parametrize("what", ["half a body", "half a head", "nothing", "a store that hangs", "an answer that nobody reads"])
async def test_what_never_ends_is_ended_quietly(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    """Whoever sends half a request, or waits for what does not come, hears that it cannot be done now, and the log has no traceback."""
    monkeypatch.setattr("sandriver.server.run.DRAIN_SECONDS", 0.2)
    monkeypatch.setattr("sandriver.server.run.CUT_SECONDS", 0.3)
    typed = what in ("half a body", "a store that hangs")
    async with AsyncExitStack() as left:
        base, server, store, _ = await left.enter_async_context(gated(settings, Metrics()))
        ana = await left.enter_async_context(Guest(base))
        table = await ana.open("person", "random", first=0)
        snapshot = await ana.join(table)
        host, _, port = base.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
        heard = asyncio.create_task(rest_of(reader))
        if what == "a store that hangs":
            heard.cancel()
            store.free.clear()
            left.callback(store.free.set)
            act = {"t": "act", "id": "a", "ply": 0, "action": snapshot["view"]["legal"][0]}
            heard = asyncio.create_task(answer_of(ana.http.post(f"/api/tables/{table}/commands", json=act)))
            await asyncio.wait_for(store.waits.wait(), PATIENCE)
        elif what == "an answer that nobody reads":
            heard.cancel()
            monkeypatch.setattr(ReplayAnswer, "encoded", lambda *_: [b" " * 1_000_000] * 20)
            writer.write(b"GET /api/tables/%s/replay HTTP/1.1\r\nhost: x\r\n\r\n" % table.encode())
            await asyncio.sleep(0)
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        else:
            writer.write({"half a body": LATE, "half a head": LATE[:30], "nothing": b""}[what])
            await asyncio.wait_for(ana.get("/healthz"), PATIENCE)  # what was written before has come
        server.should_exit = True
        while server.server_state.connections or server.server_state.tasks:  # noqa: ASYNC110  # a part of a second
            await asyncio.sleep(0.01)
        if what != "an answer that nobody reads":
            assert (b'"try_again"' in await asyncio.wait_for(heard, PATIENCE)) is typed
        writer.transport.abort()
    assert not [record for record in caplog.records if record.exc_info or record.name.startswith("uvicorn")]


async def answer_of(request: Awaitable[httpx.Response]) -> bytes:
    """The body of an answer."""
    return (await request).content


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """What comes until the end, however it ends."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(1 << 16):
            found = (found + piece)[-1024:]
    return found


@pytest.mark.parametrize(("then", "status", "words"), [("", 1, "ended by force"), ("called_off()", 0, "")], ids=["hangs", "ends"])
def test_nothing_holds_the_end_up_for_ever(then: str, status: int, words: str) -> None:
    """A store that never closes is left; one that does calls that off."""
    program = (
        "import logging, threading; from sandriver.server import run; logging.basicConfig(); run.END_SECONDS = 0.5\n"
        f"called_off = run._end_by_force_later(); {then}\n"
        f"threading.Event().wait({2 if then else 60})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, timeout=40)
    assert done.returncode == status
    assert words in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_process_that_is_told_twice_to_end(tmp_path: Path) -> None:
    """The first signal lets a request of which half has come have its seconds, the second one does not."""
    async with process(tmp_path, "--log", "json", "--log-level", "info") as (server, base):
        assert server.stderr is not None
        host, _, port = base.removeprefix("http://").rstrip("/").partition(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"PUT /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{")
        async with Guest(base) as guest:
            await guest.get("/healthz")  # the other one has been heard, too
        server.send_signal(signal.SIGTERM)
        while b'"draining"' not in await asyncio.wait_for(server.stderr.readline(), END_SECONDS):
            pass
        server.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(server.wait(), END_SECONDS) == 1
        assert b'"ended at once"' in await server.stderr.read()
        writer.transport.abort()


async def test_a_process_that_is_told_to_end(tmp_path: Path) -> None:
    """SIGTERM under play: status 0 within the bound, every socket hears 1012, nothing acknowledged is missing afterwards."""
    acknowledged: dict[str, list[str]] = {}
    enough = asyncio.Event()

    async def play(ana: Guest, table: str) -> int | None:
        async with ana.sit(table) as seat:
            try:
                await seat.until("snapshot")
                while not seat.over:
                    if seat.legal:
                        action = seat.legal[0]
                        if (await seat.ask(seat.act(action)))["t"] == "ack":
                            acknowledged[table].append(action)
                        if sum(map(len, acknowledged.values())) >= 20:
                            enough.set()
                    await seat.until("update")
            except ConnectionClosed as closed:
                return None if closed.rcvd is None else closed.rcvd.code
            return await close_code(seat)

    async with Guest("http://unused") as ana:
        async with process(tmp_path, "--metrics-port", "0", "--log", "json", "--log-level", "info") as (server, base):
            assert server.stdout is not None
            assert server.stderr is not None
            line = (await server.stdout.readline()).decode()
            found = re.fullmatch(r"Figures: +(http://127\.0\.0\.1:\d+/)metrics\n", line)
            assert found, line
            ana.move_to(base)
            for _ in range(4):
                table = await ana.open("person", "random", first=0)
                await ana.join(table)
                acknowledged[table] = []
            players = [asyncio.create_task(play(ana, table)) for table in acknowledged]
            await asyncio.wait_for(enough.wait(), 4 * PATIENCE)
            async with httpx.AsyncClient(base_url=found[1]) as probe:
                assert await reason(probe) is None
                assert "sandriver_moves_total" in (await probe.get("/metrics")).text
            began = time.monotonic()
            server.send_signal(signal.SIGTERM)
            assert set(await asyncio.wait_for(asyncio.gather(*players), END_SECONDS)) == {1012}
            assert await asyncio.wait_for(server.wait(), END_SECONDS) == 0
            assert time.monotonic() - began < END_SECONDS
            log = (await server.stderr.read()).decode()
            assert [word for word in ("ready", "draining", "served") if f'"event":"{word}"' in log] == ["ready", "draining", "served"]
            assert "Traceback" not in log
        async with process(tmp_path) as (_, base):
            ana.move_to(base)
            for table, actions in acknowledged.items():
                snapshot = await ana.get(f"/api/tables/{table}")
                own = [step["move"] for step in snapshot["log"] if step["kind"] == "action" and step["seat"] == 0]
                assert [move.partition(">")[0] for move in own[: len(actions)]] == actions
                assert len(own) - len(actions) in (0, 1)
