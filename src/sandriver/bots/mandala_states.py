"""Asks any bot of Mandala about a kernel's state, for who plays whole games without positions: it gets its seat's view, as always."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from sandriver.bots.policy import Policy, seen_by
from sandriver.bots.search_bot import KINDS, SearchBot
from sandriver.games.mandala.game import MANDALA
from sandriver.games.mandala.options import Options
from sandriver.games.mandala.rules import Position

Ask = Callable[[Any, random.Random], int]
"""Gives the index of the action that a bot chooses in a running state; not from two threads at once."""


def asker(bot: Policy) -> Ask:
    """Return what asks a bot about games of the usual options. A bot that searches keeps one tree for all of them, which saves time."""
    options = Options()
    if type(bot) is SearchBot:
        search, budgets = KINDS[bot.id.partition(":")[0]][1](), {"iterations": bot.iterations, "milliseconds": bot.milliseconds}

        def by_search(state: Any, rng: random.Random) -> int:
            seed, legal = rng.getrandbits(62), state.legal()
            if len(legal) == 1:
                return int(legal[0])
            view: Any = seen_by(bot, MANDALA, Position(state.copy(), options))
            return int(MANDALA.parse_action(search.run(view, **budgets, seed=seed).action).index)  # type: ignore[arg-type]

        return by_search

    def by_view(state: Any, rng: random.Random) -> int:
        view: Any = seen_by(bot, MANDALA, Position(state.copy(), options))
        return int(MANDALA.parse_action(bot.choose(view, view.legal, rng)).index)

    return by_view
