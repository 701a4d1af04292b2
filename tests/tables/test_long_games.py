"""A long game holds nobody up: whatever asks for all of it again, each turn of the loop does a bounded share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.games import GAMES
from sandriver.server.long_answers import PIECE, ReplayAnswer
from sandriver.tables.errors import Refusal
from sandriver.tables.replay import Replay
from sandriver.tables.service import LONG
from sandriver.tables.slices import SLICE, Slices, finish
from sandriver.tables.wire import Act, OpenTable, Resign, Sync
from tests.tables.test_spectators import ENDLESS, redraw
from tests.tables.tools import PERSON, TWO, MemoryStore, play, serving, started

PLIES = LONG + 20
MOST = 3 * SLICE + 10
"""Calls of the rules in one turn of the loop: a piece takes three at most (played, heard, shown), and other things a few."""


class Counted:
    """A game of which every call that costs something is counted."""

    def __init__(self, game: Any) -> None:
        self.calls = 0
        self._game = game

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._game, name)
        if name not in ("play", "hear", "view"):
            return found

        def counted(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            return found(*arguments, **named)

        return counted


@asynccontextmanager
async def watched(game: Counted) -> AsyncIterator[Callable[[], int]]:
    """Look at every turn of the loop; the function says how many calls there were in the busiest one so far."""
    most = 0

    async def look() -> None:
        nonlocal most
        seen = game.calls
        while True:
            await asyncio.sleep(0)
            most, seen = max(most, game.calls - seen), game.calls

    task = asyncio.create_task(look())
    await asyncio.sleep(0)
    try:
        yield lambda: most
    finally:
        task.cancel()


Played = tuple[MemoryStore, str, list[str], str]
_played: list[Played] = []


@pytest.fixture
async def played(tmp_path: Path) -> Played:
    """A store with a long game that is over: (store, table, people, record). Played once, and only read."""
    if _played:
        return _played[0]
    store = MemoryStore()
    async with serving(tmp_path, store, games=GAMES) as service:
        table, persons = await started(service, ENDLESS)
        for _ in range(PLIES):
            await redraw(service, table, persons)
        await service.command(table, persons[0], Resign("r"))
        _played.append((store, table, persons, await service.record(table, None)))
    return _played[0]


async def followed(service: Any, table: str, person: str, *more: Any) -> None:
    """A socket: the first frame, and what comes after commands."""
    async with await service.subscribe(table, person) as subscription:
        await anext(subscription)
        for command in more:
            await service.answer(subscription, command)
            await anext(subscription)


async def refused(service: Any, table: str, person: str) -> None:
    """Somebody acts who never looked; the refusal carries a snapshot."""
    with pytest.raises(Refusal) as refusal:
        await service.command(table, person, Act("late", 0, "f1R"))
    assert refusal.value.refused.snapshot is not None


WAYS: Mapping[str, Callable[[Any, str, list[str], str], Awaitable[object]]] = {
    "snapshot": lambda service, table, persons, _: service.snapshot(table, persons[0]),
    "since": lambda service, table, persons, _: service.since(table, persons[0], 3),
    "record": lambda service, table, *_: service.record(table, None),
    "socket": lambda service, table, persons, _: followed(service, table, persons[1]),
    "sync": lambda service, table, persons, _: followed(service, table, persons[1], Sync(2)),
    "refusal": lambda service, table, persons, _: refused(service, table, persons[0]),
    "tables": lambda service, _, persons, __: service.tables_of(persons[0]),
    "replay": lambda service, table, *_: service.replay(table, None),
    "replay of all": lambda service, table, *_: service.replay(table, None, "all"),
    "replay of a record": lambda service, _, __, text: service.replay_record(text),
    "everything at once": lambda service, table, persons, text: asyncio.gather(
        *(service.replay(table, who) for who in (*persons, None)),
        *(service.snapshot(table, who) for who in (*persons, None)),
        *(service.replay_record(text) for _ in range(3)),
    ),
}


@pytest.mark.parametrize("way", WAYS)
async def test_no_turn_of_the_loop_does_much(way: str, tmp_path: Path, played: Played) -> None:
    """By a process that has never read the table; and the same again, now that it has."""
    store, table, persons, text = played
    game = Counted(GAMES["mandala"])
    async with serving(tmp_path, store, games={"mandala": game}) as service, watched(game) as busiest:
        for _ in range(2):
            await WAYS[way](service, table, persons, text)
            await asyncio.sleep(0)
        assert game.calls >= PLIES
        assert busiest() <= MOST


async def test_the_watch_sees_what_is_not_cut(tmp_path: Path, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above has eyes: the same snapshot made at once is noticed."""
    store, table, persons, _ = played
    game = Counted(GAMES["mandala"])
    async with serving(tmp_path, store, games={"mandala": game}) as service, watched(game) as busiest:
        monkeypatch.setattr(service.slices, "run", at_once)
        await service.snapshot(table, persons[0])
        await asyncio.sleep(0)
        assert busiest() >= PLIES


async def at_once(work: Generator[object, None, Any]) -> Any:
    return finish(work)


async def test_short_work_does_not_wait_for_long_work() -> None:
    """Each has its turn, so what is short is soon done however much else there is."""
    slices, turns = Slices(), 0

    def work(pieces: int) -> Generator[None, None, int]:
        for _ in range(pieces):
            yield
        return pieces

    long = [asyncio.create_task(slices.run(work(1000 * SLICE))) for _ in range(3)]
    await asyncio.sleep(0)
    short = asyncio.create_task(slices.run(work(2 * SLICE)))
    while not short.done():
        turns += 1
        await asyncio.sleep(0)
    assert (await short, [each.done() for each in long]) == (2 * SLICE, [False] * 3)
    assert turns <= 40
    for each in long:
        each.cancel()
    assert await asyncio.wait_for(slices.run(work(3)), 1) == 3  # whoever is called off in the middle leaves the turn to others
    with pytest.raises(ZeroDivisionError):
        await slices.run(1 // 0 for _ in range(5))
    assert await asyncio.wait_for(slices.run(work(3)), 1) == 3


async def test_what_happens_while_it_is_heard_is_heard_too(tmp_path: Path) -> None:
    """Moves that come between the slices are in the snapshot, once, at their place."""
    store = MemoryStore()
    async with serving(tmp_path, store, games=GAMES) as service:
        table, persons = await started(service, ENDLESS)
        for _ in range(100):
            await redraw(service, table, persons)
        asked = [asyncio.create_task(service.snapshot(table, who)) for who in (*persons, None, None)]
        while not all(each.done() for each in asked):
            await redraw(service, table, persons)
        for each, who in zip(asked, (*persons, None, None), strict=True):
            snapshot = await each
            assert [step.v for step in snapshot.log] == list(range(1, snapshot.v + 1))
            now = await service.snapshot(table, who)
            assert now.log[: snapshot.v] == snapshot.log
            assert len(now.log) == now.v


@pytest.mark.parametrize("frames", [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE])
async def test_a_replay_in_pieces_is_the_same_to_the_byte(tmp_path: Path, frames: int) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, OpenTable("toy", (PERSON, PERSON))) if frames else (await service.open_table("a", TWO), [])
        if frames:
            await play(service, table, persons, 1)
        replay: Replay = await service.replay(table, None)
    replay = msgspec.structs.replace(replay, frames=(replay.frames * frames)[:frames])
    answer = ReplayAnswer()
    for frame in replay.frames:
        answer.take(frame)
    pieces = answer.encoded(msgspec.structs.replace(replay, frames=()))
    assert b"".join(pieces) == msgspec.json.encode(replay)
    assert len(pieces) <= 2 + 2 * (frames // PIECE + 1)
