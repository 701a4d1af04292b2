"""The option of every command that plays many games: whose machines play them."""

from __future__ import annotations

import argparse

from sandriver.cluster import HERE, RUNNING


def add_cluster_argument(parser: argparse.ArgumentParser) -> None:
    """Declare ``--cluster``, ``None`` where it is not given."""
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help=f"let the machines of a Ray cluster play: its address, '{RUNNING}' for the one that this machine belongs to, "
        f"'{HERE}' for this machine alone; changes only the time",
    )  # fmt: skip
