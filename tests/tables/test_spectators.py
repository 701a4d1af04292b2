"""Many spectators at one table: memory stays flat however long they watch; slow ones are cut off and welcome back."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.games import GAMES
from sandriver.tables.hub import QUEUE_LIMIT, Subscription
from sandriver.tables.wire import Act, OpenTable
from tests.tables.tools import PERSON, MemoryStore, ids, serving, started

MOVES, MANY_MOVES = 110, 200
ENDLESS = OpenTable("mandala", (PERSON, PERSON), {"stall_limit": 0}, first=0)
FEW = 10


class Watcher:
    """Reads all frames as they come, and keeps no more of them than the version and the length."""

    def __init__(self, subscription: Subscription) -> None:
        self.v = self.frames = self.bytes = 0
        self.subscription = subscription
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self.subscription:
            if frame.startswith(b'{"t":"presence"'):
                continue
            v = int(frame[: frame.index(b',"ply"')].rpartition(b":")[2])
            assert self.v == 0 or v == self.v + 1, (v, self.v)
            self.v, self.frames, self.bytes = v, self.frames + 1, len(frame)


async def redraw(service: Any, table: str, persons: list[str]) -> None:
    """One move of a game that never ends."""
    state = service._tables.get(table).state
    action = next(each for each in state.position.legal_actions if each.kind == "redraw")
    await service.command(table, persons[state.to_move], Act(next(ids), state.ply, state.game.format_action(action)))
    await asyncio.sleep(0)


async def grown(folder: Path, spectators: int, slow: int, moves: int) -> float:
    """Play before so many spectators, of whom so many do not read; returns how many bytes a move costs once all has settled."""
    async with serving(folder, MemoryStore(), games=GAMES) as service:
        table, persons = await started(service, ENDLESS)
        watchers = [Watcher(await service.subscribe(table, None)) for _ in range(spectators - slow)]
        sleepers = [await service.subscribe(table, None) for _ in range(slow)]
        live = service._tables.get(table)
        for _ in range(QUEUE_LIMIT - 1):
            await redraw(service, table, persons)
        await asyncio.sleep(0)
        assert all(each.closed is None and each.waiting == QUEUE_LIMIT for each in sleepers)
        queued = {id(frame): len(frame) for each in live.hub for frame in each._frames}
        assert len(queued) <= QUEUE_LIMIT, "the same bytes stand in all queues"
        await redraw(service, table, persons)
        assert all(each.closed == "slow" and each.waiting == 0 for each in sleepers)
        assert len(live.hub) == len(watchers)
        assert service.figures().frames_waiting <= len(watchers)
        await settled()
        stretch = (moves - QUEUE_LIMIT) // 2
        used = [tracemalloc.get_traced_memory()[0]]
        for _ in range(2):
            for _ in range(stretch):
                await redraw(service, table, persons)
            await settled()
            used.append(tracemalloc.get_traced_memory()[0])
        for watcher in watchers:
            assert (watcher.v, watcher.frames) == (live.v, QUEUE_LIMIT + 2 * stretch + 1), "nobody missed anything because of the slow ones"
        await come_back(service, table, persons, sleepers[:3])
        for watcher in watchers:
            watcher.subscription.close()
        await asyncio.gather(*(watcher.task for watcher in watchers))
        assert len(live.hub) == 0
        # what moves leave behind they leave in both; a cache of the whole process that has to grow does so in one
        return min(then - before for before, then in pairwise(used)) / stretch


async def settled() -> None:
    for _ in range(4):
        await asyncio.sleep(0.01)
    gc.collect()


async def come_back(service: Any, table: str, persons: list[str], sleepers: list[Subscription]) -> None:
    """Who was cut off gets what is newest, and then everything."""
    live = service._tables.get(table)
    for missed, _ in zip((2, 100, None), sleepers, strict=False):
        again = await service.subscribe(table, None, since=None if missed is None else live.v - missed)
        frames = [msgspec.json.decode(frame) for frame in again._frames]
        assert [frame["v"] for frame in frames] == ([live.v - 1, live.v] if missed == 2 else [live.v])
        assert {frame["t"] for frame in frames} == {"update" if missed == 2 else "snapshot"}
        await redraw(service, table, persons)
        assert msgspec.json.decode(again._frames[-1])["v"] == live.v
        again.close()


async def compare(folder: Path, spectators: int, moves: int) -> None:
    tracemalloc.start()
    try:
        few, many = await grown(folder, FEW, FEW // 5, moves), await grown(folder, spectators, spectators // 5, moves)
    finally:
        tracemalloc.stop()
    assert many < few + 600, f"{few:.0f} bytes a move with {FEW} spectators, {many:.0f} with {spectators}"


async def test_memory_is_flat_however_many_watch(tmp_path: Path) -> None:
    """What a move leaves behind is the table's own log: as much with twenty times as many spectators."""
    await compare(tmp_path, 200, MOVES)


@pytest.mark.slow
async def test_memory_is_flat_with_a_thousand(tmp_path: Path) -> None:
    await compare(tmp_path, 1000, MANY_MOVES)


async def test_frames_are_made_once_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def encode(frame: Any) -> bytes:
        made.append(frame)
        return msgspec.json.encode(frame)

    monkeypatch.setattr("sandriver.tables.live.encode_frame", encode)
    async with serving(tmp_path, MemoryStore(), games=GAMES) as service:
        table, persons = await started(service, ENDLESS)
        spectators = [await service.subscribe(table, None) for _ in range(50)]
        seats = [await service.subscribe(table, person) for person in persons]
        made.clear()
        await redraw(service, table, persons)
        assert len(made) == 3, "one for each seat, one for all who watch"
        assert len({id(each._frames[-1]) for each in spectators}) == 1
        assert len({id(each._frames[-1]) for each in (*spectators, *seats)}) == 3
