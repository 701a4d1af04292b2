"""What commands that play many games share: whose machines play them, where what is over is kept, and what is said meanwhile."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sandriver.cluster import HERE, RUNNING
from sandriver.games.errors import quote


def add_cluster_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--cluster``, ``None`` where it is not given."""
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help=f"let the machines of a Ray cluster play: its address, '{RUNNING}' for the one that this machine belongs to, "
        f"'{HERE}' for this machine alone; changes only the time",
    )  # fmt: skip


def add_generations_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--keep`` of a command that learns in generations, ``None`` where it is not given."""
    parser.add_argument(
        "--keep", metavar="FOLDER", help="write every generation to this folder as soon as it is over, and go on after those that it has"
    )


def missing_folder(arguments: argparse.Namespace, *names: str) -> str | None:
    """What is wrong with the files that these arguments name, if the folder of one is not there."""
    for name in names:
        path = getattr(arguments, name)
        if path and not Path(path).absolute().parent.is_dir():
            return f"--{name}: there is no folder {quote(str(Path(path).absolute().parent))}"
    return None


def stopwatch() -> Callable[[str], None]:
    """Return what tells a line on standard error, with the seconds since now."""
    began = time.monotonic()

    def heard(line: str) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {line}", file=sys.stderr, flush=True)

    return heard


def stopped(command: str, after: str, kept_in: str | None) -> int:
    """Say how far a command came that was interrupted, and whether it can go on; return the exit status."""
    then = f"the same command goes on from {kept_in}" if kept_in else "nothing is kept without --keep"
    print(f"sandriver {command}: stopped{after}; {then}", file=sys.stderr)
    return 130
