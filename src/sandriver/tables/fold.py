"""The fold: a table's state from its log. Pure functions, no clock of their own, no I/O.

``fold(games, state, row)`` is the only way in which a state comes about, live or after a restart. Chance is derived again from the
secret and the nonces each time and must agree with what the log says; so must what the clocks say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandriver.games.contract import Game, Transition
from sandriver.tables import clock as clocks
from sandriver.tables.chance import CommittedChance, stream_key
from sandriver.tables.errors import CorruptLog
from sandriver.tables.log import (
    Absent,
    Action,
    Answered,
    Drawn,
    Entry,
    Filled,
    Flagged,
    Joined,
    NoRematch,
    Opened,
    Paused,
    Proposed,
    Rematch,
    Resigned,
    Resumed,
    Returned,
    Row,
    Said,
    Started,
    Undone,
    kind_of,
)  # fmt: skip
from sandriver.tables.proposals import undo_from
from sandriver.tables.state import MOST_PLIES, Asked, Company, Past, Seat, State, action_text, set_up
from sandriver.tables.wire import SeatPlan

MOST_BACK = 32
"""So many actions can be taken back, one after the other."""
RECENT = 20
"""Of so many things said the moment is remembered, to see whether somebody talks too fast."""


def fold(games: Mapping[str, Game], state: State | None, row: Row) -> tuple[State, Transition | None]:
    """Return the state after ``row``, and what happened if it was an action. Raises ``CorruptLog``."""
    v, entry = row.v, row.entry
    if v != (state.v + 1 if state is not None else 1) or (state is None) != isinstance(entry, Opened):
        raise CorruptLog(f"table {row.table}: entry {v} ({kind_of(entry)}) does not follow", v)
    try:
        if state is None:
            assert isinstance(entry, Opened)
            return _opened(games, row, entry), None
        if isinstance(entry, Action):
            return _action(state, entry, row)
        _check_seats(state, entry)
        return _FOLDS[type(entry)](state, entry, max(row.at, state.at)), None
    except Exception as error:  # a log can be wrong in any way, and whatever the rules make of that is no fault of theirs
        raise CorruptLog(f"table {row.table}: entry {v} ({kind_of(entry)}) does not replay: {error}", v) from error


def _opened(games: Mapping[str, Game], row: Row, entry: Opened) -> State:
    game = games[entry.game]
    if game.rules_version != entry.rules_version:
        raise ValueError(f"rules version {entry.rules_version}, this program has {game.rules_version}")
    nobody = (None,) * len(entry.seats)
    if len(entry.seats) not in game.seat_counts or len(entry.reserved or nobody) != len(nobody):
        raise ValueError("not the seats of this game")
    if entry.first is not None and not 0 <= entry.first < len(nobody):
        raise ValueError(f"there is no seat {entry.first}")
    return State(
        id=row.table,
        v=1,
        at=row.at,
        opened=entry,
        game=game,
        options=game.parse_options(entry.options),
        seats=nobody,
        plans=entry.seats,
        reserved=entry.reserved or nobody,
        clock=None if entry.clock is None else clocks.fresh(entry.clock, len(entry.seats), row.at),
    )


# --- actions -------------------------------------------------------------------------------------


def _action(state: State, entry: Action, row: Row) -> tuple[State, Transition]:
    if state.phase != "running" or state.paused_at is not None:
        raise ValueError("nobody acts before the start, after the end or in a pause")
    action = state.game.parse_action(action_text(entry.move))
    chance = CommittedChance(state.key, state.draws)
    transition = state.game.play(state.position, action, chance)
    if (transition.move, transition.seat, state.ply + 1) != (entry.move, entry.seat, entry.ply):
        raise ValueError(f"the log says {entry.move!r}, the committed shuffle {transition.move!r}")
    forced = row.command is None
    return after_action(state, transition, chance.n, row.at, entry.lag, forced=forced, held=entry.held), transition


def after_action(state: State, transition: Transition, draws: int, at: int, lag: int = 0, *, forced: bool = False, held: int = 0) -> State:
    """The state after a transition that left the stream at ``draws``: what ``fold`` returns for its entry, without playing it again.

    Raises ``ValueError`` where the clock had run out.
    """
    position, v, at = transition.after, state.v + 1, max(at, state.at)
    ply = state.ply + 1
    ended = position.outcome is not None
    over = ended or ply >= MOST_PLIES
    reveals = transition.reveals
    back: tuple[Past, ...] = ()
    if not over and len(reveals) < len(state.seats):
        seat, left = transition.seat, 0
        if state.clock is not None:
            left = clocks.remaining(state.clock, seat, at - held)
        back = (*state.back[1 - MOST_BACK :], Past(seat, forced, reveals, state.position, state.ply, state.draws, left))
    after = replace(
        state,
        v=v,
        at=at,
        position=position,
        ply=ply,
        draws=draws,
        changed=v,
        changed_at=at,
        back=back,
        over=over,
        stopped="stopped" if over and not ended else None,
        company=_acted(state.company, over),
    )
    if state.clock is None or state.opened.clock is None:
        return after
    clock = clocks.acted(state.opened.clock, state.clock, transition.seat, at, lag, _running(after), forced=forced, held=held)
    return replace(after, clock=clock)


def _acted(company: Company, over: bool = False) -> Company:  # on the way of every move
    """Nobody asks any more to take back, or to end, what has changed meanwhile; after the end, nobody asks for anything."""
    if not company.wishes and not company.asked:
        return company
    asked = tuple(each for each in company.asked if each.what in ("pause", "resume") and not over)
    return replace(company, asked=asked, declined=(), wishes=())


def _running(state: State) -> int | None:
    """The seat whose clock must run."""
    seat = None if state.paused_at is not None else state.to_move
    return None if seat is None or state.bot_at(seat) is not None else seat


def _timed(state: State) -> State:
    """The state with the right clock running."""
    return state if state.clock is None else replace(state, clock=clocks.switch(state.clock, _running(state), state.at))


# --- everything else -----------------------------------------------------------------------------


def _check_seats(state: State, entry: Entry) -> None:
    for seat in (getattr(entry, "seat", None), getattr(entry, "place", None)):
        if seat is not None and not 0 <= seat < len(state.seats):
            raise ValueError(f"there is no seat {seat}")


def _joined(state: State, entry: Joined, at: int) -> State:
    if state.seats[entry.seat] is not None:
        raise ValueError(f"seat {entry.seat} is taken")
    return replace(state, v=state.v + 1, at=at, seats=_put(state.seats, entry.seat, Seat(entry.person, entry.nonce)))


def _filled(state: State, entry: Filled, at: int) -> State:
    """The seat as its new plan has it: empty until the bot, or a person, joins."""
    place = entry.place
    taken = state.seats[place]
    if state.phase != "open" or (taken is not None and taken.person is not None):
        raise ValueError(f"seat {place} cannot be given away")
    plan = SeatPlan("person") if entry.bot is None else SeatPlan("bot", entry.bot)
    return replace(
        state,
        v=state.v + 1,
        at=at,
        plans=_put(state.plans, place, plan),
        seats=_put(state.seats, place, None),
        reserved=_put(state.reserved, place, None),
    )


def _started(state: State, entry: Started, at: int) -> State:
    if state.phase != "open" or None in state.seats:
        raise ValueError("the game cannot start now")
    key = stream_key(state.opened.secret, state.id, [seat.nonce for seat in state.seats if seat is not None])
    first, position, draws = set_up(state.game, state.options, len(state.seats), state.opened.first, key)
    if (first, state.game.format_position(position)) != (entry.first, entry.position):
        raise ValueError("the start is not the committed one")
    v = state.v + 1
    begun = replace(state, v=v, at=at, key=key, draws=draws, first=first, start=position, position=position, changed=v, changed_at=at)
    return _timed(begun)


def _out(state: State, seat: int, bot: str | None, at: int, stopped: Any) -> State:
    """A seat cannot win any more: the game is over with it, or ``bot`` plays on for it."""
    over = state.ends_with(seat)
    if state.phase != "running" or seat in state.out or over != (bot is None):
        raise ValueError(f"seat {seat} cannot leave so")
    company = state.company
    if seat in company.absent:
        company = replace(company, absent=tuple(other for other in company.absent if other != seat))
    after = replace(state, v=state.v + 1, at=at, out=(*state.out, seat), company=company)
    return _ended(after, stopped) if over else _replaced(after, seat, bot)


def _replaced(state: State, seat: int, bot: str | None) -> State:
    """From now on ``bot`` (``None``: the person themselves) plays on a seat. What was asked before is nobody's to answer now."""
    stand_ins = _put(state.stand_ins or (None,) * len(state.seats), seat, bot)
    return _timed(replace(state, stand_ins=stand_ins, back=(), company=replace(state.company, asked=())))


def _ended(state: State, stopped: Any) -> State:
    return _timed(replace(state, over=True, stopped=stopped, paused_at=None, back=(), company=replace(state.company, asked=())))


def _resigned(state: State, entry: Resigned, at: int) -> State:
    return _out(state, entry.seat, entry.bot, at, "resigned")


def _flagged(state: State, entry: Flagged, at: int) -> State:
    if state.clock is None or state.clock.running != entry.seat or not clocks.is_due(state.clock, at):
        raise ValueError(f"the flag of seat {entry.seat} had not fallen")
    company = replace(state.company, flagged=(*state.company.flagged, entry.seat))
    return _out(replace(state, company=company), entry.seat, entry.bot, at, "time")


def _absent(state: State, entry: Absent, at: int) -> State:
    seat = entry.place
    if state.phase != "running" or seat not in state.playing:
        raise ValueError(f"seat {seat} cannot be absent")
    after = _out(state, seat, None, at, "absence") if entry.bot is None else replace(state, v=state.v + 1, at=at)
    after = replace(after, company=replace(after.company, absent=(*after.company.absent, seat)))
    return after if entry.bot is None else _replaced(after, seat, entry.bot)


def _returned(state: State, entry: Returned, at: int) -> State:
    absent = state.company.absent
    if state.phase != "running" or entry.seat not in absent:
        raise ValueError(f"seat {entry.seat} was not absent")
    company = replace(state.company, absent=tuple(seat for seat in absent if seat != entry.seat))
    return _replaced(replace(state, v=state.v + 1, at=at, company=company, changed_at=at), entry.seat, None)


def _proposed(state: State, entry: Proposed, at: int) -> State:
    company, v = state.company, state.v + 1
    if state.phase != "running" or any(each.what == entry.what for each in company.asked):
        raise ValueError("nobody can ask for that now")
    asked = (*company.asked, Asked(entry.what, entry.seat, v, (entry.seat,)))
    return replace(state, v=v, at=at, company=replace(company, asked=asked, wishes=(*company.wishes, entry.seat)))


def _answered(state: State, entry: Answered, at: int) -> State:
    company = state.company
    proposal = next((each for each in company.asked if each.what == entry.what), None)
    if proposal is None:
        raise ValueError("nobody asked for that")
    asked = [each for each in company.asked if each is not proposal]
    declined = company.declined
    if entry.yes:
        asked.append(replace(proposal, agreed=(*proposal.agreed, entry.seat)))
    elif entry.seat != proposal.seat:
        declined = (*declined, (proposal.seat, proposal.what))
    return replace(state, v=state.v + 1, at=at, company=replace(company, asked=tuple(asked), declined=declined))


def _drawn(state: State, _entry: Drawn, at: int) -> State:
    if state.phase != "running":
        raise ValueError("no game runs")
    return _ended(replace(state, v=state.v + 1, at=at), "agreed")


def _undone(state: State, entry: Undone, at: int) -> State:
    index = undo_from(state, entry.seat)
    if index is None or state.back[index].ply != entry.ply:
        raise ValueError("that cannot be taken back")
    past, v = state.back[index], state.v + 1
    company = replace(_acted(state.company), undos=state.company.undos + 1)
    after = replace(
        state,
        v=v,
        at=at,
        position=past.position,
        ply=past.ply,
        draws=past.draws,
        changed=v,
        changed_at=at,
        back=state.back[:index],
        company=company,
    )
    if state.clock is None or state.opened.clock is None:
        return after
    taken = [each for each in state.back[index:] if not each.forced and state.bot_at(each.seat) is None]
    had = {each.seat: each.left for each in reversed(taken)}  # of several actions of a seat, before the first
    return replace(
        after, clock=clocks.undone(state.opened.clock, state.clock, Counter(each.seat for each in taken), had, _running(after), at)
    )


def _paused(state: State, _entry: Paused, at: int) -> State:
    if state.phase != "running" or state.clock is None or state.paused_at is not None:
        raise ValueError("there is nothing to pause")
    return _timed(replace(state, v=state.v + 1, at=at, paused_at=at, company=replace(state.company, asked=())))


def _resumed(state: State, _entry: Resumed, at: int) -> State:
    if state.phase != "running" or state.paused_at is None:
        raise ValueError("there is no pause")
    company = replace(state.company, asked=(), declined=(), wishes=())
    return _timed(replace(state, v=state.v + 1, at=at, paused_at=None, changed_at=at, company=company))


def _said(state: State, entry: Said, at: int) -> State:
    company = state.company
    recent = (*company.recent[1 - RECENT :], (entry.seat, at))
    return replace(state, v=state.v + 1, at=at, company=replace(company, said=company.said + 1, recent=recent))


def _rematch(state: State, entry: Rematch, at: int) -> State:
    if entry.table is not None:
        return replace(state, v=state.v + 1, at=at, next_table=entry.table)
    if entry.seat is None:
        raise ValueError("nobody asked")
    unwilling = tuple(seat for seat in state.unwilling if seat != entry.seat)
    return replace(state, v=state.v + 1, at=at, asked=(*state.asked, entry.seat), unwilling=unwilling)


def _no_rematch(state: State, entry: NoRematch, at: int) -> State:
    if entry.seat in (*state.asked, *state.unwilling):
        raise ValueError("that was said already")
    return replace(state, v=state.v + 1, at=at, unwilling=(*state.unwilling, entry.seat))


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


_FOLDS: dict[type, Callable[[State, Any, int], State]] = {
    Joined: _joined,
    Filled: _filled,
    Started: _started,
    Resigned: _resigned,
    Flagged: _flagged,
    Proposed: _proposed,
    Answered: _answered,
    Drawn: _drawn,
    Undone: _undone,
    Paused: _paused,
    Resumed: _resumed,
    Absent: _absent,
    Returned: _returned,
    Said: _said,
    Rematch: _rematch,
    NoRematch: _no_rematch,
}
"""How each kind of entry changes the state. ``Opened`` begins one, ``Action`` has its own way."""
