"""The state of a table: what its log has led to (``fold.py``), and what follows from it. Pure, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from sandriver.games.contract import Game, Outcome
from sandriver.tables.chance import CommittedChance
from sandriver.tables.clock import Clock
from sandriver.tables.log import Opened
from sandriver.tables.wire import ChatMode, SeatPlan, What

MOST_PLIES = 5_000
"""A game that has gone on for so many actions is stopped, a draw: no game needs them, but options may allow one without an end."""


class Seat(msgspec.Struct, frozen=True):
    """Who sits on one seat, once somebody does."""

    person: str | None
    nonce: str


class Past(msgspec.Struct, frozen=True):
    """The table before an action, to which an undo can lead back."""

    seat: int
    """Who acted then."""
    forced: bool
    """The action played itself."""
    reveals: tuple[int, ...]
    """Seats that learned something from it."""
    position: Any
    ply: int
    draws: int
    left: int = 0
    """Ms that the seat had left when it acted."""


class Asked(msgspec.Struct, frozen=True):
    """A proposal that awaits consent."""

    what: What
    seat: int
    v: int
    agreed: tuple[int, ...]


class Company(msgspec.Struct, frozen=True):
    """What people have done at the table besides acting."""

    asked: tuple[Asked, ...] = ()
    declined: tuple[tuple[int, What], ...] = ()
    """Who was told no about what, since the latest action."""
    wishes: tuple[int, ...] = ()
    """Proposals since the latest action."""
    undos: int = 0
    flagged: tuple[int, ...] = ()
    """Seats that ran out of time."""
    absent: tuple[int, ...] = ()
    """Seats for whose absent person a bot plays, or whose absence ended the game."""
    said: int = 0
    recent: tuple[tuple[int, int], ...] = ()
    """The latest things said: (seat, when)."""


ALONE = Company()


class State(msgspec.Struct, frozen=True):
    """A table after entry ``v`` of its log. Holds the secret: never sent anywhere, see the projections below."""

    id: str
    v: int
    at: int
    """When that entry was written, ms since 1970."""
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
    changed: int = 0
    """The version that led to this position: names it, which ``ply`` does not once something was taken back."""
    changed_at: int = 0
    back: tuple[Past, ...] = ()
    """The latest actions, as long as not all have learned something from one of them, and nobody else has taken over a seat."""
    clock: Clock | None = None
    """``None``: untimed."""
    paused_at: int | None = None
    out: tuple[int, ...] = ()
    """Seats that cannot win any more (they gave up, ran out of time, or lost by their absence), in that order."""
    company: Company = ALONE
    stand_ins: tuple[str | None, ...] = ()
    """By seat, the bot that plays on for it; empty as long as none does."""
    over: bool = False
    stopped: Literal["resigned", "time", "absence", "agreed", "stopped"] | None = None
    """Why it is over, if not by the rules of the game."""
    asked: tuple[int, ...] = ()
    """Seats that want a rematch, in the order in which they asked."""
    unwilling: tuple[int, ...] = ()
    """Seats that said they want none, and have not asked for one since."""
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
        """The seat as which a person sees the table. Who is out of a game that goes on watches it like everybody else."""
        return self.viewer_at(self.seat_of(person))

    def viewer_at(self, seat: int | None) -> int | None:
        """As ``viewer_of``, for the person on a seat."""
        return None if seat in self.out and not self.over else seat

    def bot_at(self, seat: int | None) -> str | None:
        """The id of the bot that plays on a seat, also for somebody who is out or absent; ``None``: a person does."""
        if seat is None:
            return None
        return self.plans[seat].bot or (self.stand_ins[seat] if self.stand_ins else None)

    @property
    def bot_to_move(self) -> str | None:
        """The id of the bot that must act now."""
        return None if self.paused_at is not None else self.bot_at(self.to_move)

    @property
    def playing(self) -> tuple[int, ...]:
        """Seats on which a person plays: whose consent counts."""
        company = self.company
        return tuple(
            seat
            for seat, plan in enumerate(self.plans)
            if plan.kind == "person" and self.seats[seat] is not None and seat not in self.out and seat not in company.absent
        )

    @property
    def chat(self) -> ChatMode:
        """What people may say to each other; nothing where there is only one."""
        return self.opened.chat if sum(plan.kind == "person" for plan in self.plans) > 1 else "off"

    @property
    def inviting(self) -> bool:
        """Whether somebody with the code could still sit down."""
        if self.phase != "open" or self.opened.code is None:
            return False
        return any(taken is None and kept is None for taken, kept in zip(self.seats, self.reserved, strict=True))

    def ends_with(self, seat: int) -> bool:
        """Whether the game is over if this seat is out too: then one alone, or no person, is left to play it."""
        left = [other for other in range(len(self.seats)) if other != seat and other not in self.out]
        return len(left) == 1 or all(self.plans[other].kind == "bot" for other in left)

    @property
    def ended_by(self) -> str | None:
        """How it ended: the game's reason code, or why it was over before."""
        return None if not self.over else self.stopped or str(self.position.outcome.reason)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that won, once over."""
        return winners_of(self.position.outcome, len(self.seats), self.out) if self.over else ()

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


def winners_of(outcome: Outcome | None, seats: int, out: Sequence[int]) -> tuple[int, ...]:
    """The seats that won: never one that is out, whatever its bot achieved. ``outcome`` is ``None`` for a game that was stopped.

    If only such seats won by the rules, it is the best of the others by points.
    """
    left = [seat for seat in range(seats) if seat not in out]
    if outcome is None:
        return tuple(left)
    if not out or any(seat in left for seat in outcome.winners):
        return tuple(seat for seat in outcome.winners if seat in left)
    best = max(outcome.scores[seat] for seat in left)
    return tuple(seat for seat in left if outcome.scores[seat] == best)


def action_text(move: str) -> str:
    """The action in a move: what stands before its chance."""
    return move.partition(">")[0]
