"""The clients of ``load.py``: one process that seats guests at tables and plays, or opens connections that stay idle.

It says ``ready`` on a line of its own, waits for a line, works for the time it was given, and prints what it measured as one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Coroutine
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

SEATING = 300.0
"""Seconds within which everybody must sit: four seconds' work for a core of its own, minutes where others want it too."""
ANSWER = 60.0
"""Seconds within which every single request must be answered."""
SOCKET: dict[str, Any] = {"proxy": None, "compression": None, "open_timeout": ANSWER, "ping_interval": None}
AT_ONCE = 100
"""Idle connections that are being opened at a time."""
BESIDE_THINK = 3.0
"""Seconds that the person thinks at a table with a bot, half to one and a half of it."""
TABLES_WATCHED = 50
"""Tables among which idle connections are spread."""


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
    code: str | None = None
    view: View | None = None
    table: Table | None = None


decode = msgspec.json.Decoder(Heard).decode


class Slot:
    """One place where games are played, one after the other: when the action of each ply was sent, and how many were answered."""

    def __init__(self) -> None:
        self.sent: dict[int, float] = {}
        self.moves = 0


class Players:
    """All clients of this process and what they measure."""

    def __init__(self, base: str, given: argparse.Namespace) -> None:
        self.base, self.given = base, given
        self.rng = random.Random(given.seed)
        self.answers: list[float] = []
        """Seconds from sending an action to its acknowledgement, which is given once it is stored."""
        self.arrivals: list[float] = []
        """Seconds from sending an action to its arrival at the opponent's."""
        self.measuring = False
        self.games, self.seated, self.watched_frames, self.bot_moves = 0, 0, 0, 0
        self.slots = [Slot() for _ in range(given.tables)]
        self.all_seated, self.go = asyncio.Event(), asyncio.Event()

    async def run(self) -> dict[str, Any]:
        """Seat everybody, play for so long, and tell the figures."""
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # every request names its guest itself
        limits, timeout = httpx.Limits(max_connections=16), httpx.Timeout(ANSWER, pool=None)
        async with httpx.AsyncClient(base_url=self.base, cookies=no_cookies, limits=limits, timeout=timeout) as http:
            one, two = await self.guest(http), await self.guest(http)  # the same two people sit at every table
            if self.given.idle:
                return await self.stay(http, one, two)
            playing = [asyncio.create_task(self.slot(http, slot, one, two)) for slot in self.slots]
            playing += [asyncio.create_task(self.beside(http, one)) for _ in range(self.given.bots)]
            try:
                await unless_one_fails(playing, self.all_seated.wait(), SEATING)
                await unless_one_fails(playing, told_to_go())
                self.go.set()
                await unless_one_fails(playing, asyncio.sleep(1.0))
                self.measuring, began = True, time.perf_counter()
                await unless_one_fails(playing, asyncio.sleep(self.given.seconds))
                self.measuring, spent = False, time.perf_counter() - began
            finally:  # nobody waits for a last frame: once the one who was to move has stopped, the other hears nothing more
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
        still = sum(not slot.moves for slot in self.slots)
        if still and spent > 5 * max([*self.answers, 2 * self.given.think]):
            raise SystemExit(f"{still} of {self.given.tables} tables stood still for {spent:.1f} seconds while the others went on")
        more = {"bot_moves": self.bot_moves, "games": self.games, "watched": self.watched_frames}
        return {"answers": self.answers, "arrivals": self.arrivals, "seconds": spent, **more}

    async def guest(self, http: httpx.AsyncClient) -> str:
        """A new guest's cookie header."""
        response = await http.put("/api/me", json={"name": "Bench"})
        response.raise_for_status()
        return "; ".join(f"{name}={value}" for name, value in response.cookies.items())

    async def slot(self, http: httpx.AsyncClient, slot: Slot, one: str, two: str) -> None:
        """One game after the other, until the end."""
        while True:
            url = self.socket_of(await self.open(http, one, two))
            async with (
                self.watched(url, self.given.watch if slot is self.slots[0] else 0),
                connect(url, additional_headers={"Cookie": one}, **SOCKET) as a,
                connect(url, additional_headers={"Cookie": two}, **SOCKET) as b,
            ):
                self.seated += 1
                if self.seated == self.given.tables:
                    self.all_seated.set()
                await self.go.wait()
                slot.sent.clear()
                await asyncio.gather(self.play(a, slot), self.play(b, slot))

    @contextlib.asynccontextmanager
    async def watched(self, url: str, spectators: int) -> AsyncIterator[None]:
        """A table that so many spectators watch, who read everything."""
        sockets = [await connect(url, **SOCKET) for _ in range(spectators)]
        readers = [asyncio.create_task(self.watch(socket)) for socket in sockets]
        try:
            yield
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            for socket in sockets:
                socket.transport.abort()

    async def watch(self, socket: ClientConnection) -> None:
        """Read frames."""
        async for _ in socket:
            self.watched_frames += self.measuring

    def socket_of(self, table: str) -> str:
        """The address of a table's live connection."""
        return f"{self.base.replace('http', 'ws', 1)}/api/tables/{table}/socket"

    async def open(self, http: httpx.AsyncClient, one: str, two: str) -> str:
        """Open a table and seat two guests."""

        async def post(path: str, cookie: str, body: dict[str, Any]) -> Any:
            response = await http.post(path, json=body, headers={"cookie": cookie})
            response.raise_for_status()
            return response.json()

        seats = [{"kind": "person"}, {"kind": "person"}]
        options = {"stall_limit": 0} if self.given.game == "mandala" else {}
        opened = await post("/api/tables", one, {"game": self.given.game, "seats": seats, "options": options})
        snapshot = await post(f"/api/tables/{opened['id']}/join", one, {})
        await post(f"/api/tables/{opened['id']}/join", two, {"code": snapshot["table"]["code"]})
        return str(opened["id"])

    async def play(self, socket: ClientConnection, slot: Slot) -> None:
        """Play one seat: an action as soon as there is one to choose, or after some thought."""
        waiting, number, mine = False, 0, -1
        async for text in socket:
            now = time.perf_counter()
            frame = decode(text)
            if frame.t == "ack":
                waiting = False
                if self.measuring:
                    self.answers.append(now - slot.sent[mine])
                    slot.moves += 1
                continue
            if frame.t == "refused":
                raise RuntimeError(f"refused: {frame.code}")
            if frame.t == "update" and self.measuring and frame.ply - 1 != mine and (sent := slot.sent.get(frame.ply - 1)):
                self.arrivals.append(now - sent)
            if frame.table is not None and frame.table.state == "over":
                self.games += 1
                return
            if frame.view is not None and frame.view.legal and not waiting:
                if self.given.think:
                    await asyncio.sleep(self.given.think * self.rng.uniform(0.5, 1.5))
                number, waiting, mine = number + 1, True, frame.ply
                action = self.choose(frame.view.legal)
                slot.sent[mine] = time.perf_counter()
                await socket.send(f'{{"t":"act","id":"{number}","ply":{mine},"action":"{action}"}}')
        raise RuntimeError("the server ended a connection in mid-game")

    async def beside(self, http: httpx.AsyncClient, one: str) -> None:
        """A person against a bot, game after game; only the bot's moves are counted."""
        while True:
            plan = [{"kind": "person"}, {"kind": "bot", "bot": self.given.bot}]
            response = await http.post("/api/tables", json={"game": self.given.game, "seats": plan}, headers={"cookie": one})
            response.raise_for_status()
            table = str(response.json()["id"])
            (await http.post(f"/api/tables/{table}/join", json={}, headers={"cookie": one})).raise_for_status()
            mine = -1
            async with connect(self.socket_of(table), additional_headers={"Cookie": one}, **SOCKET) as socket:
                async for text in socket:
                    frame = decode(text)
                    if frame.t == "refused":
                        raise RuntimeError(f"refused: {frame.code}")
                    self.bot_moves += frame.t == "update" and self.measuring and frame.ply - 1 != mine
                    if frame.table is not None and frame.table.state == "over":
                        break
                    if frame.view is not None and frame.view.legal and frame.ply != mine:
                        await asyncio.sleep(BESIDE_THINK * self.rng.uniform(0.5, 1.5))
                        mine = frame.ply
                        await socket.send(f'{{"t":"act","id":"{mine}","ply":{mine},"action":"{self.choose(frame.view.legal)}"}}')

    def choose(self, legal: tuple[str, ...]) -> str:
        """A random action, or a redraw while there is one."""
        if self.given.policy == "redraw":
            legal = tuple(action for action in legal if action[0] == "d") or legal
        return legal[self.rng.randrange(len(legal))]

    async def stay(self, http: httpx.AsyncClient, one: str, two: str) -> dict[str, Any]:
        """Open idle connections, spectators' ones, and hold them until told to go."""
        urls = [self.socket_of(await self.open(http, one, two)) for _ in range(min(TABLES_WATCHED, self.given.idle))]
        gate, opened = asyncio.Semaphore(AT_ONCE), list[ClientConnection]()

        async def one_more(number: int) -> None:
            async with gate:
                opened.append(await connect(urls[number % len(urls)], **SOCKET))
                await opened[-1].recv()

        await asyncio.gather(*(one_more(number) for number in range(self.given.idle)))
        await told_to_go()
        for socket in opened:
            socket.transport.abort()
        return {"connections": len(opened)}


async def unless_one_fails(tasks: list[asyncio.Task[None]], waited: Coroutine[Any, Any, Any], limit: float | None = None) -> None:
    """Wait for something while the tables go on; what fails at one of them fails here, at once. Raises ``TimeoutError``."""
    waiting = asyncio.create_task(waited)
    done, _ = await asyncio.wait([waiting, *tasks], timeout=limit, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    if waiting not in done:
        waiting.cancel()
        raise TimeoutError(f"not everybody sat within {limit or 0:.0f} seconds")


async def told_to_go() -> None:
    """Say that all is ready, and wait for a line."""
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


def raise_file_limit() -> None:
    """As many connections as the system grants."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def arguments(parser: argparse.ArgumentParser) -> None:
    """What both this and ``load.py`` take."""
    parser.add_argument("--game", default="mandala")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--think", type=float, default=0.0, help="seconds before each action, half to one and a half of it")
    parser.add_argument("--policy", choices=("random", "redraw"), default="random")
    parser.add_argument("--watch", type=int, default=0, help="spectators at the first table")
    parser.add_argument("--bots", type=int, default=0, help="so many more tables, a person against a bot at each")
    parser.add_argument("--bot", default="champion", help="which bot those have")
    parser.add_argument("--idle", type=int, default=0, help="open so many idle connections instead")
    parser.add_argument("--seed", type=int, default=1)


def main() -> None:
    """Work and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("base")
    arguments(parser)
    given = parser.parse_args()
    raise_file_limit()
    try:
        print(json.dumps(asyncio.run(Players(given.base, given).run())))
    except Exception as error:  # noqa: BLE001 - whatever went wrong at one table ends the measurement in a line
        raise SystemExit(f"given up: {type(error).__name__}: {error}") from None


if __name__ == "__main__":
    main()
