"""What became of a training: its weights as a file, and its course in words, as JSON and as a page with plots."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from sandriver import __version__
from sandriver.bots import mandala_net, weights
from sandriver.extras import load
from sandriver.learn.train import Generation, Plan

STYLE = """:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #8886}svg{max-width:100%;height:auto}
figure{margin:1rem 0;background:#fff}"""


def check_extra(*, page: bool) -> None:
    """Raise ``MissingExtra`` now, not after hours, if what trains (and draws: ``page``) is not installed."""
    for module in ("numpy", "torch", *(["matplotlib"] if page else [])):
        load(module, "training", "train")


def write_weights(path: Path, numbers: Sequence[float], plan: Plan, course: Sequence[Generation]) -> None:
    """Write the weights, with what made them. Raises ``OSError``, and ``ValueError`` for numbers that are no weights of this network."""
    turns = sum(generation.turns for generation in course)
    made: dict[str, str | int | float] = {"sandriver": __version__, **msgspec.structs.asdict(plan), "turns": turns}
    del made["processes"]  # they change nothing
    weights.write(path, numbers, game="mandala", inputs=mandala_net.INPUTS, shapes=mandala_net.SHAPES, made=made)


def as_json(plan: Plan, course: Sequence[Generation]) -> bytes:
    """Return everything as JSON."""
    return msgspec.json.format(msgspec.json.encode({"plan": plan, "generations": course}))


HEADS = ("generation", "turns", "learned", "held back", "error", "choice", "against the one before", "seconds")


def _rows(course: Sequence[Generation]) -> list[tuple[str, ...]]:
    rows = []
    for one in course:
        last = one.epochs[-1]
        rate = "not played" if one.rate is None else f"{one.rate:.1%} +- {one.spread:.1%}"
        losses = (f"{number:.4f}" for number in (last.learned, last.held_back, last.error, last.choice))
        rows.append((str(one.number), str(one.turns), *losses, rate, f"{one.seconds:.0f}"))
    return rows


def words(course: Sequence[Generation]) -> str:
    """Return a table for the terminal."""
    return columns([HEADS, *_rows(course)])


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells in columns, each to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def page(plan: Plan, course: Sequence[Generation]) -> str:
    """Return a page (HTML) with a table and plots that asks the network for nothing. Raises ``MissingExtra`` without matplotlib."""
    head = "".join(f"<th>{escape(name)}</th>" for name in HEADS)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _rows(course))
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in msgspec.structs.asdict(plan).items())
    losses = [("learned", [epoch.learned for one in course for epoch in one.epochs])]
    losses.append(("held back (how games ended)", [epoch.held_back for one in course for epoch in one.epochs]))
    plots = [_plot("losses", "cross-entropy", "epoch, all generations", losses)]
    if rates := [one.rate for one in course if one.rate is not None]:
        plots.append(_plot("strength", "share of the victories", "generation", [("against the one before", rates)]))
    figures = "".join(f"<figure>{plot}</figure>" for plot in plots)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Training for Mandala</title><style>{STYLE}</style>'
        f"<h1>Training for Mandala</h1><p>Sandriver {__version__}: {escape(facts)}.</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{figures}</html>\n"
    )


def _plot(name: str, upward: str, along: str, lines: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Draw lines over 1, 2, 3, ... as SVG."""
    matplotlib: Any = load("matplotlib", "a report page", "train")
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure = load("matplotlib.figure", "a report page", "train").Figure(figsize=(7.6, 3))
        axes = figure.subplots()
        for label, values in lines:
            axes.plot(range(1, len(values) + 1), values, marker="o", markersize=3, label=label)
        axes.set(xlabel=along, ylabel=upward)
        axes.legend()
        figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    svg = text.getvalue()[text.getvalue().index("<svg") :]
    return re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
