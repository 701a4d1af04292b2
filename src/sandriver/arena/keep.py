"""A file of played deals, so that a match can be stopped and taken up again: a line of JSON that says what is played, then one a deal.

Every line is written as soon as its deal is over. A match that is killed leaves at worst half a line at the end, which is cut off when
the file is opened next. The deals may stand in any order and may be of several matches, as long as game, rules and options are the same:
a ladder with one more bot plays only that bot's games.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import msgspec

from sandriver import __version__, games
from sandriver.arena.play import PlayedDeal
from sandriver.processes import ours_alone

LONGEST_LINE = 1 << 20
"""Bytes; a deal's line has a few hundred, the head holds the options (a ruleset is a few thousand)."""


class KeepError(ValueError):
    """A file of played deals cannot be used; the message says why."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all deals of a file have in common."""

    sandriver: str
    """Version of the package that played."""
    game: str
    rules_version: int
    seats: int
    options: dict[str, Any]
    """Every option of the rules with its value."""


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: a file says what it is."""

    arena: Head


def head_of(game_id: str, seats: int, raw_options: Mapping[str, object]) -> Head:
    """Return the head of a match's file. Raises ``OptionError`` for a bad option."""
    game = games.get(game_id)
    return Head(__version__, game_id, game.rules_version, seats, game.format_options(game.parse_options(raw_options)))


class Keep:
    """An open file of played deals; a context manager. Only one process may have it open."""

    def __init__(self, path: Path, head: Head) -> None:
        """Open or make the file and check its head. Raises ``KeepError``."""
        self._path, self._head = path, head
        self._first = msgspec.json.encode(_Line(head)) + b"\n"
        self._file = self._open()
        try:
            self._lock()
            self._check_head()
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> BinaryIO:
        try:
            file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
        except OSError as error:
            raise KeepError(f"{self._path}: {error.strerror or error}") from None
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise KeepError(f"{self._path}: no ordinary file")
        return file

    def _lock(self) -> None:
        if not ours_alone(self._file):
            raise KeepError(f"{self._path}: another match is writing to it")

    def _check_head(self) -> None:
        line = self._file.readline(LONGEST_LINE)
        if not line.endswith(b"\n"):
            if not self._first.startswith(line):
                raise KeepError(f"{self._path}: this is no file of played deals")
            self._file.seek(0)  # new, or cut off in its head
            self._file.truncate()
            self._file.write(self._first)
            self._file.flush()
            return
        try:
            found = msgspec.json.decode(line, type=_Line).arena
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise KeepError(f"{self._path}: this is no file of played deals") from None
        for name in Head.__struct_fields__:
            mine, its = getattr(self._head, name), getattr(found, name)
            if mine != its:
                raise KeepError(f"{self._path}: its deals have {_difference(name, its, mine)}")

    def read(self) -> Iterator[PlayedDeal]:
        """Yield the deals of the file; afterwards new ones can be added. A torn last line is cut off. Raises ``KeepError``."""
        self._file.seek(0)
        self._file.readline(LONGEST_LINE)
        decoder = msgspec.json.Decoder(PlayedDeal)
        number = 1
        while line := self._file.readline(LONGEST_LINE):
            number += 1
            deal = self._deal(line, decoder)
            if deal is not None:
                yield deal
            elif self._file.read(1):
                raise KeepError(f"{self._path}: line {number} is no played deal")
            else:
                self._file.seek(-len(line), os.SEEK_END)
                self._file.truncate()
                return

    def _deal(self, line: bytes, decoder: msgspec.json.Decoder[PlayedDeal]) -> PlayedDeal | None:
        """The deal of a line, if the line is whole and one of this number of seats."""
        if not line.endswith(b"\n"):
            return None
        try:
            deal = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        seats = self._head.seats
        fit = len(deal.games) == seats and min(*deal.moves, *deal.spent) >= 0
        for game in deal.games:
            fit = (
                fit and len(game.points) == seats and set(game.winners) <= set(range(seats)) and len(set(game.winners)) == len(game.winners)
            )
        return deal if fit else None

    def add(self, deal: PlayedDeal) -> None:
        """Write a deal down. Raises ``KeepError`` when that is not possible, say because the disk is full."""
        try:
            self._file.write(msgspec.json.encode(deal) + b"\n")
            self._file.flush()
        except OSError as error:
            raise KeepError(f"{self._path}: {error.strerror or error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._file.close()
        except OSError as failure:  # what was still to be written did not fit
            if error is None:
                raise KeepError(f"{self._path}: {failure.strerror or failure}") from None


def _difference(name: str, its: object, mine: object) -> str:
    """What differs between a file's head and the match, in words."""
    if isinstance(its, dict) and isinstance(mine, dict):
        for option in sorted(its.keys() | mine.keys()):
            if its.get(option) != mine.get(option):
                shown = [str(value) if len(str(value)) <= 40 else "another" for value in (its.get(option), mine.get(option))]
                return f"the option {option} {shown[0]}, not {shown[1]}"
    said = "the rules version" if name == "rules_version" else "the version of sandriver" if name == "sandriver" else name
    return f"{said} {its}, not {mine}"
