"""Trains in generations: each plays games with the network of the one before, learns from them, and is measured against it.

The first plays with the sums of the apprentice, or goes on from weights that are given: then every generation begins to learn where the one
before ended. A generation learns from its own games and those of the ``KEPT`` generations before it.
Everything follows from the seed; games may be shared out among processes, or a cluster, which changes nothing but the time.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from sandriver.bots import mandala_net
from sandriver.bots.mandala_search import Search
from sandriver.bots.search import NET, SUMS
from sandriver.cluster import share_out
from sandriver.learn.fit import RATE, Epoch, fit
from sandriver.learn.keep import Keep
from sandriver.learn.samples import Samples, join, pack
from sandriver.learn.selfplay import Turn, play_game, play_match
from sandriver.processes import undisturbed

WAYS: dict[str, Any] = {"exploration": 0.2, "widening": 2.0, "candidates": 4, "choice": 0.4}
"""How the search goes on in every game: as in ``ismcts-puct`` and, for want of a network, ``ismcts-sums``."""
KEPT = 2
ONWARD = 1e-3
"""How much is learned from a step at most (``RATE``) by weights that know something already."""
FIRST_MATCH = 10**9
"""Number of the first deal of the matches that measure: none that was learned from."""


class Plan(msgspec.Struct, frozen=True):
    """How much is to be done."""

    generations: int = 3
    games: int = 6000
    """A generation."""
    iterations: int = 100
    """A move, in the games that are learned from."""
    epochs: int = 6
    match_deals: int = 50
    """Played twice, for the match against the generation before; 0: no match."""
    match_iterations: int = 400
    """A move, in that match."""
    seed: int = 1
    processes: int = 1
    start: str = ""
    """SHA-256 of the weights that it goes on from; none: it begins with nothing."""


class Generation(msgspec.Struct, frozen=True):
    """What one generation did."""

    number: int
    turns: int
    """That it played and could learn from; those of generations before it come on top."""
    epochs: list[Epoch]
    rate: float | None
    """Its share of the victories against the generation before (generation 1: against the weights given, or else the sums)."""
    spread: float | None
    """Half of the 95 % interval of ``rate``, by the normal approximation over deals."""
    seconds: float


def search_with(weights: Sequence[float] | None) -> Search:
    """A search that evaluates by these weights; ``None``: by the sums."""
    return Search(leaf=SUMS, **WAYS) if weights is None else Search(leaf=NET, weights=weights, **WAYS)


def train(
    plan: Plan,
    heard: Callable[[str], None],
    start: Sequence[float] | None = None,
    cluster: str | None = None,
    keep: Keep[Generation] | None = None,
) -> tuple[list[float], list[Generation]]:
    """Return the weights of the last generation and what each did; ``heard`` gets a line whenever there is something to tell. ``start``:
    weights to go on from. ``cluster``: the address of one whose machines play (see ``sandriver.cluster``). ``keep``: where every generation
    goes that is over, and from where those come that were.

    Raises ``MissingExtra`` without NumPy or PyTorch, ``ValueError`` when so few games leave too little to learn from, ``ClusterError``,
    ``KeepError``.
    """
    weights = None if start is None else list(start)
    lots: list[Samples] = []
    done: list[Generation] = []
    if keep is not None and keep.done:
        done, weights, lots = keep.resume(plan.generations)
        heard(f"generations up to {len(done)} are kept in {keep.folder}")
    for number in range(len(done) + 1, plan.generations + 1):
        began = time.monotonic()
        lots = [*lots[-KEPT:], pack(_games(plan, number, weights, heard, cluster))]
        heard(f"generation {number}: {len(lots[-1])} turns of {plan.games} games")

        def told(epoch: Epoch, number: int = number) -> None:
            heard(
                f"generation {number}, epoch {epoch.number} of {plan.epochs}: learned {epoch.learned:.4f}, "
                f"held back {epoch.held_back:.4f}, error {epoch.error:.4f}"
            )

        before, pace = (None, RATE) if start is None else (weights, ONWARD)
        new, course = fit(join(lots), plan.epochs, plan.seed + number, told, start=before, rate=pace)
        rate, spread = _measured(plan, new, weights)
        if rate is not None:
            heard(f"generation {number}: {rate:.1%} (+-{spread:.1%}) against the one before, {plan.match_iterations} iterations a move")
        done.append(Generation(number, len(lots[-1]), course, rate, spread, time.monotonic() - began))
        weights = new
        if keep is not None:
            keep.add(done[-1], new, lots[-1])
    assert weights is not None
    return weights, done


def _measured(plan: Plan, new: Sequence[float], old: Sequence[float] | None) -> tuple[float | None, float | None]:
    """The share of the victories against the weights before, and half of its interval."""
    if not plan.match_deals:
        return None, None
    got = play_match(search_with(new), search_with(old), plan.match_deals, FIRST_MATCH, plan.match_iterations)
    spread = 1.96 * statistics.stdev(got) / math.sqrt(len(got)) if len(got) > 1 else 1.0
    return statistics.fmean(got), spread


class Player:
    """Plays games of a generation, one after another. For one process."""

    def __init__(self, weights: Sequence[float] | None, iterations: int) -> None:
        self._search, self._iterations = search_with(weights), iterations
        self._reader = mandala_net.Net([0.0] * mandala_net.SIZE)

    def play(self, number: int) -> tuple[int, list[Turn]]:
        """Return a game's number and its turns."""
        return number, play_game(self._search, self._reader, number, self._iterations)


def played(
    make: Callable[..., Any],
    arguments: tuple[Any, ...],
    numbers: range,
    processes: int,
    heard: Callable[[str], None],
    name: str,
    cluster: str | None = None,
) -> Iterator[tuple[int, list[Turn]]]:
    """Games in the order of their numbers, by players that ``make(*arguments)`` returns, one in each process; each tenth part is told."""
    every = max(1, len(numbers) // 10)

    def told(games: Iterator[tuple[int, list[Turn]]]) -> Iterator[tuple[int, list[Turn]]]:
        for n, game in enumerate(games, start=1):
            if n % every == 0:
                heard(f"{name}: {n} of {len(numbers)} games")
            yield game

    if cluster is not None:
        yield from told(game for _, game in share_out(cluster, make, arguments, numbers, in_order=True))
        return
    if processes <= 1:
        yield from told(map(make(*arguments).play, numbers))
        return
    with contextlib.ExitStack() as stack:
        with undisturbed():
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(processes, _begin, (make, arguments)))
        yield from told(pool.imap(_play, numbers, chunksize=8))


_player: list[Any] = []
"""In a process that plays for another one: its player."""


def _begin(make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal; who started this one ends it
    _player[:] = [make(*arguments)]


def _play(number: int) -> tuple[int, list[Turn]]:
    game: tuple[int, list[Turn]] = _player[0].play(number)
    return game


def _games(
    plan: Plan, generation: int, weights: Sequence[float] | None, heard: Callable[[str], None], cluster: str | None = None
) -> Iterator[tuple[int, list[Turn]]]:
    """The games of a generation, in the order of their numbers, which no other generation or seed has."""
    first = (plan.seed * 1000 + generation) * 1_000_000
    numbers = range(first, first + plan.games)
    return played(Player, (weights, plan.iterations), numbers, plan.processes, heard, f"generation {generation}", cluster)
