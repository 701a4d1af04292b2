"""The fold: a table's state from its log, and what each viewer may know of it. Pure functions, no clock, no I/O.

``fold(games, state, row)`` is the only way in which a state comes about, live or after a restart. Chance is derived again from the
secret and the nonces each time and must agree with what the log says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from sandriver.games.contract import Game, Outcome, Transition
from sandriver.games.errors import GameError
from sandriver.tables.chance import CommittedChance, stream_key
from sandriver.tables.errors import CorruptLog
from sandriver.tables.log import Action, Entry, Filled, Joined, Opened, Rematch, Resigned, Row, Started, kind_of
from sandriver.tables.wire import RematchInfo, SeatInfo, SeatPlan, Step, TableInfo

MOST_PLIES = 5_000
"""A game that has gone on for so many actions is stopped, a draw: no game needs them, but options may allow one without an end."""


class Seat(msgspec.Struct, frozen=True):
    """Who sits on one seat, once somebody does."""

    person: str | None
    nonce: str


class State(msgspec.Struct, frozen=True):
    """A table after entry ``v`` of its log. Holds the secret: never sent anywhere, see the projections below."""

    id: str
    v: int
    opened: Opened
    game: Game
    options: Any
    seats: tuple[Seat | None, ...]
    plans: tuple[SeatPlan, ...]
    """Who may take each seat, as the owner wants it now."""
    reserved: tuple[str | None, ...]
    """Person for whom each seat is kept."""
    key: bytes = b""
    """Key of the committed stream, once all nonces are known."""
    draws: int = 0
    """Draws made so far, so the number of the next one."""
    first: int | None = None
    start: Any = None
    position: Any = None
    ply: int = 0
    resigned: tuple[int, ...] = ()
    """Seats that gave up, in that order."""
    stand_ins: tuple[str | None, ...] = ()
    """By seat, the bot that plays on for it; empty as long as none does."""
    over: bool = False
    stopped: Literal["resigned", "stopped"] | None = None
    """Why it is over, if not by the rules of the game."""
    asked: tuple[int, ...] = ()
    """Seats that want a rematch, in the order in which they asked."""
    next_table: str | None = None

    @property
    def phase(self) -> Literal["open", "running", "over"]:
        """Where in its life the table is."""
        if self.over:
            return "over"
        return "open" if self.position is None else "running"

    @property
    def to_move(self) -> int | None:
        """The seat that must act, ``None`` while no game runs."""
        return None if self.over or self.position is None else self.position.to_move

    def seat_of(self, person: str | None) -> int | None:
        """The seat of a person, ``None`` for everybody else."""
        if person is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.person == person:
                return number
        return None

    def viewer_of(self, person: str | None) -> int | None:
        """The seat as which a person sees the table. Who resigned from a game that goes on watches it like everybody else."""
        return self.viewer_at(self.seat_of(person))

    def viewer_at(self, seat: int | None) -> int | None:
        """As ``viewer_of``, for the person on a seat."""
        return None if seat in self.resigned and not self.over else seat

    def bot_at(self, seat: int | None) -> str | None:
        """The id of the bot that plays on a seat, also for somebody who resigned; ``None``: a person does."""
        if seat is None:
            return None
        return self.plans[seat].bot or (self.stand_ins[seat] if self.stand_ins else None)

    @property
    def inviting(self) -> bool:
        """Whether somebody with the code could still sit down."""
        if self.phase != "open" or self.opened.code is None:
            return False
        return any(taken is None and kept is None for taken, kept in zip(self.seats, self.reserved, strict=True))

    def ends_with(self, seat: int) -> bool:
        """Whether the game is over if this seat resigns too: then one alone, or no person, is left to play it."""
        left = [other for other in range(len(self.seats)) if other != seat and other not in self.resigned]
        return len(left) == 1 or all(self.plans[other].kind == "bot" for other in left)

    @property
    def ended_by(self) -> str | None:
        """How it ended: the game's reason code, ``resigned`` or ``stopped``."""
        return None if not self.over else self.stopped or str(self.position.outcome.reason)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that won, once over."""
        return winners_of(self.position.outcome, len(self.seats), self.resigned) if self.over else ()

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of everybody whose name the table shows: who sits there and for whom a seat is kept."""
        seated = [seat.person for seat in self.seats if seat is not None]
        return tuple(dict.fromkeys(person for person in (*seated, *self.reserved) if person is not None))


def set_up(game: Game, options: Any, seats: int, first: int | None, key: bytes) -> tuple[int, Any, int]:
    """Draw the first seat (unless fixed) and deal: (first seat, start position, draws made). Live tables and ``verify`` share it."""
    chance = CommittedChance(key)
    beginner = chance.draw([1] * seats) if first is None else first
    position = game.start(options, seats, beginner, chance)
    return beginner, position, chance.n


def winners_of(outcome: Outcome | None, seats: int, resigned: Sequence[int]) -> tuple[int, ...]:
    """The seats that won: never one that resigned, whatever its bot achieved. ``outcome`` is ``None`` for a game that was stopped.

    If only such seats won by the rules, it is the best of the others by points.
    """
    left = [seat for seat in range(seats) if seat not in resigned]
    if outcome is None:
        return tuple(left)
    if not resigned or any(seat in left for seat in outcome.winners):
        return tuple(seat for seat in outcome.winners if seat in left)
    best = max(outcome.scores[seat] for seat in left)
    return tuple(seat for seat in left if outcome.scores[seat] == best)


def action_text(move: str) -> str:
    """The action in a move: what stands before its chance."""
    return move.partition(">")[0]


def fold(games: Mapping[str, Game], state: State | None, row: Row) -> tuple[State, Transition | None]:
    """Return the state after ``row``, and what happened if it was an action. Raises ``CorruptLog``."""
    v, entry = row.v, row.entry
    if v != (state.v + 1 if state is not None else 1) or (state is None) != isinstance(entry, Opened):
        raise CorruptLog(f"table {row.table}: entry {v} ({kind_of(entry)}) does not follow")
    try:
        if state is None:
            assert isinstance(entry, Opened)
            return _opened(games, row.table, entry), None
        if isinstance(entry, Action):
            return _action(state, entry)
        return _other(state, entry), None
    except (GameError, KeyError, IndexError, ValueError) as error:
        raise CorruptLog(f"table {row.table}: entry {v} ({kind_of(entry)}) does not replay: {error}") from error


def _opened(games: Mapping[str, Game], table: str, entry: Opened) -> State:
    game = games[entry.game]
    if game.rules_version != entry.rules_version:
        raise ValueError(f"rules version {entry.rules_version}, this program has {game.rules_version}")
    nobody = (None,) * len(entry.seats)
    return State(
        id=table,
        v=1,
        opened=entry,
        game=game,
        options=game.parse_options(entry.options),
        seats=nobody,
        plans=entry.seats,
        reserved=entry.reserved or nobody,
    )


def _action(state: State, entry: Action) -> tuple[State, Transition]:
    action = state.game.parse_action(action_text(entry.move))
    chance = CommittedChance(state.key, state.draws)
    transition = state.game.play(state.position, action, chance)
    if (transition.move, transition.seat, state.ply + 1) != (entry.move, entry.seat, entry.ply):
        raise ValueError(f"the log says {entry.move!r}, the committed shuffle {transition.move!r}")
    return after_action(state, transition, chance.n), transition


def after_action(state: State, transition: Transition, draws: int) -> State:
    """The state after a transition that left the stream at ``draws``: what ``fold`` returns for its entry, without playing it again."""
    position = transition.after
    ply = state.ply + 1
    ended = position.outcome is not None
    over = ended or ply >= MOST_PLIES
    stopped = "stopped" if over and not ended else None
    return replace(state, v=state.v + 1, position=position, ply=ply, draws=draws, over=over, stopped=stopped)


def _other(state: State, entry: Entry) -> State:
    v = state.v + 1
    if isinstance(entry, Joined):
        seats = list(state.seats)
        if seats[entry.seat] is not None:
            raise ValueError(f"seat {entry.seat} is taken")
        seats[entry.seat] = Seat(entry.person, entry.nonce)
        return replace(state, v=v, seats=tuple(seats))
    if isinstance(entry, Filled):
        return _filled(state, entry)
    if isinstance(entry, Started):
        key = stream_key(state.opened.secret, state.id, [seat.nonce for seat in state.seats if seat is not None])
        first, position, draws = set_up(state.game, state.options, len(state.seats), state.opened.first, key)
        if (first, state.game.format_position(position)) != (entry.first, entry.position):
            raise ValueError("the start is not the committed one")
        return replace(state, v=v, key=key, draws=draws, first=first, start=position, position=position)
    if isinstance(entry, Resigned):
        return _resigned(state, entry)
    if isinstance(entry, Rematch):
        if entry.table is not None:
            return replace(state, v=v, next_table=entry.table)
        assert entry.seat is not None
        return replace(state, v=v, asked=(*state.asked, entry.seat))
    raise ValueError("opened twice")


def _filled(state: State, entry: Filled) -> State:
    """The seat as its new plan has it: empty until the bot, or a person, joins."""
    taken = state.seats[entry.place]
    if state.phase != "open" or (taken is not None and taken.person is not None):
        raise ValueError(f"seat {entry.place} cannot be given away")

    def put(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
        return (*values[: entry.place], value, *values[entry.place + 1 :])

    plan = SeatPlan("person") if entry.bot is None else SeatPlan("bot", entry.bot)
    return replace(state, v=state.v + 1, plans=put(state.plans, plan), seats=put(state.seats, None), reserved=put(state.reserved, None))


def _resigned(state: State, entry: Resigned) -> State:
    over = state.ends_with(entry.seat)
    if entry.seat in state.resigned or over != (entry.bot is None):
        raise ValueError(f"seat {entry.seat} cannot resign so")
    resigned = (*state.resigned, entry.seat)
    if over:
        return replace(state, v=state.v + 1, resigned=resigned, over=True, stopped="resigned")
    stand_ins = list(state.stand_ins or (None,) * len(state.seats))
    stand_ins[entry.seat] = entry.bot
    return replace(state, v=state.v + 1, resigned=resigned, stand_ins=tuple(stand_ins))


# --- projections: what a viewer (a seat, or None) may know ---------------------------------------


def step(state: State, entry: Entry, transition: Transition | None, viewer: int | None) -> Step:
    """The entry that led to ``state``, as the viewer may hear it. Never a nonce, a secret or hidden chance."""
    kind = kind_of(entry)
    if isinstance(entry, Action):
        assert transition is not None
        heard = state.game.hear(transition, viewer)
        return Step(v=state.v, kind="action", seat=entry.seat, ply=entry.ply, move=heard.move, events=heard.events)
    if isinstance(entry, Filled):
        return Step(v=state.v, kind="filled", seat=entry.place)
    seat = entry.first if isinstance(entry, Started) else getattr(entry, "seat", None)
    return Step(v=state.v, kind=kind, seat=seat)  # type: ignore[arg-type]  # the tags are exactly the kinds


def view(state: State, viewer: int | None) -> msgspec.Struct | None:
    """The game's view, with every choice explained to a seat; at a table that is over, by resignation too, nobody has any."""
    if state.position is None:
        return None
    return state.game.view(state.position, viewer, assist=viewer is not None, stopped=state.over)


def table_info(state: State, viewer: int | None, names: Mapping[str, str], online: Sequence[bool]) -> TableInfo:
    """The table apart from the position, for a viewer. ``names`` by person id; ``online`` by seat, bots are always there."""
    opened, phase = state.opened, state.phase
    seats = []
    for number, plan in enumerate(state.plans):
        taken = state.seats[number]
        if plan.kind == "bot":
            seats.append(SeatInfo("bot", plan.bot or "", True))
        elif taken is not None:
            seats.append(SeatInfo("person", names.get(taken.person or "", ""), online[number], resigned=number in state.resigned))
        else:
            kept_for = state.reserved[number]
            seats.append(SeatInfo("open", names.get(kept_for or "", ""), False, kept=kept_for is not None))
    return TableInfo(
        id=state.id,
        game=opened.game,
        rules_version=opened.rules_version,
        state=phase,
        seats=tuple(seats),
        you=viewer,
        owner=state.seat_of(opened.owner),
        first=state.first,
        to_move=state.to_move,
        commitment=opened.commitment,
        secret=opened.secret if phase == "over" else None,
        code=opened.code if viewer is not None and state.inviting else None,
        ended_by=state.ended_by,
        winners=state.winners,
        rematch=RematchInfo(asked_by=state.asked, table=state.next_table),
    )
