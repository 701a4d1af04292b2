"""What the tables need of a database: the ``Store`` protocol. No other part knows which database it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from sandriver.tables.log import Row


class Person(msgspec.Struct, frozen=True):
    """Somebody who uses this server: a guest, known by the token in their browser."""

    id: str
    name: str
    language: str
    """Language tag of their choice (``"pt-BR"``), empty: none chosen."""


class Store(Protocol):
    """The log of all tables, and the people. Every method raises ``StoreFailed`` when the database cannot do it now."""

    async def append(self, rows: Sequence[Row]) -> None:
        """Store all rows durably, or none of them; they may belong to several tables. A row's ``due`` becomes its table's.

        Raises ``Conflict`` when a ``(table, v)``, a ``(table, seat, command)`` or a table's terminal entry is there already,
        ``StoreFailed`` otherwise. When cancelled or failed, the rows may still have been stored; a later ``rows`` tells.
        """

    async def rows(self, table: str, after: int = 0) -> list[Row]:
        """The entries of a table with a version above ``after``, in order; empty for an unknown table.

        Raises ``CorruptLog`` where one of them is none that this program knows.
        """

    async def table_by_code(self, code: str) -> str | None:
        """The table that was opened with an invitation code."""

    async def due(self, before: int, limit: int) -> list[tuple[str, int, int]]:
        """Tables that are due before a moment (ms since 1970), the earliest first: each with that moment and its newest version."""

    async def put_off(self, table: str, due: int, v: int, until: int | None) -> None:
        """Make a table that is ``due`` then due at another moment (``None``: never), unless it has gone on after version ``v``."""

    async def news(self, known: Mapping[str, int]) -> list[str]:
        """Which of these tables went on after the version that is known of each; a few hundred at a time."""

    async def tables_of(self, person: str, limit: int) -> list[str]:
        """Tables that a person joined or opened, newest first."""

    async def add_person(self, person: Person, token_hash: str, created: int) -> None:
        """Store a new person. ``token_hash``: SHA-256 of the secret in their cookie. ``created``: milliseconds since 1970."""

    async def person_by_token(self, token_hash: str) -> Person | None:
        """The person whose token has this hash."""

    async def people(self, ids: Iterable[str]) -> list[Person]:
        """The people with these ids, in any order; unknown ids are left out."""

    async def update_person(self, person: Person) -> None:
        """Store a person's new name and language."""

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
