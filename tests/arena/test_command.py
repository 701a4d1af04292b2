"""``sandriver arena``: what it prints, and that whatever does not fit is one line and status 2."""

from __future__ import annotations

import argparse
import json

import pytest

from sandriver.cli import arena


def call(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="sandriver arena")
    arena.add_arguments(parser)
    return arena.run(parser.parse_args(words))


def test_a_match_is_summed_up_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("mandala", "apprentice", "random", "--games", "4") == 0
    printed = capsys.readouterr()
    assert "apprentice against random: 4 games of mandala on 2 deals" in printed.out
    assert "95 % interval" in printed.out
    assert printed.err == ""


def test_json_carries_the_same_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("mandala", "random", "random", "--games", "6", "--seed", "7", "--option", "stall_limit=1", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["games"], result["rate"], result["reasons"]) == (6, 0.5, {"stall": 6})


@pytest.mark.parametrize(
    "words",
    [
        ("chess", "random", "random"),
        ("mandala", "nobody", "random"),
        ("mandala", "random", "no\nbody"),
        ("mandala", "random", "random", "--games", "3"),
        ("mandala", "random", "random", "--games", "0"),
        ("mandala", "random", "random", "--processes", "-1"),
        ("mandala", "random", "random", "--option", "stall_limit"),
        ("mandala", "random", "random", "--option", "stall_limit=-1"),
        ("mandala", "random", "random", "--option", "nonsense=1"),
        ("mandala", "random", "random", "--option", "exhaustion=never"),
    ],
)
def test_what_does_not_fit_is_one_line_and_status_two(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("sandriver arena: ")
