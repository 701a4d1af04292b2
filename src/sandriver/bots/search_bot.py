"""Bots that search: a policy for each game and budget, named like ``ismcts:10000`` (iterations) or ``ismcts:50ms`` (time a move).

With both, ``ismcts:10000:50ms``, the one that is spent first ends the search."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Protocol

from sandriver.bots import mandala_search, stones_search
from sandriver.bots.search import NET, SUMS, SearchResult, check_budget

_BUDGET = re.compile(r"(?:([1-9][0-9]{0,8})(?::(?=.)|$))?(?:([0-9]+(?:\.[0-9]+)?)ms)?")


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

    recalls: bool = True

    def __init__(self, name: str, *, iterations: int | None = None, milliseconds: float | None = None, options: Any = None) -> None:
        """``name``: one of ``KINDS``. ``options``: of the games it plays, if they are not the usual ones.

        Raises ``ValueError`` or ``TypeError`` for a budget that is none, as ``check_budget`` does.
        """
        check_budget(iterations, milliseconds)
        budgets = [] if iterations is None else [f"{int(iterations)}"]
        if milliseconds is not None:
            budgets.append(f"{_plain(float(milliseconds))}ms")
        self.game: str | None
        self.version: int = VERSIONS.get(name, 1)
        self.game, self._make = KINDS[name]
        self.id = ":".join([name, *budgets])
        self.iterations, self.milliseconds = iterations, milliseconds
        self._name, self._options = name, options

    def for_options(self, options: Any) -> SearchBot:
        """The same bot for games by these options: it looks ahead by the rules that they make, not by those of the usual ones."""
        return SearchBot(self._name, iterations=self.iterations, milliseconds=self.milliseconds, options=options)

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return the legal action that was searched most; the only one without a search. The choices of the view are not needed."""
        seed = rng.getrandbits(62)
        return legal[0] if len(legal) == 1 else self.analyse(view, seed=seed).action

    def analyse(self, view: Any, *, seed: int = 0) -> SearchResult:
        """Search with the bot's budget and tell everything found. ``view`` is that of the seat to move, else ``ValueError``."""
        return self._make(options=self._options).run(view, iterations=self.iterations, milliseconds=self.milliseconds, seed=seed)


KINDS: dict[str, tuple[str, Callable[..., Search]]] = {
    "ismcts": ("mandala", mandala_search.Search),
    "ismcts-sums": ("mandala", partial(mandala_search.Search, leaf=SUMS, exploration=0.2, widening=2.0, candidates=4)),
    "ismcts-ahead": ("mandala", partial(mandala_search.Search, leaf=SUMS, exploration=0.2, widening=2.0, candidates=4, plies=3)),
    "ismcts-net": ("mandala", partial(mandala_search.Search, leaf=NET, exploration=0.2, widening=2.0, candidates=4)),
    "ismcts-puct": ("mandala", partial(mandala_search.Search, leaf=NET, exploration=0.2, widening=2.0, candidates=4, choice=0.4)),
    "mcts": ("stones", stones_search.Search),
    "mcts-sums": ("stones", partial(stones_search.Search, leaf=SUMS, exploration=0.1, widening=2.0, candidates=8)),
}
"""The searches by name: the game, and what makes one for its ``options``. Those without a suffix are the plain ones that others are
measured by.

With ``puct`` what the network chooses comes into the tree, and is searched, first; with ``net`` that network only judges. An iteration with
``ahead`` plays on for three actions before it adds up, and takes three times as long as one with ``sums``."""


VERSIONS = {"ismcts": 2, "ismcts-sums": 3, "ismcts-ahead": 3, "ismcts-net": 3, "ismcts-puct": 3}
"""Of the searches that do not play any more as they once did; of all others it is 1."""


def parse(game_id: str, bot_id: str) -> SearchBot:
    """Return the searching bot that an id names. Raises ``KeyError`` for an unknown name, ``ValueError`` for a budget that is none."""
    name, _, budget = bot_id.partition(":")
    if KINDS.get(name, ("",))[0] != game_id:
        raise KeyError(bot_id)
    found = _BUDGET.fullmatch(budget)
    bot = None
    if found and (found[1] or found[2]):
        bot = SearchBot(name, iterations=int(found[1]) if found[1] else None, milliseconds=float(found[2]) if found[2] else None)
    if bot is None or bot.id != bot_id:  # one bot, one id
        raise ValueError(f"{name} needs a budget: {name}:10000 (iterations a move) or {name}:50ms (milliseconds a move)")
    return bot


def _plain(number: float) -> str:
    """A number exactly, without an exponent: 50, 0.4."""
    text = format(Decimal(repr(number)), "f")
    return text.removesuffix(".0")
