"""The record of a game as text: what it holds, and its parse/format pair.

A record is UTF-8 text with one thing a line: headers, an empty line, the start position, then one move a line::

    Sandriver-Record: 1
    Table: k3mwq7xh2pdz                     id of the table, part of the shuffle's key
    Date: 2026-11-29T22:52:01Z              when it was opened (UTC)
    Game: mandala
    Rules: 1                                rules version
    Options: {"exhaustion":"eager", …}      JSON, every option
    Seat A: person "Ana"                    one line a seat, in seat order: person, bot or open, and the name as JSON text
    Seat B: bot "apprentice"
    First: A drawn                          the seat that began, and whether that was drawn or fixed
    Commitment: 64 hex digits               SHA-256 of the secret
    Nonce A: 32 hex digits                  one line a seat  } once the game is over
    Nonce B: 32 hex digits                                   }
    Secret: 64 hex digits                                    }
    Resigned: B@12                          only if somebody gave up: who, after how many moves
    Flagged: B@12                           the same for who ran out of time
    Absent: B@12                            and for who was away too long, and lost by it
    Result: A sixth_colour 34/21            seats that won (all: a draw), reason, points by seat; * while the game runs
    View: A                                 only while the game runs: whose projection this is (a seat, or spectator)

    -/-/- … 0/0                             start position; ? where the viewer may not know it
    b1R>GPY                                 moves with their chance; hidden chance as the viewer heard it (b1R>?3)

Headers may stand in any order; unknown or repeated ones are refused. ``format_record(parse_record(text)) == text`` for whatever
``format_record`` wrote.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from sandriver.tables.errors import RecordError
from sandriver.tables.log import Absent, Action, Flagged, Resigned, Row, Undone
from sandriver.tables.state import State
from sandriver.tables.wire import Snapshot

FORMAT = 1
SIZE_LIMIT = 110_000
"""Longest text that is read, in bytes (UTF-8). The longest game there can be, 5,000 redraws of eight cards, has 75,000; options have what
fits a wish."""
DATE = "%Y-%m-%dT%H:%M:%SZ"


class RecordSeat(msgspec.Struct, frozen=True):
    """One seat: its name in notation, who sat there, and their nonce once it is revealed."""

    seat: str
    kind: Literal["person", "bot", "open"]
    name: str
    nonce: str | None = None


class Leaving(msgspec.Struct, frozen=True):
    """A seat (number) that cannot win from ``ply`` moves on, and why."""

    seat: int
    ply: int
    why: Literal["resigned", "time", "absence"] = "resigned"


LEFT: dict[str, Literal["resigned", "time", "absence"]] = {"Resigned": "resigned", "Flagged": "time", "Absent": "absence"}
"""The headers that tell of it, and the reason that each gives when the game is over with it."""


class Result(msgspec.Struct, frozen=True):
    """How it ended. ``winners`` are seat numbers, never one that left."""

    winners: tuple[int, ...]
    reason: str
    scores: tuple[int, ...]


class Record(msgspec.Struct, frozen=True):
    """A game, whole or as one viewer may know it."""

    table: str
    date: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[RecordSeat, ...]
    commitment: str
    first: int | None = None
    first_fixed: bool = False
    secret: str | None = None
    left: tuple[Leaving, ...] = ()
    """In the order of the moves; after equally many, in that of ``LEFT``."""
    result: Result | None = None
    view: str | None = None
    start: str | None = None
    moves: tuple[str, ...] = ()


class Lines(msgspec.Struct, frozen=True):
    """Where things stand in a text, lines counted from 1: headers by name, the start position. Moves follow it."""

    headers: dict[str, int]
    start: int


def of_table(state: State, rows: Sequence[Row], snapshot: Snapshot) -> Record:
    """The record of a table as the viewer of ``snapshot`` may have it: all of it once the game is over, before that what they heard."""
    over = state.phase == "over"
    names = state.game.seat_names
    seats = []
    for number, info in enumerate(snapshot.table.seats):
        seat = state.seats[number]
        seats.append(RecordSeat(names[number], info.kind, info.name, seat.nonce if over and seat is not None else None))
    played: list[str] = []
    heard: list[str] = []
    left: list[Leaving] = []
    for row, step in zip(rows, snapshot.log, strict=True):
        match row.entry:
            case Action(move=move):
                played.append(move)
                heard.append(step.move)
            case Undone(ply=ply):  # what was taken back is no part of the game
                del played[ply:], heard[ply:]
            case Resigned(seat=gone):
                left.append(Leaving(gone, len(played)))
            case Flagged(seat=gone):
                left.append(Leaving(gone, len(played), "time"))
            case Absent(place=gone, bot=None):
                left.append(Leaving(gone, len(played), "absence"))
    you = snapshot.table.you
    return Record(
        table=state.id,
        date=dt.datetime.fromtimestamp(rows[0].at // 1000, dt.UTC).strftime(DATE),
        game=state.opened.game,
        rules_version=state.opened.rules_version,
        options=state.opened.options,
        seats=tuple(seats),
        commitment=state.opened.commitment,
        first=state.first,
        first_fixed=state.opened.first is not None,
        secret=state.opened.secret if over else None,
        left=tuple(sorted(left, key=_order)),
        result=Result(state.winners, state.ended_by or "", tuple(state.position.scores)) if over else None,
        view=None if over else "spectator" if you is None else names[you],
        start=state.game.format_position(state.start) if over else None,
        moves=tuple(played if over else heard),
    )


def _order(each: Leaving) -> tuple[int, int]:
    return each.ply, list(LEFT.values()).index(each.why)


def format_record(record: Record) -> str:
    """Write a record; the inverse of ``parse_record``."""
    names = [seat.seat for seat in record.seats]
    lines = [
        f"Sandriver-Record: {FORMAT}",
        f"Table: {record.table}",
        f"Date: {record.date}",
        f"Game: {record.game}",
        f"Rules: {record.rules_version}",
        f"Options: {_json(record.options)}",
        *(f"Seat {seat.seat}: {seat.kind} {_json(seat.name)}" for seat in record.seats),
    ]
    if record.first is not None:
        lines.append(f"First: {names[record.first]} {'fixed' if record.first_fixed else 'drawn'}")
    lines.append(f"Commitment: {record.commitment}")
    lines += [f"Nonce {seat.seat}: {seat.nonce}" for seat in record.seats if seat.nonce is not None]
    if record.secret is not None:
        lines.append(f"Secret: {record.secret}")
    for header, why in LEFT.items():
        if left := [f"{names[each.seat]}@{each.ply}" for each in record.left if each.why == why]:
            lines.append(f"{header}: {','.join(left)}")
    lines.append(f"Result: {'*' if record.result is None else format_result(record.result, names)}")
    if record.view is not None:
        lines.append(f"View: {record.view}")
    lines += ["", record.start or "?", *record.moves]
    return "\n".join(lines) + "\n"


def format_result(result: Result, seat_names: Sequence[str]) -> str:
    """Write a result, ``"A sixth_colour 34/21"``."""
    return f"{','.join(seat_names[seat] for seat in result.winners)} {result.reason} {'/'.join(map(str, result.scores))}"


def parse_record(text: str) -> Record:
    """Read a record. Raises ``RecordError`` with the line that is at fault. Moves and position are not looked into."""
    return parse_lines(text)[0]


def parse_lines(text: str) -> tuple[Record, Lines]:
    """Read a record, and where its parts stand."""
    if len(text) > SIZE_LIMIT or len(text.encode(errors="surrogatepass")) > SIZE_LIMIT:
        raise RecordError(0, f"longer than {SIZE_LIMIT} bytes")
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    headers, end = _headers(lines)
    body = lines[end:]
    for number, line in enumerate(body, end + 1):
        if not line or line != line.strip():
            raise RecordError(number, "an empty line or spaces around a move")
    if not body:
        raise RecordError(0, "the start position is missing")
    record = _record(headers, body)
    return record, Lines({name: number for name, (number, _) in headers.items()}, end + 1)


def _headers(lines: Sequence[str]) -> tuple[dict[str, tuple[int, str]], int]:
    """Headers as {name: (line, value)}, and the number of lines up to and with the empty one that ends them."""
    headers: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        if not line:
            return headers, number
        name, colon, value = line.partition(": ")
        if not colon or not re.fullmatch(r"[A-Z][A-Za-z-]*( [!-~]+)?", name):
            raise RecordError(number, "not a header of the form 'Name: value'")
        if name.split(" ")[0] not in _NAMES or (" " in name) != (name.split(" ")[0] in ("Seat", "Nonce")):
            raise RecordError(number, f"unknown header {name!r}")
        if name in headers:
            raise RecordError(number, f"header {name!r} stands twice")
        headers[name] = number, value
    raise RecordError(0, "the empty line between headers and start position is missing")


_NAMES = (
    "Sandriver-Record",
    "Table",
    "Date",
    "Game",
    "Rules",
    "Options",
    "Seat",
    "First",
    "Commitment",
    "Nonce",
    "Secret",
    *LEFT,
    "Result",
    "View",
)


def _record(headers: dict[str, tuple[int, str]], body: Sequence[str]) -> Record:
    def get(name: str, pattern: str) -> re.Match[str]:
        if name not in headers:
            raise RecordError(0, f"header {name!r} is missing")
        number, value = headers[name]
        match = re.fullmatch(pattern, value, re.ASCII)
        if match is None:
            raise RecordError(number, f"bad value in header {name!r}")
        return match

    def seat_number(name: str, line: str) -> int:
        if name not in names:
            raise RecordError(headers[line][0], f"there is no seat {name!r}")
        return names.index(name)

    if get("Sandriver-Record", r"\d{1,4}")[0] != str(FORMAT):
        raise RecordError(headers["Sandriver-Record"][0], f"not a record of format {FORMAT}")
    names = [name.split(" ")[1] for name in headers if name.startswith("Seat ")]
    for name in headers:
        if name.startswith("Nonce "):
            seat_number(name.split(" ")[1], name)
    seats = []
    for name in names:
        match = get(f"Seat {name}", r"(person|bot|open) (\".*\")")
        nonce = get(f"Nonce {name}", r"[0-9a-f]{32}")[0] if f"Nonce {name}" in headers else None
        kind: Any = match[1]
        seats.append(RecordSeat(name, kind, _decode(match[2], str, headers[f"Seat {name}"][0]), nonce))
    first = get("First", r"(\w+) (drawn|fixed)") if "First" in headers else None
    result = None
    if headers.get("Result", (0, ""))[1] != "*":
        match = get("Result", r"([\w,]+) (\w+) (\d{1,6}(?:/\d{1,6})*)")
        winners = tuple(seat_number(name, "Result") for name in match[1].split(","))
        result = Result(winners, match[2], tuple(map(int, match[3].split("/"))))
    left = [each for header in LEFT if header in headers for each in _left(header, headers[header][0], get(header, _LEFT)[0], seat_number)]
    return Record(
        table=get("Table", r"[a-z0-9]{1,32}")[0],
        date=get("Date", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")[0],
        game=get("Game", r"[a-z0-9_]{1,32}")[0],
        rules_version=int(get("Rules", r"\d{1,6}")[0]),
        options=_decode(get("Options", r"\{.*\}")[0], dict[str, Any], headers["Options"][0]),
        seats=tuple(seats),
        commitment=get("Commitment", r"[0-9a-f]{64}")[0],
        first=None if first is None else seat_number(first[1], "First"),
        first_fixed=first is not None and first[2] == "fixed",
        secret=get("Secret", r"[0-9a-f]{64}")[0] if "Secret" in headers else None,
        left=tuple(sorted(left, key=_order)),
        result=result,
        view=get("View", r"\w+")[0] if "View" in headers else None,
        start=None if body[0] == "?" else body[0],
        moves=tuple(body[1:]),
    )


_LEFT = r"[^\W_]+@\d{1,6}(?:,[^\W_]+@\d{1,6})*"


def _left(header: str, line: int, value: str, seat_number: Callable[[str, str], int]) -> Iterator[Leaving]:
    before = 0
    for each in value.split(","):
        name, _, text = each.partition("@")
        ply = int(text)
        if ply < before:
            raise RecordError(line, f"{each} stands after somebody who left after {before} moves")
        before = ply
        yield Leaving(seat_number(name, header), ply, LEFT[header])


_dumps: Callable[[object], bytes] = msgspec.json.Encoder(order="sorted").encode


def _json(value: object) -> str:
    return _dumps(value).decode()


def _decode(text: str, kind: Any, line: int) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise RecordError(line, f"bad JSON: {error}") from error
    except RecursionError:
        raise RecordError(line, "bad JSON: nested too deeply") from None
