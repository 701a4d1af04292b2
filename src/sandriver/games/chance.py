"""Where chance comes from: the one protocol through which cards are dealt, and its sources for replay and simulation.

Rules have no randomness of their own. Whoever plays an action hands them a source; a live
table's committed source lives with the tables, a record's is the list of what was dealt.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Iterable, Sequence
from typing import Protocol, SupportsIndex

from sandriver.games.errors import ChanceError


class Chance(Protocol):
    """Something that decides one chance event at a time."""

    def draw(self, weights: Sequence[int]) -> int:
        """Return an index into ``weights``, to be chosen with probability in proportion to its weight.

        ``weights`` are integers >= 0, at least one of them positive; an index of weight 0 is never returned
        by an honest source, and the rules refuse one from any other (``ChanceError``).
        """
        ...


class ListedChance:
    """The outcomes in the order in which they fall: for records, tests and analysis."""

    def __init__(self, outcomes: Iterable[int]) -> None:
        self._outcomes = list(outcomes)
        self._next = 0

    def draw(self, weights: Sequence[int]) -> int:
        """Return the next outcome of the list; raise ``ChanceError`` (``chance_missing``) when there is none left."""
        if self._next == len(self._outcomes):
            given = len(self._outcomes)
            raise ChanceError("chance_missing", f"chance is asked once more, {given} outcomes were listed", {"given": given})
        outcome = self._outcomes[self._next]
        self._next += 1
        return outcome

    @property
    def left(self) -> int:
        """How many outcomes have not been used."""
        return len(self._outcomes) - self._next


def plain_seed(seed: SupportsIndex) -> int:
    """A seed as a plain number: any whole number from 0 on, of any size, NumPy's too.

    Raises ``TypeError`` for anything else, ``ValueError`` below 0: Python's generator would take -3 for 3.
    """
    plain = operator.index(seed)
    if plain < 0:
        raise ValueError(f"a seed is 0 or more, not {plain}")
    return plain


class RandomChance:
    """A seeded generator for simulations. Not for live tables: its future can be computed from its past."""

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        """``seed``: see ``plain_seed``; ``None``: another future each time."""
        self._random = random.Random(None if seed is None else plain_seed(seed))

    def draw(self, weights: Sequence[int]) -> int:
        """Return an index drawn in proportion to ``weights``."""
        rest = self._random.randrange(sum(weights))
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        raise AssertionError("unreachable: rest is below the sum of the weights")
