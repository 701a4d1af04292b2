"""``sandriver arena``: what it prints, and that whatever does not fit is one line and status 2."""

from __future__ import annotations

import argparse
import json

import pytest

from sandriver.arena import match
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


def test_more_seats_are_told_as_a_share_of_the_wins(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("stones", "apprentice", "random", "--games", "6", "--seats", "3") == 0
    printed = capsys.readouterr().out
    assert "apprentice against 2 x random: 6 games of stones with 3 seats on 2 deals" in printed
    assert "share of the wins" in printed
    assert "among equals: 33.3%" in printed


def test_the_number_of_games_is_whole_deals_by_itself(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "GAMES", 7)
    assert call("stones", "random", "random", "--seats", "3", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["games"], result["seats"]) == (6, 3)


def test_a_number_of_games_that_does_not_fit_is_refused_with_the_nearest_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("stones", "apprentice", "random", "--games", "1000", "--seats", "3") == 2
    assert "(999 or 1002)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("chess", "random", "random"),
        ("mandala", "nobody", "random"),
        ("mandala", "random", "no\nbody"),
        ("mandala", "random", "random", "--games", "3"),
        ("mandala", "random", "random", "--games", "0"),
        ("mandala", "random", "random", "--seats", "3"),
        ("stones", "random", "random", "--seats", "5"),
        ("stones", "random", "random", "--seats", "4", "--games", "2"),
        ("stones", "random", "random", "--option", "tiebreak=none"),
        ("mandala", "random", "random", "--processes", "-1"),
        ("mandala", "random", "random", "--option", "stall_limit"),
        ("mandala", "random", "random", "--option", "stall_limit=-1"),
        ("mandala", "random", "random", "--option", "nonsense=1"),
        ("mandala", "random", "random", "--option", "exhaustion=never"),
        ("stones", "random", "random", "--option", "ruleset=" + "[" * 100_000),
        ("stones", "random", "random", "--option", "ruleset=" + '{"\\ud800":1}'),
        ("stones", "random", "random", "--games", "1" + "0" * 30, "--processes", "2"),
        ("stones", "random", "random", "--games", "9" * 4300, "--seats", "3"),
        ("stones", "random", "random", "--games", "-" + "9" * 4300, "--seats", "3"),
        ("stones", "random", "random", "--seats", "9" * 4300),
        ("stones", "random", "random", "--seed", "9" * 4300),
        ("stones", "random", "random", "--seed", "-" + "9" * 4300),
        ("stones", "random", "random", "--processes", "9" * 4300),
    ],
)
def test_what_does_not_fit_is_one_line_and_status_two(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("sandriver arena: ")


def test_a_game_without_an_end_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LONGEST_GAME", 3)
    assert call("mandala", "random", "random", "--games", "2") == 2
    assert capsys.readouterr().err == "sandriver arena: game 0 has not ended after 3 actions\n"
