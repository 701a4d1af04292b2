"""Report pages: whole, self-contained, true to the result, and harmless whatever a bot is called."""

from __future__ import annotations

import datetime as dt
import re
from html.parser import HTMLParser

import pytest
from tests.arena.results import played

from sandriver.arena import Sprt, report
from sandriver.arena.charts import COLOURS, ratings_plot
from sandriver.arena.ladder import ladder_of, make_ladder
from sandriver.arena.match import make_match
from sandriver.arena.play import Bot
from sandriver.arena.report import Circumstances, page
from sandriver.arena.series import Series

__all__ = ["played"]

ABOUT = Circumstances("sandriver arena mandala a b --games 40", dt.datetime(2026, 11, 30, 9, 0, tzinfo=dt.UTC), 12.3, 2)
VOID = {"meta", "br", "link"}


class Reader(HTMLParser):
    """Follows the elements; notes tables as rows of texts, ids, and everything that would load something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.ids: list[str] = []
        self.wanted: set[str] = set()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            text = value or ""
            if name == "id":
                self.ids.append(text)
            if name in {"src", "srcset", "data", "action", "poster"} or name.startswith("on") or tag in {"script", "link", "iframe", "img"}:
                self.loads.append(f"{tag} {name}={text}")
            self.wanted |= set(re.findall(r"url\(#([^)]+)\)", text)) | ({text.removeprefix("#")} if name.endswith("href") else set())
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"th", "td"}:
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"th", "td"} & set(self.open):
            self.tables[-1][-1][-1] += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def run(series: Series) -> str:
    series.run(1)
    return page(ladder_of(series), series, ABOUT)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without their plots, which take most of the time."""
    for plot in ("ratings_plot", "pace_plot", "course_plot"):
        monkeypatch.setattr(report, plot, lambda *_: "<svg></svg>")


ODD = '<script>"&amp;$x_1$'
"""What a bot of one's own may be called."""


def test_a_page_is_whole_asks_for_nothing_and_is_not_misled_by_names(played: object) -> None:
    series = make_match("mandala", "random", "apprentice", 40)
    series.bots[0] = (Bot(ODD, 7), series.bots[0][1])
    text = run(series)
    reader = read(text)
    assert reader.loads == []
    assert re.findall(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", text) == []
    assert "default-src 'none'" in text
    assert {row[0] for row in reader.tables[0][1:]} == {f"{bot.id} version {bot.version}" for bot in series.bots[0]}
    drawings = text.split("<svg ")[1:]
    assert [drawing.startswith('role="img" aria-label="') for drawing in drawings] == [True, True]
    assert all("$x_1$" in drawing for drawing in drawings)  # no formula to matplotlib
    # plots take the colours of the page, and whatever is referred to is there, once
    assert [stand_in for stand_in in COLOURS if stand_in in text] == []
    assert set(re.findall(r"(?:fill|stroke): ([^;\"]+)", text.partition("<svg")[2])) <= {*COLOURS.values(), "none"}
    assert len(reader.ids) == len(set(reader.ids))
    assert reader.wanted <= set(reader.ids)
    # equal results are drawn alike
    ladder = ladder_of(series)
    assert ratings_plot(ladder.ratings, ladder.anchor) in text


def test_the_figures_of_a_ladder_stand_in_tables(played: object, plain: None) -> None:
    series = make_ladder("mandala", ["random", "apprentice", "ismcts:1"], 40)
    text = run(series)
    reader = read(text)
    ladder = ladder_of(series)
    ratings, cross, matches = reader.tables
    assert [row[0] for row in ratings[1:]] == [f"{rating.bot} version {rating.version}" for rating in ladder.ratings]
    assert [row[1] for row in ratings[1:]] == [f"{rating.elo:.0f}" for rating in ladder.ratings]
    assert {row[2] for row in ratings[1:] if row[0].startswith("random")} == {"given"}
    names = [rating.bot for rating in ladder.ratings]
    assert cross[0] == ["", *names]
    assert [row[0] for row in cross[1:]] == names
    for place in range(3):
        assert cross[1 + place][1 + place] == ""
        for other in range(place):
            assert float(cross[1 + place][1 + other]) + float(cross[1 + other][1 + place]) == pytest.approx(100, abs=0.11)
    assert [row[1] for row in matches[1:]] == ["40"] * 3
    assert ABOUT.command in text
    assert "2026-11-30 09:00 UTC, 12 s on 2 processes" in text


def test_a_test_is_told_with_its_course(played: object) -> None:
    series = make_match("mandala", "apprentice", "random", 2000, sprt=Sprt(0, 100))
    text = run(series)
    assert series.verdict is not None
    assert "H1 accepted:" in text
    assert f"{series.verdict.deals} deals" in text
    assert text.count("<svg ") == 3
    read(text)


def test_an_undecided_test_is_told(played: object, plain: None) -> None:
    assert "Undecided." in run(make_match("mandala", "apprentice", "random", 2, sprt=Sprt(0, 1)))


def test_more_seats_are_told(played: object, plain: None) -> None:
    text = run(make_ladder("stones", ["random", "apprentice", "mcts:1"], 12, seats=3))
    reader = read(text)
    assert len(reader.tables[2]) == 1 + 6
    assert "One seat of the row's bot against 2 of the column's." in text
