"""The simulation has eyes: each of these faults, built into the service on purpose, is found within a few dozen schedules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any

import pytest

from sandriver.games.chance import RandomChance
from sandriver.tables import clock, commands, hub
from sandriver.tables.live import Live
from sandriver.tables.service import TableService
from sandriver.tables.timekeeper import Rounds, Timers
from sandriver.tables.watch import Watch
from tests.simulation.disk import Link
from tests.simulation.world import run

SEEDS = 200
Patch = Callable[[pytest.MonkeyPatch], None]
MUTANTS: list[Patch] = []


def mutant(patch: Patch) -> Patch:
    """One way to break the service."""
    MUTANTS.append(patch)
    return patch


async def nothing(*_: Any, **__: Any) -> None:
    """Instead of something that matters."""


class Unlocked(asyncio.Lock):
    """A lock that lets everybody in."""

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, *_: object) -> None:
        return None


class Forgetful(dict[Any, Any]):
    """Remembers nothing."""

    def __setitem__(self, key: Any, value: Any) -> None:
        return None


def made_with(patch: pytest.MonkeyPatch, kind: type[Any], name: str, value: Callable[[], Any]) -> None:
    """Give every object of a kind another attribute from the beginning."""
    make = kind.__init__

    def broken(self: Any, *args: Any, **more: Any) -> None:
        make(self, *args, **more)
        setattr(self, name, value())

    patch.setattr(kind, "__init__", broken)


@mutant
def acknowledged_before_it_is_stored(patch: pytest.MonkeyPatch) -> None:
    ask = Link.__getattr__

    def hasty(self: Link, name: str) -> Any:
        method = ask(self, name)

        async def append(rows: Any) -> None:
            asyncio.ensure_future(method(rows)).add_done_callback(lambda task: task.cancelled() or task.exception())

        return append if name == "append" else method

    patch.setattr(Link, "__getattr__", hasty)


@mutant
def commands_are_not_known_again(patch: pytest.MonkeyPatch) -> None:
    made_with(patch, Live, "answers", Forgetful)


@mutant
def refusals_are_not_known_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Live, "keep_refusal", lambda self, seat, refused: None)


@mutant
def nobody_waits_for_the_lock(patch: pytest.MonkeyPatch) -> None:
    made_with(patch, Live, "lock", Unlocked)


@mutant
def nobody_looks_for_what_the_bus_lost(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Watch, "_look", nothing)


@mutant
def rows_that_are_known_are_read_twice(patch: pytest.MonkeyPatch) -> None:
    loading = Live.loading

    def again(self: Live, rows: Any) -> Generator[None, None, None]:
        yield from loading(self, rows)
        if rows and self.hub:
            for subscription in self.hub:
                subscription.push(subscription._frames[-1]) if subscription._frames else None

    patch.setattr(Live, "loading", again)


@mutant
def a_table_without_visitors_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Rounds, "once", nothing)


@mutant
def flags_fall_early(patch: pytest.MonkeyPatch) -> None:
    due = clock.is_due
    patch.setattr(clock, "is_due", lambda clocks, now: due(clocks, now + 3000))


@mutant
def flags_never_fall(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Timers, "watch", lambda self, live: None)
    patch.setattr(Rounds, "once", nothing)


@mutant
def chance_depends_on_the_process(patch: pytest.MonkeyPatch) -> None:
    class Loose(RandomChance):
        def __init__(self, key: bytes, n: int = 0) -> None:
            super().__init__(n)
            self.n = n

    patch.setattr(commands, "CommittedChance", Loose)


@mutant
def who_is_behind_refuses_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableService, "_keep_up", nothing)


@mutant
def slow_readers_lose_frames(patch: pytest.MonkeyPatch) -> None:
    def push(self: hub.Subscription, frame: bytes) -> None:
        if len(self._frames) < self._limit:
            self._frames.append(frame)
            self._wake.set()

    patch.setattr(hub.Subscription, "push", push)


@mutant
def the_end_is_not_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(commands, "_check_running", lambda state: None)


@pytest.mark.parametrize("broken", MUTANTS, ids=lambda patch: patch.__name__)
def test_a_broken_service_is_found_out(broken: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        broken(patch)
        found = next((seed for seed in range(SEEDS) if not holds(seed)), None)
    assert found is not None, f"{SEEDS} schedules did not find it"
    assert holds(found), "it was the mutant, not the schedule"


def holds(seed: int) -> bool:
    try:
        run(seed)
    except Exception:  # noqa: BLE001  # whatever a broken service does
        return False
    return True
