"""The log of a table: its entries, and the row in which each is stored.

A table is its log: entry ``v`` (from 1, no gaps) leads from version ``v - 1`` to ``v``, and everything else about the table is
computed from them (``state.py``). Entries are facts and are never changed.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from sandriver.tables.errors import CorruptLog
from sandriver.tables.wire import ChatMode, ClockPlan, SeatPlan, What


class Opened(msgspec.Struct, frozen=True, tag_field="kind", tag="opened", omit_defaults=True):
    """The first entry: what will be played, and the secret behind the published commitment."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[SeatPlan, ...]
    owner: str
    """Person who opened the table, and may join it without the code."""
    secret: str
    commitment: str
    code: str | None = None
    """Invitation code, ``None`` when nobody can be invited."""
    first: int | None = None
    """Seat that begins, if that was fixed beforehand."""
    reserved: tuple[str | None, ...] = ()
    """Person for whom each seat is kept (a rematch), in seat order; empty: nobody."""
    clock: ClockPlan | None = None
    """``None``: untimed."""
    chat: ChatMode = "all"


class Joined(msgspec.Struct, frozen=True, tag_field="kind", tag="joined"):
    """A seat was taken."""

    seat: int
    person: str | None
    """``None``: the bot of the plan."""
    nonce: str


class Filled(msgspec.Struct, frozen=True, tag_field="kind", tag="filled"):
    """Before the start: a seat was given to a bot (which joins next), or is open to people again."""

    seat: int
    """Seat of the owner, who did it."""
    place: int
    """The seat that it is about."""
    bot: str | None
    """The bot's id, ``None``: open to people."""


class Started(msgspec.Struct, frozen=True, tag_field="kind", tag="started"):
    """All seats are taken and the game is set up."""

    first: int
    position: str
    """Start position in notation, nothing hidden."""


class Action(msgspec.Struct, frozen=True, tag_field="kind", tag="action", omit_defaults=True):
    """One action played. One without a command played itself."""

    seat: int
    ply: int
    """Its number, from 1."""
    move: str
    """In notation with all its chance."""
    lag: int = 0
    """Ms by which it came after the deadline, and which the seat was given."""
    held: int = 0
    """Ms before ``at`` that the service itself took, and which the seat's clock is not charged."""


class Resigned(msgspec.Struct, frozen=True, tag_field="kind", tag="resigned", omit_defaults=True):
    """A seat gave up. The game is over, unless others play on."""

    seat: int
    bot: str | None = None
    """The bot that plays on for it, if the game goes on."""


class Flagged(msgspec.Struct, frozen=True, tag_field="kind", tag="flagged", omit_defaults=True):
    """A seat ran out of time. The game is over, unless others play on."""

    seat: int
    bot: str | None = None
    """The bot that plays on for it, if the game goes on."""


class Proposed(msgspec.Struct, frozen=True, tag_field="kind", tag="proposed"):
    """A seat asked for something that needs consent."""

    seat: int
    what: What


class Answered(msgspec.Struct, frozen=True, tag_field="kind", tag="answered"):
    """A seat agreed or did not; "no" from the seat that asked: it was withdrawn."""

    seat: int
    what: What
    yes: bool


class Drawn(msgspec.Struct, frozen=True, tag_field="kind", tag="drawn"):
    """Everybody agreed to a draw: the game is over."""


class Undone(msgspec.Struct, frozen=True, tag_field="kind", tag="undone"):
    """The actions above ``ply`` were taken back."""

    seat: int
    """Who had asked."""
    ply: int


class Paused(msgspec.Struct, frozen=True, tag_field="kind", tag="paused"):
    """The clocks stand still, and nobody acts."""


class Resumed(msgspec.Struct, frozen=True, tag_field="kind", tag="resumed"):
    """The pause is over."""


class Absent(msgspec.Struct, frozen=True, tag_field="kind", tag="absent", omit_defaults=True):
    """A seat that had to act was away too long. The game is over, unless a bot plays for it."""

    seat: int
    """The seat that said so."""
    place: int
    """The seat that it is about."""
    bot: str | None = None
    """The bot that plays until the person returns; ``None``: the game is over."""


class Returned(msgspec.Struct, frozen=True, tag_field="kind", tag="returned"):
    """Who was away plays again."""

    seat: int


class Said(msgspec.Struct, frozen=True, tag_field="kind", tag="said", omit_defaults=True):
    """A seat said something: a phrase (a code) or a text."""

    seat: int
    phrase: str | None = None
    text: str | None = None


class Rematch(msgspec.Struct, frozen=True, tag_field="kind", tag="rematch", omit_defaults=True):
    """A seat asked for another game, or (``table``) all had and the next table was opened."""

    seat: int | None = None
    table: str | None = None


class NoRematch(msgspec.Struct, frozen=True, tag_field="kind", tag="no_rematch"):
    """A seat does not want another game. It may still ask for one later."""

    seat: int


Entry = (
    Opened | Joined | Filled | Started | Action | Resigned | Flagged | Proposed | Answered | Drawn | Undone | Paused | Resumed
    | Absent | Returned | Said | Rematch | NoRematch
)  # fmt: skip


class Row(msgspec.Struct, frozen=True):
    """An entry as it is stored. ``(table, v)`` and ``(table, seat, command)`` are unique, and so is ``terminal`` in a table."""

    table: str
    v: int
    at: int
    """Milliseconds since 1970, UTC; for people to read and for clocks, never for the rules."""
    entry: Entry
    person: str | None = None
    """Who caused it, if a person did."""
    command: str | None = None
    """Id of the command that caused it."""
    terminal: bool = False
    """The game is over with this entry."""
    due: int | None = None
    """For the store alone, and not part of the log: the table is to be looked after at this moment (ms since 1970), if not before."""

    @property
    def seat(self) -> int | None:
        """Seat that the entry is about; of ``filled`` and ``absent`` that of who did it. ``command`` is an id of this seat's."""
        return getattr(self.entry, "seat", None)


_KINDS = {kind: str(kind.__struct_config__.tag) for kind in get_args(Entry)}
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def kind_of(entry: Entry) -> str:
    """Return the entry's kind as text, ``"opened"`` …."""
    return _KINDS[type(entry)]


def encode_entry(entry: Entry) -> str:
    """Write an entry as the JSON text that is stored."""
    return _encoder.encode(entry).decode()


def decode_entry(text: str | bytes) -> Entry:
    """Read a stored entry; raises ``CorruptLog`` for anything else, such as a kind that only a later version of this program knows."""
    try:
        entry: Entry = _decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise CorruptLog(f"no entry that is known here: {error}") from error
    return entry
