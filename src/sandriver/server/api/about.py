"""Endpoints about the server itself: the games it plays, its sign of life and its own description."""

from __future__ import annotations

from functools import cache
from typing import Literal

from sandriver import __version__
from sandriver.bots import for_game
from sandriver.bots.levels import LEVELS
from sandriver.bots.policy import Policy
from sandriver.games import GAMES
from sandriver.server.api.wire import BotInfo, ClockLimits, GameInfo, Games, Health, Ready
from sandriver.server.call import Call
from sandriver.server.endpoints import endpoint
from sandriver.server.problems import Problem
from sandriver.tables import clock


@cache
def games() -> Games:
    """Every registered game with its default options and the bots that play it."""
    return Games(
        games=tuple(
            GameInfo(
                id=game.id,
                rules_version=game.rules_version,
                seat_counts=tuple(game.seat_counts),
                seat_names=tuple(game.seat_names),
                options=game.format_options(game.parse_options({})),
                bots=tuple(_bot(game.id, bot) for bot in for_game(game.id)),
            )
            for game in GAMES.values()
        ),
        clocks=(_limits("fischer"), _limits("per_move")),
    )


def _bot(game_id: str, bot: Policy) -> BotInfo:
    for place, level in enumerate(LEVELS.get(game_id, ()), 1):
        if level.policy is bot:
            return BotInfo(bot.id, bot.version, place, level.elo, level.thinking_ms)
    return BotInfo(bot.id, bot.version)


def _limits(kind: Literal["fischer", "per_move"]) -> ClockLimits:
    limits = clock.LIMITS[kind]
    return ClockLimits(kind, limits["base_s"], limits["increment_s"])


@endpoint("GET", "/api/games")
async def get_games(_call: Call) -> Games:
    """List the games with their options and bots."""
    return games()


@endpoint("GET", "/healthz", counted=False)
async def get_health(_call: Call) -> Health:
    """Say that the process lives."""
    return Health(status="ok", version=__version__)


@endpoint("GET", "/readyz", counted=False)
async def get_ready(call: Call) -> Ready:
    """Say whether requests should come here; refused with a ``reason``: ``store``, ``stalled`` or ``draining``."""
    obstacle = await call.server.readiness.check()
    if obstacle is not None:
        raise Problem("try_again", {"reason": obstacle})
    bus = call.server.metrics.bus
    return Ready(status="ok", bus="up" if bus is None or bus() else "down")


HEALTH = (get_health, get_ready)
ENDPOINTS = (get_games, *HEALTH)
