"""What the HTTP endpoints take and give, apart from what the tables themselves say (``sandriver.tables.wire``)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandriver.tables.replay import Replay
from sandriver.tables.wire import OpenTable, Snapshot, TableInfo

LANGUAGES = ("en", "pt-BR", "ja", "el")
Language = Literal["en", "pt-BR", "ja", "el"]


class Me(msgspec.Struct, frozen=True):
    """The guest who asks."""

    known: bool
    """The server has met this guest: a name was given, or a table opened or joined."""
    name: str
    """The chosen name; may be empty."""
    language: Language | None
    """The chosen language; ``None``: whatever the browser asks for."""


class MeChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a guest changes about themselves; what is left out stays."""

    name: Annotated[str, Meta(max_length=200)] | None = None
    """1 to 24 characters once trimmed and normalised; no control characters."""
    language: Language | None = None


class BotInfo(msgspec.Struct, frozen=True):
    """A bot that can take a seat."""

    id: str
    version: int
    level: int | None = None
    """Its place among the levels that players are recommended, 1 (gentle) and up; ``None``: it is none of them."""
    elo: int | None = None
    """A level's strength as measured with the fewest seats; the bot ``random`` would have 0."""
    thinking_ms: int | None = None
    """What a move takes a level on average, on one core that is free."""


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    id: str
    rules_version: int
    seat_counts: tuple[int, ...]
    seat_names: tuple[str, ...]
    options: dict[str, Any]
    """Every option with its default."""
    bots: tuple[BotInfo, ...]


class ClockLimits(msgspec.Struct, frozen=True):
    """What a clock of one kind can be: the least and the most of each number."""

    kind: Literal["fischer", "per_move"]
    base_s: tuple[int, int]
    increment_s: tuple[int, int]


class Games(msgspec.Struct, frozen=True):
    """Every game that can be played here."""

    games: tuple[GameInfo, ...]
    clocks: tuple[ClockLimits, ...]
    """The same for every game."""


class TableOpened(msgspec.Struct, frozen=True):
    """A table that waits for its players."""

    id: str
    commitment: str
    """SHA-256 of the shuffle secret, 64 hex digits."""


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat. Who opened the table needs no code. The answer is the table's snapshot."""

    code: Annotated[str, Meta(max_length=16)] | None = None
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    """``None``: the first open one."""
    nonce: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")] | None = None
    """32 hex digits that go into the shuffle, best made by the client; ``None``: the server makes them."""


class Invitation(msgspec.Struct, frozen=True):
    """The table that a short code belongs to, as a spectator sees it."""

    table: TableInfo
    options: dict[str, Any]
    """Every option of the game with its value."""


class RecordText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be looked at."""

    record: str
    seen_as: Annotated[str, Meta(max_length=16)] | None = None
    """Through whose eyes: a seat's name, ``spectator``, ``all`` (as without it)."""


class MyTables(msgspec.Struct, frozen=True):
    """The tables that the guest opened or sits at, newest first."""

    tables: tuple[TableInfo, ...]


class ApiError(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every error body: a code, what its message needs, and for a stale command the fresh snapshot."""

    code: str
    params: dict[str, str | int] = msgspec.field(default_factory=dict)
    rule: str | None = None
    """For ``illegal``: the code of the rule that forbids the action."""
    snapshot: Snapshot | None = None


class Health(msgspec.Struct, frozen=True):
    """A sign of life."""

    status: Literal["ok"]
    version: str
    """Of the package."""


class Ready(msgspec.Struct, frozen=True):
    """Requests may come here: the store answers."""

    status: Literal["ok"]
    bus: Literal["up", "down"]
    """Whether other processes are heard. While they are not, moves are stored all the same, and followers hear of them a little later."""


REQUESTS: tuple[type[msgspec.Struct], ...] = (MeChange, OpenTable, Join, RecordText)
RESPONSES: tuple[type[msgspec.Struct], ...] = (Me, Games, TableOpened, Invitation, MyTables, Replay, ApiError, Health, Ready)
