"""Perft: the numbers of lines of play in ``tests/data/perft``, counted by the rules and, independently, by the oracle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.games.stones.support import DATA
from tests.oracles import stones as oracle
from tests.oracles import stones_text as text

from perft import count, perft
from sandriver.games.stones import STONES

CASES = json.loads((DATA / "perft" / "stones.json").read_text(encoding="utf-8"))["cases"]
every_case = pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
FEW = 1500
"""Lines up to which the slow oracle counts too."""


@every_case
def test_rules_count(case: dict[str, Any]) -> None:
    assert len(case["counts"]) == case["depth"]
    assert count(STONES, case["position"], case["options"], "first", case["depth"]) == case["counts"]


@every_case
def test_oracle_counts(case: dict[str, Any]) -> None:
    """With its own rules; only the adding up is shared."""
    rules = oracle.ruleset(case["options"])
    wanted = [row for row in case["counts"] if row["lines"] <= FEW]

    def follow(position: oracle.Position) -> Iterator[oracle.Position]:
        return (oracle.play(position, action, rules) for action in oracle.legal(position, rules))

    start = text.read_position(case["position"])
    assert perft(start, len(wanted), follow, text.position_text, lambda position: position["turn"] is None) == wanted


def test_cases_cover_seats_rulesets_and_the_end() -> None:
    assert {len(case["position"].split(" ")[4].split("/")) for case in CASES} == {2, 3, 4}
    assert {name for case in CASES for name in case["options"]} == {
        "ruleset", "reveal_covered_patterns", "count_empty_as_height", "tiebreak",
    }  # fmt: skip
    assert sum(row["lines"] for case in CASES for row in case["counts"]) > 25_000
    assert sum(row["over"] for case in CASES for row in case["counts"]) > 200
