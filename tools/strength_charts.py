"""The charts of docs/strength.md, drawn from its tables, the levels as they are, and the figures that `tools/strength.py` made.

Each says in words what it shows, numbers included: for those who do not see it, and so that a chart that is out of date is noticed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lessons_charts import STYLE
from sandriver.arena.charts import ACCENT, INK, SOFT, WARM, Canvas
from sandriver.bots.levels import LEVELS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "strength.md"
FOLDER = PAGE.parent / "strength"
NAMES = {"mandala": "Mandala", "stones": "Mandala Stones"}
COLOURS = (SOFT, INK, WARM, ACCENT)
MARKS = ("s", "D", "^", "o")
AIM = 150
"""Elo between neighbouring levels."""

Step = tuple[str, str, str, int, int, int]


def steps(page: str) -> list[Step]:
    """Of each row in the page's table of neighbours: game, stronger and weaker level, Elo difference and the ends of its interval."""
    row = r"^\| (Mandala|Mandala Stones) \| `(\w+)` against `(\w+)` \|.*\| \+(\d+) \((−?\d+) to (\d+)\) \|$"
    found = re.findall(row, page, re.MULTILINE)
    return [(game, one, two, int(middle), int(low.replace("−", "-")), int(high)) for game, one, two, middle, low, high in found]


def kinds(figures: Mapping[str, Any]) -> dict[str, dict[int, dict[str, Any]]]:
    """By kind of search and number of iterations its rating, the kind that is weakest with the fewest first."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for bot, rating in figures["ratings"].items():
        kind, _, iterations = bot.partition(":")
        if iterations:
            found.setdefault(kind, {})[int(iterations)] = rating
    return {kind: dict(sorted(by.items())) for kind, by in sorted(found.items(), key=lambda item: float(item[1][min(item[1])]["elo"]))}


def across(iterations: int, rating: Mapping[str, Any], by: str) -> float:
    """Where on the horizontal axis a search stands."""
    return iterations if by == "iterations" else float(rating["ms"])


def words(figures: Mapping[str, Any], page: str) -> dict[str, str]:
    """What each chart shows, by its file's name."""
    above = "; ".join(f"{game}, {one} on {two}: {middle} ({low} to {high})" for game, one, two, middle, low, high in steps(page))
    levels = "; ".join(
        f"{NAMES[game]}: " + ", ".join(f"{level.policy.id} {level.elo} at {level.thinking_ms} ms" for level in every)
        for game, every in LEVELS.items()
    )
    told = {
        "neighbours.svg": f"Elo of each level above the one before. {above}",
        "thinking.svg": f"Elo of the levels against the time of a move. {levels}",
    }
    for game, every in figures.items():
        for by, unit in (("iterations", ""), ("ms", " ms")):
            said = "; ".join(
                f"{kind}: "
                + ", ".join(f"{rating['elo']} at {n if by == 'iterations' else rating['ms']:g}{unit}" for n, rating in ratings.items())
                for kind, ratings in kinds(every).items()
            )
            told[f"{by}-{game}.svg"] = f"{NAMES[game]}, Elo of searches against {'iterations' if by == 'iterations' else 'time'}. {said}"
    return told


def finished(canvas: Canvas, label: str) -> str:
    """The SVG of a chart, with its own ground and colours."""
    svg = canvas.svg(html.escape(label, quote=True))
    return svg.replace(">", f">{STYLE}", 1) + ("" if svg.endswith("\n") else "\n")


def neighbours(page: str, label: str) -> str:
    """How far each level is above the one before."""
    found = steps(page)
    canvas = Canvas("neighbours", 0.9 + 0.4 * len(found))
    axes, rows = canvas.axes, range(len(found), 0, -1)
    for row, (game, _, _, middle, low, high) in zip(rows, found, strict=True):
        colour = ACCENT if game == NAMES["mandala"] else WARM
        axes.plot([low, high], [row, row], color=colour, linewidth=2.2, solid_capstyle="round", alpha=0.55)
        axes.plot([middle], [row], "o", color=colour, markersize=7)
        axes.annotate(str(middle), (middle, row), (0, 6), textcoords="offset points", ha="center", color=INK, fontsize=9)
    axes.axvline(AIM, color=SOFT, linewidth=1.2, linestyle=(0, (4, 3)))
    axes.set_yticks(list(rows), [f"{game}: {one} on {two}" for game, one, two, *_ in found])
    axes.set_ylim(0.4, len(found) + 0.75)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"Elo difference on fresh deals, with 95 % interval; broken line: the aim, {AIM}")
    return finished(canvas, label)


def dress(axes: Any, ticks: list[float], across: str, columns: int) -> None:
    """Scale and name the axes, and name the lines above the chart."""
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.tick_params(axis="y", labelcolor=SOFT)
    axes.grid(visible=True)
    axes.set_xlabel(f"{across} (logarithmic)")
    axes.set_ylabel("Elo")
    axes.legend(frameon=False, labelcolor=INK, loc="lower left", bbox_to_anchor=(-0.02, 1), ncols=columns, columnspacing=1.4)


def thinking(label: str) -> str:
    """The levels' Elo against the time that they take."""
    canvas = Canvas("thinking", 3.6)
    axes = canvas.axes
    highest = max(level.elo for levels in LEVELS.values() for level in levels)
    sides: tuple[dict[str, Any], ...] = ({"xytext": (-8, 4), "ha": "right"}, {"xytext": (8, -11), "ha": "left"})
    for (game, levels), colour, usual in zip(LEVELS.items(), (ACCENT, WARM), sides, strict=True):
        times, elos = [level.thinking_ms for level in levels], [level.elo for level in levels]
        axes.plot(times, elos, "o-", color=colour, linewidth=1.4, markersize=6, label=NAMES[game])
        for level in levels:
            last = {"xytext": (0, 7 if level.elo == highest else -14), "ha": "center"}  # of both games, near each other
            side = last if level is levels[-1] else usual
            place = (level.thinking_ms, level.elo)
            axes.annotate(level.policy.id, place, textcoords="offset points", color=colour, fontsize=9, **side)
    dress(axes, [1, 3, 10, 30, 100, 300], "processor time of a move in milliseconds, mean, two seats", 2)
    axes.set_xlim(0.45, 400)
    axes.margins(y=0.1)
    return finished(canvas, label)


def searches(game: str, figures: Mapping[str, Any], by: str, label: str) -> str:
    """Rating of each kind of search against its iterations, or against the time that they take (``by``: ``iterations`` or ``ms``)."""
    canvas = Canvas(f"{by}-{game}", 3.6)
    axes, every = canvas.axes, kinds(figures)
    for (kind, found), colour, mark in zip(every.items(), COLOURS[-len(every) :], MARKS, strict=False):
        places = [across(n, rating, by) for n, rating in found.items()]
        for x, rating in zip(places, found.values(), strict=True):
            axes.plot([x, x], [rating["low"], rating["high"]], color=colour, linewidth=2.2, alpha=0.4)
        elos = [rating["elo"] for rating in found.values()]
        axes.plot(places, elos, f"{mark}-", color=colour, linewidth=1.4, markersize=5, label=kind)
    apprentice = figures["ratings"]["apprentice"]["elo"]
    axes.axhline(apprentice, color=SOFT, linewidth=1.2, linestyle=(0, (4, 3)), label="apprentice")
    if by == "iterations":
        dress(axes, sorted({n for found in every.values() for n in found}), "iterations a move", 5)
    else:
        most = max(rating["ms"] for found in every.values() for rating in found.values())
        ticks = [tick for tick in (0.3, 1, 3, 10, 30, 100) if tick < 1.5 * most]
        dress(axes, ticks, "processor time of a move in milliseconds", 5)
    return finished(canvas, label)


def charts(figures: Mapping[str, Any], page: str) -> dict[str, str]:
    """The SVG of every chart by its file's name."""
    said = words(figures, page)
    drawn = {"neighbours.svg": neighbours(page, said["neighbours.svg"]), "thinking.svg": thinking(said["thinking.svg"])}
    for game, found in figures.items():
        for by in ("iterations", "ms"):
            name = f"{by}-{game}.svg"
            drawn[name] = searches(game, found, by, said[name])
    return drawn
