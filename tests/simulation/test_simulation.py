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

SCHEDULES = int(os.environ.get("SANDRIVER_SCHEDULES", "600"))
"""How many in an ordinary run."""
MANY = int(os.environ.get("SANDRIVER_MANY_SCHEDULES", "12000"))
"""How many more in a large one; other ones."""
PARTS = 6
ROOT = Path(__file__).parents[2]
HAPPENS = ("ack", "stale", "not_your_turn", "illegal", "bad_request", "try_again", "game_over", "crash", "fault")


def play(first: int, count: int) -> Counter[str]:
    """Play schedules; what happened in them, all together."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + count):
        counts.update(run(seed).counts)
        if seed % 25 == 0:
            gc.collect()
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


@pytest.mark.parametrize("seed", [3, 29, 168])
def test_a_seed_repeats_to_the_byte(seed: int) -> None:
    """In this process and in another one, whose hashes of strings are others."""
    here = [run(seed).trace for _ in range(2)]
    there = [
        subprocess.run(
            [sys.executable, "-m", "tests.simulation", "--seed", str(seed)],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashes}, capture_output=True, text=True, check=True,
        ).stdout
        for hashes in ("1", "2")
    ]  # fmt: skip
    assert here[0] == here[1]
    assert all(here[0] in output for output in there)
    assert run(seed + 1).trace != here[0]


def test_every_kind_of_command_is_sent() -> None:
    """A command that is new in the protocol joins in by itself."""
    assert set(orders.KINDS) == set(get_args(Command))
