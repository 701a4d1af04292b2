"""Every shared case and every recorded game: by the oracle, through the Python API, and by the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import mandala as oracle
from tests.oracles import mandala_text as text

from sandriver.cli import main
from sandriver.games.errors import ChanceError, IllegalAction, NotationError, PositionError
from sandriver.games.mandala import MANDALA

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data" / "cases"


def load(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


CASES, GAMES, BAD = load("mandala_cases.jsonl"), load("mandala_games.jsonl"), load("mandala_bad_positions.jsonl")
RULE_CODES = {
    "mandala-build-own-field": "colour_in_own_field",
    "mandala-grow-all": "must_keep_card",
    "mandala-grow-opponents-colour": "colour_in_other_field",
}
named = pytest.mark.parametrize


def by_id(lines: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(line, id=line["id"]) for line in lines]


def flags(options: dict[str, Any]) -> list[str]:
    """Options as the command line takes them."""
    found = []
    if "exhaustion" in options:
        found += ["--exhaustion", options["exhaustion"]]
    if "stall_limit" in options:
        found += ["--stall-limit", str(options["stall_limit"])]
    return found


class Answer:
    """What the command printed and how it ended."""

    def __init__(self, status: object, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    def lines(self) -> list[str]:
        assert (self.status, self.err) == (0, ""), self.err
        return self.out.splitlines()

    def refusal(self) -> str:
        """The one line on standard error of exit status 2."""
        assert (self.status, self.out) == (2, ""), (self.status, self.out, self.err)
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.strip()


Run = Callable[..., Answer]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command in this process."""

    def call(*arguments: str) -> Answer:
        status: object
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        return Answer(0 if status is None else status, captured.out, captured.err)

    return call


def process(*arguments: str) -> Answer:
    """Call the command as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-m", "sandriver", *arguments], capture_output=True, text=True, env=environment, timeout=60)
    return Answer(done.returncode, done.stdout, done.stderr)


# --- the data itself --------------------------------------------------------------------------------


def test_data_is_complete() -> None:
    assert (len(CASES), len(GAMES), len(BAD)) == (20, 12, 8)
    assert sum(len(game["actions"]) for game in GAMES) == 1081
    assert {case["id"] for case in CASES if case["expect"] == "illegal"} == set(RULE_CODES)


# --- the oracle ---------------------------------------------------------------------------------------


@named("game", by_id(GAMES))
def test_oracle_plays_game(game: dict[str, Any]) -> None:
    position = text.read_position(game["positions"][0])
    for index, line in enumerate(game["positions"]):
        assert text.position_text(position) == text.position_text(text.read_position(line)) == line
        assert oracle.legal(position) == game["legal"][index] == [a for a in oracle.ACTIONS if not oracle.forbidden(position, a)]
        assert text.faults(line, game["options"]) == []
        if index < len(game["actions"]):
            position = oracle.play_text(position, game["actions"][index], game["options"])
    assert (oracle.scores(position), oracle.winner(position)) == (game["scores"], game["winner"])


@named("case", by_id(CASES))
def test_oracle_answers_case(case: dict[str, Any]) -> None:
    options = oracle.DEFAULTS | case["options"]
    position = text.read_position(case["position"])
    assert text.faults(case["position"], options) == []
    if case["expect"] == "legal":
        assert oracle.legal(position) == case["legal"]
    elif case["expect"] == "ok":
        after = oracle.play_text(position, case["action"], options)
        assert text.position_text(after) == case["after"]
        assert (oracle.legal(after), after["turn"] is None, oracle.scores(after)) == (case["legal"], case["over"], case["scores"])
    else:
        with pytest.raises(oracle.Refused) as caught:
            oracle.play_text(position, case["action"], options)
        assert caught.value.kind == case["expect"]
        if case["expect"] == "illegal":
            assert caught.value.rules == [RULE_CODES[case["id"]]]


@named("bad", by_id(BAD))
def test_oracle_refuses_position(bad: dict[str, Any]) -> None:
    assert {field for field, _ in text.faults(bad["position"], oracle.DEFAULTS | bad["options"])} == {bad["field"]} | (
        {"DISCARD"} if bad["field"] == "DECK" else set()
    )


# --- the Python API --------------------------------------------------------------------------------------


@named("game", by_id(GAMES))
def test_api_plays_game(game: dict[str, Any]) -> None:
    options = MANDALA.parse_options(game["options"])
    position = MANDALA.parse_position(game["positions"][0], options)
    for index, line in enumerate(game["positions"]):
        assert MANDALA.format_position(position) == line
        assert position == MANDALA.parse_position(line, options)
        assert position.status() == []
        assert [MANDALA.format_action(action) for action in position.legal_actions] == game["legal"][index]
        assert len(position.legal_actions) == len(game["legal"][index])
        if index < len(game["actions"]):
            transition = MANDALA.replay(position, game["actions"][index])
            assert transition.move == game["actions"][index]
            assert MANDALA.format_position(transition.before) == line
            position = transition.after
    assert position.to_move is None
    assert list(position.scores) == game["scores"]
    assert position.outcome is not None
    assert position.outcome.winners == {"A": (0,), "B": (1,), "draw": (0, 1)}[game["winner"]]
    assert list(position.outcome.scores) == game["scores"]
    if "stall guard" in game["edges"]:
        assert position.outcome.reason == "stall"
    elif "sixth colour" in game["edges"]:
        assert position.outcome.reason == "sixth_colour"
    else:
        assert position.outcome.reason == "last_mandala"


@named("case", by_id(CASES))
def test_api_answers_case(case: dict[str, Any]) -> None:
    options = MANDALA.parse_options(case["options"])
    position = MANDALA.parse_position(case["position"], options)
    if case["expect"] == "legal":
        assert [MANDALA.format_action(action) for action in position.legal_actions] == case["legal"]
    elif case["expect"] == "ok":
        after = MANDALA.replay(position, case["action"]).after
        assert MANDALA.format_position(after) == case["after"]
        assert [MANDALA.format_action(action) for action in after.legal_actions] == case["legal"]
        assert (after.to_move is None, list(after.scores)) == (case["over"], case["scores"])
    elif case["expect"] == "illegal":
        with pytest.raises(IllegalAction) as caught:
            MANDALA.replay(position, case["action"])
        assert caught.value.code == RULE_CODES[case["id"]]
    else:
        with pytest.raises(ChanceError):
            MANDALA.replay(position, case["action"])
    assert MANDALA.format_position(position) == case["position"]


@named("bad", by_id(BAD))
def test_api_refuses_position(bad: dict[str, Any]) -> None:
    with pytest.raises((PositionError, NotationError)) as caught:
        MANDALA.parse_position(bad["position"], MANDALA.parse_options(bad["options"]))
    assert caught.value.params["field"] == bad["field"]
    assert bad["field"] in str(caught.value)


# --- the command line ------------------------------------------------------------------------------------


@named("game", by_id(GAMES))
def test_cli_legal_at_every_ply(cli: Run, game: dict[str, Any]) -> None:
    for line, legal in zip(game["positions"], game["legal"], strict=True):
        assert cli("legal", "mandala", line, *flags(game["options"])).lines() == legal


@named("game", by_id(GAMES))
def test_cli_step_at_every_ply_and_at_once(cli: Run, game: dict[str, Any]) -> None:
    options, events = flags(game["options"]), []
    for index, action in enumerate(game["actions"]):
        before, after = game["positions"][index : index + 2]
        answer = json.loads(cli("step", "mandala", "--json", *options, before, action).out)
        assert list(answer) == ["position", "legal", "to_move", "over", "scores", "events"]
        assert (answer["position"], answer["legal"]) == (after, game["legal"][index + 1])
        assert (answer["to_move"], answer["over"]) == (after.split(" ")[7], index + 1 == len(game["actions"]))
        assert answer["scores"] == oracle.scores(text.read_position(after))
        assert answer["events"]
        events += answer["events"]
        if index % 8 == 0:
            assert cli("step", "mandala", before, action, *options).lines() == [after]
    assert cli("step", "mandala", *options, game["positions"][0], *game["actions"]).lines() == [game["positions"][-1]]
    answer = json.loads(cli("step", "mandala", game["positions"][0], *game["actions"], *options, "--json").out)
    assert (answer["scores"], answer["over"], answer["legal"], answer["to_move"]) == (game["scores"], True, [], "-")
    assert answer["events"] == events


@named("case", by_id(CASES))
def test_cli_answers_case(cli: Run, case: dict[str, Any]) -> None:
    check_case(cli, case)


@named("bad", by_id(BAD))
def test_cli_refuses_position(cli: Run, bad: dict[str, Any]) -> None:
    for arguments in (["legal", "mandala", bad["position"]], ["step", "mandala", bad["position"], "dP1>K"]):
        assert bad["field"] in cli(*arguments, *flags(bad["options"])).refusal()


def check_case(run: Run, case: dict[str, Any]) -> None:
    options = flags(case["options"])
    if case["expect"] == "legal":
        assert run("legal", "mandala", case["position"], *options).lines() == case["legal"]
    elif case["expect"] == "ok":
        assert run("step", "mandala", case["position"], case["action"], *options).lines() == [case["after"]]
        answer = json.loads(run("step", "mandala", case["position"], case["action"], "--json", *options).out)
        assert (answer["legal"], answer["over"], answer["scores"]) == (case["legal"], case["over"], case["scores"])
    else:
        for extra in ([], ["--json"]):
            assert run("step", "mandala", case["position"], case["action"], *options, *extra).refusal()


def test_position_and_action_may_begin_with_a_dash(cli: Run) -> None:
    """They are not options, in this process and as a process of its own."""
    line = next(game["positions"][-1] for game in GAMES if game["positions"][-1].startswith("-/-/-"))
    for run in (cli, process):
        assert run("legal", "mandala", line).lines() == []
        assert "over" in run("step", "mandala", line, "dK1>K").refusal()
        assert "-d1" in run("step", "mandala", line, "-d1").refusal()
        assert "-d1" in run("step", "mandala", "--json", line, "-d1", "--stall-limit", "0").refusal()


@named(
    ("action", "word"),
    [
        ("b9K", "b9K"),
        ("", "''"),
        ("--json=1", None),
        ("f1P9", "f1P9"),
        ("b1P>GQ", "GQ"),
        ("b1O>GPY", None),
        ("b1P>GPYK", None),
        ("cK", None),
    ],
)
def test_cli_refuses_action(cli: Run, action: str, word: str | None) -> None:
    line = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
    refusal = cli("step", "mandala", line, action).refusal()
    assert word is None or word in refusal


def test_cli_needs_a_visible_hand_to_tell_what_is_legal(cli: Run) -> None:
    """The opponent's hidden hand is no obstacle, one's own is; nothing can be played on hidden sets."""
    mine = "K2/-/- G2/-/- P3Y3/?6 -/- K1G1+-/?2+- ?88 - A 0/0"
    open_line = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
    assert cli("legal", "mandala", mine).lines() == cli("legal", "mandala", open_line).lines()
    assert cli("legal", "mandala", mine.replace("P3Y3/?6", "?6/O3R3")).refusal()
    assert cli("step", "mandala", mine, "f1P1").refusal()


@named(
    "arguments",
    [
        ("legal",),
        ("legal", "mandala"),
        ("legal", "chess", "x"),
        ("step",),
        ("step", "mandala"),
        ("wobble",),
        *(("legal", "mandala", GAMES[0]["positions"][0], "--stall-limit", value) for value in ("-1", "many", "")),
        ("legal", "mandala", GAMES[0]["positions"][0], "--exhaustion", "never"),
    ],
)
def test_cli_refuses_arguments_in_one_line(cli: Run, arguments: tuple[str, ...]) -> None:
    assert cli(*arguments).refusal()


@named("case", by_id([case for case in CASES if case["id"].endswith(("start", "hand-6", "own-field", "no-chance", "eager-exact"))]))
def test_process_answers_case(case: dict[str, Any]) -> None:
    check_case(process, case)


def test_process_plays_a_game_and_refuses_a_position() -> None:
    game = GAMES[11]
    assert process("step", "mandala", *flags(game["options"]), game["positions"][0], *game["actions"]).lines() == [game["positions"][-1]]
    assert BAD[0]["field"] in process("legal", "mandala", BAD[0]["position"]).refusal()
