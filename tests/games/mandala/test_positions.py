"""Positions that cannot be: lines spoiled in one place are refused, and the refusal names the field at fault.

What is wrong with a spoiled line is judged by the oracle, from the rules text. Where several fields can rightly be blamed (a
colour too many here is a colour too few there) any of them will do; a line with nothing wrong must be accepted and written back
letter by letter. What the rules text leaves open (``open_question``) may go either way, but never by a crash.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.oracles import mandala_games as games
from tests.oracles.mandala_text import FIELDS, faults, open_question

from sandriver.games.errors import GameError, NotationError, PositionError
from sandriver.games.mandala import MANDALA

OPEN = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
MIDDLE = "K2R1/P2/Y1 G1O1/K1/R2 P3Y3/O3R3 GP/O K1G1+P2/P1Y1+O1 K14G12P9Y13O12R11 G3R1 A 0/2"
CLAIM = "G2R1/P2Y1O1/- G2/-/- P3Y3/O3R3 K/- K1G1+K2/P1Y1+- K14G13P12Y13O14R14 - B*1A 0/0"
OVER = "-/-/- G2/-/- P3Y3/O3R3 G/KR K1G1+G1/P1Y1+K2 K14G13P12Y13O14R14 P2Y1O1 - 1/0"

DRY = "K5G8P7/O6R4/- K10G7P8O7R7/-/- G2P3/G1 YROK/- Y2+K2Y14O3R6/Y1O1+- - - A 1/0"
"""Neither deck nor pile."""
SIX = "K1G2R1/P2Y1O1/- G2/-/- P3Y3/O3R3 K/- K1G1+K2/P1Y1+- K13G13P12Y13O14R14 - B 0/0"
"""All six colours, and nobody claims."""


def refusal(line: str, options: dict[str, Any]) -> str | None:
    """The field that the rules blame, or ``None`` when they accept the line (and then write it back as it was)."""
    parsed = MANDALA.parse_options(options)
    try:
        position = MANDALA.parse_position(line, parsed)
    except (NotationError, PositionError) as error:
        refused: GameError = error
    else:
        assert MANDALA.format_position(position) == line
        assert position.status() == []
        return None
    field = str(refused.params["field"])
    assert field in {*FIELDS, "POSITION", "CARDS"}
    assert field in str(refused)
    assert "\n" not in str(refused)
    assert not isinstance(refused, PositionError) or refused.field == field
    return field


def judge(line: str, options: dict[str, Any]) -> str:
    """Hold the rules' verdict against the oracle's; return what was at fault."""
    wrong = {field for field, _ in faults(line, options)}
    blamed = refusal(line, options)
    if wrong:
        # what is open to question may be blamed before what is wrong for certain
        if blamed not in wrong:
            assert blamed is not None, f"{line} {options}: accepted, but {faults(line, options)}"
            assert open_question(line, options), f"{line} {options}: {blamed} blamed, but {faults(line, options)}"
    elif blamed is not None:
        assert open_question(line, options), f"{line} {options}: {blamed} blamed, but nothing is wrong"
    return blamed or ""


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A position that occurs in a game, with the game's options."""
    options, moments = games.lines(draw(st.integers(0, 300)))
    return moments[min(draw(st.integers(0, 140)), len(moments) - 1)], options


def test_what_is_open_may_be_blamed_before_what_is_wrong() -> None:
    """Too many cards, and over without a cleared mandala: both are faults, the first of them in the order of the fields is told."""
    line = "K1/-/- K2/Y3/P1 K1P3Y1O1R1/P2Y1 ORKP/YPKGOR G1O1+R4/K1G1+K3G1P1 K8G14P7Y11O12R11 K1P2Y1O2 - 1/0"
    assert judge(line, {"exhaustion": "eager", "stall_limit": 20}) == "TURN"


@given(source=lines())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_occurs_is_accepted(source: tuple[str, dict[str, Any]]) -> None:
    line, options = source
    assert faults(line, options) == []
    assert refusal(line, options) is None


@given(
    source=lines(),
    place=st.integers(0, 10_000),
    text=st.sampled_from(["", *"KGPYORABCkx0123456789/-+*?. ", "K1", "G18", "?3", "1/", "-/-", "é", "\n", "\t", "A*1B"]),
    width=st.integers(0, 2),
)
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@example(source=(OPEN, {}), place=0, text="", width=2)
@example(source=(OPEN, {}), place=len(OPEN), text="\n", width=0)
@example(source=(OPEN, {}), place=len(OPEN), text=" ", width=0)
def test_a_slip_of_the_pen(source: tuple[str, dict[str, Any]], place: int, text: str, width: int) -> None:
    line, raw = source
    options = {"exhaustion": "eager", "stall_limit": 20} | raw
    place %= len(line) + 1
    judge(line[:place] + text + line[place + width :], options)


PARTS = re.compile(r"[^ /+]+")


@given(source=lines(), one=st.integers(0, 20), other=st.integers(0, 20))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_two_parts_exchanged(source: tuple[str, dict[str, Any]], one: int, other: int) -> None:
    """All cards are there, but not where they can be."""
    line, options = source
    spans = [found.span() for found in PARTS.finditer(line)]
    (a, b), (c, d) = sorted((spans[one % len(spans)], spans[other % len(spans)]))
    judge(line if (a, b) == (c, d) else line[:a] + line[c:d] + line[b:c] + line[a:b] + line[d:], options)


@given(source=lines(), origin=st.integers(0, 14), target=st.integers(0, 14), which=st.integers(0, 107), count=st.integers(1, 9))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_cards_carried_to_a_wrong_place(source: tuple[str, dict[str, Any]], origin: int, target: int, which: int, count: int) -> None:
    """Some cards of one colour from one count string to another."""
    line, options = source
    pieces = re.split(r"([ /+])", line)
    sets = [i for i, piece in enumerate(pieces) if re.fullmatch(r"-|([KGPYOR][0-9]+)+", piece)]
    a, b = sets[origin % len(sets)], sets[target % len(sets)]
    counts = [Counter({c: int(n) for c, n in re.findall(r"([KGPYOR])([0-9]+)", pieces[i])}) for i in (a, b)]
    if a == b or not counts[0]:
        return
    colour = sorted(counts[0])[which % len(counts[0])]
    count = min(count, counts[0][colour])
    counts[0][colour] -= count
    counts[1][colour] += count
    for i, cards in zip((a, b), counts, strict=True):
        pieces[i] = "".join(f"{c}{cards[c]}" for c in "KGPYOR" if cards[c]) or "-"
    judge("".join(pieces), options)


@given(
    source=lines(),
    turn=st.sampled_from(["A", "B", "-", *(f"{a}*{m}{b}" for a in "AB" for m in "12" for b in "AB")]),
    last=st.sampled_from("01"),
    redraws=st.integers(0, 30),
)
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_another_turn_or_other_flags(source: tuple[str, dict[str, Any]], turn: str, last: str, redraws: int) -> None:
    line, options = source
    judge(" ".join([*line.split(" ")[:7], turn, f"{last}/{redraws}"]), options)


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("POSITION", ""),
        ("POSITION", OPEN.replace(" ", "  ", 1)),
        ("POSITION", OPEN + " "),
        ("POSITION", " " + OPEN),
        ("M1", OPEN.replace("K2/-/-", "K2/-")),
        ("M1", OPEN.replace("K2/-/-", "?2/-/-")),
        ("M1", OPEN.replace("K2/-/-", "K02/-/-")),
        ("M1", OPEN.replace("K2/-/-", "K0/-/-")),
        ("M1", OPEN.replace("K2/-/-", "/-/-")),
        ("M1", MIDDLE.replace("K2R1/", "R1K2/")),
        ("M1", MIDDLE.replace("K2R1/", "K1K1R1/")),
        ("M1", SIX),
        ("M2", OPEN.replace("G2/-/-", "G2/-/-/-")),
        ("M2", OPEN.replace("G2/-/-", "G1/-/G1")),
        ("HANDS", OPEN.replace("P3Y3/O3R3", "P3Y3")),
        ("HANDS", OPEN.replace("P3Y3/", "-/").replace("P14Y14", "P17Y17")),
        ("RIVERS", OPEN.replace(" -/- ", " -/Q ")),
        ("RIVERS", OPEN.replace(" -/- ", " K1/- ")),
        ("RIVERS", OPEN.replace(" -/- ", " /- ")),
        ("RIVERS", OPEN.replace(" -/- ", " KGPYOR/- ").replace("K15G15P14Y14O15R15", "K14G14P13Y13O14R14")),
        ("CUPS", OPEN.replace("K1G1+-", "K1+-").replace("G15", "G16")),
        ("CUPS", OPEN.replace("K1G1+-", "K1G1+Y1").replace("Y14", "Y13")),
        ("CUPS", OPEN.replace("K1G1+-", "K1G1+-+-")),
        ("DECK", OPEN.replace("K15G15P14Y14O15R15", "x")),
        ("DECK", OPEN.replace("K15G15P14Y14O15R15", "?088")),
        ("DISCARD", OPEN.replace(" - A", " ?3 A")),
        ("TURN", OPEN.replace(" A ", " A*1 ")),
        ("TURN", OPEN.replace(" A ", " a ")),
        ("TURN", CLAIM.replace("B*1A", "A*1A")),
        ("FLAGS", OPEN.replace("0/0", "2/0")),
        ("FLAGS", OPEN.replace("0/0", "0/00")),
        ("FLAGS", OPEN.replace("0/0", "0/-1")),
        ("FLAGS", OPEN.replace("0/0", "0")),
        ("FLAGS", OPEN.replace("0/0", "0/20")),
        ("FLAGS", DRY.replace("1/0", "0/0")),
        ("CARDS", OPEN.replace("R15", "R14")),
        ("CARDS", OPEN.replace("R15", "R16")),
        ("CARDS", OPEN.replace("O15R15", "O16R14")),
        ("CARDS", OPEN.replace("K15G15P14Y14O15R15", "?87")),
        ("CARDS", OPEN.replace("K15G15P14Y14O15R15", "K19")),
    ],
)
def test_field_at_fault_is_named(field: str, line: str) -> None:
    """Where the text leaves no choice of the field to blame; the oracle thinks so too."""
    assert field in {found for found, _ in faults(line)}
    assert refusal(line, {}) == field


@pytest.mark.parametrize("line", [OPEN, MIDDLE, CLAIM, OVER], ids=["start", "middle", "claim", "over"])
def test_every_single_letter_spoiled(line: str) -> None:
    """Each character removed, doubled, and replaced by each of a few: never a crash, never a wrong field."""
    options = {"exhaustion": "eager", "stall_limit": 20}
    blamed: Counter[str] = Counter()
    for place in range(len(line)):
        for text in ("", line[place] * 2, *"K?0-/ 9B"):
            blamed[judge(line[:place] + text + line[place + 1 :], options)] += 1
    assert {"POSITION", "CARDS", "M1", "HANDS", "CUPS", "TURN", "FLAGS"} <= set(blamed)
