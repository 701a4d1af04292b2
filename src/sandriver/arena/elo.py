"""Elo differences and shares of the victories, one from the other.

With two seats the usual curve: 0 is one half, 400 is ten to one. With more, one seat plays against several of the other bot, and the
strengths share the victories as in Luce's choice rule: the odds are those against any single one of the others, so that among equals
(difference 0) each seat has its equal share.
"""

from __future__ import annotations

import math
from typing import Literal


def share_of(elo: float, seats: int = 2) -> float:
    """Share of the victories that the one seat of a bot gets which is better by ``elo`` than the bot on all others.

    >>> share_of(0), round(share_of(400), 3), share_of(0, 4)
    (0.5, 0.909, 0.25)
    """
    return 1 / (1 + (seats - 1) * 10 ** (-elo / 400))


def elo_of(share: float, seats: int = 2) -> float:
    """Elo difference that gives a share of the victories (0..1); plus or minus infinity at the ends.

    >>> round(elo_of(0.75)), round(elo_of(0.25, 4)), elo_of(1)
    (191, 0, inf)
    """
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share * (seats - 1) / (1 - share)) + 0.0  # no minus zero


def beyond(elo: float) -> Literal["above", "below"] | None:
    """On which side a difference has no bound: JSON, which has no infinity, writes ``null`` for either.

    >>> beyond(math.inf), beyond(-math.inf), beyond(12.5)
    ('above', 'below', None)
    """
    return None if math.isfinite(elo) else "above" if elo > 0 else "below"
