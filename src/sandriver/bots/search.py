"""What a search is asked and what it answers, for every game alike: budgets and ``SearchResult``."""

from __future__ import annotations

import math
import numbers
import operator
import threading
from typing import Any

import msgspec

ROLLOUT, SUMS, NET = "rollout", "sums", "net"
"""How a search evaluates the end of a path: random play to the end of the game, the sums of the apprentice, or a learned network."""
MOST_ITERATIONS = 100_000_000
MOST_MILLISECONDS = 3_600_000.0
SLICE = 0.05
"""Seconds after which a search in the main thread looks whether a signal (Ctrl-C) has come."""


class SearchResult(msgspec.Struct, frozen=True):
    """What a search found. Values count from 0 (lost) to 1 (won) for the seat that asked; a shared victory is a share of 1."""

    action: str
    """The action it would play, in notation: the most visited one."""
    value: float
    """Mean value of that action in the iterations that began with it."""
    visits: dict[str, int]
    """Iterations that began with each legal action, canonical order."""
    values: dict[str, float]
    """Mean value of each action that was tried."""
    iterations: int
    """Iterations done."""
    milliseconds: float
    """Time taken, on the steady clock."""
    nodes: int
    """Nodes in the tree, the root included."""
    depth: int
    """Actions on the longest path of the tree."""


def check_budget(iterations: int | None, milliseconds: float | None) -> tuple[int, float]:
    """Return how many iterations are allowed and how many seconds (0: no limit of time).

    Raises ``ValueError`` when neither is given or one is out of range, ``TypeError`` when one is no number (of iterations: no whole one).
    """
    if iterations is None and milliseconds is None:
        raise ValueError("a search needs a number of iterations or of milliseconds")
    if iterations is not None and not _is_number(iterations, numbers.Integral):
        raise TypeError(f"a search does a whole number of iterations, not {iterations!r}")
    if milliseconds is not None and not _is_number(milliseconds, numbers.Real):
        raise TypeError(f"a search takes a number of milliseconds, not {milliseconds!r}")
    if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
        raise ValueError(f"a search does 1 to {MOST_ITERATIONS} iterations, not {iterations}")
    if milliseconds is not None and not 0 < milliseconds <= MOST_MILLISECONDS:
        raise ValueError(f"a search takes above 0 and at most {MOST_MILLISECONDS:.0f} milliseconds, not {milliseconds}")
    return MOST_ITERATIONS if iterations is None else operator.index(iterations), 0.0 if milliseconds is None else max(
        float(milliseconds) / 1000, 1e-9
    )


def _is_number(value: object, kind: type) -> bool:
    """Whether something is a number of a kind (NumPy's are, too); truth values are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


def check_range(name: str, value: Any, least: float, most: float, *, whole: bool = False) -> None:
    """Raise ``TypeError`` for what is no (whole) number, ``ValueError`` for one out of range or not a number at all (NaN)."""
    if not _is_number(value, numbers.Integral if whole else numbers.Real):
        raise TypeError(f"{name} is a {'whole ' if whole else ''}number, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{name} is a number from {least:g} to {most:g}, not {value!r}")


def check_ways(*, exploration: Any, widening: Any, candidates: Any, margin: Any = 0.0, plies: Any = 0, choice: Any = 0.0) -> None:
    """Refuse ways to search that would lead nowhere (for ever), as ``check_range`` does."""
    check_range("exploration", exploration, 0, 1000)
    check_range("widening", widening, 0, 1_000_000)
    check_range("candidates", candidates, 1, 10_000, whole=True)
    check_range("margin", margin, 0, 1)
    check_range("plies", plies, 0, 10_000, whole=True)
    check_range("choice", choice, 0, 1000)


def slice_seconds() -> float:
    """How long the calling thread may search at a stretch: only the main thread hears signals."""
    return SLICE if threading.current_thread() is threading.main_thread() else math.inf
