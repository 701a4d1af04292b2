"""Random play in the rules kernel: moves a second on one core, compiled and interpreted, from the one source.

Usage: ``python bench/kernel.py [--quick] [--json]``. Whole random games, every action uniformly random among the legal ones, every card
drawn from the deck; CPU time of one thread, best of several passes, so that other work on the machine counts as little as it can.
Status 1 when a figure is below what is wanted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from types import ModuleType

from sandriver.games import kernels

NAME = "sandriver.games.mandala.kernel"
WANTED = {"compiled": 20_000_000, "interpreted": 80_000}
GAMES = {"compiled": 5_000, "interpreted": 40}
"""Games in one pass: some 15 ms compiled, 30 ms interpreted."""


def passes(kernel: ModuleType, games: int, seconds: float) -> list[float]:
    """Moves a second of each pass, for about so many seconds."""
    state = kernel.State(0, 20)
    state.reseed(1)
    figures: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(figures) < 5:
        began = time.thread_time()
        moves = state.run(games)
        figures.append(moves / (time.thread_time() - began))
    return figures


def main() -> int:
    """Measure, print, and say by the exit status whether it is fast enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of words")
    arguments = parser.parse_args()
    used = kernels.choose(NAME)
    forms = {"interpreted": kernels.interpreted(NAME)} | ({"compiled": used} if kernels.is_compiled(used) else {})
    figures = {form: passes(kernel, GAMES[form], 1 if arguments.quick else 4) for form, kernel in forms.items()}
    best = {form: round(max(figures[form])) if form in figures else None for form in ("compiled", "interpreted")}
    if arguments.json:
        print(json.dumps(best | {f"{form}_median": round(statistics.median(rates)) for form, rates in figures.items()}))
    else:
        for form, rates in figures.items():
            print(f"{form:<12} {max(rates):>12,.0f} moves/s, median {statistics.median(rates):,.0f}; wanted {WANTED[form]:,}")
        if "compiled" not in figures:
            print("compiled     not built (python tools/build_kernels.py)")
    return 0 if all(max(rates) >= WANTED[form] for form, rates in figures.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
