"""Floor 1, the rules: the registry of games. Everything above asks here for a game by its id."""

from __future__ import annotations

from sandriver.games.contract import Game
from sandriver.games.mandala import MANDALA
from sandriver.games.stones import STONES

GAMES: dict[str, Game] = {game.id: game for game in (MANDALA, STONES)}


def get(game_id: str) -> Game:
    """Return a game by id; raises ``KeyError`` for an unknown one."""
    return GAMES[game_id]
