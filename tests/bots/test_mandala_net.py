"""The learned evaluation of Mandala: what it must not depend on, both forms of the code, and that a search goes by it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.bots.test_search import views

from sandriver import games
from sandriver.bots import mandala_net, mandala_search
from sandriver.bots.mandala_search import Search
from sandriver.games import kernels
from sandriver.games.chance import RandomChance
from sandriver.games.mandala.actions import ACTIONS
from sandriver.games.mandala.kernel import State
from sandriver.games.mandala.rules import state_of

PLACES, RIVER = 16, 14
SOURCE: Any = kernels.interpreted("sandriver.bots.mandala_net")
SOURCE_SEARCH: Any = kernels.interpreted("sandriver.bots.mandala_search")


def states(seed: int, step: int = 1) -> list[Any]:
    """States of a random game in which somebody chooses a turn."""
    rng, state, found, ply = random.Random(seed), State(), [], 0
    state.reseed(seed)
    state.fresh(seed & 1)
    while not state.over:
        if state.claim < 0 and ply % step == 0:
            found.append(state.copy())
        mandala_net.play(state, rng.choice(state.legal()))
        ply += 1
    return found


def answer(state: Any) -> float:
    """The chance of the seat to move, from the inputs as the network weighs them (a random network: nothing is zero)."""
    rng = random.Random(5)
    search = Search(leaf="net", weights=[rng.gauss(0, 0.05) for _ in range(mandala_net.SIZE)])
    return float(search.net.worth(state))


def changed(state: Any, place_of: list[int], colour_of: list[int]) -> Any:
    """The same state with places and colours renamed."""
    other = state.copy()
    for place in range(PLACES):
        cards = state.get(place_of[place])
        other.put(place, sum(((cards >> 8 * colour) & 255) << 8 * colour_of[colour] for colour in range(6)))
    return other


def test_colours_and_seats_are_all_alike() -> None:
    """Renamed colours change nothing; with seats exchanged, what one had the other has."""
    rng = random.Random(1)
    exchanged = [0, 2, 1, 3, 5, 4, 7, 6, 9, 8, 11, 10, 12, 13, 15, 14]
    for state in states(3, 3):
        value = answer(state)
        assert 0.0 < value < 1.0
        assert answer(changed(state, list(range(PLACES)), list(range(6)))) == value
        swapped = changed(state, exchanged, list(range(6)))
        swapped.mover = 1 - state.mover
        assert answer(swapped) == pytest.approx(value, abs=1e-9)
        colours = rng.sample(range(6), 6)
        sums = mandala_net.Net([0.0] * mandala_net.SIZE)
        if sums.read(changed(state, list(range(PLACES)), colours))[:22] == pytest.approx(sums.read(state)[:22]):
            assert answer(changed(state, list(range(PLACES)), colours)) == pytest.approx(value, abs=1e-9)


def test_both_forms_read_and_answer_alike_to_the_last_bit() -> None:
    weights = mandala_net.packed()
    used, source = mandala_net.Net(weights), SOURCE.Net(weights)
    for state in states(4, 2):
        twin = SOURCE.State(state.lazy, state.limit)
        for place in range(PLACES):
            twin.put(place, state.get(place))
        twin.mover, twin.last, twin.redraws = state.mover, state.last, state.redraws
        assert used.read(state) == source.read(twin)
        assert used.worth(state) == source.worth(twin)
    for n, view in enumerate(views("mandala", 8, step=14)):
        ways: dict[str, Any] = {"leaf": "net", "exploration": 0.2, "widening": 2.0, "candidates": 4}
        one, two = (each(**ways).run(view, iterations=12, seed=n) for each in (Search, SOURCE_SEARCH.Search))
        assert (one.visits, one.values) == (two.visits, two.values)


def test_it_knows_who_has_won_and_who_leads() -> None:
    """At the end of games the one that will win is the one it says; early it is far less sure."""
    late: list[float] = []
    early: list[float] = []
    net = mandala_net.Net(mandala_net.packed())
    for seed in range(30):
        found = states(seed)
        state = found[-1].copy()
        while not state.over:
            mandala_net.play(state, state.legal()[0])
        won = {1: 1.0, 2: 0.0}.get(state.winners(), 0.5)
        for turn, errors in ((found[-1], late), (found[0], early)):
            value = net.worth(turn)
            errors.append(abs((1.0 - value if turn.mover else value) - won))
    assert sum(late) / len(late) < 0.3 < 0.4 < sum(early) / len(early)


def test_another_number_of_weights_is_refused() -> None:
    for weights in ([], [0.0] * (mandala_net.SIZE - 1), [0.0] * (mandala_net.SIZE + 1)):
        with pytest.raises(ValueError, match=f"has {mandala_net.SIZE} weights, not {len(weights)}"):
            mandala_net.Net(weights)
        with pytest.raises(ValueError, match="weights"):
            Search(leaf="net", weights=weights)
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite"):
            mandala_net.Net([wrong] * mandala_net.SIZE)


def test_a_state_is_searched_as_its_view_is() -> None:
    """What a search takes over from a state is what its seat has seen and a view with ``recall`` tells."""
    game, rng, chance = games.get("mandala"), random.Random(2), RandomChance(2)
    position: Any = game.start(game.parse_options({}), 2, 0, chance)
    ply = 0
    while position.to_move is not None:
        if ply % 7 == 0:
            view: Any = game.view(position, position.to_move, recall=True)
            found = Search(leaf="net").run(view, iterations=60, seed=ply)
            index, value = Search(leaf="net").examine(state_of(position), 60, ply)
            assert found.visits[ACTIONS[index].text] == max(found.visits.values())
            assert found.values[ACTIONS[index].text] == value
        position = game.play(position, rng.choice(position.legal_actions), chance).after
        ply += 1


def test_a_game_that_is_over_is_not_searched() -> None:
    state = states(1)[-1]
    while not state.over:
        mandala_net.play(state, state.legal()[0])
    with pytest.raises(ValueError, match="somebody to move"):
        Search().examine(state, 10, 1)
    with pytest.raises(ValueError, match="iterations"):
        Search().examine(states(1)[0], 0, 1)


def test_the_search_that_plays_by_it_is_the_one_in_use() -> None:
    assert mandala_search.Search(leaf="net").net is not None
    assert mandala_search.Search(leaf="sums").net is None
