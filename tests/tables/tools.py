"""What the tests of the tables share: services over a fresh database, toy bots, a store that fails on demand, and players."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.bots.random_bot import RandomBot
from sandriver.games.contract import Game
from sandriver.tables.bot_driver import NO_PAUSE
from sandriver.tables.bus import Bus, MemoryBus
from sandriver.tables.errors import Conflict, StoreFailed
from sandriver.tables.hub import Subscription
from sandriver.tables.log import Row
from sandriver.tables.service import TableService
from sandriver.tables.store import Person, Store
from sandriver.tables.store_sql import SqlStore
from sandriver.tables.wire import Act, OpenTable, SeatPlan, Snapshot
from tests.tables import backends
from tests.tables.toy import TOY

GAMES: dict[str, Game] = {"toy": TOY}
PERSON, BOT = SeatPlan("person"), SeatPlan("bot", "random")
TWO = OpenTable("toy", (PERSON, PERSON))
SOLO = OpenTable("toy", (PERSON, BOT), first=0)
NOON = 1_800_000_000_000
"""The time at all tables of a test that does not bring a clock of its own."""
ids = (f"c{n}" for n in itertools.count())


class PolicyBook:
    """Bots by name, for any game; ``random`` always among them."""

    def __init__(self, **policies: Any) -> None:
        self.policies: dict[str, Any] = {"random": RandomBot(), **policies}

    def __call__(self, game: str, bot: str) -> Any:
        return self.policies[bot]


class FaultyStore(SqlStore):
    """A store whose appends can be made to fail or to hang, for all tables or one."""

    fault: Callable[[Sequence[Row]], str | None] = staticmethod(lambda rows: None)
    """For an append: None, ``fail``, ``hang``, or ``late`` (stored, but the answer never comes)."""

    async def append(self, rows: Sequence[Row]) -> None:
        match self.fault(rows):
            case "fail":
                raise StoreFailed("disk full")
            case "hang":
                await asyncio.Event().wait()
            case "late":
                await super().append(rows)
                await asyncio.Event().wait()
        await super().append(rows)


class MemoryStore:
    """The ``Store`` protocol over lists: for tests that need hundreds of services, and the proof that the service knows no SQL."""

    def __init__(self) -> None:
        self.log: dict[str, list[Row]] = {}
        self.persons: dict[str, tuple[Person, str]] = {}
        self.dues: dict[str, int] = {}

    async def append(self, rows: Sequence[Row]) -> None:
        await asyncio.sleep(0)
        added: dict[str, list[Row]] = {}
        for row in rows:
            log = added.setdefault(row.table, list(self.log.get(row.table, [])))
            taken = any(row.command is not None and (row.command, row.seat) == (old.command, old.seat) for old in log)
            if row.v <= len(log) or taken or (row.terminal and any(old.terminal for old in log)):
                raise Conflict(row.table)
            log.append(row)
        self.log |= added
        self.dues |= {row.table: row.due for row in rows if row.due is not None}

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        await asyncio.sleep(0)
        return self.log.get(table, [])[after:]

    async def table_by_code(self, code: str) -> str | None:
        return next((table for table, log in self.log.items() if getattr(log[0].entry, "code", None) == code), None)

    async def due(self, before: int, limit: int) -> list[tuple[str, int, int]]:
        due = sorted((moment, table) for table, moment in self.dues.items() if moment < before)
        return [(table, moment, len(self.log[table])) for moment, table in due[:limit]]

    async def put_off(self, table: str, due: int, v: int, until: int | None) -> None:
        if self.dues.get(table) == due and len(self.log[table]) <= v:
            del self.dues[table]
            self.dues |= {} if until is None else {table: until}

    async def news(self, known: Mapping[str, int]) -> list[str]:
        return [table for table, v in known.items() if len(self.log.get(table, [])) > v]

    async def tables_of(self, person: str, limit: int) -> list[str]:
        return [table for table, log in self.log.items() if any(row.person == person for row in log)][:limit]

    async def add_person(self, person: Person, token_hash: str, created: int) -> None:
        self.persons[person.id] = person, token_hash

    async def person_by_token(self, token_hash: str) -> Person | None:
        return next((person for person, token in self.persons.values() if token == token_hash), None)

    async def people(self, ids: Iterable[str]) -> list[Person]:
        return [self.persons[person][0] for person in ids if person in self.persons]

    async def update_person(self, person: Person) -> None:
        self.persons[person.id] = person, self.persons[person.id][1]

    async def close(self) -> None:
        pass


async def open_store(folder: Path, kind: type[SqlStore] = SqlStore) -> SqlStore:
    """The database of a test, of the kind that it runs on."""
    return await backends.current().open(folder, kind)


@asynccontextmanager
async def serving(folder: Path, store: Store | None = None, bus: Bus | None = None, **options: Any) -> AsyncIterator[TableService]:
    """A started service over the database in ``folder`` (or over a store that somebody else closes)."""
    own = store is None
    used = store or await open_store(folder)
    options = {"games": GAMES, "find_bot": PolicyBook(), "pace": NO_PAUSE, "now": lambda: NOON, **options}
    service = TableService(used, bus or MemoryBus(), **options)
    await service.start()
    try:
        yield service
    finally:
        await service.close()
        if own:
            await used.close()


@asynccontextmanager
async def serving_twice(folder: Path, **options: Any) -> AsyncIterator[tuple[TableService, TableService]]:
    """Two services that share a database and a bus, each with connections of its own."""
    make_bus = backends.current().common_bus()
    buses = [make_bus() for _ in range(2)]
    stores = [await open_store(folder) for _ in buses]
    await until(lambda: all(bus.sure for bus in buses))
    async with serving(folder, stores[0], buses[0], **options) as one, serving(folder, stores[1], buses[1], **options) as other:
        yield one, other
    for bus in buses:
        await bus.close()
    for store in stores:
        await store.close()


async def people(service: TableService, *names: str) -> list[str]:
    """Ids of new people."""
    return [(await service.people.create(f"{random.getrandbits(256):064x}", name)).id for name in names]


async def started(service: TableService, wish: OpenTable = TWO, nonces: Sequence[str | None] = (None,) * 9) -> tuple[str, list[str]]:
    """A table at which everybody sits, and its people in seat order."""
    persons = await people(service, *[f"P{seat}" for seat, plan in enumerate(wish.seats) if plan.kind == "person"])
    table = await service.open_table(persons[0], wish)
    await service.join(table, persons[0], nonce=nonces[0])
    code = (await service.snapshot(table, persons[0])).table.code
    for person, nonce in zip(persons[1:], nonces[1:], strict=False):
        await service.join(table, person, code=code, nonce=nonce)
    return table, persons


def legal(snapshot: Snapshot) -> list[str]:
    """The viewer's legal actions."""
    return list(snapshot.view.legal) if snapshot.view is not None else []


async def play(service: TableService, table: str, persons: Sequence[str], plies: int = 1000, seed: int = 0) -> int:
    """Let people play random legal actions until the game ends, so many were played, or it is a bot's turn; returns how many."""
    rng = random.Random(seed)
    for played in range(plies):
        for person in persons:
            snapshot = await service.snapshot(table, person)
            if snapshot.table.state != "running":
                return played
            if actions := legal(snapshot):
                await service.command(table, person, Act(next(ids), snapshot.ply, rng.choice(actions)))
                break
        else:
            return played
    return plies


def fix_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every table is the same table, but for what people bring: to be repeatable, or compared."""
    monkeypatch.setattr("sandriver.tables.opening.new_table_id", lambda: "sandrver2345")
    monkeypatch.setattr("sandriver.tables.chance.new_secret", lambda: "5a" * 32)
    monkeypatch.setattr("sandriver.tables.opening.chance.new_nonce", lambda: "0b" * 16)
    monkeypatch.setattr("sandriver.tables.service.new_nonce", lambda: "0c" * 16)


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  (what is waited for has no event)
            await asyncio.sleep(0.005)


def waiting(subscription: Subscription) -> list[dict[str, Any]]:
    """The frames in a subscriber's queue, taken out and decoded; presence left out."""
    frames = [msgspec.json.decode(frame) for frame in subscription._frames]
    subscription._frames.clear()
    return frames
