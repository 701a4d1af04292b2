"""TableService: everything one can do at tables. The interface stands; the bodies follow in the next commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from sandriver.bots.policy import Policy
from sandriver.games.contract import Game
from sandriver.tables.wire import Ack, Act, Command, Frame, Hurry, OpenTable, Rematch, Resign, Snapshot, TableInfo, Update

if TYPE_CHECKING:
    from sandriver.tables.bot_driver import Pace
    from sandriver.tables.bus import Bus
    from sandriver.tables.hub import Subscription
    from sandriver.tables.people import People
    from sandriver.tables.store import Store


class TableService:
    """All tables of one process.

    Usage: ``store = await SqlStore.open("sqlite+aiosqlite:///data/sandriver.sqlite3")`` (runs migrations), then
    ``service = TableService(store, MemoryBus(), games=GAMES, policies=POLICIES)``, ``await service.start()`` … ``await service.close()``,
    ``await store.close()``.
    Every method raises ``Refusal`` (with its ``refused`` frame) and nothing else for what a sender can cause.
    """

    people: People
    """Guests: ``await people.create(token_hash, name="", language="")``, ``by_token(token_hash)``, ``update(id, name=…, language=…)``."""

    def __init__(
        self, store: Store, bus: Bus, *, games: Mapping[str, Game], policies: Mapping[str, Policy], pace: Pace | None = None
    ) -> None:
        raise NotImplementedError

    async def start(self) -> None:
        """Begin to serve: listen on the bus and let bots go on where a restart interrupted them."""

    async def close(self) -> None:
        """Stop bots, cut subscriptions off; everything acknowledged is in the store already."""

    async def open_table(self, owner_id: str, wish: OpenTable) -> str:
        """Open a table and return its id. Seats nobody but bots. Refuses ``bad_request``, ``try_again``."""
        raise NotImplementedError

    async def join(
        self, table_id: str, person_id: str, *, code: str | None = None, seat: int | None = None, nonce: str | None = None
    ) -> int:
        """Take a seat (the first free one if not named) and return its number; again: the same seat.

        ``nonce``: 32 hex digits. Refuses ``unknown_table``, ``forbidden`` (no or wrong code), ``seat_taken``, ``bad_request``, ``try_again``.
        """
        raise NotImplementedError

    async def command(
        self, table_id: str, person_id: str, command: Act | Resign | Rematch | Hurry, *, reply: Callable[[Frame], None] | None = None
    ) -> Ack:
        """Validate, commit, acknowledge, broadcast. ``reply`` (a subscription's) gets the ``Ack`` before anybody hears of the step."""
        raise NotImplementedError

    async def answer(self, subscription: Subscription, command: Command) -> None:
        """For sockets: carry out any command of a subscriber, ``sync`` and ``ping`` too; the answer or ``Refused`` goes to its queue."""

    async def subscribe(self, table_id: str, person_id: str | None, *, since: int | None = None) -> Subscription:
        """Follow a table: first the snapshot at v (with ``since``: the missing updates where they are few), then exactly v+1, v+2, ….

        ``async with await service.subscribe(...) as subscription: async for frame in subscription: await socket.send_text(frame.decode())``.
        Frames are encoded JSON (bytes). When the iteration ends, ``subscription.closed`` says why: ``slow`` (cut off, may come back), ``closed``.
        ``subscription.reply(frame)`` queues an own answer (``Pong()``, ``Refused(...)``).
        """
        raise NotImplementedError

    async def snapshot(self, table_id: str, person_id: str | None) -> Snapshot:
        """Everything the person may know of the table now."""
        raise NotImplementedError

    async def since(self, table_id: str, person_id: str | None, v: int) -> list[Update] | Snapshot:
        """What happened after version ``v``, or the snapshot when that is too much or ``v`` unknown."""
        raise NotImplementedError

    async def record(self, table_id: str, person_id: str | None) -> str:
        """The game as text: the viewer's projection while it runs, everything once it is over."""
        raise NotImplementedError

    async def by_code(self, code: str, person_id: str | None = None) -> str:
        """The table an invitation leads to. Refuses ``unknown_table`` once no seat is free (unless the person sits there)."""
        raise NotImplementedError

    async def tables_of(self, person_id: str, limit: int = 50) -> Sequence[TableInfo]:
        """The person's tables as they see them, newest first."""
        raise NotImplementedError
