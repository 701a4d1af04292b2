"""Searching bots of both games: budgets, cancelling, determinism, what they know, and both forms of the code."""

from __future__ import annotations

import random
import threading
import time
import tracemalloc
from functools import partial
from types import ModuleType
from typing import Any

import msgspec
import pytest
from tests.positions import number, spelled, text

from sandriver import bots, games
from sandriver.bots import mandala_search, search_bot, stones_search
from sandriver.bots.policy import seen_by
from sandriver.bots.search import MOST_ITERATIONS, check_budget
from sandriver.cli import main
from sandriver.games import kernels
from sandriver.games.chance import RandomChance

USED: dict[str, ModuleType] = {"mandala": mandala_search, "stones": stones_search}
SOURCE = {game: kernels.interpreted(module.__name__) for game, module in USED.items()}
KINDS = [(game, name) for name, (game, _) in search_bot.KINDS.items()]
every_game = pytest.mark.parametrize("game_id", list(USED))
every_kind = pytest.mark.parametrize(("game_id", "name"), KINDS)


def views(game_id: str, seed: int, *, seats: int = 0, step: int = 1, **options: Any) -> list[Any]:
    """The views of the seats to move in a random game."""
    game, chance, rng = games.get(game_id), RandomChance(seed), random.Random(seed)
    position: Any = game.start(game.parse_options(options), seats or min(game.seat_counts), 0, chance)
    found: list[Any] = []
    ply = 0
    while position.to_move is not None:
        if ply % step == 0:
            found.append(game.view(position, position.to_move))
        position = game.play(position, rng.choice(position.legal_actions), chance).after
        ply += 1
    return found


def facts(result: Any) -> tuple[Any, ...]:
    """All of a result but its time."""
    return (result.action, result.visits, result.values, result.iterations, result.nodes, result.depth)


@every_kind
def test_it_does_what_it_is_given_and_names_a_legal_action_everywhere(game_id: str, name: str) -> None:
    """In every phase of a random game: turns, claims, the last mandala, a single legal action."""
    seen = set[str]()
    for seed, seats in enumerate(games.get(game_id).seat_counts):
        for view in views(game_id, seed, seats=seats, step=1 if game_id == "mandala" else 4):
            result = search_bot.parse(game_id, f"{name}:40").analyse(view, seed=seed)
            assert result.action in view.legal
            assert tuple(result.visits) == view.legal
            assert result.iterations == 40 == sum(result.visits.values())
            assert set(result.values) == {action for action, visits in result.visits.items() if visits}
            assert all(0 <= value <= 1 for value in result.values.values())
            assert result.value == result.values[result.action]
            assert result.nodes <= 41
            assert 1 <= result.depth < result.nodes
            seen |= {view.phase, "forced" if len(view.legal) == 1 else "free", str(getattr(view, "last_mandala", view.phase))}
    assert seen >= ({"turn", "claim", "forced", "True", "False"} if game_id == "mandala" else {"turn"})


@every_kind
def test_equal_seeds_give_equal_results_and_the_copy_from_json_does_too(game_id: str, name: str) -> None:
    bot = search_bot.parse(game_id, f"{name}:200")
    for view in views(game_id, 1, step=9):
        copy = msgspec.json.decode(msgspec.json.encode(view), type=games.get(game_id).view_type)
        assert facts(bot.analyse(view, seed=5)) == facts(bot.analyse(copy, seed=5))
    first = views(game_id, 1)[0]
    assert len({tuple(bot.analyse(first, seed=seed).visits.values()) for seed in range(4)}) == 4


@every_kind
def test_both_forms_find_the_same(game_id: str, name: str) -> None:
    made = search_bot.KINDS[name][1]
    ways = made.keywords if isinstance(made, partial) else {}
    for seats in games.get(game_id).seat_counts:
        for view in views(game_id, 2, seats=seats, step=23):
            compiled, source = (forms[game_id].Search(**ways).run(view, iterations=20, seed=3) for forms in (USED, SOURCE))
            assert facts(compiled) == facts(source)


def otherwise(game_id: str, position: Any, rng: random.Random) -> Any:
    """A position that the seat to move cannot tell from this one."""
    game = games.get(game_id)
    parts = game.format_position(position).split(" ")
    if game_id == "mandala":
        other = 1 - position.to_move
        hands, cups = parts[2].split("/"), [cup.split("+") for cup in parts[4].split("/")]
        hidden = [hands[other], cups[other][0], parts[5]]
        pool = [card for cards in hidden for card in spelled(cards)]
        rng.shuffle(pool)
        dealt = [text(pool.pop() for _ in range(number(cards))) for cards in hidden]
        hands[other], cups[other][0], parts[5] = dealt
        parts[2], parts[4] = "/".join(hands), "/".join("+".join(cup) for cup in cups)
    else:
        stacks = [list(stack) if stack != "-" else [] for stack in parts[0].split(",")]
        for colour in "yrbp":
            at = [(stack, level) for stack in stacks for level in range(len(stack) - 1) if stack[level].lower() == colour]
            stones = [stack[level] for stack, level in at]
            rng.shuffle(stones)
            for (stack, level), stone in zip(at, stones, strict=True):
                stack[level] = stone
        parts[0] = ",".join("".join(stack) or "-" for stack in stacks)
        cards = parts[5].split("/")
        unknown = [card.id for card in position.ruleset.objectives.cards if card.id not in cards[position.to_move]]
        rng.shuffle(unknown)
        parts[5] = "/".join(pair if seat == position.to_move else f"{unknown.pop()}+{unknown.pop()}" for seat, pair in enumerate(cards))
    return game.parse_position(" ".join(parts), position.options)


@every_kind
def test_what_a_seat_cannot_know_changes_nothing(game_id: str, name: str) -> None:
    """Two positions that look alike to the seat to move, which remembers what was claimed: the same search, visit for visit."""
    game, bot = games.get(game_id), search_bot.parse(game_id, f"{name}:60")
    differ = 0
    for seats in game.seat_counts:
        chance, rng = RandomChance(seats), random.Random(seats)
        position: Any = game.start(game.parse_options({}), seats, 0, chance)
        while position.to_move is not None:
            if rng.random() < 0.2:
                twin = otherwise(game_id, position, rng)
                view, other = (seen_by(bot, game, each) for each in (position, twin))
                assert view == other
                assert facts(bot.analyse(view, seed=1)) == facts(bot.analyse(other, seed=1))
                differ += game.format_position(twin) != game.format_position(position)
            position = game.play(position, rng.choice(position.legal_actions), chance).after
    assert differ >= 5


@every_game
def test_a_search_can_be_used_again_and_takes_no_more_memory(game_id: str) -> None:
    """The second search of an object is that of a fresh one; what hundreds of searches take is given back."""
    found = views(game_id, 4, step=17)
    search = USED[game_id].Search()
    for view in found:
        assert facts(search.run(view, iterations=100, seed=1)) == facts(USED[game_id].Search().run(view, iterations=100, seed=1))
    room = search.room
    taken: list[int] = []
    tracemalloc.start()
    try:
        for n in range(30):
            search.run(found[0], iterations=20, seed=n)
            USED[game_id].Search().run(found[0], iterations=20, seed=n)
            taken.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert taken[-1] - taken[10] < 20_000
    assert search.room == room


@every_game
def test_a_time_budget_is_kept(game_id: str) -> None:
    """It is never early, and late by no work of its own: what a busy machine takes away is not counted."""
    view = views(game_id, 1)[0]
    search = USED[game_id].Search()
    for n in range(5):
        began = time.thread_time()
        result = search.run(view, milliseconds=20, seed=n)
        assert result.milliseconds >= 20
        assert (time.thread_time() - began) * 1000 < 25


@every_game
def test_whichever_budget_is_spent_first_ends_it(game_id: str) -> None:
    view = views(game_id, 1)[0]
    assert USED[game_id].Search().run(view, iterations=7, milliseconds=60_000).iterations == 7
    assert USED[game_id].Search().run(view, iterations=MOST_ITERATIONS, milliseconds=2).iterations < MOST_ITERATIONS


@every_game
def test_it_is_cancelled_from_another_thread_and_holds_no_lock(game_id: str) -> None:
    """The canceller runs while the search does; without the cancel it would not come back within an hour."""
    view = views(game_id, 1)[0]
    search = USED[game_id].Search()
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(search.run(view, milliseconds=3_600_000)))
    thread.start()
    while not search.done:
        time.sleep(0)
    search.cancel()
    thread.join(60)
    assert not thread.is_alive()
    assert results[0].action in view.legal
    assert results[0].iterations >= 1
    assert search.run(view, iterations=10).iterations == 10


@every_game
def test_a_cancel_before_its_start_ends_it_after_one_iteration(game_id: str) -> None:
    search = USED[game_id].Search()
    search.cancel()
    assert search.run(views(game_id, 1)[0], iterations=1000).iterations == 1


@pytest.mark.parametrize(
    ("iterations", "milliseconds"),
    [(None, None), (0, None), (-1, 5.0), (MOST_ITERATIONS + 1, None), (None, 0.0), (None, -1.0), (None, 1e9), (None, float("nan"))],
)
def test_what_is_no_budget_is_refused(iterations: int | None, milliseconds: float | None) -> None:
    with pytest.raises(ValueError, match="a search"):
        check_budget(iterations, milliseconds)


@pytest.mark.parametrize(
    "budget", [{"iterations": 50.5}, {"iterations": True}, {"iterations": "5"}, {"milliseconds": True}, {"milliseconds": "5"}], ids=str
)
def test_what_is_no_number_is_no_budget(budget: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="a search"):
        check_budget(**{"iterations": None, "milliseconds": None} | budget)
    with pytest.raises(TypeError, match="a search"):
        search_bot.SearchBot("ismcts", **budget)


@every_game
def test_the_shortest_time_is_a_limit_too(game_id: str) -> None:
    result = USED[game_id].Search().run(views(game_id, 1)[0], milliseconds=5e-324)
    assert 1 <= result.iterations < 1000


@every_game
def test_numbers_and_seeds_may_be_numpys(game_id: str) -> None:
    import numpy as np

    view = views(game_id, 1)[0]
    found = [USED[game_id].Search().run(view, iterations=n, seed=seed) for n, seed in ((20, 7), (np.int64(20), np.int64(7)))]
    assert facts(found[0]) == facts(found[1])
    with pytest.raises(TypeError):
        USED[game_id].Search().run(view, iterations=5, seed=1.5)
    budget: dict[str, Any] = {"iterations": np.int32(20), "milliseconds": np.float32(0.5)}
    assert search_bot.SearchBot("ismcts", **budget).id == "ismcts:20:0.5ms"


@every_game
def test_only_the_view_of_the_seat_to_move_will_do(game_id: str) -> None:
    game, chance = games.get(game_id), RandomChance(1)
    position = game.start(game.parse_options({}), 2, 0, chance)
    for viewer in (1, None):
        with pytest.raises(ValueError, match="the seat that is to move"):
            USED[game_id].Search().run(game.view(position, viewer), iterations=5)


@every_kind
def test_bots_are_named_by_their_budget(game_id: str, name: str) -> None:
    assert bots.get(game_id, f"{name}:10000").id == f"{name}:10000"
    assert bots.get(game_id, f"{name}:50ms").id == f"{name}:50ms"
    for budget in (
        "",
        ":",
        "0",
        "1e3",
        "10s",
        "-5",
        "999999999",
        "9999999ms",
        "0ms",
        "50.0ms",
        "050ms",
        ".5ms",
        "5:",
        ":5ms",
        "5ms:5",
        "5:5",
    ):
        with pytest.raises(ValueError, match=name + r"|a search"):
            bots.get(game_id, f"{name}:{budget}")
    with pytest.raises(ValueError, match=name):
        bots.get(game_id, name)
    for other in games.GAMES:
        if other != game_id:
            with pytest.raises(KeyError):
                bots.get(other, f"{name}:100")


@every_kind
@pytest.mark.parametrize("budget", [(None, 0.4), (5, 50.4), (5, None), (7, 1e-5), (None, 50.0), (None, 0.1 + 0.2), (10**8, 3.6e6)], ids=str)
def test_a_bots_name_is_exact_and_parsed_back(game_id: str, name: str, budget: tuple[int | None, float | None]) -> None:
    iterations, milliseconds = budget
    bot = search_bot.SearchBot(name, iterations=iterations, milliseconds=milliseconds)
    back = search_bot.parse(game_id, bot.id)
    assert back.id == bot.id
    assert (back.iterations, back.milliseconds) == budget
    assert search_bot.SearchBot("ismcts", iterations=5, milliseconds=50.4).id == "ismcts:5:50.4ms"


@pytest.mark.parametrize("bot", ["ismcts", "ismcts:0", "ismcts:many", "mcts:100"])
def test_the_command_line_says_what_is_wrong_with_a_search(bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "mandala", bot, "apprentice", "--games", "2"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "ismcts:" in printed.err


@every_kind
def test_players_are_not_offered_any_budget(game_id: str, name: str) -> None:
    assert not any(":" in bot.id for bot in bots.for_game(game_id))
    assert f"{name}:N" in bots.names(game_id)
    with pytest.raises(KeyError):
        bots.offered(game_id, f"{name}:100")


@every_kind
def test_a_bot_takes_its_seed_from_the_generator(game_id: str, name: str) -> None:
    """Equal generators lead to equal actions, different ones not always; the generator goes on."""
    bot = bots.get(game_id, f"{name}:30")
    several = 0
    for view in views(game_id, 3, step=8):
        chosen = [bot.choose(view, view.legal, random.Random(n)) for n in range(6)]
        assert chosen == [bot.choose(view, view.legal, random.Random(n)) for n in range(6)]
        several += len(set(chosen)) > 1
        one = random.Random(9)
        bot.choose(view, view.legal, one)
        assert one.getstate() != random.Random(9).getstate()
    assert several


@every_game
def test_an_unknown_leaf_is_refused(game_id: str) -> None:
    with pytest.raises(ValueError, match="knows the leaves rollout"):
        USED[game_id].Search(leaf="oracle")


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="24 weights, not 2"):
        mandala_search.Search(leaf="sums", weights=[1.0, 2.0])


def test_cards_and_prices_of_another_ruleset_do_not_confuse_it() -> None:
    """A view says no ruleset: the search takes it for the shipped one, and still names what is legal."""
    game = games.get("stones")
    raw: Any = game.format_options(game.parse_options({}))["ruleset"]
    for card in raw["objectives"]["cards"]:
        card["id"] = f"other_{card['id']}"
    raw["score_tops"]["each"] = 3
    raw["score_colour"]["min_towers"] = 3
    raw["mandala"]["end"] = {"2": 12, "3": 20, "4": 30}
    bot = search_bot.parse("stones", "mcts-sums:30")
    for view in views("stones", 6, seats=3, step=4, ruleset=raw):
        result = bot.analyse(view)
        assert result.action in view.legal
        assert tuple(result.visits) == view.legal
