"""What can go wrong at a table: a refusal with its code for the sender, and the faults of the store beneath."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from sandriver.tables.wire import REFUSALS, Refused, Snapshot


class Refusal(Exception):
    """A command or request that was not carried out. ``refused`` is the frame to send back as it is."""

    def __init__(
        self,
        code: str,
        *,
        rule: str | None = None,
        params: Mapping[str, str | int] | None = None,
        snapshot: Snapshot | None = None,
        command_id: str | None = None,
    ) -> None:
        assert code in REFUSALS, code
        self.refused = Refused(id=command_id, code=code, rule=rule, params=dict(params or {}), snapshot=snapshot)
        super().__init__(code if rule is None else f"{code}: {rule}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code,), self.__dict__ | {"args": self.args}

    def belongs_to(self, command_id: str) -> None:
        """Say which command was refused, if that is not said yet."""
        if self.refused.id is None:
            self.refused = replace(self.refused, id=command_id[:64])

    @property
    def code(self) -> str:
        """One of ``wire.REFUSALS``."""
        return self.refused.code


class Conflict(Exception):
    """Somebody else wrote that version of that table, or that command, first; nothing of the unit was stored."""


class StoreFailed(Exception):
    """The store could not do it now. After a failed ``append`` the outcome may be unknown: read the log again."""


class CorruptLog(Exception):
    """A stored log that cannot be read or does not replay: it was tampered with, a later version of this program wrote in it, or the rules
    changed without a new version. ``v``: the entry's version, where that is known. The message may name hidden cards.
    """

    def __init__(self, message: str, v: int = 0) -> None:
        super().__init__(message)
        self.v = v


class RecordError(ValueError):
    """A record that cannot be read or does not verify. ``line`` counts from 1; 0 when the fault is of the whole record."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.line, self.message), self.__dict__
