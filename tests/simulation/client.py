"""A client of the simulation: a browser tab that sees frames only, reconnects, sends again what was not answered, and misbehaves."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

from sandriver.tables.wire import Sync
from tests.simulation.ledger import Told, read_frame, read_view
from tests.simulation.orders import Known, draw
from tests.simulation.wires import Line

if TYPE_CHECKING:
    from tests.simulation.world import World


class Tab:
    """One tab of a person (``None``: nobody who is known here) at a table."""

    def __init__(self, world: World, rng: random.Random, name: str, table: str, person: str | None, seats: int) -> None:
        self.world = world
        self.rng = rng
        self.name = name
        self.table = table
        self.person = person
        self.known = Known(seats=seats)
        self.line: Line | None = None
        self.open: dict[str, Any] = {}
        """Commands that were not answered for good, by id."""
        self.done: list[Any] = []
        """The latest ones that were acknowledged."""
        self.refused: list[Any] = []
        """The latest ones that were refused over this connection; another process would not know of it."""
        self.gone = False
        self._settled = False
        self._count = 0
        self._at: int | None = None
        """The version up to which this connection has told everything."""
        self._wanted = 0
        """A version that the process was told of, so that nothing older may come."""
        self._asked: list[int] = []
        """What was asked for over this connection: versions after which everything was wanted."""

    # --- hearing ---------------------------------------------------------------------------------

    def _hear(self, line: Line, raw: bytes | None) -> None:
        if line is not self.line:
            return
        self.world.ledger.note(self.name, self.world.loop.time(), raw)
        if raw is None:
            self.line = None
            if self._settled:  # it was too slow to read, or so; it comes back by itself
                self.world.loop.call_later(1, self.connect)
            return
        frame = read_frame(raw)
        if frame.t in ("snapshot", "update"):
            self._shown(frame)
        elif frame.t in ("ack", "refused"):
            self._answered(frame)

    def _shown(self, frame: Told) -> None:
        known, v = self.known, frame.v
        told = self.world.ledger.show(self.table, frame)
        if frame.t == "snapshot":
            assert self._at is None or self._asked, f"{self.name}: a snapshot that nobody asked for"
            assert v >= self._wanted, f"{self.name}: the snapshot at {v} is older than {self._wanted}, which was told as known"
            self._at = v
        elif self._at is None:
            raise AssertionError(f"{self.name}: an update came before the snapshot")
        else:
            again = v <= self._at and any(v > since for since in self._asked)
            assert v == self._at + 1 or again, f"{self.name}: {v} came after {self._at}"
            self._at = max(v, self._at)
        if v < known.v:
            return
        known.v, known.ply, known.state, known.proposals = v, frame.ply, told.state, told.proposals
        view = read_view(frame.view)
        known.legal = () if view is None else view.legal
        if known.legal and self.line is not None and self.world.storm:
            for command in self.refused:
                if getattr(command, "ply", None) == known.ply and self.rng.random() < 0.7:
                    self._post(command)  # it came too early, and would be right now, had it not been refused

    def _answered(self, frame: Told) -> None:
        if frame.id is None:
            return  # the subscription itself was refused
        self.world.ledger.count(frame.t if frame.code is None else frame.code)
        self.world.healthy(self.table, frame.code)
        assert (self.table, self.person or self.name, frame.id) in self.world.ledger.sent, f"{self.name}: an answer to nothing: {frame}"
        assert self.person is not None or frame.code in ("not_seated", "bad_request", "try_again"), frame
        self.world.ledger.answer(self.table, self.person or self.name, frame)
        if frame.code != "try_again" and (command := self.open.pop(frame.id, None)) is not None:
            if frame.code is None:
                self.done = [*self.done[-5:], command]
            else:
                self.refused = [*self.refused[-5:], command]

    # --- doing -----------------------------------------------------------------------------------

    async def live(self, deeds: int) -> None:
        """Do so many things at random moments."""
        rng, world = self.rng, self.world
        for _ in range(deeds):
            await asyncio.sleep(rng.expovariate(1 / world.think))
            if self.line is None:
                self.connect()
            elif (whim := rng.random()) < world.whims:
                self._whim(whim / world.whims)
            else:
                self._act()

    def _act(self) -> None:
        rng = self.rng
        if self.open and rng.random() < 0.3:
            self.send(rng.choice(list(self.open.values())))  # impatient
            return
        if self.line is not None and (closed := self.done + self.refused) and rng.random() < 0.1:
            self._post(rng.choice(closed))  # they have their answers, but who knows
            return
        command = draw(rng, self.known, self._new_id)
        self.send(command)
        twice = rng.random()
        if twice < 0.08:
            self.send(command)  # a double click, or a resend although nothing was lost
        elif twice < 0.14 and hasattr(command, "ply"):
            self.send(type(command)(**{**{name: getattr(command, name) for name in command.__struct_fields__}, "id": self._new_id()}))

    def _whim(self, which: float) -> None:
        rng, line = self.rng, self.line
        assert line is not None
        if which < 0.5:
            line.cut(rng.choice((0, 0.001, 0.5, 20)))
            self.line = None
            if rng.random() < 0.6:
                self.connect()
        elif which < 0.7:
            line.reading = False
            self.world.loop.call_later(rng.random() * 10, line.read_again)
        elif which < 0.85 and (closed := self.done + self.refused):
            self._post(rng.choice(closed))
        else:
            self.send(Sync(max(0, self.known.v - rng.randrange(4))))

    def _new_id(self) -> str:
        self._count += 1
        return f"{self.name}.{self._count}"

    def send(self, command: Any) -> None:
        """Send a command over the connection there is; one with an id awaits its answer."""
        if self.line is None:
            return
        self.world.ledger.note(self.name, self.world.loop.time(), command)
        if isinstance(command, Sync):
            self._asked.append(command.since)
        elif hasattr(command, "id"):
            self.open[command.id] = command
            self.world.ledger.sent[self.table, self.person or self.name, command.id] = command
        self._post(command)

    def _post(self, command: Any) -> None:
        """Send it as it is, for the first time or again."""
        assert self.line is not None
        if hasattr(command, "id"):
            self.world.ledger.asked.setdefault((self.table, self.person or self.name, command.id), set()).add(self.line.process)
        self.line.send(command)

    def connect(self) -> None:
        """Connect to some process that is there, with what is known, and send again what was not answered."""
        process = self.world.any_process(self.rng, self.world.tabs.index(self))  # so that a table's people are at several
        if process is None:
            return
        rng = self.rng
        line = self.line = process.connect(rng)
        line.hear = lambda raw: self._hear(line, raw)
        since = self.known.v if self.known.v and rng.random() < 0.8 else None
        if rng.random() < 0.05:
            since = self.known.v + 1000  # a version that this table has not reached
            self._wanted = 0
        else:
            self._wanted = since or 0
        self.refused = []
        self._at, self._asked = since, [] if since is None else [since]
        line.start(process.service, self.table, self.person, since)
        for command in list(self.open.values()):
            self.send(command)

    def leave(self) -> None:
        """Close the tab for good."""
        self.gone = True
        if self.line is not None:
            self.line.cut(0.01)
            self.line = None

    async def settle(self) -> None:
        """After the storm: connect, and get every answer."""
        for attempt in range(60):
            if self.line is None or (attempt and attempt % 8 == 0 and self.open):
                if self.line is not None:
                    self.line.cut(0)
                self.connect()
            elif attempt:
                for command in list(self.open.values()):
                    self.send(command)
            await asyncio.sleep(1 + self.rng.random())
            if self.line is not None and not self.open and self.known.v:
                self._settled = True
                return
        raise AssertionError(f"{self.name}: no answer to {list(self.open.values())}, at {self.known.v}, {self.line and self.line.open}")
