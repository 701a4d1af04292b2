"""What goes on by itself goes on, whatever happens to one table or one round; failures are in the log, and a loop that ended is known."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandriver.tables import background, watch
from sandriver.tables.background import Background, Beat
from sandriver.tables.bot_driver import Pace
from sandriver.tables.bus_valkey import ValkeyBus
from sandriver.tables.due import QUIET_MS
from sandriver.tables.log import Row
from sandriver.tables.timekeeper import Rounds
from sandriver.tables.wire import OpenTable
from tests.tables.tools import BOT, NOON, PERSON, MemoryStore, play, serving, started, until


class Odd(MemoryStore):
    """A store in whose answers to some questions something is that nobody thought of."""

    def __init__(self) -> None:
        super().__init__()
        self.odd: set[str] = set()
        """Tables, or names of methods."""

    def _check(self, *what: str) -> None:
        if not self.odd.isdisjoint(what):
            raise TypeError("something odd")

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        self._check(table)
        return await super().rows(table, after)

    async def due(self, before: int, limit: int) -> list[tuple[str, int, int]]:
        self._check("due")
        return await super().due(before, limit)

    async def news(self, known: Mapping[str, int]) -> list[str]:
        self._check("news")
        return await super().news(known)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that waits for seconds waits for hundredths."""
    monkeypatch.setattr(background, "AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr("sandriver.tables.timekeeper.ROUND_SECONDS_MOST", 0.01)


async def test_a_task_that_fails_is_in_the_log_at_once(caplog: pytest.LogCaptureFixture) -> None:
    """And not only when the garbage of it is collected."""
    gc.disable()
    try:
        work = Background()

        async def fail() -> None:
            raise TypeError("something odd")

        task = work.spawn(fail())
        await asyncio.wait([task])
        await asyncio.sleep(0)
        assert "fail failed" in caplog.text
        assert "something odd" in caplog.text
        assert not work._tasks
    finally:
        gc.enable()


async def test_a_loop_goes_on_after_a_round_that_failed(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """One that fails for long, hangs or has ended counts as standing still; whatever is done right counts as going on."""
    work, rounds, mode = Background(), 0, "fail"

    async def once(beat: Beat) -> None:
        nonlocal rounds
        rounds += 1
        if mode == "hang":
            await asyncio.Event().wait()
        if mode == "fail":
            raise AttributeError("something odd")
        await asyncio.sleep(0.001)

    work.loop("it", once)
    await until(lambda: rounds > 3)
    assert not work.stalled
    assert caplog.text.count("a round of it failed") >= 3
    monkeypatch.setattr(background, "STALLED_SECONDS", 0.0)
    await until(lambda: work.stalled == ("it",))
    monkeypatch.setattr(background, "STALLED_SECONDS", 0.1)
    mode = "work"
    await until(lambda: not work.stalled)
    mode = "hang"
    await until(lambda: work.stalled == ("it",))
    monkeypatch.setattr(background, "STALLED_SECONDS", 1e6)
    assert not work.stalled
    await work.close()
    assert work.stalled == ("it",)


async def test_one_odd_table_stops_neither_the_rounds_nor_the_watch(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Bots at other tables move after a restart, and what happened elsewhere is found, though each time something odd is met first."""
    store, now = Odd(), NOON
    async with serving(tmp_path, store, now=lambda: now, pace=Pace(60, 60)) as service:
        tables = [(await started(service, OpenTable("toy", (PERSON, BOT), first=1)))[0] for _ in range(3)]
        followed = [await started(service) for _ in range(2)]
    now += QUIET_MS + 1
    store.odd = {tables[0]}
    async with serving(tmp_path, store, now=lambda: now) as service:
        await until(lambda: all(len(store.log[table]) > 4 for table in tables[1:]))
        assert f"table {tables[0]}" not in caplog.text, "names of tables are abbreviated"
        assert "could not be looked after" in caplog.text
        for table, _ in followed:
            await service.subscribe(table, None)
        store.odd = {followed[0][0]}
        async with serving(tmp_path, store_of(store)) as other:
            for table, persons in followed:
                await play(other, table, persons, 1)
        lives = [service._tables.get(table) for table, _ in followed]
        await until(lambda: lives[1].v == 5)
        await until(lambda: "could not be followed" in caplog.text)
        assert lives[0].v == 4
        assert not service.stalled
        store.odd = {"due", "news"}
        await until(lambda: "a round of rounds failed" in caplog.text and "a round of watch failed" in caplog.text)
        store.odd = set()
        await until(lambda: lives[0].v == 5)
        assert not service.stalled


def store_of(store: MemoryStore) -> MemoryStore:
    """The same logs without anything odd."""
    other = MemoryStore()
    other.log, other.persons, other.dues = store.log, store.persons, store.dues
    return other


async def test_a_round_visits_those_after_one_that_failed() -> None:
    seen: list[str] = []

    async def due(before: int, limit: int) -> Sequence[tuple[str, int, int]]:
        return [("a", 1, 1), ("b", 1, 1), ("c", 1, 1)]

    async def visit(table: str, due: int, v: int) -> None:
        seen.append(table)
        if table != "c":
            raise AssertionError(table)

    beats: list[int] = []
    await Rounds(lambda: NOON, due, visit).once(None, lambda: beats.append(1))
    assert (seen, len(beats)) == (["a", "b", "c"], 3)


async def test_a_bus_that_fails_in_a_new_way_goes_on(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("sandriver.tables.bus_valkey.BACKOFF", (0.001, 0.01))
    served: list[bool] = []

    async def serve(self: Any) -> None:
        served.append(self.sure)
        self._connected = True
        raise TypeError("something odd")

    monkeypatch.setattr(ValkeyBus, "_serve", serve)
    bus = ValkeyBus("redis://127.0.0.1:1/0")
    await until(lambda: len(served) > 3)
    assert not any(served)
    assert "something odd" in caplog.text
    bus._connected = True
    bus._task.cancel()
    await until(bus._task.done)
    assert not bus.sure, "nobody listens any more"
    bus._connected = False
    await bus.close()
