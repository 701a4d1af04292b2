"""Options of the commands that play many games: whose machines play them, and where what is over is kept, should it be interrupted."""

from __future__ import annotations

import argparse
import sys

from sandriver.cluster import HERE, RUNNING


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


def stopped(command: str, after: str, kept_in: str | None) -> int:
    """Say how far a command came that was interrupted, and whether it can go on; return the exit status."""
    then = f"the same command goes on from {kept_in}" if kept_in else "nothing is kept without --keep"
    print(f"sandriver {command}: stopped{after}; {then}", file=sys.stderr)
    return 130
