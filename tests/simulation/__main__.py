"""Command line of the simulation: ``python -m tests.simulation --seed N`` repeats one schedule, ``--count N`` plays many."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from tests.simulation.world import run  # what it imports lies in tools/ too


def main() -> int:
    """Exit status 0: every schedule held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the schedule, or the first one")
    parser.add_argument("--count", type=int, default=1, help="how many schedules")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first that fails")
    parser.add_argument("--traces", action="store_true", help="tell the hash of all that happened in each")
    arguments = parser.parse_args()
    began = time.process_time()
    counts: Counter[str] = Counter()
    failures = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        try:
            ledger = run(seed)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is this seed's
            failures += 1
            counts[f"!! {type(error).__name__}: {str(error)[:100]} (seed {seed})"] += 1
            if not arguments.keep_going:
                traceback.print_exc()
                break
        else:
            counts.update(ledger.counts)
            if arguments.traces or arguments.count == 1:
                sys.stdout.write(f"seed {seed}: {ledger.trace}\n")
    seconds = time.process_time() - began
    for what, number in sorted(counts.items()):
        sys.stdout.write(f"{number:8} {what}\n")
    sys.stdout.write(f"{arguments.count} schedules, {failures} failed, {arguments.count / seconds:.0f} a second of processor time\n")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
