"""Matches of two bots over paired deals: every deal is played twice from the same stream of chance, with the seats swapped.

What the deal gives to a seat it gives to both bots in turn, so luck cancels out and fewer games tell more. A match is a
pure function of its arguments: the same seed gives the same games, on one process or on many.
"""

from __future__ import annotations

import math
import multiprocessing
import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import msgspec

from sandriver import bots, games
from sandriver.bots.policy import Policy
from sandriver.games.contract import Game, Outcome

Z95 = 1.959963984540054
LONGEST_GAME = 100_000
"""Actions after which a game is taken to be endless (an option may switch a game's own guard off)."""


class PairedChance:
    """A stream of uniform numbers, each turned into a card by whatever is left to be dealt then.

    The n-th card of both games of a pair comes from the same number, even where the two games have parted.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"deal {seed}")

    def draw(self, weights: Sequence[int]) -> int:
        """Return an index drawn in proportion to ``weights``."""
        rest = int(self._random.random() * sum(weights))
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        raise AssertionError("unreachable: rest is below the sum of the weights")


class GameResult(msgspec.Struct, frozen=True):
    """One game between bots."""

    seats: tuple[str, str]
    """Bot ids by seat."""
    outcome: Outcome
    plies: int


class MatchResult(msgspec.Struct, frozen=True):
    """A match as seen by its first bot."""

    game: str
    bots: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    rate: float
    """Share of the points won: a win counts 1, a draw one half."""
    low: float
    high: float
    """95 % interval of ``rate``."""
    points: tuple[float, float]
    """Mean points a game by bot."""
    plies: float
    """Mean number of actions a game."""
    reasons: dict[str, int]
    """How many games ended by which rule."""


def play_game(game: Game, policies: Sequence[Policy], seed: int, first: int, options: Any) -> GameResult:
    """Play one game of two policies (by seat) on the deal ``seed``; seat ``first`` begins."""
    chance = PairedChance(seed)
    minds = [random.Random(f"mind {seed} {policy.id} {seat}") for seat, policy in enumerate(policies)]
    position = game.start(options, 2, first, chance)
    plies = 0
    while (seat := position.to_move) is not None:
        if plies == LONGEST_GAME:
            raise RuntimeError(f"game {seed} has not ended after {LONGEST_GAME} actions")
        seen: Any = game.view(position, seat, assist=True)
        text = policies[seat].choose(seen, seen.legal, minds[seat])
        position = game.play(position, game.parse_action(text), chance).after
        plies += 1
    outcome = position.outcome
    if outcome is None:
        raise RuntimeError(f"game {seed} is over without an outcome")
    return GameResult((policies[0].id, policies[1].id), outcome, plies)


def play_pairs(
    game_id: str, one: str, two: str, seeds: Sequence[int], raw_options: Mapping[str, object]
) -> list[tuple[GameResult, GameResult]]:
    """Play each deal twice: ``one`` in seat 0, then in seat 1. Seat 0 begins on even deals, seat 1 on odd ones."""
    game = games.get(game_id)
    options = game.parse_options(raw_options)
    a, b = bots.get(game_id, one), bots.get(game_id, two)
    return [(play_game(game, (a, b), seed, seed % 2, options), play_game(game, (b, a), seed, seed % 2, options)) for seed in seeds]


def interval(pairs: Sequence[float]) -> tuple[float, float]:
    """Return a 95 % interval of the mean of pair scores (each 0..1).

    The pair is the unit, because its two games share their luck. Two won and two lost pairs are added first (Agresti and Coull),
    which keeps the interval honest where nearly everything was won.
    """
    scores = [*pairs, 1.0, 1.0, 0.0, 0.0]
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
    half = Z95 * math.sqrt(variance / len(scores))
    return max(0.0, mean - half), min(1.0, mean + half)


def play_match(
    game_id: str, one: str, two: str, count: int, *, seed: int = 0, processes: int = 1, options: Mapping[str, object] | None = None
) -> MatchResult:
    """Play ``count`` games (an even number, two a deal) and sum them up for the bot ``one``.

    With ``processes`` above 1 the deals are shared out; the result is the same. Raises ``ValueError`` for an odd or non-positive
    count, ``KeyError`` for an unknown game or bot, ``OptionError`` for a bad option.
    """
    if count < 2 or count % 2:
        raise ValueError("the number of games must be even and at least 2: every deal is played twice")
    raw = dict(options or {})
    bots.get(game_id, one), bots.get(game_id, two)
    games.get(game_id).parse_options(raw)
    seeds = range(seed, seed + count // 2)
    if processes <= 1:
        pairs = play_pairs(game_id, one, two, seeds, raw)
    else:
        chunks = [seeds[start : start + 10] for start in range(0, len(seeds), 10)]
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            done = [pool.submit(play_pairs, game_id, one, two, chunk, raw) for chunk in chunks]
            pairs = [pair for future in done for pair in future.result()]
    return sum_up(game_id, one, two, pairs)


def sum_up(game_id: str, one: str, two: str, pairs: Sequence[tuple[GameResult, GameResult]]) -> MatchResult:
    """Count the results of pairs in which ``one`` has seat 0 in the first game and seat 1 in the second."""
    shares, points, reasons, plies = [], [0, 0], dict[str, int](), 0
    for pair in pairs:
        for seat, result in enumerate(pair):
            winners = result.outcome.winners
            shares.append((1.0 if seat in winners else 0.0) / max(1, len(winners)))
            points[0] += result.outcome.scores[seat]
            points[1] += result.outcome.scores[1 - seat]
            reasons[result.outcome.reason] = reasons.get(result.outcome.reason, 0) + 1
            plies += result.plies
    count = len(shares)
    low, high = interval([(shares[i] + shares[i + 1]) / 2 for i in range(0, count, 2)])
    return MatchResult(
        game=game_id,
        bots=(one, two),
        games=count,
        wins=shares.count(1.0),
        draws=shares.count(0.5),
        losses=shares.count(0.0),
        rate=sum(shares) / count,
        low=low,
        high=high,
        points=(points[0] / count, points[1] / count),
        plies=plies / count,
        reasons=dict(sorted(reasons.items())),
    )
