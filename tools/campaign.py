"""The long proofs of reliability, for `make campaign`: kills, simulated schedules and indistinguishable positions in large numbers.

Usage: ``campaign.py [--kills N] [--schedules N] [--pairs N] [--sessions N]`` with the Python of .venv.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VIEWS = ["tests/games/mandala/test_view.py", "tests/games/stones/test_view.py", "tests/simulation/test_twin_tables.py"]
PARTS = (
    ("kill -9 under load, disk full", ["-n0", "-s", "tests/simulation/test_kills.py", "tests/simulation/test_full_disk.py"]),
    ("simulated schedules", ["-n2", "-m", "slow or not slow", "tests/simulation/test_simulation.py"]),
    ("faults that the simulation must find", ["-n2", "tests/simulation/test_mutants.py"]),
    ("positions that must look the same", ["-n2", "-k", "no_byte", *VIEWS]),
    ("whole sessions that must sound the same", ["-n2", "-m", "slow or not slow", "tests/server/test_twin_sessions.py"]),
)


def main() -> int:
    """Run every part, whatever the ones before did; status 0: all held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=120)
    parser.add_argument("--schedules", type=int, default=12_000)
    parser.add_argument("--pairs", type=int, default=100_000, help="for each game")
    parser.add_argument("--sessions", type=int, default=60, help="pairs of whole sessions of each kind")
    options = parser.parse_args()
    environment = {
        **os.environ,
        "CI": "1",
        "SANDRIVER_KILLS": str(options.kills),
        "SANDRIVER_MANY_SCHEDULES": str(options.schedules),
        "SANDRIVER_VIEW_PAIRS": str(options.pairs),
        "SANDRIVER_TWIN_TABLES": str(options.sessions),
    }
    good = True
    for name, arguments in PARTS:
        began = time.monotonic()
        print(f"\n{name}: {' '.join(arguments)}", flush=True)
        command = [sys.executable, "-m", "pytest", "-q", *arguments]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False, stdin=subprocess.DEVNULL).returncode
        print(f"{'held' if status == 0 else 'FAILED'}: {name}, {time.monotonic() - began:.0f} s", flush=True)
        good = good and status == 0
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
