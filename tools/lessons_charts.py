"""The charts of docs/lessons.md, drawn from the figures that `tools/lessons.py` counted."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from sandriver.arena.charts import ACCENT, INK, SOFT, WARM, Canvas

STANDS = ("more", "equal", "fewer", "none")
KINDS = ("build", "grow 1", "grow 2", "grow 3", "redraw 1", "redraw 2", "redraw 3")
PLACES = range(1, 7)
STYLE = """<style>svg{color:#26221d;--soft:#5c564e;--line:#d9d4cc;--accent:#2d6f8f;--warm:#b4591d;--sans:system-ui,sans-serif;--paper:#fff}
@media(prefers-color-scheme:dark){svg{color:#ece7df;--soft:#b5aea4;--line:#45413c;--accent:#79b8d6;--warm:#e8a56c;--paper:#131416}}</style>
<rect width="100%" height="100%" style="fill:var(--paper)"/>"""
"""Of a chart, which brings its own ground, so that it can be read on a page of any colour."""


def points_with_bars(axes: Any, spots: Iterable[tuple[float, dict[str, float]]], colour: str, times: float = 1.0, **ways: Any) -> None:
    """Draw estimates at some places as points with their intervals."""
    for where, found in spots:
        if found["cases"]:
            axes.plot([where] * 2, [times * found["low"], times * found["high"]], color=colour, linewidth=2.2, alpha=0.55)
            axes.plot([where], [times * found["value"]], "o", color=colour, markersize=7, label=ways.pop("label", None))


def dress(axes: Any, ticks: Sequence[str], across: str, up: str, *, start: int = 0) -> None:
    """Name the axes of a chart."""
    axes.set_xticks(range(start, start + len(ticks)), list(ticks))
    axes.set_xlim(start - 0.5, start + len(ticks) - 0.5)
    axes.tick_params(axis="x", labelcolor=INK)
    axes.tick_params(axis="y", labelcolor=SOFT)
    axes.grid(axis="y")
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def charts(figures: dict[str, Any]) -> dict[str, str]:
    """The SVG of every chart by its file's name."""
    mandala, drawn = figures["mandala"], {}

    def finish(name: str, canvas: Canvas, label: str) -> None:
        if canvas.axes.get_legend_handles_labels()[0]:
            canvas.axes.legend(frameon=False, labelcolor=INK, loc="lower left", bbox_to_anchor=(-0.02, 1), ncols=3, columnspacing=1.4)
        svg = canvas.svg(html.escape(label, quote=True))
        drawn[f"{name}.svg"] = svg.replace(">", f">{STYLE}", 1) + ("" if svg.endswith("\n") else "\n")

    canvas = Canvas("openings", 3.2)
    points_with_bars(canvas.axes, enumerate(mandala["openings"][kind] for kind in KINDS[1:]), ACCENT, 100)
    canvas.axes.axhline(0, color=SOFT, linewidth=1)
    ticks = [kind.replace(" ", "\n").replace("3", "3 or more") for kind in KINDS[1:]]
    dress(canvas.axes, ticks, "first action, and its number of cards", "points of chance\nagainst building")
    finish("openings", canvas, "Chance to win after each kind of first action, against building in the same deal")

    canvas = Canvas("completing", 3.2)
    points_with_bars(canvas.axes, enumerate(mandala["completed"][stands]["net"] for stands in STANDS[:3]), ACCENT)
    canvas.axes.axhline(0, color=SOFT, linewidth=1)
    dress(
        canvas.axes,
        ("more", "equally many", "fewer"),
        "cards in the completing player's field, against the other's",
        "points gained\nmore than the other",
    )
    finish("completing", canvas, "Points that completing a mandala brought, by how the fields compared")

    canvas = Canvas("length", 3.0)
    reasons = mandala["turns_by_reason"]
    longest = max(max(turns) for turns in reasons.values())
    named = {"sixth_colour": "a sixth colour", "last_mandala": "the deck ran out", "stall": "nothing but redraws"}
    values = [reasons[why] for why in reasons]
    canvas.axes.hist(values, bins=range(0, longest + 5, 4), stacked=True, color=[ACCENT, WARM, SOFT][: len(values)],
                     label=[named.get(why, why) for why in reasons])  # fmt: skip
    canvas.axes.grid(axis="y")
    canvas.axes.tick_params(axis="y", labelcolor=SOFT)
    canvas.axes.set_xlabel("turns of both players, without claims")
    canvas.axes.set_ylabel("games")
    finish("length", canvas, "Number of games by their length, and what ended them")

    canvas = Canvas("river", 3.0)
    for who, colour, shift in (("winner", ACCENT, -0.08), ("loser", WARM, 0.08)):
        points_with_bars(
            canvas.axes, ((p + shift, found) for p, found in zip(PLACES, mandala["places"][who], strict=True)), colour, label=who
        )
    canvas.axes.set_ylim(bottom=0)
    dress(canvas.axes, [str(place) for place in PLACES], "place of the river", "points a game", start=1)
    finish("river", canvas, "Points by place of the river, of winners and losers")

    for name, after in (("mandala", "{} mandalas"), ("stones", "{} rounds")):
        canvas = Canvas(f"lead-{name}", 3.2)
        for shift, (time, colour) in enumerate(zip(figures[name]["leads"], (SOFT, ACCENT, WARM), strict=True), start=-1):
            spots = ((at + 0.12 * shift, found) for at, found in enumerate(figures[name]["leads"][time].values()))
            points_with_bars(canvas.axes, spots, colour, 100, label=f"after {after.format(time)}")
        canvas.axes.axhline(50, color=SOFT, linewidth=1)
        canvas.axes.set_ylim(30, 102)
        dress(
            canvas.axes,
            [lead.replace("-", "–") for lead in next(iter(figures[name]["leads"].values()))],
            "points ahead",
            "per cent won by who leads",
        )
        finish(f"lead-{name}", canvas, "Share of the games that the leader won, by the lead and the time")
    return drawn
