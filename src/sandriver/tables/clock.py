"""The clocks of a table: pure arithmetic on milliseconds, and the steady time by which a service goes.

Only what the log says counts: when each entry was written, by the service's own time. What a client believes is never asked.

- **fischer**: every person has ``base_s`` for the whole game and gets ``increment_s`` after each own action.
- **per_move**: every action has ``base_s``, nothing is carried over.

A clock runs while its person is to move; the first one from the start of the game. Bots, and bots that stand in for somebody, have
none: while one is to move, no clock runs. Actions that play themselves take no time and earn none. In a pause all stand still.

Slow connections: an action that arrives after the deadline is still taken if the seat's *credit* covers the delay, which it then uses up.
The credit is small, never grows above ``CREDIT_MOST``, and comes back a little with every own action; nobody has to prove anything for it.

A slow service: time in which it could not store an action that it had received is charged to nobody (``held.py``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from sandriver.tables.wire import ClockInfo, ClockPlan

CREDIT_FIRST, CREDIT_MOST, CREDIT_BACK = 500, 1000, 100
"""Ms of credit at the start, at most, and regained with each own action."""
LEAST_AFTER_UNDO = 5_000
"""Ms that taking an action back leaves to everybody who had as much before it."""
LIMITS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "fischer": {"base_s": (10, 4 * 3600), "increment_s": (0, 300)},
    "per_move": {"base_s": (5, 7 * 86_400), "increment_s": (0, 0)},
}
"""By kind, the least and the most of each number."""


class Clock(msgspec.Struct, frozen=True):
    """All clocks of a table at the moment ``at``."""

    left: tuple[int, ...]
    """Ms by seat, never negative; the running one counts down from here."""
    credit: tuple[int, ...]
    """Ms by seat by which an action may still be late."""
    running: int | None
    at: int


def wrong(plan: ClockPlan) -> Literal["base_s", "increment_s"] | None:
    """The field of a plan that is out of its limits."""
    fields: tuple[Literal["base_s", "increment_s"], ...] = ("base_s", "increment_s")
    for field in fields:
        least, most = LIMITS[plan.kind][field]
        if not least <= getattr(plan, field) <= most:
            return field
    return None


def fresh(plan: ClockPlan, seats: int, at: int) -> Clock:
    """The clocks before the start, none running."""
    return Clock((1000 * plan.base_s,) * seats, (CREDIT_FIRST,) * seats, None, at)


def deadline(clock: Clock) -> int | None:
    """When the running clock is at zero."""
    return None if clock.running is None else clock.at + clock.left[clock.running]


def falls_after(clock: Clock) -> int | None:
    """The last moment at which an action of the running seat is taken; after it, the flag falls."""
    return None if clock.running is None else clock.at + clock.left[clock.running] + clock.credit[clock.running]


def is_due(clock: Clock, now: int) -> bool:
    """Whether the flag of the running seat falls."""
    last = falls_after(clock)
    return last is not None and now > last


def lag(clock: Clock, seat: int, at: int, held: int = 0) -> int:
    """By how much an action of the seat is late: what it takes from the credit. ``held``: ms that are not charged."""
    return max(0, at - clock.at - held - clock.left[seat]) if clock.running == seat else 0


def remaining(clock: Clock, seat: int, now: int) -> int:
    """Ms that a seat has left, never negative."""
    return max(0, clock.left[seat] - (max(0, now - clock.at) if clock.running == seat else 0))


def switch(clock: Clock, running: int | None, at: int) -> Clock:
    """The clocks when ``running`` (``None``: nobody) is to move from ``at`` on without an action: a pause, its end, a stand-in."""
    if running == clock.running:
        return clock
    return Clock(_charged(clock, at), clock.credit, running, max(at, clock.at))


def acted(
    plan: ClockPlan, clock: Clock, seat: int, at: int, late: int, running: int | None, *, forced: bool = False, held: int = 0
) -> Clock:
    """The clocks after an action of ``seat``, late by ``late``, after which ``running`` is to move.

    ``held``: ms of the time since then that the service itself took, which nobody is charged for. Raises ``ValueError`` where the action
    came after the flag, or ``late`` is not what it was late by.
    """
    left, credit = list(clock.left), list(clock.credit)
    if clock.running == seat:
        if late != lag(clock, seat, at, held) or late > credit[seat]:
            raise ValueError(f"seat {seat} had no time left")
        left[seat] -= min(left[seat], max(0, at - clock.at - held))
        if not forced:
            left[seat] += 1000 * plan.increment_s
            credit[seat] = min(CREDIT_MOST, credit[seat] - late + CREDIT_BACK)
    if plan.kind == "per_move":
        left[seat] = 1000 * plan.base_s
    return Clock(tuple(left), tuple(credit), running, max(at, clock.at))


def undone(plan: ClockPlan, clock: Clock, actions: Mapping[int, int], had: Mapping[int, int], running: int | None, at: int) -> Clock:
    """The clocks after actions (by seat, how many of its own) were taken back. ``had``: ms that each of these seats had left before them.

    Time that was spent stays spent, and nobody gains any. What the actions earned is taken back, but for the last ``LEAST_AFTER_UNDO``; by
    ``per_move`` a seat whose action was taken back goes on with what it had left of that action's time.
    """
    left = list(_charged(clock, at))
    if plan.kind == "per_move":
        left = [had.get(seat, 1000 * plan.base_s) for seat in range(len(left))]
    else:
        for seat, count in actions.items():
            left[seat] = max(left[seat] - 1000 * plan.increment_s * count, min(left[seat], had[seat], LEAST_AFTER_UNDO))
    return Clock(tuple(left), clock.credit, running, max(at, clock.at))


def _charged(clock: Clock, at: int) -> tuple[int, ...]:
    return tuple(remaining(clock, seat, at) for seat in range(len(clock.left)))


def clock_info(plan: ClockPlan, clock: Clock, paused: bool, free_at: int | None) -> ClockInfo:
    """The clocks as everybody may see them."""
    return ClockInfo(plan, clock.at, clock.left, clock.running, deadline(clock), paused, free_at)


class SteadyClock:
    """Milliseconds since 1970 that never go back or jump: the system's time at the start, and from then on what has really passed.

    Processes that share a store should agree on the time to within a fraction of a second (NTP does).
    """

    def __init__(self, wall_ns: Callable[[], int] = time.time_ns, steady_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._offset = wall_ns() - steady_ns()
        self._steady_ns = steady_ns

    def __call__(self) -> int:
        """The time now."""
        return (self._offset + self._steady_ns()) // 1_000_000
