"""Plots of a report page as SVG that lies in the page itself: text stays text, and colours are the page's own, light or dark.

Matplotlib draws with stand-in colours, which are replaced by the page's CSS variables afterwards.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from sandriver.arena.ratings import Rating
from sandriver.arena.sprt import SprtResult
from sandriver.extras import load

INK, SOFT, LINE, ACCENT, WARM = "#010101", "#020202", "#030303", "#040404", "#050505"
COLOURS = {INK: "currentColor", SOFT: "var(--soft)", LINE: "var(--line)", ACCENT: "var(--accent)", WARM: "var(--warm)"}
WIDTH = 7.6
"""Inches, at 72 points each; the page scales it down where it is narrower."""
STYLE = {
    "svg.fonttype": "none", "text.parse_math": False, "font.size": 10,
    "text.color": INK, "axes.labelcolor": SOFT, "axes.edgecolor": LINE, "xtick.color": SOFT,
    "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False, "grid.color": LINE, "grid.linewidth": 0.6,
    "axes.axisbelow": True, "xtick.major.size": 0, "ytick.major.size": 0, "xtick.minor.size": 0,
}  # fmt: skip


class Canvas:
    """One plot: axes to draw on, and the SVG that becomes of it."""

    def __init__(self, name: str, height: float) -> None:
        """``name``: of this plot in its page; ``height`` in inches. Raises ``MissingExtra`` without matplotlib."""
        self._matplotlib: Any = load("matplotlib", "a report page")
        self._name = name
        with self._style():
            self._figure = load("matplotlib.figure", "a report page").Figure(figsize=(WIDTH, height))
            self.axes: Any = self._figure.subplots()

    def _style(self) -> Any:
        return self._matplotlib.rc_context({**STYLE, "svg.hashsalt": self._name})

    def svg(self, label: str) -> str:
        """Return the drawing; ``label`` says to those who do not see it what it shows (escaped already)."""
        text = io.StringIO()
        with self._style():
            self._figure.savefig(text, format="svg", transparent=True, bbox_inches="tight", pad_inches=0.04, metadata={"Date": None})
        svg = text.getvalue()[text.getvalue().index("<svg") :]
        svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
        svg = re.sub(r"font(-family)?: ([^;\"]*?)'DejaVu Sans'[^;\"]*", r"font\1: \2var(--sans)", svg)
        for stand_in, colour in COLOURS.items():
            svg = svg.replace(stand_in, colour)
        svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\1{self._name}-", svg)
        svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
        return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def ratings_plot(ratings: Sequence[Rating], anchor: str) -> str:
    """Draw each bot's rating with its interval, the best on top."""
    canvas = Canvas("ratings", 0.9 + 0.42 * len(ratings))
    axes, rows = canvas.axes, range(len(ratings), 0, -1)
    for row, rating in zip(rows, ratings, strict=True):
        axes.plot([rating.low, rating.high], [row, row], color=ACCENT, linewidth=2.2, solid_capstyle="round", alpha=0.55)
        axes.plot([rating.elo], [row], "o", color=WARM if rating.bot == anchor else ACCENT, markersize=7)
        axes.annotate(
            f"{round(rating.elo)}".replace("-", "−"),
            (rating.elo, row),
            (0, 6.5),
            textcoords="offset points",
            ha="center",
            color=INK,
            fontsize=9,
        )
    axes.set_yticks(list(rows), [rating.bot for rating in ratings])
    axes.set_ylim(0.4, len(ratings) + 0.75)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("Elo, with 95 % interval")
    return canvas.svg("Ratings with intervals; the table below has the figures")


def pace_plot(ratings: Sequence[Rating]) -> str:
    """Draw rating against mean time of a move."""
    canvas = Canvas("pace", 3.6)
    axes = canvas.axes
    axes.set_xscale("log")
    for rating in ratings:
        ms = max(rating.ms, 1e-4)
        axes.plot([ms, ms], [rating.low, rating.high], color=ACCENT, linewidth=2.2, solid_capstyle="round", alpha=0.55)
        axes.plot([ms], [rating.elo], "o", color=ACCENT, markersize=7)
        axes.annotate(rating.bot, (ms, rating.elo), (8, 0), textcoords="offset points", va="center", color=INK, fontsize=9)
    axes.grid(visible=True)
    least, most = min(max(rating.ms, 1e-4) for rating in ratings), max(max(rating.ms, 1e-4) for rating in ratings)
    axes.set_xlim(least / 2.5, most * 4)
    wide = most / least > 1000
    axes.xaxis.set_major_locator(load("matplotlib.ticker", "a report page").LogLocator(subs=(1,) if wide else (1, 2, 5)))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
    axes.margins(y=0.1)
    axes.set_xlabel("mean time of a move in milliseconds")
    axes.set_ylabel("Elo")
    return canvas.svg("Rating against time of a move; the table above has the figures")


def course_plot(course: Sequence[float], test: SprtResult) -> str:
    """Draw how the log-likelihood ratio of a sequential test went, deal by deal."""
    canvas = Canvas("course", 3.0)
    axes = canvas.axes
    axes.plot(range(len(course)), course, color=ACCENT, linewidth=1.6)
    for bound, name in ((test.lower, f"H0: {test.elo0:g} Elo"), (test.upper, f"H1: {test.elo1:g} Elo")):
        axes.axhline(bound, color=WARM, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.annotate(name, (0, bound), (4, 5 if bound > 0 else -5), textcoords="offset points", color=INK, fontsize=9,
                      va="bottom" if bound > 0 else "top")  # fmt: skip
    axes.margins(x=0.01, y=0.2)
    axes.grid(axis="y")
    axes.set_xlabel("deals")
    axes.set_ylabel("log-likelihood ratio")
    return canvas.svg("Course of the sequential test; its end is told above")
