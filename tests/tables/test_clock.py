"""The arithmetic of clocks, in virtual time: whatever happens, nobody gains time by it, and the flag falls exactly when it must."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandriver.tables import clock as clocks
from sandriver.tables.clock import CREDIT_BACK, CREDIT_FIRST, CREDIT_MOST, LEAST_AFTER_UNDO, Clock, SteadyClock
from sandriver.tables.wire import ClockPlan

FIVE_THREE = ClockPlan(300, 3)
MINUTE = ClockPlan(60, kind="per_move")
START = 1_700_000_000_000
plans = st.builds(ClockPlan, st.integers(10, 900), st.integers(0, 60)) | st.builds(
    lambda base: ClockPlan(base, kind="per_move"), st.integers(5, 900)
)
delays = st.integers(0, 20_000)
steps = st.lists(st.tuples(st.sampled_from(["act", "pause", "stand_in", "forced", "undo"]), delays), max_size=60)


def begun(plan: ClockPlan, seats: int = 2, first: int = 0) -> Clock:
    return clocks.switch(clocks.fresh(plan, seats, START - 5_000), first, START)


def test_the_first_clock_runs_from_the_start_of_the_game() -> None:
    assert begun(FIVE_THREE) == Clock((300_000, 300_000), (CREDIT_FIRST,) * 2, 0, START)


def test_fischer_adds_the_increment_after_the_own_action_only() -> None:
    after = clocks.acted(FIVE_THREE, begun(FIVE_THREE), 0, START + 10_000, 0, 1)
    assert after.left == (293_000, 300_000)
    assert (after.running, after.at) == (1, START + 10_000)
    again = clocks.acted(FIVE_THREE, after, 1, START + 11_000, 0, 0)
    assert again.left == (293_000, 302_000)


def test_per_move_gives_the_whole_time_for_every_action() -> None:
    after = clocks.acted(MINUTE, begun(MINUTE), 0, START + 59_000, 0, 0)
    assert after.left == (60_000, 60_000)
    assert clocks.deadline(after) == START + 119_000


def test_what_plays_itself_earns_nothing() -> None:
    clock = begun(FIVE_THREE)
    assert clocks.acted(FIVE_THREE, clock, 0, START, 0, 1, forced=True) == Clock(clock.left, clock.credit, 1, START)


def test_the_flag_falls_after_the_deadline_and_the_credit() -> None:
    clock = begun(FIVE_THREE)
    assert clocks.deadline(clock) == START + 300_000
    last = clocks.falls_after(clock)
    assert last == START + 300_000 + CREDIT_FIRST
    assert not clocks.is_due(clock, last)
    assert clocks.is_due(clock, last + 1)
    late = clocks.acted(FIVE_THREE, clock, 0, last, CREDIT_FIRST, 1)
    assert (late.left[0], late.credit[0]) == (3_000, CREDIT_BACK)
    with pytest.raises(ValueError, match="no time left"):
        clocks.acted(FIVE_THREE, clock, 0, last + 1, CREDIT_FIRST + 1, 1)
    with pytest.raises(ValueError, match="no time left"):  # a log that grants more, or less, than was needed
        clocks.acted(FIVE_THREE, clock, 0, START + 1000, 5, 1)


def test_taking_back_gives_no_time_back_and_no_increment_twice() -> None:
    clock = begun(ClockPlan(60, 10))
    plan = ClockPlan(60, 10)
    played = clocks.acted(plan, clock, 0, START + 4_000, 0, 1)
    assert played.left == (66_000, 60_000)
    back = clocks.undone(plan, played, {0: 1}, {0: 56_000}, 0, START + 6_000)
    assert back.left == (56_000, 58_000)
    assert (back.running, back.at) == (0, START + 6_000)
    poor = Clock((8_000, 2_000), (0, 0), None, START)
    assert clocks.undone(plan, poor, {0: 1, 1: 1}, {0: 30_000, 1: 30_000}, 0, START).left == (LEAST_AFTER_UNDO, 2_000)


def test_taking_back_refills_no_clock() -> None:
    """Not even where a bot agrees again and again: who had less than the least that an undo leaves has no more after it."""
    plan = ClockPlan(60, 10)
    pressed = Clock((980, 60_000), (0, 0), 0, START)
    for _ in range(5):
        had = clocks.remaining(pressed, 0, START)
        played = clocks.acted(plan, pressed, 0, START, 0, 1)
        pressed = clocks.undone(plan, played, {0: 1}, {0: had}, 0, START)
        assert pressed.left == (980, 60_000)
    each = ClockPlan(kind="per_move", base_s=5)
    played = clocks.acted(each, begun(each), 0, START + 3_000, 0, 1)
    assert clocks.undone(each, played, {0: 1}, {0: 2_000}, 0, START + 4_000).left == (2_000, 5_000)


@given(plans, steps, st.integers(2, 4))
def test_nobody_gains_time(plan: ClockPlan, what: list[tuple[str, int]], seats: int) -> None:
    """The sum of what everybody has left, and of what passed while a clock ran, never exceeds what was given."""
    clock = begun(plan, seats)
    now, given_ms, spent = START, seats * 1000 * plan.base_s, 0
    mover: int = 0
    had: list[list[int]] = [[] for _ in range(seats)]
    for kind, delay in what:
        now += delay
        if clocks.is_due(clock, now):
            last = clocks.falls_after(clock)
            assert last is not None
            assert now > last >= (clocks.deadline(clock) or 0)
            break
        before = sum(clock.left)
        running = clock.running
        late = 0 if running is None else clocks.lag(clock, running, now)
        if kind == "act" and running is not None:
            spent += now - clock.at - late
            had[mover].append(clocks.remaining(clock, mover, now))
            clock = clocks.acted(plan, clock, mover, now, late, (mover + 1) % seats)
            mover = (mover + 1) % seats
            given_ms += 1000 * plan.increment_s
        elif kind == "forced" and running is not None and delay == 0:
            clock = clocks.acted(plan, clock, mover, now, 0, (mover + 1) % seats, forced=True)
            mover = (mover + 1) % seats
        elif kind in ("pause", "stand_in"):
            if running is not None:
                spent += now - clock.at - late
            clock = clocks.switch(clock, None if running is not None else mover, now)
            if plan.kind == "fischer":
                assert sum(clock.left) <= before
        elif kind == "undo" and running is not None and had[(mover - 1) % seats]:
            mover = (mover - 1) % seats
            spent += now - clock.at - late
            clock = clocks.undone(plan, clock, {mover: 1}, {mover: (before_it := had[mover].pop())}, mover, now)
            assert clock.left[mover] <= max(before_it, before if plan.kind == "fischer" else 0)
            if plan.kind == "fischer":
                assert sum(clock.left) <= before
        assert all(left >= 0 for left in clock.left)
        assert all(0 <= credit <= CREDIT_MOST for credit in clock.credit)
        assert all(clocks.remaining(clock, seat, now + 10**9) >= 0 for seat in range(seats))
        if plan.kind == "fischer":
            assert sum(clock.left) + spent <= given_ms
        else:
            assert all(left <= 1000 * plan.base_s for left in clock.left)


@given(plans, st.integers(0, 10**7), st.lists(st.integers(1, 10**6), min_size=1, max_size=8))
def test_a_pause_never_refills(plan: ClockPlan, thought: int, pauses: list[int]) -> None:
    clock = begun(plan)
    thought = min(thought, 1000 * plan.base_s)
    now = START + thought
    left = clocks.remaining(clock, 0, now)
    for pause in pauses:
        clock = clocks.switch(clock, None, now)
        now += pause
        clock = clocks.switch(clock, 0, now)
        assert clock.left == (left, 1000 * plan.base_s)
        assert clocks.deadline(clock) == now + left


@given(plans, st.integers(0, 2 * 10**6))
def test_an_action_is_taken_exactly_when_the_flag_has_not_fallen(plan: ClockPlan, delay: int) -> None:
    clock = begun(plan)
    at = START + delay
    late = clocks.lag(clock, 0, at)
    assert clocks.is_due(clock, at) == (delay > 1000 * plan.base_s + CREDIT_FIRST)
    if clocks.is_due(clock, at):
        with pytest.raises(ValueError, match="no time left"):
            clocks.acted(plan, clock, 0, at, late, 1)
    else:
        after = clocks.acted(plan, clock, 0, at, late, 1)
        own = after.left[0] - 1000 * plan.increment_s
        assert own == (1000 * plan.base_s if plan.kind == "per_move" else max(0, 1000 * plan.base_s - delay))


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        (ClockPlan(9), "base_s"),
        (ClockPlan(10), None),
        (ClockPlan(4 * 3600 + 1), "base_s"),
        (ClockPlan(60, -1), "increment_s"),
        (ClockPlan(60, 301), "increment_s"),
        (ClockPlan(5, kind="per_move"), None),
        (ClockPlan(4, kind="per_move"), "base_s"),
        (ClockPlan(60, 1, kind="per_move"), "increment_s"),
    ],
)
def test_plans_have_limits(plan: ClockPlan, field: Any) -> None:
    assert clocks.wrong(plan) == field


def test_the_steady_clock_does_not_jump_with_the_system() -> None:
    system, passed = [START * 1_000_000], [77_000_000_000]
    now = SteadyClock(lambda: system[0], lambda: passed[0])
    assert now() == START
    system[0] += 3_600_000_000_000  # the system's clock is set an hour ahead …
    passed[0] += 1_500_000_000
    assert now() == START + 1_500
    system[0] -= 86_400_000_000_000  # … and a day back
    passed[0] += 1_500_000_000
    assert now() == START + 3_000
