"""The tables of a process: in memory as long as somebody needs them, and the one way in which each goes on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from types import TracebackType

from sandriver.tables import clock as clocks
from sandriver.tables.absence import fallen
from sandriver.tables.asking import AskingStore, Patience
from sandriver.tables.background import Background
from sandriver.tables.bot_driver import BotDriver, Pace
from sandriver.tables.bus import Bus, Notice
from sandriver.tables.decisions import Decision, House
from sandriver.tables.due import QUIET_MS, needed
from sandriver.tables.errors import Conflict, CorruptLog, Refusal
from sandriver.tables.held import NOTICED_MS
from sandriver.tables.live import Cache, Live
from sandriver.tables.log import Action, Joined
from sandriver.tables.measure import tag
from sandriver.tables.opening import is_table_id
from sandriver.tables.people import People
from sandriver.tables.slices import Slices
from sandriver.tables.store import Person, Store
from sandriver.tables.timekeeper import Rounds, Timers
from sandriver.tables.watch import Watch
from sandriver.tables.wire import Ack, Act

logger = logging.getLogger(__name__)

Decide = Callable[[Live, int, int], Decision]
"""From a table, the moment at which it is decided, and the ms before it that are not charged to who is to move."""

STORE_SECONDS = 5.0
"""How long anything waits for the store before it is refused with ``try_again``."""
TABLES_CACHED = 1024
UNREADABLE = "unreadable"
"""The rule of a ``try_again`` that says: the log of this table does not replay."""
UNREADABLE_MS = 60_000
"""A table that could not be read is looked at again after so long."""
ATTEMPTS = 8
"""How often a command that lost a race against another process is validated anew."""


class Keeping:
    """What ``TableService`` stands on: reads tables from the store and lets them go, validates, commits and broadcasts, and sees to
    bots and clocks.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        house: House,
        *,
        pace: Pace,
        think_seconds: float,
        store_seconds: float,
        tables_cached: int,
        now: Callable[[], int],
    ) -> None:
        self.people = People(store)
        """Guests: ``create(token_hash)``, ``by_token(token_hash)``, ``update(person, name=…)``; these raise ``StoreFailed``."""
        self._store = store
        self._bus = bus
        self._house = house
        self._patience = Patience(store_seconds)
        self._now = now
        self._tables = Cache(house.games, tables_cached, self._now)
        self._timers = Timers(self._now, self._look_at)
        self.rounds = Rounds(self._now, self._due_tables, self._visit_due)
        """Looks after tables that nobody else looks after; runs by itself from ``start`` on."""
        self._bots = BotDriver(self._submit, house.find_bot, pace, think_seconds)
        self._background = Background()
        self.slices = Slices()
        """The long work of this process."""
        self.draining = False
        """It takes no more commands: this process is about to end."""
        self._watch = Watch(store, bus, self._tables, self.people, read_on=self._follow_log, hurry=self._bots.hurry)

    async def start(self) -> None:
        """Begin to serve: listen on the bus and let bots go on where a restart interrupted them."""
        self._watch.start()
        self.people.listeners.append(self._renamed)
        self._background.loop("rounds", self.rounds.turn)

    @property
    def stalled(self) -> tuple[str, ...]:
        """What should go on all the time here and does not; empty where all is well."""
        return (*self._background.stalled, *self._watch.stalled)

    async def drain(self) -> None:
        """Before the end of this process: stop the bots, refuse further commands (``try_again``), let what is being stored be stored,
        acknowledged and heard, then end all subscriptions. Takes as long as the store and the slowest reader; bound it from outside.
        """
        self.draining = True
        await self._bots.close()
        for live in self._tables:
            async with live.lock:  # whoever holds it is storing; nobody begins to any more
                pass
        for live in self._tables:
            for subscription in live.hub:
                subscription.finish()
        while any(live.hub for live in self._tables):  # noqa: ASYNC110  # once in a life; an event would cost each subscription one
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Stop bots and end all subscriptions; everything acknowledged is in the store already."""
        await self._watch.close()
        self._timers.close()
        await self._bots.close()  # first: a bot stopped in the middle of a commit leaves a task behind
        await self._background.close()
        for live in self._tables:
            live.hub.close()

    # --- going on --------------------------------------------------------------------------------

    async def _submit(self, live: Live, seat: int, act: Act) -> Ack:
        """Carry out what a bot plays."""
        raise NotImplementedError

    async def _carry_out(
        self, live: Live, choose: Decide, acknowledge: Callable[[int], None] | None, arrived: int, acting: int | None = None
    ) -> None:
        """The one way in which a table goes on: under its lock, decide, commit, acknowledge, apply and broadcast.

        A flag that has fallen comes first. What counts is when the command ``arrived``, not how long it had to wait here; ``acting``: the
        seat whose action it is.
        """
        running = None if live.state.clock is None else live.state.clock.running
        try:
            await self._store_and_tell(live, choose, acknowledge, arrived)
        except BaseException as error:
            if acting is not None and acting == running and (not isinstance(error, Refusal) or error.code == "try_again"):
                live.held.failed(arrived, self._now())
            raise

    async def _store_and_tell(self, live: Live, choose: Decide, acknowledge: Callable[[int], None] | None, arrived: int) -> None:
        async with live.lock:
            for _ in range(0 if self.draining else ATTEMPTS):
                if live.doubtful:
                    await self._read_on(live)
                at, held = self._moment(live, arrived)
                flag = None if live.state.clock is None else fallen(self._house, live.state, at, held)
                decision = flag or choose(live, at, held)
                if not decision.changes:
                    return
                try:
                    async with self._asking_store():
                        await self._store.append(decision.rows)
                except Conflict:
                    await self._read_on(live)
                    continue
                except BaseException:
                    self._doubt(live)
                    raise
                if flag is None and acknowledge is not None:
                    acknowledge(decision.changes[0].row.v)
                for change in decision.changes:
                    live.apply(change.row, change.state, change.transition)
                if live.state.clock is not None and isinstance(decision.changes[0].row.entry, Action | Joined):
                    live.held.begin(self._now() - at)
                self._bus.publish(Notice(live.table, live.v))
                self._go_on(live)
                if flag is None:
                    return
            raise Refusal("try_again")

    def _moment(self, live: Live, arrived: int) -> tuple[int, int]:
        """The moment of what arrived then, and how much of the time before it is not charged to who is to move."""
        waited = self._now() - arrived
        if live.state.clock is None or waited < NOTICED_MS:
            return max(arrived, live.state.at), live.held.at(arrived)
        return max(arrived + waited, live.state.at), live.held.at(arrived) + waited

    # --- tables in memory ------------------------------------------------------------------------

    def _at(self, table_id: str) -> _At:
        """The table with its log read, kept in memory meanwhile: ``async with self._at(table) as live``."""
        return _At(self, table_id)

    async def _read_on(self, live: Live) -> None:
        """Read what the log says beyond what is known here; its followers hear of it. Needs the table's lock."""
        try:
            async with self._asking_store():
                rows = await self._store.rows(live.table, after=live.v)
                people = {row.person for row in rows if row.person is not None}
                live.names |= await self.people.names(people - live.names.keys())
            new = [row for row in rows if row.v > live.v]  # it may have been opened here while they were read, or folded
            await self.slices.run(live.loading(new))
            missing = [person for person in live.state.people if person not in live.names] if live.loaded else []
            if missing:
                async with self._asking_store():
                    live.names |= await self.people.names(missing)
        except CorruptLog as error:
            if live.unreadable_after != live.v:  # told once: whoever follows the table is why it is tried every few seconds
                live.unreadable_after = live.v
                cause = type(error.__cause__ or error).__name__  # no more of it: what it says may be a table's id or a hidden card
                logger.error("table %s cannot be replayed: entry %d (%s)", tag(live.table), error.v, cause)  # noqa: TRY400
            raise Refusal("try_again", rule=UNREADABLE) from None
        live.doubtful = False
        if live.loaded:
            self._go_on(live)

    async def _hear(self, live: Live, viewer: int | None) -> None:
        """Have at hand what a viewer heard: making it takes as long as the game, and a snapshot that needs it must not."""
        if not live.has_heard(viewer):
            async with live.hearing:
                if not live.has_heard(viewer):
                    await self.slices.run(live.hear(viewer))

    def _asking_store(self) -> AskingStore:
        return AskingStore(self._patience)

    def _doubt(self, live: Live) -> None:
        """A commit ended in the unknown: until the log has been read again, nobody builds on what is here."""
        live.doubtful = True
        if not live.resolving:
            live.resolving = True
            self._background.spawn(self._resolve(live))

    async def _resolve(self, live: Live) -> None:
        live.uses += 1
        try:
            delay = 0.2
            while live.doubtful:
                await asyncio.sleep(delay)
                delay = min(2 * delay, 10)
                try:
                    async with live.lock:
                        if live.doubtful:
                            await self._read_on(live)
                except Refusal:
                    pass
                except Exception:  # until it has been read, the table stands still: there is a next time
                    logger.exception("table %s could not be read", tag(live.table))
        finally:
            live.resolving = False
            live.uses -= 1

    async def _keep_up(self, live: Live) -> None:
        """Somebody knows more than is known here, or says so: another service went on, and its word has not come yet."""
        async with live.lock:
            await self._read_on(live)

    async def _follow_log(self, live: Live, v: int) -> None:
        """Another service went on with a table that is here too."""
        async with self._at(live.table) as current, current.lock:
            if current.v < v:
                await self._read_on(current)

    # --- what goes on by itself ------------------------------------------------------------------

    def _go_on(self, live: Live) -> None:
        """See to it that what must happen next at a table happens without anybody asking: a bot moves, a flag falls."""
        self._bots.kick(live)
        if live.state.clock is not None:
            self._timers.watch(live)

    def _look_at(self, table: str) -> None:
        if not self.draining:
            self._background.spawn(self._visit(table))

    async def _visit(self, table: str, v: int = 0) -> Live | None:
        """Read a table up to ``v`` at least, so that its bots go on and its flag falls; ``None``: it cannot be read."""
        try:
            async with self._at(table) as live:
                if live.v < v:  # it went on elsewhere, and the word of it was lost
                    await self._keep_up(live)
                self._go_on(live)
                await asyncio.sleep(0)
                return live
        except Refusal:
            pass
        except Exception:
            logger.exception("table %s could not be looked after", tag(table))
        return None

    async def _visit_due(self, table: str, due: int, v: int) -> None:
        live = await self._visit(table, v)
        later = self._now() + (QUIET_MS if live is not None else UNREADABLE_MS)
        until = later if live is None else None if (moment := needed(live.state)) is None else max(moment, later)
        with contextlib.suppress(Refusal):
            async with self._asking_store():
                await self._store.put_off(table, due, v if live is None else live.v, until)

    async def _settle(self, live: Live, at: int) -> None:
        """Let a flag fall that is due. If it cannot be stored now, whoever asked is served all the same; the next one tries again."""
        if live.state.clock is not None and clocks.is_due(live.state.clock, at - live.held.at(at)):
            with contextlib.suppress(Refusal):
                await self._carry_out(live, lambda _live, _at, _held: Decision(), None, at)

    async def _due_tables(self, before: int, limit: int) -> Sequence[tuple[str, int, int]]:
        with contextlib.suppress(Refusal):
            async with self._asking_store():
                return await self._store.due(before, limit)
        return ()

    def _renamed(self, person: Person) -> None:
        for live in self._tables:
            if person.id in live.names:
                live.names[person.id] = person.name


class _At:
    """See ``Keeping._at``; a class, because every move passes through it."""

    __slots__ = ("_keeping", "_live")

    def __init__(self, keeping: Keeping, table_id: str) -> None:
        if not is_table_id(table_id):
            raise Refusal("unknown_table")
        self._keeping = keeping
        self._live = keeping._tables.get(table_id)  # noqa: SLF001  # one thing with it

    async def __aenter__(self) -> Live:
        live = self._live
        live.uses += 1
        if not live.loaded or live.state.clock is not None:
            began = self._keeping._now()  # noqa: SLF001
            try:
                if not live.loaded:
                    await self._read()
                await self._keeping._settle(live, began)  # noqa: SLF001
            except BaseException:
                self._leave()
                raise
        return live

    async def _read(self) -> None:
        live = self._live
        async with live.lock:
            if not live.loaded:
                await self._keeping._read_on(live)  # noqa: SLF001
        if not live.loaded:
            raise Refusal("unknown_table")

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._leave()

    def _leave(self) -> None:
        live, tables = self._live, self._keeping._tables  # noqa: SLF001
        live.uses -= 1
        if live.loaded:
            tables.trim()
        else:
            tables.forget(live)
