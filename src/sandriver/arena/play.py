"""Playing one deal: once from every seat, from the same stream of chance, each bot's time taken.

One bot takes one seat, the other takes all the rest (with two seats: the other one), and from game to game they move on by one seat.
What the deal gives to a seat it gives to both bots in turn, so luck cancels out and fewer games tell more. What happens in a deal is a
pure function of the game, its options, the two bots and the deal's number; only the time that it takes is not.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from sandriver import bots
from sandriver.bots.policy import Policy, for_options, seen_by
from sandriver.games.contract import Game, Outcome

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


class Bot(msgspec.Struct, frozen=True, array_like=True):
    """A bot that has played: its name and which version of it."""

    id: str
    version: int


class PlayedGame(msgspec.Struct, frozen=True):
    """How one game of a deal ended."""

    winners: tuple[int, ...]
    """Seats that won; several: shared."""
    points: tuple[int, ...]
    """Final points by seat."""
    plies: int
    reason: str
    """Code of the rule that ended it."""


class PlayedDeal(msgspec.Struct, frozen=True):
    """One deal, played once from every seat: all that a match needs to know of it, and a line of a file of played deals."""

    bots: tuple[Bot, Bot]
    """Who has one seat, and who has all the others."""
    seed: int
    """Number of the deal."""
    games: tuple[PlayedGame, ...]
    """By the seat that the first bot has: seat 0, then seat 1, and so on."""
    moves: tuple[int, int]
    """How often each bot chose an action."""
    spent: tuple[int, int]
    """Microseconds that each bot took for all of them."""

    def mirrored(self) -> PlayedDeal:
        """The same deal of two seats, seen from the other bot: its first game is this one's second."""
        return PlayedDeal(self.bots[::-1], self.seed, self.games[::-1], self.moves[::-1], self.spent[::-1])


class Timed:
    """A policy with a stopwatch."""

    def __init__(self, policy: Policy) -> None:
        self.id, self.version, self.game = policy.id, policy.version, policy.game
        self.recalls = getattr(policy, "recalls", False)
        self.moves, self.nanoseconds = 0, 0
        self._policy = policy

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Choose as the policy does."""
        began = time.perf_counter_ns()
        chosen = self._policy.choose(view, legal, rng)
        self.nanoseconds += time.perf_counter_ns() - began
        self.moves += 1
        return chosen


def play_game(game: Game, policies: Sequence[Policy], seed: int, first: int, options: Any) -> GameResult:
    """Play one game of two policies (by seat) on the deal ``seed``; seat ``first`` begins."""
    chance = PairedChance(seed)
    minds = [random.Random(f"mind {seed} {policy.id} {seat}") for seat, policy in enumerate(policies)]
    position = game.start(options, len(policies), first, chance)
    plies = 0
    while (seat := position.to_move) is not None:
        if plies == LONGEST_GAME:
            raise EndlessGame(f"game {seed} has not ended after {LONGEST_GAME} actions")
        seen = seen_by(policies[seat], game, position)
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


def play_deal(game: Game, one: Policy, two: Policy, seats: int, seed: int, options: Any) -> PlayedDeal:
    """Play a deal once for every seat: ``one`` in seat 0, then in seat 1, and so on. Another seat begins from deal to deal."""
    a, b = Timed(for_options(one, options)), Timed(for_options(two, options))
    played = []
    for place in range(seats):
        result = play_game(game, [a if seat == place else b for seat in range(seats)], seed, seed % seats, options)
        outcome = result.outcome
        played.append(PlayedGame(outcome.winners, outcome.scores, result.plies, outcome.reason))
    return PlayedDeal(
        (Bot(one.id, one.version), Bot(two.id, two.version)),
        seed,
        tuple(played),
        (a.moves, b.moves),
        (a.nanoseconds // 1000, b.nanoseconds // 1000),
    )
