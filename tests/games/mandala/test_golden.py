"""Golden playthroughs: made again in memory, compared line by line with the files in ``tests/data/golden``."""

from __future__ import annotations

import difflib
import json

import pytest
from tests.oracles import mandala as oracle
from tests.oracles.mandala_text import position_text, read_position

from make_golden import FOLDER, PLAYS, Play, playthrough
from sandriver.games.mandala import MANDALA

MINE = [play for play in PLAYS if play.game == "mandala"]
FILES = [pytest.param(play, id=play.name) for play in MINE]


def difference(old: str, new: str, limit: int = 60) -> str:
    """The first lines that differ, under the heading of the ply they belong to."""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "golden file", "rules as they are", lineterm="", n=2))
    more = (
        [f"... and {len(lines) - limit} lines more; renew with tools/make_golden.py if the change is meant"] if len(lines) > limit else []
    )
    return "\n".join(lines[:limit] + more)


@pytest.mark.parametrize("play", FILES)
def test_playthrough_is_unchanged(play: Play) -> None:
    old, new = play.path.read_text(encoding="utf-8"), playthrough(play)
    if old != new:
        pytest.fail(f"{play.path.name} differs:\n{difference(old, new)}", pytrace=False)


def test_no_playthrough_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("mandala-*.txt")} == {play.path.name for play in MINE}


def test_playthroughs_show_every_ending_and_event() -> None:
    lines = [line for play in MINE for line in play.path.read_text(encoding="utf-8").splitlines()]
    endings = {json.loads(line.removeprefix("outcome "))["reason"] for line in lines if line.startswith("outcome ")}
    assert endings == {"sixth_colour", "last_mandala", "stall"}
    events = {json.loads(line.removeprefix("event "))["type"] for line in lines if line.startswith("event ")}
    assert events == {kind.__struct_config__.tag for kind in MANDALA.event_types}
    assert any(line.startswith("choice ") for line in lines)


@pytest.mark.parametrize("play", FILES)
def test_oracle_agrees_with_the_file(play: Play) -> None:
    """The golden files hold what the rules text says, not only what the kernel says today."""
    lines = play.path.read_text(encoding="utf-8").splitlines()
    options = json.loads(next(line for line in lines if line.startswith("options ")).removeprefix("options "))
    position = None
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "position":
            assert position is None or position_text(position) == rest
            position = read_position(rest)
        elif word == "scores":
            assert position is not None
            assert rest == " ".join(map(str, oracle.scores(position)))
        elif word == "legal":
            assert position is not None
            legal = oracle.legal(position)
            assert rest == f"{len(legal)} {' '.join(legal)}".rstrip()
        elif word == "move":
            assert position is not None
            position = oracle.play_text(position, rest, options)


def test_difference_is_readable() -> None:
    old = playthrough(MINE[0])
    changed = old.replace("scores 0 0", "scores 0 1", 1)
    shown = difference(old, changed)
    assert "-scores 0 0" in shown
    assert "+scores 0 1" in shown
    assert "position " in shown
    assert len(shown.splitlines()) < 12
