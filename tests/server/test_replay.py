"""Replays over HTTP: one's own knowledge of a running game, everything of a finished one, and records that somebody brings."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandriver.games import GAMES
from sandriver.server.api.tables import RECORD_LIMIT
from sandriver.server.settings import Settings
from sandriver.tables import chance
from sandriver.tables.record import Record, RecordSeat, Result, format_record
from sandriver.tables.state import MOST_PLIES, set_up
from tests.server.support import Guest, serving
from tests.server.test_games import play_out


async def test_a_game_is_looked_at_again(ana: Guest, rui: Guest) -> None:
    table = await ana.open("person", "random")
    await ana.join(table)
    running = await ana.get(f"/api/tables/{table}/replay")
    assert running["seen_as"] == running["table"]["you"]
    assert running["frames"][0]["step"]["kind"] == "started"
    refused = await ana.get(f"/api/tables/{table}/replay/all", 403)
    assert (refused["code"], refused["rule"]) == ("forbidden", "running")
    await rui.get(f"/api/tables/{table}/replay/A", 403)
    assert (await rui.get(f"/api/tables/{table}/replay"))["seen_as"] is None
    async with ana.sit(table) as seat:
        await seat.until("snapshot")
        await play_out(seat, random.Random(1))
    everything = await rui.get(f"/api/tables/{table}/replay/all")
    assert everything["seen_as"] == "all"
    assert "?" not in "".join(frame["view"]["notation"] for frame in everything["frames"])
    assert (await rui.get(f"/api/tables/{table}/replay/B"))["seen_as"] == 1
    record = (await ana.http.get(f"/api/tables/{table}/record")).text
    again = await rui.post("/api/replay", {"record": record})
    assert [frame["view"] for frame in again["frames"]] == [frame["view"] for frame in everything["frames"]]
    blind = await rui.post("/api/replay", {"record": record, "seen_as": "spectator"})
    assert blind["seen_as"] is None
    assert "?" in blind["frames"][0]["view"]["notation"]


async def test_what_cannot_be_looked_at_is_refused(ana: Guest) -> None:
    assert (await ana.get("/api/tables/sandrver2345/replay", 404))["code"] == "unknown_table"
    refused = await ana.post("/api/replay", {"record": "no record"}, 400)
    assert (refused["code"], refused["rule"], refused["params"]["line"]) == ("bad_request", "record", 1)
    table = await ana.open("person", "random")
    assert (await ana.get(f"/api/tables/{table}/replay/Z", 400))["rule"] == "as"
    assert (await ana.get(f"/api/tables/{table}/replay"))["frames"] == []


@pytest.fixture(scope="module")
def longest() -> str:
    """A game without an end: stalls are off, and nobody does anything but redraw as many cards as they can, until it is stopped."""
    game: Any = GAMES["mandala"]
    options, secret, nonces = game.parse_options({"stall_limit": 0}), "5a" * 32, ["0a" * 16, "0b" * 16]
    key = chance.stream_key(secret, "abcdefghjkmn", nonces)
    _, start, draws = set_up(game, options, 2, 0, key)
    stream = chance.CommittedChance(key, draws)
    moves: list[str] = []
    position = start
    while len(moves) < MOST_PLIES:
        actions = [action for action in position.legal_actions if action.kind == "redraw"]
        transition = game.play(position, max(actions, key=lambda action: action.count), stream)
        position = transition.after
        moves.append(transition.move)
    seats = tuple(RecordSeat(name, "person", name, nonce) for name, nonce in zip("AB", nonces, strict=True))
    record = Record(
        table="abcdefghjkmn",
        date="2026-11-30T12:00:00Z",
        game="mandala",
        rules_version=game.rules_version,
        options=game.format_options(options),
        seats=seats,
        commitment=chance.commitment(secret),
        first=0,
        first_fixed=True,
        secret=secret,
        result=Result((0, 1), "stopped", tuple(position.scores)),
        start=game.format_position(start),
        moves=tuple(moves),
    )
    return format_record(record)


@pytest.mark.slow
async def test_the_longest_game_can_be_looked_at(own: Guest, longest: str) -> None:
    """Other bodies are as short as before, and so many bytes are never read."""
    assert len(longest) > 30_000
    assert len((await own.post("/api/replay", {"record": longest, "seen_as": "A"}))["frames"]) == MOST_PLIES + 1
    more = await own.post("/api/replay", {"record": longest + longest.splitlines()[-1] + "\n"}, 400)
    assert (more["rule"], more["params"]["line"]) == ("record", len(longest.splitlines()) + 1)
    refused = await own.post("/api/replay", {"record": "x" * RECORD_LIMIT}, 413)
    assert refused["params"] == {"limit": RECORD_LIMIT}
    for path in ("/api/tables", "/api/tables/sandrver2345/join"):
        assert (await own.post(path, {"record": longest}, 413))["params"] == {"limit": Settings().body_limit}


async def test_a_long_record_counts_more(settings: Settings) -> None:
    """As often as one may look at short ones, long ones would keep a core busy."""
    async with serving(settings) as base, Guest(base) as guest:
        responses = [await guest.http.post("/api/replay", json={"record": "x" * 100_000}) for _ in range(3)]
        assert [response.status_code for response in responses] == [400, 400, 429]
        assert int(responses[-1].headers["retry-after"]) >= 1
        assert (await guest.http.post("/api/replay", json={"record": "x"})).status_code == 400


async def test_a_long_game_counts_more(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Likewise for tables: what is given again counts by its length, through whose eyes ever."""
    monkeypatch.setattr("sandriver.server.call.MOVES_SHARE", 0.1)
    async with serving(settings) as base, Guest(base) as guest:
        table = await guest.open("person", "person")
        paths = [f"/api/tables/{table}/replay", f"/api/tables/{table}/replay/spectator"] * 2
        assert [(await guest.http.get(path)).status_code for path in paths] == [200, 200, 429, 429]
