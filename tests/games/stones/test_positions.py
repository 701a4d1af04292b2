"""Positions that cannot be: lines spoiled in one place are refused, and the refusal names the field at fault.

What is wrong with a spoiled line is judged by the oracle, from the rules text. Where several fields can rightly be blamed (the end space is
covered, and the flags deny it) any of them will do; a line with nothing wrong must be accepted and written back letter by letter. What the
rules text leaves open (``open_question``) may go either way, but never by a crash.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.games.stones.support import load
from tests.oracles import stones_games as games
from tests.oracles.stones import DEFAULT, Rules
from tests.oracles.stones_text import FIELDS, faults, hidden, open_question, read_position

from sandriver.games.errors import GameError, NotationError, PositionError
from sandriver.games.stones import STONES

CASES = {case["id"].removeprefix("stones-"): case["position"] for case in load("stones_cases.jsonl")}
GAMES = [game["positions"] for game in load("stones_games.jsonl")]
OPEN, FEW, OVER = GAMES[0][0], CASES["legal-all-kinds"], GAMES[2][-1]
LAST = CASES["objective-spire"]
COVERED = hidden(read_position(GAMES[2][25]))
Source = tuple[str, Rules]
GENTLE = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def refusal(line: str, rules: Rules) -> str | None:
    """The field that the rules blame, or ``None`` when they accept the line (and then write it back as it was)."""
    try:
        position = STONES.parse_position(line, STONES.parse_options({"ruleset": rules}))
    except (NotationError, PositionError) as error:
        refused: GameError = error
    else:
        assert STONES.format_position(position) == line
        assert position.status() == []
        return None
    field = str(refused.params["field"])
    assert field in {*FIELDS, "POSITION", "STONES"}
    assert field in str(refused)
    assert "\n" not in str(refused)
    assert not isinstance(refused, PositionError) or refused.field == field
    return field


def judge(line: str, rules: Rules) -> str:
    """Hold the rules' verdict against the oracle's; return what was at fault."""
    wrong = {field for field, _ in faults(line, rules)}
    blamed = refusal(line, rules)
    if wrong:
        # what is open to question may be blamed before what is wrong for certain
        assert blamed in wrong or (blamed is not None and open_question(line, rules)), f"{line}: {blamed} blamed, but {faults(line, rules)}"
    elif blamed is not None:
        assert open_question(line, rules), f"{line}: {blamed} blamed, but nothing is wrong"
    return blamed or ""


@st.composite
def lines(draw: st.DrawFn) -> Source:
    """A position that occurs in a game, with the game's ruleset; of every third one covered patterns are hidden."""
    rules, moments = games.lines(draw(st.integers(0, 11)), draw(st.integers(2, 4)))
    line = moments[min(draw(st.integers(0, 90)), len(moments) - 1)]
    return (hidden(read_position(line)) if draw(st.integers(0, 2)) == 0 else line), rules


@given(source=lines())
@settings(GENTLE, max_examples=60)
def test_what_occurs_is_accepted(source: Source) -> None:
    line, rules = source
    assert faults(line, rules) == []
    assert refusal(line, rules) is None


@given(
    source=lines(),
    place=st.integers(0, 10_000),
    text=st.sampled_from(["", *"YRBPyrbpAx012345789/-+*?, ()", "(y)", "A5", "1/", "-/-", "é", "\n", "\t", "-,"]),
    width=st.integers(0, 2),
)
@settings(GENTLE, max_examples=150)
@example(source=(OPEN, DEFAULT), place=0, text="", width=2)
@example(source=(OPEN, DEFAULT), place=len(OPEN), text="\n", width=0)
@example(source=(OPEN, DEFAULT), place=len(OPEN), text=" ", width=0)
def test_a_slip_of_the_pen(source: Source, place: int, text: str, width: int) -> None:
    line, rules = source
    place %= len(line) + 1
    judge(line[:place] + text + line[place + width :], rules)


PARTS = re.compile(r"[^ /+,]+")


@given(source=lines(), one=st.integers(0, 60), other=st.integers(0, 60))
@settings(GENTLE)
def test_two_parts_exchanged(source: Source, one: int, other: int) -> None:
    """All stones are there, but not where they can be."""
    line, rules = source
    spans = [found.span() for found in PARTS.finditer(line)]
    (a, b), (c, d) = sorted((spans[one % len(spans)], spans[other % len(spans)]))
    judge(line if (a, b) == (c, d) else line[:a] + line[c:d] + line[b:c] + line[a:b] + line[d:], rules)


@given(source=lines(), origin=st.integers(0, 60), target=st.integers(0, 60), count=st.integers(1, 9))
@settings(GENTLE)
def test_stones_carried_to_a_wrong_place(source: Source, origin: int, target: int, count: int) -> None:
    """Some stones from the end of one pile to the end of another, the mandala among them."""
    line, rules = source
    pieces = re.split(r"([ /+,])", line)
    piles = [i for i, piece in enumerate(pieces) if re.fullmatch(r"-|([YRBPyrbp]|\([yrbp]\))+", piece)][:-1]
    a, b = piles[origin % len(piles)], piles[target % len(piles)]
    stones = re.findall(r"[YRBPyrbp]|\([yrbp]\)", pieces[a])
    if a == b or not stones:
        return
    pieces[b] = pieces[b].strip("-") + "".join(stones[-count:])
    pieces[a] = "".join(stones[:-count]) or "-"
    judge("".join(pieces), rules)


@given(
    source=lines(),
    turn=st.sampled_from("1234-"),
    trigger=st.sampled_from("0AB"),
    number=st.integers(1, 40),
    first=st.integers(1, 4),
)
@settings(GENTLE)
def test_another_turn_or_other_flags(source: Source, turn: str, trigger: str, number: int, first: int) -> None:
    line, rules = source
    judge(" ".join([*line.split(" ")[:6], turn, f"{trigger}/{number}/{first}"]), rules)


@given(source=lines(), cards=st.lists(st.sampled_from([card["id"] for card in DEFAULT["objectives"]["cards"]]), min_size=8, max_size=8))
@settings(GENTLE, max_examples=40)
def test_other_objectives(source: Source, cards: list[str]) -> None:
    """Any cards, some of them twice; the last player's are hidden."""
    parts = source[0].split(" ")
    seats = len(parts[4].split("/"))
    parts[5] = "/".join([*(f"{cards[2 * seat]}+{cards[2 * seat + 1]}" for seat in range(seats - 1)), "?"])
    judge(" ".join(parts), source[1])


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("POSITION", ""),
        ("POSITION", OPEN.replace(" ", "  ", 1)),
        ("POSITION", OPEN + " "),
        ("POSITION", " " + OPEN),
        ("STACKS", "-," + OPEN),
        ("STACKS", OPEN.replace(",", ",,", 1)),
        ("STACKS", COVERED.replace("(", "(x", 1)),
        ("STACKS", re.sub(r"\)([YRBPyrbp]),", lambda found: f")({found[1].lower()}),", COVERED, count=1)),
        ("ARTISTS", OPEN.replace("A4+A8", "A4+A4")),
        ("ARTISTS", OPEN.replace("A4+A8", "A8+A4")),
        ("ARTISTS", OPEN.replace("A4+A8", "A2+A8")),
        ("ARTISTS", OPEN.replace("A2+A6/A4+A8", "A2/A4+A6+A8")),
        ("BOARDS", OPEN.replace("-,-,-,-,-/", "-,-,-,-/", 1)),
        ("MANDALA", OPEN.replace(" - ", " -- ")),
        ("SCORES", OPEN.replace("0/0", "0/0/0")),
        ("SCORES", OPEN.replace("0/0", "00/0")),
        ("OBJECTIVES", OPEN.replace("open_space", "keep_red")),
        ("OBJECTIVES", OPEN.replace("open_space", "open space").replace("open space", "openspace")),
        ("OBJECTIVES", OPEN.replace("open_space+keep_red", "open_space")),
        ("TURN", re.sub(r" 2 0/1/2$", " 3 0/1/2", OPEN)),
        ("FLAGS", re.sub(r"0/1/2$", "0/1/3", OPEN)),
        ("FLAGS", re.sub(r"0/1/2$", "0/0/2", OPEN)),
        ("FLAGS", re.sub(r"0/1/2$", "A/1/1", OPEN)),
        ("FLAGS", re.sub(r" A/(\d+)/2$", r" 0/\1/2", LAST)),
        ("FLAGS", re.sub(r" A/(\d+)/2$", r" A/\1/1", LAST)),
        ("STONES", OPEN.replace("P", "p", 1)),
        ("STONES", OPEN.replace("Y", "R", 1)),
        ("STONES", COVERED.replace("(y)", "(r)", 1)),
    ],
)
def test_field_at_fault_is_named(field: str, line: str) -> None:
    """Where the text leaves no choice of the field to blame; the oracle thinks so too."""
    assert field in {found for found, _ in faults(line)}
    assert refusal(line, DEFAULT) == field


@pytest.mark.parametrize("line", [FEW, OVER, COVERED], ids=["few", "over", "covered"])
def test_every_single_letter_spoiled(line: str) -> None:
    """Each character removed, doubled, and replaced by others: never a crash, never a wrong field."""
    blamed: Counter[str] = Counter()
    for place in range(len(line)):
        for text in ("", line[place] * 2, "Yr?0-/, A("[place % 10], "0A-/"[place % 4]):
            blamed[judge(line[:place] + text + line[place + 1 :], DEFAULT)] += 1
    assert {"POSITION", "STONES", "STACKS", "ARTISTS", "BOARDS", "OBJECTIVES", "TURN", "FLAGS"} <= set(blamed)
