"""The batched environments: steps a second with observations, legal masks, rewards and automatic reset, every action random in the engine.

Usage: ``python bench/envs.py [--quick] [--json] [--games 4096]``. One core: CPU time of one thread, passes of some 0.1 s, best and median.
Status 1 when the best is below what is wanted. ``threads.py`` compares two threads with one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from sandriver.envs.batch import BatchEnv


class Task(NamedTuple):
    """A batch to be stepped."""

    game: str
    seats: int
    wanted: int
    """Steps a second on one core."""
    steps: int
    """Steps of the whole batch in one pass."""


TASKS = {
    "mandala": Task("mandala", 2, 5_000_000, 100),
    "stones, 2 players": Task("stones", 2, 1_500_000, 30),
    "stones, 4 players": Task("stones", 4, 1_000_000, 30),
}


def once(env: BatchEnv, steps: int, clock: Callable[[], float]) -> float:
    """Steps a second of one pass."""
    began = clock()
    for _ in range(steps):
        env.step()
    return env.num_envs * steps / (clock() - began)


def passes(task: Task, games: int, seconds: float) -> list[float]:
    """One thread, CPU time: passes for about so many seconds."""
    env = BatchEnv(task.game, games, seats=task.seats, seed=1)
    once(env, task.steps, time.thread_time)
    figures: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(figures) < 5:
        figures.append(once(env, task.steps, time.thread_time))
    return figures


def main() -> int:
    """Measure, print, and say by the exit status whether it is fast enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of words")
    parser.add_argument("--games", type=int, default=4096, help="games in the batch")
    arguments = parser.parse_args()
    seconds = 1.0 if arguments.quick else 4.0
    told = {}
    for name, task in TASKS.items():
        rates = passes(task, arguments.games, seconds)
        told[name] = {"best": round(max(rates)), "median": round(statistics.median(rates)), "wanted": task.wanted}
        if not arguments.json:
            print(f"{name:<18} {max(rates):>12,.0f} steps/s, median {statistics.median(rates):,.0f}; wanted {task.wanted:,}")
    if arguments.json:
        print(json.dumps(told))
    return 0 if all(figures["best"] >= figures["wanted"] for figures in told.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
