"""Who follows a table: no gap and nothing twice under any interleaving, shared bytes, slow readers cut off, presence."""

from __future__ import annotations

import asyncio
import gc
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.tables import hub
from sandriver.tables.errors import Refusal
from sandriver.tables.hub import Subscription
from sandriver.tables.service import TableService
from sandriver.tables.wire import Act, Ping, Resign, Sync
from tests.tables.tools import NOON, TWO, people, play, serving, started, until, waiting

pytestmark = pytest.mark.usefixtures("backend")


@pytest.fixture
async def service(tmp_path: Path) -> Any:
    async with serving(tmp_path) as service:
        yield service


class Reader:
    """Reads frames as a client does and complains about every gap, repetition and difference."""

    def __init__(self, service: TableService, table: str, person: str | None) -> None:
        self.service, self.table, self.person = service, table, person
        self.v: int | None = None
        self.shown: dict[int, bytes] = {}
        """View and table as last heard, by version."""
        self.log: list[Any] = []

    async def read(self, frames: int | None = None) -> None:
        """Connect (with ``since`` if something is known), take so many frames or all up to the end of the game, leave."""
        subscription = await self.service.subscribe(self.table, self.person, since=self.v)
        async with subscription:
            if frames == 0:
                return
            async for raw in subscription:
                if self._take(msgspec.json.decode(raw)):
                    return
                if frames is not None:
                    frames -= 1
                    if not frames:
                        return
        assert subscription.closed != "slow"

    def _take(self, frame: Any) -> bool:
        if frame["t"] == "presence":
            return False
        if frame["t"] == "snapshot":
            assert self.v is None or frame["v"] > self.v + 1
            assert [step["v"] for step in frame["log"]] == list(range(1, frame["v"] + 1))
            assert self.log == frame["log"][: len(self.log)]
            self.log = frame["log"]
        else:
            assert frame["t"] == "update"
            assert self.v is not None, "first the snapshot"
            assert frame["v"] == self.v + 1 == frame["step"]["v"]
            self.log.append(frame["step"])
        self.v = frame["v"]
        table = {**frame["table"], "seats": None}
        self.shown[self.v] = msgspec.json.encode([frame["view"], table, frame["ply"]])
        return bool(frame["table"]["state"] == "over")


async def test_no_gap_and_nothing_twice_in_any_interleaving(service: TableService) -> None:
    """Many readers come and go at random moments, with and without ``since``, while the game is played."""
    joins = 0
    for seed in range(12):
        rng = random.Random(seed)
        table, persons = await started(service)
        readers = [Reader(service, table, rng.choice([*persons, None])) for _ in range(12)]

        async def wander(reader: Reader, rng: random.Random) -> None:
            nonlocal joins
            for _ in range(rng.randrange(8)):
                for _ in range(rng.randrange(30)):
                    await asyncio.sleep(0)
                joins += 1
                task = asyncio.ensure_future(reader.read(rng.randrange(4)))
                await asyncio.wait([task], timeout=0.05)
                if not task.done():
                    task.cancel()
                    await asyncio.wait([task])
            joins += 1
            await reader.read()

        tasks = [asyncio.create_task(wander(reader, random.Random(rng.random()))) for reader in readers]
        for ply in range(1000):
            if not await play(service, table, persons, 1, seed=ply):
                break
            for _ in range(rng.choice((0, 0, 5, 40))):
                await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        by_person: dict[str | None, dict[int, bytes]] = {}
        for reader in readers:
            final = await service.snapshot(table, reader.person)
            assert reader.log == msgspec.json.decode(msgspec.json.encode(final.log))
            assert reader.v == final.v
            for v, shown in reader.shown.items():
                assert by_person.setdefault(reader.person, {}).setdefault(v, shown) == shown, "all of an audience hear the same"
    assert joins > 300


async def test_join_at_every_single_moment_of_a_move(service: TableService) -> None:
    """A reader begins after every possible number of turns of the event loop while one move is validated, committed and told."""
    for turns in range(40):
        table, persons = await started(service)
        before = (await service.snapshot(table, None)).v
        move = asyncio.create_task(play(service, table, persons, 1))
        for _ in range(turns):
            await asyncio.sleep(0)
        subscription = await service.subscribe(table, None)
        await move
        versions = [frame["v"] for frame in waiting(subscription)]
        assert versions in ([before, before + 1], [before + 1])
        subscription.close()


async def test_since_gives_the_missing_updates_or_the_snapshot(service: TableService) -> None:
    table, persons = await started(service)
    watching = await service.subscribe(table, persons[0])
    await play(service, table, persons, 20)
    heard = waiting(watching)
    watching.close()
    newest = heard[-1]["v"]
    for v in range(newest - 20, newest + 1):
        missing = await service.since(table, persons[0], v)
        assert isinstance(missing, list)
        expected = heard[len(heard) - (newest - v) :]
        for now, then in zip(msgspec.to_builtins(missing), expected, strict=True):
            for frame in (now, then):
                frame["table"]["seats"] = None
            assert msgspec.json.decode(msgspec.json.encode(now)) == then
    for v in (0, -1, newest + 1, 10**9):
        assert not isinstance(await service.since(table, None, v), list)


async def test_sync_ping_and_refusals_over_a_subscription(service: TableService) -> None:
    table, persons = await started(service)
    subscription = await service.subscribe(table, persons[0])
    snapshot = waiting(subscription)[0]
    await play(service, table, persons, 2)
    heard = waiting(subscription)
    await service.answer(subscription, Sync(snapshot["v"]))
    assert waiting(subscription) == heard
    await service.answer(subscription, Sync(snapshot["v"] + 2))
    assert waiting(subscription) == []
    await service.answer(subscription, Sync(99))
    assert [frame["t"] for frame in waiting(subscription)] == ["snapshot"]
    await service.answer(subscription, Ping())
    await service.answer(subscription, Act("x", 0, "t"))
    pong, refused = waiting(subscription)
    assert (pong, refused["t"], refused["id"], refused["code"]) == ({"t": "pong", "at": NOON}, "refused", "x", "stale")
    spectator = await service.subscribe(table, None)
    waiting(spectator)
    await service.answer(spectator, Resign("y"))
    assert (waiting(spectator)[0]["code"], waiting(subscription)) == ("not_seated", [])


async def test_acknowledged_first_then_told(service: TableService) -> None:
    table, persons = await started(service)
    mover = (await service.snapshot(table, None)).table.first
    tabs = [await service.subscribe(table, persons[mover or 0]) for _ in range(2)]
    for tab in tabs:
        waiting(tab)
    await service.answer(tabs[0], Act("x", 0, "t"))
    first, second = waiting(tabs[0]), waiting(tabs[1])
    assert [frame["t"] for frame in first] == ["ack", "update"]
    assert first[1:] == second, "all tabs of a seat hear the same"


async def test_an_audience_shares_its_bytes(service: TableService) -> None:
    table, persons = await started(service)
    await service.snapshot(table, None)
    crowd = [await service.subscribe(table, None) for _ in range(50)]
    await play(service, table, persons, 1)
    assert len({id(subscription._frames[-1]) for subscription in crowd}) == 1
    assert len({subscription._frames[-1] for subscription in crowd}) == 1
    await asyncio.sleep(2 * hub.PRESENCE_DELAY)
    for subscription in crowd:
        waiting(subscription)
    late = [await service.subscribe(table, None) for _ in range(50)]
    assert len({id(subscription._frames[0]) for subscription in late}) == 1


async def test_whether_handed_over_or_queued_frames_stay_in_order() -> None:
    """A sink that takes some frames and not others, and a reader that is slow about what is left to it."""
    rng, heard = random.Random(4), list[bytes]()
    ways = {"sink": 0, "queue": 0}

    def sink(frame: bytes, _more: bool) -> bool:
        if rng.random() < 0.5:
            return False
        ways["sink"] += 1
        heard.append(frame)
        return True

    async def read() -> None:
        async for frame in subscription:
            for _ in range(rng.randrange(3)):
                await asyncio.sleep(0)
            ways["queue"] += 1
            heard.append(frame)

    subscription = Subscription("t", None, None, lambda _: None, 64)
    subscription.sink = sink
    reader = asyncio.create_task(read())
    sent = [str(number).encode() for number in range(300)]
    for frame in sent:
        assert subscription.push(frame) == (heard[-1:] == [frame])
        for _ in range(rng.randrange(4)):
            await asyncio.sleep(0)
    subscription.finish()
    await reader
    assert heard == sent
    assert min(ways.values()) > 50


async def test_slow_readers_are_cut_off_and_welcome_back(tmp_path: Path) -> None:
    async with serving(tmp_path, queue_limit=5) as service:
        table, persons = await started(service)
        slow, quick = await service.subscribe(table, None), await service.subscribe(table, None)
        heard = []
        for ply in range(10):
            await play(service, table, persons, 1, seed=ply)
            heard += waiting(quick)
        assert (slow.closed, quick.closed) == ("slow", None)
        assert [frame async for frame in slow] == []
        assert len(slow._frames) == 0
        assert [frame["v"] for frame in heard] == list(range(heard[0]["v"], heard[0]["v"] + 11))
        with pytest.raises(StopAsyncIteration):
            await anext(slow)
        back = await service.subscribe(table, None, since=heard[-1]["v"] - 3)
        assert waiting(back) == heard[-3:]
        await service.answer(back, Ping())


async def test_memory_stays_flat_with_a_thousand_readers_that_never_read(service: TableService) -> None:
    table, persons = await started(service)
    crowd = [await service.subscribe(table, None) for _ in range(1000)]
    for number in range(100):
        with pytest.raises(Refusal):
            await service.command(table, persons[0], Act(f"flood{number}", 77, "t"))
    await play(service, table, persons)
    live = service._tables.get(table)
    assert len(live.refusals) <= 64
    gc.collect()
    frames = {id(frame): len(frame) for subscription in crowd for frame in subscription._frames}
    assert len(frames) <= hub.QUEUE_LIMIT
    assert all(len(subscription._frames) <= hub.QUEUE_LIMIT for subscription in crowd)
    for subscription in crowd:
        subscription.close()
    assert len(live.hub) == 0


async def test_sitting_down_turns_a_spectator_into_a_player(service: TableService) -> None:
    ana, ben = await people(service, "Ana", "Ben")
    table = await service.open_table(ana, TWO)
    tab = await service.subscribe(table, ben)
    await service.join(table, ana)
    code = (await service.snapshot(table, ana)).table.code
    await service.join(table, ben, code=code)
    frames = waiting(tab)
    assert [(frame["v"], frame["table"]["you"]) for frame in frames] == [(1, None), (2, None), (3, 1), (4, 1)]
    assert all(frame["table"]["code"] is None for frame in frames[:2])
    assert frames[-1]["view"]["hands"][0] == "?2"
    assert not frames[-1]["view"]["hands"][1].startswith("?")


async def _presence(subscription: Subscription) -> Any:
    await until(lambda: subscription._presence is not None)
    frame = msgspec.json.decode(subscription._presence or b"")
    subscription._presence = None
    frame.pop("away", None)
    return frame


async def test_presence(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PRESENCE_DELAY", 0.01)
    table, persons = await started(service)
    mine = await service.subscribe(table, persons[0])
    assert await _presence(mine) == {"t": "presence", "online": [True, False], "spectators": 0}
    others = [await service.subscribe(table, person) for person in (persons[1], persons[1], None, None, "eve", "eve")]
    assert await _presence(mine) == {"t": "presence", "online": [True, True], "spectators": 3}
    assert [seat.online for seat in (await service.snapshot(table, None)).table.seats] == [True, True]
    others[0].close()
    others[2].close()
    assert await _presence(mine) == {"t": "presence", "online": [True, True], "spectators": 2}
    late = await service.subscribe(table, None)
    others[3].close()
    told = await _presence(late)
    assert told == {"t": "presence", "online": [True, True], "spectators": 2}, "one came as one went: the one who came hears it too"
    others[1].close()
    assert (await _presence(mine))["online"] == [True, False]
    mine.close()
    mine.close()
    service_end = await service.subscribe(table, None)
    await service.close()
    assert service_end.closed == "closed"
