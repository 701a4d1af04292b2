"""Observations of Mandala: both forms write the same bytes, they say what the view says and nothing more, masks are the legal actions."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from tests.games.mandala.test_view import twin, walk
from tests.positions import COLOURS, number

from sandriver.games import kernels
from sandriver.games import planes as shared
from sandriver.games.mandala import MANDALA
from sandriver.games.mandala.rules import state_of

KERNEL, PLANES = "sandriver.games.mandala.kernel", "sandriver.games.mandala.planes"
USED = kernels.choose(PLANES)
SOURCES = kernels.interpreted(KERNEL), kernels.interpreted(PLANES)
FORMS = [SOURCES, (kernels.choose(KERNEL), USED)] if kernels.is_compiled(USED) else [SOURCES]
every_form = pytest.mark.parametrize(("kernel", "planes"), FORMS, ids=lambda form: "compiled" if kernels.is_compiled(form) else "source")
AT = shared.offsets(USED.PLANES)


def parts(observation: bytes) -> dict[str, list[int]]:
    """The planes by name."""
    return {plane.name: list(observation[AT[plane.name] : AT[plane.name] + plane.size]) for plane in USED.PLANES}


def counts(cards: str) -> list[int]:
    """Six counts from a count string."""
    return [number("".join(cards.partition(colour)[2][:2]).rstrip("KGPYOR")) if colour in cards else 0 for colour in COLOURS]


def test_planes_lie_side_by_side() -> None:
    assert shared.size(USED.PLANES) == len(shared.scale(USED.PLANES)) == USED.SIZE
    assert len({plane.name for plane in USED.PLANES}) == len(USED.PLANES)
    assert counts("K2P13R1") == [2, 0, 13, 0, 0, 1]


def test_both_forms_write_the_same_bytes() -> None:
    (source, slow), (kernel, quick) = FORMS[0], FORMS[-1]
    for seed in range(6):
        one, other = source.State(seed & 1, 6), kernel.State(seed & 1, 6)
        for state in (one, other):
            state.reseed(seed)
            state.fresh(seed & 1)
        while not one.over:
            assert one.step() == other.step()
            for seat, aid in ((0, 0), (0, 1), (1, 0), (1, 1)):
                assert slow.observation(one, seat, aid) == quick.observation(other, seat, aid)
            assert slow.legal_mask(one) == quick.legal_mask(other)


@every_form
def test_masks_are_the_legal_actions(kernel: ModuleType, planes: ModuleType) -> None:
    for seed in range(8):
        state = kernel.State(0, 20)
        state.reseed(seed)
        state.fresh(0)
        while not state.over:
            mask = planes.legal_mask(state)
            assert set(mask) <= {0, 1}
            assert [index for index in range(planes.ACTIONS) if mask[index]] == state.legal()
            state.begin(state.legal()[-1] if state.claim >= 0 else state.legal()[seed % len(state.legal())])
            while state.owed:
                state.deal(next(colour for colour in range(6) if state.get(kernel.DECK) >> 8 * colour & 255))
        assert not any(planes.legal_mask(state))


def test_numbers_are_those_of_the_view() -> None:
    rng = random.Random(5)
    for n, (position, _) in enumerate(walk(rng, memory_aid=True)):
        for seat in (0, 1):
            view: Any = MANDALA.view(position, seat)
            own, other = view.sides[seat], view.sides[1 - seat]
            seen = parts(USED.observation(state_of(position), seat, 1))
            assert [seen["own_hand"], seen["own_dealt"], seen["own_claimed"]] == [counts(own.hand), counts(own.dealt), counts(own.claimed)]
            assert seen["own_river"] == [own.river.find(colour) + 1 for colour in COLOURS]
            assert seen["other_river"] == [other.river.find(colour) + 1 for colour in COLOURS]
            assert seen["other_claimed"] == counts(other.claimed)
            assert seen["mountains"] == [count for mandala in view.mandalas for count in counts(mandala.mountain)]
            fields = [mandala.fields[who] for mandala in view.mandalas for who in (seat, 1 - seat)]
            assert seen["fields"] == [count for field in fields for count in counts(field)]
            assert (seen["discard"], seen["deck"]) == (counts(view.discard), [view.deck])
            assert seen["other_hand"] == [number(other.hand)]
            assert seen["other_cup"] == [number(other.dealt) + number(other.claimed)]
            assert (seen["last_mandala"], seen["redraws"]) == ([view.last_mandala], [view.redraws])
            assert seen["to_move"] == [view.to_move == seat, view.to_move == 1 - seat]
            claim = view.claim
            assert seen["claim"] == [claim is not None and claim.mandala == mandala for mandala in (0, 1)]
            assert seen["completed"] == [claim is not None and claim.completer == seat]
            points = sum(count * place for count, place in zip(seen["other_claimed"], seen["other_river"], strict=True))
            assert (seen["own_points"], seen["other_points"]) == ([own.points], [min(points, 255)])
            assert all(
                value <= most for value, most in zip(USED.observation(state_of(position), seat, 1), shared.scale(USED.PLANES), strict=True)
            )
        if n == 150:
            break


@pytest.mark.parametrize("memory_aid", [False, True])
def test_what_cannot_be_known_changes_no_byte(memory_aid: bool) -> None:
    rng = random.Random(f"planes {memory_aid}")
    compared = different = 0
    for position, _ in walk(rng, memory_aid):
        for seat in (0, 1):
            other = twin(position, seat, rng) if rng.random() < 0.3 else None
            if other is None:
                continue
            compared += 1
            different += other != position
            one, two = (USED.observation(state_of(world), seat, memory_aid) for world in (position, other))
            assert one == two
            if position.to_move == seat:
                assert USED.legal_mask(state_of(position)) == USED.legal_mask(state_of(other))
        if compared > 200:
            break
    assert different > 0.9 * compared


def test_what_can_be_known_changes_the_bytes() -> None:
    """The comparison has eyes: the other seat, and a seat that remembers claimed cards, sees the difference."""
    rng = random.Random(2)
    own = claimed = 0
    for n, (position, _) in enumerate(walk(rng, memory_aid=False)):
        other = twin(position, 0, rng)
        if other is not None:
            own += USED.observation(state_of(position), 1, 0) != USED.observation(state_of(other), 1, 0)
            claimed += USED.observation(state_of(position), 0, 1) != USED.observation(state_of(other), 0, 1)
        if n == 250:
            break
    assert own > 60
    assert claimed > 2
