"""The store fails or hangs: nobody hears of what was not stored, the sender may try again, others go on, nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandriver.tables.errors import Refusal, StoreFailed
from sandriver.tables.log import Action, Row
from sandriver.tables.timekeeper import Timers
from sandriver.tables.wire import Act, ClockPlan, OpenTable
from tests.tables.backends import Backend
from tests.tables.tools import NOON, PERSON, SOLO, TWO, FaultyStore, open_store, people, play, serving, started, until, waiting

pytestmark = pytest.mark.usefixtures("backend")


@pytest.fixture
async def faulty(tmp_path: Path) -> Any:
    store = await open_store(tmp_path, FaultyStore)
    async with serving(tmp_path, store, store_seconds=0.8) as service:
        yield store, service
    await store.close()


@pytest.mark.parametrize("fault", ["fail", "hang"])
async def test_a_failed_commit_is_seen_by_nobody(faulty: Any, fault: str) -> None:
    store, service = faulty
    table, persons = await started(service)
    other, others = await started(service)
    first = (await service.snapshot(table, None)).table.first
    watching = [await service.subscribe(table, viewer) for viewer in (*persons, None)]
    before = [waiting(subscription)[0] for subscription in watching]
    store.fault = lambda rows: fault if rows[0].table == table else None
    moves = asyncio.create_task(play(service, other, others))
    with pytest.raises(Refusal) as caught:
        await service.command(table, persons[first], Act("x", 0, "t"))
    assert (caught.value.code, caught.value.refused.id) == ("try_again", "x")
    assert await moves > 5, "other tables go on"
    assert [waiting(subscription) for subscription in watching] == [[], [], []]
    assert (await service.snapshot(table, None)).v == before[2]["v"]
    store.fault = lambda rows: None
    ack = await service.command(table, persons[first], Act("x", 0, "t"))
    assert ack.v == before[2]["v"] + 1, "the same command, tried again, is carried out"
    assert [[frame["v"] for frame in waiting(subscription)] for subscription in watching] == [[ack.v]] * 3


async def test_a_commit_that_arrived_though_nobody_heard(faulty: Any) -> None:
    """The answer of the database is lost: the sender is asked to try again and gets the answer to what was stored."""
    store, service = faulty
    table, persons = await started(service)
    first = (await service.snapshot(table, None)).table.first
    watching = await service.subscribe(table, None)
    v = waiting(watching)[0]["v"]
    store.fault = lambda rows: "late"
    with pytest.raises(Refusal, match="try_again"):
        await service.command(table, persons[first], Act("x", 0, "t"))
    assert waiting(watching) == []
    store.fault = lambda rows: None
    await until(lambda: service._tables.get(table).v == v + 1)
    assert [frame["v"] for frame in waiting(watching)] == [v + 1], "followers hear of it once it is certain"
    assert (await service.command(table, persons[first], Act("x", 0, "t"))).v == v + 1
    assert sum(isinstance(row.entry, Action) for row in await store.rows(table)) == 1


async def test_a_bot_tries_again(faulty: Any) -> None:
    store, service = faulty
    failures = iter(["fail", "late", "hang", "fail"])
    store.fault = lambda rows: next(failures, None) if isinstance(rows[0].entry, Action) and rows[0].person is None else None
    table, persons = await started(service, SOLO)
    await service.command(table, persons[0], Act("x", 0, "t"))
    await until(lambda: service._tables.get(table).state.ply == 2)
    assert next(failures, None) is None or service._tables.get(table).state.ply == 2
    await service.command(table, persons[0], Act("y", 2, "t"))
    await until(lambda: service._tables.get(table).state.ply == 4)
    plies = [row.entry.ply for row in await store.rows(table) if isinstance(row.entry, Action)]
    assert plies == [1, 2, 3, 4]


async def test_a_flag_that_cannot_be_stored_is_tried_again_ever_more_seldom(tmp_path: Path) -> None:
    """The disk is full when a flag falls: a few attempts, one task that resolves, and the flag is stored once there is room."""
    store = await open_store(tmp_path, FaultyStore)
    assert isinstance(store, FaultyStore)
    now, delays, attempts = NOON, [], []
    pending: list[Callable[[], None]] = []

    class Bell:
        def cancel(self) -> None:
            pending.clear()

    def later(seconds: float, ring: Callable[[], None]) -> Bell:
        delays.append(seconds)
        pending.append(ring)
        return Bell()

    def fault(rows: Sequence[Row]) -> str:
        attempts.append(rows)
        return "fail"

    async with serving(tmp_path, store, now=lambda: now) as service:
        service._timers = Timers(service._now, service._look_at, later)
        table, _ = await started(service, OpenTable("toy", (PERSON, PERSON), first=0, clock=ClockPlan(10)))
        store.fault = fault
        now += 60_000
        del delays[:-1]
        for n in range(12):
            await until(lambda: bool(pending))
            assert len(attempts) == n
            pending.pop()()
            await until(lambda n=n: len(attempts) > n)  # type: ignore[misc]
            for _ in range(3):
                await service.snapshot(table, None)  # whoever looks tries too, and sets no other timer
            del attempts[n + 1 :]
            assert sum("_resolve" in repr(task) for task in asyncio.all_tasks()) <= 1
        await until(lambda: bool(pending))
        assert len(pending) == 1
        assert delays[1:9] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0]
        assert set(delays[9:]) == {10.0}
        store.fault = lambda rows: None
        pending.pop()()
        live = service._tables.get(table)
        await until(lambda: live.state.over)
        await until(lambda: not live.resolving)
        assert service._timers._past == {}
    await store.close()


async def test_opening_and_joining_refuse_as_well(faulty: Any) -> None:
    store, service = faulty
    ana, _ = await people(service, "Ana", "Ben")
    store.fault = lambda rows: "fail"
    with pytest.raises(Refusal, match="try_again"):
        await service.open_table(ana, TWO)
    store.fault = lambda rows: None
    table = await service.open_table(ana, TWO)
    store.fault = lambda rows: "hang"
    with pytest.raises(Refusal, match="try_again"):
        await service.join(table, ana)
    store.fault = lambda rows: None
    assert await service.join(table, ana) == 0


async def test_reading_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await open_store(tmp_path)
    async with serving(tmp_path, store) as service:
        table, persons = await started(service)
    async with serving(tmp_path, store, store_seconds=0.1) as service:

        async def fail(table: str, after: int = 0) -> list[Row]:
            raise StoreFailed("no disk")

        async def hang(table: str, after: int = 0) -> list[Row]:
            await asyncio.Event().wait()
            return []

        for fault in (fail, hang):
            with monkeypatch.context() as patch:
                patch.setattr(store, "rows", fault)
                with pytest.raises(Refusal, match="try_again"):
                    await service.snapshot(table, persons[0])
        assert (await service.snapshot(table, persons[0])).ply == 0
    await store.close()


PLAYER = """
import asyncio, sys
from pathlib import Path
from sandriver.tables.store_sql import SqlStore
from tests.tables.tools import TWO, play, serving, started
from sandriver.tables.service import TableService

command = TableService.command
async def told(self, table, person, act, **more):
    ack = await command(self, table, person, act, **more)
    print(table, person, act.id, ack.v, flush=True)
    return ack
TableService.command = told

async def main():
    store = await SqlStore.open(sys.argv[1])
    async with serving(Path(), store) as service:
        async def games(n):
            while True:
                table, persons = await started(service, TWO)
                await play(service, table, persons, seed=n)
        await asyncio.gather(*(games(n) for n in range(20)))
asyncio.run(main())
"""


async def test_kill_under_load_loses_nothing_acknowledged(tmp_path: Path, backend: Backend) -> None:
    root = Path(__file__).parents[2]
    for lines_wanted in (150, 20):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PLAYER, backend.url(tmp_path),
            cwd=root, env={"PYTHONPATH": f"{root / 'src'}:{root / 'tools'}:{root}"}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        lines = [await process.stdout.readline() for _ in range(lines_wanted)]
        process.send_signal(signal.SIGKILL)
        lines += (await process.stdout.read()).splitlines(keepends=True)
        await process.wait()
        acknowledged = [line.decode().split() for line in lines if line.endswith(b"\n") and line.strip()]
        assert len(acknowledged) >= lines_wanted
        async with serving(tmp_path) as service:
            logs = {table: await service._store.rows(table) for table in {line[0] for line in acknowledged}}
            for table, person, command, v in acknowledged:
                row = logs[table][int(v) - 1]
                assert (row.v, row.command, row.person) == (int(v), command, person)
            table, person, command, v = acknowledged[-1]
            assert (await service.command(table, person, Act(command, 0, "t"))).v == int(v), "a resend is answered as before the crash"
