"""How long the levels think: processor time of a move, for each game and number of seats.

Usage: ``python bench/thinking.py [--quick] [--json]``. Positions with something to choose, early, in the middle and late in three games
that apprentices play (``--quick``: one game); each level is asked in each of them, by processor time of the thread. Mean and most, in
milliseconds. Status 1 when a champion takes longer on average than is wanted.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from typing import Any

from sandriver import bots, games
from sandriver.bots.levels import LEVELS
from sandriver.bots.policy import Policy
from sandriver.games.chance import RandomChance

WANTED_MS = 300
PARTS = (0.2, 0.5, 0.8)
"""Of a game's decisions, in order: those at which the levels are asked."""


def decisions(game_id: str, seats: int, count: int) -> list[Any]:
    """Views with something to choose, at the same parts of so many games between apprentices."""
    every = [game_of(game_id, seats, seed) for seed in range(count)]
    return [found[int(part * len(found))] for found in every for part in PARTS]


def game_of(game_id: str, seats: int, seed: int) -> list[Any]:
    """Every view of one game between apprentices in which there was something to choose."""
    game, bot = games.get(game_id), bots.get(game_id, "apprentice")
    chance, rng = RandomChance(seed), random.Random(seed)
    position: Any = game.start(game.parse_options({}), seats, seed % seats, chance)
    found: list[Any] = []
    while position.to_move is not None:
        view: Any = game.view(position, position.to_move, assist=True, recall=True)
        if len(view.legal) > 1:
            found.append(view)
        position = game.play(position, game.parse_action(bot.choose(view, view.legal, rng)), chance).after
    return found


def spent(policy: Policy, views: list[Any]) -> dict[str, float]:
    """Mean and most of the processor time that a choice takes in these views, in milliseconds."""
    policy.choose(views[0], views[0].legal, random.Random(0))  # what is loaded or made at first is not counted
    times = []
    for number, view in enumerate(views):
        began = time.thread_time()
        policy.choose(view, view.legal, random.Random(number))
        times.append(1000 * (time.thread_time() - began))
    return {"mean": round(statistics.fmean(times), 2), "most": round(max(times), 2)}


def main() -> int:
    """Measure, print, and say by the exit status whether champions are quick enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of words")
    given = parser.parse_args()
    figures = {}
    for game_id in LEVELS:
        for seats in games.get(game_id).seat_counts:
            name = f"{game_id}, {seats} players"
            views = decisions(game_id, seats, 1 if given.quick else 3)
            figures[name] = {level.policy.id: spent(level.policy, views) for level in LEVELS[game_id]}
            if not given.json:
                for level, found in figures[name].items():
                    print(f"{name:<18} {level:<12} {found['mean']:>8.1f} ms, at most {found['most']:.1f} ms", flush=True)
    if given.json:
        print(json.dumps(figures))
    return 0 if all(found["champion"]["mean"] <= WANTED_MS for found in figures.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
