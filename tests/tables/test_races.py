"""Races: two services over one database, resends over broken connections, everything at once. The key (table, v) decides each of them."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.tables.bus import MemoryBus
from sandriver.tables.errors import Refusal
from sandriver.tables.log import Action, Started
from sandriver.tables.wire import Act, Rematch, Resign
from tests.tables.tools import SOLO, TWO, ids, legal, open_store, people, play, serving, serving_twice, started, until, waiting

pytestmark = pytest.mark.usefixtures("backend")


@pytest.fixture(params=["one bus", "no common bus"])
async def two(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Two services over one database file, each with a store of its own."""
    if request.param == "no common bus":
        stores = [await open_store(tmp_path) for _ in range(2)]
        async with serving(tmp_path, stores[0], MemoryBus()) as one, serving(tmp_path, stores[1], MemoryBus()) as other:
            yield one, other
        for store in stores:
            await store.close()
    else:
        async with serving_twice(tmp_path) as (one, other):
            yield one, other


async def attempt(awaitable: Any) -> str:
    try:
        await awaitable
    except Refusal as refusal:
        return refusal.code
    return "done"


async def test_the_same_ply_on_two_services(two: Any) -> None:
    rng = random.Random(5)
    for _ in range(2):
        table, persons = await started(two[0])
        for service in two:
            await service.snapshot(table, None)
        while True:
            snapshots = [await two[0].snapshot(table, person) for person in persons]
            if snapshots[0].table.state == "over":
                break
            mover = next(seat for seat, snapshot in enumerate(snapshots) if legal(snapshot))
            actions = legal(snapshots[mover])
            ply = snapshots[mover].ply
            tries = [attempt(two[n % 2].command(table, persons[mover], Act(next(ids), ply, rng.choice(actions)))) for n in range(4)]
            results = await asyncio.gather(*tries)
            assert sorted(results)[:1] == ["done"]
            assert sorted(results)[1:] == ["stale"] * 3 or "game_over" in results
            await _agree(two, table, persons)
        plies = [row.entry.ply for row in await two[0]._store.rows(table) if isinstance(row.entry, Action)]
        assert plies == list(range(1, len(plies) + 1))


async def _agree(two: Any, table: str, persons: list[str]) -> None:
    """Bring both services to the end of the log, where no bus tells them too, and compare."""
    for service in two:
        await attempt(service._follow_log(service._tables.get(table), 10**6))
    assert await two[0].snapshot(table, persons[0]) == await two[1].snapshot(table, persons[0])


async def test_the_same_command_on_two_services_is_carried_out_once(two: Any) -> None:
    for _ in range(10):
        table, persons = await started(two[0])
        first = (await two[1].snapshot(table, None)).table.first
        acks = await asyncio.gather(*(two[n % 2].command(table, persons[first], Act("same", 0, "t")) for n in range(6)))
        assert len(set(acks)) == 1
        assert sum(isinstance(row.entry, Action) for row in await two[0]._store.rows(table)) == 1


async def test_everybody_sits_down_at_once(two: Any) -> None:
    for _ in range(5):
        crowd = await people(two[0], *"abcdef")
        table = await two[0].open_table(crowd[0], TWO)
        await two[0].join(table, crowd[0])
        code = (await two[0].snapshot(table, crowd[0])).table.code
        results = await asyncio.gather(*(attempt(two[n % 2].join(table, person, code=code)) for n, person in enumerate(crowd)))
        assert sorted(results) == ["done", "done", *["seat_taken"] * 4]
        assert sum(isinstance(row.entry, Started) for row in await two[0]._store.rows(table)) == 1


async def test_one_end_and_one_rematch(two: Any) -> None:
    for _ in range(5):
        table, persons = await started(two[0])
        await two[1].snapshot(table, None)
        results = await asyncio.gather(*(attempt(two[n % 2].command(table, persons[n // 2], Resign(f"r{n}"))) for n in range(4)))
        assert sorted(results) == ["done", *["game_over"] * 3]
        assert sum(row.terminal for row in await two[0]._store.rows(table)) == 1
        await asyncio.gather(*(two[n % 2].command(table, persons[n // 2], Rematch(f"m{n}")) for n in range(4)))
        tables = [row.entry.table for row in await two[0]._store.rows(table) if getattr(row.entry, "table", None)]
        assert len(tables) == 1
        assert (await two[1].snapshot(tables[0], None)).table.state == "open"


async def test_followers_on_the_other_service_hear_everything(tmp_path: Path) -> None:
    async with serving_twice(tmp_path) as (one, other):
        table, persons = await started(one)
        here, there = await one.subscribe(table, persons[0]), await other.subscribe(table, persons[0])
        frames: tuple[list[Any], list[Any]] = ([], [])
        for ply in range(1000):
            if not await play(other if ply % 2 else one, table, persons, 1, seed=ply):
                break
            newest = max(service._tables.get(table).v for service in (one, other))
            await until(lambda newest=newest: all(service._tables.get(table).v == newest for service in (one, other)))  # type: ignore[misc]
            for heard, subscription in zip(frames, (here, there), strict=True):
                heard.extend(waiting(subscription))
        assert frames[0] == frames[1]
        assert [frame["v"] for frame in frames[0]] == list(range(4, 4 + len(frames[0])))


async def test_dropped_before_the_answer_and_sent_again(tmp_path: Path) -> None:
    """The connection breaks after the command was sent, three times: one action, and each resend gets the original answer."""
    async with serving(tmp_path) as service:
        for turns in range(12):
            table, persons = await started(service)
            first = (await service.snapshot(table, None)).table.first or 0
            act = Act(next(ids), 0, "t")
            v = None
            for _ in range(3):
                subscription = await service.subscribe(table, persons[first], since=v)
                sending = asyncio.create_task(service.answer(subscription, act))
                for _ in range(turns):
                    await asyncio.sleep(0)
                sending.cancel()
                await asyncio.wait([sending])
                subscription.close()
            ack = await service.command(table, persons[first], act)
            assert (ack.id, ack.v) == (act.id, 5)
            assert await service.command(table, persons[first], act) == ack
            rows = await service._store.rows(table)
            assert [row.command for row in rows if isinstance(row.entry, Action)] == [act.id]
            assert (await service.snapshot(table, None)).ply == 1


async def test_random_everything(tmp_path: Path) -> None:
    """Two tabs a seat hammer two services with good, stale and repeated commands; the log stays a game and all tabs converge."""
    async with serving_twice(tmp_path) as (one, other):
        for seed in range(3):
            table, persons = await started(one)
            tabs = [(service, person, await service.subscribe(table, person)) for service in (one, other) for person in persons]

            async def hammer(service: Any, person: str, rng: random.Random, table: str = table) -> None:
                done: list[Act] = []
                while True:
                    snapshot = await service.snapshot(table, person)
                    if snapshot.table.state == "over":
                        return
                    action = rng.choice([*legal(snapshot), "t", "pa", "x"])
                    act = rng.choice([Act(next(ids), snapshot.ply + rng.choice((0, 0, 0, -1, 1)), action), *done[-2:]])
                    done.append(act)
                    await attempt(service.command(table, person, act))
                    await asyncio.sleep(rng.choice((0, 0, 0.001)))

            await asyncio.gather(*(hammer(service, person, random.Random(seed * 10 + n)) for n, (service, person, _) in enumerate(tabs)))
            rows = await one._store.rows(table)
            await until(lambda: all(service._tables.get(table).v == len(rows) for service in (one, other)))  # noqa: B023
            plies = [row.entry.ply for row in rows if isinstance(row.entry, Action)]
            assert plies == list(range(1, len(plies) + 1))
            for service, person, tab in tabs:
                heard = [frame["v"] for frame in waiting(tab) if frame["t"] != "ack"] if tab.closed is None else []
                assert heard in ([], list(range(4, len(rows) + 1)))
                assert msgspec.json.encode(await service.record(table, person)) == msgspec.json.encode(await one.record(table, None))
                tab.close()


async def test_many_tables_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        tables = await asyncio.gather(*(started(service, SOLO if n % 3 == 0 else TWO) for n in range(30)))

        async def to_the_end(table: str, persons: list[str]) -> None:
            while (await service.snapshot(table, None)).table.state != "over":
                await play(service, table, persons, 50, seed=len(table))
                await asyncio.sleep(0.002)

        await asyncio.gather(*(to_the_end(table, persons) for table, persons in tables))
