"""The socket under bad input, bad networks and bad manners."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from contextlib import AsyncExitStack

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sandriver.server.metrics import Metrics
from sandriver.server.settings import Settings
from sandriver.server.socket import _write
from sandriver.tables.hub import Hub
from tests.server.support import Guest, Seat, serving


@pytest.mark.parametrize(
    ("message", "code", "named"),
    [
        ("", "bad_request", None),
        ("{", "bad_request", None),
        ("null", "bad_request", None),
        ("[]", "bad_request", None),
        ('"act"', "bad_request", None),
        ("{}", "bad_request", None),
        ('{"t":"act"}', "bad_request", None),
        ('{"t":"act","id":"a","ply":"0","action":"b1R"}', "bad_request", "a"),
        ('{"t":"act","id":7,"ply":0,"action":"b1R"}', "bad_request", None),
        ('{"t":"act","id":"a","ply":0.5,"action":"b1R"}', "bad_request", "a"),
        ('{"t":"act","id":"a","ply":0,"action":"b1R","seat":1}', "bad_request", "a"),
        ('{"t":"become","id":"a","seat":1}', "bad_request", "a"),
        ('{"t":"act","id":"a","ply":0,"action":"\\u0000"}', "illegal|bad_request", "a"),
        ('{"t":"act","id":"b","ply":0,"action":""}', "illegal|bad_request", "b"),
        ('{"t":"act","id":"c","ply":0,"action":"b1R>KKK"}', "illegal|bad_request", "c"),
        ('{"t":"act","id":"d","ply":-1,"action":"b1R"}', "stale|bad_request", "d"),
        ('{"t":"act","id":"e","ply":99999999999999999999999999,"action":"b1R"}', "stale|bad_request", "e"),
        ('{"t":"act","id":"","ply":0,"action":"b1R"}', "bad_request", ""),
        ('{"t":"act","id":"' + "x" * 500 + '","ply":0,"action":"b1R"}', "bad_request", "x" * 64),
        ('{"t":"sync","since":"x"}', "bad_request", None),
        ('{"t":"ping","id":"' + "x" * 500 + '"}', "bad_request", None),
        ('{"t":"act","id":"\\ud800","ply":0,"action":"b1R"}', "bad_request", None),
        ("[" * 4000, "bad_request", None),
        ('{"t":' + "[" * 4000, "bad_request", None),
        ('{"t":"act","id":"a","ply":0,"action":"' + "b" * 5000 + '"}', "too_large", None),
        (b"\x00\x01", "bad_request", None),
        (b'{"t":"ping"}', "bad_request", None),
    ],
)
async def test_every_bad_message_is_answered(ana: Guest, message: str | bytes, code: str, named: str | None) -> None:
    """A typed refusal, nothing of ours in it, and the connection lives on."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        await seat.send(message)
        refused = await seat.until("refused")
        assert refused["code"] in code.split("|"), refused
        assert refused["id"] == named
        assert "Traceback" not in seat.texts[-1]
        assert (await seat.ask({"t": "ping"}))["t"] == "pong"
        assert seat.latest["ply"] == 0


async def test_far_too_long_a_message_ends_the_connection(ana: Guest) -> None:
    """1009, and the server goes on."""
    table = await ana.open("person", "random", first=0)
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        with contextlib.suppress(ConnectionClosed):
            await seat.send("x" * 1_000_000)
        assert await close_code(seat) == 1009
    async with ana.sit(table) as again:
        await again.until("snapshot")


@pytest.mark.parametrize("table", ["nothing", "x" * 200, "%00", "a%20b"])
async def test_an_unknown_table_is_told(ana: Guest, table: str) -> None:
    """A browser cannot read a refused upgrade, so it is told in a frame and by the close code."""
    async with ana.sit(table) as seat:
        assert (await seat.receive())["code"] == "unknown_table"
        assert await close_code(seat) == 4404


@pytest.mark.parametrize("since", ["x", "-1", "1e3", "", "9" * 30, "%C2%B2"])
async def test_a_bad_version_is_refused(ana: Guest, since: str) -> None:
    """Before the upgrade, typed."""
    table = await ana.open("person", "random", first=0)
    with pytest.raises(InvalidStatus) as refused:
        async with ana.sit(table, f"?since={since}"):
            pass
    assert refused.value.response.status_code == 400
    assert json.loads(refused.value.response.body or b"")["code"] == "bad_request"


async def test_a_spectator_can_only_look(ana: Guest, rui: Guest) -> None:
    """With or without a cookie, who does not sit there commands nothing."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with rui.sit(table) as seat:
        snapshot = await seat.until("snapshot")
        assert snapshot["table"]["you"] is None
        assert seat.legal == []
        for command in (seat.act("b1R"), {"t": "resign", "id": "1"}, {"t": "rematch", "id": "2"}, {"t": "hurry", "id": "3"}):
            assert (await seat.ask(command))["code"] == "not_seated"


async def test_a_lost_answer_is_given_again(ana: Guest) -> None:
    """Drop the socket after sending, come back three times with the same command: one action, one answer."""
    table = await ana.open("person", "person", first=0)
    code = (await ana.join(table))["table"]["code"]
    async with Guest(ana.base) as rui:
        await rui.join(table, code=code)
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        command = seat.act(seat.legal[0])
        await seat.send(command)
        seat.socket.transport.abort()
    answers = []
    for _ in range(3):
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            answers.append(await seat.ask(command))
            seat.socket.transport.abort()
    assert answers[0]["t"] == "ack"
    assert answers[0] == answers[1] == answers[2]
    final = await ana.get(f"/api/tables/{table}")
    assert final["ply"] == 1
    assert [step["kind"] for step in final["log"]].count("action") == 1


async def test_double_click(ana: Guest) -> None:
    """Two commands for one ply: the first is played, the other is stale and brings the fresh view within one round trip."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        first, second = seat.act(seat.legal[0]), seat.act(seat.legal[1])
        await seat.send(first)
        await seat.send(second)
        assert (await seat.until("ack", "refused"))["id"] == first["id"]
        refused = await seat.until("ack", "refused")
        assert (refused["id"], refused["code"]) == (second["id"], "stale")
        assert refused["snapshot"]["ply"] >= 1


async def test_two_tabs(ana: Guest) -> None:
    """Both tabs of a seat hear the same, and either may play."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with ana.sit(table) as one, ana.sit(table) as two:
        await one.until("snapshot")
        await two.until("snapshot")
        for active in (one, two, two, one):
            while not active.legal:
                await active.until("update")
            await active.ask(active.act(active.legal[0]))
            for tab in (one, two):
                while tab.v < max(one.v, two.v) or not tab.legal:
                    await tab.until("update")
        assert one.v == two.v
        assert one.latest["view"] == two.latest["view"]


async def test_a_flood_is_slowed(settings: Settings) -> None:
    """Beyond the burst a connection is served at its rate, and nothing is lost; others are not slowed."""
    async with serving(settings) as base, Guest(base) as ana:
        table = await ana.open("person", "random", first=0)
        async with ana.sit(table) as flood, ana.sit(table) as calm:
            await flood.until("snapshot")
            await calm.until("snapshot")
            started = time.monotonic()
            for _ in range(60):
                await flood.send({"t": "ping"})
            before = time.monotonic()
            assert (await calm.ask({"t": "ping"}))["t"] == "pong"
            calmly = time.monotonic() - before
            for _ in range(60):
                await flood.until("pong")
            assert time.monotonic() - started > 0.9  # 60 messages, burst 40, then 20 a second
            assert calmly < time.monotonic() - started


async def test_bad_messages_are_slowed_more(settings: Settings) -> None:
    """Nonsense costs six times as much as a command."""
    async with serving(settings) as base, Guest(base) as ana:
        table = await ana.open("person", "random", first=0)
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            started = time.monotonic()
            for _ in range(12):
                await seat.send("nonsense")
            for _ in range(12):
                await seat.until("refused")
            assert time.monotonic() - started > 1.0


async def test_so_many_sockets_an_address(settings: Settings) -> None:
    """One too many is refused before the upgrade; a closed one makes room."""
    async with serving(msgspec.structs.replace(settings, rates=0.02)) as base:
        url = f"{base.replace('http', 'ws', 1)}/api/tables/{'a' * 12}/socket"
        async with AsyncExitStack() as held:
            refused = None
            for _ in range(5):
                try:
                    await held.enter_async_context(connect(url, proxy=None))
                except InvalidStatus as error:
                    refused = error.response
            assert refused is not None
            assert refused.status_code == 429
            assert b'"too_many_requests"' in (refused.body or b"")


async def test_a_slow_reader_is_cut_off_and_welcome_back(settings: Settings) -> None:
    """Who does not read is not kept in memory: 1013 when they read again. The others do not wait for them."""
    metrics = Metrics()
    async with serving(msgspec.structs.replace(settings, rates=100), metrics=metrics) as base, Guest(base) as ana:
        table = await ana.open("person", "random", first=0)
        await ana.join(table)
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            await play_some(seat, 30)
            async with ana.sit(table) as slow:
                await slow.until("snapshot")
                slow.socket.transport.pause_reading()
                size = len(slow.texts[0])
                for _ in range(8_000_000 // size + 200):  # more than the system buffers for a connection, and then the queue
                    await slow.send({"t": "sync", "since": 0})
                await play_some(seat, 10)
                slow.socket.transport.resume_reading()
                assert await close_code(slow) == 1013
                assert metrics.slow_cut == 1
        async with ana.sit(table) as again:
            await again.until("snapshot")
            assert again.v >= seat.v


@pytest.mark.parametrize("how", ["gone", "told to stop", "slow"])
async def test_who_simply_leaves_was_not_slow(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """A frame that was on its way when the client went, or when the server let go of it, is not counted later as cut off."""
    monkeypatch.setattr("sandriver.server.socket.SEND_SECONDS", 0.02)
    metrics, sending = Metrics(), asyncio.Event()

    class Leaving:
        async def send(self, message: object) -> None:
            sending.set()
            if how == "gone":
                raise WebSocketDisconnect(1006)
            await asyncio.Event().wait()

    hub = Hub()
    async with hub.enter("t", None, None, 9) as subscription:
        subscription.push(b"{}")
        task = asyncio.create_task(_write(Leaving(), subscription, metrics))  # type: ignore[arg-type]
        await sending.wait()
        if how == "told to stop":
            task.cancel()
        await asyncio.wait([task])
        await asyncio.sleep(0.05)  # more than a client may take
    hub.close()
    assert metrics.slow_cut == (how == "slow")


async def play_some(seat: Seat, plies: int) -> None:
    """Play redraws, or what there is, until so many more actions are played."""
    goal = seat.latest["ply"] + plies
    while seat.latest["ply"] < goal and not seat.over:
        if seat.legal:
            kinds = {action[0]: action for action in seat.legal}
            await seat.send(seat.act(kinds.get("g") or kinds.get("b") or seat.legal[0]))
        await seat.until("update")


async def close_code(seat: Seat) -> int | None:
    """Read until the server closes; return its code."""
    try:
        while True:
            await seat.receive()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


async def test_going_away_without_a_word(ana: Guest) -> None:
    """A connection that breaks leaves the table, and the others hear of it."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with Guest(ana.base) as eve, eve.sit(table) as watching:
        await watching.until("snapshot")
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            while not (await watching.until("presence"))["online"][0]:
                pass
            seat.socket.transport.abort()
            while (await watching.until("presence"))["online"][0]:
                pass


async def test_restart_says_come_back(settings: Settings) -> None:
    """At shutdown every socket is closed with 1012; afterwards the table is as it was."""
    async with Guest("http://unused") as ana, AsyncExitStack() as left:
        async with serving(settings) as base:
            ana.move_to(base)
            table = await ana.open("person", "random", first=0)
            await ana.join(table)
            seat = await left.enter_async_context(ana.sit(table))
            await seat.until("snapshot")
            await seat.ask(seat.act(seat.legal[0]))
        assert await close_code(seat) == 1012
        async with serving(settings) as base:
            ana.move_to(base)
            async with ana.sit(table) as again:
                while again.latest.get("ply", 0) < 1:
                    await again.until("update", "snapshot")
                assert again.latest["table"]["you"] == 0
