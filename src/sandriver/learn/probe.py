"""What can be won from a bot by who learns nothing but to beat it: the learning part of ``sandriver probe``.

The bot stays as it is. The learner searches as ``ismcts-puct`` does and judges by a network of its own, which is at first the one that
comes with Sandriver. In generations it plays the bot, learns from these games alone how they end, and is measured on deals that were not
learned from. Everything follows from the seed; games may be shared out among processes, which changes nothing but the time.

In a game some of the learner's actions are random (``selfplay`` says why), the bot's never.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandriver import bots
from sandriver.bots import mandala_net
from sandriver.bots.mandala_search import Search
from sandriver.bots.mandala_states import Ask, asker
from sandriver.bots.search import NET
from sandriver.learn.fit import Epoch, fit
from sandriver.learn.keep import Keep
from sandriver.learn.samples import Samples, join, pack
from sandriver.learn.selfplay import Step, Turn, answered, considered, shares_of, won_by_first
from sandriver.learn.train import WAYS, played, search_with

GAME = "mandala"
ITERATIONS = 100
"""The learner's against a bot that does not count any."""
NOISE = (0.0, 0.05, 0.15, 0.3)
"""Parts of the learner's actions that are random; each game has one of these."""
KEPT = 3
"""Generations whose games are learned from besides the newest ones."""
RATE = 1e-3
FIRST_GAME, FIRST_CHECK = 5 * 10**15, 2 * 10**9
"""Numbers of games to learn from and of deals to measure on: none that a training has, and those of the final match are below both."""


class ProbePlan(msgspec.Struct, frozen=True):
    """How much is to be done."""

    against: str
    """The bot that is probed, by its id."""
    iterations: int
    """The learner's, a move."""
    generations: int = 4
    games: int = 4000
    """A generation."""
    epochs: int = 4
    check_deals: int = 100
    """Played twice after each generation: the one that does best in them is kept."""
    seed: int = 1
    processes: int = 1


class Attempt(msgspec.Struct, frozen=True):
    """A generation of the learner and how it did; number 0 has not learned anything yet."""

    number: int
    turns: int
    """That it played and could learn from."""
    epochs: list[Epoch]
    rate: float
    """Its share of the victories against the bot."""
    spread: float
    """Half of the 95 % interval of ``rate``, by the normal approximation over deals."""
    seconds: float


class Learner:
    """The learner as a bot, to be played with in matches. Stateless."""

    id: str = "learner"
    version: int = 1
    game: str | None = GAME
    recalls: bool = True

    def __init__(self, weights: Sequence[float], iterations: int) -> None:
        self._weights, self._iterations = tuple(weights), iterations

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        """Return the legal action that was searched most."""
        seed = rng.getrandbits(62)
        if len(legal) == 1:
            return legal[0]
        return Search(leaf=NET, weights=self._weights, **WAYS).run(view, iterations=self._iterations, seed=seed).action


def iterations_of(bot_id: str) -> int:
    """How many iterations a bot searches with; of another bot ``ITERATIONS``. Raises as ``bots.get`` does."""
    return getattr(bots.get(GAME, bot_id), "iterations", None) or ITERATIONS


def probe(
    plan: ProbePlan, heard: Callable[[str], None], cluster: str | None = None, keep: Keep[Attempt] | None = None
) -> tuple[list[float], list[Attempt]]:
    """Return the best weights and how each generation did, the untaught one first; ``heard`` gets a line now and then.
    ``cluster`` and ``keep`` as for ``train``.

    Raises ``MissingExtra`` without NumPy or PyTorch, ``ValueError`` when so few games leave too little to learn from, ``ClusterError``,
    ``KeepError``.
    """
    ask, weights = asker(bots.get(GAME, plan.against)), list(mandala_net.packed())
    best, best_rate, lots = weights, -1.0, list[Samples]()
    done: list[Attempt] = []
    if keep is not None and keep.done:
        done, weights, lots = keep.resume(plan.generations)
        best, best_rate = keep.weights(best_of(done).number), best_of(done).rate
        heard(f"generations up to {done[-1].number} are kept in {keep.folder}")
    for number in range(len(done), plan.generations + 1):
        began, turns, course = time.monotonic(), 0, list[Epoch]()
        if number:
            first = FIRST_GAME + (plan.seed * 1000 + number) * 1_000_000
            games = played(
                Challenger, (weights, plan.iterations, plan.against), range(first, first + plan.games), plan.processes, heard,
                f"generation {number}", cluster,
            )  # fmt: skip
            lots = [*lots[-KEPT:], pack(games)]
            turns = len(lots[-1])

            def told(epoch: Epoch, number: int = number) -> None:
                losses = f"learned {epoch.learned:.4f}, held back {epoch.held_back:.4f}"
                heard(f"generation {number}, epoch {epoch.number} of {plan.epochs}: {losses}")

            weights, course = fit(join(lots), plan.epochs, plan.seed + number, told, start=weights, rate=RATE)
        got = match_against(search_with(weights), ask, plan.check_deals, FIRST_CHECK, plan.iterations)
        rate = statistics.fmean(got)
        spread = 1.96 * statistics.stdev(got) / math.sqrt(len(got)) if len(got) > 1 else 1.0
        heard(f"generation {number}: {rate:.1%} (+-{spread:.1%}) against {plan.against}")
        done.append(Attempt(number, turns, course, rate, spread, time.monotonic() - began))
        if rate > best_rate:
            best, best_rate = weights, rate
        if keep is not None:
            keep.add(done[-1], weights, lots[-1] if number else None)
    return best, done


def best_of(course: Sequence[Attempt]) -> Attempt:
    """The generation that ``probe`` returned the weights of: the first of those that did best."""
    return max(course, key=lambda attempt: attempt.rate)


class Challenger:
    """The learner that plays games of a generation, one after another. For one process."""

    def __init__(self, weights: Sequence[float], iterations: int, against: str) -> None:
        self._search, self._iterations, self._ask = search_with(weights), iterations, asker(bots.get(GAME, against))
        self._reader = mandala_net.Net([0.0] * mandala_net.SIZE)

    def play(self, number: int) -> tuple[int, list[Turn]]:
        """Return a game's number and its turns."""
        return number, play_against(self._search, self._ask, self._reader, number, self._iterations)


def play_against(search: Search, ask: Ask, reader: mandala_net.Net, seed: int, iterations: int) -> list[Turn]:
    """Play a game against a bot, in either seat; the same learner, bot, seed and iterations give the same turns.

    What the learner's search makes of its turns is mixed into what is to be learned, as in self-play; of the bot's turns only what follows.
    """
    rng, mind, state = random.Random(seed), random.Random(f"mind {seed}"), mandala_net.begin(seed)
    own, noise = seed >> 1 & 1, rng.choice(NOISE)
    steps: list[Step] = []
    while not state.over:
        legal, mover = state.legal(), state.mover
        inputs = None if state.claim >= 0 else reader.read(state)
        action, value, at_random, shares = legal[0], None, False, b""
        if mover != own:
            action = ask(state, mind)
        elif len(legal) > 1:
            action, value, at_random = considered(search, state, legal, iterations, rng, noise)
            shares = b"" if inputs is None else shares_of(search, legal, reader.first_read())
        steps.append((inputs, mover, value, at_random, shares))
        mandala_net.play(state, action)
    return answered(steps, won_by_first(state))


def match_against(search: Search, ask: Ask, deals: int, seed: int, iterations: int) -> list[float]:
    """Play deals twice against a bot, seats swapped, and return what the learner got of each (0..1)."""
    got = []
    for deal in range(seed, seed + deals):
        both = 0.0
        for own in range(2):
            rng, mind, state = random.Random(deal), random.Random(f"mind {deal} {1 - own}"), mandala_net.begin(deal)
            while not state.over:
                legal = state.legal()
                if state.mover != own:
                    action = ask(state, mind)
                else:
                    action = legal[0] if len(legal) == 1 else search.examine(state, iterations, rng.getrandbits(62))[0]
                mandala_net.play(state, action)
            first = won_by_first(state)
            both += 1.0 - first if own else first
        got.append(both / 2)
    return got
