"""What a bot is: a policy that gets a seat's view and the legal actions, and names one. It never gets a position."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

from sandriver.games.contract import Game


class Policy(Protocol):
    """A way to choose actions for one game. Class attributes do for the three names.

    A policy whose play depends on more of a game's options than a view tells may have ``for_options(options) -> Policy`` besides, which
    returns the same policy for games by these options (the game's own ``Options``); who plays with it asks by ``for_options`` below.

    A policy with ``recalls = True`` gets views that hold what everybody has seen and may remember (``recall`` of ``Game.view``); who plays
    with it makes them by ``seen_by``.
    """

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


def for_options(policy: Policy, options: Any) -> Policy:
    """Return the policy for games by these options: what its own ``for_options`` makes, or itself where it has none."""
    made = getattr(policy, "for_options", None)
    found: Policy = policy if made is None else made(options)
    return found


def seen_by(policy: Policy | None, game: Game, position: Any) -> Any:
    """Return the view that a policy (``None``: any) is asked with about a position, where its seat is to move."""
    return game.view(position, position.to_move, assist=True, recall=getattr(policy, "recalls", False))
