"""Keeps a table service up with the other processes: hears the bus, looks into the log for what the bus missed, tells who is here.

The bus is quick and promises nothing. So every few seconds the tables that somebody follows are compared with the log, a few hundred a
query: without any bus, viewers are behind by seconds at most. While the bus is known to be lost, this is done more often, and with tables
that are merely in memory too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence

from sandriver.tables.asking import AskingStore, Patience
from sandriver.tables.background import Background, Beat
from sandriver.tables.bus import Bus, Gap, Gone, Here, Message, Notice, Renamed
from sandriver.tables.errors import Refusal
from sandriver.tables.live import Cache, Live
from sandriver.tables.measure import tag
from sandriver.tables.people import People
from sandriver.tables.store import Person, Store

logger = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""How often followed tables are compared with the log, and presence is repeated."""
LOST_SECONDS = 2.0
"""The same while messages may be missed."""
FORGET_SECONDS = 16.0
"""Who is at another process is forgotten when that has not repeated it for so long."""
CHUNK = 200
"""Tables that one query asks for."""
NEWS_SECONDS = 5.0
"""How long such a query may take."""

ReadOn = Callable[[Live, int], Awaitable[None]]


class Watch:
    """One for all tables of a service. ``read_on(live, v)`` reads the log of a table up to ``v`` at least."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        tables: Cache,
        people: People,
        *,
        read_on: ReadOn,
        hurry: Callable[[str], None],
    ) -> None:
        self.process = secrets.token_hex(6)
        """A name for this service among those that share the bus."""
        self._store = store
        self._bus = bus
        self._tables = tables
        self._people = people
        self._read_on = read_on
        self._hurry = hurry
        self._at_once = asyncio.Event()
        self._background = Background()
        self._patience = Patience(NEWS_SECONDS)
        self._unlisten: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin to listen and to look."""
        self._unlisten = self._bus.listen(self._heard)
        self._people.tell = self._renamed
        self._background.loop("watch", self._run)

    @property
    def stalled(self) -> tuple[str, ...]:
        """Its loop, if that does not go round any more."""
        return self._background.stalled

    async def close(self) -> None:
        """End; the other processes hear that nobody is here any more."""
        self._unlisten()
        self._bus.publish(Gone(self.process))
        await self._background.close()

    def attend(self, live: Live) -> None:
        """Somebody is about to follow a table: from now on its comings and goings are told to the other processes."""
        if live.hub.announce is None:
            live.hub.announce = lambda: self._bus.publish(live.hub.here(self.process, live.table))

    async def freshen(self, live: Live) -> None:
        """Where messages may be missed: look now whether the table went on elsewhere."""
        if not self._bus.sure:
            await self._look([live])

    # --- hearing ---------------------------------------------------------------------------------

    def _heard(self, message: Message) -> None:
        match message:
            case Notice(hurry=True):
                self._hurry(message.table)
            case Notice():
                live = self._tables.peek(message.table)
                if live is not None and live.loaded and message.v > live.v:
                    self._background.spawn(self._follow(live, message.v))
            case Here():
                self._heard_of_people(message)
            case Gone():
                for live in self._tables:
                    live.hub.forget(message.process)
            case Renamed():
                if message.process != self.process:
                    self._background.spawn(self._people.read_again(message.person))
            case Gap():
                self._at_once.set()

    def _heard_of_people(self, here: Here) -> None:
        live = self._tables.peek(here.table)
        if here.process == self.process or live is None:
            return
        new = live.hub.hear(here, asyncio.get_running_loop().time())
        if new and live.hub:  # a process that has just come here does not know who is here yet
            self._bus.publish(live.hub.here(self.process, live.table))

    def _renamed(self, person: Person) -> None:
        self._bus.publish(Renamed(self.process, person.id))

    # --- looking ---------------------------------------------------------------------------------

    async def _run(self, beat: Beat) -> None:
        sure, now = self._bus.sure, asyncio.get_running_loop().time()
        everything = self._at_once.is_set() or not sure
        self._at_once.clear()
        chosen = [live for live in self._tables if live.loaded and (live.hub or everything)]
        chunks = list(_chunks(chosen)) or [[]]
        failed: Exception | None = None
        for chunk in chunks:
            try:
                self._repeat(chunk, now)
                await self._look(chunk)
                beat()
            except Exception as error:  # noqa: BLE001  # the other tables are looked at all the same
                failed = error
            await self._pause((LOOK_SECONDS if sure else LOST_SECONDS) / len(chunks))
        if failed is not None:
            raise failed

    async def _pause(self, seconds: float) -> None:
        """Wait, unless something may have been missed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._at_once.wait()

    def _repeat(self, tables: Sequence[Live], now: float) -> None:
        for live in tables:
            live.hub.forget_before(now - FORGET_SECONDS)
            if live.hub:
                self._bus.publish(live.hub.here(self.process, live.table))

    async def _look(self, tables: Sequence[Live]) -> None:
        """Read on at tables that went on without a word."""
        known = {live.table: live.v for live in tables}
        news: Sequence[str] = ()
        with contextlib.suppress(Refusal):
            async with AskingStore(self._patience):  # a store that never answers must not be the end of all looking
                news = await self._store.news(known)
        for table in news:
            live = self._tables.peek(table)
            if live is not None and live.v == known[table]:
                await self._follow(live, live.v + 1)

    async def _follow(self, live: Live, v: int) -> None:
        try:
            await self._read_on(live, v)
        except Refusal:
            pass
        except Exception:  # whatever is wrong with one table, the others are looked at
            logger.exception("table %s could not be followed", tag(live.table))


def _chunks(tables: Sequence[Live]) -> Iterator[Sequence[Live]]:
    for start in range(0, len(tables), CHUNK):
        yield tables[start : start + CHUNK]
