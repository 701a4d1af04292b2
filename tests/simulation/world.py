"""A schedule: from one seed, processes, tables, clients, faults and the order of everything; then calm, and what must hold."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import secrets
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextvars import Context, copy_context
from typing import Any
from unittest import mock

import msgspec

from sandriver.games.contract import Transition
from sandriver.tables import bot_driver, decisions, live
from sandriver.tables.bot_driver import Pace
from sandriver.tables.chance import new_nonce
from sandriver.tables.commands import decide_join
from sandriver.tables.errors import Refusal
from sandriver.tables.fold import fold
from sandriver.tables.log import Row
from sandriver.tables.opening import first_rows, free_seat, new_code
from sandriver.tables.service import TableService
from sandriver.tables.state import State
from sandriver.tables.store import Person
from sandriver.tables.wire import ClockPlan, OpenTable, SeatPlan
from tests.simulation import checks
from tests.simulation.client import Tab
from tests.simulation.disk import Disk, Link, Plan, drive
from tests.simulation.ledger import Ledger
from tests.simulation.loop import OWNER, VirtualLoop
from tests.simulation.wires import Ether, Line, SimBus, Weather
from tests.tables.tools import GAMES, PolicyBook

EPOCH = 1_800_000_000_000
STEPS = 400_000
CALM = 78.0
"""Seconds without a fault after which everybody must be up to date: the last round past quiet tables may have hung, the next one then
comes after 36 seconds at most, and bots and flags need their time after that."""
LOOK = 6.0
"""Seconds after which it is looked whether they are: more than one look into the log too, and what is slow has arrived."""
PERSON = SeatPlan("person")


class Scene(msgspec.Struct, frozen=True):
    """What a schedule is like."""

    processes: int
    jumbled: bool
    tables: int
    deeds: int
    """What each tab does."""
    think: float
    """Mean seconds between two deeds."""
    whims: float
    weather: Weather
    faults: float
    """Part of the requests to the database that go wrong."""
    slow: float
    """Part of them that take long, so that others come in between."""
    one_sick: bool
    """Only the first table's requests go wrong, and no process crashes: the others must not notice."""
    crashes: int
    skew_ms: int
    cached: int
    queue: int
    clocks: bool
    deserted: bool
    """After the storm nobody comes back to the first table, if it goes on without them."""
    patient: bool
    """The calm lasts as long as it may, and nothing is remembered of what the log says: each process folds every row itself."""


class Folds:
    """The pure fold, with what it said before: a row is folded once in a schedule and not by every process, snapshot and check again."""

    def __init__(self) -> None:
        self._said: dict[tuple[int, int], tuple[State | None, Row, tuple[State, Transition | None]]] = {}

    def __call__(self, games: Any, state: State | None, row: Row) -> tuple[State, Transition | None]:
        key = id(state), id(row)  # both are kept below, so that no other object gets the same id
        known = self._said.get(key)
        if known is None:
            known = self._said[key] = state, row, fold(games, state, row)
        return known[2]


class Lost(Exception):
    """The process that was asked has crashed."""


class Process:
    """One server process: a service of its own over the common database and bus. Starting it again gives it another number."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        skew = world.rng.randint(-world.scene.skew_ms, world.scene.skew_ms)
        self.now: Callable[[], int] = lambda: EPOCH + skew + int(world.loop.time() * 1000)
        self.context = Context()
        self.context.run(OWNER.set, number)
        self.alive = False
        self.lines: list[Line] = []
        self._calls: list[asyncio.Future[Any]] = []
        self.service: TableService = self.context.run(self._make)

    def _make(self) -> TableService:
        world = self.world
        rng, scene = world.rng, world.scene
        link: Any = Link(world.disk, world.loop, world.plan, world.stored)
        bus: Any = SimBus(world.ether)
        return TableService(
            link,
            bus,
            games=GAMES,
            find_bot=PolicyBook(moody=Moody(rng)),
            pace=Pace(0.0, 0.5, 0.1, 1.0),
            think_seconds=1.0,
            tables_cached=scene.cached,
            queue_limit=scene.queue,
            now=self.now,
        )

    async def start(self) -> None:
        self.alive = True
        await self.call(self.service.start)

    def crash(self) -> None:
        """End it in the middle of whatever it does: nothing of it runs any more."""
        self.alive = False
        self.world.loop.dead.add(self.number)
        self.world.ether.forget(self.number)
        for line in self.lines:
            if line.open:
                line.lost()
        for call in self._calls:
            if not call.done():
                call.set_exception(Lost())

    async def call(self, method: Callable[..., Coroutine[Any, Any, Any]], *args: Any, **more: Any) -> Any:
        """Ask the service something from outside, as over HTTP. Raises ``Lost`` when it crashes meanwhile."""
        answer = self.world.loop.create_future()
        task = self.world.loop.create_task(method(*args, **more), context=self.context)

        def done(task: asyncio.Task[Any]) -> None:
            if not answer.done():
                error = task.exception()
                if error is None:
                    answer.set_result(task.result())
                else:
                    answer.set_exception(error)

        task.add_done_callback(done, context=self.context)
        self._calls.append(answer)
        try:
            return await answer
        finally:
            self._calls.remove(answer)

    def connect(self, rng: random.Random) -> Line:
        """A fresh connection to it."""
        line = Line(self.world.loop, rng, self.context, lag=0.02 if rng.random() < 0.8 else 1.0)
        self.lines = [each for each in self.lines if each.open]
        self.lines.append(line)
        return line


class Moody:
    """A bot that sometimes answers nonsense or breaks."""

    id, version, game = "moody", 1, None

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        match self._rng.randrange(12):
            case 0:
                return "nonsense"
            case 1:
                raise RuntimeError("a bug in a bot")
        return legal[rng.randrange(len(legal))]


class World:
    """Everything of one schedule."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.scene = draw_scene(self.rng)
        self.loop = VirtualLoop(random.Random(self.rng.random()), jumbled=self.scene.jumbled)
        self.ledger = Ledger()
        self.disk = Disk()
        self.ether = Ether(self.loop, self.rng)
        self.ether.weather = self.scene.weather
        self.processes: list[Process] = []
        self.tabs: list[Tab] = []
        self.tables: dict[str, OpenTable] = {}
        self.people: dict[str, list[str]] = {}
        self.think = self.scene.think
        self.whims = self.scene.whims
        self.storm = True
        self.sick: str | None = None
        self.fold: Callable[[Any, State | None, Row], tuple[State, Transition | None]] = fold if self.scene.patient else Folds()
        self._started = 0

    def run(self) -> Ledger:
        """Play the schedule. Raises ``AssertionError`` where something does not hold."""
        with fixed(self) as said:
            self.loop.play(self._play(), STEPS)
        checks.quiet(said, self.loop.complaints)
        return self.ledger

    async def _play(self) -> None:
        for _ in range(self.scene.processes):
            await self._start()
        for number in range(self.scene.tables):
            await self._open(number)
        lives = [asyncio.ensure_future(tab.live(self.scene.deeds)) for tab in self.tabs]
        lives.append(asyncio.ensure_future(self._misfortune()))
        await asyncio.gather(*lives)
        await self._calm()
        await asyncio.gather(*(tab.settle() for tab in self.tabs if not tab.gone))
        await self._rest()
        await checks.everything(self)

    async def _rest(self) -> None:
        """Until everybody is up to date and nothing is left to be done by itself; patient schedules look long past that."""
        for _ in range(int(CALM / LOOK)):
            await asyncio.sleep(LOOK)
            if not self.scene.patient and checks.at_rest(self):
                return

    async def _calm(self) -> None:
        self.storm = False
        self.ether.weather = Weather()
        self.ether.recover()
        for tab in self.tabs:
            if self.scene.deserted and tab.table == next(iter(self.tables)) and goes_on_alone(self.tables[tab.table]):
                tab.leave()
            if tab.line is not None:
                tab.line.read_again()
        while sum(process.alive for process in self.processes) < self.scene.processes:
            await self._start()

    async def _start(self) -> Process:
        self._started += 1
        process = Process(self, self._started)
        self.processes.append(process)
        await process.start()
        return process

    async def _misfortune(self) -> None:
        """Processes crash and come back, the bus goes away and comes back."""
        rng = self.rng
        for _ in range(self.scene.crashes):
            await asyncio.sleep(rng.expovariate(1 / (self.think * self.scene.deeds / 2)))
            if rng.random() < 0.25:
                self.ether.fail()
                await asyncio.sleep(rng.random() * 8)
                self.ether.recover()
            elif (victim := self.any_process(rng)) is not None:
                self.ledger.note("crash", self.loop.time(), victim.number)
                self.ledger.count("crash")
                victim.crash()
                if rng.random() < 0.8:
                    await asyncio.sleep(rng.choice((0, 0.1, 3)))
                    await self._start()

    async def _open(self, number: int) -> None:
        """A table, and the tabs of its people and of who watches."""
        rng = self.rng
        wish = draw_wish(rng, self.scene.clocks)
        persons = [f"p{number}{seat}" for seat, plan in enumerate(wish.seats) if plan.kind == "person"]
        for person in persons:
            await self.disk.add_person(Person(person, person.upper(), ""), person, 0)
        table = self._lay_out(wish, persons) if rng.random() < 0.6 else await self._sit_down(wish, persons)
        self.tables[table], self.people[table] = wish, persons
        if number == 0 and self.scene.one_sick:
            self.sick = table
        seats = len(wish.seats)
        watching: list[str | None] = [None] if rng.random() < 0.25 else []
        for viewer in [*persons, *watching]:
            for tab in range(2 if rng.random() < 0.25 else 1):
                name = f"{viewer or 'watcher'}{'ab'[tab]}{number}"
                self.tabs.append(Tab(self, random.Random(rng.random()), name, table, viewer, seats))

    def _lay_out(self, wish: OpenTable, persons: Sequence[str]) -> str:
        """A table that was there before all of this: people sit at it, and the game has begun."""
        at, code = EPOCH - 1000, new_code()
        table, rows = first_rows(GAMES[wish.game], wish, persons[0], at, code=code)
        state: Any = None
        for row in rows:
            state, _ = self.fold(GAMES, state, row)
        for person in persons:
            decision = decide_join(GAMES, state, free_seat(state, person, code, None), person, new_nonce(), at)
            rows.extend(decision.rows)
            state = decision.changes[-1].state
        drive(self.disk.append(rows))
        return table

    async def _sit_down(self, wish: OpenTable, persons: Sequence[str]) -> str:
        """The same, with whatever goes wrong meanwhile."""
        table: str = await self._insist(lambda process: process.call(process.service.open_table, persons[0], wish))
        await self._insist(lambda process: process.call(process.service.join, table, persons[0]))
        code = self.disk.log[table][0].entry.code  # type: ignore[union-attr]
        for person in persons[1:]:
            await self._insist(lambda process, person=person: process.call(process.service.join, table, person, code=code))  # type: ignore[misc]
        return table

    async def _insist(self, ask: Callable[[Process], Coroutine[Any, Any, Any]]) -> Any:
        for _ in range(200):
            process = self.any_process(self.rng)
            if process is not None:
                try:
                    return await ask(process)
                except Lost:
                    pass
                except Refusal as refusal:
                    if refusal.code != "try_again":
                        raise
            await asyncio.sleep(0.3)
        raise AssertionError("tried 200 times in vain")

    # --- what others ask -------------------------------------------------------------------------

    def any_process(self, rng: random.Random, favourite: int | None = None) -> Process | None:
        """One that runs; mostly the favourite of so many, where the asker has one."""
        alive = [process for process in self.processes if process.alive]
        if favourite is not None and alive and rng.random() < 0.7:
            return alive[favourite % len(alive)]
        return rng.choice(alive) if alive else None

    def plan(self, name: str, args: tuple[Any, ...]) -> Plan:
        """The fate of a request to the database."""
        rng = self.rng.random
        there, back = 0.001 * rng(), 0.001 * rng()
        if not self.storm:
            return Plan(there, back)
        if self.sick is not None or self.scene.one_sick:
            rows = args[0] if name == "append" else ()
            tables = {row.table for row in rows} | ({args[0]} if name == "rows" else set())
            if self.sick not in tables:
                return Plan(there, back)
        if rng() < self.scene.slow:
            there, back = 0.2 * rng(), 0.2 * rng()
        if rng() >= self.scene.faults:
            return Plan(there, back)
        self.ledger.count("fault")
        fate = ("refused", "lost", "failed", "silent", "served", "served")[int(6 * rng())]
        if fate == "served":
            there, back = 9 * rng(), 9 * rng()
        return Plan(there, back, fate)

    def stored(self, rows: Sequence[Row]) -> None:
        """Something was committed."""
        self.ledger.note(self.loop.time(), *((row.table, row.v, row.command) for row in rows))
        for row in rows:
            self.disk.commits.append((self.loop.time(), row.table, row.v))

    def healthy(self, table: str, code: str | None) -> None:
        """An answer came from a table: where only another one is sick, it must not be a failure."""
        if self.scene.one_sick and table != self.sick:
            assert code != "try_again", f"table {table} suffers from the faults of another"


def draw_scene(rng: random.Random) -> Scene:
    """What one schedule is like; some are calm in every respect but one."""
    which = rng.random()
    one_sick, deaf = which < 0.06, which > 0.9  # deaf: nothing is wrong but the bus, so that nothing else makes up for it
    weather = Weather(rng.choice((0, 0.2, 0.6, 1.0)), rng.choice((0, 0.3)), rng.choice((0, 0.2))) if rng.random() < 0.7 else Weather()
    if deaf:
        weather.loss = rng.choice((0.6, 1.0))
    return Scene(
        processes=rng.choice((2, 3) if deaf else (1, 1, 2, 2, 3)),
        jumbled=rng.random() < 0.6,
        tables=rng.choice((2, 2, 2, 3)) if one_sick else rng.choice((1, 1, 1, 1, 1, 1, 1, 2)),
        deeds=rng.choice((2, 3, 8)),
        think=rng.choice((0.004, 0.05, 0.5, 1.5)),
        whims=0.0 if deaf else rng.choice((0.0, 0.15, 0.3)),
        weather=weather,
        faults=rng.choice((0.1, 0.4)) if one_sick else 0.0 if deaf else rng.choice((0, 0.03, 0.15)),
        slow=rng.choice((0.1, 0.1, 0.7)),
        one_sick=one_sick,
        crashes=0 if one_sick or deaf else rng.choice((0, 1, 2, 3)),
        skew_ms=rng.choice((0, 0, 150)),
        cached=rng.choice((1, 2, 1000)),
        queue=rng.choice((3, 3, 8, 64)),
        clocks=not deaf and rng.random() < 0.4,
        deserted=rng.random() < 0.3,
        patient=rng.random() < 0.05,
    )


def draw_wish(rng: random.Random, clocks: bool) -> OpenTable:
    """A table for two or three, with bots or without."""
    bot = SeatPlan("bot", rng.choice(("random", "moody")))
    seats = rng.choice(((PERSON, PERSON), (PERSON, PERSON), (PERSON, bot), (bot, PERSON), (PERSON, bot, PERSON), (PERSON, PERSON, PERSON)))
    plan = None
    if clocks and rng.random() < 0.7:
        plan = rng.choice((ClockPlan(10), ClockPlan(10, 2), ClockPlan(5, kind="per_move")))
    return OpenTable("toy", seats, {"limit": rng.choice((4, 8, 20)), "skips": rng.random() < 0.5}, clock=plan)


def goes_on_alone(wish: OpenTable) -> bool:
    """Whether something must happen at such a table although nobody is there."""
    return wish.clock is not None or any(plan.kind == "bot" for plan in wish.seats)


@contextlib.contextmanager
def fixed(world: World) -> Iterator[list[str]]:
    """Let nothing be left to chance outside the seed. Yields what is logged as an error."""
    rng = random.Random(world.rng.random())
    said: list[str] = []

    class Listen(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(f"{record.getMessage()} {record.exc_info[1] if record.exc_info else ''}")

    async def think(work: Callable[[], str]) -> str:
        if rng.random() < 0.04:
            await asyncio.Event().wait()  # it hangs
        await asyncio.sleep(rng.random() * 0.05)
        return work()

    state = random.getstate()
    random.seed(rng.random())
    logger, handler = logging.getLogger("sandriver"), Listen(logging.ERROR)
    logger.addHandler(handler)
    propagate, logger.propagate = logger.propagate, False
    try:
        with (
            mock.patch.object(secrets, "choice", rng.choice),
            mock.patch.object(secrets, "token_hex", lambda size: f"{rng.getrandbits(8 * size):0{2 * size}x}"),
            mock.patch.object(bot_driver, "_in_thread", think),
            mock.patch.object(decisions, "fold", world.fold),
            mock.patch.object(live, "fold", world.fold),
        ):
            yield said
    finally:
        random.setstate(state)
        logger.removeHandler(handler)
        logger.propagate = propagate


def run(seed: int) -> Ledger:
    """Play the schedule of a seed and return its ledger. Raises ``AssertionError`` with the seed in its notes."""
    gc.disable()  # it would run at moments of its own
    try:
        return copy_context().run(World(seed).run)
    except BaseException as error:
        error.add_note(f"to repeat it: python -m tests.simulation --seed {seed}")
        raise
    finally:
        gc.collect(0)  # all of it is young; soon it would be in the way
        gc.enable()
