"""The random bot: plays any game, every legal action with the same probability. The yardstick for all other bots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any


class RandomBot:
    """Uniformly random legal play."""

    id: str = "random"
    version: int = 1
    game: str | None = None

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return any of ``legal``; the view is not looked at."""
        return legal[rng.randrange(len(legal))]
