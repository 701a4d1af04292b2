"""Bots that search: a policy for each game and budget, named like ``ismcts:10000`` (iterations) or ``ismcts:50ms`` (time a move)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from sandriver.bots import mandala_search, stones_search
from sandriver.bots.search import SUMS, SearchResult, check_budget

_BUDGET = re.compile(r"([1-9][0-9]{0,8})(ms)?")


class Search(Protocol):
    """A search of one game, for one thread at a time."""

    def run(self, view: Any, *, iterations: int | None = None, milliseconds: float | None = None, seed: int = 0) -> SearchResult:
        """Search from a seat's view until a budget is spent."""
        ...

    def cancel(self) -> None:
        """End the search, from any thread."""
        ...


class SearchBot:
    """Plays what a search finds. Stateless: every decision has a search of its own, seeded from the generator it is given."""

    def __init__(self, name: str, *, iterations: int | None = None, milliseconds: float | None = None) -> None:
        """``name``: one of ``KINDS``. Raises ``ValueError`` for a budget that is none."""
        check_budget(iterations, milliseconds)
        self.game: str | None
        self.version: int = VERSIONS.get(name, 1)
        self.game, self._make = KINDS[name]
        self.id = f"{name}:{iterations}" if milliseconds is None else f"{name}:{milliseconds:.0f}ms"
        self._iterations, self._milliseconds = iterations, milliseconds

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return the legal action that was searched most; the only one without a search. The choices of the view are not needed."""
        seed = rng.getrandbits(62)
        return legal[0] if len(legal) == 1 else self.analyse(view, seed=seed).action

    def analyse(self, view: Any, *, seed: int = 0) -> SearchResult:
        """Search with the bot's budget and tell everything found. ``view`` is that of the seat to move, else ``ValueError``."""
        return self._make().run(view, iterations=self._iterations, milliseconds=self._milliseconds, seed=seed)


KINDS: dict[str, tuple[str, Callable[[], Search]]] = {
    "ismcts": ("mandala", mandala_search.Search),
    "ismcts-sums": ("mandala", partial(mandala_search.Search, leaf=SUMS, exploration=0.2, widening=2.0, candidates=4)),
    "ismcts-ahead": ("mandala", partial(mandala_search.Search, leaf=SUMS, exploration=0.2, widening=2.0, candidates=4, plies=3)),
    "mcts": ("stones", stones_search.Search),
    "mcts-sums": ("stones", partial(stones_search.Search, leaf=SUMS, exploration=0.1, widening=2.0, candidates=8)),
}
"""The searches by name: the game, and what makes one. Those without a suffix are the plain ones that others are measured by.

An iteration with ``ahead`` plays on for three actions before it adds up, and takes three times as long as one with ``sums``."""


VERSIONS = {"ismcts-sums": 2, "ismcts-ahead": 2}
"""Of the searches that do not play any more as they once did; of all others it is 1."""


def parse(game_id: str, bot_id: str) -> SearchBot:
    """Return the searching bot that an id names. Raises ``KeyError`` for an unknown name, ``ValueError`` for a budget that is none."""
    name, _, budget = bot_id.partition(":")
    if KINDS.get(name, ("",))[0] != game_id:
        raise KeyError(bot_id)
    found = _BUDGET.fullmatch(budget)
    if found is None:
        raise ValueError(f"{name} needs a budget: {name}:10000 (iterations a move) or {name}:50ms (milliseconds a move)")
    if found[2]:
        return SearchBot(name, milliseconds=float(found[1]))
    return SearchBot(name, iterations=int(found[1]))
