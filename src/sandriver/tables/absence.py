"""Who is not there: flags that fall, and people who must act but have been away too long. Pure; who is here is told from outside."""

from __future__ import annotations

from collections.abc import Sequence

from sandriver.tables import clock as clocks
from sandriver.tables.decisions import Decision, House, chain
from sandriver.tables.errors import Refusal
from sandriver.tables.log import Absent, Entry, Flagged, Returned
from sandriver.tables.proposals import check_playing
from sandriver.tables.state import State
from sandriver.tables.wire import Claim

AWAY_MS, AWAY_TIMED_MS = 120_000, 30_000
"""So long must who is to move have been away before others may say so; the second one where clocks run."""


def fallen(house: House, state: State, at: int, held: int = 0) -> Decision | None:
    """The fall of the flag that is due, if one is. ``held``: ms that the clock is not charged for."""
    if state.clock is None or state.over or not clocks.is_due(state.clock, at - held) or state.clock.running is None:
        return None
    seat = state.clock.running
    entry = Flagged(seat, None if state.ends_with(seat) else house.stand_in(state.opened.game))
    return Decision(chain(house.games, state, [entry], None, None, at))


def away(state: State, gone: Sequence[int | None]) -> tuple[int | None, ...]:
    """By seat, from when on its person can be told absent; empty where nobody can. ``gone``: by seat, since when nobody is connected."""
    seat = state.to_move
    if seat is None or state.paused_at is not None or seat not in state.playing or len(state.playing) < 2:
        return ()
    since = gone[seat]
    if since is None:
        return ()
    when = max(since, state.changed_at) + (AWAY_MS if state.clock is None else AWAY_TIMED_MS)
    return tuple(when if other == seat else None for other in range(len(state.seats)))


def claim(house: House, state: State, seat: int, command: Claim, at: int, away: Sequence[int | None]) -> list[Entry]:
    """The entry that a claim leads to. Raises ``Refusal``: ``forbidden`` (``here``) where the person has not been away long enough."""
    check_playing(state, seat)
    if not 0 <= command.seat < len(state.seats) or command.seat == seat:
        raise Refusal("bad_request", rule="seat")
    if command.to == "win" and len(state.seats) > 2:
        raise Refusal("bad_request", rule="to")
    if state.paused_at is not None:
        raise Refusal("not_running", rule="paused")
    since = away[command.seat] if away else None
    if since is None or at < since:
        raise Refusal("forbidden", rule="here", params={} if since is None else {"seconds": (since - at + 999) // 1000})
    return [Absent(seat, command.seat, None if command.to == "win" else house.stand_in(state.opened.game))]


def come_back(state: State, seat: int) -> list[Entry]:
    """The entry with which somebody takes over again; none if they were not away. Raises ``Refusal``."""
    if state.phase == "over":
        raise Refusal("game_over")
    return [Returned(seat)] if seat in state.company.absent else []
