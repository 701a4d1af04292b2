"""How many moves a second one core serves: tables in a closed loop over real sockets, both seats of each played by clients.

Usage: ``python bench/server.py [--tables 200] [--seconds 8] [--policy random|redraw] [--json]``. The server is a real
``sandriver serve`` process held to one core, the clients run on another. A move counts when it is acknowledged, that is stored durably;
its latency is the time from sending to that. A table whose game ends is replaced by a new one, within the measured time.
A table at which nobody moves although the others do means a lost frame and is an error. On a busy machine the server does not get all
of its core: moves a second of *its* processor time is the figure to compare then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

SEATING = 300.0
"""Seconds within which everybody must sit: four seconds' work for a core of its own, minutes where others want it too."""
ANSWER = 60.0
"""Seconds within which every single request must be answered."""
SOCKET: dict[str, Any] = {"proxy": None, "compression": None, "open_timeout": ANSWER, "ping_interval": None}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent / "src")}
SERVE = (sys.executable, "-m", "sandriver", "serve", "--port", "0", "--rates", "100000", "--data")


class View(msgspec.Struct):
    """What a client here needs of a view."""

    legal: tuple[str, ...]


class Table(msgspec.Struct):
    """What a client here needs of a table."""

    state: str


class Heard(msgspec.Struct):
    """What a client here needs of a frame."""

    t: str
    ply: int = 0
    id: str | None = None
    code: str | None = None
    view: View | None = None
    table: Table | None = None


decode = msgspec.json.Decoder(Heard).decode


class Bench:
    """The clients and what they measure."""

    def __init__(self, base: str, server: int, tables: int, policy: str) -> None:
        self.base, self.server, self.tables, self.policy = base, server, tables, policy
        self.rng = random.Random(1)
        self.latencies: list[float] = []
        self.measuring = False
        self.games = 0
        self.seated = 0
        self.all_seated = asyncio.Event()
        self.moves: list[int] = []
        """Acknowledged moves of each slot within the measured time."""

    async def run(self, seconds: float) -> dict[str, Any]:
        """Seat everybody, play for so long, and tell the figures."""
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # every request names its guest itself
        limits, timeout = httpx.Limits(max_connections=16), httpx.Timeout(ANSWER, pool=None)
        async with httpx.AsyncClient(base_url=self.base, cookies=no_cookies, limits=limits, timeout=timeout) as http:
            one, two = await self.guest(http), await self.guest(http)  # the same two people sit at every table
            slots = [asyncio.create_task(self.slot(http, one, two)) for _ in range(self.tables)]
            try:
                await self.unless_one_fails(slots, self.all_seated.wait(), SEATING)
                await self.unless_one_fails(slots, asyncio.sleep(1.0))
                self.measuring, started = True, time.perf_counter()
                server, client = cpu_seconds(self.server), cpu_seconds(os.getpid())
                await self.unless_one_fails(slots, asyncio.sleep(seconds))
                self.measuring, spent = False, time.perf_counter() - started
                server, client = cpu_seconds(self.server) - server, cpu_seconds(os.getpid()) - client
            finally:  # nobody waits for a last frame: once the one who was to move has stopped, the other hears nothing more
                for slot in slots:
                    slot.cancel()
                await asyncio.gather(*slots, return_exceptions=True)
        latencies = sorted(self.latencies)
        still = self.moves.count(0)
        if still and seconds > 5 * max(latencies, default=0.0):
            raise SystemExit(f"{still} of {self.tables} tables stood still for {spent:.1f} seconds while the others went on")
        if not latencies:
            raise SystemExit(f"no move was answered within {spent:.1f} seconds")
        return {
            "tables": self.tables,
            "policy": self.policy,
            "moves_per_second": round(len(latencies) / spent),
            "moves_per_cpu_second": round(len(latencies) / server) if server else 0,
            "p50_ms": round(1000 * latencies[len(latencies) // 2], 1),
            "p99_ms": round(1000 * latencies[len(latencies) * 99 // 100], 1),
            "games_ended": self.games,
            "server_cpu": round(server / spent, 2),
            "client_cpu": round(client / spent, 2),
        }

    async def unless_one_fails(self, slots: list[asyncio.Task[None]], waited: Coroutine[Any, Any, Any], limit: float | None = None) -> None:
        """Wait for something while the tables go on; what fails at one of them fails here, at once. Raises ``TimeoutError``."""
        waiting = asyncio.create_task(waited)
        done, _ = await asyncio.wait([waiting, *slots], timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        if waiting not in done:
            waiting.cancel()
            raise TimeoutError(f"{self.seated} of {self.tables} tables seated within {limit or 0:.0f} seconds")

    async def guest(self, http: httpx.AsyncClient) -> str:
        """A new guest's cookie header."""
        response = await http.put("/api/me", json={"name": "Bench"})
        response.raise_for_status()
        return "; ".join(f"{name}={value}" for name, value in response.cookies.items())

    async def slot(self, http: httpx.AsyncClient, one: str, two: str) -> None:
        """One table after the other, until the end."""
        number = len(self.moves)
        self.moves.append(0)
        while True:
            table = await self.open(http, one, two)
            url = f"{self.base.replace('http', 'ws', 1)}/api/tables/{table}/socket"
            async with (
                connect(url, additional_headers={"Cookie": one}, **SOCKET) as a,
                connect(url, additional_headers={"Cookie": two}, **SOCKET) as b,
            ):
                self.seated += 1
                if self.seated == self.tables:
                    self.all_seated.set()
                await self.all_seated.wait()
                await asyncio.gather(self.play(a, number), self.play(b, number))

    async def open(self, http: httpx.AsyncClient, one: str, two: str) -> str:
        """Open a table and seat two guests."""

        async def post(path: str, cookie: str, body: dict[str, Any]) -> Any:
            response = await http.post(path, json=body, headers={"cookie": cookie})
            response.raise_for_status()
            return response.json()

        seats = [{"kind": "person"}, {"kind": "person"}]
        opened = await post("/api/tables", one, {"game": "mandala", "seats": seats, "options": {"stall_limit": 0}})
        snapshot = await post(f"/api/tables/{opened['id']}/join", one, {})
        await post(f"/api/tables/{opened['id']}/join", two, {"code": snapshot["table"]["code"]})
        return str(opened["id"])

    async def play(self, socket: ClientConnection, slot: int) -> None:
        """Play one seat: an action as soon as there is one to choose."""
        sent, waiting, number = 0.0, False, 0
        async for text in socket:
            frame = decode(text)
            if frame.t == "ack":
                waiting = False
                if self.measuring:
                    self.latencies.append(time.perf_counter() - sent)
                    self.moves[slot] += 1
            elif frame.t == "refused":
                raise RuntimeError(f"refused: {frame.code}")
            elif frame.table is not None and frame.table.state == "over":
                self.games += 1
                return
            elif frame.view is not None and frame.view.legal and not waiting:
                number += 1
                waiting, sent = True, time.perf_counter()
                action = self.choose(frame.view.legal)
                await socket.send(f'{{"t":"act","id":"{number}","ply":{frame.ply},"action":"{action}"}}')
        raise RuntimeError("the server ended a connection in mid-game")

    def choose(self, legal: tuple[str, ...]) -> str:
        """A random action, or a redraw while there is one."""
        if self.policy == "redraw":
            legal = tuple(action for action in legal if action[0] == "d") or legal
        return legal[self.rng.randrange(len(legal))]


def pin(pid: int, cores: set[int]) -> None:
    """Hold a process to these cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(pid, cores)


def measure(tables: int, seconds: float, policy: str) -> dict[str, Any]:
    """Start a server on one core, run the clients on another, and return the figures."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([*SERVE, folder], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        pin(server.pid, {cores[0]})
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None, "the server did not start"
            pin(0, set(cores[1:]) or {cores[0]})
            bench = Bench(found[0].rstrip("/"), server.pid, tables, policy)
            return asyncio.run(bench.run(seconds))
        except Exception as error:  # noqa: BLE001 - whatever went wrong at one table ends the measurement in a line
            raise SystemExit(f"given up: {type(error).__name__}: {error}") from None
        finally:
            server.terminate()
            server.wait()


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--policy", choices=("random", "redraw"), default="random")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = measure(options.tables, options.seconds, options.policy)
    if options.json:
        print(json.dumps(result))
        return
    print(
        f"server, one core, {result['tables']} tables, both seats {result['policy']}: {result['moves_per_second']} moves/s, "
        f"p50 {result['p50_ms']} ms, p99 {result['p99_ms']} ms "
        f"(server core {result['server_cpu']:.0%}, client core {result['client_cpu']:.0%}; "
        f"{result['moves_per_cpu_second']} moves a second of the server's core)"
    )


if __name__ == "__main__":
    main()
