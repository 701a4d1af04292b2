"""What everybody was told during a schedule, and what must hold of it: complaints are raised where they arise, the rest at the end."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec

_FLEETING = re.compile(rb'"online":(?:true|false)|,"away":\[[^\]]*\]')
"""What depends on who is connected, and so on the moment."""


class Told(msgspec.Struct):
    """A frame, as far as a client must understand it; the rest stays text."""

    t: str
    v: int = 0
    ply: int = 0
    id: str | None = None
    code: str | None = None
    rule: str | None = None
    table: msgspec.Raw = msgspec.Raw(b"null")
    view: msgspec.Raw = msgspec.Raw(b"null")
    step: msgspec.Raw = msgspec.Raw(b"null")
    log: tuple[msgspec.Raw, ...] = ()


class TableTold(msgspec.Struct):
    """The table in a frame."""

    state: str
    you: int | None
    seats: tuple[msgspec.Raw, ...]
    proposals: tuple[Any, ...] = ()


class ViewTold(msgspec.Struct):
    """The view in a frame."""

    legal: tuple[str, ...] = ()


read_frame = msgspec.json.Decoder(Told).decode
read_table = msgspec.json.Decoder(TableTold).decode
read_view = msgspec.json.Decoder(ViewTold | None).decode


class Ledger:
    """One for a schedule."""

    def __init__(self) -> None:
        self._notes: list[tuple[object, ...]] = []
        self._shown: dict[tuple[str, int | None, int], tuple[int, bytes, bytes]] = {}
        self._steps: dict[tuple[str, int | None, int], bytes] = {}
        self.acks: dict[tuple[str, str, str], set[int]] = {}
        """Versions with which a command (table, person, id) was acknowledged."""
        self.refused: dict[tuple[str, str, str], str] = {}
        """Final refusals of commands. What changed nothing may be answered in another way later; all else is checked at the end."""
        self.sent: dict[tuple[str, str, str], Any] = {}
        self.asked: dict[tuple[str, str, str], set[int]] = {}
        """Processes that a command was sent to; none knows what another one has refused."""
        self.counts: dict[str, int] = {}

    def note(self, *parts: object) -> None:
        """Add to the trace (nothing that changes later): equal traces, equal schedules."""
        self._notes.append(parts)

    def count(self, what: str) -> None:
        """Remember that something happened at all."""
        self.counts[what] = self.counts.get(what, 0) + 1

    @property
    def trace(self) -> str:
        """The hash of all that happened."""
        trace = hashlib.blake2b(digest_size=16)
        for parts in self._notes:
            for part in parts:
                trace.update(part if isinstance(part, bytes) else repr(part).encode())
        return trace.hexdigest()

    def show(self, table: str, frame: Told) -> TableTold:
        """A snapshot or an update reached somebody: equal audiences see equal things at equal versions."""
        told = read_table(frame.table)
        key = (table, told.you, frame.v)
        shown = (frame.ply, bytes(frame.view), _FLEETING.sub(b"", bytes(frame.table)))
        assert self._shown.setdefault(key, shown) == shown, f"two of one audience see different things at {key}"
        steps = enumerate(frame.log, 1) if frame.t == "snapshot" else ((frame.v, frame.step),)
        for v, step in steps:
            heard = bytes(step)
            assert self._steps.setdefault((table, told.you, v), heard) == heard, f"two of one audience hear different things at {key}, {v}"
        if frame.t == "snapshot":
            assert len(frame.log) == frame.v, f"a snapshot at {frame.v} has {len(frame.log)} steps"
        return told

    def answer(self, table: str, person: str, frame: Told) -> None:
        """A command was answered, for good or not: what was acknowledged stays so."""
        assert frame.id is not None
        key = (table, person, frame.id)
        if frame.t == "ack":
            self.acks.setdefault(key, set()).add(frame.v)
        elif frame.code != "try_again":
            self.refused.setdefault(key, str(frame.code))
