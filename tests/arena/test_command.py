"""``sandriver arena``: what it prints, and that whatever does not fit is one line and status 2."""

from __future__ import annotations

import argparse
import importlib
import io
import json
import re
import sys
from pathlib import Path

import pytest
from tests.arena.results import played

from sandriver.arena import play, progress, report
from sandriver.arena.series import Series
from sandriver.cli import arena

__all__ = ["played"]

Captured = pytest.CaptureFixture[str]


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
        ("mandala", "random", "random", "--sprt", "10", "0"),
        ("mandala", "random", "random", "--sprt", "nan", "0"),
        ("mandala", "random", "random", "--sprt", "0", "inf"),
        ("mandala", "random", "random", "--sprt", "0", "5", "--alpha", "0.5"),
        ("mandala", "random", "apprentice", "ismcts:1", "--sprt", "0", "5"),
        ("mandala", "random", "apprentice", "random"),
        ("mandala", "random", "apprentice", "nobody"),
        ("mandala", "random", "apprentice", "ismcts"),
        ("mandala", *(f"ismcts:{n}" for n in range(1, 80))),
        ("mandala", *(f"ismcts:{n}" for n in range(1, 60)), "--games", "10000"),
        ("mandala", "random", "apprentice", "--anchor", "random"),
        ("mandala", "random", "apprentice", "--anchor", "random=strong"),
        ("mandala", "random", "apprentice", "--anchor", "random=nan"),
        ("mandala", "random", "apprentice", "--anchor", "ismcts:1=0"),
        ("mandala", "random", "apprentice", "--report", "."),
        ("mandala", "random", "apprentice", "--report", "no such folder/page.html"),
        ("mandala", "random", "random", "--report", "page.html"),
        ("mandala", "random", "random", "--keep", "no such folder/deals.jsonl"),
        ("mandala", "random", "random", "--keep", "."),
    ],
)
def test_what_does_not_fit_is_one_line_and_status_two(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("sandriver arena: ")


def test_a_game_without_an_end_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "LONGEST_GAME", 3)
    assert call("mandala", "random", "random", "--games", "2") == 2
    assert capsys.readouterr().err == "sandriver arena: game 0 has not ended after 3 actions\n"


LADDER = ("mandala", "random", "apprentice", "ismcts:1", "--games", "40")


def test_a_ladder_is_a_table_by_rating_and_a_cross_table(capsys: Captured, played: object) -> None:
    assert call(*LADDER) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "mandala, 2 seats: 3 bots, 40 games a pair, 120 in all"
    assert [line.split()[1] for line in lines[2:5]] == ["apprentice", "ismcts:1", "random"]
    assert lines[4].split()[2:4] == ["0", "given"]
    elos = [int(line.split()[2]) for line in lines[2:5]]
    assert elos == sorted(elos, reverse=True)
    assert lines[6] == "share of the victories, row against column"
    assert [line.split()[0] for line in lines[8:11]] == ["apprentice", "ismcts:1", "random"]
    assert [lines[8 + place].split()[1 + place] for place in range(3)] == ["-"] * 3


def test_the_documentation_shows_what_a_ladder_prints(capsys: Captured, played: object) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    command, shown = re.findall(r"\$ sandriver arena (mandala random .*?) --keep .*\n```\n\n```text\n(.*?)```", text, re.DOTALL)[0]
    assert call(*command.split()) == 0

    def shape(printed: str) -> list[str]:
        """The lines with numbers and bots made alike, those of a table in no order."""
        alike = re.sub(r"(apprentice|ismcts:\d+|random)", "bot", printed.rpartition("\n  ")[0])
        alike = re.sub(r"-?\d+(\.\d+)?(?! \()", "0", alike)
        return sorted(re.sub(r" +", " ", line) for line in alike.splitlines())

    cells = [sorted(line.split()) for line in shape(capsys.readouterr().out)]
    assert cells == [sorted(line.split()) for line in shape(shown)]


@pytest.mark.parametrize(("bots", "side"), [(("apprentice", "random"), "above"), (("random", "apprentice"), "below")])
def test_json_says_on_which_side_a_difference_has_no_bound(bots: tuple[str, str], side: str, capsys: Captured) -> None:
    assert call("mandala", *bots, "--games", "4", "--processes", "1", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rate"] == {"above": 1, "below": 0}[side]
    ends = {"above": result["high"], "below": result["low"]}
    assert ends[side] == result["rate"]
    bounded, unbounded = (1, 2) if side == "above" else (2, 1)
    assert (result["elo"][0], result["elo"][unbounded]) == (None, None)
    assert (result["beyond"][0], result["beyond"][unbounded], result["beyond"][bounded]) == (side, side, None)
    assert result["elo"][bounded] * (1 if side == "above" else -1) < 0  # four games say little


def test_a_ladder_as_json(capsys: Captured, played: object) -> None:
    assert call(*LADDER, "--json", "--anchor", "apprentice=1500", "--seed", "9") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["anchor"], result["seats"], result["seed"], len(result["matches"])) == ("apprentice", 2, 9, 3)
    assert result["ratings"][0] | {"ms": 0} == {
        "bot": "apprentice", "version": result["ratings"][0]["version"],
        "elo": 1500, "low": 1500, "high": 1500, "games": 80, "ms": 0, "moves": 1600,
        "rate": result["ratings"][0]["rate"],
    }  # fmt: skip


def test_a_test_ends_the_match_and_is_told(capsys: Captured, played: list[object]) -> None:
    words = ("mandala", "apprentice", "random", "--sprt", "-5", "60")
    assert call(*words) == 0
    out = capsys.readouterr().out
    found = re.search(
        r"sequential test of -5 against 60 Elo: H1 accepted \(60 Elo\)\n  LLR (\S+), bounds -2.94 and 2.94, after (\d+) deals", out
    )
    assert found
    assert float(found[1]) >= 2.94
    assert int(found[2]) == len(played)
    assert call(*words, "--json", "--alpha", "0.01", "--beta", "0.1") == 0
    test = json.loads(capsys.readouterr().out)["sprt"]
    assert (test["elo0"], test["elo1"], test["alpha"], test["beta"], test["accepted"]) == (-5, 60, 0.01, 0.1, "H1")
    assert call(*words, "--games", "4") == 0
    assert "undecided" in capsys.readouterr().out


def test_what_is_kept_is_not_played_again(capsys: Captured, played: list[object], tmp_path: Path) -> None:
    keep = ("--keep", str(tmp_path / "deals.jsonl"))
    assert call("mandala", "random", "apprentice", "--games", "20", *keep) == 0
    one = capsys.readouterr().out
    assert "were there" not in one
    assert call("mandala", "random", "apprentice", "--games", "20", *keep) == 0
    two = capsys.readouterr().out
    assert two.splitlines()[:-1] == one.splitlines()[:-1]
    assert two.endswith(" s, 10 of 10 deals were there\n")
    assert len(played) == 10
    assert call("stones", "random", "apprentice", "--games", "20", *keep) == 2
    assert capsys.readouterr().err == f"sandriver arena: {keep[1]}: its deals have game mandala, not stones\n"


def test_deals_of_another_version_are_mentioned(capsys: Captured, played: list[object], tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    words = ("mandala", "random", "apprentice", "--games", "4", "--keep", str(path))
    assert call(*words) == 0
    path.write_text(re.sub(r'\["apprentice",\d+\]', '["apprentice",0]', path.read_text()))
    assert call(*words) == 0
    assert capsys.readouterr().err == f"sandriver arena: {path} has deals by another version of apprentice; they are left alone\n"
    assert len(played) == 4


@pytest.mark.parametrize("keep", [True, False])
def test_an_interruption_says_how_far_it_came(
    keep: bool, capsys: Captured, played: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(series: Series, processes: object, cluster: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Series, "run", interrupted)
    path = tmp_path / "deals.jsonl"
    assert call("mandala", "random", "apprentice", "--games", "6", *(("--keep", str(path)) if keep else ())) == 130
    then = f"the same command goes on from {path}" if keep else "nothing is kept without --keep"
    assert capsys.readouterr().err == f"sandriver arena: stopped after 0 of 3 deals; {then}\n"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch, played: list[object], tmp_path: Path, capsys: Captured) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    keep = ("--keep", str(tmp_path / "deals.jsonl"))
    assert call("mandala", "apprentice", "random", "--games", "4", *keep) == 0
    assert call("mandala", "apprentice", "random", "--sprt", "0", "30", "--games", "8", *keep) == 0
    shown = screen.getvalue()
    assert re.search(r" 2/4 games \[.*games/s\], 1 deal, \d+\.\d% \(\d+\.\d% to \d+\.\d%\)", shown)
    assert re.search(r" 2/8 games \[.*, LLR [+-]\d\.\d\d \(-2\.94 to 2\.94\)", shown)
    assert shown.endswith("\r")
    assert "apprentice against random: 8 games" in capsys.readouterr().out


def test_a_page_is_written_and_says_how_to_repeat_it(
    capsys: Captured, played: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for plot in ("ratings_plot", "pace_plot"):
        monkeypatch.setattr(report, plot, lambda *_: "<svg></svg>")  # they are drawn in the tests of pages
    path = tmp_path / "page.html"
    words = ("mandala", "random", "apprentice", "--games", "40", "--stall-limit", "7", "--option", "memory_aid=true")
    assert call(*words, "--report", str(path)) == 0
    text = path.read_text()
    assert "sandriver arena mandala random apprentice --games 40 --seed 0 --stall-limit 7 --option memory_aid=true</code>" in text
    assert "stall_limit 7, memory_aid true" in text
    assert "random against apprentice: 40 games" in capsys.readouterr().out


def test_without_the_extra_a_match_is_played_and_a_page_is_refused(
    capsys: Captured, played: list[object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    assert call(*LADDER) == 2
    assert call("mandala", "random", "apprentice", "--report", str(tmp_path / "page.html")) == 2
    said = [
        f"sandriver arena: {what}, which is not installed: pip install 'sandriver[arena]'"
        for what in ("a ladder needs numpy", "a report page needs matplotlib")
    ]
    assert capsys.readouterr().err.splitlines() == said
    assert played == []
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert call("mandala", "random", "apprentice", "--games", "2") == 0
    assert len(played) == 1
