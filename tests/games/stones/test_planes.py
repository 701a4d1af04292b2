"""Observations of Mandala Stones: both forms write the same bytes, which say what the view says; masks are the legal actions."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from tests.games.stones.test_view import redealt, walk
from tests.oracles.stones_text import position_text

from sandriver.games import kernels
from sandriver.games import planes as shared
from sandriver.games.stones import STONES
from sandriver.games.stones.rules import state_of
from sandriver.games.stones.ruleset import shipped, tables
from sandriver.games.stones.view import split

KERNEL, PLANES = "sandriver.games.stones.kernel", "sandriver.games.stones.planes"
USED = kernels.choose(PLANES)
SOURCES = kernels.interpreted(KERNEL), kernels.interpreted(PLANES)
FORMS = [SOURCES, (kernels.choose(KERNEL), USED)] if kernels.is_compiled(USED) else [SOURCES]
every_form = pytest.mark.parametrize(("kernel", "planes"), FORMS, ids=lambda form: "compiled" if kernels.is_compiled(form) else "source")
AT = shared.offsets(USED.PLANES)
FLAGS = {"y": 0, "r": 1, "b": 2, "p": 3}


def parts(observation: bytes) -> dict[str, list[int]]:
    """The planes by name."""
    return {plane.name: list(observation[AT[plane.name] : AT[plane.name] + plane.size]) for plane in USED.PLANES}


def pile(stones: str) -> list[int]:
    """24 flags of a pile as a view writes it, from the top."""
    flags = [0] * 24
    for deep, stone in enumerate(reversed(split(stones))):
        flags[6 * deep + FLAGS[stone.strip("()").lower()]] = 1
        if "(" not in stone:
            flags[6 * deep + 4 + stone.islower()] = 1
    return flags


def test_planes_lie_side_by_side() -> None:
    assert shared.size(USED.PLANES) == len(shared.scale(USED.PLANES)) == USED.SIZE
    assert len({plane.name for plane in USED.PLANES}) == len(USED.PLANES)


def test_both_forms_write_the_same_bytes() -> None:
    (source, slow), (kernel, quick) = FORMS[0], FORMS[-1]
    for seed in range(3):
        one, other = source.State(tables(shipped(), source), 2 + seed), kernel.State(tables(shipped(), kernel), 2 + seed)
        for state in (one, other):
            state.reseed(seed)
            state.fresh(seed & 1)
        rng = random.Random(seed)
        while not one.over:
            for seat in range(one.seats):
                revealed = rng.randrange(2)
                assert slow.observation(one, seat, revealed) == quick.observation(other, seat, revealed)
            assert slow.legal_mask(one) == quick.legal_mask(other)
            word = rng.choice(one.legal())
            one.begin(word)
            other.begin(word)


@every_form
def test_masks_are_the_legal_actions(kernel: ModuleType, planes: ModuleType) -> None:
    for seed in range(3):
        state = kernel.State(tables(shipped(), kernel), 2 + seed)
        state.reseed(seed)
        state.fresh(0)
        rng = random.Random(seed)
        while not state.over:
            mask, legal = planes.legal_mask(state), state.legal()
            assert set(mask) <= {0, 1}
            assert [planes.from_index(index) for index in range(planes.ACTIONS) if mask[index]] == legal
            state.begin(rng.choice(legal))
        assert not any(planes.legal_mask(state))


@every_form
def test_index_and_word_are_each_other_s_inverse(kernel: ModuleType, planes: ModuleType) -> None:
    words = [planes.from_index(index) for index in range(planes.ACTIONS)]
    assert words == sorted(set(words))
    assert [planes.to_index(word) for word in words] == list(range(planes.ACTIONS))
    assert words[-1] == kernel.SKIP << 16


@every_form
def test_who_can_do_nothing_may_skip(kernel: ModuleType, planes: ModuleType) -> None:
    state = kernel.State(tables(shipped(), kernel), 2)
    state.reseed(1)
    state.fresh(0)
    for stack in range(kernel.STACKS):
        state.put(stack, 1)
    state.look()
    assert [index for index, flag in enumerate(planes.legal_mask(state)) if flag] == [planes.SKIP_AT]


def test_numbers_are_those_of_the_view() -> None:
    for n, (options, ply) in enumerate(walk(1)):
        position = STONES.parse_position(position_text(ply.before), options)
        deck = [card.id for card in options.ruleset.objectives.cards]
        end = options.ruleset.mandala.end[str(position.seats)]
        for seat in range(position.seats):
            view: Any = STONES.view(position, seat)
            order = [(seat + step) % position.seats for step in range(position.seats)]
            absent = [0] * (4 - position.seats)
            observation = USED.observation(state_of(position), seat, options.ruleset.reveal_covered_patterns)
            seen = parts(observation)
            assert seen["stacks"] == [flag for stack in view.stacks for flag in pile(stack)]
            assert seen["towers"] == [flag for who in order for tower in view.sides[who].towers for flag in pile(tower)] + 120 * absent
            standing = {artist.space: artist.pattern for artist in view.artists}
            assert seen["artists"] == [standing.get(space) == pattern for space in range(1, 10) for pattern in ("star", "circle")]
            assert seen["mandala"] == [position.mandala.count(kind) for kind in "YRBPyrbp"]
            assert (seen["placed"], seen["to_end"]) == ([len(position.mandala)], [max(0, end - len(position.mandala))])
            assert seen["points"] == [view.sides[who].score for who in order] + absent
            own = view.sides[seat].objectives
            assert [number for number, flag in enumerate(seen["objectives"]) if flag] == sorted(deck.index(card.id) for card in own)
            assert seen["objective_points"] == [max(card.points for card in own)]
            assert seen["seats"] == [1] * position.seats + absent
            assert seen["to_move"] == [view.to_move == who for who in order] + absent
            assert seen["first"] == [view.first == who for who in order] + absent
            assert (seen["trigger"], seen["round"]) == ([view.trigger == "A", view.trigger == "B"], [view.round])
            assert all(value <= most for value, most in zip(observation, shared.scale(USED.PLANES), strict=True))
        if n == 50:
            break


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_what_cannot_be_known_changes_no_byte(seat: int) -> None:
    rng = random.Random(seat)
    compared = different = noticed = 0
    for options, ply in walk(seat):
        if seat >= len(ply.before["boards"]) or rng.random() < 0.6:
            continue
        revealed = options.ruleset.reveal_covered_patterns
        lines = [position_text(ply.before), position_text(redealt(ply.before, seat, rng, open_below=set(), revealed=revealed))]
        one, other = (state_of(STONES.parse_position(line, options)) for line in lines)
        compared += 1
        different += lines[0] != lines[1]
        assert USED.observation(one, seat, revealed) == USED.observation(other, seat, revealed)
        assert USED.legal_mask(one) == USED.legal_mask(other)
        noticed += not revealed and USED.observation(one, seat, 1) != USED.observation(other, seat, 1)
        if compared > 50:
            break
    assert different > 0.9 * compared
    assert noticed > 0.3 * compared
