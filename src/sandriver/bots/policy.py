"""What a bot is: a policy that gets a seat's view and the legal actions, and names one. It never gets a position."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol


class Policy(Protocol):
    """A way to choose actions for one game. Class attributes do for the three names."""

    @property
    def id(self) -> str:
        """Short name, e.g. ``apprentice``."""

    @property
    def version(self) -> int:
        """Raised when the same view and seed would give another action."""

    @property
    def game(self) -> str | None:
        """The game it plays; ``None``: any."""

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return one of ``legal`` (action notation).

        ``view`` is the acting seat's view (with ``assist``); equal view, legal actions and generator state give the equal choice.
        """
        ...
