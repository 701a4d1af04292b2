"""``sandriver legal`` and ``sandriver step`` with Mandala Stones: rulesets from files, forced skips, hidden parts, one line of refusal."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from tests.games.stones.support import Run, load, process
from tests.oracles import stones as oracle
from tests.oracles import stones_games as games
from tests.oracles.stones_text import hidden, position_text, read_position

CASES = {case["id"].removeprefix("stones-"): case for case in load("stones_cases.jsonl")}
COLOUR, LAST, PICK = CASES["colour-two"]["position"], CASES["objective-spire"]["position"], CASES["pick-first-north"]
NOTHING = ",".join(["-"] * 24)


def stuck(number: int, players: int) -> tuple[str, str]:
    """The line in which a player of a game with the shipped ruleset is stuck, and the line after."""
    rules, _, _, _, plies = games.game(number, players)
    assert rules == oracle.DEFAULT
    ply = next(ply for ply in plies if ply.action == "-")
    return position_text(ply.before), position_text(ply.after)


@pytest.fixture
def ruleset(tmp_path: Path) -> Any:
    """Write a changed ruleset to a file and name it."""

    def write(change: Any) -> str:
        rules = copy.deepcopy(oracle.DEFAULT)
        change(rules)
        path = tmp_path / "rules.json"
        path.write_text(json.dumps(rules), encoding="utf-8")
        return str(path)

    return write


# --- the ruleset ------------------------------------------------------------------------------------


def test_a_ruleset_file_changes_legal_actions_points_and_the_end(cli: Run, ruleset: Any) -> None:
    file = ruleset(lambda rules: (rules["score_tops"].update(each=3), rules["mandala"].update(end={"2": 1, "3": 2, "4": 3})))
    answer = cli("step", "stones", COLOUR, "q1", "--ruleset", file, "--json").json()
    assert (answer["scores"], answer["to_move"], answer["position"].split(" ")[7]) == ([6, 5], "2", "A/3/1")
    assert [event["type"] for event in answer["events"]] == ["score", "last_round"]
    assert cli("step", "stones", COLOUR, "q1", "--json").json()["scores"] == [4, 5]
    file = ruleset(lambda rules: rules["score_colour"].update(min_towers=3))
    assert "sY" in cli("legal", "stones", COLOUR).lines()
    assert "sY" not in cli("legal", "stones", COLOUR, f"--ruleset={file}").lines()
    assert "sY: yellow must be on top of at least 3 towers" in cli("step", "stones", COLOUR, "sY", "--ruleset", file).refusal()


def test_the_shipped_ruleset_from_a_file_is_the_default(cli: Run, ruleset: Any) -> None:
    file = ruleset(lambda rules: None)
    for game in load("stones_games.jsonl")[::2]:
        line = game["positions"][7]
        assert cli("legal", "stones", "--ruleset", file, line).lines() == game["legal"][7]


def test_quick_switches(cli: Run) -> None:
    line = CASES["colour-heights-four"]["position"]
    plain, counted = (cli("step", "stones", line, "sY", *more, "--json").json() for more in ([], ["--count-empty-as-height", "true"]))
    assert counted["scores"][0] == plain["scores"][0] + 1
    assert cli("legal", "stones", line, "--reveal-covered-patterns", "true").lines() == cli("legal", "stones", line).lines()
    for wrong in (["--count-empty-as-height", "maybe"], ["--tiebreak", "dice"], ["--reveal-covered-patterns", ""]):
        assert wrong[0].removeprefix("--").replace("-", "_") in cli("legal", "stones", line, *wrong).refusal()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rules: rules["spaces"][1].update(points=[6, 4, -2, 1]), ["spaces[1].points"]),
        (lambda rules: rules["mandala"]["end"].update({"3": 40}), ["mandala.end", "rising"]),
        (lambda rules: rules["mandala"]["end"].update({"4": 62}), ["mandala.end.4", "81 stones", "80 spaces"]),
        (lambda rules: rules["objectives"].update(cards=rules["objectives"]["cards"][:7]), ["objectives.cards", "7"]),
        (lambda rules: rules["board"].update(artist_start=["A1", "A1", "A2", "A3"]), ["board.artist_start"]),
        (lambda rules: rules["board"]["neighbours"].update(A1=["S01", "S02", "S03", "S04"]), ["board.neighbours"]),
        (lambda rules: rules.pop("spaces"), ["spaces", "missing"]),
        (lambda rules: rules.update(surprise=1), ["surprise"]),
    ],
)
def test_a_wrong_ruleset_is_refused_with_field_and_reason(cli: Run, ruleset: Any, change: Any, words: list[str]) -> None:
    for command in (["legal", "stones", COLOUR], ["step", "stones", COLOUR, "q1"]):
        refusal = cli(*command, "--ruleset", ruleset(change)).refusal()
        assert all(word in refusal for word in words), refusal


@pytest.mark.parametrize(
    "content",
    [None, b"", b"{", b"[]", b"\xff\xfe", b"null", b'"default"', b"[" * 5000, b'{"\\ud800": 1}', b"9" * 5000, b" " * (1 << 20) + b"1"],
)
def test_files_that_hold_no_ruleset(cli: Run, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "wrong.json"
    if content is not None:
        path.write_bytes(content)
    refusal = cli("legal", "stones", COLOUR, "--ruleset", str(path)).refusal()
    assert len(refusal) < 400
    assert "ruleset" in refusal


def test_a_ruleset_needs_a_file_and_belongs_to_this_game(cli: Run, tmp_path: Path) -> None:
    assert cli("legal", "stones", COLOUR, "--ruleset").refusal()
    assert cli("legal", "stones", COLOUR, "--ruleset", str(tmp_path)).refusal()
    assert "stall_limit" in cli("legal", "stones", COLOUR, "--stall-limit", "3").refusal()
    line = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
    assert "ruleset" in cli("legal", "mandala", line, "--ruleset", str(tmp_path)).refusal()


# --- a player who can do nothing --------------------------------------------------------------------


def test_legal_lists_only_the_skip_and_step_plays_it_when_told(cli: Run) -> None:
    before, after = stuck(*games.SITUATIONS["stuck"])
    assert cli("legal", "stones", before).lines() == ["-"]
    assert cli("step", "stones", before, "-").lines() == [after]
    answer = cli("step", "stones", before, "-", "--json").json()
    assert [event["type"] for event in answer["events"]][:2] == ["skip", "last_round"]
    assert answer["events"][1]["trigger"] == "B"
    assert "nothing can be picked or scored" in cli("step", "stones", before, "q1").refusal()
    assert cli("step", "stones", before, "-", "-").refusal()  # the next player is not stuck, so nothing was skipped by itself
    assert process("step", "stones", before, "-").lines() == [after]


def test_a_skip_that_is_not_forced_is_a_forbidden_action(cli: Run) -> None:
    for extra in ([], ["--json"]):
        assert "there is no pass" in cli("step", "stones", COLOUR, "-", *extra).refusal()


def test_a_position_may_begin_with_a_dash(cli: Run) -> None:
    line = f"{NOTHING} A1+A2/A3+A4 Y,-,-,-,-/-,-,-,-,- {'YyRrBbPp' * 11}YyRrBbp 1/2 ?/? 1 0/9/1"
    assert "MANDALA" in cli("legal", "stones", line).refusal()
    over = load("stones_games.jsonl")[0]["positions"][-1]
    assert over.startswith("-,")
    for run in (cli, process):
        assert run("legal", "stones", over).lines() == []
        assert "the game is over" in run("step", "stones", over, "-").refusal()


# --- what is hidden ----------------------------------------------------------------------------------


def test_hidden_patterns_are_no_obstacle_until_one_is_uncovered(cli: Run) -> None:
    line = hidden(read_position(PICK["position"]))
    assert cli("legal", "stones", line).lines() == cli("legal", "stones", PICK["position"]).lines()
    assert "S09" in cli("step", "stones", line, PICK["action"]).refusal()
    after = cli("step", "stones", line, "pA1-A5:S13@2").refusal()
    assert "STACKS" in after
    covered = hidden(read_position(COLOUR))
    assert cli("step", "stones", covered, "sY").lines() == [hidden(read_position(CASES["colour-two"]["after"]))]


def test_hidden_objectives_count_nothing_at_the_end(cli: Run) -> None:
    parts = LAST.split(" ")
    for objectives, scores in (("?/?", [11, 20]), ("terraces+spire/?", [17, 20]), ("?/keep_blue+open_space", [11, 30])):
        parts[5] = objectives
        answer = cli("step", "stones", " ".join(parts), "q1", "--json").json()
        assert (answer["scores"], answer["over"]) == (scores, True)
        assert answer["position"].split(" ")[4:6] == ["11/20", objectives]


# --- refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "word"),
    [
        ("", "''"), ("pA1-A5:S09", "pA1-A5:S09"), ("pA1-A5:S09@3>Y", "pA1-A5:S09@3>Y"), ("q21", "q21"), ("sG", "sG"),
        ("--json=1", "--json=1"),
        ("pA2-A5:S09@1", "no artist stands on A2"), ("pA1-A1:S01@1", "staying is not a move"), ("pA1-A3:S03@1", "an artist stands on A3"),
        ("pA1-A5:S24@1", "S24 does not lie beside A5"), ("pA3-A5:S09@1", "pattern"), ("sY", "towers"), ("q1", "no tower on space 1"),
        ("-", "no pass"),
    ],
)  # fmt: skip
def test_refused_actions(cli: Run, action: str, word: str) -> None:
    for extra in ([], ["--json"]):
        refusal = cli("step", "stones", PICK["position"], action, *extra).refusal()
        assert refusal.startswith("sandriver step: ")
        assert word in refusal


def test_refusals_say_which_action_and_which_rule(cli: Run) -> None:
    assert cli("step", "stones", COLOUR, "sY", "sY").refusal().startswith("sandriver step: action 2: sY: ")


@pytest.mark.parametrize(
    "arguments",
    [("legal", "stones"), ("step", "stones"), ("step", "stones", COLOUR), ("legal", "stones", COLOUR, "q1"), ("legal", "pebbles", COLOUR)],
)
def test_arguments_are_refused_in_one_line(cli: Run, arguments: tuple[str, ...]) -> None:
    assert cli(*arguments).refusal()
