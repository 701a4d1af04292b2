"""A storm of malformed frames at tables where a game goes on: each is answered, typed; no fault, no stuck table, no lost move."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import secrets
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from starlette.types import ASGIApp

from sandriver.games import GAMES
from sandriver.server import app
from sandriver.server.app import create_app, open_service
from sandriver.server.problems import STATUS
from sandriver.server.settings import Settings
from sandriver.tables.service import TableService
from sandriver.tables.wire import OpenTable, SeatPlan
from tests.server.storm import Line, answers_due, frame
from tests.tables.tools import MemoryStore

BATCH = 20
"""Frames that are sent without waiting for an answer: fewer than may wait for one reader, with what one of them may ask for."""


@dataclass
class Tables:
    """A table with two people and their lines: one each that plays, one each and a spectator's that storm."""

    service: TableService
    app: ASGIApp
    tokens: list[str]
    people: list[str]
    table: str = ""
    good: list[Line] = msgspec.UNSET  # type: ignore[assignment]
    bad: list[Line] = msgspec.UNSET  # type: ignore[assignment]

    async def open(self, game: str) -> None:
        """Begin a new game, with new lines."""
        self.table = await self.service.open_table(self.people[0], OpenTable(game, (SeatPlan("person"),) * 2))
        await self.service.join(self.table, self.people[0])
        code = (await self.service.snapshot(self.table, self.people[0])).table.code
        await self.service.join(self.table, self.people[1], code=code)
        self.good = [Line(self.app, self.table, token) for token in self.tokens]
        self.bad = [Line(self.app, self.table, token) for token in (*self.tokens, None)]
        for line in (*self.good, *self.bad):
            await line.until("snapshot")

    async def leave(self) -> None:
        """Close all lines."""
        for line in (*self.good, *self.bad):
            await line.leave()

    async def storm(self, rng: random.Random, legal: list[str], ply: int) -> None:
        """A batch of frames on one line: as many answers as are due, and the line lives."""
        line = rng.choice(self.bad)
        frames: list[str | bytes] = []
        questions = 0
        while len(frames) < BATCH:
            each = frame(rng, legal, ply)
            questions += answers_due(each) == 0
            if questions <= 1 or answers_due(each):
                frames.append(each)
        for each in frames:
            line.put(each)
        due = sum(map(answers_due, frames))
        line.put('{"t":"ping"}')
        answers = await line.answers(due + 1)
        assert answers[-1]["t"] == "pong"
        for answer in answers:
            assert answer["t"] != "refused" or answer["code"] in STATUS, answer

    async def play(self, rng: random.Random) -> bool:
        """Play one legal action on a line that behaves; both hear of it without a gap. ``False`` once the game is over."""
        snapshot = await self.service.snapshot(self.table, self.people[0])
        if snapshot.table.state == "over":
            return False
        mover = snapshot.table.to_move
        assert mover is not None
        legal = list((await self.service.snapshot(self.table, self.people[mover])).view.legal)  # type: ignore[union-attr]
        for line in self.bad:
            line.texts.clear()
        name = secrets.token_hex(4)
        self.good[mover].put(msgspec.json.encode({"t": "act", "id": name, "ply": snapshot.ply, "action": rng.choice(legal)}).decode())
        answer = await self.good[mover].until("ack", "refused")
        assert answer["t"] == "ack", answer
        v = answer["v"]
        while (await self.good[1 - mover].until("update"))["v"] < v:
            pass
        return True


async def weather(folder: Path, seed: int, frames: int) -> dict[str, int]:
    """Storm so many frames at one table after the other. Returns how many frames were sent, games begun and moves played."""
    rng = random.Random(seed)
    count = {"frames": 0, "games": 0, "moves": 0}
    settings = Settings(data=folder, rates=1e9, bot_pause=0)
    async with open_service(settings) as service:
        tokens = [secrets.token_urlsafe(32) for _ in range(2)]
        people = [(await service.people.create(hashlib.sha256(token.encode()).hexdigest())).id for token in tokens]
        tables = Tables(service, create_app(settings, service=service), tokens, people)
        while count["frames"] < frames:
            count["games"] += 1
            await tables.open(rng.choice(sorted(GAMES)))
            for _ in range(30):
                snapshot = await service.snapshot(tables.table, people[rng.randrange(2)])
                legal = list(snapshot.view.legal) if snapshot.view is not None else []
                for _ in range(12):
                    await tables.storm(rng, legal, snapshot.ply)
                    count["frames"] += BATCH
                if not await tables.play(rng):
                    break
                count["moves"] += 1
            await tables.leave()
        await tables.open("mandala")  # after the storm, a game from the beginning to the end
        for _ in range(400):
            if not await tables.play(rng):
                break
            count["moves"] += 1
        assert (await service.snapshot(tables.table, None)).table.state == "over"
        await tables.leave()
        assert service.figures().followers == 0
    return count


async def check(folder: Path, seed: int, frames: int, caplog: pytest.LogCaptureFixture) -> None:
    """A storm leaves no error in the log and none in the event loop."""
    caplog.set_level(logging.WARNING)
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    try:
        count = await weather(folder, seed, frames)
    except Exception as error:
        raise AssertionError(f"the storm with seed {seed} and {frames} frames: {error!r}") from error
    assert count["frames"] >= frames
    assert count["games"] >= 2
    assert count["moves"] > 50
    assert not faults, (seed, faults)
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR], seed


async def in_memory(_: Settings) -> MemoryStore:
    """Instead of a database: tables as lists."""
    return MemoryStore()


@pytest.mark.parametrize(("seed", "frames", "stored"), [(1, 14_000, True), (2, 30_000, False), (3, 30_000, False), (4, 30_000, False)])
async def test_malformed_frames(
    tmp_path: Path, seed: int, frames: int, stored: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same frames each time. What a frame may break is in front of the store, so that only one storm has a database."""
    if not stored:
        monkeypatch.setattr(app, "open_store", in_memory)
    await check(tmp_path, seed, frames, caplog)


@pytest.mark.slow
async def test_many_more_malformed_frames(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Others each time; the seed is told when something is wrong."""
    await check(tmp_path, secrets.randbits(32), 500_000, caplog)
