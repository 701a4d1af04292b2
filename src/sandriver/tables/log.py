"""The log of a table: its entries, and the row in which each is stored.

A table is its log: entry ``v`` (from 1, no gaps) leads from version ``v - 1`` to ``v``, and everything else about the table is
computed from them (``state.py``). Entries are facts and are never changed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandriver.tables.wire import SeatPlan


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


class Action(msgspec.Struct, frozen=True, tag_field="kind", tag="action"):
    """One action played."""

    seat: int
    ply: int
    """Its number, from 1."""
    move: str
    """In notation with all its chance."""


class Resigned(msgspec.Struct, frozen=True, tag_field="kind", tag="resigned", omit_defaults=True):
    """A seat gave up. The game is over, unless others play on."""

    seat: int
    bot: str | None = None
    """The bot that plays on for it, if the game goes on."""


class Rematch(msgspec.Struct, frozen=True, tag_field="kind", tag="rematch", omit_defaults=True):
    """A seat asked for another game, or (``table``) all had and the next table was opened."""

    seat: int | None = None
    table: str | None = None


Entry = Opened | Joined | Filled | Started | Action | Resigned | Rematch


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

    @property
    def seat(self) -> int | None:
        """Seat that the entry is about; of ``filled`` the owner's. ``command`` is an id of this seat's."""
        return getattr(self.entry, "seat", None)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def kind_of(entry: Entry) -> str:
    """Return the entry's kind as text, ``"opened"`` …."""
    return str(type(entry).__struct_config__.tag)


def encode_entry(entry: Entry) -> str:
    """Write an entry as the JSON text that is stored."""
    return _encoder.encode(entry).decode()


def decode_entry(text: str | bytes) -> Entry:
    """Read a stored entry; raises ``msgspec.ValidationError`` for anything else."""
    entry: Entry = _decoder.decode(text)
    return entry
