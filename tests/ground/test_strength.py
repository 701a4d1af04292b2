"""The page of strength: its charts show what its tables, the levels and the measured searches say today."""

from __future__ import annotations

import html
import json
import re
from itertools import pairwise
from typing import Any

import pytest

from sandriver.bots.levels import LEVELS
from strength import BUDGETS, FILE, KINDS, pairings
from strength_charts import FOLDER, NAMES, PAGE, steps, words

TEXT = PAGE.read_text(encoding="utf-8")
FIGURES: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_table_of_neighbours_is_read_whole() -> None:
    found = [(game, one, two) for game, one, two, *_ in steps(TEXT)]
    assert found == [(NAMES[game], one, two) for game in LEVELS for two, one in pairwise(level.policy.id for level in LEVELS[game])]
    assert all(low <= middle <= high for *_, middle, low, high in steps(TEXT))


@pytest.mark.parametrize("game", list(KINDS))
def test_every_search_is_bound_to_the_apprentice_by_its_matches(game: str) -> None:
    """Else it would have no rating."""
    pairs, reached = pairings(game), {"apprentice"}
    while more := {bot for pair in pairs if reached & set(pair) for bot in pair} - reached:
        reached |= more
    assert reached == {"apprentice", "newcomer", *(f"{kind}:{n}" for kind in KINDS[game] for n in BUDGETS)}
    assert len(pairs) == len({frozenset(pair) for pair in pairs})


@pytest.mark.parametrize("game", list(KINDS))
def test_the_page_says_what_was_measured_of_searches(game: str) -> None:
    ratings = FIGURES[game]["ratings"]
    section = TEXT.partition("## What iterations are worth")[2].partition("\n## ")[0]
    assert f"{FIGURES[game]['games']} games" in section
    for kind in KINDS[game]:
        told = [ratings[f"{kind}:{n}"] for n in BUDGETS]
        cells = [f"{one['elo']} ({one['low']} to {one['high']}), {one['ms']:.2g} ms".replace("-", "−") for one in told]
        assert f"| `{kind}` | {' | '.join(cells)} |" in section


def test_no_chart_is_out_of_date() -> None:
    """What each says in words of itself is made of the figures that it shows."""
    said = words(FIGURES, TEXT)
    assert {path.name for path in FOLDER.glob("*.svg")} == set(said)
    for name, label in said.items():
        chart = (FOLDER / name).read_text(encoding="utf-8")
        assert f'aria-label="{html.escape(label, quote=True)}"' in chart, f"python tools/strength.py --draw makes {name} anew"
        assert f"](strength/{name})" in TEXT
        assert len(chart) < 60_000
        assert "prefers-color-scheme:dark" in chart
        assert re.findall(r"(?:href|src)=\"(?!#)|@import|@font-face|url\((?!#)", chart) == []
