"""What a finished game pays to its seats, the same in all environments: 1 and -1, or winners share what the others lose."""

from __future__ import annotations

from collections.abc import Sequence

from sandriver.games.contract import Outcome


def loss(seats: int) -> float:
    """The reward of a seat that does not win: 1 divided by the number of its opponents, below 0.

    >>> loss(2), loss(3)
    (-1.0, -0.5)
    """
    return -1.0 / (seats - 1)


def shares(winners: Sequence[int], seats: int) -> list[float]:
    """Rewards by seat of a game that is over, in sum 0.

    >>> shares((1,), 2), shares((0, 1), 2), shares((0, 2), 3)
    ([-1.0, 1.0], [0.0, 0.0], [0.25, -0.5, 0.25])
    """
    share = (seats - len(winners)) / (len(winners) * (seats - 1))
    return [share if seat in winners else loss(seats) for seat in range(seats)]


def rewards(outcome: Outcome | None, seats: int) -> list[float]:
    """Rewards by seat; none while the game goes on."""
    return [0.0] * seats if outcome is None else shares(outcome.winners, seats)
