"""Every shared case and every recorded game: by the oracle, through the Python API, and by the command line."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.stones.support import DATA, ROOT, NoChance, Run, by_id, load, process
from tests.oracles import stones as oracle
from tests.oracles import stones_text as text

from sandriver.games.errors import IllegalAction, NotationError, PositionError
from sandriver.games.stones import STONES
from sandriver.games.stones.wire import Uncovered

CASES, GAMES, BAD = load("stones_cases.jsonl"), load("stones_games.jsonl"), load("stones_bad_positions.jsonl")
RULES = oracle.DEFAULT
RULE_CODES = {
    "stones-pick-first-wrong-pattern": "wrong_pattern",
    "stones-pick-stay": "must_move",
    "stones-pick-space-taken": "space_taken",
    "stones-colour-one-tower": "too_few_towers",
    "stones-tops-empty-space": "no_tower",
    "stones-skip-not-allowed": "no_pass",
}
named = pytest.mark.parametrize
every_game, every_case, every_bad = named("game", by_id(GAMES)), named("case", by_id(CASES)), named("bad", by_id(BAD))


# --- the data itself --------------------------------------------------------------------------------


def test_data_is_complete() -> None:
    assert (len(CASES), len(GAMES), len(BAD)) == (20, 6, 7)
    assert sum(len(game["actions"]) for game in GAMES) == 325
    assert sorted(game["players"] for game in GAMES) == [2, 2, 3, 3, 4, 4]
    assert {case["id"] for case in CASES if case["expect"] == "illegal"} == set(RULE_CODES)
    assert all(not line["options"] for line in CASES + GAMES + BAD)


def test_shipped_ruleset_is_the_one_of_the_rules_text() -> None:
    shipped = ROOT / "src" / "sandriver" / "games" / "stones" / "ruleset.json"
    assert shipped.read_bytes() == (DATA / "cases" / "stones_ruleset.json").read_bytes()


# --- the oracle ---------------------------------------------------------------------------------------


@every_game
def test_oracle_plays_game(game: dict[str, Any]) -> None:
    position = text.read_position(game["positions"][0])
    for index, line in enumerate(game["positions"]):
        assert text.position_text(position) == text.position_text(text.read_position(line)) == line
        assert oracle.legal(position, RULES) == game["legal"][index]
        assert text.faults(line) == []
        if index < len(game["actions"]):
            position = oracle.play(position, game["actions"][index], RULES)
    assert (oracle.scores(position, RULES), [seat + 1 for seat in oracle.winners(position, RULES)]) == (game["scores"], game["winners"])


@every_case
def test_oracle_answers_case(case: dict[str, Any]) -> None:
    position = text.read_position(case["position"])
    assert text.faults(case["position"]) == []
    if case["expect"] == "legal":
        assert oracle.legal(position, RULES) == case["legal"]
        assert [action for action in oracle.every_action() if not oracle.forbidden(position, action, RULES)] == case["legal"]
    elif case["expect"] == "ok":
        after = oracle.play(position, case["action"], RULES)
        assert text.position_text(after) == case["after"]
        answer = (oracle.legal(after, RULES), after["turn"] is None, oracle.scores(after, RULES))
        assert answer == (case["legal"], case["over"], case["scores"])
    else:
        with pytest.raises(oracle.Refused) as caught:
            oracle.play(position, case["action"], RULES)
        assert (caught.value.kind, caught.value.rules) == ("illegal", [RULE_CODES[case["id"]]])


@every_bad
def test_oracle_refuses_position(bad: dict[str, Any]) -> None:
    assert {field for field, _ in text.faults(bad["position"])} == {bad["field"]}


# --- the Python API --------------------------------------------------------------------------------------


@every_game
def test_api_plays_game(game: dict[str, Any]) -> None:
    options = STONES.parse_options(game["options"])
    position = STONES.parse_position(game["positions"][0], options)
    for index, line in enumerate(game["positions"]):
        assert STONES.format_position(position) == line
        assert position == STONES.parse_position(line, options)
        assert position.status() == []
        assert position.complete
        assert [STONES.format_action(action) for action in position.legal_actions] == game["legal"][index]
        assert len(position.legal_actions) == len(game["legal"][index])
        if index < len(game["actions"]):
            transition = STONES.play(position, STONES.parse_action(game["actions"][index]), NoChance())
            assert transition == STONES.replay(position, game["actions"][index])
            assert (transition.move, transition.dealt) == (game["actions"][index], "")
            assert STONES.format_position(transition.before) == line
            position = transition.after
    assert position.to_move is None
    assert list(position.scores) == game["scores"]
    assert position.outcome is not None
    assert [seat + 1 for seat in position.outcome.winners] == game["winners"]
    assert (list(position.outcome.scores), position.outcome.reason) == (game["scores"], "end_space")


@every_case
def test_api_answers_case(case: dict[str, Any]) -> None:
    position = STONES.parse_position(case["position"], STONES.parse_options(case["options"]))
    if case["expect"] == "legal":
        assert [STONES.format_action(action) for action in position.legal_actions] == case["legal"]
    elif case["expect"] == "ok":
        after = STONES.replay(position, case["action"]).after
        assert STONES.format_position(after) == case["after"]
        assert [STONES.format_action(action) for action in after.legal_actions] == case["legal"]
        assert (after.to_move is None, list(after.scores)) == (case["over"], case["scores"])
    else:
        with pytest.raises(IllegalAction) as caught:
            STONES.replay(position, case["action"])
        assert caught.value.code == RULE_CODES[case["id"]]
    assert STONES.format_position(position) == case["position"]


@every_bad
def test_api_refuses_position(bad: dict[str, Any]) -> None:
    with pytest.raises((PositionError, NotationError)) as caught:
        STONES.parse_position(bad["position"], STONES.parse_options(bad["options"]))
    assert caught.value.params["field"] == bad["field"]
    assert bad["field"] in str(caught.value)


@every_case
def test_patterns_that_are_covered_change_nothing_that_is_legal(case: dict[str, Any]) -> None:
    """The same position as a player sees it: what is legal, and the points; only what uncovers a stone cannot be played."""
    options = STONES.parse_options({})
    line = text.hidden(text.read_position(case["position"]))
    position, full = STONES.parse_position(line, options), STONES.parse_position(case["position"], options)
    assert STONES.format_position(position) == line
    assert not position.complete
    assert list(position.legal_actions) == list(full.legal_actions)
    assert (position.scores, position.to_move) == (full.scores, full.to_move)
    for action in list(position.legal_actions)[:40]:
        if action.kind == "pick" and any(isinstance(event, Uncovered) for event in STONES.replay(full, str(action)).events):
            with pytest.raises(PositionError, match=r"^STACKS: ") as caught:
                STONES.replay(position, str(action))
            assert caught.value.code == "hidden"
        else:
            after = STONES.replay(position, str(action)).after
            assert STONES.format_position(after) == text.position_text(oracle.play(text.read_position(line), str(action), RULES))


# --- the command line ------------------------------------------------------------------------------------


@every_game
def test_cli_legal_at_every_second_ply(cli: Run, game: dict[str, Any]) -> None:
    for line, legal in list(zip(game["positions"], game["legal"], strict=True))[game["players"] % 2 :: 2]:
        assert cli("legal", "stones", line).lines() == legal


@every_game
def test_cli_step_at_every_ply_and_at_once(cli: Run, game: dict[str, Any]) -> None:
    events = []
    for index, action in enumerate(game["actions"]):
        before, after = game["positions"][index : index + 2]
        answer = cli("step", "stones", "--json", before, action).json()
        assert list(answer) == ["position", "legal", "to_move", "over", "scores", "events"]
        assert (answer["position"], answer["legal"]) == (after, game["legal"][index + 1])
        assert (answer["to_move"], answer["over"]) == (after.split(" ")[6], index + 1 == len(game["actions"]))
        assert answer["scores"] == oracle.scores(text.read_position(after), RULES)
        assert answer["events"]
        events += answer["events"]
        if index % 8 == 0:
            assert cli("step", "stones", before, action).lines() == [after]
    assert cli("step", "stones", game["positions"][0], *game["actions"]).lines() == [game["positions"][-1]]
    answer = cli("step", "stones", game["positions"][0], *game["actions"], "--json").json()
    assert (answer["scores"], answer["over"], answer["legal"], answer["to_move"]) == (game["scores"], True, [], "-")
    assert answer["events"] == events


@every_case
def test_cli_answers_case(cli: Run, case: dict[str, Any]) -> None:
    check_case(cli, case)


@every_bad
def test_cli_refuses_position(cli: Run, bad: dict[str, Any]) -> None:
    for arguments in (["legal", "stones", bad["position"]], ["step", "stones", bad["position"], "q1"]):
        assert bad["field"] in cli(*arguments).refusal()


def check_case(run: Run, case: dict[str, Any]) -> None:
    if case["expect"] == "legal":
        assert run("legal", "stones", case["position"]).lines() == case["legal"]
    elif case["expect"] == "ok":
        assert run("step", "stones", case["position"], case["action"]).lines() == [case["after"]]
        answer = run("step", "stones", case["position"], case["action"], "--json").json()
        assert (answer["legal"], answer["over"], answer["scores"]) == (case["legal"], case["over"], case["scores"])
    else:
        for extra in ([], ["--json"]):
            assert run("step", "stones", case["position"], case["action"], *extra).refusal()


@named("case", by_id([case for case in CASES if case["id"].endswith(("stay", "all-kinds"))]))
def test_process_answers_case(case: dict[str, Any]) -> None:
    check_case(process, case)


def test_process_plays_a_game_and_refuses_a_position() -> None:
    game = GAMES[5]
    assert process("step", "stones", game["positions"][0], *game["actions"]).lines() == [game["positions"][-1]]
    assert BAD[0]["field"] in process("legal", "stones", BAD[0]["position"]).refusal()
