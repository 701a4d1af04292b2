"""Services that share a store: who is where, what the others are called, and viewers that catch up when the bus says nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sandriver.tables import hub, watch
from sandriver.tables.bus import Gap, Gone, Here, MemoryBus, Message, Notice
from sandriver.tables.hub import Subscription
from sandriver.tables.service import TableService
from sandriver.tables.wire import Act
from tests.tables.tools import open_store, play, serving, serving_twice, started, until, waiting

pytestmark = pytest.mark.usefixtures("backend")
Two = tuple[TableService, TableService]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that waits for seconds waits for hundredths."""
    monkeypatch.setattr(hub, "PRESENCE_DELAY", 0.01)


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[Two]:
    async with serving_twice(tmp_path) as services:
        yield services


class DeafBus(MemoryBus):
    """A bus of which nothing is heard any more; it knows that, or not."""

    def __init__(self, *, sure: bool) -> None:
        super().__init__()
        self.sure = sure

    def publish(self, message: Message) -> None:
        pass


def _online(service: TableService, table: str) -> tuple[tuple[bool, ...], int]:
    presence = service._tables.get(table).hub.presence()
    return presence.online, presence.spectators


async def test_who_is_here_is_added_up(two: Two) -> None:
    one, other = two
    table, persons = await started(one)
    await other.snapshot(table, None)
    ana = await one.subscribe(table, persons[0])
    await until(lambda: _online(one, table) == ((True, False), 0))
    ben = await other.subscribe(table, persons[1])
    guests = [await service.subscribe(table, None) for service in (one, other, other)]
    await until(lambda: all(_online(service, table) == ((True, True), 3) for service in two))
    assert (await one.snapshot(table, persons[0])).table.seats[1].online
    twice = await one.subscribe(table, persons[1])
    ben.close()
    await until(lambda: all(_online(service, table) == ((True, True), 3) for service in two))
    twice.close()
    guests[1].close()
    await until(lambda: all(_online(service, table) == ((True, False), 2) for service in two))
    ana.close()
    await until(lambda: all(_online(service, table) == ((False, False), 2) for service in two))


async def test_who_comes_later_learns_who_is_there_already(two: Two) -> None:
    """A process that loads a table now hears from the others at once, and not only when they repeat themselves."""
    one, other = two
    table, persons = await started(one)
    async with await one.subscribe(table, persons[0]), await other.subscribe(table, persons[1]) as ben:
        await until(lambda: _online(other, table) == ((True, True), 0))
        await until(lambda: _told(ben) == [True, True])


def _told(subscription: Subscription) -> Any:
    frame = subscription._presence
    return None if frame is None else json.loads(frame)["online"]


async def test_a_process_that_ends_takes_its_people_along(two: Two) -> None:
    one, other = two
    table, persons = await started(one)
    await one.subscribe(table, persons[0])
    await other.subscribe(table, persons[1])
    await until(lambda: _online(one, table) == ((True, True), 0))
    await other._watch.close()
    await until(lambda: _online(one, table) == ((True, False), 0))


async def test_a_process_that_died_is_forgotten(two: Two) -> None:
    """It says nothing more; who repeats nothing for so long is gone."""
    one = two[0]
    table, persons = await started(one)
    await one.subscribe(table, persons[0])
    live = one._tables.get(table)
    one._watch._heard(Here("dead", table, (persons[1],), 4))
    assert _online(one, table) == ((True, True), 4)
    now = asyncio.get_running_loop().time()
    one._watch._repeat([live], now + watch.FORGET_SECONDS - 1)
    assert _online(one, table) == ((True, True), 4)
    one._watch._repeat([live], now + watch.FORGET_SECONDS + 1)
    assert _online(one, table) == ((True, False), 0)
    one._watch._heard(Here("dead", table, (persons[1],), 4))
    one._watch._heard(Gone("dead"))
    assert _online(one, table) == ((True, False), 0)
    one._watch._heard(Here(one._watch.process, table, (persons[1],), 4))
    assert _online(one, table) == ((True, False), 0), "its own words come back and change nothing"
    one._watch._heard(Here("dead", "unknown table", (persons[1],), 4))
    assert one._tables.peek("unknown table") is None


async def test_a_new_name_is_heard_of_everywhere(two: Two) -> None:
    one, other = two
    table, persons = await started(one)
    assert (await other.snapshot(table, None)).table.seats[0].name == "P0"
    person = (await one._store.people([persons[0]]))[0]
    await one.people.update(person, name="Zoë")
    live = other._tables.get(table)
    await until(lambda: live.names[persons[0]] == "Zoë")
    assert (await other.snapshot(table, None)).table.seats[0].name == "Zoë"


async def test_a_hint_to_hurry_reaches_the_process_whose_bot_thinks(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = two
    hurried: list[str] = []
    monkeypatch.setattr(other._watch, "_hurry", hurried.append)
    one._bus.publish(Notice("some table", 0, hurry=True))
    await until(lambda: hurried == ["some table"])


@pytest.mark.parametrize("sure", [True, False], ids=["silent bus", "lost bus"])
async def test_viewers_catch_up_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sure: bool) -> None:
    """Nothing is heard of the other process: its moves arrive all the same, each once and in order."""
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(watch, "LOST_SECONDS", 0.02)
    stores = [await open_store(tmp_path) for _ in range(2)]
    buses = [DeafBus(sure=sure) for _ in range(2)]
    async with serving(tmp_path, stores[0], buses[0]) as one, serving(tmp_path, stores[1], buses[1]) as other:
        table, persons = await started(one)
        watching = await other.subscribe(table, None)
        playing = await one.subscribe(table, persons[0])
        v = waiting(watching)[0]["v"]
        heard: list[int] = []
        for ply in range(6):
            assert await play(one if ply % 2 else other, table, persons, 1, seed=ply) == 1
            newest = v + ply + 1
            await until(lambda newest=newest: all(service._tables.get(table).v == newest for service in (one, other)))  # type: ignore[misc]
            heard += [frame["v"] for frame in waiting(watching) if frame["t"] == "update"]
        assert heard == list(range(v + 1, v + 7))
        assert [frame["v"] for frame in waiting(playing)] == list(range(v, v + 7))
    for store in stores:
        await store.close()


async def test_who_comes_while_the_bus_is_lost_sees_what_is(tmp_path: Path) -> None:
    """The table is in this process's memory from before; whoever follows it now gets what the log says, not that."""
    stores = [await open_store(tmp_path) for _ in range(2)]
    buses = [DeafBus(sure=False) for _ in range(2)]
    async with serving(tmp_path, stores[0], buses[0]) as one, serving(tmp_path, stores[1], buses[1]) as other:
        table, persons = await started(one)
        v = (await other.snapshot(table, None)).v
        first = (await one.snapshot(table, None)).table.first or 0
        await one.command(table, persons[first], Act("x", 0, "t"))
        assert waiting(await other.subscribe(table, persons[0]))[0]["v"] == v + 1
    for store in stores:
        await store.close()


async def test_after_a_gap_everything_in_memory_is_looked_at(two: Two) -> None:
    one, other = two
    table, persons = await started(one)
    await other.snapshot(table, None)
    live = other._tables.get(table)
    other._watch._unlisten()
    await play(one, table, persons, 3)
    v = one._tables.get(table).v
    assert live.v < v
    other._watch._heard(Gap())
    await until(lambda: live.v == v)


async def test_many_tables_are_looked_at_in_few_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.02)
    store = await open_store(tmp_path)
    async with serving(tmp_path, store) as service:
        tables = [await started(service) for _ in range(7)]
        subscriptions = [await service.subscribe(table, None) for table, _ in tables[:5]]
        asked: list[set[str]] = []
        news = store.news

        async def counted(known: dict[str, int]) -> list[str]:
            asked.append(set(known))
            return await news(known)

        monkeypatch.setattr(store, "news", counted)
        monkeypatch.setattr(watch, "CHUNK", 2)
        await until(lambda: len(asked) >= 6)
        assert all(len(known) <= 2 for known in asked)
        followed = {table for table, _ in tables[:5]}
        await until(lambda: set().union(*asked[-4:]) == followed)
        for subscription in subscriptions:
            subscription.close()
    await store.close()
