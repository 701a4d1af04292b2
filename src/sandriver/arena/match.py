"""Matches of two bots over paired deals: every deal is played once from each seat, from the same stream of chance.

One bot takes one seat, the other takes all the rest (with two seats: the other one), and from game to game they move on by one seat.
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


class EndlessGame(RuntimeError):
    """A game does not come to an end; the message says which."""


class PairedChance:
    """A stream of uniform numbers, each turned into a card by whatever is left to be dealt then.

    The n-th card comes from the same number in every game of a deal, even where the games have parted.
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

    seats: tuple[str, ...]
    """Bot ids by seat."""
    outcome: Outcome
    plies: int


class MatchResult(msgspec.Struct, frozen=True):
    """A match as seen by its first bot."""

    game: str
    bots: tuple[str, str]
    seats: int
    """Seats a game: one for the first bot, all others for the second."""
    games: int
    wins: int
    draws: int
    """Games whose victory was shared."""
    losses: int
    rate: float
    """Share of the victories: a win counts 1, one shared by ``n`` seats counts 1/``n`` (with two seats, a draw: one half)."""
    low: float
    high: float
    """95 % interval of ``rate``."""
    points: tuple[float, float]
    """Mean points a game and seat by bot."""
    plies: float
    """Mean number of actions a game."""
    reasons: dict[str, int]
    """How many games ended by which rule."""


def play_game(game: Game, policies: Sequence[Policy], seed: int, first: int, options: Any) -> GameResult:
    """Play one game of two policies (by seat) on the deal ``seed``; seat ``first`` begins."""
    chance = PairedChance(seed)
    minds = [random.Random(f"mind {seed} {policy.id} {seat}") for seat, policy in enumerate(policies)]
    position = game.start(options, len(policies), first, chance)
    plies = 0
    while (seat := position.to_move) is not None:
        if plies == LONGEST_GAME:
            raise EndlessGame(f"game {seed} has not ended after {LONGEST_GAME} actions")
        seen: Any = game.view(position, seat, assist=True)
        text = policies[seat].choose(seen, seen.legal, minds[seat])
        position = game.play(position, game.parse_action(text), chance).after
        plies += 1
    outcome = position.outcome
    if outcome is None:
        raise RuntimeError(f"game {seed} is over without an outcome")
    return GameResult(tuple(policy.id for policy in policies), outcome, plies)


def find_policy(game_id: str, bot: str | Policy) -> Policy:
    """Return a game's bot by id, or a policy of one's own as it is.

    Raises ``KeyError`` for an id that this game does not have, ``ValueError`` for a policy of another game.
    """
    if isinstance(bot, str):
        return bots.get(game_id, bot)
    if bot.game not in (None, game_id):
        raise ValueError(f"{bot.id} plays {bot.game}, not {game_id}")
    return bot


def play_deals(
    game_id: str, one: str | Policy, two: str | Policy, seats: int, seeds: Sequence[int], raw_options: Mapping[str, object]
) -> list[tuple[GameResult, ...]]:
    """Play each deal once for every seat: ``one`` in seat 0, then in seat 1, and so on. Another seat begins from deal to deal."""
    game = games.get(game_id)
    options = game.parse_options(raw_options)
    a, b = find_policy(game_id, one), find_policy(game_id, two)
    seatings = [[a if seat == place else b for seat in range(seats)] for place in range(seats)]
    return [tuple(play_game(game, seating, seed, seed % seats, options) for seating in seatings) for seed in seeds]


def interval(deals: Sequence[float], seats: int = 2) -> tuple[float, float]:
    """Return a 95 % interval of the mean of deal scores (each 0..1); the mean itself is always in it.

    Wilson's score interval, with the deal as the unit, because its games share their luck: ``n`` deals that differ less than won and lost
    ones would are worth more than ``n``. How much they differ is estimated with two won deals and for each other seat two lost ones added
    (after Agresti and Coull), so that a few deals that happen to be alike are not taken for certainty.
    """
    mean = sum(deals) / len(deals)
    scores = [*deals, *[1.0] * 2, *[0.0] * 2 * (seats - 1)]
    middle = sum(scores) / len(scores)
    variance = sum((score - middle) ** 2 for score in scores) / (len(scores) - 1)
    n = len(deals) / min(1.0, variance / (middle * (1 - middle)))
    centre = mean + Z95**2 / (2 * n)
    half = Z95 * math.sqrt(mean * (1 - mean) / n + (Z95 / (2 * n)) ** 2)
    low, high = (centre - half) / (1 + Z95**2 / n), (centre + half) / (1 + Z95**2 / n)
    return max(0.0, min(mean, low)), min(1.0, max(mean, high))


def play_match(
    game_id: str,
    one: str | Policy,
    two: str | Policy,
    count: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    processes: int = 1,
    options: Mapping[str, object] | None = None,
) -> MatchResult:
    """Play ``count`` games (a multiple of ``seats``, which is how often each deal is played) and sum them up for the bot ``one``.

    A bot is the id of one that the game has, or any ``Policy`` (with ``processes`` above 1 one that can be pickled). ``seats``: how many
    play; the fewest that the game knows, if not said. With ``processes`` above 1 the deals are shared out; the result is the same.
    Raises ``ValueError`` for a number of seats that the game does not know, a count that does not fit and a policy of another game,
    ``KeyError`` for an unknown game or bot, ``OptionError`` for a bad option, ``EndlessGame``.
    """
    game = games.get(game_id)
    seats = min(game.seat_counts) if seats is None else seats
    if seats not in game.seat_counts:
        raise ValueError(f"{game_id} is for {numbers(game.seat_counts)} seats, not {seats}")
    if count < seats or count % seats:
        wanted = "even" if seats == 2 else f"a multiple of {seats}"
        raise ValueError(f"the number of games must be {wanted} and at least {seats}: every deal is played once from each seat")
    raw = dict(options or {})
    names = find_policy(game_id, one).id, find_policy(game_id, two).id
    game.parse_options(raw)
    seeds = range(seed, seed + count // seats)
    if processes <= 1:
        deals = play_deals(game_id, one, two, seats, seeds, raw)
    else:
        chunks = [seeds[start : start + 10] for start in range(0, len(seeds), 10)]
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            done = [pool.submit(play_deals, game_id, one, two, seats, chunk, raw) for chunk in chunks]
            deals = [deal for future in done for deal in future.result()]
    return sum_up(game_id, *names, deals)


def numbers(counts: Sequence[int]) -> str:
    """Some numbers in words of a sentence.

    >>> numbers((2,)), numbers((2, 3, 4))
    ('2', '2, 3 or 4')
    """
    *most, last = map(str, counts)
    return f"{', '.join(most)} or {last}" if most else last


def sum_up(game_id: str, one: str, two: str, deals: Sequence[tuple[GameResult, ...]]) -> MatchResult:
    """Count the results of deals in which ``one`` has seat 0 in the first game, seat 1 in the second, and so on."""
    shares, points, reasons, plies = [], [0.0, 0.0], dict[str, int](), 0
    for deal in deals:
        for seat, result in enumerate(deal):
            winners, scores = result.outcome.winners, result.outcome.scores
            shares.append((1.0 if seat in winners else 0.0) / max(1, len(winners)))
            points[0] += scores[seat]
            points[1] += (sum(scores) - scores[seat]) / (len(scores) - 1)
            reasons[result.outcome.reason] = reasons.get(result.outcome.reason, 0) + 1
            plies += result.plies
    count, seats = len(shares), len(deals[0])
    by_deal = [sum(shares[i : i + seats]) / seats for i in range(0, count, seats)]
    low, high = interval(by_deal, seats)
    return MatchResult(
        game=game_id,
        bots=(one, two),
        seats=seats,
        games=count,
        wins=shares.count(1.0),
        draws=sum(0.0 < share < 1.0 for share in shares),
        losses=shares.count(0.0),
        rate=sum(by_deal) / len(by_deal),
        low=low,
        high=high,
        points=(points[0] / count, points[1] / count),
        plies=plies / count,
        reasons=dict(sorted(reasons.items())),
    )
