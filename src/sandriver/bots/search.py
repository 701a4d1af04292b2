"""What a search is asked and what it answers, for every game alike: budgets and ``SearchResult``."""

from __future__ import annotations

import msgspec

ROLLOUT, SUMS = "rollout", "sums"
"""How a search evaluates the end of a path: random play to the end of the game, or the sums of the apprentice."""
MOST_ITERATIONS = 100_000_000
MOST_MILLISECONDS = 3_600_000.0


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

    Raises ``ValueError`` when neither is given, or one is not a number from its range.
    """
    if iterations is None and milliseconds is None:
        raise ValueError("a search needs a number of iterations or of milliseconds")
    if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
        raise ValueError(f"a search does 1 to {MOST_ITERATIONS} iterations, not {iterations}")
    if milliseconds is not None and not 0 < milliseconds <= MOST_MILLISECONDS:
        raise ValueError(f"a search takes above 0 and at most {MOST_MILLISECONDS:.0f} milliseconds, not {milliseconds}")
    return iterations or MOST_ITERATIONS, (milliseconds or 0.0) / 1000
