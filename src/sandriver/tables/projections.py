"""What each viewer (a seat, or ``None``) may know of a table: its log as heard, the view, the table apart from the position. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from sandriver.games.contract import Transition
from sandriver.tables.clock import clock_info
from sandriver.tables.log import Absent, Action, Answered, Entry, Filled, Proposed, Said, Started, Undone, kind_of
from sandriver.tables.proposals import can_undo, free_at
from sandriver.tables.state import State
from sandriver.tables.wire import ClockInfo, Proposal, RematchInfo, SeatInfo, Step, TableInfo


def step(state: State, entry: Entry, transition: Transition | None, viewer: int | None) -> Step:
    """The entry that led to ``state``, as the viewer may hear it. Never a nonce, a secret or hidden chance."""
    kind, v = kind_of(entry), state.v
    if isinstance(entry, Action):
        assert transition is not None
        heard = state.game.hear(transition, viewer)
        return Step(v=v, kind="action", seat=entry.seat, ply=entry.ply, move=heard.move, events=heard.events)
    if isinstance(entry, Said):
        if viewer is None:  # who watches hears that they talk, not what
            return Step(v=v, kind="said", seat=entry.seat)
        return Step(v=v, kind="said", seat=entry.seat, phrase=entry.phrase, text=entry.text)  # type: ignore[arg-type]  # checked when said
    if isinstance(entry, Proposed | Answered):
        return Step(v=v, kind=kind, seat=entry.seat, what=entry.what, yes=getattr(entry, "yes", None))  # type: ignore[arg-type]
    if isinstance(entry, Undone):
        return Step(v=v, kind="undone", seat=entry.seat, ply=entry.ply)
    seat = (
        entry.place if isinstance(entry, Filled | Absent) else entry.first if isinstance(entry, Started) else getattr(entry, "seat", None)
    )
    return Step(v=v, kind=kind, seat=seat)  # type: ignore[arg-type]  # the tags are exactly the kinds


def view(state: State, viewer: int | None, *, encoded: bool = False) -> msgspec.Struct | None:
    """The game's view, with every choice explained to a seat; at a table that is over, by resignation too, nobody has any."""
    if state.position is None:
        return None
    return state.game.view(state.position, viewer, assist=viewer is not None, stopped=state.over, encoded=encoded)


def table_info(state: State, viewer: int | None, names: Mapping[str, str], online: Sequence[bool]) -> TableInfo:
    """The table apart from the position, for a viewer. ``names`` by person id; ``online`` by seat, bots are always there."""
    opened, phase = state.opened, state.phase
    common = TableInfo(
        id=state.id,
        game=opened.game,
        rules_version=opened.rules_version,
        state=phase,
        seats=tuple([_seat_info(state, seat, names, online) for seat in range(len(state.seats))]),
        you=None,
        owner=state.seat_of(opened.owner),
        first=opened.first if state.first is None else state.first,
        to_move=state.to_move,
        commitment=opened.commitment,
        secret=opened.secret if phase == "over" else None,
        code=None,
        ended_by=state.ended_by,
        winners=state.winners,
        rematch=RematchInfo(asked_by=state.asked, table=state.next_table, declined_by=state.unwilling),
        chat=state.chat,
        clock=_clock(state),
        proposals=_proposals(state),
    )
    return seen_by(common, state, viewer)


def seen_by(common: TableInfo, state: State, viewer: int | None) -> TableInfo:
    """What everybody sees of a table, with what a viewer sees besides."""
    if viewer is None:
        return common
    code = state.opened.code if state.inviting else None
    return replace(common, you=viewer, code=code, undo=bool(state.back) and can_undo(state, viewer))


def _seat_info(state: State, seat: int, names: Mapping[str, str], online: Sequence[bool]) -> SeatInfo:
    plan, taken, company = state.plans[seat], state.seats[seat], state.company
    if plan.kind == "bot":
        return SeatInfo("bot", plan.bot or "", True)
    if taken is None:
        kept_for = state.reserved[seat]
        return SeatInfo("open", names.get(kept_for or "", ""), False, kept=kept_for is not None)
    flagged, absent = seat in company.flagged, seat in company.absent
    gave_up = seat in state.out and not flagged and not absent
    return SeatInfo("person", names.get(taken.person or "", ""), online[seat], resigned=gave_up, flagged=flagged, absent=absent)


def _clock(state: State) -> ClockInfo | None:
    if state.clock is None or state.opened.clock is None:
        return None
    return clock_info(state.opened.clock, state.clock, state.paused_at is not None, free_at(state))


def _proposals(state: State) -> tuple[Proposal, ...]:
    if not state.company.asked:
        return ()
    playing = state.playing
    return tuple(
        Proposal(each.what, each.seat, each.v, tuple(seat for seat in playing if seat not in each.agreed)) for each in state.company.asked
    )
