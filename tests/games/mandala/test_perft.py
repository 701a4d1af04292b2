"""Perft: the numbers of lines of play in ``tests/data/perft``, counted by the rules and, independently, by the oracle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import mandala as oracle
from tests.oracles import mandala_text as text
from tests.oracles.mandala import COLOURS

from perft import count, perft
from sandriver.games.mandala import MANDALA

DATA = json.loads((Path(__file__).parents[2] / "data" / "perft" / "mandala.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=f"{case['name']}, {case['options']['exhaustion']}") for case in DATA["cases"]]
FEW = 2000
"""Lines up to which the slow oracle counts too."""


@pytest.mark.parametrize("case", CASES)
def test_rules_count(case: dict[str, Any]) -> None:
    assert len(case["counts"]) == case["depth"]
    assert count(MANDALA, case["position"], case["options"], case["deal"], case["depth"]) == case["counts"]


@pytest.mark.parametrize("case", CASES)
def test_oracle_counts(case: dict[str, Any]) -> None:
    """With its own rules and its own way of finding the deals; only the adding up is shared."""
    wanted = [row for row in case["counts"] if row["lines"] <= FEW] or case["counts"][:1]
    start = text.read_position(case["position"])
    found = perft(
        start, len(wanted), lambda position: follow(position, case), text.position_text, lambda position: position["turn"] is None
    )
    assert found == wanted


def follow(position: oracle.Position, case: dict[str, Any]) -> Iterator[oracle.Position]:
    """The positions after every legal action and every deal of the case's rule."""
    for action in oracle.legal(position):
        yield from (after for after, _ in deals(position, action, case, ""))


def deals(position: oracle.Position, action: str, case: dict[str, Any], given: str) -> list[tuple[oracle.Position, str]]:
    """Play an action with cards beginning as ``given``; where one more is needed, every card that the dealing rule allows."""
    left = list(given)
    allowed: list[str] = []

    def dealer(deck: list[str]) -> str:
        if left:
            return left.pop(0)
        held = [c for c in COLOURS if c in deck]
        most = max(deck.count(c) for c in held)
        allowed[:] = {
            "first": held[:1],
            "last": held[-1:],
            "most": [c for c in held if deck.count(c) == most][:1],
            "every": held,
        }[case["deal"]]
        raise LookupError

    try:
        return [oracle.play(position, action, case["options"], dealer)]
    except LookupError:
        return [result for card in allowed for result in deals(position, action, case, given + card)]


def test_cases_cover_both_rules_of_exhaustion_and_every_way_of_dealing() -> None:
    assert {case["deal"] for case in DATA["cases"]} == {"first", "last", "most", "every"}
    assert {case["options"]["exhaustion"] for case in DATA["cases"]} == {"eager", "lazy"}
    assert sum(row["lines"] for case in DATA["cases"] for row in case["counts"]) > 60_000
    assert len({(case["position"], case["deal"], case["options"]["exhaustion"]) for case in DATA["cases"]}) == len(DATA["cases"])
