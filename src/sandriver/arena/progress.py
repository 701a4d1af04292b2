"""A progress bar for a series of deals: how many have been played, how fast, and what can be said so far. For terminals only."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Self, TextIO

from sandriver.arena.series import Series
from sandriver.arena.tally import interval
from sandriver.extras import MissingExtra, load

EVERY = 0.2
"""Seconds between two looks at the figures."""


class Progress:
    """Hears of every deal and draws a bar; a context manager that takes the bar away at the end."""

    def __init__(self, series: Series, stream: TextIO) -> None:
        """Raises ``MissingExtra`` without tqdm."""
        seats = series.setting.seats
        self._bar: Any = load("tqdm", "a progress bar").tqdm(
            total=series.wanted * seats, unit=" games", file=stream, leave=False, dynamic_ncols=True, mininterval=EVERY, miniters=1,
            bar_format="{percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} games [{elapsed}<{remaining}, {rate_fmt}]{postfix}",
        )  # fmt: skip
        self._seats, self._looked = seats, 0.0

    def heard(self, series: Series, pairing: int) -> None:
        """A deal has been counted."""
        self._bar.initial = series.kept * self._seats  # not played now: they are no part of the speed
        if time.monotonic() - self._looked >= EVERY:
            self._looked = time.monotonic()
            self._bar.set_postfix_str(figures(series, pairing), refresh=False)
        self._bar.update(self._seats)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()


def figures(series: Series, pairing: int) -> str:
    """What can be said so far of one of the matches, in one line."""
    tally, (one, two) = series.tallies[pairing], series.bots[pairing]
    low, high = interval(*tally.sums, tally.seats)
    named = f"{one.id} - {two.id} " if len(series.tallies) > 1 else ""
    deals = "1 deal" if series.deals == 1 else f"{series.deals} deals"
    text = f"{deals}, {named}{tally.sums[1] / tally.deals:.1%} ({low:.1%} to {high:.1%})"
    if series.verdict is not None:
        text += f", LLR {series.verdict.llr:+.2f} ({series.verdict.lower:.2f} to {series.verdict.upper:.2f})"
    return text


def watch(series: Series, stream: TextIO) -> AbstractContextManager[Progress | None]:
    """Return a progress bar if the stream is a terminal and tqdm is installed, else a context manager that does nothing."""
    if not stream.isatty():
        return nullcontext()
    try:
        progress = Progress(series, stream)
    except MissingExtra:
        return nullcontext()
    series.listen(progress.heard)
    return progress
