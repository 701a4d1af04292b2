"""Replays over HTTP: one's own knowledge of a running game, everything of a finished one, and records that somebody brings."""

from __future__ import annotations

import random

from tests.server.support import Guest
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
