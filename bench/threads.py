"""Two threads against one: kernels played at random and batches stepped, each thread held to a core of its own.

Usage: ``python bench/threads.py [--quick] [--json]``. Passes of some 5 ms with one thread and with two, in turns; two figures:

By the wall clock, medians of the passes in which the machine was ours. The system says how long threads stood ready while something else
had their core (``/proc/self/task/*/schedstat``): a pass in which that is more than ``QUIET`` of the time measures the neighbours and is
left out; one in which our threads wait for each other is not. Time that a hypervisor takes away is not seen.

By processor time, medians of all passes: two divided by how much more of it a move costs when two threads run. That feels what threads
cost each other in caches and memory on however busy a machine, but not that they wait for each other.

And beside it what two processes reach that share nothing at all, each with half of the games: what these two cores can give. On a
virtual machine they may be two halves of one real core.

Status 1 when a figure is below ``WANTED`` and below ``SHARE`` of what the processes reach, or when there was no quiet pass; 2 when there
is but one core.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from sandriver.envs.batch import BatchEnv
from sandriver.games import kernels
from sandriver.games.stones.ruleset import shipped, tables

WANTED = 1.8
SHARE = 0.95
QUIET = 0.01
TASKS = Path("/proc/self/task")

Work = Callable[[], int]
"""Plays for some 5 ms; how many moves were made."""


class Ways(NamedTuple):
    """The same work for one thread, for two, and for two processes."""

    one: Work
    two: Work
    processes: Work


def state_of(game: str, seed: int) -> Any:
    """A state of a kernel."""
    module: Any = kernels.choose(f"sandriver.games.{game}.kernel")
    state = module.State(0, 20) if game == "mandala" else module.State(tables(shipped(), module), 2)
    state.reseed(seed)
    return state


def stepper(game: str, games: int, steps: int, threads: int = 1) -> Work:
    """Steps of a batch."""
    env = BatchEnv(game, games, seed=1, threads=threads)
    env.step()  # so that its threads are there

    def stepped() -> int:
        for _ in range(steps):
            env.step()
        return steps * env.num_envs

    return stepped


def half(games: int, game: str, amount: int) -> Work:
    """What each of two processes does."""
    if games:
        return stepper(game, games // 2, 2 * amount)
    state = state_of(game, 2)
    return lambda: int(state.run(amount))


def ways(games: int, game: str, amount: int, core: int) -> Ways:
    """A batch of so many games on one thread, and on two that wait for each other at every step; 0: random games in kernels."""
    pipe, far = multiprocessing.get_context("spawn").Pipe()
    multiprocessing.get_context("spawn").Process(target=serve, args=(far, games, game, amount, core), daemon=True).start()
    pipe.recv()
    mine = half(games, game, amount)

    def processes() -> int:
        pipe.send(None)
        moves, (other, OTHER.waited, OTHER.used) = mine(), pipe.recv()
        return moves + int(other)

    if games:
        return Ways(stepper(game, games, amount), stepper(game, games, 2 * amount, 2), processes)
    one, two = state_of(game, 0), state_of(game, 1)
    pool = ThreadPoolExecutor(1)
    pool.submit(int).result()

    def together() -> int:
        other = pool.submit(two.run, amount)
        return int(one.run(amount)) + int(other.result())

    return Ways(lambda: int(one.run(amount)), together, processes)


class Other:
    """What the other process said last of the time it was kept waiting and of its processor time, in nanoseconds."""

    waited = 0
    used = 0


OTHER = Other()


def serve(pipe: Connection, games: int, game: str, amount: int, core: int) -> None:
    """The other process: do a half whenever asked to, until nobody asks any more."""
    hold([core, core])
    work = half(games, game, amount)
    work()
    pipe.send(None)
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            pipe.recv()
            waited, used = kept_waiting(), time.process_time_ns()
            moves = work()
            pipe.send((moves, kept_waiting() - waited, time.process_time_ns() - used))


KINDS = {
    "kernel, mandala": (0, "mandala", 1500),
    "kernel, stones": (0, "stones", 1200),
    "batch of 4,096, mandala": (4096, "mandala", 10),
    "batch of 16,384, mandala": (16384, "mandala", 2),
    "batch of 4,096, stones": (4096, "stones", 2),
}
"""Name: games in the batch (0: a kernel), which game, and how much of it: games or steps that take some 5 ms."""


def hold(cores: list[int]) -> None:
    """Hold this thread to the first core and all others of the process to the second."""
    own = threading.get_native_id()
    for task in TASKS.iterdir():
        with contextlib.suppress(OSError):  # a thread that has just ended
            os.sched_setaffinity(int(task.name), {cores[int(int(task.name) != own)]})


def kept_waiting() -> int:
    """Nanoseconds for which threads of this process stood ready and were not let run, all together."""
    total = 0
    for task in TASKS.iterdir():
        with contextlib.suppress(OSError):  # a thread that has just ended
            total += int((task / "schedstat").read_text().split()[1])
    return total


class Pass(NamedTuple):
    """What one pass came to."""

    rate: float
    """Moves a second by the wall clock."""
    cost: float
    """Nanoseconds of processor time a move."""
    waited: float
    """Share of the time for which threads were kept waiting."""


def one_pass(work: Work) -> Pass:
    """Do the work once."""
    OTHER.waited = OTHER.used = 0
    waited, used, began = kept_waiting(), time.process_time_ns(), time.monotonic_ns()
    moves = work()
    took, used = time.monotonic_ns() - began, time.process_time_ns() - used + OTHER.used
    return Pass(moves / took * 1e9, used / moves, (kept_waiting() - waited + OTHER.waited) / took)


def measure(ways: Ways, passes: int) -> dict[str, Any]:
    """Passes in each way in turns, summed up: moves a second, and how many times that of one thread they are."""
    found: list[list[Pass]] = [[] for _ in ways]
    for _ in range(passes):
        for place, work in enumerate(ways):
            found[place].append(one_pass(work))
    quiet = [[each.rate for each in every if each.waited <= QUIET] for every in found]
    rates = [statistics.median(every) if every else None for every in quiet]
    costs = [statistics.median(each.cost for each in every) for every in found]
    told: dict[str, Any] = {"quiet": [len(every) for every in quiet], "passes": passes}
    for place, name in enumerate(Ways._fields):
        one, this = rates[0], rates[place]
        told[name] = {
            "rate": None if this is None else round(this),
            "by_wall": None if this is None or one is None else round(this / one, 3),
            "by_processor": round((2 if place else 1) * costs[0] / costs[place], 3),
        }
    return told


def enough(told: dict[str, Any], by: str) -> bool:
    """Whether two threads do as much as wanted, or nearly what two processes do."""
    two, processes = told["two"][by], told["processes"][by]
    return two is not None and processes is not None and bool(two >= min(WANTED, SHARE * processes))


def main() -> int:
    """Measure, print, and say by the exit status whether it is enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of words")
    given = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") and TASKS.is_dir() else []
    if len(cores) < 2:
        print("two cores and Linux's account of its threads are needed", file=sys.stderr)
        return 2
    figures = {}
    for name, (games, game, amount) in KINDS.items():
        all_ways = ways(games, game, amount, cores[1])
        hold(cores)
        figures[name] = told = measure(all_ways, 60 if given.quick else 400)
        if not given.json:
            print(f"{name}: quiet were {', '.join(map(str, told['quiet']))} of {told['passes']} passes")
            for way, words in zip(Ways._fields, ("one thread", "two threads", "two processes"), strict=True):
                rate, wall = told[way]["rate"], told[way]["by_wall"]
                wall = "no quiet pass" if wall is None else f"{rate:>12,} moves/s, {wall:.2f} ×"
                print(f"  {words:<14} {wall}; by processor time {told[way]['by_processor']:.2f} ×", flush=True)
    if given.json:
        print(json.dumps(figures))
    return 0 if all(enough(told, by) for told in figures.values() for by in ("by_wall", "by_processor")) else 1


if __name__ == "__main__":
    sys.exit(main())
