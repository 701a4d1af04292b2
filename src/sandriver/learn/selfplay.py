"""Games of Mandala that a search plays against itself, and what can be learned from the turns in them.

Good play alone teaches little: what a search looks at is mostly not good play. So a part of the actions is random, another part in each
game. What is learned about a turn is a mixture (``BOOTSTRAP``) of what the search made of it and of how the game went on, but only up to
the next random action, because what a mistake costs says nothing about the position before it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from sandriver.bots import mandala_net
from sandriver.bots.mandala_choice import answer_of
from sandriver.bots.mandala_search import Search

NOISE = (0.05, 0.15, 0.3, 0.5)
"""Parts of the actions that are random; each game has one of these."""
EFFORT = (0.5, 1.0, 1.5)
"""Each turn is searched so many times as long as was asked for; claims a quarter as long as turns."""
LEAST = 16
BOOTSTRAP = 0.85
"""Weight of what follows against what the search made of the turn itself (the lambda of TD(lambda))."""
SHARPER = 3
"""A search that has no choice learned yet looks at everything now and then; its visits to this power tell better what is to be chosen."""


class Turn(NamedTuple):
    """A turn to learn from, as its seat sees it, both hands known."""

    inputs: list[float]
    """What the network reads (``mandala_net.Net.read``)."""
    aim: float
    """What is to be learned: the chance to win, 0..1."""
    won: float
    """How the game ended: 1 won, 0 lost, 0.5 shared."""
    shares: bytes
    """Of each of the ``6 * KINDS`` answers of ``mandala_choice`` (by ``answer_of``): 0 if it is about no legal turn, else 1 and its part of
    what is to be chosen (``shares_of``), 254 for the largest. Empty: nothing was searched."""


Step = tuple[list[float] | None, int, float | None, bool, bytes]
"""What the network reads before it (of a claim nothing is learned), whose it was, what the search made of it for that seat, if it was
asked, whether an action was played that it did not choose, and how much it searched what (``Turn.shares``)."""


def won_by_first(state: Any) -> float:
    """What seat 0 has of a game that is over."""
    return {1: 1.0, 2: 0.0}.get(state.winners(), 0.5)


def considered(
    search: Search, state: Any, legal: Sequence[int], iterations: int, rng: random.Random, noise: float
) -> tuple[int, float, bool]:
    """What is played where there is a choice, what the search made of it, and whether it is another action, drawn at random."""
    effort = iterations // 4 if state.claim >= 0 else int(iterations * rng.choice(EFFORT))
    action, value = search.examine(state, max(LEAST, effort), rng.getrandbits(62))
    at_random = rng.random() < noise
    return rng.choice(legal) if at_random else action, value, at_random


def shares_of(search: Search, legal: Sequence[int], first: int) -> bytes:
    """How much each legal turn was searched just now, as in ``Turn``. ``first``: the mandala that is read first."""
    tried, shares = search.tried(), bytearray(6 * mandala_net.KINDS)
    power = SHARPER if search.choice is None else 1
    most = max(visits for _, visits in tried)
    for index in legal:
        shares[answer_of(index, first)] = 1
    for index, visits in tried:
        shares[answer_of(index, first)] = 1 + round(254 * (visits / most) ** power)
    return bytes(shares)


def play_game(search: Search, reader: mandala_net.Net, seed: int, iterations: int) -> list[Turn]:
    """Play a game; the same search, seed and iterations give the same turns."""
    rng, state = random.Random(seed), mandala_net.begin(seed)
    noise = rng.choice(NOISE)
    steps: list[Step] = []
    while not state.over:
        legal, mover = state.legal(), state.mover
        inputs = None if state.claim >= 0 else reader.read(state)
        action, value, at_random, shares = legal[0], None, False, b""
        if len(legal) > 1:
            action, value, at_random = considered(search, state, legal, iterations, rng, noise)
            shares = b"" if inputs is None else shares_of(search, legal, reader.first_read())
        steps.append((inputs, mover, value, at_random, shares))
        mandala_net.play(state, action)
    return answered(steps, won_by_first(state))


def answered(steps: Sequence[Step], won: float) -> list[Turn]:
    """What is to be learned from the steps of a game of which seat 0 got ``won``."""
    aim, turns = won, []
    for inputs, mover, value, at_random, shares in reversed(steps):
        if value is not None:
            found = 1.0 - value if mover else value
            aim = found if at_random else BOOTSTRAP * aim + (1.0 - BOOTSTRAP) * found
        if inputs is not None:
            turns.append(Turn(inputs, 1.0 - aim if mover else aim, 1.0 - won if mover else won, shares))
    turns.reverse()
    return turns


def play_match(one: Search, two: Search, deals: int, seed: int, iterations: int) -> list[float]:
    """Play deals twice, seats swapped, and return what ``one`` got of each (0..1); both search so many iterations a move."""
    got = []
    for deal in range(seed, seed + deals):
        both = 0.0
        for seat in range(2):
            rng, state = random.Random(deal), mandala_net.begin(deal)
            while not state.over:
                legal = state.legal()
                action = legal[0]
                if len(legal) > 1:
                    action, _ = (one if state.mover == seat else two).examine(state, iterations, rng.getrandbits(62))
                mandala_net.play(state, action)
            first = won_by_first(state)
            both += 1.0 - first if seat else first
        got.append(both / 2)
    return got
