"""A whole session at a table of a pair (``tests/tables/twins.py``): people play, talk, ask and are refused, one of them listens to all.

It happens in virtual time at a real server without a network; everything that the listener gets, and everything that the operator's log and
figures say meanwhile, is kept as bytes.
"""

from __future__ import annotations

import asyncio
import io
import logging
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

from sandriver.server import requests, socket, watched
from sandriver.server.app import ENDPOINTS, create_app
from sandriver.server.logs import Lines
from sandriver.server.metrics import Metrics
from sandriver.server.settings import Settings
from sandriver.tables import bot_driver
from sandriver.tables.bot_driver import Pace
from sandriver.tables.bus import MemoryBus
from sandriver.tables.service import TableService
from tests.server.inside import Browser, Socket
from tests.simulation.loop import VirtualLoop
from tests.simulation.world import EPOCH
from tests.tables.tools import MemoryStore
from tests.tables.twins import Pair, Scripted

STEPS = 400_000
NONSENSE = ("zz", "b1R>?3", "pA1-A9:S01@1", "cK", "")
READS = [each for each in ENDPOINTS if each.method == "GET"]
"""Every request that changes nothing."""


class ScriptedBot:
    """Plays what the script says; how long it thinks depends on the world."""

    id, version, game = "scripted", 1, None

    def __init__(self, session: Session) -> None:
        game, played = session.game, session.pair.played[session.world]
        self._script = {game.view(each.before, each.seat).notation: session.text(ply) for ply, each in enumerate(played)}

    def choose(self, view: Any, _legal: Any, _rng: Any) -> str:
        """See ``Policy``."""
        return self._script[view.notation]


class Session:
    """One of the two tables. ``bots``: seats on which bots play. What is done follows from ``seed``, the same for both."""

    def __init__(self, pair: Pair, world: int, bots: tuple[int, ...], seed: int, *, viewer: int | None) -> None:
        self.pair, self.world, self.bots, self.viewer = pair, world, bots, viewer
        self.rng = random.Random(seed)
        self.hidden = random.Random(f"{seed} {world}")
        self.loop = VirtualLoop(random.Random(seed), jumbled=False)
        self.game: Any = Scripted(pair, world)
        self.heard: list[tuple[str, bytes]] = []
        """What was got, and at what."""
        self.kinds: set[str] = set()
        self.sockets: list[Socket] = []
        self.table = ""
        self.service: TableService
        self.metrics = Metrics()
        self.people: dict[int, Browser] = {}

    @property
    def ply(self) -> int:
        """How many actions have been played."""
        return self.service._tables.get(self.table).state.ply

    def text(self, ply: int) -> str:
        """The action that the script plays after so many."""
        return str(self.game.format_action(self.pair.played[0][ply].action))

    def now(self) -> int:
        """The time of everything here, in ms."""
        return EPOCH + round(self.loop.time() * 1000)

    def run(self, folder: Path) -> list[tuple[str, bytes]]:
        """Play it; returns everything that the viewer got, with a name for each."""
        with self._fixed() as logs:
            self.loop.play(self._play(folder), STEPS)
        for style, log in logs.items():
            self.heard.append((f"log as {style}", log.getvalue().encode()))
        return self.heard

    @contextmanager
    def _fixed(self) -> Iterator[dict[str, io.StringIO]]:
        """Nothing comes from outside: no chance, no time but the loop's."""
        rng = random.Random(self.rng.getrandbits(30))

        async def think(work: Callable[[], str]) -> str:
            await asyncio.sleep(self.hidden.random() * 0.35)
            with suppress(KeyError):
                return work()
            await asyncio.Event().wait()  # behind the script's last action: whatever is taken back meanwhile, this is not played
            raise AssertionError

        logger = logging.getLogger("sandriver")
        logs = {"text": io.StringIO(), "json": io.StringIO()}
        state, level, propagate = random.getstate(), logger.level, logger.propagate
        random.seed(rng.random())
        with ExitStack() as stack:
            stack.callback(random.setstate, state)
            stack.callback(logger.setLevel, level)
            stack.callback(setattr, logger, "propagate", propagate)
            logger.setLevel(logging.DEBUG)
            logger.propagate = False
            for style, stream in logs.items():
                handler = logging.StreamHandler(stream)
                handler.setFormatter(Lines(style))  # type: ignore[arg-type]
                handler.addFilter(self._dated)
                logger.addHandler(handler)
                stack.callback(logger.removeHandler, handler)
            for name, stand_in in (
                ("choice", rng.choice),
                ("token_hex", lambda size: f"{rng.getrandbits(8 * size):0{2 * size}x}"),
                ("token_urlsafe", lambda size: f"{rng.getrandbits(8 * size):043d}"[:43]),
            ):
                stack.enter_context(mock.patch.object(secrets, name, stand_in))
            for module in (requests, socket, watched):
                stack.enter_context(mock.patch.object(module, "perf_counter", self.loop.time))
            stack.enter_context(mock.patch.object(bot_driver, "_in_thread", think))
            yield logs

    def _dated(self, record: logging.LogRecord) -> bool:
        record.created = self.now() / 1000
        return True

    # --- what happens ----------------------------------------------------------------------------

    async def _play(self, folder: Path) -> None:
        pair, bot = self.pair, ScriptedBot(self)
        store = watched.watched(MemoryStore(), self.metrics)
        self.service = service = TableService(
            store,
            MemoryBus(),
            games={pair.game: self.game},
            find_bot=lambda _game, _bot: bot,
            stand_in=lambda _game: "scripted",
            pace=Pace(),
            now=self.now,
        )
        self.metrics.figures = service.figures
        app = create_app(Settings(data=folder, static=folder, rates=1e9), service=service, metrics=self.metrics)
        await service.start()
        await self._sit_down(app)
        ear = self.people[self.viewer] if self.viewer is not None else Browser(app)
        self.sockets.append(ear.connect(f"/api/tables/{self.table}/socket"))
        others = [each.connect(f"/api/tables/{self.table}/socket") for seat, each in self.people.items() if seat != self.viewer]
        while (ply := self.ply) < pair.plies:
            state = service._tables.get(self.table).state
            if self.rng.random() < 0.3:
                await self._look(ear)
            if self.rng.random() < 0.4:
                await self._talk()
            if self.rng.random() < 0.5:
                await self._try(ear, ply)
            if state.bot_to_move is not None:
                while self.ply == ply:  # noqa: ASYNC110  # virtual time costs nothing
                    await asyncio.sleep(0.05)
            else:
                await self._move(pair.played[0][ply].seat, ply)
                if self.rng.random() < 0.25:
                    await self._take_back()
        await self._look(ear)
        await self._listen()
        for each in (*self.sockets, *others):
            await each.leave()
        self._keep("figures", b"\n".join(line for line in self.metrics.text().splitlines() if b"sandriver_" in line))
        await service.close()

    async def _sit_down(self, app: Any) -> None:
        pair = self.pair
        plan = [{"kind": "bot", "bot": "scripted"} if seat in self.bots else {"kind": "person"} for seat in range(pair.seats)]
        self.people = {seat: Browser(app) for seat in range(pair.seats) if seat not in self.bots}
        for seat, person in self.people.items():
            assert (await person.ask("PUT", "/api/me", {"name": f"P{seat}"})).status == 200
        owner = next(iter(self.people.values()))
        wish = {"game": pair.game, "seats": plan, "options": pair.options, "first": pair.first, "clock": {"base_s": 3600, "increment_s": 2}}
        self.table = (await owner.ask("POST", "/api/tables", wish)).json["id"]
        code = None
        for seat, person in self.people.items():
            joined = await person.ask("POST", f"/api/tables/{self.table}/join", {"code": code, "seat": seat, "nonce": f"{seat:032x}"})
            assert joined.status == 200, joined.everything
            code = code or joined.json["table"]["code"]

    def _keep(self, name: str, data: bytes) -> None:
        self.heard.append((f"{name}, after {self.ply} actions", data))
        self.kinds.add(name)

    async def _listen(self) -> None:
        """Keep what has come in on the viewer's sockets; whatever is under way comes first."""
        await asyncio.sleep(0.3)
        for number, each in enumerate(self.sockets):
            for frame in each.heard:
                self._keep(f"frame on socket {number}", frame)
            each.heard.clear()

    async def _look(self, ear: Browser) -> None:
        """Ask for everything that can be asked for, and come to the table once more."""
        names = self.game.seat_names[: self.pair.seats]
        for endpoint in READS:
            for seen_as in (*names, "spectator", "all", "Z") if "{seen_as}" in endpoint.path else ("",):
                path = endpoint.path.format(table_id=self.table, seen_as=seen_as, code="ABCDEF")
                self._keep(f"{endpoint.path} {seen_as}", (await ear.ask("GET", path)).everything)
        v = self.service._tables.get(self.table).v
        for query in ("", f"?since={max(1, v - 3)}", f"?since={v + 5}", "?since=x"):
            visit = ear.connect(f"/api/tables/{self.table}/socket{query}")
            visit.send({"t": "sync", "since": max(0, v - 2)})
            await asyncio.sleep(0.3)
            self._keep(f"socket{query[:7]}", b"\n".join(visit.heard))
            await visit.leave()

    async def _try(self, ear: Browser, ply: int) -> None:
        """What is refused, and some that is not; over HTTP or a socket."""
        legal = {str(self.game.format_action(action)) for played in self.pair.played for action in played[ply].before.legal_actions}
        mine = self.pair.played[0][ply].seat == self.viewer
        tried = [text for text in (*NONSENSE, *self._actions()) if not mine or text not in legal]
        name = f"{ply}.{self.rng.getrandbits(40)}"
        commands: list[dict[str, Any]] = [
            *({"t": "act", "ply": ply, "action": text} for text in tried),
            {"t": "act", "ply": max(0, ply - 1), "action": tried[-1]},
            {"t": "rematch"},
            {"t": "fill", "seat": 0, "bot": "scripted"},
            {"t": "propose", "what": "resume", "ply": ply},
            {"t": "propose", "what": "undo", "ply": ply - 1},
            {"t": "answer", "what": "undo", "v": 1, "yes": True},
            {"t": "claim", "seat": 1 - (self.viewer or 0), "to": "win"},
            {"t": "return"},
            {"t": "hurry"},
            {"t": "say", "text": "x" * 300},
        ]
        for number, command in enumerate(self.rng.sample(commands, 5)):
            command["id"] = f"{name}.{number}"
            if self.rng.random() < 0.5:
                self.sockets[0].send(command)
            else:
                answer = await ear.ask("POST", f"/api/tables/{self.table}/commands", command)
                self._keep(f"answer to {command['t']}", answer.everything)
        await self._listen()

    def _actions(self) -> list[str]:
        """Some that stand somewhere in the script: legal now, or not."""
        return [self.text(self.rng.randrange(self.pair.plies)) for _ in range(3)]

    async def _command(self, seat: int, **command: Any) -> Any:
        command["id"] = f"c{self.rng.getrandbits(60)}"
        return await self.people[seat].ask("POST", f"/api/tables/{self.table}/commands", command)

    async def _move(self, seat: int, ply: int) -> None:
        await asyncio.sleep(self.rng.random() * 3)
        answer = await self._command(seat, t="act", ply=ply, action=self.text(ply))
        assert answer.status == 200, answer.everything
        if seat == self.viewer:
            self._keep("answer to act", answer.everything)

    async def _talk(self) -> None:
        if len(self.people) < 2:
            return
        seat = self.rng.choice(list(self.people))
        await self._command(seat, t="say", text=f"word {self.rng.random()}")
        if self.bots:
            return
        await self._command(seat, t="propose", what="draw", ply=self.ply)
        v = self.service._tables.get(self.table).state.v
        for other in self.people:
            if other != seat:
                await self._command(other, t="answer", what="draw", v=v, yes=False)

    async def _take_back(self) -> None:
        """Whoever may ask for it gets their latest action back; it is played again, and so are the others'."""
        before = self.ply
        for seat in self.people:
            asked = await self._command(seat, t="propose", what="undo", ply=self.ply)
            for other in self.people if asked.status == 200 else ():
                if other != seat and self.ply == before:
                    await self._command(other, t="answer", what="undo", v=asked.json["v"], yes=True)
            if seat == self.viewer:
                self._keep("answer to propose", asked.everything)
            if self.ply != before:
                self.kinds.add("taken back")
                return
