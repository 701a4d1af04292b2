"""The page of lessons: how its figures are counted, and that what it says is what was counted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lessons import FOLDER, estimate, leads, sums, won
from lessons_games import completing, play_mandala, play_stones, relation, standing
from sandriver.games.mandala import Position

FIGURES: dict[str, Any] = json.loads((FOLDER / "lessons.json").read_text())
PAGE = (FOLDER.parent / "lessons.md").read_text()


def test_a_share_of_games_has_the_interval_of_agresti_and_coull() -> None:
    found = estimate([(1, 1)] * 52 + [(0, 1)] * 48)
    assert found["value"] == 0.52
    assert (found["cases"], found["games"]) == (100, 100)
    assert found["low"] == pytest.approx(0.4229, abs=1e-3)  # (54 ± 1.96 √(104 · 54/104 · 50/104)) / 104
    assert found["high"] == pytest.approx(0.6155, abs=1e-3)


def test_what_always_happened_is_not_certain() -> None:
    found = estimate([(1, 1)] * 10)
    assert found["value"] == found["high"] == 1
    assert 0.6 < found["low"] < 0.8


def test_cases_of_one_game_count_as_one() -> None:
    alone = estimate([(1, 1)] * 30 + [(0, 1)] * 30)
    together = sums([[(1, 1)] * 10] * 3 + [[(0, 1)] * 10] * 3)
    assert together["value"] == alone["value"] == 0.5
    assert together["high"] - together["low"] > 2 * (alone["high"] - alone["low"])
    assert together["games"] == 6


def test_nothing_was_seen() -> None:
    found = estimate([(0, 0)])
    assert found["cases"] == 0
    assert found["value"] != found["value"]


def test_a_lead_counts_for_whoever_has_it_while_the_game_goes_on() -> None:
    games = [{"winners": [1], "course": [0, -5, 2]}, {"winners": [0, 1], "course": [0, 6, 1]}, {"winners": [0], "course": [0, 6]}]
    assert won(games[1], 0) == 0.5
    found = leads(games, "mandala", lambda game: game["course"])["2"]["4-7"]
    assert (found["value"], found["cases"]) == (0.75, 2)


def test_what_completes_a_mandala() -> None:
    position = Position.parse("K1G2/P1/Y1O1 K2/-/- G1P2R2/K3G1 -/- K1G1+-/P1Y1+- K11G13P14Y16O17R16 - A 0/0")
    assert [str(action) for action in completing(position)] == ["b1R", "f1R1", "f1R2"]
    assert [standing(position, action, 0) for action in completing(position)] == ["fewer", "equal", "more"]
    assert [relation(0, 0), relation(2, 2)] == ["none", "equal"]
    two_short = Position.parse("K1G2/P1/Y2 K2/-/- G1P2R2/K3G1 -/- K1G1+-/P1Y1+- K11G13P14Y15O18R16 - A 0/0")
    assert completing(two_short) == []


def test_a_game_of_mandala_is_noted() -> None:
    game = play_mandala(4, 5)
    assert game == play_mandala(4, 5)
    assert game["scores"] == [sum(n * cards for n, cards in enumerate(place, start=1)) for place in game["cards"]]
    assert sum(game["did"].values()) == game["turns"]
    assert sum(took for _, took in game["could"]) == len(game["completed"])
    assert all(0 <= value <= 1 for value in game["openings"].values())
    assert game["chosen"] in game["openings"]
    assert game["completed"][-1]["lead"] == game["scores"][0] - game["scores"][1]


def test_a_game_of_stones_is_noted() -> None:
    game = play_stones(1, 8)
    assert [points for _, points in game["scored"]] == game["track"]
    assert len(game["leads"]) == game["rounds"]
    assert all(score >= track for score, track in zip(game["scores"], game["track"], strict=True))


def estimates(found: Any) -> list[dict[str, Any]]:
    """Every estimate in the figures, however deep."""
    inside = list(found.values()) if isinstance(found, dict) else found if isinstance(found, list) else []
    if "low" in (found if isinstance(found, dict) else {}):
        return [found]
    return [each for item in inside for each in estimates(item)]


def test_the_page_says_what_was_counted() -> None:
    """Every number with its interval on the page is one of the figures, rounded."""
    counted = set()
    for found in estimates(FIGURES):
        if found["value"] is None:
            continue
        for times, places in ((100, 0), (100, 1), (1, 0), (1, 1), (1, 2)):
            value, low, high = (f"{times * found[key]:+.{places}f}".lstrip("+") for key in ("value", "low", "high"))
            counted.add((value, low, high))
    said = re.findall(r"([-−]?\d+(?:\.\d+)?)(?: %| points| turns| mandalas)? \(([-−]?\d+(?:\.\d+)?) to ([-−]?\d+(?:\.\d+)?)\)", PAGE)
    assert len(said) > 25
    assert [numbers for numbers in said if tuple(number.replace("−", "-") for number in numbers) not in counted] == []
    for name in ("mandala", "stones"):
        assert f"{FIGURES[name]['games']} games" in PAGE


@pytest.mark.parametrize("chart", sorted(path.name for path in FOLDER.glob("*.svg")))
def test_charts_are_small_and_bring_all_they_need(chart: str) -> None:
    text = (FOLDER / chart).read_text()
    assert f"](lessons/{chart})" in PAGE
    assert len(text) < 60_000
    assert "prefers-color-scheme:dark" in text
    assert re.findall(r"(?:href|src)=\"(?!#)|@import|@font-face|url\((?!#)", text) == []
    assert re.findall(r"#0[0-9]0[0-9]0[0-9]", text) == []


def test_the_charts_are_all_there() -> None:
    assert len(list(Path(FOLDER).glob("*.svg"))) == 6
