"""The log: one line an event, and no secret in it, whatever happens and however much of it is wanted."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any, Literal

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sandriver.server.app import open_service
from sandriver.server.logs import OWN, Lines, configure, event
from sandriver.server.settings import Settings
from sandriver.tables.measure import tag
from tests.server.support import Guest, Seat, serving

WORDS = "meet me by the well"
NAMES = ("Zenobia Quill", "Ωμέγα Φ")


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[tuple[str, io.StringIO]]:
    """Everything that is logged at the lowest level that can be set, in both styles."""
    style: Literal["text", "json"] = request.param
    stream = io.StringIO()
    root, own = logging.getLogger(), logging.getLogger(OWN)
    before = root.level, own.level
    handler = configure(style, "debug", stream)
    try:
        yield style, stream
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        own.setLevel(before[1])


async def play(one: Seat, two: Seat, most: int) -> None:
    """Play so many actions between two people, any legal one."""
    for _ in range(most):
        for seat in (one, two):
            while seat.v < max(one.v, two.v):
                await seat.until("update")
        if one.over:
            return
        seat = one if one.legal else two
        assert (await seat.ask(seat.act(secrets.choice(seat.legal))))["t"] == "ack"
        await seat.until("update")


async def storm(guest: Guest, seat: Seat, table: str, code: str) -> None:
    """Everything that is refused: on the socket, over HTTP, with right and wrong secrets in the wrong places."""
    for message in ("{", "[" * 100, b"\x00", json.dumps({"t": "act", "id": code, "ply": 0, "action": code}), '{"t":"become"}', "x" * 5000):
        await seat.send(message)
        await seat.until("refused")
    cookie = guest.http.cookies["sandriver_guest"]
    for path in (f"/api/codes/{code}X", f"/api/tables/{table}x", f"/api/tables/{table}/{code}", f"/api/{cookie}", f"/{cookie}/{code}"):
        await guest.http.get(path)
    for body in (cookie, code, [code], {"code": code, "seat": 9}, {"code": code, "nonce": "z" * 32}, {"name": code, "x": cookie}):
        for path in (f"/api/tables/{table}/join", f"/api/tables/{table}/commands", "/api/tables"):
            await guest.http.post(path, json=body)
        await guest.http.put("/api/me", json=body)
    for headers in ({"origin": f"https://{code}.example"}, {"content-type": code}, {"cookie": f"sandriver_guest={cookie}; x={code}"}):
        await guest.http.put("/api/me", json={"name": code}, headers=headers)
    with suppress(InvalidStatus, ConnectionClosed):
        async with guest.sit(f"{table}?since={code}"):
            pass


def all_of(settings: Settings) -> list[str]:
    """Everything in the database that nobody must know, or that names a person or table: by whoever could read the file."""
    found: set[str] = set()
    with closing(sqlite3.connect(settings.data / "sandriver.sqlite3")) as database:
        for table, code in database.execute("SELECT id, code FROM tables"):
            found |= {table, code}
        for person, token_hash, name in database.execute("SELECT id, token_hash, name FROM people"):
            found |= {person, token_hash, name}
        for (text,) in database.execute("SELECT entry FROM log"):
            entry = json.loads(text)
            found |= {entry.get(key) for key in ("secret", "nonce", "position", "code")}
            found |= {entry["move"]} if len(entry.get("move", "")) > 4 else set()
    return [text for text in found if text]


async def test_no_secret_is_logged(settings: Settings, log: tuple[str, io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    """A game, a storm of refusals, a fault of our own with secrets at hand, a database that breaks: all captured, all searched."""
    style, stream = log
    settings = msgspec.structs.replace(settings, rates=1000)
    nonces = [secrets.token_hex(16), secrets.token_hex(16)]
    async with open_service(settings) as service, serving(settings, service) as base, Guest(base) as ana, Guest(base) as rui:
        for guest, name in zip((ana, rui), NAMES, strict=True):
            await guest.http.put("/api/me", json={"name": name})
        table = await ana.open("person", "person", first=0)
        code = (await ana.join(table, nonce=nonces[0]))["table"]["code"]
        await rui.join(table, code=code, nonce=nonces[1])
        async with ana.sit(table) as one, rui.sit(table) as two:
            await one.until("snapshot")
            await two.until("snapshot")
            await play(one, two, 12)
            assert (await one.ask({"t": "say", "id": "s1", "text": WORDS}))["t"] == "ack"
            assert (await two.ask({"t": "say", "id": "s2", "text": WORDS * 20}))["t"] == "refused"
            await storm(rui, two, table, code)
            await play(one, two, 12)
        cookies = [guest.http.cookies["sandriver_guest"] for guest in (ana, rui)]

        create = service.people.create

        async def twice(token_hash: str, **more: Any) -> Any:
            await create(token_hash, **more)
            return await create(token_hash, **more)

        monkeypatch.setattr(service.people, "create", twice)
        async with Guest(base) as eve:
            assert (await eve.http.put("/api/me", json={"name": NAMES[0]})).status_code == 500  # a fault of our own, with a traceback
        known = all_of(settings)
        with closing(sqlite3.connect(settings.data / "sandriver.sqlite3")) as database:
            database.execute("ALTER TABLE log RENAME TO gone")
            database.commit()
        async with ana.sit(table) as one:
            await one.until("snapshot")
            mover = one if one.legal else None
            if mover is not None:
                assert (await mover.ask(mover.act(mover.legal[0])))["code"] == "try_again"
            for seat_guest in (ana, rui):
                await seat_guest.http.post(f"/api/tables/{table}/commands", json={"t": "resign", "id": code})
            await ana.http.post("/api/tables", json={"game": "mandala", "seats": [{"kind": "person"}] * 2})
        with closing(sqlite3.connect(settings.data / "sandriver.sqlite3")) as database:
            database.execute("ALTER TABLE gone RENAME TO log")
            database.commit()
        state = service._tables.get(table).state
        known += [state.key.hex(), *state.people]
    text = stream.getvalue()
    hidden = {*known, *nonces, *cookies, *NAMES, WORDS, table, code}
    assert len(hidden) > 20
    assert [secret for secret in hidden if secret in text or json.dumps(secret)[1:-1] in text] == []
    if style == "json":
        lines = [json.loads(line) for line in text.splitlines()]
        assert all(line.keys() >= {"at", "level", "logger", "event"} for line in lines)
        of_table = [line["event"] for line in lines if line.get("table") == tag(table)]
        assert of_table[:4] == ["opened", "joined", "joined", "started"]
        asked = {(line["route"], line["status"]) for line in lines if line["event"] == "request"}
        assert {("/api/me", 500), ("/api/codes/{code}", 404), ("/api/tables/{table_id}/join", 400), ("/*", 404)} <= asked
        assert [line for line in lines if "trace" in line and "Conflict" in line["trace"]]
    else:
        assert f" opened table={tag(table)} " in text
        assert "Traceback" in text
    assert "could not store" in text


def lines_of(style: Literal["text", "json"], *records: tuple[int, str, dict[str, Any]]) -> list[str]:
    """How events are written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines(style))
    logger = logging.getLogger("lines of a test")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    for level, name, fields in records:
        event(logger, level, name, **fields)
    logger.removeHandler(handler)
    return stream.getvalue().splitlines()


def test_an_event_is_one_line() -> None:
    """Whatever is in a message: no line of it can be taken for another event."""
    hostile = "a\nb\r\n{}"
    assert len(lines_of("json", (logging.INFO, hostile, {"x": hostile}))) == 1
    assert len(lines_of("text", (logging.INFO, hostile, {"x": hostile}))) == 1
    line = json.loads(lines_of("json", (logging.WARNING, "cut", {"table": "t", "n": 3}))[0])
    assert (line["level"], line["event"], line["table"], line["n"], line["logger"]) == ("warning", "cut", "t", 3, "lines of a test")
    assert line["at"].endswith("Z")
    assert lines_of("text", (logging.INFO, "cut", {"n": 3}))[0].endswith("INFO lines of a test cut n=3")


async def test_a_quiet_server_says_nothing(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """At the usual level an ordinary game leaves no line."""
    caplog.set_level(logging.WARNING)
    async with serving(settings) as base, Guest(base) as ana:
        table = await ana.open("person", "random", first=0)
        await ana.join(table)
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            await asyncio.wait_for(seat.ask(seat.act(seat.legal[0])), 10)
    assert [record.getMessage() for record in caplog.records] == []


def test_values_that_a_database_names_are_left_out() -> None:
    """PostgreSQL says which value was there already; whatever it was, the log does not."""
    error = ValueError("duplicate key\nDETAIL:  Key (code)=(ABC123) already exists.")
    record = logging.LogRecord("x", logging.ERROR, "x", 1, "failed", (), (ValueError, error, None))
    for lines in (Lines("text"), Lines("json")):
        written = lines.format(record)
        assert "ABC123" not in written
        assert "duplicate key" in written
