"""Random play in the rules kernels: moves a second on one core, compiled and interpreted, from the one source of each game.

Usage: ``python bench/kernel.py [--quick] [--json]``. Whole random games, every action uniformly random among the legal ones, everything
that is dealt at random; CPU time of one thread, best of several passes, so that other work on the machine counts as little as it can.
Status 1 when a figure is below what is wanted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from sandriver.games import kernels
from sandriver.games.stones.ruleset import shipped, tables


class Task(NamedTuple):
    """A way to play at random."""

    game: str
    state: Callable[[ModuleType], Any]
    """Makes a state of the kernel in one of its forms."""
    wanted: dict[str, int]
    """Moves a second by form."""
    games: dict[str, int]
    """Games in one pass: some 15 to 30 ms compiled, 30 to 60 ms interpreted."""


STONES_WANTED = {"compiled": 8_000_000, "interpreted": 30_000}
TASKS = {
    "mandala": Task(
        "mandala",
        lambda kernel: kernel.State(0, 20),
        {"compiled": 25_000_000, "interpreted": 80_000},
        {"compiled": 5_000, "interpreted": 40},
    ),
    "stones, 2 players": Task(
        "stones", lambda kernel: kernel.State(tables(shipped(), kernel), 2), STONES_WANTED, {"compiled": 5_000, "interpreted": 40}
    ),
    "stones, 4 players": Task(
        "stones", lambda kernel: kernel.State(tables(shipped(), kernel), 4), STONES_WANTED, {"compiled": 4_000, "interpreted": 30}
    ),
}


def passes(task: Task, kernel: ModuleType, games: int, seconds: float) -> list[float]:
    """Moves a second of each pass, for about so many seconds."""
    state = task.state(kernel)
    state.reseed(1)
    figures: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(figures) < 5:
        began = time.thread_time()
        moves = state.run(games)
        figures.append(moves / (time.thread_time() - began))
    return figures


def measure(task: Task, seconds: float) -> dict[str, list[float]]:
    """The passes of a task in each form that there is."""
    name = f"sandriver.games.{task.game}.kernel"
    used = kernels.choose(name)
    forms = {"interpreted": kernels.interpreted(name)} | ({"compiled": used} if kernels.is_compiled(used) else {})
    return {form: passes(task, kernel, task.games[form], seconds) for form, kernel in forms.items()}


def main() -> int:
    """Measure, print, and say by the exit status whether it is fast enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of words")
    arguments = parser.parse_args()
    figures = {name: measure(task, 0.7 if arguments.quick else 3) for name, task in TASKS.items()}
    if arguments.json:
        told = {
            name: {form: round(max(rates)) for form, rates in forms.items()}
            | {f"{form}_median": round(statistics.median(rates)) for form, rates in forms.items()}
            | {f"{form}_wanted": TASKS[name].wanted[form] for form in forms}
            for name, forms in figures.items()
        }
        print(json.dumps(told))
    else:
        for name, forms in figures.items():
            for form, rates in forms.items():
                wanted = f"median {statistics.median(rates):,.0f}; wanted {TASKS[name].wanted[form]:,}"
                print(f"{name:<18} {form:<12} {max(rates):>12,.0f} moves/s, {wanted}")
            if "compiled" not in forms:
                print(f"{name:<18} compiled     not built (python tools/build_kernels.py)")
    enough = [max(rates) >= TASKS[name].wanted[form] for name, forms in figures.items() for form, rates in forms.items()]
    return 0 if all(enough) else 1


if __name__ == "__main__":
    sys.exit(main())
