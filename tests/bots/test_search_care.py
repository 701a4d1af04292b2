"""What a search refuses, and that nothing keeps it running for ever: numbers that are none, two threads, signals, a tree that is full."""

from __future__ import annotations

import _thread
import threading
import time
from typing import Any

import pytest
from tests.bots.test_search import SOURCE, USED, every_game, facts, views

from sandriver.bots import mandala_leaf, stones_leaf
from sandriver.games import kernels
from sandriver.games.encoding import encoding_of

FORMS = [(game, form[game]) for form in (USED, SOURCE) for game in USED]
every_form = pytest.mark.parametrize(("game_id", "form"), FORMS, ids=[f"{game}-{form.__name__}" for game, form in FORMS])
NAN, INF = float("nan"), float("inf")


@every_form
@pytest.mark.parametrize(
    "ways",
    [{name: value} for name in ("exploration", "widening") for value in (NAN, INF, -INF, -5.0)]
    + [{"candidates": 0}, {"candidates": 100_000}],
    ids=str,
)
def test_numbers_that_lead_nowhere_are_refused(game_id: str, form: Any, ways: dict[str, Any]) -> None:
    """When it is made, and when a field was set since, where that can be."""
    with pytest.raises(ValueError, match="is a number from"):
        form.Search(**ways)
    search = form.Search()
    for name, value in ways.items():
        setattr(search, name, value)
    with pytest.raises(ValueError, match="is a number from"):
        search.run(views(game_id, 1)[0], iterations=5)


@every_form
@pytest.mark.parametrize("ways", [{"exploration": True}, {"widening": "2"}, {"candidates": 1.5}, {"candidates": False}], ids=str)
def test_what_is_no_number_is_refused(game_id: str, form: Any, ways: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="number"):
        form.Search(**ways)


@pytest.mark.parametrize(
    "ways", [{"margin": NAN}, {"margin": 2.0}, {"plies": -1}, {"weights": [NAN] * 24}, {"weights": [1e300] * 24}], ids=str
)
@pytest.mark.parametrize("form", [USED["mandala"], SOURCE["mandala"]])
def test_mandala_has_numbers_of_its_own(form: Any, ways: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is a number from"):
        form.Search(**ways)


@pytest.mark.parametrize("ways", [{"spread": 0.0}, {"spread": NAN}, {"spread_later": -3.0}, {"sooner": INF}, {"tempo": NAN}], ids=str)
@pytest.mark.parametrize("leaf", [stones_leaf, kernels.interpreted(stones_leaf.__name__)])
def test_so_have_the_sums_of_stones(leaf: Any, ways: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="is a number from"):
        leaf.Leaf(**ways)


@every_form
def test_extreme_numbers_still_give_values_that_are_chances(game_id: str, form: Any) -> None:
    ways: dict[str, Any] = {"weights": [1e6, -1e6] * 12} if game_id == "mandala" else {"numbers": {"spread": 1e-6, "tempo": 1000.0}}
    for exploration in (0.0, 1000.0):
        for view in views(game_id, 1, step=30):
            result = form.Search(leaf="sums", exploration=exploration, **ways).run(view, iterations=60)
            assert all(0 <= value <= 1 for value in result.values.values())


def test_each_weight_has_to_be_a_number() -> None:
    with pytest.raises(TypeError, match="a weight is a number"):
        mandala_leaf.Leaf(["1"] * 24)  # type: ignore[list-item]


@every_game
def test_a_second_thread_is_refused_while_one_searches(game_id: str) -> None:
    """And the search that runs goes on, and can be used again afterwards."""
    view = views(game_id, 1)[0]
    search = USED[game_id].Search()
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(search.run(view, milliseconds=3_600_000)))
    thread.start()
    while not search.done:
        time.sleep(0)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="running already"):
            search.run(view, iterations=5)
    assert thread.is_alive()
    search.cancel()
    thread.join(60)
    assert sum(results[0].visits.values()) == results[0].iterations
    assert facts(search.run(view, iterations=50, seed=1)) == facts(USED[game_id].Search().run(view, iterations=50, seed=1))


@every_game
def test_ctrl_c_ends_a_long_search_soon(game_id: str) -> None:
    """The signal comes while it runs compiled code; afterwards it searches as a fresh one does."""
    view = views(game_id, 1)[0]
    search = USED[game_id].Search()

    def interrupt() -> None:
        while not search.done:
            time.sleep(0)
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    began = time.thread_time()
    with pytest.raises(KeyboardInterrupt):
        search.run(view, milliseconds=20_000)
    assert time.thread_time() - began < 1
    thread.join(60)
    assert facts(search.run(view, iterations=50, seed=1)) == facts(USED[game_id].Search().run(view, iterations=50, seed=1))


@every_game
def test_looking_at_signals_changes_no_result(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it returns to Python after every few iterations or never."""
    view = views(game_id, 1)[0]
    found = []
    for seconds in (0.0, 3600.0):
        monkeypatch.setattr("sandriver.bots.search.SLICE", seconds)
        found.append(facts(USED[game_id].Search().run(view, iterations=100, seed=2)))
    assert found[0] == found[1]


@every_game
def test_a_full_tree_is_still_gone_down(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without room for more nodes the best of those that there are is followed, not the path ended at the first that lacks one."""
    monkeypatch.setattr(SOURCE[game_id], "MOST_NODES", 64)
    search = SOURCE[game_id].Search(leaf="sums", exploration=0.2, widening=1.0)
    view = max(views(game_id, 1, step=3), key=lambda view: len(view.legal))
    result = search.run(view, iterations=300, seed=1)
    assert result.nodes == 64
    assert sum(result.visits.values()) == 300

    def children(node: int) -> list[int]:
        found = []
        child = search.nodes[node].child
        while child:
            found.append(child)
            child = search.nodes[child].next
        return found

    most = max(children(0), key=lambda node: search.nodes[node].visits)
    below = children(most)
    assert below
    assert sum(search.nodes[node].visits for node in below) >= 0.9 * (search.nodes[most].visits - 1)


def test_no_new_action_is_judged_by_the_cards_that_will_be_drawn() -> None:
    """Each time an action is looked at other cards come, and the cards that really come stay what they were."""
    search = SOURCE["mandala"].Search(leaf="sums")
    several = 0
    for view in views("mandala", 1, step=5):
        search.run(view, iterations=1)
        search.determinise()
        seed = search.state.seed
        for nth in range(search.state.scan()):
            several += len({search.worth_after(search.state.pick(nth)) for _ in range(4)}) > 1
        assert search.state.seed == seed
    assert several >= 20


def test_stones_numbers_its_actions_as_everybody_does() -> None:
    assert encoding_of("stones").actions == SOURCE["stones"].ACTIONS == len(SOURCE["stones"].Search().marks)
