"""Two threads against one: kernels played at random and batches stepped, each thread held to a core of its own.

Usage: ``python bench/threads.py [--quick] [--json]``. Passes of some 5 ms with one thread and with two, in turns; two figures:

By the wall clock, medians of the passes in which the machine was ours. The system says how long threads stood ready while something else
had their core (``/proc/self/task/*/schedstat``): a pass in which that is more than ``QUIET`` of the time measures the neighbours and is
left out; one in which our threads wait for each other is not. Time that a hypervisor takes away is not seen.

By processor time, medians of all passes: two divided by how much more of it a move costs when two threads run. That feels what threads
cost each other in caches and memory on however busy a machine, but not that they wait for each other.

Status 1 when a figure is below ``WANTED`` or there was no quiet pass, 2 when there is but one core.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from sandriver.envs.batch import BatchEnv
from sandriver.games import kernels
from sandriver.games.stones.ruleset import shipped, tables

WANTED = 1.8
QUIET = 0.01
TASKS = Path("/proc/self/task")

Work = Callable[[], int]
"""Plays for some 5 ms; how many moves were made."""


class Both(NamedTuple):
    """The same work for one thread and for two."""

    one: Work
    two: Work


def kernel(game: str, games: int) -> Both:
    """Random games in a kernel, a state a thread."""
    module: Any = kernels.choose(f"sandriver.games.{game}.kernel")
    states = [module.State(0, 20) if game == "mandala" else module.State(tables(shipped(), module), 2) for _ in range(2)]
    for seed, state in enumerate(states):
        state.reseed(seed)
    pool = ThreadPoolExecutor(1)
    pool.submit(int).result()

    def two() -> int:
        other = pool.submit(states[1].run, games)
        return int(states[0].run(games)) + int(other.result())

    return Both(lambda: int(states[0].run(games)), two)


def batch(game: str, steps: int) -> Both:
    """A batch of 4,096 games on one thread, and the same on two, which wait for each other at every step."""
    envs = [BatchEnv(game, 4096, seed=1, threads=threads) for threads in (1, 2)]
    envs[1].step()  # so that its thread is there

    def stepped(env: BatchEnv, times: int) -> int:
        for _ in range(times):
            env.step()
        return times * env.num_envs

    return Both(lambda: stepped(envs[0], steps), lambda: stepped(envs[1], 2 * steps))


KINDS: dict[str, Callable[[], Both]] = {
    "kernel, mandala": lambda: kernel("mandala", 1500),
    "kernel, stones": lambda: kernel("stones", 1200),
    "batch, mandala": lambda: batch("mandala", 10),
    "batch, stones": lambda: batch("stones", 2),
}


def hold(cores: list[int]) -> None:
    """Hold this thread to the first core and all others of the process to the second."""
    own = threading.get_native_id()
    for task in TASKS.iterdir():
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
    waited, used, began = kept_waiting(), time.process_time_ns(), time.monotonic_ns()
    moves = work()
    took, used = time.monotonic_ns() - began, time.process_time_ns() - used
    return Pass(moves / took * 1e9, used / moves, (kept_waiting() - waited) / took)


def measure(both: Both, passes: int) -> dict[str, Any]:
    """Passes with one thread and with two in turns, summed up."""
    found: tuple[list[Pass], list[Pass]] = ([], [])
    for _ in range(passes):
        for place, work in enumerate(both):
            found[place].append(one_pass(work))
    quiet = [[each.rate for each in every if each.waited <= QUIET] for every in found]
    one, two = (statistics.median(rates) if rates else 0.0 for rates in quiet)
    costs = [statistics.median(each.cost for each in every) for every in found]
    return {
        "one": round(one),
        "two": round(two),
        "by_wall": round(two / one, 3) if one and two else None,
        "quiet": [len(rates) for rates in quiet],
        "passes": passes,
        "by_processor": round(2 * costs[0] / costs[1], 3),
    }


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
    for name, make in KINDS.items():
        both = make()
        hold(cores)
        figures[name] = told = measure(both, 60 if given.quick else 500)
        if not given.json:
            wall = "no quiet pass" if told["by_wall"] is None else f"{told['by_wall']:.2f} ×"
            quiet = "{} and {} of {} passes quiet".format(*told["quiet"], told["passes"])
            rates = f"{told['one']:>12,} moves/s with one thread, {told['two']:>12,} with two"
            print(f"{name:<18} {rates}: {wall} ({quiet}); by processor time {told['by_processor']:.2f} ×", flush=True)
    if given.json:
        print(json.dumps(figures))
    return 0 if all(min(told["by_wall"] or 0, told["by_processor"]) >= WANTED for told in figures.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
