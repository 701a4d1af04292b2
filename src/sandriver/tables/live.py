"""A table in memory: its state, its log as heard by each audience, and who follows it. A cache, rebuilt from the log at any time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

from sandriver.games.contract import Game, Transition
from sandriver.tables.absence import away
from sandriver.tables.attendance import Attendance
from sandriver.tables.clock import SteadyClock
from sandriver.tables.fold import fold
from sandriver.tables.held import Held
from sandriver.tables.hub import QUEUE_LIMIT, Hub, Subscription, encode_frame
from sandriver.tables.log import Action, Row
from sandriver.tables.measure import BEGAN
from sandriver.tables.projections import seen_by, step, table_info, view
from sandriver.tables.slices import finish
from sandriver.tables.state import State
from sandriver.tables.wire import Refused, Snapshot, Step, TableInfo, Update

REFUSALS_KEPT = 64
"""Latest refusals remembered, so that a command sent again gets its first answer again."""
UPDATES_MAX = 32
"""Who missed more updates gets the snapshot: it is shorter."""
_NOW = SteadyClock()


class Live:
    """One table. ``lock`` is held while an entry is being written; reading needs no lock, since nothing uncommitted is ever here."""

    def __init__(self, table: str, games: Mapping[str, Game], now: Callable[[], int] = _NOW) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.hearing = asyncio.Lock()
        """Held while what somebody heard is made (``hear``): who asks for the same meanwhile waits for it."""
        self.hub = Hub()
        self.names: dict[str, str] = {}
        self.answers: dict[tuple[int, str], int] = {}
        """Version made by each command, by seat and id."""
        self.refusals: OrderedDict[tuple[int, str], Refused] = OrderedDict()
        self.held = Held()
        """What the service itself cost who is to move."""
        self.doubtful = False
        """A commit ended in the unknown: read the log before the next one."""
        self.resolving = False
        """Somebody sees to it that the log is read then; one is enough."""
        self.unreadable_after: int | None = None
        """The version after which the log could not be read when that was last told in the program's log."""
        self.distrusted: set[str] = set()
        """Bots that hung or crashed here; the simpler one plays for them."""
        self.last_events = 0
        """Number of events in the latest entry: how much there is to watch."""
        self.uses = 0
        """Requests working with it; it stays in memory while there are any."""
        self._games = games
        self._attendance = Attendance(now)
        self.hub.changed = self._attended
        self.hub.away = self.away
        self._state: State | None = None
        self._rows: list[Row] = []
        self._latest: deque[tuple[Row, State, Transition | None]] = deque(maxlen=UPDATES_MAX)
        self._steps: dict[int | None, list[Step]] = {}
        self._snapshots: dict[int | None, tuple[object, bytes]] = {}

    @property
    def loaded(self) -> bool:
        """Whether the log has been read."""
        return self._state is not None

    @property
    def state(self) -> State:
        """The state at the newest version known here."""
        assert self._state is not None
        return self._state

    @property
    def v(self) -> int:
        """The newest version known here; 0 before the log is read."""
        return 0 if self._state is None else self._state.v

    @property
    def rows(self) -> Sequence[Row]:
        """The log up to ``v``."""
        return self._rows

    def load(self, rows: Sequence[Row]) -> None:
        """Fold entries read from the store; followers hear of each. Raises ``CorruptLog``, and then takes over none of them."""
        finish(self.loading(rows))

    def loading(self, rows: Sequence[Row]) -> Generator[None, None, None]:
        """``load`` as work (``slices.py``): nothing is taken over before its end. Needs the table's lock."""
        v, state = self.v, self._state
        # Of a table that nobody can follow yet, all that matters is where it stands, and a few updates for those who come back.
        folded: deque[tuple[Row, State, Transition | None]] = deque(maxlen=None if self.loaded else UPDATES_MAX)
        for row in rows:
            state, transition = fold(self._games, state, row)
            folded.append((row, state, transition))
            yield
        if self.v != v:  # it was opened here meanwhile
            return self.load([row for row in rows if row.v > self.v])
        for row in rows[: len(rows) - len(folded)]:
            self._note(row)
        for row, after, transition in folded:
            self.apply(row, after, transition)
        return None

    def apply(self, row: Row, state: State, transition: Transition | None) -> None:
        """Take over a stored entry and tell all followers, in one go: no subscription can begin in between."""
        if isinstance(row.entry, Action):
            self.held.begin()
        before, self._state = self._state, state
        self._note(row)
        self._latest.append((row, state, transition))
        self.last_events = 0 if transition is None else len(transition.events)
        if before is None or state.seats is not before.seats or state.plans is not before.plans:
            self.hub.seated = [None if seat is None else seat.person for seat in state.seats]
            self.hub.bots = [plan.kind == "bot" for plan in state.plans]
        if self.hub:
            self._broadcast(row, state, transition)
            self.hub.turn_changed()
        for viewer, steps in self._steps.items():
            if len(steps) < state.v:
                steps.append(step(state, row.entry, transition, viewer))

    def _note(self, row: Row) -> None:
        self._rows.append(row)
        if row.command is not None and row.seat is not None:
            self.answers[row.seat, row.command] = row.v

    def _broadcast(self, row: Row, state: State, transition: Transition | None) -> None:
        if state.over or not isinstance(row.entry, Action):  # somebody sat down or resigned, or who resigned sits there again
            for subscription in self.hub:
                subscription.viewer = state.viewer_of(subscription.person)
        common = table_info(state, None, self.names, self.hub.online())
        frames = {viewer: encode_frame(self._update(row, state, transition, viewer, common)) for viewer in self.hub.audiences()}
        began = BEGAN.get()
        for subscription in self.hub:
            at_once = subscription.push(frames[subscription.viewer])
            if not began or subscription.person == row.person:
                continue
            if not at_once:
                subscription.began = subscription.began or began
            elif subscription.told is not None:
                subscription.told(began)

    def _update(self, row: Row, state: State, transition: Transition | None, viewer: int | None, common: TableInfo | None = None) -> Update:
        """An entry as a viewer hears it. ``common``: the table as everybody sees it, where this is to be written and nothing else."""
        steps = self._steps.get(viewer, [])
        own = steps[state.v - 1] if state.v <= len(steps) else step(state, row.entry, transition, viewer)
        if state.v == len(steps) + 1 and viewer in self._steps:
            steps.append(own)
        info = self.info(state, viewer) if common is None else seen_by(common, state, viewer)
        return Update(v=state.v, ply=state.ply, step=own, table=info, view=view(state, viewer, encoded=common is not None))

    # --- what a viewer gets ----------------------------------------------------------------------

    def info(self, state: State, viewer: int | None) -> TableInfo:
        """The table as a viewer sees it, at any of its states."""
        return table_info(state, viewer, self.names, self.hub.online())

    def away(self) -> tuple[int | None, ...]:
        """By seat, from when on its person can be told absent; empty where nobody can."""
        state, online = self._state, self.hub.online()
        if state is None or state.to_move is None or online[state.to_move]:
            return ()
        return away(state, self._attendance.gone(self.hub.seated, online))

    def _attended(self) -> None:
        self._attendance.note(self.hub.seated, self.hub.online())

    def snapshot(self, viewer: int | None) -> Snapshot:
        """Everything the viewer may know."""
        state = self.state
        if viewer not in self._steps:
            finish(self.hear(viewer))
        info = self.info(state, viewer)
        log = tuple(self._steps[viewer])
        return Snapshot(v=state.v, ply=state.ply, table=info, options=state.opened.options, view=view(state, viewer), log=log)

    def snapshot_frame(self, viewer: int | None) -> bytes:
        """The snapshot encoded; the same bytes for everybody of the audience as long as nothing changes."""
        key = (self.v, self.hub.online(), tuple(self.names.values()))
        kept = self._snapshots.get(viewer)
        if kept is None or kept[0] != key:
            kept = self._snapshots[viewer] = (key, encode_frame(self.snapshot(viewer)))
        return kept[1]

    def since(self, viewer: int | None, v: int) -> list[Update] | Snapshot:
        """The updates after version ``v``, or the snapshot if they are too many or ``v`` is none of this table's versions."""
        missing = self._missing(viewer, v)
        return self.snapshot(viewer) if missing is None else missing

    def is_recent(self, v: int | None) -> bool:
        """Whether who knows version ``v`` gets updates, and no snapshot."""
        return v is not None and 0 < v <= self.v and self.v - v <= UPDATES_MAX

    def _missing(self, viewer: int | None, v: int) -> list[Update] | None:
        """The updates after version ``v``, at a cost that does not grow with the game; ``None`` where the snapshot is due."""
        if not self.is_recent(v):
            return None
        return [self._update(row, state, what, viewer) for row, state, what in self._latest if row.v > v]

    def follow(self, person: str | None, since: int | None = None, limit: int = QUEUE_LIMIT) -> Subscription:
        """A new subscription, with all that it must know first in its queue."""
        subscription = self.hub.enter(self.table, person, self.state.viewer_of(person), limit)
        self.catch_up(subscription, since)
        return subscription

    def catch_up(self, subscription: Subscription, since: int | None) -> None:
        """Queue what the subscriber lacks after version ``since`` (``None``: everything)."""
        missing = None if since is None else self._missing(subscription.viewer, since)
        if missing is None:
            subscription.push(self.snapshot_frame(subscription.viewer))
            return
        for update in missing:
            subscription.push(encode_frame(update))

    def hear(self, viewer: int | None) -> Generator[None, None, None]:
        """Work: what a viewer heard from the beginning on, so that it is at hand from now on. Goes on with what comes meanwhile."""
        steps: list[Step] = []
        state: State | None = None
        for row in self._rows:
            state, transition = fold(self._games, state, row)
            steps.append(step(state, row.entry, transition, viewer))
            yield
        self._steps.setdefault(viewer, steps)

    def has_heard(self, viewer: int | None) -> bool:
        """Whether that is at hand."""
        return viewer in self._steps

    # --- answers ---------------------------------------------------------------------------------

    def keep_refusal(self, seat: int, refused: Refused) -> None:
        """Remember a refusal (its snapshot is made anew when it is sent again)."""
        assert refused.id is not None
        self.refusals[seat, refused.id] = Refused(refused.id, refused.code, refused.rule, refused.params)
        while len(self.refusals) > REFUSALS_KEPT:
            self.refusals.popitem(last=False)


class Cache:
    """The tables in memory: at most ``size`` that nobody uses or follows, the longest unused leaves first."""

    def __init__(self, games: Mapping[str, Game], size: int, now: Callable[[], int] = _NOW) -> None:
        self._games = games
        self._now = now
        self._size = size
        self._tables: OrderedDict[str, Live] = OrderedDict()

    def get(self, table: str) -> Live:
        """The table, new and unread if it was not here."""
        live = self._tables.get(table)
        if live is None:
            live = self._tables[table] = Live(table, self._games, self._now)
        self._tables.move_to_end(table)
        return live

    def peek(self, table: str) -> Live | None:
        """The table if it is here."""
        return self._tables.get(table)

    def __iter__(self) -> Iterator[Live]:
        return iter(list(self._tables.values()))

    def __len__(self) -> int:
        return len(self._tables)

    def trim(self) -> None:
        """Let go of what is not needed. Looks at a few of the oldest only, so its cost does not grow with the number in use."""
        for _ in range(min(len(self._tables) - self._size, 64)):
            table, live = next(iter(self._tables.items()))
            if live.hub or live.uses or live.lock.locked():
                self._tables.move_to_end(table)
            else:
                del self._tables[table]

    def forget(self, live: Live) -> None:
        """Drop a table that turned out not to exist or to be unreadable, unless somebody else is at it."""
        if not live.hub and not live.uses and self._tables.get(live.table) is live:
            del self._tables[live.table]
