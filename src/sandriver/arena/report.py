"""A report page: one HTML file with tables and plots that asks the network for nothing, in light and dark.

It says who played, what, when, how much and how to repeat it; every plot's figures also stand in a table.
"""

from __future__ import annotations

import datetime as dt
import json
import platform
from collections.abc import Iterable
from html import escape
from importlib import resources

import msgspec

from sandriver.arena.charts import course_plot, pace_plot, ratings_plot
from sandriver.arena.crew import cores
from sandriver.arena.keep import head_of
from sandriver.arena.ladder import LadderResult
from sandriver.arena.series import Series
from sandriver.arena.tally import NOT_PLAYED, whole


class Circumstances(msgspec.Struct, frozen=True):
    """What a result does not say about how it came to be."""

    command: str
    """Command line that plays the same again."""
    began: dt.datetime
    seconds: float
    processes: int
    """0: one a core."""


def page(ladder: LadderResult, series: Series, circumstances: Circumstances) -> str:
    """Return the page of a ladder or a match, whose series has been run. Raises ``MissingExtra`` without matplotlib."""
    several = len(ladder.ratings) > 2
    first, second = series.bots[0]
    title = f"Ladder of {ladder.game}" if several else f"{first.id} against {second.id}"
    games = sum(match.games for match in ladder.matches)
    lead = f"{games:,} games of {ladder.game} with {ladder.seats} seats. Every deal is played once from each seat."
    parts = [
        f'<header><p class="kicker">Sandriver arena</p><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p></header>',
        _verdict(series),
        _section(
            "Ratings",
            _scrolled(ratings_plot(ladder.ratings, ladder.anchor)),
            _ratings(ladder),
            f"<p>The rating of <b>{escape(ladder.anchor)}</b> was given, the others follow from the games. {_meaning(ladder.seats)}</p>",
        ),
        _section("Who beats whom", _cross(ladder)),
        _section("Time and strength", _scrolled(pace_plot(ladder.ratings))),
        _section("Matches", _matches(ladder)),
        _section("How it was played", _facts(ladder, series, circumstances)),
    ]
    style = resources.files("sandriver.arena").joinpath("report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
        '<meta name="color-scheme" content="light dark">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{title}</h2>\n" + "\n".join(parts) + "\n</section>"


def _scrolled(content: str) -> str:
    """What may be wider than a phone."""
    return f'<div class="wide" tabindex="0">{content}</div>'


def _meaning(seats: int) -> str:
    if seats == 2:
        return "100 Elo more are 64 % of the victories, 200 are 76 %, 400 are 91 %."
    equal = f"0 Elo is 1 victory in {seats}"
    return f"One seat of a bot plays against {seats - 1} of another: {equal}, 400 are odds of ten to one against each single opponent."


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose first column names the rows; cells are HTML."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = []
    for name, *cells in rows:
        lines.append(f'<tr><th scope="row">{name}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return _scrolled(f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table>")


def _signs(text: str) -> str:
    """Numbers with a true minus, as the plots have it."""
    return text.replace("-", "−")


def _ratings(ladder: LadderResult) -> str:
    rows = [
        (
            f"{escape(rating.bot)} <small>version {rating.version}</small>",
            _signs(f"<b>{round(rating.elo)}</b>"),
            "given" if rating.bot == ladder.anchor else _signs(f"{round(rating.low)} to {round(rating.high)}"),
            f"{rating.rate:.1%}",
            f"{rating.games:,}",
            f"{rating.ms:.3g}",
        )
        for rating in ladder.ratings
    ]
    return _table(("Bot", "Elo", "95 % interval", "Victories", "Games", "ms a move"), rows)


def _cross(ladder: LadderResult) -> str:
    names = [rating.bot for rating in ladder.ratings]
    shares = ladder.shares()
    equal = 1 / ladder.seats
    lines = []
    for row in names:
        cells = []
        for column in names:
            share = shares.get((row, column))
            if share is None:
                cells.append("<td></td>")
                continue
            # from -1 (never) over 0 (as often as among equals) to 1 (always)
            lean = (share - equal) / (1 - equal if share > equal else equal)
            kind = "over" if lean >= 0 else "under"
            cells.append(f'<td class="{kind}" style="--lean:{abs(lean) * 100:.0f}%">{100 * share:.1f}</td>')
        lines.append(f'<tr><th scope="row">{escape(row)}</th>{"".join(cells)}</tr>')
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    against = "" if ladder.seats == 2 else f" One seat of the row's bot against {ladder.seats - 1} of the column's."
    table = f'<table class="cross">\n<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n' + "\n".join(lines) + "\n</tbody></table>"
    return f"{_scrolled(table)}\n<p>Share of the victories of the row's bot against the column's, in per cent.{against}</p>"


def _matches(ladder: LadderResult) -> str:
    rows = [
        (
            f"{escape(match.bots[0])} – {escape(match.bots[1])}",
            f"{match.games:,}",
            f"{match.wins:,}",
            f"{match.draws:,}",
            f"{match.losses:,}",
            f"{match.rate:.1%}",
            f"{match.low:.1%} to {match.high:.1%}",
            f"{match.points[0]:.1f} : {match.points[1]:.1f}",
            f"{match.plies:.1f}",
        )
        for match in ladder.matches
    ]
    shared = "Drawn" if ladder.seats == 2 else "Shared"
    return _table(("Match", "Games", "Won", shared, "Lost", "Share", "95 % interval", "Points", "Actions"), rows)


def _verdict(series: Series) -> str:
    test = series.verdict
    if test is None:
        return ""
    one, two = (escape(bot.id) for bot in series.bots[0])
    elo = {"H0": test.elo0, "H1": test.elo1}
    if test.accepted is None:
        said = "<b>Undecided.</b> More deals are needed."
    else:
        given, other = elo[test.accepted], elo["H1" if test.accepted == "H0" else "H0"]
        said = (
            f"<b>{test.accepted} accepted:</b> the games agree with a lead of {given:g} Elo of {one} over {two}, not with one of {other:g}."
        )
    bounds = f"LLR {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
    figures = _signs(f"{bounds}, {test.deals:,} deals, alpha {test.alpha:g}, beta {test.beta:g}.")
    return _section("Sequential test", f"<p>{said} {figures}</p>", _scrolled(course_plot(_course(series), test)))


def _course(series: Series) -> list[float]:
    """The test's log-likelihood ratio after 0, 1, 2, … deals."""
    tally, sprt, course = series.tallies[0], series.sprt, [0.0]
    assert sprt is not None
    best = tally.seats * whole(tally.seats)
    total = squares = 0.0
    for deals, score in enumerate(tally.scores, 1):
        if score == NOT_PLAYED:
            break
        total, squares = total + score / best, squares + (score / best) ** 2
        course.append(sprt.judge(deals, total, squares, tally.seats).llr)
    return course


def _facts(ladder: LadderResult, series: Series, circumstances: Circumstances) -> str:
    setting, seeds = series.setting, series.seeds
    head = head_of(setting.game, setting.seats, setting.options)
    options = [f"{name} {_short(value, given=name in setting.options)}" for name, value in head.options.items()]
    took = f"{circumstances.seconds:,.0f} s" if circumstances.seconds >= 10 else f"{circumstances.seconds:.1f} s"
    kept = f"; {series.kept:,} of {series.deals:,} deals had been played before" if series.kept else ""
    number = f"{len(seeds):,}" if series.sprt is None else f"at most {len(seeds):,}"
    lines = {
        "When": f"{circumstances.began:%Y-%m-%d %H:%M} UTC, {took} on {circumstances.processes or cores()} processes{kept}",
        "Where": f"{platform.system()} {platform.machine()}, {cores()} cores, Python {platform.python_version()}",
        "Program": f"Sandriver {head.sandriver}, {ladder.game} rules version {head.rules_version}, {', '.join(options)}",
        "Deals": f"{number} for each match, numbers {seeds.start} to {seeds.stop - 1}, each played once from every seat",
        "Ratings": "Bradley–Terry, one deal as among equals added to each match; intervals by 1,000 Bayesian bootstrap samples over deals",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in lines.items())
    return f"<dl>{rows}<dt>Again</dt><dd><code>{escape(circumstances.command)}</code></dd></dl>"


def _short(value: object, *, given: bool) -> str:
    """An option's value, if it is short enough to be shown."""
    text = json.dumps(value)
    return text.strip('"') if len(text) <= 40 else "as given" if given else "as published"
