"""Whole games over HTTP and WebSocket: against a bot, two persons with a spectator, rematch, record."""

from __future__ import annotations

import asyncio
import random
import re

from tests.server.support import Guest, Json, Seat


async def play_out(seat: Seat, rng: random.Random) -> None:
    """Play random legal actions until the game is over; every other answer is read on the way."""
    while not seat.over:
        if seat.legal:
            answer = await seat.ask(seat.act(rng.choice(seat.legal)))
            assert answer["t"] == "ack", answer
        await seat.until("update", "snapshot")


def check_hidden(seat: Seat, viewer: int | None) -> None:
    """Nothing that ``viewer`` may not know stands in any frame heard before the end."""
    for frame in seat.frames:
        if frame["t"] not in ("snapshot", "update") or frame["table"]["state"] == "over":
            continue
        assert frame["table"]["secret"] is None
        view = frame["view"]
        for side, things in enumerate(view["sides"] if view else ()):
            if side != viewer:
                assert re.fullmatch(r"\?\d+|-", things["hand"]), things
                assert re.fullmatch(r"\?\d+|-", things["dealt"]), things
                assert re.fullmatch(r"\?\d+|-", things["claimed"]), things
        if view and view["to_move"] != viewer:
            assert not view["legal"]
            assert not view["choices"]
        steps = [frame["step"]] if frame["t"] == "update" else frame["log"]
        for step in steps:
            check_step(step, viewer)


def check_step(step: Json, viewer: int | None) -> None:
    """Cards drawn by another seat are a number."""
    for event in step.get("events", ()):
        if event["type"] == "draw" and event["seat"] != viewer:
            assert re.fullmatch(r"\?\d+|-", event["cards"]), event


async def test_person_against_bot(ana: Guest) -> None:
    """A game against a bot runs to its end and stays readable with its full record."""
    table = await ana.open("person", "random")
    snapshot = await ana.join(table)
    assert snapshot["table"]["you"] == 0
    assert snapshot["table"]["state"] == "running"
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        await play_out(seat, random.Random(1))
    check_hidden(seat, 0)
    after = await ana.get(f"/api/tables/{table}")
    assert after["table"]["state"] == "over"
    assert re.fullmatch(r"[0-9a-f]{64}", after["table"]["secret"])
    assert after["view"]["reckoning"] is not None
    assert after["table"]["winners"]
    record = await ana.http.get(f"/api/tables/{table}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    assert after["table"]["secret"] in record.text
    mine = await ana.get("/api/me/tables")
    assert [each["id"] for each in mine["tables"]] == [table]


async def test_two_persons_and_a_spectator(ana: Guest, rui: Guest, base: str) -> None:
    """Two persons meet by code and play to the end; a spectator hears every step, and nobody hears what is not theirs."""
    table = await ana.open("person", "person")
    opened = await ana.join(table)
    code = opened["table"]["code"]
    invitation = await rui.get(f"/api/codes/{code.lower()}")
    assert invitation["table"]["id"] == table
    assert invitation["table"]["code"] is None
    assert (await rui.post(f"/api/tables/{table}/join", {}, 403))["code"] == "forbidden"
    joined = await rui.join(table, code=code)
    assert joined["table"]["you"] == 1
    async with Guest(base) as eve, ana.sit(table) as a, rui.sit(table) as b, eve.sit(table) as watching:
        for seat in (a, b, watching):
            await seat.until("snapshot")

        async def watch() -> None:
            while not watching.over:
                await watching.until("update", "snapshot")

        await asyncio.gather(play_out(a, random.Random(2)), play_out(b, random.Random(3)), watch())
        assert a.v == b.v == watching.v
    check_hidden(a, 0)
    check_hidden(b, 1)
    check_hidden(watching, None)
    assert a.latest["table"]["winners"] == watching.latest["table"]["winners"]
    assert watching.latest["table"]["you"] is None


async def test_reload_in_the_middle(ana: Guest) -> None:
    """A client that comes back with its last version hears exactly what it missed."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        seen = seat.v
        await seat.ask(seat.act(seat.legal[0]))
        await seat.until("update")
    async with ana.sit(table, f"?since={seen}") as again:
        again.v = seen
        frame = await again.until("update", "snapshot")
        assert frame["t"] == "update"
        assert frame["v"] == seen + 1
        await again.send({"t": "sync", "since": 10**6})
        assert (await again.until("snapshot"))["v"] >= seen + 1


async def test_rematch_with_the_other_starter(ana: Guest) -> None:
    """After a resignation the same two play again, and the other one begins."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        assert (await seat.ask({"t": "rematch", "id": "r0"}))["t"] == "refused"
        assert (await seat.ask({"t": "resign", "id": "r1"}))["t"] == "ack"
        while not seat.over:
            await seat.until("update")
        assert seat.latest["table"]["ended_by"] == "resigned"
        assert seat.latest["table"]["winners"] == [1]
        assert (await seat.ask({"t": "resign", "id": "r2"}))["code"] == "game_over"
        assert (await seat.ask({"t": "rematch", "id": "r3"}))["t"] == "ack"
        while seat.latest["table"]["rematch"]["table"] is None:
            await seat.until("update")
        following = seat.latest["table"]["rematch"]["table"]
    after = await ana.join(following)
    assert after["table"]["state"] == "running"
    assert after["table"]["first"] == 1
