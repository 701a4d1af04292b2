"""Plays games of a strong search against itself, and makes docs/lessons/ anew of them: `lessons.json` with all figures, and the charts.

Usage: ``python tools/lessons.py [--games 500] [--stones 200] [--keep FILE]``: about eight minutes of one core. ``--keep`` writes every game
to a file as soon as it is over and goes on from what the file has. The same numbers give the same games on every machine.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from lessons_charts import KINDS, PLACES, STANDS, charts
from lessons_games import ROOT, play_mandala, play_stones

FOLDER = ROOT / "docs" / "lessons"
BUDGETS = {"mandala": 1500, "stones": 800}
PLAY: dict[str, Callable[[int, int], dict[str, Any]]] = {"mandala": play_mandala, "stones": play_stones}
LEADS = {"mandala": ((1, 3), (4, 7), (8, 99)), "stones": ((1, 5), (6, 12), (13, 99))}
TIMES = {"mandala": (2, 4, 6), "stones": (8, 12, 16)}
Game = dict[str, Any]


def estimate(pairs: Iterable[tuple[float, float]], *, share: bool = True) -> dict[str, float]:
    """The ratio of two sums, with a 95 % interval. A pair is what one game adds to them: games, not what happens in them, are independent.

    The interval is that of a ratio estimate by linearisation. For a ``share`` two games with one success each and two with none are
    added to the spread and to its middle (Agresti and Coull), so that a few cases that happen to be alike are not taken for certainty.
    """
    real = [pair for pair in pairs if pair[1]]
    count = sum(below for _, below in real)
    value = sum(above for above, _ in real) / count if count else math.nan
    held = real + [(1.0, 1.0), (1.0, 1.0), (0.0, 1.0), (0.0, 1.0)] * share
    total = sum(below for _, below in held)
    middle = sum(above for above, _ in held) / total if total else math.nan
    squares = sum((above - middle * below) ** 2 for above, below in held)
    half = 1.96 * math.sqrt(squares * len(held) / max(1, len(held) - 1)) / total if total else math.nan
    low, high = middle - half, middle + half
    if share:
        low, high = max(0.0, low), min(1.0, high)
    return {"value": value, "low": min(value, low), "high": max(value, high), "cases": count, "games": len(real)}


def won(game: Game, seat: int) -> float:
    """The share of the victory that a seat had."""
    return (seat in game["winners"]) / len(game["winners"])


def sums(games: Iterable[Iterable[tuple[float, float]]], *, share: bool = True) -> dict[str, float]:
    """An estimate from games of which each has any number of pairs."""
    listed = [list(pairs) for pairs in games]
    return estimate(((sum(above for above, _ in pairs), sum(below for _, below in pairs)) for pairs in listed), share=share)


def common(games: Sequence[Game]) -> dict[str, Any]:
    """What is asked of both games."""
    decided = [game for game in games if len(game["winners"]) == 1]
    turns = sorted(game["turns"] for game in games)
    reasons = [why for why, _ in Counter(game["reason"] for game in games).most_common()]
    return {
        "games": len(games),
        "draws": len(games) - len(decided),
        "first": estimate((won(game, game["first"]), 1) for game in games),
        "turns": estimate(((game["turns"], 1) for game in games), share=False),
        "middle_nine_tenths": [turns[round(part * (len(turns) - 1))] for part in (0.05, 0.95)],
        "turns_by_reason": {why: sorted(game["turns"] for game in games if game["reason"] == why) for why in reasons},
        "reasons": {why: estimate((game["reason"] == why, 1) for game in games) for why in reasons},
        "winner_points": estimate(((max(game["scores"]), 1) for game in games), share=False),
        "loser_points": estimate(((min(game["scores"]), 1) for game in games), share=False),
        "median_margin": statistics.median(abs(game["scores"][0] - game["scores"][1]) for game in games),
        "did": {
            kind: estimate((game["did"].get(kind, 0), sum(game["did"].values())) for game in games)
            for kind in sorted({kind for game in games for kind in game["did"]})
        },
    }


def leads(games: Sequence[Game], name: str, course: Callable[[Game], list[int]]) -> dict[str, Any]:
    """The victories of whoever leads by so many points at a time of the game, in the games that went on then."""
    table: dict[str, Any] = {}
    for time in TIMES[name]:
        going = [(game, course(game)[time - 1]) for game in games if len(course(game)) > time]
        for low, high in LEADS[name]:
            there = [(won(game, int(lead < 0)), 1) for game, lead in going if low <= abs(lead) <= high]
            table.setdefault(str(time), {})[f"{low}-{high}" if high < 99 else f"{low}+"] = estimate(there)
    return table


def completions(games: Sequence[Game], stands: str) -> dict[str, Any]:
    """What completing a mandala brought to the player who did it, where the fields compared in one way."""
    done = [(game, [(c, c["seat"], 1 - c["seat"]) for c in game["completed"] if c["stands"] == stands]) for game in games]
    return {
        "share": sums([(c["stands"] == stands, 1) for c in game["completed"]] for game in games),
        "taken": sums([(took, 1) for best, took in game["could"] if best == stands] for game in games),
        "own": sums(([(c["gains"][own], 1) for c, own, _ in cases] for _, cases in done), share=False),
        "net": sums(([(c["gains"][own] - c["gains"][other], 1) for c, own, other in cases] for _, cases in done), share=False),
        "claims": sums(([(c["claims"][own] - c["claims"][other], 1) for c, own, other in cases] for _, cases in done), share=False),
        "won": sums([(won(game, own), 1) for _, own, _ in cases] for game, cases in done),
    }


def shared_out(games: Sequence[Game], rest: int) -> dict[str, float]:
    """What the player with more cards gained over the other by completing a mandala with an even (0) or odd (1) number of colours."""
    mine = [
        [(c["gains"], c["seat"]) for c in game["completed"] if c["stands"] == "more" and sum(c["claims"]) % 2 == rest] for game in games
    ]
    return sums(([(gains[seat] - gains[1 - seat], 1) for gains, seat in cases] for cases in mine), share=False)


def mandala_figures(games: Sequence[Game]) -> dict[str, Any]:
    """Everything that the page says of Mandala."""
    decided = [(game, game["winners"][0]) for game in games if len(game["winners"]) == 1]
    rivers = [game for game in games if game["colours"][0] != game["colours"][1]]
    sixth = [game for game in games if game["colours"].count(6) == 1]
    turn_of = {time: [game["completed"][time - 1]["turn"] for game in games if len(game["completed"]) > time] for time in TIMES["mandala"]}
    return {
        **common(games),
        "mandalas": estimate(((len(game["completed"]), 1) for game in games), share=False),
        "openings": {
            kind: sums(([(g["openings"][kind] - g["openings"]["build"], 1)] for g in games if kind in g["openings"]), share=False)
            for kind in KINDS
        },
        "opening_chance": estimate(((game["openings"][game["chosen"]], 1) for game in games), share=False),
        "chosen": {kind: estimate((game["chosen"] == kind, 1) for game in games if kind in game["openings"]) for kind in KINDS},
        "completed": {stands: completions(games, stands) for stands in STANDS},
        "more_by_colours": {"even": shared_out(games, 0), "odd": shared_out(games, 1)},
        "more_colours_won": estimate((won(g, int(g["colours"][1] > g["colours"][0])), 1) for g in rivers),
        "full_river_won": estimate((won(game, game["colours"].index(6)), 1) for game in sixth),
        "winner_colours": {str(n): estimate((game["colours"][seat] == n, 1) for game, seat in decided) for n in PLACES},
        "loser_colours": {str(n): estimate((game["colours"][1 - seat] == n, 1) for game, seat in decided) for n in PLACES},
        "places": {
            who: [estimate(((n * sum(game["cards"][seat ^ flip][n - 1 : n]), 1) for game, seat in decided), share=False) for n in PLACES]
            for flip, who in enumerate(("winner", "loser"))
        },
        "worthless": sums(([(cards, 1) for cards in game["worthless"]] for game in games), share=False),
        "leads": leads(games, "mandala", lambda game: [c["lead"] for c in game["completed"]]),
        "turn_of": {str(time): statistics.mean(turns) for time, turns in turn_of.items() if turns},
    }


def stones_figures(games: Sequence[Game]) -> dict[str, Any]:
    """Everything that the page says of Mandala Stones."""
    return {
        **common(games),
        "rounds": estimate(((game["rounds"], 1) for game in games), share=False),
        "scorings": sums(([(count, 1) for count, _ in game["scored"]] for game in games), share=False),
        "points_a_scoring": sums(([(points, count) for count, points in game["scored"]] for game in games), share=False),
        "objectives": sums(([(s - t, 1) for s, t in zip(game["scores"], game["track"], strict=True)] for game in games), share=False),
        "leads": leads(games, "stones", lambda game: game["leads"]),
    }


def played(name: str, count: int, keep: Path | None) -> list[Game]:
    """The games from number 0 on: those that the file has, and the others played now and added to it."""
    lines = keep.read_text(encoding="utf-8").splitlines() if keep and keep.exists() else []
    have = {game["seed"]: game for game in map(json.loads, lines) if game["game"] == name and game["budget"] == BUDGETS[name]}
    for seed in range(count):
        if seed not in have:
            have[seed] = {"game": name, "budget": BUDGETS[name], **PLAY[name](seed, BUDGETS[name])}
            if keep:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(have[seed]) + "\n")
    return [have[seed] for seed in range(count)]


def rounded(value: Any) -> Any:
    """The same with four places: enough, and the file stays readable."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return (None if math.isnan(value) else round(value, 4)) if isinstance(value, float) else value


def main() -> int:
    """Play, count and draw."""
    parser = argparse.ArgumentParser(description="Make docs/lessons anew.")
    parser.add_argument("--games", type=int, default=500, help="games of Mandala")
    parser.add_argument("--stones", type=int, default=200, help="games of Mandala Stones")
    parser.add_argument("--keep", type=Path, help="file of games that were played")
    options = parser.parse_args()
    figures = {
        "mandala": mandala_figures(played("mandala", options.games, options.keep)),
        "stones": stones_figures(played("stones", options.stones, options.keep)),
    }
    FOLDER.mkdir(exist_ok=True)
    for name, svg in charts(figures).items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
    (FOLDER / "lessons.json").write_text(json.dumps({"budgets": BUDGETS, **rounded(figures)}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
