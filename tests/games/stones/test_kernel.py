"""The kernel in both forms: equal traces of random games, legal lists against single questions, piles against sight of their tops."""

from __future__ import annotations

import collections
import copy
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from tests.oracles import stones as oracle

from sandriver.games import kernels
from sandriver.games.stones import STONES
from sandriver.games.stones.ruleset import tables

NAME = "sandriver.games.stones.kernel"
SOURCE = kernels.interpreted(NAME)
USED = kernels.choose(NAME)
FORMS = [SOURCE, USED] if kernels.is_compiled(USED) else [SOURCE]
FULL = bool(os.environ.get("SANDRIVER_FULL"))
every_form = pytest.mark.parametrize("kernel", FORMS, ids=lambda kernel: "compiled" if kernels.is_compiled(kernel) else "interpreted")

SHARE, GAMES, SEEDS = 100, 1000, 10
"""Games of each trace in the everyday share and with ``make full``, and how many traces."""
DIGESTS = {
    SHARE: [
        0xFDF328C914E7E651, 0xCBADC4783A2521C6, 0x13218612E106CE37, 0xD21F3007564ADB96, 0xB975540478277C3A,
        0xE1BDE253091C6E48, 0x040A58B65B84C2B9, 0xB13F557F8D193659, 0xD173845E10BE9F5E, 0xC2341FAE28ED4911,
    ],
    GAMES: [
        0x18E3B815717CA47D, 0xF0C4D8D325A6E166, 0x14749296591E26D5, 0xD3141890A92CF569, 0x56692D086E1E966A,
        0x4BEBD1394BA6AF7B, 0x7F24502AFD3083E2, 0x88B668C79A75881D, 0xA59E85D4B402C2C5, 0xC7B56A613E22CB74,
    ],
}  # fmt: skip
"""Hashes of every action, pile, end and winner of random games, by games and seed. They change only with rules version or generator."""


def rules_of(seed: int) -> oracle.Rules:
    """A ruleset by seed: the shipped one; one with low stacks and a late end; one with all that is counted, numbered and paid changed."""
    rules = copy.deepcopy(oracle.DEFAULT)
    if seed % 3 == 1:
        rules["board"]["stack_height"], rules["stones"]["per_pair"] = 2, 6
        rules["end"]["tiebreak"] = "fewest_stones_left"
    elif seed % 3 == 2:
        around = rules["board"]["neighbours"]
        rules["board"]["neighbours"] = {space: [f"S{25 - int(stack[1:]):02}" for stack in stacks] for space, stacks in around.items()}
        rules["board"]["artist_start"] = ["A9", "A5", "A1", "A7"]
        rules["spaces"] = [rules["spaces"][i] for i in (0, 3, 4, 1, 2)]
        rules["spaces"][0]["count_empty_as_height"] = True
        rules["score_colour"]["min_towers"], rules["score_tops"]["each"] = 3, 2
        rules["mandala"] |= {"bonus": {str(n): n % 7 for n in range(3, 96, 5)}, "spaces": 96, "end": {"2": 60, "3": 70, "4": 77}}
        rules["objectives"]["cards"].reverse()
        rules["end"]["tiebreak"] = "most_stones_left"
    return rules


def digest(kernel: ModuleType, seed: int, count: int) -> int:
    """The hash of random games for 2, 3 and 4 players and several rulesets, by seed."""
    ruleset = STONES.parse_options({"ruleset": rules_of(seed)}).ruleset
    state = kernel.State(tables(ruleset, kernel), 2 + seed % 3)
    state.reseed(seed)
    found: int = state.digest(count)
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
@every_form
def test_both_forms_trace_the_same_games(kernel: ModuleType, seed: int) -> None:
    assert digest(kernel, seed, SHARE) == DIGESTS[SHARE][seed]


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[] if FULL else [pytest.mark.slow]) for seed in range(SEEDS)])
@every_form
def test_both_forms_trace_ten_thousand_games(kernel: ModuleType, seed: int) -> None:
    assert digest(kernel, seed, GAMES) == DIGESTS[GAMES][seed]


def test_other_seeds_trace_other_games() -> None:
    assert len({digest(SOURCE, seed, 2) for seed in range(24)}) == 24
    assert len({*DIGESTS[SHARE], *DIGESTS[GAMES]}) == 2 * SEEDS


@every_form
def test_constants_are_the_same_in_both_forms(kernel: ModuleType) -> None:
    names = [name for name, value in vars(SOURCE).items() if name.isupper() and name != "ONE" and isinstance(value, int) and value < 1000]
    assert len(names) > 40
    assert {name: int(getattr(kernel, name)) for name in names} == {name: getattr(SOURCE, name) for name in names}


def play(kernel: ModuleType, seed: int) -> Iterator[Any]:
    """Yield the state before every action of a game dealt from outside, and the end."""
    rng = random.Random(seed)
    ruleset = STONES.parse_options({"ruleset": rules_of(seed)}).ruleset
    state = kernel.State(tables(ruleset, kernel), 2 + seed % 3)
    state.setup(seed % 2)
    while state.owed:
        weights = state.weights()
        state.deal(rng.choice([i for i, weight in enumerate(weights) for _ in range(weight)]))
    while True:
        yield state
        if state.over:
            return
        state.begin(rng.choice(state.legal()))


@every_form
def test_legal_lists_exactly_what_nothing_forbids(kernel: ModuleType) -> None:
    picks = [o << 12 | t << 8 | d << 4 | s for o in range(9) for t in range(9) for d in range(4) for s in range(5)]
    words = [*picks, *(1 << 16 | n for n in range(4)), *(2 << 16 | n for n in range(1, 32)), 3 << 16]
    for seed in range(6):
        for ply, state in enumerate(play(kernel, seed)):
            legal = state.legal()
            assert legal == sorted(set(legal))
            assert state.scan() == len(legal)
            assert [state.nth(k) for k in range(len(legal))] == legal
            assert bool(legal) == (state.over == 0)
            if ply % 9 == 0 or state.over:
                assert legal == [word for word in words if not state.forbids(word)]


@every_form
def test_sight_of_tops_follows_the_piles_and_tracing_changes_nothing(kernel: ModuleType) -> None:
    for seed in range(6):
        for state in play(kernel, seed):
            twin, seen = state.copy(), state.copy()
            seen.look()  # everything anew from the piles
            assert twin.key() == state.key() == seen.key()
            assert twin.legal() == state.legal() == seen.legal()
            if state.over:
                continue
            twin.tracing = 1
            word = state.legal()[-1]
            before = state.key()
            twin.begin(word)
            assert state.key() == before
            plain = state.copy()
            plain.begin(word)
            assert (plain.key(), plain.traced) == (twin.key(), 0)
            assert twin.traced > 0 or word >> 16 == kernel.SKIP


@every_form
def test_own_random_games_end_with_all_stones(kernel: ModuleType) -> None:
    for seed in range(9):
        ruleset = STONES.parse_options({"ruleset": rules_of(seed)}).ruleset
        state = kernel.State(tables(ruleset, kernel), 2 + seed % 3)
        state.reseed(seed)
        state.fresh(1)
        moves = state.finish()
        stones = collections.Counter(state.get(kernel.MANDALA + i) for i in range(state.placed))
        for place in range(kernel.ARTISTS):
            pile = state.get(place)
            while pile > 1:
                stones[pile & 7] += 1
                pile >>= 3
        assert stones == dict.fromkeys(range(8), ruleset.stones.per_pair)
        assert moves == state.round * state.seats
        assert [state.get(kernel.ARTISTS + kind).bit_count() for kind in (0, 1)] == [2, 2]
        cards = [state.get(kernel.CARDS + i) for i in range(2 * state.seats)]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(range(len(ruleset.objectives.cards)))


def test_own_random_deals_are_even() -> None:
    """Kinds of stone on tops, artists on their spaces, and first cards: chi-square at 0.1 %."""
    ruleset = STONES.parse_options({}).ruleset
    state = SOURCE.State(tables(ruleset, SOURCE), 2)
    state.reseed(7)
    tops: collections.Counter[int] = collections.Counter()
    artists: collections.Counter[int] = collections.Counter()
    cards: collections.Counter[int] = collections.Counter()
    for _ in range(600):
        state.fresh(0)
        tops[state.get(5) & 7] += 1
        artists[state.get(SOURCE.ARTISTS)] += 1
        cards.update(state.get(SOURCE.CARDS + i) for i in range(4))
    for counted, kinds, limit in ((tops, 8, 24.3), (artists, 6, 20.5), (cards, 10, 27.9)):
        even = counted.total() / kinds
        assert len(counted) == kinds
        assert sum((count - even) ** 2 / even for count in counted.values()) < limit


def test_interpreted_form_can_be_forced() -> None:
    code = f"from sandriver.games import stones; import {NAME} as k; print(k.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "SANDRIVER_INTERPRETED": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip().endswith("kernel.py")


def test_kernel_runs_without_cython(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "cython" else find(name, *rest))
    monkeypatch.delitem(sys.modules, "cython", raising=False)
    monkeypatch.delitem(sys.modules, f"{NAME}_source", raising=False)
    bare = kernels.interpreted(NAME)
    assert "cython" not in sys.modules
    assert digest(bare, 4, 2) == digest(SOURCE, 4, 2)


@every_form
@pytest.mark.parametrize("points", [0, (1 << 24) - 1, 1 << 24, 999_999_999])
def test_any_number_of_points_that_the_notation_knows_is_ranked(kernel: ModuleType, points: int) -> None:
    ruleset = STONES.parse_options({}).ruleset
    state = kernel.State(tables(ruleset, kernel), 3)
    for seat, less in enumerate((1, 0, 0) if points else (0, 0, 0)):
        state.put(kernel.TRACK + seat, points - less)
    assert [state.total(seat) for seat in range(3)] == [points - (points > 0), points, points]
    assert state.winners() == (0b110 if points else 0b111)
