"""Floor 2, the bots: which policies there are, by game and id. They get a seat's view and legal actions, never a position."""

from __future__ import annotations

from sandriver.bots.mandala_apprentice import MandalaApprentice
from sandriver.bots.policy import Policy
from sandriver.bots.random_bot import RandomBot
from sandriver.bots.stones_apprentice import StonesApprentice

BOTS: tuple[Policy, ...] = (MandalaApprentice(), StonesApprentice(), RandomBot())
"""Every bot, the recommended ones first. All are stateless, so one instance serves every table and thread."""


def for_game(game_id: str) -> tuple[Policy, ...]:
    """Return the bots that play a game, the recommended one first."""
    return tuple(bot for bot in BOTS if bot.game is None or bot.game == game_id)


def get(game_id: str, bot_id: str) -> Policy:
    """Return a game's bot by id; raises ``KeyError`` when this game has none of that name."""
    for bot in for_game(game_id):
        if bot.id == bot_id:
            return bot
    raise KeyError(bot_id)
