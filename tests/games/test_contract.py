"""The one contract suite: whatever a game is about, every registered game keeps what ``games/contract.py`` promises."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver import games
from sandriver.games.chance import RandomChance
from sandriver.games.contract import Game, Transition
from sandriver.games.errors import GameError, IllegalAction, NotationError, OptionError

ROOT = Path(__file__).parents[2]
SEEDS = range(12)
HALF = [seed if seed < 6 else pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS]
"""Each number of seats comes twice in half of them."""
every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=list(games.GAMES))


def random_game(game: Game, seed: int, seats: int | None = None) -> Iterator[Transition]:
    """Play random legal actions through the contract until the game is over; the seeds go through all numbers of seats."""
    rng = random.Random(seed)
    chance = RandomChance(seed)
    count = seats or game.seat_counts[seed % len(game.seat_counts)]
    position: Any = game.start(game.parse_options({}), count, rng.randrange(count), chance)
    while position.to_move is not None:
        transition = game.play(position, rng.choice(list(position.legal_actions)), chance)
        yield transition
        position = transition.after


def viewers(game: Game, position: Any) -> list[int | None]:
    return [None, *range(len(position.scores))]


@every_game
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_a_view_to_be_written_is_written_alike(game: Game, seed: int) -> None:
    """Byte for byte, whatever stands in it written already."""
    write = msgspec.json.encode
    for transition in random_game(game, seed):
        for viewer in viewers(game, transition.after):
            for asked in ({"assist": True}, {"assist": True, "stopped": True}, {"reveal": True}):
                whole, parts = (game.view(transition.after, viewer, encoded=encoded, **asked) for encoded in (False, True))
                assert write(parts) == write(whole)


@every_game
def test_it_is_registered_under_its_own_id(game: Game) -> None:
    assert games.get(game.id) is game
    assert game.id.isidentifier()
    assert game.id == game.id.lower()
    assert game.rules_version >= 1
    assert all(1 <= count <= len(game.seat_names) for count in game.seat_counts)


def test_an_unknown_game_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        games.get("chess")


@every_game
def test_the_starting_seat_is_the_one_asked_for(game: Game) -> None:
    for count in game.seat_counts:
        for first in range(count):
            position = game.start(game.parse_options({}), count, first, RandomChance(1))
            assert position.to_move == first
            assert len(position.scores) == count
            assert position.outcome is None


@every_game
def test_equal_chance_makes_equal_games(game: Game) -> None:
    assert [t.move for t in random_game(game, 3)] == [t.move for t in random_game(game, 3)]
    assert [t.move for t in random_game(game, 3)] != [t.move for t in random_game(game, 4)]


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_random_play_reaches_an_outcome(game: Game, seed: int) -> None:
    transitions = list(random_game(game, seed))
    for before, after in pairwise(transitions):
        assert before.after.outcome is None
        assert after.before is before.after
        assert after.seat == before.after.to_move
    end = transitions[-1].after
    assert end.to_move is None
    assert len(list(end.legal_actions)) == 0
    assert end.outcome is not None
    assert end.outcome.winners
    assert set(end.outcome.winners) <= set(range(len(end.scores)))
    assert end.outcome.scores == tuple(end.scores)


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_parse_and_format_are_inverse(game: Game, seed: int) -> None:
    for transition in random_game(game, seed):
        for position in (transition.before, transition.after):
            line = game.format_position(position)
            again = game.parse_position(line, position.options)
            assert game.format_position(again) == line
            assert again == position
            assert hash(again) == hash(position)
        for action in transition.before.legal_actions:
            text = game.format_action(action)
            assert game.parse_action(text) == action
            assert game.format_action(game.parse_action(text)) == text
        assert transition.move.startswith(game.format_action(transition.action))


@every_game
def test_legal_actions_are_countable_and_searchable(game: Game) -> None:
    for transition in random_game(game, 5):
        legal = transition.before.legal_actions
        actions = list(legal)
        assert len(legal) == len(actions) == len(set(actions)) > 0
        assert all(action in legal for action in actions)
        assert transition.action in legal


@every_game
def test_play_leaves_the_position_as_it_was(game: Game) -> None:
    rng = random.Random(8)
    for number, transition in enumerate(random_game(game, 8)):
        position = transition.before
        line = game.format_position(position)
        legal = [game.format_action(action) for action in position.legal_actions]
        if number % 4 == 0:
            for action in rng.sample(list(position.legal_actions), min(5, len(legal))):
                game.play(position, action, RandomChance(number))
        assert game.format_position(position) == line
        assert [game.format_action(action) for action in position.legal_actions] == legal


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_recorded_moves_replay_to_the_same_end(game: Game, seed: int) -> None:
    transitions = list(random_game(game, seed))
    position = game.parse_position(game.format_position(transitions[0].before), transitions[0].before.options)
    for transition in transitions:
        replayed = game.replay(position, transition.move)
        assert replayed == transition
        position = replayed.after
    assert game.format_position(position) == game.format_position(transitions[-1].after)


@every_game
def test_the_seeds_go_through_all_numbers_of_seats(game: Game) -> None:
    assert {len(next(random_game(game, seed)).before.scores) for seed in SEEDS} == set(game.seat_counts)


@every_game
def test_a_replay_without_its_chance_or_with_too_much_is_refused(game: Game) -> None:
    for transition in random_game(game, 6):
        bare = game.format_action(transition.action)
        dealt = transition.dealt
        wrong = [f"{bare}>?1", f"{bare}>>"]
        wrong += [bare, f"{bare}>{dealt[:-1]}", f"{bare}>{dealt}{dealt[-1]}"] if dealt else [f"{bare}>K"]
        for move in wrong:
            with pytest.raises(GameError):
                game.replay(transition.before, move)


@every_game
def test_a_forced_action_is_the_only_one(game: Game) -> None:
    for seed in SEEDS:
        for transition in random_game(game, seed):
            for position in (transition.before, transition.after):
                assert position.forced is None or list(position.legal_actions) == [position.forced]
                assert position.to_move is not None or position.forced is None


def hidden(game: Game, position: Any, viewer: int) -> int:
    """How much a seat does not know, as the notation of its view counts it: ``?n`` things, and covered ones in parentheses."""
    view: Any = game.view(position, viewer)
    notation: str = view.notation
    return sum(map(int, re.findall(r"\?(\d+)", notation))) + notation.count("(")


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_what_reveals_nothing_to_a_seat_leaves_hidden_what_was(game: Game, seed: int) -> None:
    """And what reveals something shows it, or dealt it."""
    for transition in random_game(game, seed):
        seats = range(len(transition.after.scores))
        assert set(transition.reveals) <= set(seats)
        if transition.dealt or transition.after.outcome is not None:
            assert transition.reveals == tuple(seats)
            continue
        for seat in seats:
            learned = hidden(game, transition.before, seat) > hidden(game, transition.after, seat)
            assert learned == (seat in transition.reveals), transition.move


@every_game
def test_some_actions_reveal_nothing_to_who_plays_them(game: Game) -> None:
    kept = [t for seed in SEEDS for t in random_game(game, seed) if t.seat not in t.reveals]
    assert len(kept) > 20


@every_game
def test_actions_outside_the_legal_ones_are_illegal(game: Game) -> None:
    transitions = list(random_game(game, 7))
    known = {game.format_action(action) for transition in transitions for action in transition.before.legal_actions}
    tried = [game.parse_action(text) for text in random.Random(7).sample(sorted(known), min(200, len(known)))]
    refused = 0
    for transition in transitions[::5]:
        legal = transition.before.legal_actions
        for action in tried:
            if action not in legal:
                refused += 1
                with pytest.raises(IllegalAction) as caught:
                    game.play(transition.before, action, RandomChance(0))
                assert caught.value.code
    assert refused > 0
    for action in tried[:10]:
        with pytest.raises(IllegalAction) as caught:
            game.play(transitions[-1].after, action, RandomChance(0))
        assert caught.value.code == "game_over"


@every_game
@pytest.mark.parametrize("text", ["", " ", "?", "b", "🂡", "x" * 5000, "\0", "--"])
def test_nonsense_is_a_notation_error(game: Game, text: str) -> None:
    with pytest.raises(NotationError):
        game.parse_action(text)
    with pytest.raises(GameError):
        game.parse_position(text, game.parse_options({}))


@every_game
def test_options_round_trip(game: Game) -> None:
    defaults = game.format_options(game.parse_options({}))
    assert defaults
    assert game.format_options(game.parse_options(defaults)) == defaults
    assert game.parse_options(defaults) == game.parse_options({})
    assert msgspec.json.decode(msgspec.json.encode(defaults)) == defaults
    for name, value in defaults.items():
        if isinstance(value, bool):
            changed = game.format_options(game.parse_options({name: not value}))
            assert game.format_options(game.parse_options(changed)) == changed
            assert changed == {**defaults, name: not value} | {other: changed[other] for other in defaults if type(defaults[other]) is dict}


@every_game
def test_unknown_options_and_values_are_refused(game: Game) -> None:
    with pytest.raises(OptionError):
        game.parse_options({"no_such_option": 1})
    for name in game.format_options(game.parse_options({})):
        wrong: tuple[object, ...] = ([], {}, None, "nonsense", -1, 1.5)
        for nonsense in wrong:
            with pytest.raises(OptionError):
                game.parse_options({name: nonsense})


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_views_are_data_and_round_trip_as_json(game: Game, seed: int) -> None:
    for transition in random_game(game, seed):
        for viewer in viewers(game, transition.after):
            for assist in (False, True):
                seen = game.view(transition.after, viewer, assist=assist)
                assert type(seen) is game.view_type
                assert msgspec.json.decode(msgspec.json.encode(seen), type=game.view_type) == seen


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_legal_actions_stand_only_in_the_view_of_the_seat_to_move(game: Game, seed: int) -> None:
    for transition in random_game(game, seed):
        for position in (transition.before, transition.after):
            for viewer in viewers(game, position):
                seen: Any = game.view(position, viewer, assist=True)
                expected = [game.format_action(action) for action in position.legal_actions] if viewer == position.to_move else []
                assert list(seen.legal) == (expected if viewer is not None else [])
                stopped: Any = game.view(position, viewer, assist=True, stopped=True)
                assert list(stopped.legal) == []


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_every_event_heard_is_declared(game: Game, seed: int) -> None:
    union: Any = game.event_types[0]
    for kind in game.event_types[1:]:
        union = union | kind
    for transition in random_game(game, seed):
        for viewer in viewers(game, transition.after):
            heard = game.hear(transition, viewer)
            assert len(heard.events) == len(transition.events) > 0
            for event, full in zip(heard.events, transition.events, strict=True):
                assert type(event) in game.event_types
                assert type(event) is type(full)
                assert msgspec.json.decode(msgspec.json.encode(event), type=union) == event
            assert heard.move.startswith(game.format_action(transition.action))
        assert game.hear(transition, transition.seat).move == transition.move


@every_game
def test_every_declared_event_happens(game: Game) -> None:
    """In random play, or where that is too rare in the golden playthroughs (which the rules reproduce)."""
    happened = {
        type(event).__struct_config__.tag for seed in SEEDS for transition in random_game(game, seed) for event in transition.events
    }
    for path in (ROOT / "tests" / "data" / "golden").glob(f"{game.id}-*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        happened |= {msgspec.json.decode(line.removeprefix("event "))["type"] for line in lines if line.startswith("event ")}
    assert happened == {kind.__struct_config__.tag for kind in game.event_types}


@every_game
def test_help_scene_playthroughs_and_counts_exist(game: Game) -> None:
    """The page of rules and the scene are the client's; what counts is that the game's id leads to them."""
    for registry in ("help", "games"):
        source = (ROOT / "web" / "src" / registry / "index.ts").read_text(encoding="utf-8")
        assert re.search(rf"^  {game.id}: .*\bimport\(", source, re.MULTILINE), f"{registry} leads nowhere for {game.id}"
    for folder in ("golden", "perft"):
        files = [
            path for path in (ROOT / "tests" / "data" / folder).rglob("*") if path.is_file() and game.id in str(path.relative_to(ROOT))
        ]
        assert files, f"a game needs its data in tests/data/{folder}"
        assert all(path.stat().st_size > 0 for path in files)


@every_game
@pytest.mark.parametrize("seed", HALF)
def test_a_revealed_view_is_the_whole_position(game: Game, seed: int) -> None:
    for transition in random_game(game, seed):
        for position in (transition.before, transition.after):
            for viewer in viewers(game, position):
                seen: Any = game.view(position, viewer, reveal=True)
                assert game.parse_position(seen.notation, position.options) == position
