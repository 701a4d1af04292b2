"""What passes between a table and those at it: commands in, frames out, and the refusals with their codes.

Nothing here knows which game is played: a view and an event are the game's own structs, carried as they are.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

REFUSALS = (
    "illegal", "not_your_turn", "stale", "game_over", "unknown_table", "bad_request",
    "not_seated", "seat_taken", "not_running", "too_many_requests", "try_again", "forbidden", "too_large",
)  # fmt: skip


# --- opening: what a new table shall be ----------------------------------------------------------


class SeatPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may take one seat: any person, or the bot named."""

    kind: Literal["person", "bot"]
    bot: str | None = None
    """The bot's id; only for ``bot``."""


class OpenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish for a new table. Opening seats nobody: each person joins afterwards, with a nonce."""

    game: str
    seats: tuple[SeatPlan, ...]
    """In seat order; at least one of them a person."""
    options: dict[str, Any] = {}
    """Options of the game; what is not named has its default."""
    first: int | None = None
    """The seat that begins; ``None``: drawn from the committed shuffle."""


# --- commands: what a client sends ---------------------------------------------------------------


class Act(msgspec.Struct, frozen=True, tag_field="t", tag="act", forbid_unknown_fields=True):
    """Play an action. ``id`` is chosen by the sender; the same id again gets the first answer again."""

    id: str
    ply: int
    """Number of actions played when the sender chose this one."""
    action: str


class Resign(msgspec.Struct, frozen=True, tag_field="t", tag="resign", forbid_unknown_fields=True):
    """Give the game up. The two steps are the client's: a resignation that arrives is final.

    Others play on, if there are several and a person among them; a bot then plays for the seat, which cannot win.
    """

    id: str


class Rematch(msgspec.Struct, frozen=True, tag_field="t", tag="rematch", forbid_unknown_fields=True):
    """After the end: ask for another game, or agree to one. A bot agrees at once."""

    id: str


class Fill(msgspec.Struct, frozen=True, tag_field="t", tag="fill", forbid_unknown_fields=True):
    """Before the start, by the owner: give an open seat to a bot, or (``bot`` left out) take the bot away so that people may sit there."""

    id: str
    seat: int
    bot: str | None = None
    """The bot's id."""


class Hurry(msgspec.Struct, frozen=True, tag_field="t", tag="hurry", forbid_unknown_fields=True):
    """Skip the pause a bot makes before its move."""

    id: str


class Sync(msgspec.Struct, frozen=True, tag_field="t", tag="sync", forbid_unknown_fields=True):
    """Ask for everything after version ``since``: the missing steps, or the snapshot."""

    since: int


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Ask for a sign of life."""


Command = Act | Resign | Rematch | Fill | Hurry | Sync | Ping


# --- frames: what a viewer gets ------------------------------------------------------------------


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat of a table."""

    kind: Literal["person", "bot", "open"]
    name: str
    """The person's chosen name (may be empty), the bot's id; of an open seat the name of the person it is kept for, or empty."""
    online: bool
    kept: bool = False
    """An open seat that is kept for a person of the game before; no code leads to it."""
    resigned: bool = False
    """This person gave up. While the game goes on, a bot plays here, and the seat cannot win."""


class RematchInfo(msgspec.Struct, frozen=True):
    """Where the wish for another game stands."""

    asked_by: tuple[int, ...]
    table: str | None
    """The next table, once there is one."""


class TableInfo(msgspec.Struct, frozen=True):
    """A table, apart from the position on it."""

    id: str
    game: str
    rules_version: int
    state: Literal["open", "running", "over"]
    seats: tuple[SeatInfo, ...]
    you: int | None
    """The viewer's seat; ``None`` for a spectator, and for who resigned from a game that goes on."""
    owner: int | None
    """The seat of who opened the table: they may give open seats to bots."""
    first: int | None
    """The seat that began, once the game runs."""
    to_move: int | None
    """The seat whose turn it is, while the game runs."""
    commitment: str
    """SHA-256 of the shuffle secret, 64 hex digits, published when the table is opened."""
    secret: str | None
    """The secret itself, 64 hex digits, after the end."""
    code: str | None
    """The short invitation code; only while a seat is open to anybody and only for who sits at the table."""
    ended_by: str | None
    """How it ended: the game's own reason code, ``resigned``, or ``stopped`` (after more actions than any game needs)."""
    winners: tuple[int, ...]
    """Seats that won, once over; every seat: a draw. Who resigned is never among them."""
    rematch: RematchInfo


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry of the table's log as the viewer may hear it."""

    v: int
    """Version of the table after it; versions count up by one without gaps."""
    kind: Literal["opened", "joined", "filled", "started", "action", "resigned", "rematch"]
    seat: int | None = None
    """The seat that it is about."""
    ply: int | None = None
    """For an action: its number, from 1."""
    move: str = ""
    events: tuple[Any, ...] = ()


class Snapshot(msgspec.Struct, frozen=True, tag_field="t", tag="snapshot"):
    """Everything a viewer may know, at version ``v``."""

    v: int
    ply: int
    table: TableInfo
    options: dict[str, Any]
    """Every option of the game with its value; they never change, so updates leave them out."""
    view: Any | None
    """The game's view; ``None`` while the table waits for players."""
    log: tuple[Step, ...]


class Update(msgspec.Struct, frozen=True, tag_field="t", tag="update"):
    """One step, from version ``v - 1`` to ``v``, with the table and the view after it."""

    v: int
    ply: int
    step: Step
    table: TableInfo
    view: Any | None


class Presence(msgspec.Struct, frozen=True, tag_field="t", tag="presence"):
    """Who is connected; not part of the log, carries no version."""

    online: tuple[bool, ...]
    spectators: int


class Ack(msgspec.Struct, frozen=True, tag_field="t", tag="ack"):
    """A command was carried out and is stored; ``v`` is the version it made."""

    id: str
    v: int


class Refused(msgspec.Struct, frozen=True, tag_field="t", tag="refused"):
    """A command was not carried out. ``snapshot`` is fresh where the sender was out of date."""

    id: str | None
    code: str
    rule: str | None = None
    """For ``illegal``: the code of the rule that forbids it."""
    params: dict[str, str | int] = {}
    snapshot: Snapshot | None = None


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """A sign of life."""


Frame = Snapshot | Update | Presence | Ack | Refused | Pong
