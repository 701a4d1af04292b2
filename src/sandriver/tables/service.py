"""TableService: everything one can do at tables. Validate, commit, acknowledge, broadcast, in that order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from sandriver.games.contract import Game
from sandriver.tables import record
from sandriver.tables.bot_driver import FALLBACK, Pace
from sandriver.tables.bus import Bus, Notice
from sandriver.tables.chance import new_nonce
from sandriver.tables.clock import SteadyClock
from sandriver.tables.commands import Decision, House, Lasting, check_id, decide, decide_join
from sandriver.tables.errors import Conflict, RecordError, Refusal
from sandriver.tables.hub import QUEUE_LIMIT, Subscription
from sandriver.tables.keeping import ATTEMPTS, STORE_SECONDS, TABLES_CACHED, UNREADABLE, Keeping
from sandriver.tables.live import Live
from sandriver.tables.measure import Figures
from sandriver.tables.opening import FindBot, check_wish, clean_code, first_rows, free_seat, needs_code, new_code
from sandriver.tables.proposals import check_playing
from sandriver.tables.replay import Replay, ReplayFrame, Take, eyes_of, frames_of, of_record, showing
from sandriver.tables.store import Store
from sandriver.tables.wire import Ack, Act, Claim, Command, Frame, Hurry, OpenTable, Ping, Pong, Snapshot, Sync, TableInfo, Update

Reply = Callable[[Frame], None]
TableCommand = Lasting | Hurry
LONG = 256
"""Entries of a log that is folded again at once where it is seldom needed."""


class TableService(Keeping):
    """All tables of one process.

    Usage: ``store = await SqlStore.open(sqlite_url(path))`` (migrates), ``service = TableService(store, MemoryBus(), games=GAMES,
    find_bot=bots.get)``, ``await service.start()`` … ``await service.close()``, ``await store.close()``.
    Every method raises ``Refusal`` (with its ``refused`` frame) and nothing else for what a sender or a failing store can cause;
    ``unknown_table`` and ``try_again`` are possible everywhere.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        *,
        games: Mapping[str, Game],
        find_bot: FindBot,
        stand_in: Callable[[str], str] = lambda _game: FALLBACK,
        pace: Pace | None = None,
        think_seconds: float = 10.0,
        store_seconds: float = STORE_SECONDS,
        tables_cached: int = TABLES_CACHED,
        queue_limit: int = QUEUE_LIMIT,
        now: Callable[[], int] | None = None,
    ) -> None:
        """``now``: milliseconds since 1970, by default from a ``SteadyClock``."""
        super().__init__(
            store,
            bus,
            House(games, find_bot, stand_in),
            pace=pace or Pace(),
            think_seconds=think_seconds,
            store_seconds=store_seconds,
            tables_cached=tables_cached,
            now=now or SteadyClock(),
        )
        self._queue_limit = queue_limit

    # --- opening and sitting down ----------------------------------------------------------------

    def check(self, wish: OpenTable) -> None:
        """Refuse a wish that ``open_table`` would refuse: ``bad_request`` with the ``rule`` that is broken."""
        check_wish(self._house.games, self._house.find_bot, wish)

    async def open_table(self, owner_id: str, wish: OpenTable) -> str:
        """Open a table and return its id. Seats nobody but bots. Refuses ``bad_request`` with the ``rule`` that is broken."""
        game = check_wish(self._house.games, self._house.find_bot, wish)
        for _ in range(ATTEMPTS):
            code = new_code() if needs_code(wish) else None
            table, rows = first_rows(game, wish, owner_id, self._now(), code=code)
            try:
                async with self._asking_store():
                    await self._store.append(rows)
            except Conflict:
                continue  # that code was given out before
            if not (live := self._tables.get(table)).loaded:
                live.load(rows)
            self._tables.trim()
            return table
        raise Refusal("try_again")

    async def join(
        self, table_id: str, person_id: str, *, code: str | None = None, seat: int | None = None, nonce: str | None = None
    ) -> int:
        """Take a seat (the first free one if not named) and return its number; again: the same seat.

        ``nonce``: 32 hex digits, made by the server when missing. Refuses ``forbidden`` (no or wrong code), ``seat_taken``.
        """
        if nonce is not None and not (len(nonce) == 32 and all(digit in "0123456789abcdef" for digit in nonce)):
            raise Refusal("bad_request", rule="nonce")
        async with self._at(table_id) as live:
            async with self._asking_store():
                live.names |= await self.people.names({person_id, *live.state.people} - live.names.keys())

            def sit_down(live: Live, at: int, _held: int) -> Decision:
                if live.state.seat_of(person_id) is not None:
                    return Decision()
                place = free_seat(live.state, person_id, code, seat)
                return decide_join(self._house.games, live.state, place, person_id, nonce or new_nonce(), at)

            await self._carry_out(live, sit_down, None, self._now())
            taken = live.state.seat_of(person_id)
            assert taken is not None
            return taken

    async def check_join(self, table_id: str, code: str | None, seat: int | None) -> None:
        """Refuse what ``join`` would refuse somebody who is new here."""
        async with self._at(table_id) as live:
            free_seat(live.state, None, code, seat)

    async def by_code(self, code: str, person_id: str | None = None) -> str:
        """The table an invitation leads to. Refuses ``unknown_table`` once no seat is free (unless the person sits there)."""
        async with self._asking_store():
            table = await self._store.table_by_code(clean_code(code)[:16])
        if table is None:
            raise Refusal("unknown_table", rule="code")
        async with self._at(table) as live:
            if not live.state.inviting and live.state.seat_of(person_id) is None:
                raise Refusal("unknown_table", rule="code")
        return table

    # --- commands --------------------------------------------------------------------------------

    async def command(self, table_id: str, person_id: str | None, command: TableCommand, *, reply: Reply | None = None) -> Ack:
        """Carry a command out. ``reply`` (a subscription's) gets the ``Ack`` after the commit and before anybody hears of the step."""
        arrived = self._now()
        try:
            check_id(command.id)
            async with self._at(table_id) as live:
                ahead = getattr(command, "ply", 0) > live.state.ply or getattr(command, "v", 0) > live.v
                if ahead or live.state.seat_of(person_id) is None:
                    await self._keep_up(live)
                if live.v > LONG:  # a refusal may need the snapshot
                    await self._hear(live, live.state.viewer_of(person_id))
                return await self._command(live, self._seat_at(live, person_id), command, person_id, reply, arrived)
        except Refusal as refusal:
            refusal.belongs_to(command.id)
            raise

    async def answer(self, subscription: Subscription, command: Command) -> str | None:
        """For sockets: carry out any command of a subscriber, ``sync`` and ``ping`` too; the answer or refusal goes to its queue.

        Returns the code of the refusal, ``None`` if it was none.
        """
        try:
            if isinstance(command, Ping):
                subscription.reply(Pong(self._now()))
            elif isinstance(command, Sync):
                async with self._at(subscription.table) as live:
                    if command.since > live.v:
                        await self._keep_up(live)
                    if not live.is_recent(command.since):
                        await self._hear(live, subscription.viewer)
                    live.catch_up(subscription, command.since)
            else:
                await self.command(subscription.table, subscription.person, command, reply=subscription.reply)
        except Refusal as refusal:
            subscription.reply(refusal.refused)
            return refusal.code
        return None

    @staticmethod
    def _seat_at(live: Live, person_id: str | None) -> int:
        seat = live.state.seat_of(person_id)
        if seat is None:
            raise Refusal("not_seated")
        return seat

    async def _submit(self, live: Live, seat: int, act: Act) -> Ack:
        return await self._command(live, seat, act, None, None, self._now())

    async def _command(self, live: Live, seat: int, command: TableCommand, person: str | None, reply: Reply | None, arrived: int) -> Ack:
        answer: list[Ack] = []

        def acknowledge(v: int) -> None:
            answer.append(Ack(command.id, v))
            if reply is not None:
                reply(answer[0])

        if isinstance(command, Hurry):
            try:
                check_playing(live.state, seat)
            except Refusal as refusal:
                raise self._refusal(live, seat, command.id, refusal.code, refusal.refused.rule, {}) from refusal
            acknowledge(live.v)
            self._bus.publish(Notice(live.table, live.v, hurry=True))
            return answer[0]

        def choose(live: Live, at: int, held: int) -> Decision:
            if (seat, command.id) in live.answers:
                return Decision()
            if (known := live.refusals.get((seat, command.id))) is not None:
                raise self._refusal(live, seat, command.id, known.code, known.rule, known.params)
            try:
                away = live.away() if isinstance(command, Claim) else ()
                return decide(self._house, live.state, seat, command, person, at, away, held)
            except Refusal as refusal:
                refused = refusal.refused
                own = self._refusal(live, seat, command.id, refused.code, refused.rule, refused.params)
                live.keep_refusal(seat, own.refused)
                raise own from refusal

        await self._carry_out(live, choose, acknowledge, arrived, seat if isinstance(command, Act) else None)
        if not answer:
            acknowledge(live.answers.get((seat, command.id), live.v))
        return answer[0]

    @staticmethod
    def _refusal(live: Live, seat: int, command_id: str, code: str, rule: str | None, params: Mapping[str, str | int]) -> Refusal:
        """A refusal with the fresh snapshot, if its cause is that the sender was out of date."""
        snapshot = live.snapshot(live.state.viewer_at(seat)) if code in ("stale", "game_over") else None
        return Refusal(code, rule=rule, params=params, command_id=command_id, snapshot=snapshot)

    # --- watching --------------------------------------------------------------------------------

    async def subscribe(self, table_id: str, person_id: str | None, *, since: int | None = None) -> Subscription:
        """Follow a table: first the snapshot at v (with ``since``: the missing updates where they are few), then exactly v+1, v+2, ….

        ``async with await service.subscribe(…) as subscription: async for frame in subscription: await socket.send_text(frame.decode())``.
        Frames are encoded JSON. When the iteration ends, ``subscription.closed`` says why: ``slow`` (cut off, may come back) or ``closed``.
        """
        async with self._at(table_id) as live:
            if not live.is_recent(since):  # first, for it takes a while
                await self._hear(live, live.state.viewer_of(person_id))
            await self._watch.freshen(live)
            if since is not None and since > live.v:
                await self._keep_up(live)
            self._watch.attend(live)
            return live.follow(person_id, since, self._queue_limit)

    async def snapshot(self, table_id: str, person_id: str | None) -> Snapshot:
        """Everything the person may know of the table now."""
        async with self._at(table_id) as live:
            await self._hear(live, live.state.viewer_of(person_id))
            return live.snapshot(live.state.viewer_of(person_id))

    async def since(self, table_id: str, person_id: str | None, v: int) -> list[Update] | Snapshot:
        """What happened after version ``v``, or the snapshot when that is too much or ``v`` is unknown."""
        async with self._at(table_id) as live:
            if not live.is_recent(v):
                await self._hear(live, live.state.viewer_of(person_id))
            return live.since(live.state.viewer_of(person_id), v)

    async def record(self, table_id: str, person_id: str | None) -> str:
        """The game as text: the viewer's projection while it runs, everything once it is over."""
        async with self._at(table_id) as live:
            await self._hear(live, live.state.viewer_of(person_id))
            snapshot = live.snapshot(live.state.viewer_of(person_id))
            return record.format_record(record.of_table(live.state, live.rows, snapshot))

    async def length(self, table_id: str) -> int:
        """How many entries the log of a table has: what a replay of it costs."""
        async with self._at(table_id) as live:
            return live.v

    async def replay(self, table_id: str, person_id: str | None, seen_as: str | None = None, *, take: Take | None = None) -> Replay:
        """The game again, position by position: with the person's own knowledge, or as ``eyes_of`` allows.

        ``take`` gets the frames, instead of the answer.
        """
        async with self._at(table_id) as live:
            state, rows = live.state, list(live.rows)
            own = state.viewer_of(person_id)
            eyes = eyes_of(state.game, len(state.seats), seen_as, own, state.over)
            frames: list[ReplayFrame] = []
            await self.slices.run(showing(frames_of(self._house.games, rows, eyes), take or frames.append))
            return Replay(live.info(state, own), state.opened.options, eyes.seen_as, tuple(frames))

    async def replay_record(self, text: str, seen_as: str | None = None, *, take: Take | None = None) -> Replay:
        """A full record again, likewise; nothing is stored. Refuses ``bad_request`` (rule ``record``) with the line that is at fault."""
        frames: list[ReplayFrame] = []
        try:
            replay = await self.slices.run(of_record(self._house.games, text, seen_as, take or frames.append))
        except RecordError as error:
            raise Refusal("bad_request", rule="record", params={"line": error.line, "reason": error.message}) from error
        return replace(replay, frames=tuple(frames))

    async def tables_of(self, person_id: str, limit: int = 50) -> Sequence[TableInfo]:
        """The person's tables as they see them, newest first. One that cannot be replayed is left out."""
        async with self._asking_store():
            tables = await self._store.tables_of(person_id, limit)
        infos = []
        for table in tables:
            try:
                async with self._at(table) as live:
                    infos.append(live.info(live.state, live.state.viewer_of(person_id)))
            except Refusal as refusal:
                if refusal.refused.rule != UNREADABLE:
                    raise
        return infos

    # --- for whoever runs it ---------------------------------------------------------------------

    async def check_store(self) -> None:
        """Ask the store a small question. Raises ``Refusal`` (``try_again``) when it does not answer."""
        async with self._asking_store():
            await self._store.rows("", after=0)

    def figures(self) -> Figures:
        """How much there is to do at this moment."""
        queues = [subscription.waiting for live in self._tables for subscription in live.hub]
        return Figures(
            tables=len(self._tables),
            followers=len(queues),
            frames_waiting=sum(queues),
            longest_queue=max(queues, default=0),
            bots_to_move=self._bots.busy,
            bots_thinking=self._bots.thinking,
        )
