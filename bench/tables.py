"""Moves a second through the table service, durable: many tables in a closed loop over one SQLite file, both seats played.

``python bench/tables.py [--tables 200] [--seconds 5] [--game mandala] [--followers 0]``. ``--followers 1`` adds a reader for each seat
and a spectator to every table, so that views and events are made and encoded for three audiences.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import tempfile
import time
from pathlib import Path

from sandriver import bots
from sandriver.games import GAMES
from sandriver.tables.bot_driver import NO_PAUSE
from sandriver.tables.bus import MemoryBus
from sandriver.tables.hub import Subscription
from sandriver.tables.service import TableService
from sandriver.tables.store_sql import SqlStore, sqlite_url
from sandriver.tables.wire import Act, OpenTable, SeatPlan

NUMBERS = itertools.count()
PEOPLE = ("ana", "ben")


class Bench:
    """One measurement: the time it may take, and what was counted."""

    def __init__(self, service: TableService, game: str, followers: int) -> None:
        self.service, self.game, self.followers = service, game, followers
        self.until = 0.0
        self.moves, self.frames, self.bytes = 0, 0, 0
        self.waits: list[float] = []

    async def open(self) -> tuple[str, list[asyncio.Task[None]]]:
        """Open a table at which both sit, with its followers; returns it and them."""
        table = await self.service.open_table(PEOPLE[0], OpenTable(self.game, (SeatPlan("person"), SeatPlan("person"))))
        await self.service.join(table, PEOPLE[0])
        code = (await self.service.snapshot(table, PEOPLE[0])).table.code
        await self.service.join(table, PEOPLE[1], code=code)
        viewers = (*PEOPLE, None) * self.followers
        return table, [asyncio.create_task(self._read(await self.service.subscribe(table, viewer))) for viewer in viewers]

    async def play(self, table: str, readers: list[asyncio.Task[None]]) -> None:
        """Play at a table, and when that game is over at another, until the time is up."""
        rng = random.Random(next(NUMBERS))
        while True:
            live = self.service._tables.get(table)  # noqa: SLF001  # behind the views: the service is measured, not a client
            while (mover := live.state.to_move) is not None:
                if time.perf_counter() > self.until:
                    return
                legal = live.state.position.legal_actions
                action = live.state.game.format_action(legal[rng.randrange(len(legal))])
                began = time.perf_counter()
                await self.service.command(table, PEOPLE[mover], Act(f"c{next(NUMBERS)}", live.state.ply, action))
                self.waits.append(time.perf_counter() - began)
                self.moves += 1
            for reader in readers:
                reader.cancel()
            table, readers = await self.open()

    async def _read(self, subscription: Subscription) -> None:
        async with subscription:
            async for frame in subscription:
                self.frames += 1
                self.bytes += len(frame)


async def run(tables: int, seconds: float, game: str, followers: int) -> dict[str, float]:
    """Measure and return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        store = await SqlStore.open(sqlite_url(Path(folder) / "bench.sqlite3"))
        service = TableService(store, MemoryBus(), games=GAMES, find_bot=bots.get, pace=NO_PAUSE, store_seconds=30)
        await service.start()
        bench = Bench(service, game, followers)
        opened = await asyncio.gather(*(bench.open() for _ in range(tables)))
        bench.frames = bench.bytes = 0
        began, cpu = time.perf_counter(), time.process_time()
        bench.until = began + seconds
        await asyncio.gather(*(bench.play(table, readers) for table, readers in opened))
        took, used = time.perf_counter() - began, time.process_time() - cpu
        await service.close()
        await store.close()
    waits = sorted(bench.waits)
    return {
        "moves/s": bench.moves / took,
        "moves per CPU second": bench.moves / used,
        "median ms": 1000 * waits[len(waits) // 2],
        "99 % ms": 1000 * waits[len(waits) * 99 // 100],
        "frames/s": bench.frames / took,
        "MB/s": bench.bytes / took / 1e6,
    }


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--game", default="mandala", choices=sorted(GAMES))
    parser.add_argument("--followers", type=int, default=0)
    given = parser.parse_args()
    figures = asyncio.run(run(given.tables, given.seconds, given.game, given.followers))
    print(
        f"{given.game}, {given.tables} tables, {3 * given.followers} followers each:",
        ", ".join(f"{x:,.1f} {n}" for n, x in figures.items()),
    )


if __name__ == "__main__":
    main()
