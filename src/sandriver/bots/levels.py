"""The five levels that players are offered in every game, from gentle to strong: what they are made of, how strong, how long they think.

The newcomer weighs like the apprentice, but overlooks some of what could be played and misjudges the rest. Journeyman, master and champion
search (``search_bot``), in Mandala by learned networks, in Mandala Stones by the apprentice's sums; the gentler ones search less, and the
journeyman misjudges what it found. None plays at
random. Budgets are numbers of iterations, so how long a level thinks tells nothing about hidden cards beyond what the table shows.

Searches that are not compiled are slow and hold the interpreter lock, so they get many times less to do (``SLOWER``): weaker levels, same
manners.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandriver.bots import mandala_apprentice, mandala_search, search_bot, stones_apprentice
from sandriver.bots.policy import Policy
from sandriver.games import kernels

SLOWER = {"ismcts-net": 300, "ismcts-puct": 600, "mcts-sums": 60}
LEAST = 30
"""Uncompiled, a search has so many times fewer iterations, by its kind, but at least so many."""
SHARE = 0.25
"""A misjudging search considers actions that were searched at least so much as the one searched most."""


class Newcomer:
    """Plays what it takes for best among the actions that it notices. Stateless; a decision takes about a millisecond."""

    id: str = "newcomer"
    version: int = 1

    def __init__(self, game: str, worths: Callable[[Any, Sequence[str]], dict[str, float]], *, notices: float, misjudges: float) -> None:
        """``worths``: what the legal actions are worth, in points. ``notices``: the part of them that it looks at (three at least).
        ``misjudges``: standard deviation of its mistakes, in points."""
        self.game: str | None = game
        self._worths, self._notices, self._misjudges = worths, notices, misjudges

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return a legal action. ``view`` must have been made with ``assist``."""
        if len(legal) == 1:
            return legal[0]
        worths = self._worths(view, legal)
        noticed = rng.sample(legal, min(len(legal), max(3, round(self._notices * len(legal)))))
        return max(noticed, key=lambda action: worths[action] + rng.gauss(0, self._misjudges))


class Searcher:
    """A level that searches with a fixed number of iterations. Stateless."""

    recalls: bool = True

    def __init__(self, bot_id: str, kind: str, iterations: int, *, misjudges: float = 0.0, version: int = 1) -> None:
        """``kind``: one of ``SLOWER``. ``misjudges``: standard deviation of its mistakes about an action's value (0..1)."""
        self.id = bot_id
        self.iterations = iterations if kernels.is_compiled(mandala_search) else max(LEAST, iterations // SLOWER[kind])
        self._bot = search_bot.SearchBot(kind, iterations=self.iterations)
        self.version = version
        self.game: str | None = self._bot.game
        self._misjudges = misjudges

    def for_options(self, options: Any) -> Searcher:
        """The same level for games by these options."""
        level = copy.copy(self)
        level._bot = self._bot.for_options(options)  # noqa: SLF001  # one of its own kind
        return level

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return the legal action searched most or, if it misjudges, the one that seems best among those searched much."""
        if len(legal) == 1:
            return legal[0]
        found = self._bot.analyse(view, seed=rng.getrandbits(62))
        if not self._misjudges:
            return found.action
        least = SHARE * found.visits[found.action]
        much = [action for action, visits in found.visits.items() if visits >= least]
        return max(much, key=lambda action: found.values[action] + rng.gauss(0, self._misjudges))


class Level(msgspec.Struct, frozen=True):
    """A bot that players are recommended."""

    policy: Policy
    elo: int
    """Measured with two seats; ``random`` is 0 (see ``docs/strength.md``)."""
    thinking_ms: int
    """Processor time of a move, on average, in a game of the fewest seats."""


LEVELS: dict[str, tuple[Level, ...]] = {
    "mandala": (
        Level(Newcomer("mandala", mandala_apprentice.worths, notices=0.7, misjudges=1.2), 630, 1),
        Level(mandala_apprentice.MandalaApprentice(), 880, 1),
        Level(Searcher("journeyman", "ismcts-net", 110, misjudges=0.01, version=6), 1030, 1),
        Level(Searcher("master", "ismcts-puct", 100, version=6), 1200, 1),
        Level(Searcher("champion", "ismcts-puct", 30_000, version=6), 1350, 160),
    ),
    "stones": (
        Level(Newcomer("stones", stones_apprentice.worths, notices=0.7, misjudges=0.3), 630, 1),
        Level(stones_apprentice.StonesApprentice(), 870, 1),
        Level(Searcher("journeyman", "mcts-sums", 300, misjudges=0.005, version=2), 1070, 3),
        Level(Searcher("master", "mcts-sums", 1_200, version=2), 1240, 8),
        Level(Searcher("champion", "mcts-sums", 18_000), 1580, 120),
    ),
}
"""By game, from gentle to strong."""
