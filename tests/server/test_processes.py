"""Two ``sandriver serve`` processes behind one address, on PostgreSQL and Valkey: one is killed, the bus is lost, games go on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import services
from tests.server.support import Guest, Seat
from tests.tables import backends

SECONDS = 40.0
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}


class Balancer:
    """One address for several: each connection goes to the next of them that takes it. Bytes in, bytes out."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self.address = ""
        self.carried: dict[int, int] = {}
        """Connections by port."""
        self._next = 0

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self.ports:
            port = self.ports[self._next % len(self.ports)]
            self._next += 1
            with contextlib.suppress(OSError):
                there, back = await asyncio.open_connection("127.0.0.1", port)
                self.carried[port] = self.carried.get(port, 0) + 1
                await asyncio.gather(_pump(reader, back), _pump(there, writer))
                return
        writer.close()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        tasks: set[asyncio.Task[None]] = set()

        def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._carry(reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_server(carry, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield
        finally:
            server.close()
            for task in list(tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
    finally:
        writer.close()


class System:
    """Everything that a deployment has: database, bus, processes, and the address in front of them."""

    def __init__(self, database: str, bus: services.Valkey) -> None:
        self.database, self.bus = database, bus
        self.balancer = Balancer()
        self.processes: list[Process] = []

    async def start(self, number: int, *more: str) -> None:
        """Start processes at the same time, on an empty database too."""
        options = ["--database", self.database, "--bus", self.bus.url, "--rates", "1000", "--port", "0", *more]
        command = (sys.executable, "-m", "sandriver", "serve", *options)
        started = [await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT) for _ in range(number)]
        self.processes += started
        for process in started:
            assert process.stdout is not None
            line = (await asyncio.wait_for(process.stdout.readline(), SECONDS)).decode()
            found = re.fullmatch(r"Sandriver is ready: http://127\.0\.0\.1:(\d+)/\n", line)
            assert found, (line, process.stderr and await process.stderr.read())
            self.balancer.ports.append(int(found[1]))

    async def kill(self, number: int) -> None:
        """``kill -9``; its port stays in the balancer's list, which has to find out."""
        self.processes[number].kill()
        await self.processes[number].wait()

    def log(self, table: str) -> list[dict[str, Any]]:
        """The table's entries as they are stored."""
        with psycopg.connect(self.database) as connection:
            query = "SELECT v, kind, seat, command, entry FROM log WHERE table_id = %s ORDER BY v"
            names = ("v", "kind", "seat", "command", "entry")
            return [dict(zip(names, row, strict=True)) for row in connection.execute(query, [table])]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    with backends.using("postgresql") as used:
        yield asyncio.run(used.empty(tmp_path))


@asynccontextmanager
async def deployed(database: str, *more: str) -> AsyncIterator[System]:
    with services.Valkey() as bus:
        system = System(database, bus)
        async with system.balancer.listening():
            try:
                await system.start(2, *more)
                yield system
            finally:
                for process in system.processes:
                    if process.returncode is None:
                        process.kill()
                    said = (await process.communicate())[1].decode()
                    print(said)
                    assert "Traceback" not in said


class Player:
    """Somebody who plays on whatever happens: reconnects, resends what was not answered, and keeps count of what was."""

    def __init__(self, guest: Guest, table: str, seed: int) -> None:
        self.guest, self.table, self.rng = guest, table, random.Random(seed)
        self.acknowledged: dict[str, int] = {}
        """Version by command id."""
        self.reconnects = 0
        """Connections that were lost."""
        self.versions: list[int] = []
        self.may = asyncio.Event()
        """Cleared while nobody is to make a move."""
        self.may.set()
        self._pending: dict[str, Any] | None = None

    async def play(self) -> None:
        """Play to the end of the game."""
        v: int | None = None
        while True:
            with contextlib.suppress(ConnectionClosed, ConnectionError, TimeoutError, InvalidHandshake, EOFError):
                async with self.guest.sit(self.table, "" if v is None else f"?since={v}") as seat:
                    if v is not None:
                        seat.v = v
                    if await self._session(seat):
                        return
                    v = seat.v or v
            v = self.versions[-1] if self.versions else None
            self.reconnects += 1
            await asyncio.sleep(0.05)

    async def _session(self, seat: Seat) -> bool:
        if self._pending is not None:
            await seat.send(self._pending)
        elif seat.v:  # it knows where it is, and may be to move: a snapshot tells what it can do
            await seat.send({"t": "sync", "since": 0})
        while not seat.over:
            frame = await seat.receive()
            if frame["t"] in ("snapshot", "update"):
                self.versions.append(frame["v"])
            if frame["t"] == "ack":
                assert self.acknowledged.setdefault(frame["id"], frame["v"]) == frame["v"]
                self._pending = None
            elif frame["t"] == "refused":
                assert frame["code"] in ("stale", "try_again", "game_over"), frame
                self._pending = None if frame["code"] != "try_again" else self._pending
                if self._pending is not None:
                    await asyncio.sleep(0.05)
                    await seat.send(self._pending)
            if self._pending is None and seat.legal and not seat.over:
                await self.may.wait()
                self._pending = {**seat.act(self.rng.choice(seat.legal)), "id": secrets.token_hex(8)}
                await seat.send(self._pending)
        return True


async def _seated(system: System, ana: Guest, rui: Guest) -> str:
    table = await ana.open("person", "person")
    code = (await ana.join(table))["table"]["code"]
    await rui.join(table, code=code)
    return table


def _check(system: System, table: str, *players: Player) -> None:
    """Every acknowledged action is stored once, at the version that was told; nothing is missing between, nothing doubled."""
    log = system.log(table)
    assert [row["v"] for row in log] == list(range(1, len(log) + 1))
    stored = {row["command"]: row["v"] for row in log if row["kind"] == "action" and row["command"] is not None}
    assert len(stored) == sum(row["kind"] == "action" and row["command"] is not None for row in log)
    for player in players:
        for command, v in player.acknowledged.items():
            assert stored[command] == v
        assert player.versions == sorted(player.versions), "what was seen never went back"


async def test_one_of_two_processes_is_killed_in_mid_game(database: str) -> None:
    """Two people on different processes; each process is killed once while they play and replaced: they notice a reconnect, no more."""
    async with deployed(database, "--bot-pause", "0") as system:
        address = system.balancer.address
        async with Guest(address) as ana, Guest(address) as rui, Guest(address) as eve:
            table = await _seated(system, ana, rui)
            players = [Player(guest, table, seed) for seed, guest in enumerate((ana, rui))]
            playing = [asyncio.create_task(player.play()) for player in players]
            try:
                for number in (0, 1):
                    enough = 8 * (number + 1)
                    await _until(lambda enough=enough: sum(len(player.acknowledged) for player in players) >= enough)
                    assert len([port for port, count in system.balancer.carried.items() if count]) >= 2, "both processes serve"
                    await system.kill(number)
                    if number == 0:
                        for player in players:
                            player.may.clear()  # or the game would be over before another process is up
                        await system.start(1, "--bot-pause", "0")
                        for player in players:
                            player.may.set()
                await asyncio.wait_for(asyncio.gather(*playing), 2 * SECONDS)
            finally:
                for task in playing:
                    task.cancel()
            assert all(player.reconnects >= 1 for player in players), "each was thrown out once at least"
            _check(system, table, *players)
            async with eve.sit(table) as seat:
                snapshot = await seat.until("snapshot")
                assert snapshot["table"]["state"] == "over"


@pytest.mark.slow
async def test_the_bot_of_a_dead_process_plays_on(database: str) -> None:
    """The process dies while its bot thinks about its move: the other one makes that move, once."""
    async with deployed(database, "--bot-pause", "1") as system:
        ports = system.balancer.ports
        async with Guest(f"http://127.0.0.1:{ports[0]}") as ana:
            table = await ana.open("person", "random", first=0)
            await ana.join(table)
            async with ana.sit(table) as seat:
                await seat.until("snapshot")
                answer = await seat.ask(seat.act(seat.legal[0]))
                assert answer["t"] == "ack"
                await system.kill(0)
            ana.move_to(f"http://127.0.0.1:{ports[1]}")
            async with ana.sit(table, f"?since={answer['v']}") as seat:
                seat.v = answer["v"]
                moved = await seat.until("update")
                assert (moved["v"], moved["step"]["seat"]) == (answer["v"] + 1, 1)
                assert seat.legal
        assert [row["seat"] for row in system.log(table) if row["kind"] == "action"] == [0, 1]


async def test_without_the_bus_moves_are_stored_and_viewers_catch_up(database: str) -> None:
    async with deployed(database, "--bot-pause", "0") as system:
        ports = system.balancer.ports
        async with Guest(f"http://127.0.0.1:{ports[0]}") as ana, Guest(f"http://127.0.0.1:{ports[1]}") as rui:
            table = await _seated(system, ana, rui)
            players = [Player(guest, table, seed) for seed, guest in enumerate((ana, rui))]
            async with rui.sit(table) as watching:
                await watching.until("snapshot")
                playing = [asyncio.create_task(player.play()) for player in players]
                try:
                    await _until(lambda: all(len(player.acknowledged) >= 2 for player in players))
                    system.bus.stop()
                    count = [len(player.acknowledged) for player in players]
                    await _until(lambda: all(len(player.acknowledged) >= n + 1 for player, n in zip(players, count, strict=True)))
                    system.bus.start()
                    await asyncio.wait_for(asyncio.gather(*playing), 2 * SECONDS)
                finally:
                    for task in playing:
                        task.cancel()
                while not watching.over:
                    await watching.until("update")  # which checks that no version is missing or doubled
            assert [player.reconnects for player in players] == [0, 0], "nobody was thrown out"
            _check(system, table, *players)


async def _until(condition: Any) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110  # what is waited for happens in other processes
            await asyncio.sleep(0.02)
