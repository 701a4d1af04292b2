"""The learned choice among Mandala's turns: chances of what is legal, both forms of the code, and that a search goes by it."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from tests.bots.test_mandala_net import changed, states
from tests.bots.test_search import facts, views

from sandriver.bots import mandala_choice, mandala_net
from sandriver.bots.mandala_search import Search
from sandriver.games import kernels
from sandriver.games.mandala.actions import ACTIONS

SOURCE: Any = kernels.interpreted("sandriver.bots.mandala_choice")
SOURCE_NET: Any = kernels.interpreted("sandriver.bots.mandala_net")
PUCT: dict[str, Any] = {"leaf": "net", "exploration": 0.2, "widening": 2.0, "candidates": 4, "choice": 0.4}


MADE_UP = [(byte - 127.5) / 1500 for byte in random.Random(1).randbytes(mandala_net.SIZE)]  # nothing is zero


def chances(weights: Any, state: Any) -> dict[int, float]:
    return mandala_choice.Choice(weights).read(mandala_net.Net(weights), state)


def test_all_legal_turns_share_the_chances() -> None:
    for state in states(6, 2):
        found = chances(MADE_UP, state)
        assert sorted(found) == state.legal()
        assert sum(found.values()) == pytest.approx(1)
        assert min(found.values()) > 0


def test_both_forms_answer_alike_to_the_last_bit() -> None:
    weights = mandala_net.packed()
    for state in states(4, 4):
        twin = SOURCE_NET.State(state.lazy, state.limit)
        for place in range(16):
            twin.put(place, state.get(place))
        twin.mover, twin.last, twin.redraws = state.mover, state.last, state.redraws
        assert chances(weights, state) == SOURCE.Choice(weights).read(SOURCE_NET.Net(weights), twin)


def test_seats_are_alike() -> None:
    exchanged = [0, 2, 1, 3, 5, 4, 7, 6, 9, 8, 11, 10, 12, 13, 15, 14]
    for state in states(3, 3):
        swapped = changed(state, exchanged, list(range(6)))
        swapped.mover = 1 - state.mover
        assert chances(MADE_UP, swapped) == pytest.approx(chances(MADE_UP, state), abs=1e-9)


def test_each_kind_of_turn_has_its_own_answer() -> None:
    """Where only the last biases are not zero, chances stand to each other as these say; mandalas count as the network reads them."""
    weights = [0.0] * (mandala_net.SIZE - mandala_net.KINDS) + [0.1 * kind for kind in range(mandala_net.KINDS)]
    net = mandala_net.Net(weights)
    for first in range(2):
        answers = [mandala_choice.answer_of(index, first) for index in range(144)]
        assert sorted(answers) == list(range(6 * mandala_net.KINDS))
    firsts = set()
    for state in states(9, 3):
        net.read(state)
        firsts.add(net.first_read())
        wanted = {index: math.exp(0.1 * (mandala_choice.answer_of(index, net.first_read()) % mandala_net.KINDS)) for index in state.legal()}
        every = sum(wanted.values())
        assert chances(weights, state) == pytest.approx({index: part / every for index, part in wanted.items()})
    assert firsts == {0, 1}


def test_what_a_search_tries_first_is_the_likeliest() -> None:
    """Over the turns of a game; the hidden cards matter little to these weights, so it is nearly always that of the true hand."""
    weights, found = mandala_net.packed(), []
    for number, state in enumerate(states(5, 2)):
        search = Search(**PUCT)
        index, _ = search.examine(state, 1, number)
        assert search.tried() == [(index, 1)]
        likely = chances(weights, state)
        found.append(sorted(likely, key=lambda i: -likely[i]).index(index))
    assert sum(place < 3 for place in found) > 0.9 * len(found)


def test_it_was_learned_what_searches_choose() -> None:
    """Far oftener than a random turn, what a search without it chooses is among the four that it finds likeliest."""
    weights, hits, turns, lucky = mandala_net.packed(), 0, 0, 0.0
    for seed in range(4):
        for state in states(seed, 3):
            if len(legal := state.legal()) < 8:
                continue
            index, _ = Search(**{**PUCT, "choice": 0.0}).examine(state, 200, seed)
            likely = chances(weights, state)
            hits += index in sorted(likely, key=lambda i: -likely[i])[:4]
            lucky += 4 / len(legal)
            turns += 1
    assert turns > 30
    assert hits / turns > 0.6 > 1.5 * lucky / turns


def test_both_forms_of_a_search_by_it_find_the_same() -> None:
    source: Any = kernels.interpreted("sandriver.bots.mandala_search")
    for n, view in enumerate(views("mandala", 8, step=14)):
        one, two = (each(**PUCT).run(view, iterations=20, seed=n) for each in (Search, source.Search))
        assert facts(one) == facts(two)
        assert set(one.visits) <= {action.text for action in ACTIONS}


def test_a_choice_without_a_network_is_none() -> None:
    """It belongs to the network: by sums nothing changes; what is no number is refused."""
    view = views("mandala", 2)[3]
    ways: dict[str, Any] = {"leaf": "sums", "exploration": 0.2, "widening": 2.0, "candidates": 4}
    assert facts(Search(**ways, choice=0.5).run(view, iterations=50)) == facts(Search(**ways).run(view, iterations=50))
    with pytest.raises(ValueError, match="choice is a number from 0 to 1000"):
        Search(leaf="net", choice=-1.0)
