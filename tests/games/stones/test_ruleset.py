"""Rulesets as data: the shipped one, others, every rule of validation with the field it names, and options that are exact inverses."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.stones.support import load
from tests.oracles import stones as oracle
from tests.oracles import stones_games as games
from tests.oracles.stones_text import position_text, read_position

from sandriver.games.errors import OptionError
from sandriver.games.stones import STONES

WORDS = Path(__file__).resolve().parents[3] / "web" / "messages" / "stones_faults" / "en.json"
REASONS = {
    "missing", "unknown", "kind", "value", "form", "no_text", "at_least", "at_most", "length", "at_least_long", "at_most_long", "exactly",
    "one_line", "order", "fill", "apart", "two_of_each", "all_spaces", "four_stacks", "beside", "opposite", "alike", "no_place", "rising",
    "too_many", "few_cards", "ids", "of", "of_nothing",
}  # fmt: skip
"""Every code of a reason; each has its words in the page's catalogues."""
Change = Callable[[dict[str, Any]], object]
CASES = {case["id"].removeprefix("stones-"): case["position"] for case in load("stones_cases.jsonl")}


def changed(path: str, value: object) -> dict[str, Any]:
    """The shipped ruleset with something else at a path (``spaces.1.points``); ``...`` takes the key away."""
    rules = copy.deepcopy(oracle.DEFAULT)
    inner: Any = rules
    *way, last = path.split(".")
    for key in way:
        inner = inner[int(key)] if isinstance(inner, list) else inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[int(last) if isinstance(inner, list) else last] = value
    return rules


def refusal(rules: object) -> OptionError:
    with pytest.raises(OptionError) as caught:
        STONES.parse_options({"ruleset": rules})
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


# --- what is accepted -----------------------------------------------------------------------------


def test_no_ruleset_is_the_shipped_one() -> None:
    options = STONES.parse_options({})
    assert options == STONES.parse_options({"ruleset": oracle.DEFAULT})
    assert STONES.format_options(options)["ruleset"] == oracle.DEFAULT
    assert json.dumps(STONES.format_options(options)["ruleset"], sort_keys=True) == json.dumps(oracle.DEFAULT, sort_keys=True)
    assert options.ruleset.name == "default"


def test_marks_are_kept() -> None:
    rules = changed("spaces.1.mark", "CONFIRMED") | {"name": "from the printed rules"}
    kept: Any = STONES.format_options(STONES.parse_options({"ruleset": rules}))["ruleset"]
    assert [space["mark"] for space in kept["spaces"]] == ["CONFIRMED", "CONFIRMED", "OURS", "OURS", "CONFIRMED"]
    assert kept["name"] == "from the printed rules"


@given(st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_other_rulesets_round_trip(rng: Any) -> None:
    rules = games.variant(rng)
    options = STONES.parse_options({"ruleset": rules})
    formatted = STONES.format_options(options)
    assert formatted["ruleset"] == rules
    assert STONES.parse_options(formatted) == options
    assert hash(STONES.parse_options(formatted)) == hash(options)
    assert STONES.format_options(STONES.parse_options(msgspec.json.decode(msgspec.json.encode(formatted)))) == formatted
    assert (options == STONES.parse_options({})) == (rules == oracle.DEFAULT)


@pytest.mark.parametrize("reveal", [None, False, True])
@pytest.mark.parametrize("empty", [None, False, True])
@pytest.mark.parametrize("tiebreak", [None, "shared", "most_stones_left", "fewest_stones_left"])
def test_quick_switches_override_the_ruleset(reveal: bool | None, empty: bool | None, tiebreak: str | None) -> None:
    given: dict[str, Any] = {"reveal_covered_patterns": reveal, "count_empty_as_height": empty, "tiebreak": tiebreak}
    given = {name: value for name, value in given.items() if value is not None}
    theirs = changed("reveal_covered_patterns", True)
    theirs["spaces"][0]["count_empty_as_height"], theirs["end"]["tiebreak"] = True, "most_stones_left"
    for ruleset in (oracle.DEFAULT, theirs):
        options = STONES.parse_options({"ruleset": ruleset} | given)
        formatted = STONES.format_options(options)
        merged = oracle.ruleset({"ruleset": ruleset} | given)
        assert formatted == {
            "ruleset": merged,
            "reveal_covered_patterns": merged["reveal_covered_patterns"],
            "count_empty_as_height": merged["spaces"][0]["count_empty_as_height"],
            "tiebreak": merged["end"]["tiebreak"],
        }
        assert STONES.parse_options(formatted) == options


def test_a_position_keeps_the_ruleset_it_was_read_with() -> None:
    options = STONES.parse_options({"ruleset": changed("spaces.0.each", 7)})
    position = STONES.parse_position(CASES["colour-two"], options)
    after = STONES.replay(position, "sY").after
    assert after.options == position.options == options
    assert after.track == (3 + 2 * 7 + 4, 5)
    assert STONES.replay(STONES.parse_position(CASES["colour-two"], STONES.parse_options({})), "sY").after.track == (9, 5)


@pytest.mark.parametrize(("tiebreak", "winners"), [("shared", (0, 1)), ("most_stones_left", (0,)), ("fewest_stones_left", (1,))])
def test_tiebreaks(tiebreak: str, winners: tuple[int, ...]) -> None:
    """Two players level, three stones left on one board and one on the other."""
    line = CASES["objective-spire"].replace(",p,-", ",-,-").replace("/-,-,-,-,- ", "/-,-,-,-,p ").replace(" 10/20 ", " 7/11 ")
    position = STONES.parse_position(re.sub(r"terraces\+\S+", "?/?", line), STONES.parse_options({"tiebreak": tiebreak}))
    after = STONES.replay(position, "q123").after  # three points, and one for a place of the mandala
    assert after.scores == (11, 11)
    assert after.outcome is not None
    assert after.outcome.winners == winners
    assert list(winners) == oracle.winners(read_position(str(after)), oracle.ruleset({"tiebreak": tiebreak}))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spaces.1.points", [9, 8, 7, 5]),
        ("spaces.0.count_empty_as_height", True),
        ("spaces.0.each", 3),
        ("score_colour.min_towers", 3),
        ("score_tops.each", 2),
        ("mandala.bonus", {"1": 5, "2": 9}),
        ("mandala.end", {"2": 1, "3": 2, "4": 3}),
        ("board.neighbours.A1", ["S02", "S05", "S08", "S04"]),
    ],
)
def test_a_number_of_the_ruleset_shows_in_play(path: str, value: object) -> None:
    """Nothing of it stands in code: what is legal or what comes of it changes, as it does with the oracle."""
    rules, position = changed(path, value), read_position(CASES["colour-heights-four"])
    if path == "board.neighbours.A1":
        rules["board"]["neighbours"]["A2"][0] = "S01"
    ours = STONES.parse_position(position_text(position), STONES.parse_options({"ruleset": rules}))
    legal = oracle.legal(position, rules)
    assert [str(action) for action in ours.legal_actions] == legal
    differs = legal != oracle.legal(position, oracle.DEFAULT)
    for action in legal:
        line = position_text(oracle.play(position, action, rules))
        assert str(STONES.replay(ours, action).after) == line
        differs = differs or line != position_text(oracle.play(position, action, oracle.DEFAULT))
    assert differs


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        # five spaces
        ("spaces", oracle.DEFAULT["spaces"][:4], "spaces"),
        ("spaces", [*oracle.DEFAULT["spaces"], oracle.DEFAULT["spaces"][0]], "spaces"),
        # tables of four integers >= 0
        ("spaces.1.points", [6, 4, 2], "spaces[1].points"),
        ("spaces.1.points", [6, 4, 2, 1, 1], "spaces[1].points"),
        ("spaces.2.points", [6, 4, -2, 1], "spaces[2].points"),
        ("spaces.3.points", [6, 4, 2.5, 1], "spaces[3].points"),
        ("spaces.3.points", "6421", "spaces[3].points"),
        ("spaces.0.each", -1, "spaces[0].each"),
        ("spaces.0.each", True, "spaces[0].each"),
        ("spaces.4.rule", "distinct_everything", "spaces[4]"),
        ("spaces.0.count_empty_as_height", 1, "spaces[0].count_empty_as_height"),
        # ends rising for 2, 3, 4 players
        ("mandala.end", {"2": 48, "3": 40, "4": 56}, "mandala.end"),
        ("mandala.end", {"2": 40, "3": 40, "4": 56}, "mandala.end"),
        ("mandala.end", {"2": 0, "3": 40, "4": 56}, "mandala.end"),
        ("mandala.end", {"2": 40, "3": 48}, "mandala.end"),
        ("mandala.end", {"2": 40, "3": 48, "4": 56, "5": 60}, "mandala.end"),
        # end[n] - 1 + 5n <= spaces
        ("mandala.end.2", 72, "mandala.end"),
        ("mandala.end", {"2": 40, "3": 48, "4": 62}, "mandala.end.4"),
        ("mandala.end", {"2": 40, "3": 67, "4": 68}, "mandala.end.3"),
        ("mandala.end", {"2": 72, "3": 73, "4": 74}, "mandala.end.2"),
        ("mandala.spaces", 74, "mandala.bonus"),
        ("mandala.spaces", 97, "mandala.spaces"),
        ("mandala.bonus", {"81": 1}, "mandala.bonus"),
        ("mandala.bonus", {"0": 1}, "mandala.bonus"),
        ("mandala.bonus", {"04": 1}, "mandala.bonus"),
        ("mandala.bonus", {"4": -1}, "mandala.bonus"),
        # deck >= 2 x players
        ("objectives.cards", oracle.DEFAULT["objectives"]["cards"][:7], "objectives.cards"),
        ("objectives.cards", oracle.DEFAULT["objectives"]["cards"][:9] + oracle.DEFAULT["objectives"]["cards"][:1], "objectives.cards"),
        ("objectives.cards.0.of", "green", "objectives.cards[0].of"),
        ("objectives.cards.0.count", "stones_of_pattern", "objectives.cards[0].of"),
        ("objectives.cards.6.of", "star", "objectives.cards[6].of"),
        ("objectives.cards.6.each", -2, "objectives.cards[6].each"),
        ("objectives.cards.6.id", "open space", "objectives.cards[6].id"),
        ("objectives.cards.6.count", "luck", "objectives.cards[6].count"),
        ("objectives.deal", 3, "objectives.deal"),
        # start spaces distinct
        ("board.artist_start", ["A2", "A4", "A6", "A2"], "board.artist_start"),
        ("board.artist_start", ["A2", "A4", "A6"], "board.artist_start"),
        ("board.artist_start", ["A2", "A4", "A6", "A10"], "board.artist_start[3]"),
        ("board.artists", ["star", "star", "star", "circle"], "board.artists"),
        # neighbours symmetric: each stack beside one or two spaces, between two on opposite sides
        ("board.neighbours.A1", ["S01", "S05", "S08", "S25"], "board.neighbours"),
        ("board.neighbours.A1", ["S01", "S05", "S08", "S05"], "board.neighbours.A1"),
        ("board.neighbours.A1", ["S01", "S05", "S08", "S13"], "board.neighbours"),
        ("board.neighbours.A1", ["S05", "S01", "S08", "S04"], "board.neighbours"),
        ("board.neighbours.A1", ["S01", "S05", "S08"], "board.neighbours"),
        ("board.neighbours.A1", ..., "board.neighbours"),
        ("board.neighbours.A10", ["S01", "S05", "S08", "S04"], "board.neighbours"),
        # the material is what the notation can write
        ("board.stack_spaces", 23, "board.stack_spaces"),
        ("board.stack_height", 5, "board.stack_height"),
        ("board.stack_height", 3, "stones.per_pair"),
        ("stones.per_pair", 11, "stones.per_pair"),
        ("stones.colours", ["red", "yellow", "blue", "purple"], "stones.colours"),
        ("stones.patterns", ["circle", "star"], "stones.patterns"),
        # numbers that cannot be printed, once something is added to them
        pytest.param("mandala.end.4", 10**4300 - 1, "mandala.end.4", id="mandala.end.4-huge"),
        ("mandala.end.4", 97, "mandala.end.4"),
        ("mandala.end.2", -(10**18), "mandala.end.2"),
        pytest.param("board.stack_spaces", 10**4300 - 1, "board.stack_spaces", id="board.stack_spaces-huge"),
        pytest.param("objectives.deal", 10**4300 - 1, "objectives.deal", id="objectives.deal-huge"),
        pytest.param("schema", 10**4300 - 1, "schema", id="schema-huge"),
        # form
        ("schema", 2, "schema"),
        ("name", "", "name"),
        ("end.tiebreak", "dice", "end.tiebreak"),
        ("end.mark", "GUESSED", "end.mark"),
        ("reveal_covered_patterns", "no", "reveal_covered_patterns"),
        ("score_colour.min_towers", 0, "score_colour.min_towers"),
        ("score_colour.min_towers", 6, "score_colour.min_towers"),
        ("score_tops.each", -1, "score_tops.each"),
        ("score_tops", ..., "score_tops"),
        ("mandala.mark", ..., "mandala.mark"),
        ("extra", 1, "extra"),
        ("board.extra", 1, "board.extra"),
    ],
)  # fmt: skip
def test_a_wrong_ruleset_names_field_and_reason(path: str, value: object, field: str) -> None:
    error = refusal(changed(path, value))
    assert error.code == "bad_ruleset"
    assert str(error.params["field"]).startswith(field), error
    assert error.params["reason"] in REASONS
    assert str(error).startswith(f"ruleset, field {error.params['field']}: ")


@pytest.mark.parametrize(
    ("path", "value", "reason", "params"),
    [
        ("extra", 1, "unknown", {}),
        ("score_tops", ..., "missing", {}),
        ("schema", 2, "value", {}),
        ("reveal_covered_patterns", "no", "kind", {}),
        ("name", "", "at_least_long", {"n": 1}),
        ("name", " x", "one_line", {}),
        ("spaces.1.points", [6, 4, 2], "length", {"n": 4}),
        ("spaces.0.each", -1, "at_least", {"n": 0}),
        ("mandala.spaces", 97, "at_most", {"n": 96}),
        ("objectives.cards.6.id", "open space", "form", {}),
        ("stones.patterns", ["circle", "star"], "order", {"wanted": "star, circle"}),
        ("objectives.deal", 3, "exactly", {"n": 2}),
        ("stones.per_pair", 11, "fill", {"stones": 88, "stacks": 24, "height": 4}),
        ("board.neighbours.A1", ["S01", "S05", "S08", "S05"], "four_stacks", {}),
        ("board.neighbours.A1", ["S05", "S01", "S08", "S04"], "opposite", {"stack": "S05", "one": "A1", "other": "A2"}),
        ("board.neighbours.A1", ..., "all_spaces", {"found": 8}),
        ("mandala.bonus", {"81": 1}, "no_place", {"place": "81", "n": 80}),
        ("mandala.end", {"2": 40, "3": 48, "4": 62}, "too_many", {"seats": 4, "stones": 81, "spaces": 80}),
        ("objectives.cards", oracle.DEFAULT["objectives"]["cards"][:7], "few_cards", {"found": 7}),
        ("objectives.cards.6.of", "star", "of_nothing", {"count": "empty_spaces"}),
    ],
)
def test_the_reason_is_a_code_with_what_it_names(path: str, value: object, reason: str, params: dict[str, object]) -> None:
    """So that a page can say it in any language."""
    error = refusal(changed(path, value))
    assert error.params == {"field": error.params["field"], "reason": reason} | params


def test_every_reason_has_its_words_in_the_page() -> None:
    """A code without a sentence would be shown as it is."""
    assert {f"fault_{reason}" for reason in REASONS} == set(json.loads(WORDS.read_text()))


@pytest.mark.parametrize("rules", [None, [], "default", 7, {}, {"schema": 1}, True])
def test_what_is_no_ruleset_at_all(rules: object) -> None:
    assert refusal(rules).code == "bad_ruleset"


@pytest.mark.parametrize(
    "path", ["name", "mandala.mark", "mandala.bonus.\ud800", "end.\ud800", "\ud800", "board.neighbours.\ud800", "spaces.0.rule"]
)
def test_half_a_character_is_refused(path: str) -> None:
    """JSON can spell one, and the standard library reads it."""
    assert refusal(changed(path, "\ud800")).code == "bad_ruleset"


def test_two_spaces_that_count_heights_must_agree_on_empty_ones() -> None:
    rules = changed("spaces.4", oracle.DEFAULT["spaces"][0] | {"count_empty_as_height": True})
    assert refusal(rules).params["field"] == "spaces"
    rules["spaces"][0]["count_empty_as_height"] = True
    assert STONES.parse_options({"ruleset": rules}).count_empty_as_height


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ({"reveal_covered_patterns": "yes"}, "reveal_covered_patterns"),
        ({"count_empty_as_height": 1}, "count_empty_as_height"),
        ({"tiebreak": "dice"}, "tiebreak"),
        ({"tiebreak": True}, "tiebreak"),
        ({"rules": {}}, "rules"),
        ({"stall_limit": 20}, "stall_limit"),
    ],
)
def test_wrong_options_are_named(raw: dict[str, object], option: str) -> None:
    with pytest.raises(OptionError) as caught:
        STONES.parse_options(raw)
    assert caught.value.params["option"] == option


DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from([*oracle.DEFAULT, "points", "end", "2"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@given(DATA, st.sampled_from(sorted(oracle.DEFAULT)))
def test_any_data_is_a_ruleset_or_refused_in_one_line(data: object, key: str) -> None:
    assert refusal(data).code == "bad_ruleset"
    rules, found = oracle.DEFAULT | {key: data}, None
    try:
        found = STONES.format_options(STONES.parse_options({"ruleset": rules}))["ruleset"]
    except OptionError:
        error = refusal(rules)
        assert error.code == "bad_ruleset"
        assert str(error.params["field"]).split(".")[0].split("[")[0] == key
        assert len(str(error)) < 300
    assert found in (None, rules)
