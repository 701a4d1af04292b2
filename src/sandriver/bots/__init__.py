"""Floor 2, the bots: which policies there are, by game and id. They get a seat's view and legal actions, never a position."""

from __future__ import annotations

from sandriver.games import kernels

for _search in ("mandala_search", "stones_search"):
    kernels.choose(f"sandriver.bots.{_search}")  # before anything below imports it

from sandriver.bots import search_bot  # noqa: E402
from sandriver.bots.levels import LEVELS  # noqa: E402
from sandriver.bots.policy import Policy  # noqa: E402
from sandriver.bots.random_bot import RandomBot  # noqa: E402

BOTS: tuple[Policy, ...] = (*(level.policy for levels in LEVELS.values() for level in levels), RandomBot())
"""Every bot that players are offered: the levels, from gentle to strong, then ``random``, which is there but not recommended.

All are stateless, so one instance serves every table and thread."""
RECOMMENDED = "apprentice"
"""The level for who does not choose, and for a seat that somebody left."""


def for_game(game_id: str) -> tuple[Policy, ...]:
    """Return the bots that players of a game are offered: its levels, from gentle to strong, then ``random``."""
    return tuple(bot for bot in BOTS if bot.game is None or bot.game == game_id)


def offered(game_id: str, bot_id: str) -> Policy:
    """Return one of the bots that players are offered; raises ``KeyError`` when this game offers none of that name."""
    for bot in for_game(game_id):
        if bot.id == bot_id:
            return bot
    raise KeyError(bot_id)


def get(game_id: str, bot_id: str) -> Policy:
    """Return a game's bot by id: one that is offered, or a search with any budget, such as ``ismcts:10000``, for matches and study.

    Raises ``KeyError`` when this game has none of that name, ``ValueError`` when what stands behind a colon is no budget of it.
    """
    try:
        return offered(game_id, bot_id)
    except KeyError:
        return search_bot.parse(game_id, bot_id)


def names(game_id: str) -> tuple[str, ...]:
    """Return what ``get`` takes for a game, ``N`` standing for a number."""
    kinds = [f"{name}:{n}" for name, (game, _) in search_bot.KINDS.items() if game == game_id for n in ("N", "Nms")]
    return (*(bot.id for bot in for_game(game_id)), *kinds)
