"""Thousands of schedules of the table service, each from a seed; a seed repeats to the byte. ``python -m tests.simulation --seed N``."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from sandriver.tables.wire import Command
from tests.simulation import orders
from tests.simulation.world import run

SCHEDULES = int(os.environ.get("SANDRIVER_SCHEDULES", "10000"))
"""How many in an ordinary run."""
MANY = int(os.environ.get("SANDRIVER_MANY_SCHEDULES", "12000"))
"""How many more in a large one; other ones."""
PARTS = 20
ROOT = Path(__file__).parents[2]
HAPPENS = ("ack", "stale", "not_your_turn", "illegal", "bad_request", "try_again", "game_over", "crash", "fault")


def play(first: int, count: int) -> Counter[str]:
    """Play schedules; what happened in them, all together."""
    counts: Counter[str] = Counter()
    gc.collect()
    gc.freeze()  # what was there before is looked through once, not after every few schedules
    try:
        for seed in range(first, first + count):
            counts.update(run(seed).counts)
    finally:
        gc.unfreeze()
    return counts


@pytest.mark.parametrize("part", range(PARTS))
def test_schedules(part: int) -> None:
    count = SCHEDULES // PARTS
    counts = play(part * count, count)
    assert not [what for what in HAPPENS if not counts[what]], "the schedules are too tame to show anything"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_many_more_schedules(part: int) -> None:
    count = MANY // PARTS
    play(1_000_000 + part * count, count)


def test_seeds_repeat_to_the_byte() -> None:
    """In this process and in others, whose hashes of strings are others."""
    first, count = 29, 4
    here = [[run(seed).trace for seed in range(first, first + count)] for _ in range(2)]
    assert here[0] == here[1]
    assert len(set(here[0])) == count
    for hashes in ("1", "2"):
        output = subprocess.run(
            [sys.executable, "-m", "tests.simulation", "--seed", str(first), "--count", str(count), "--traces"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashes}, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        assert [line.split()[-1] for line in output.splitlines() if line.startswith("seed ")] == here[0]


def test_every_kind_of_command_is_sent() -> None:
    """A command that is new in the protocol joins in by itself."""
    assert set(orders.KINDS) == set(get_args(Command))
