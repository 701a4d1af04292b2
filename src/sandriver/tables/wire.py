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


class ClockPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much time each person has. Bots have no clock."""

    base_s: int
    """Seconds: for the whole game, or (``per_move``) for every action."""
    increment_s: int = 0
    """Seconds added after each own action; only for ``fischer``."""
    kind: Literal["fischer", "per_move"] = "fischer"


ChatMode = Literal["all", "phrases", "off"]


class OpenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish for a new table. Opening seats nobody: each person joins afterwards, with a nonce."""

    game: str
    seats: tuple[SeatPlan, ...]
    """In seat order; at least one of them a person."""
    options: dict[str, Any] = {}
    """Options of the game; what is not named has its default."""
    first: int | None = None
    """The seat that begins; ``None``: drawn from the committed shuffle."""
    clock: ClockPlan | None = None
    """``None``: nobody's time is counted."""
    chat: ChatMode = "all"
    """What people at the table may say to each other: anything, the ready phrases only, nothing."""


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
    """After the end: ask for another game, agree to one, or (``yes`` false) say that one wants none. A bot agrees at once.

    Who said no may still say yes; who said yes is taken at their word.
    """

    id: str
    yes: bool = True


class Fill(msgspec.Struct, frozen=True, tag_field="t", tag="fill", forbid_unknown_fields=True):
    """Before the start, by the owner: give an open seat to a bot, or (``bot`` left out) take the bot away so that people may sit there."""

    id: str
    seat: int
    bot: str | None = None
    """The bot's id."""


What = Literal["draw", "undo", "pause", "resume"]
"""What needs everybody's consent."""


class Propose(msgspec.Struct, frozen=True, tag_field="t", tag="propose", forbid_unknown_fields=True):
    """Ask everybody who plays to agree to something. Bots agree at once, but never to a draw.

    ``undo`` goes back to before the asker's latest action. ``pause`` and ``resume`` need a clock.
    """

    id: str
    what: What
    ply: int
    """Number of actions played when the sender chose to ask."""


class Answer(msgspec.Struct, frozen=True, tag_field="t", tag="answer", forbid_unknown_fields=True):
    """Agree to a proposal, or not; from who made it, "no" withdraws it."""

    id: str
    what: What
    v: int
    """``Proposal.v`` of the one that is answered."""
    yes: bool


class Claim(msgspec.Struct, frozen=True, tag_field="t", tag="claim", forbid_unknown_fields=True):
    """Say that who must act has been away too long (``Presence.away``): the game is won, or a bot plays for them until they return."""

    id: str
    seat: int
    """The seat of who is away."""
    to: Literal["win", "bot"]
    """``win`` only at a table for two."""


class Return(msgspec.Struct, frozen=True, tag_field="t", tag="return", forbid_unknown_fields=True):
    """Be back: take over again from the bot that played meanwhile."""

    id: str


Phrase = Literal[
    "hello", "good_luck", "well_played", "nice_move", "thanks", "sorry", "oops", "thinking", "one_moment", "back", "your_turn", "good_game",
    "again", "bye",
]  # fmt: skip
"""What can be said in every language: codes, for the reader's own catalogue."""


class Say(msgspec.Struct, frozen=True, tag_field="t", tag="say", forbid_unknown_fields=True):
    """Say something to the people at the table: a ready phrase, or a text of 1 to 200 characters. Exactly one of the two."""

    id: str
    phrase: Phrase | None = None
    text: str | None = None


class Hurry(msgspec.Struct, frozen=True, tag_field="t", tag="hurry", forbid_unknown_fields=True):
    """Skip the pause a bot makes before its move."""

    id: str


class Sync(msgspec.Struct, frozen=True, tag_field="t", tag="sync", forbid_unknown_fields=True):
    """Ask for everything after version ``since``: the missing steps, or the snapshot."""

    since: int


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Ask for a sign of life."""


Command = Act | Resign | Rematch | Fill | Propose | Answer | Claim | Return | Say | Hurry | Sync | Ping


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
    flagged: bool = False
    """This person ran out of time; as with ``resigned``, a bot plays on, if the game goes on, and the seat cannot win."""
    absent: bool = False
    """Was told absent. While the game goes on a bot plays here until the person returns (command ``return``); the seat can still win."""


class RematchInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the wish for another game stands."""

    asked_by: tuple[int, ...]
    table: str | None
    """The next table, once there is one."""
    declined_by: tuple[int, ...] = ()
    """Seats that said they want no other; each may still change its mind and ask."""


class ClockInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the clocks stand. All moments are the server's time in ms since 1970, which ``Pong.at`` tells."""

    plan: ClockPlan
    at: int
    """The moment to which ``remaining`` belongs."""
    remaining: tuple[int, ...]
    """Ms by seat at that moment; of the running one less by now."""
    running: int | None = None
    """The seat whose clock runs; none while a bot is to move, in a pause and after the end."""
    deadline: int | None = None
    """When the running clock is at zero. A little later, to make up for slow connections, the flag falls."""
    paused: bool = False
    free_at: int | None = None
    """In a pause: from when on one person alone may end it."""


class Proposal(msgspec.Struct, frozen=True):
    """Something that awaits consent."""

    what: What
    seat: int
    """Who asked."""
    v: int
    """Version at which it was asked; names it in ``Answer``."""
    waiting: tuple[int, ...]
    """Seats that have not answered yet."""


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True):
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
    """The seat that begins, or began; before the start ``None`` where that will be drawn."""
    to_move: int | None
    """The seat whose turn it is, while the game runs."""
    commitment: str
    """SHA-256 of the shuffle secret, 64 hex digits, published when the table is opened."""
    secret: str | None
    """The secret itself, 64 hex digits, after the end."""
    code: str | None
    """The short invitation code; only while a seat is open to anybody and only for who sits at the table."""
    ended_by: str | None
    """How it ended: the game's own reason code, ``resigned``, ``time``, ``absence``, ``agreed`` (a draw by consent), or ``stopped`` (after
    more actions than any game needs)."""
    winners: tuple[int, ...]
    """Seats that won, once over; every seat: a draw. Who resigned or ran out of time is never among them."""
    rematch: RematchInfo
    chat: ChatMode = "off"
    """What the people at the table may say; ``off`` too where there is only one."""
    clock: ClockInfo | None = None
    """``None``: untimed. Before the start everybody has all of it."""
    proposals: tuple[Proposal, ...] = ()
    """What awaits consent, at most one of each kind."""
    undo: bool = False
    """Whether the viewer can ask for ``undo`` now."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry of the table's log as the viewer may hear it."""

    v: int
    """Version of the table after it; versions count up by one without gaps."""
    kind: Literal[
        "opened", "joined", "filled", "started", "action", "resigned", "flagged", "proposed", "answered", "drawn", "undone", "paused",
        "resumed", "absent", "returned", "said", "rematch", "no_rematch",
    ]  # fmt: skip
    seat: int | None = None
    """The seat that it is about; of ``undone`` the one that asked."""
    ply: int | None = None
    """For an action: its number, from 1. For ``undone``: how many actions are left, those above it are taken back."""
    move: str = ""
    events: tuple[Any, ...] = ()
    what: What | None = None
    """For ``proposed`` and ``answered``."""
    yes: bool | None = None
    """For ``answered``. "No" from who asked: withdrawn."""
    phrase: Phrase | None = None
    text: str | None = None
    """What was said, for those at the table; spectators get neither phrase nor text."""


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


class Presence(msgspec.Struct, frozen=True, tag_field="t", tag="presence", omit_defaults=True):
    """Who is connected; not part of the log, carries no version."""

    online: tuple[bool, ...]
    spectators: int
    away: tuple[int | None, ...] = ()
    """By seat: the moment (server's ms) from which others may ``claim`` that who must act there is absent. Empty: nobody can be told so."""


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

    at: int = 0
    """The server's time, ms since 1970: with half the time since the ping added, what clocks and deadlines are measured by."""


Frame = Snapshot | Update | Presence | Ack | Refused | Pong
