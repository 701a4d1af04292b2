"""Recorded games of every kind replay as they did when they were played, as long as the rules have the same version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import corpus
from sandriver.games import GAMES
from sandriver.tables.errors import RecordError
from sandriver.tables.record import LEFT, format_record, parse_record
from sandriver.tables.verify import verify

games = pytest.mark.parametrize("game", sorted(GAMES))
FEWEST = 20
"""Records that each version of the rules of a game has at least."""


def records(pattern: str) -> list[Path]:
    return sorted(corpus.FOLDER.glob(f"{pattern}/*.txt"))


@games
def test_the_present_rules_have_their_records(game: str) -> None:
    """Whoever raises ``rules_version`` begins a corpus of the new rules: ``tools/corpus.py play``."""
    folder = corpus.folder_of(game)
    names = {path.stem for path in folder.glob("*.txt")}
    assert len(names) >= FEWEST, f"{folder} has {len(names)} records"
    assert names == set(corpus.digests(folder))
    assert {play.name for play in corpus.PLAYS if play.game == game} <= names


@games
def test_every_record_replays_as_it_was_played(game: str) -> None:
    """With another end, other points or another number of legal actions on the way, ``rules_version`` must be raised."""
    folder = corpus.folder_of(game)
    for name, expected in corpus.digests(folder).items():
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        assert corpus.digest(text) == expected, f"{game} {name}: raise rules_version, or undo what changed the rules"
        assert format_record(parse_record(text)) == text
        assert len(verify(text, GAMES).transitions) == expected["plies"]


@pytest.mark.parametrize("path", records("*/v*"), ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}-{path.stem}")
def test_a_record_of_other_rules_is_told_apart(path: Path) -> None:
    """It is read, and refused by the version that it names, never replayed by rules under which it was not played."""
    text, version = path.read_text(encoding="utf-8"), int(path.parts[-2][1:])
    record = parse_record(text)
    assert (record.game, record.rules_version) == (path.parts[-3], version)
    other = re.sub(r"^Rules: \d+$", f"Rules: {GAMES[record.game].rules_version + 1}", text, flags=re.MULTILINE)
    for old in (other, *([text] if version != GAMES[record.game].rules_version else [])):
        with pytest.raises(RecordError, match="rules version"):
            verify(old, GAMES)


@games
def test_every_kind_of_game_is_among_them(game: str) -> None:
    """All seat counts, people and bots, every ending, every way to leave, and both values of each switch."""
    found = [parse_record(path.read_text(encoding="utf-8")) for path in records(f"{game}/v{GAMES[game].rules_version}")]
    assert {len(record.seats) for record in found} == set(GAMES[game].seat_counts)
    assert {seat.kind for record in found for seat in record.seats} == {"person", "bot"}
    own = {"mandala": {"sixth_colour", "last_mandala", "stall"}, "stones": {"end_space", "stuck"}}[game]
    assert {record.result.reason for record in found if record.result} == own | {"resigned", "time", "absence", "agreed"}
    assert {each.why for record in found for each in record.left} == set(LEFT.values())
    assert {record.first_fixed for record in found} == {True, False}
    assert {record.first for record in found} >= set(range(2))
    for name, value in GAMES[game].format_options(GAMES[game].parse_options({})).items():
        values = {str(record.options[name]) for record in found}
        assert len(values) >= (3 if name in ("stall_limit", "tiebreak") else 2), (name, value)


def test_a_record_that_does_not_verify_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (corpus.folder_of("mandala") / "resigned.txt").read_text(encoding="utf-8")
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    with pytest.raises(RecordError):
        corpus.add("wrong", re.sub(r"resigned \d+/", "resigned 99/", text))
    assert not list(tmp_path.rglob("*.txt"))
    path = corpus.add("right", text)
    assert path.read_text(encoding="utf-8") == text
    assert set(corpus.digests(path.parent)) == {"right"}
    with pytest.raises(FileExistsError):
        corpus.add("right", text)


def test_other_rules_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest has eyes: one legal action more or less anywhere, and it is another one."""
    text = (corpus.folder_of("mandala") / "agreed.txt").read_text(encoding="utf-8")
    before = corpus.digest(text)
    legal = type(verify(text, GAMES).transitions[0].before.legal_actions)
    monkeypatch.setattr(legal, "__len__", lambda self: sum(1 for _ in self) + 1)
    assert corpus.digest(text) != before
