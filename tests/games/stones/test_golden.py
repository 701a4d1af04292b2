"""Golden playthroughs: made again in memory, compared line by line with the files in ``tests/data/golden``."""

from __future__ import annotations

import difflib
import json

import pytest
from tests.oracles import stones as oracle
from tests.oracles.stones_text import hidden, position_text, read_position

from make_golden import FOLDER, PLAYS, Play, playthrough
from sandriver.games.stones import STONES

MINE = [play for play in PLAYS if play.game == "stones"]
every_play = pytest.mark.parametrize("play", [pytest.param(play, id=play.name) for play in MINE])


@every_play
def test_playthrough_is_unchanged(play: Play) -> None:
    old, new = play.path.read_text(encoding="utf-8"), playthrough(play)
    if old != new:
        lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "golden file", "rules as they are", lineterm="", n=2))
        more = f"\n... {len(lines)} lines; renew with tools/make_golden.py if the change is meant"
        pytest.fail(f"{play.path.name} differs:\n" + "\n".join(lines[:60]) + more, pytrace=False)


def test_no_playthrough_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("stones-*.txt")} == {play.path.name for play in MINE}


def test_playthroughs_show_all_seats_every_ending_and_event() -> None:
    lines = [line for play in MINE for line in play.path.read_text(encoding="utf-8").splitlines()]
    endings = {json.loads(line.removeprefix("outcome "))["reason"] for line in lines if line.startswith("outcome ")}
    assert endings == {"end_space", "stuck"}
    events = {json.loads(line.removeprefix("event "))["type"] for line in lines if line.startswith("event ")}
    assert events == {kind.__struct_config__.tag for kind in STONES.event_types}
    assert {play.seats for play in MINE} == {2, 3, 4}
    assert {line.split(" ")[1] for line in lines if line.startswith("choice ")} == {"picks", "spaces", "colours", "tops"}


@every_play
def test_oracle_agrees_with_the_file(play: Play) -> None:
    """The golden files hold what the rules text says, not only what the kernel says today; and views show no more than they may."""
    lines = play.path.read_text(encoding="utf-8").splitlines()
    rules = json.loads(next(line for line in lines if line.startswith("options ")).removeprefix("options "))["ruleset"]
    position = read_position(next(line for line in lines if line.startswith("position ")).removeprefix("position "))
    viewers = 0
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "position":
            assert position_text(position) == rest
        elif word == "scores":
            assert rest == " ".join(map(str, oracle.scores(position, rules)))
        elif word == "legal":
            legal = oracle.legal(position, rules)
            assert rest == f"{len(legal)} {' '.join(legal)}".rstrip()
        elif word == "move":
            position = oracle.play(position, rest, rules)
        elif word == "outcome":
            assert json.loads(rest)["winners"] == oracle.winners(position, rules)
        elif word == "view" and " notation = " in rest:
            seat, _, said = rest.partition(" notation = ")
            cards = [names if position["turn"] is None or seat == str(n) else None for n, names in enumerate(position["objectives"], 1)]
            seen = position | {"objectives": cards}
            assert json.loads(said) == (position_text(seen) if rules["reveal_covered_patterns"] else hidden(seen))
            viewers += 1
    assert viewers == (play.seats + 1) * lines.count("")  # each of them at every ply


def test_another_answer_would_be_seen() -> None:
    new = playthrough(MINE[0])
    assert new.count("\nscores 0 0\n") > 1
    assert new != new.replace("\nscores 0 0\n", "\nscores 0 1\n", 1)
