"""The command line as a whole: help by any name, one manner of options for all commands, refusals in words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandriver.cli import main
from sandriver.cli.main import COMMANDS
from sandriver.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
START = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
STALLED = START.replace("0/0", "0/3")
Captured = pytest.CaptureFixture[str]


def printed(capsys: Captured, *words: str) -> str:
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: Captured, *words: str) -> str:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.fixture
def ruleset(tmp_path: Path) -> str:
    """A file with a ruleset in which three stones end the game of two."""
    rules = GAMES["stones"].format_options(GAMES["stones"].parse_options({}))["ruleset"]
    assert isinstance(rules, dict)
    rules["mandala"]["end"]["2"] = 1
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(rules), encoding="utf-8")
    return str(path)


def test_help_may_be_asked_for_in_any_way(capsys: Captured) -> None:
    assert printed(capsys, "help") == printed(capsys, "--help")
    for name in COMMANDS:
        assert printed(capsys, "help", name) == printed(capsys, name, "--help")
    assert "no command 'wobble'" in refused(capsys, "help", "wobble")


def test_options_of_the_rules_are_the_same_for_every_command(capsys: Captured) -> None:
    for name, default in GAMES["mandala"].format_options(GAMES["mandala"].parse_options({})).items():
        value = {"eager": "lazy", "20": "7", "False": "true"}[str(default)]
        for given in (
            (f"--{name.replace('_', '-')}", value),
            ("--option", f"{name}={value}"),
            ("--option", f"{name.replace('_', '-')}={value}"),
        ):
            printed(capsys, "legal", "mandala", START, *given)
            printed(capsys, "step", "mandala", START, "b1P>GPY", *given)
            printed(capsys, "arena", "mandala", "random", "random", "--games", "2", *given)


def test_an_option_changes_the_same_rule_for_every_command(capsys: Captured) -> None:
    for given in (("--stall-limit", "3"), ("--option", "stall_limit=3"), ("--option", "stall-limit=3")):
        assert "the game ends at 3" in refused(capsys, "legal", "mandala", STALLED, *given)
    for given in (("--stall-limit", "1"), ("--option", "stall_limit=1"), ("--option", "stall-limit=1")):
        result = json.loads(printed(capsys, "arena", "mandala", "random", "random", "--games", "2", "--json", *given))
        assert result["reasons"] == {"stall": 2}


def test_a_ruleset_is_named_by_its_file_for_every_command(capsys: Captured, ruleset: str) -> None:
    line = str(GAMES["stones"].start(GAMES["stones"].parse_options({}), 2, 0, Even()))
    for given in (("--ruleset", ruleset), ("--option", f"ruleset={ruleset}")):
        printed(capsys, "legal", "stones", line, *given)
        result = json.loads(printed(capsys, "arena", "stones", "random", "random", "--games", "4", "--json", *given))
        assert result["plies"] < 20
    for given in (("--ruleset", "no.json"), ("--option", "ruleset=no.json")):
        for command in (("legal", "stones", line), ("arena", "stones", "random", "random")):
            assert "--ruleset 'no.json': No such file or directory" in refused(capsys, *command, *given)


class Even:
    """Takes the likeliest: enough for a start."""

    def draw(self, weights: Sequence[int]) -> int:
        return list(weights).index(max(weights))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("serve", "--port", "abc"), "sandriver serve: --port: a whole number is wanted, not 'abc'\n"),
        (("serve", "--rates", "fast"), "sandriver serve: --rates: a number is wanted, not 'fast'\n"),
        (("arena", "mandala", "random", "random", "--games", "1.5"), "sandriver arena: --games: a whole number is wanted, not '1.5'\n"),
        (("arena", "mandala", "random", "random", "--seats", ""), "sandriver arena: --seats: a whole number is wanted, not ''\n"),
    ],
)
def test_what_is_no_number_is_refused_in_words(capsys: Captured, words: tuple[str, ...], said: str) -> None:
    assert refused(capsys, *words) == said


def test_one_deal_is_one(capsys: Captured) -> None:
    assert ": 2 games of mandala on 1 deal, seats" in printed(capsys, "arena", "mandala", "random", "random", "--games", "2")
    assert ": 4 games of mandala on 2 deals, seats" in printed(capsys, "arena", "mandala", "random", "random", "--games", "4")


def test_there_is_one_way_to_refuse() -> None:
    makers = [path.name for path in (ROOT / "src/sandriver/cli").glob("*.py") if re.search(r"def _?refuse\(", path.read_text())]
    assert makers == ["refusals.py"]
