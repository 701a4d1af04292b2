"""``kill -9`` at random moments under load, again and again, on one real server with a real database: nothing acknowledged is ever lost."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidHandshake, WebSocketException

from sandriver.games import GAMES
from sandriver.tables.verify import verify
from tests.server.support import Guest
from tests.server.test_serve import ENVIRONMENT, SERVE

KILLS = int(os.environ.get("SANDRIVER_KILLS", "5"))
"""How many; ``make campaign`` makes it 120."""
ROOT = Path(__file__).parents[2]
PLANS = (("mandala", "person", "random"), ("mandala", "person", "person"), ("stones", "person", "person"), ("stones", "person", "random"))
GAMES_AT_ONCE = 8
LOST = (WebSocketException, InvalidHandshake, OSError, TimeoutError, EOFError, asyncio.IncompleteReadError)


class Server:
    """One address after the other, since each start takes another port; players wait for the next."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.base = ""
        self.up = asyncio.Event()
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *SERVE, "--port", "0", "--data", str(self.data), stdout=subprocess.PIPE, env=ENVIRONMENT
        )
        assert self.process.stdout is not None
        line = (await asyncio.wait_for(self.process.stdout.readline(), 60)).decode()
        assert line.startswith("Sandriver is ready: "), line
        self.base = line.split(": ")[1].strip().rstrip("/")
        self.up.set()

    async def kill(self) -> None:
        assert self.process is not None
        self.up.clear()
        self.process.kill()
        await self.process.wait()


class Table:
    """A table with what its people were told."""

    def __init__(self, name: str, people: list[Guest]) -> None:
        self.id = name
        self.people = people
        self.acks: dict[str, int] = {}
        """Version told for each command."""
        self.over = asyncio.Event()


class Player:
    """A client that knows how to reconnect, and nothing else: same cookies, ``since``, and the same command again."""

    numbers = itertools.count()

    def __init__(self, server: Server, table: Table, guest: Guest, rng: random.Random) -> None:
        self.server, self.table, self.guest, self.rng = server, table, guest, rng
        self.open: dict[str, Any] | None = None
        self.v = 0
        self.returns = 0
        self.log: list[Any] = []

    async def play(self) -> None:
        while not self.table.over.is_set():
            await self.server.up.wait()
            self.guest.move_to(self.server.base)
            try:
                async with self.guest.sit(self.table.id, f"?since={self.v}" if self.v else "") as seat:
                    seat.v = self.v
                    if self.open is not None:
                        await seat.send(self.open)
                    await self._follow(seat)
            except LOST:
                self.returns += 1
                await asyncio.sleep(0.02)

    async def _follow(self, seat: Any) -> None:
        while not self.table.over.is_set():
            frame = await asyncio.wait_for(seat.receive(), 30)
            if frame["t"] in ("ack", "refused"):
                self._answered(frame)
            if frame["t"] == "snapshot":
                assert self.log == frame["log"][: len(self.log)], "what was told is another story now"
                self.log = frame["log"]
            if frame["t"] == "update":
                self.log.append(frame["step"])
            self.v = seat.v
            if seat.over:
                self.table.over.set()
            elif self.open is None and seat.legal:
                if self.rng.random() < 0.01:
                    self.open = {"t": "resign", "id": f"k{next(self.numbers)}"}
                else:
                    self.open = seat.act(self.rng.choice(seat.legal))
                await seat.send(self.open)

    def _answered(self, frame: Any) -> None:
        if self.open is not None and frame["id"] == self.open["id"]:
            if frame["t"] == "ack":
                self.table.acks[frame["id"]] = frame["v"]
            elif frame["code"] == "try_again":
                return
            else:
                assert frame["code"] in ("game_over", "stale"), frame
            self.open = None


def check_log(data: Path, tables: list[Table]) -> int:
    """While no server runs: the log itself. Returns how many entries it has."""
    with closing(sqlite3.connect(data / "sandriver.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = database.execute("SELECT table_id, v, seat, command, terminal FROM log ORDER BY table_id, v").fetchall()
    by_table: dict[str, list[Any]] = {}
    for row in rows:
        by_table.setdefault(row[0], []).append(row)
    for log in by_table.values():
        assert [row[1] for row in log] == list(range(1, len(log) + 1))
        assert max(Counter((row[2], row[3]) for row in log if row[3] is not None).values(), default=1) == 1
        assert sum(row[4] for row in log) <= 1
    for table in tables:
        stored = {row[3]: row[1] for row in by_table[table.id]}
        for command, v in table.acks.items():
            assert stored.get(command) == v, f"{command} at {table.id} was acknowledged as {v}"
    return len(rows)


async def check_record(table: Table, folder: Path, *, apart: bool) -> None:
    """The commitment fits the secret, and every card fell as it says, however often the server died meanwhile."""
    response = await table.people[0].http.get(f"/api/tables/{table.id}/record")
    record = verify(response.text, GAMES).record
    assert record.secret is not None
    if apart and record.game == "mandala":
        path = folder / "record.txt"
        path.write_text(response.text)
        await asyncio.to_thread(subprocess.run, [sys.executable, str(ROOT / "docs" / "verify_record.py"), str(path)], check=True)


class Campaign:
    """Places at which one game after the other is played, while the server dies again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.rng = random.Random(seed)
        self.server = Server(folder / "data")
        self.guests = [Guest("http://unused") for _ in range(6)]
        self.tables: list[Table] = []
        self.players: list[Player] = []
        self.entries = 0

    @property
    def acknowledged(self) -> int:
        """Commands that were told to be stored."""
        return sum(len(table.acks) for table in self.tables)

    async def run(self, kills: int) -> None:
        """Kill, check, start again; at the end, every game's shuffle."""
        await self.server.start()
        for number, guest in enumerate(self.guests):
            guest.move_to(self.server.base)
            await guest.http.put("/api/me", json={"name": f"Guest {number}"})
        games = [asyncio.create_task(self._keep_playing(number)) for number in range(GAMES_AT_ONCE)]
        try:
            for kill in range(kills):
                if kill:
                    await self.server.start()
                await self._a_life(games, self.acknowledged + self.rng.randrange(40))
                await self.server.kill()
                self.entries = await asyncio.to_thread(check_log, self.server.data, self.tables)
        finally:
            for game in games:
                game.cancel()
            await asyncio.gather(*games, return_exceptions=True)
        await self.server.start()
        for number, table in enumerate(self.tables):
            await self._finish(table, apart=number < 3)

    async def _a_life(self, games: list[asyncio.Task[None]], enough: int) -> None:
        """Until so many commands are acknowledged, and then a moment that nobody chose; some lives are short."""
        short = self.rng.random() < 0.2
        for _ in range(1 if short else 500):
            if self.acknowledged >= enough:
                break
            await asyncio.sleep(0.02)
            for game in games:
                if game.done():
                    await game
        await asyncio.sleep(self.rng.random() * 0.05)

    async def _keep_playing(self, number: int) -> None:
        for count in itertools.count(number):
            await self.server.up.wait()
            try:
                table = await self._sit_down(*PLANS[count % len(PLANS)])
            except (*LOST, AssertionError, KeyError, msgspec.DecodeError, httpx.HTTPError):
                await asyncio.sleep(0.05)  # the server died meanwhile; that table is nobody's
                continue
            self.tables.append(table)
            players = [Player(self.server, table, guest, random.Random(self.rng.random())) for guest in table.people]
            self.players.extend(players)
            await asyncio.gather(*(player.play() for player in players))

    async def _sit_down(self, game: str, *seats: str) -> Table:
        people = self.rng.sample(self.guests, seats.count("person"))
        for guest in people:
            guest.move_to(self.server.base)
        table = await people[0].open(*seats, game=game)
        code = (await people[0].join(table))["table"]["code"]
        for guest in people[1:]:
            await guest.join(table, code=code)
        return Table(table, people)

    async def _finish(self, table: Table, *, apart: bool) -> None:
        table.people[0].move_to(self.server.base)
        async with table.people[0].sit(table.id) as seat:
            await seat.until("snapshot")
            if not seat.over:
                assert (await seat.ask({"t": "resign", "id": "last"}))["t"] == "ack"
        await check_record(table, self.folder, apart=apart)

    async def close(self) -> None:
        """Leave nothing behind."""
        if self.server.process is not None and self.server.process.returncode is None:
            await self.server.kill()
        for guest in self.guests:
            await guest.http.aclose()


@pytest.mark.timeout(120 + 20 * KILLS)
async def test_kill_at_random_moments(tmp_path: Path) -> None:
    seed = int.from_bytes(os.urandom(4), "big") if KILLS > 5 else 5
    campaign = Campaign(tmp_path, seed)
    try:
        await campaign.run(KILLS)
    finally:
        await campaign.close()
    returns = sum(player.returns for player in campaign.players)
    told = f"{len(campaign.tables)} tables, {campaign.entries} entries, {campaign.acknowledged} acknowledged, {returns} reconnects"
    print(f"seed {seed}: {KILLS} kills, {told}")
    assert campaign.acknowledged >= 5 * KILLS
    assert returns >= KILLS
