"""Figures: what a game leaves in them, what they cannot be made to hold, and that the public port has none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from sandriver.server.app import create_app, open_service
from sandriver.server.listener import listen
from sandriver.server.metrics import BOUNDS, Metrics, Times
from sandriver.server.operations import beside, operations_app
from sandriver.server.run import configure
from sandriver.server.settings import Settings
from sandriver.server.watched import watched
from sandriver.tables.errors import StoreFailed
from sandriver.tables.log import Row
from sandriver.tables.store_sql import SqlStore, sqlite_url
from tests.server.support import PATIENCE, Guest, Seat, serving

Labels = tuple[tuple[str, str], ...]
Figures = dict[tuple[str, Labels], float]


def read(text: str) -> Figures:
    """Every sample by name and labels, as Prometheus reads them."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_times_are_counted_in_classes() -> None:
    """Each bound holds everything up to it and including it; the last holds all."""
    times = Times()
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] * 1.01, 0.3, 1e6):
        times.observe(seconds)
    buckets = dict(times.buckets())
    assert (buckets[str(BOUNDS[0])], buckets[str(BOUNDS[1])], buckets["0.2"], buckets["0.5"]) == (2, 3, 3, 4)
    assert buckets["5.0"] == 4
    assert buckets["+Inf"] == times.count == 5
    assert times.total == pytest.approx(0.3 + 1e6, rel=1e-3)


@asynccontextmanager
async def watched_server(settings: Settings) -> AsyncIterator[tuple[str, httpx.AsyncClient]]:
    """A server with its figures on a port of their own; yields its address and a client of that port."""
    metrics = Metrics()
    listener = listen("127.0.0.1", 0)
    async with open_service(settings, metrics) as service, serving(settings, service, metrics) as base:
        app = create_app(settings, service=service, metrics=metrics)
        async with beside(configure(operations_app(app.state.server), settings), listener):
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
                yield base, client
    listener.close()


async def figures(client: httpx.AsyncClient) -> Figures:
    """What ``/metrics`` says now."""
    response = await client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    return read(response.text)


async def test_a_game_in_figures(settings: Settings) -> None:
    """Moves, refusals, commits, what others had to wait, connections, queues, requests: each as it was."""
    async with watched_server(settings) as (base, client), Guest(base) as ana, Guest(base) as rui:
        table = await ana.open("person", "person", first=0)
        code = (await ana.join(table))["table"]["code"]
        await rui.join(table, code=code)
        async with ana.sit(table) as one, rui.sit(table) as two:
            await one.until("snapshot")
            await two.until("snapshot")
            played = 0
            while played < 6:
                seat = one if one.legal else two
                assert (await seat.ask(seat.act(seat.legal[0])))["t"] == "ack"
                played += 1
                for each in (one, two):
                    while each.v < max(one.v, two.v) or each.latest["ply"] < played:
                        await each.until("update")
            assert (await one.ask(one.act("zzz")))["code"] in ("bad_request", "not_your_turn")
            await one.send("{")
            await one.until("refused")
            stored = one.latest["ply"]
            found = await figures(client)
            assert found["sandriver_connections", ()] == found["sandriver_followers", ()] == 2
            assert found["sandriver_tables", ()] == 1
            assert (
                found["sandriver_frames_waiting", ()] == found["sandriver_longest_queue", ()] == found["sandriver_appends_waiting", ()] == 0
            )
            moves = sum(value for (name, _), value in found.items() if name == "sandriver_moves_total")
            assert moves == stored >= played
            assert found["sandriver_moves_total", (("by", "person"),)] == played
            assert found["sandriver_broadcast_seconds_count", ()] == played
            assert 0 < found["sandriver_broadcast_seconds_sum", ()] < PATIENCE
            assert found["sandriver_commit_seconds_count", ()] == played + 3  # opened, and each sat down
            assert sum(value for (name, _), value in found.items() if name == "sandriver_refusals_total") == 2
            opened = (("method", "POST"), ("route", "/api/tables"), ("status", "201"))
            joined = (("method", "POST"), ("route", "/api/tables/{table_id}/join"), ("status", "200"))
            assert (found["sandriver_http_requests_total", opened], found["sandriver_http_requests_total", joined]) == (1, 2)
            assert found["sandriver_ready", ()] == found["sandriver_bus_up", ()] == 1
            assert found["process_resident_memory_bytes", ()] > 1e6
            assert found["sandriver_tables_opened_total", ()] == 1
            await resign(one)
        found = await figures(client)
        assert found["sandriver_tables_ended_total", ()] == 1
        assert table not in str(found)
        while found["sandriver_connections", ()]:
            found = await figures(client)


async def resign(seat: Seat) -> None:
    assert (await seat.ask({"t": "resign", "id": "r"}))["t"] == "ack"


async def test_moves_of_bots_are_their_own(settings: Settings) -> None:
    """What a bot plays is counted as the bot's, and nobody waits for it by a person's clock."""
    async with watched_server(settings) as (base, client), Guest(base) as ana:
        table = await ana.open("person", "random", first=1)
        await ana.join(table)
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            while not seat.legal:
                await seat.until("update")
            found = await figures(client)
        assert found["sandriver_moves_total", (("by", "bot"),)] >= 1
        assert ("sandriver_moves_total", (("by", "person"),)) not in found
        assert found["sandriver_broadcast_seconds_count", ()] == 0
        assert found["sandriver_bots_thinking", ()] == found["sandriver_bots_to_move", ()] == 0


async def test_nobody_can_fill_the_figures(settings: Settings) -> None:
    """Whatever path, method or table is made up, the labels stay those that are written in the program."""
    async with watched_server(settings) as (base, client), Guest(base) as ana:
        for number in range(30):
            for path in (f"/x{number}", f"/api/x{number}", f"/assets/x{number}", f"/api/tables/{number:012d}", f"/api/codes/C{number:05d}"):
                await ana.http.request("MOVE" if number == 7 else "GET", path)
        found = await figures(client)
    routes = {dict(labels)["route"] for (name, labels) in found if name == "sandriver_http_requests_total"}
    methods = {dict(labels)["method"] for (name, labels) in found if name == "sandriver_http_requests_total"}
    assert routes == {"/*", "/api/*", "/assets/*", "/api/tables/{table_id}", "/api/codes/{code}"}
    assert methods == {"GET", "OTHER"}
    refused = {dict(labels)["code"]: value for (name, labels), value in found.items() if name == "sandriver_refusals_total"}
    assert refused["unknown_table"] + refused.get("too_many_requests", 0) >= 50


async def test_the_public_port_has_no_figures(ana: Guest) -> None:
    """Whatever a proxy in front says of who asks."""
    for path in ("/metrics", "/metrics/", "/api/metrics"):
        for headers in ({}, {"x-forwarded-for": "127.0.0.1"}):
            response = await ana.http.get(path, headers=headers)
            assert response.status_code == 404
            assert "sandriver_" not in response.text


class Broken:
    """A store whose methods fail or hang as told."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.mode = ""

    async def append(self, rows: list[Row]) -> None:
        """See ``Store.append``."""
        if self.mode == "fail":
            raise StoreFailed("disk full")
        if self.mode == "hang":
            await asyncio.Event().wait()
        await self.store.append(rows)

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        """See ``Store.rows``."""
        if self.mode:
            raise StoreFailed("gone")
        return await self.store.rows(table, after)


async def test_failures_of_the_store_are_counted(tmp_path: Path) -> None:
    """By the method that failed; one that is given up counts too, and nothing seems to wait afterwards."""
    store = await SqlStore.open(sqlite_url(tmp_path / "t.sqlite3"))
    broken, metrics = Broken(store), Metrics()
    seen = watched(broken, metrics)  # type: ignore[arg-type]  # as much of a store as is asked here
    await seen.append([])
    assert await seen.rows("x") == []
    broken.mode = "fail"
    for call in (seen.append([]), seen.rows("x"), seen.rows("x")):
        with pytest.raises(StoreFailed):
            await call
    broken.mode = "hang"
    task = asyncio.create_task(seen.append([]))
    await asyncio.sleep(0)
    assert metrics.appending == 1
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert metrics.store_failures == {"append": 2, "rows": 2}
    assert (metrics.appending, metrics.commit.count) == (0, 1)
    await store.close()
