"""Since when who sits at a table has been away: remembered by each process from what it hears of who is connected."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Attendance:
    """One for a table in memory. A person who was never seen here counts as away since the table was read."""

    __slots__ = ("_here", "_now", "_seen", "_since")

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._since = now()
        self._seen: dict[str, int] = {}
        self._here: set[str] = set()

    def note(self, seated: Sequence[str | None], online: Sequence[bool]) -> None:
        """Take note of who is connected; to be called whenever that changes."""
        now = self._now()
        here = {person for person, there in zip(seated, online, strict=True) if there and person is not None}
        for person in here | self._here:
            self._seen[person] = now
        self._here = here

    def gone(self, seated: Sequence[str | None], online: Sequence[bool]) -> tuple[int | None, ...]:
        """By seat, since when (ms) its person is away; ``None`` for who is here, and where no person sits."""
        self.note(seated, online)
        return tuple(
            None if person is None or there else self._seen.get(person, self._since) for person, there in zip(seated, online, strict=True)
        )
