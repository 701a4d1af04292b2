"""The kernel in both forms: equal traces over 10,000 games, legal lists against single questions, chance dealt card by card."""

from __future__ import annotations

import collections
import importlib.util
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sandriver.games import kernels

NAME = "sandriver.games.mandala.kernel"
SOURCE = kernels.interpreted(NAME)
USED = kernels.choose(NAME)
FORMS = [SOURCE, USED] if kernels.is_compiled(USED) else [SOURCE]
every_form = pytest.mark.parametrize("kernel", FORMS, ids=lambda kernel: "compiled" if kernels.is_compiled(kernel) else "interpreted")

DIGESTS = [
    0xCDEA6C9091BA5637, 0x6EAAD9B856217B2F, 0xAC181F080799462B, 0xBB084D463C05A1FE, 0xC1B1A57A70F2CCDB,
    0x00312D8AE2EFA19F, 0x0B0FA611989DCFE5, 0x958843C1BC25458B, 0x8CD7EA961B207CF7, 0x2E59156C097E27D2,
]  # fmt: skip
"""Hashes of every action, card and end of 1,000 random games each, by seed. They change only with rules version or generator."""


def digest(kernel: ModuleType, seed: int, games: int) -> int:
    """The hash of random games: eager and lazy, with and without stall guard, by seed."""
    state = kernel.State(seed % 2, (20, 5, 0)[seed % 3])
    state.reseed(seed)
    mark: int = SOURCE.MIX
    for i in range(games):
        state.fresh(i & 1)
        while state.over == 0:
            mark = ((mark ^ state.step()) * SOURCE.STEP + state.get(SOURCE.DECK)) & SOURCE.WORD
            mark ^= mark >> 29
        for place in range(SOURCE.PLACES):
            mark = ((mark ^ state.get(place)) * SOURCE.STEP + state.over) & SOURCE.WORD
            mark ^= mark >> 32
    return mark


TRACES = [
    pytest.param(
        kernel,
        seed,
        marks=[pytest.mark.slow] if kernel is SOURCE and seed > 2 else [],
        id=f"{'source' if kernel is SOURCE else 'used'}-{seed}",
    )
    for kernel in FORMS
    for seed in range(10)
]
"""Every seed as it is used, and uncompiled (where that takes a second each) the first three always: all kinds of options."""


@pytest.mark.parametrize(("kernel", "seed"), TRACES)
def test_both_forms_trace_the_same_games(kernel: ModuleType, seed: int) -> None:
    assert digest(kernel, seed, 1000) == DIGESTS[seed]


def test_other_seeds_and_options_trace_other_games() -> None:
    assert len({digest(SOURCE, seed, 3) for seed in range(30)}) == 30
    assert len(set(DIGESTS)) == len(DIGESTS)


@every_form
def test_constants_are_the_same_in_both_forms(kernel: ModuleType) -> None:
    names = [name for name, value in vars(SOURCE).items() if name.isupper() and value <= SOURCE.ACTIONS and name != "ONE"]
    assert len(names) == 39
    assert {name: int(getattr(kernel, name)) for name in names} == {name: getattr(SOURCE, name) for name in names}


def play(kernel: ModuleType, seed: int, *, lazy: int = 0, limit: int = 20) -> Any:
    """Yield the state before every action of a game dealt from outside, and the end."""
    rng = random.Random(seed)
    state = kernel.State(lazy, limit)
    state.setup(seed % 2)
    while True:
        while state.owed:
            letters = [colour for colour in range(6) for _ in range((state.get(kernel.DECK) >> 8 * colour) & 255)]
            state.deal(rng.choice(letters))
        yield state
        if state.over:
            return
        state.begin(rng.choice(state.legal()))


@every_form
@pytest.mark.parametrize("lazy", [0, 1])
def test_legal_lists_exactly_what_nothing_forbids(kernel: ModuleType, lazy: int) -> None:
    for seed in range(12):
        for state in play(kernel, seed, lazy=lazy, limit=8):
            legal = state.legal()
            assert legal == [index for index in range(kernel.ACTIONS) if not state.forbids(index)]
            assert state.scan() == len(legal)
            assert bool(legal) == (state.over == 0)


@every_form
def test_cards_are_conserved_and_tracing_changes_nothing(kernel: ModuleType) -> None:
    for seed in range(12):
        for state in play(kernel, seed):
            places = [state.get(place) for place in range(kernel.RIVER)]
            rivers = [sum(((state.get(kernel.RIVER + seat) >> 8 * c) & 255 > 0) << 8 * c for c in range(6)) for seat in (0, 1)]
            assert sum(places + rivers) == 18 * 0x0101_0101_0101
            twin = state.copy()
            assert twin.key() == state.key()
            if state.over:
                continue
            twin.tracing = 1
            index = state.legal()[0]
            before = state.key()
            twin.begin(index)
            assert state.key() == before
            plain = state.copy()
            plain.begin(index)
            assert (plain.key(), plain.owed, plain.traced) == (twin.key(), twin.owed, 0)


def test_generator_is_even_and_stays_below_its_bound() -> None:
    state = SOURCE.State()
    state.reseed(5)
    seen = collections.Counter(state.rand(7) for _ in range(14_000))
    assert set(seen) == set(range(7))
    assert sum((count - 2000) ** 2 / 2000 for count in seen.values()) < 22.5  # chi-square, six degrees of freedom, 0.1 %


if kernels.is_compiled(USED):

    def test_compiled_play_leaves_the_interpreter_free() -> None:
        state = USED.State()
        state.reseed(1)
        played: list[int] = []
        worker = threading.Thread(target=lambda: played.append(state.run(60_000)))
        turns = 0
        worker.start()
        while worker.is_alive():
            time.sleep(0.0005)
            turns += 1
        worker.join()
        assert played[0] > 60_000 * 50
        assert turns > 12  # with the lock held, one or two


def test_interpreted_form_can_be_forced() -> None:
    code = f"from sandriver.games import mandala; import {NAME} as k; print(k.__file__)"
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
    assert digest(bare, 3, 5) == digest(SOURCE, 3, 5)


def test_build_says_in_one_line_why_it_cannot(tmp_path: Any) -> None:
    done = subprocess.run(
        [sys.executable, "tools/build_kernels.py", "src", str(tmp_path)],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "CC": str(tmp_path / "no-compiler")},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith("kernels not compiled, they will run as plain Python: ")
    assert done.stdout.count("\n") == 1
    assert not list(tmp_path.rglob("kernel*"))


@every_form
def test_single_rules_can_be_asked(kernel: ModuleType) -> None:
    """What views and verdicts ask, without a game: how much a build draws, who claims first, what a cup scores, who wins."""
    assert [kernel.build_draw(held) for held in range(9)] == [3, 3, 3, 3, 3, 3, 2, 1, 0]
    asked = [(one, two, completer) for one in range(4) for two in range(4) for completer in (0, 1)]
    expected = [-1 if one == two == 0 else 1 - completer if one == two else int(two > one) for one, two, completer in asked]
    assert [kernel.first_claimer(*ask) for ask in asked] == expected
    assert kernel.points(0x03_00_02_01, 0x06_05_00_04) == 3 * 6 + 2 * 0 + 4
    state = kernel.State()
    for cups, winners in (((2, 2), 3), ((1, 2), 1), ((2, 1), 2)):
        for seat in (0, 1):
            state.put(kernel.DEALT + seat, cups[seat] << 8)  # a colour that no river has: cards, no points
        assert state.winners() == winners
    state.put(kernel.RIVER + 1, 1)
    state.put(kernel.CLAIMED + 1, 1)
    assert (state.score(0), state.score(1), state.winners()) == (0, 1, 2)  # a point counts more than any number of cards
