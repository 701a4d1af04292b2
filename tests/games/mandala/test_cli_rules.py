"""``sandriver legal`` and ``sandriver step``: what is printed, what is refused in one line, and dashes that are no options."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandriver.cli import main
from sandriver.cli.main import COMMANDS

START = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
DASH = "-/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 K2 A 0/19"
OVER = "-/-/- G2/-/- P3Y3/O3R3 G/KR K1G1+G1/P1Y1+K2 K14G13P12Y13O14R14 P2Y1O1 - 1/0"

Captured = pytest.CaptureFixture[str]


def refused(capsys: Captured, *arguments: str) -> str:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def printed(capsys: Captured, *arguments: str) -> str:
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_legal_prints_one_action_a_line(capsys: Captured) -> None:
    lines = printed(capsys, "legal", "mandala", START).splitlines()
    assert (len(lines), lines[0], lines[-1]) == (22, "b1P", "dY3")
    assert printed(capsys, "legal", "mandala", OVER) == ""


def test_step_prints_the_position(capsys: Captured) -> None:
    assert printed(capsys, "step", "mandala", START, "b1P>GPY", "dO3>KKK") == (
        "K2P1/-/- G2/-/- G1P3Y4/K3R3 -/- K1G1+-/P1Y1+- K12G14P13Y13O15R15 O3 A 0/1\n"
    )


def test_step_prints_json(capsys: Captured) -> None:
    answer = json.loads(printed(capsys, "step", "--json", "mandala", START, "f1P1", "dO1>K"))
    assert list(answer) == ["position", "legal", "to_move", "over", "scores", "events"]
    assert answer["position"] == "K2/P1/- G2/-/- P2Y3/K1O2R3 -/- K1G1+-/P1Y1+- K14G15P14Y14O15R15 O1 A 0/1"
    assert (answer["to_move"], answer["over"], answer["scores"], len(answer["legal"])) == ("A", False, [0, 0], 18)
    assert [event["type"] for event in answer["events"]] == ["grow", "redraw", "draw"]


@pytest.mark.parametrize("place", range(5))
def test_options_may_stand_anywhere_and_dashes_are_no_options(capsys: Captured, place: int) -> None:
    words = ["mandala", DASH, "b2P>KKK", "dO1>K"]
    for option in (["--stall-limit", "20", "--json"], ["--json", "--stall-limit=20", "--exhaustion=lazy"]):
        answer = json.loads(printed(capsys, "step", *words[:place], *option, *words[place:]))
        assert answer["position"].endswith(" A 0/1")


def test_everything_after_two_dashes_is_taken_as_it_is(capsys: Captured) -> None:
    assert "dP1" in printed(capsys, "legal", "--", "mandala", DASH)
    assert "unknown action '--json'" in refused(capsys, "step", "mandala", DASH, "--", "--json")


@pytest.mark.parametrize("action", ["-", "-b1P", "--wobble", "-h1", "", "b1P>GPYé", "b1P\nb1P"])
def test_no_actions_are_refused(capsys: Captured, action: str) -> None:
    assert "sandriver step: " in refused(capsys, "step", "mandala", START, action)


def test_refusals_say_which_action_and_which_rule(capsys: Captured) -> None:
    assert refused(capsys, "step", "mandala", START, "f1P1", "b1P>K") == "sandriver step: action 2: b1P: 1 purple wanted, 0 in hand\n"
    assert "rule of colour" in refused(capsys, "step", "mandala", START.replace("G2/-/-", "G2/P1/-").replace("P14", "P13"), "b2P>KKK")
    assert "3 cards are dealt" in refused(capsys, "step", "mandala", START, "b1P>K")


def test_hidden_sets(capsys: Captured) -> None:
    line = "K2/-/- G2/-/- P3Y3/?6 -/- K1G1+-/?2+- ?88 - A 0/0"
    assert len(printed(capsys, "legal", "mandala", line).splitlines()) == 22
    assert "hidden" in refused(capsys, "step", "mandala", line, "f1P1")
    assert "hand of B is hidden" in refused(capsys, "legal", "mandala", line.replace(" A ", " B "))


def test_options_change_the_rules(capsys: Captured) -> None:
    assert printed(capsys, "step", "mandala", DASH, "dP1>K").endswith(" - 0/20\n")
    assert printed(capsys, "step", "mandala", DASH, "dP1>K", "--stall-limit", "0").endswith(" B 0/20\n")
    assert "FLAGS" in refused(capsys, "legal", "mandala", DASH, "--stall-limit", "19")
    assert "exhaustion" in refused(capsys, "legal", "mandala", DASH, "--exhaustion", "later")
    assert "--stall-limit" in refused(capsys, "legal", "mandala", DASH, "--stall-limit")


def test_help_names_every_command(capsys: Captured) -> None:
    text = printed(capsys, "--help")
    for name in COMMANDS:
        assert f"  {name}" in text
        assert f"usage: sandriver {name}" in printed(capsys, name, "--help")
    assert printed(capsys, "--version").startswith("sandriver ")
    assert "no command 'wobble'" in refused(capsys, "wobble")


def test_module_runs_and_survives_a_closed_pipe() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "sandriver", "legal", "mandala", START]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr as errors:
        assert errors.read() == b""
    assert process.wait() == 0


@pytest.mark.parametrize("command", [("legal", "mandala", START), ("--help",), ("--version",)])
def test_nowhere_to_write_to(command: tuple[str, ...]) -> None:
    """A full disk is said in one line; a terminal without the letters is none of our faults."""
    run = [sys.executable, "-m", "sandriver", *command]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(run, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
