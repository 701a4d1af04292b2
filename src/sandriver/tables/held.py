"""Time that the service itself cost the person to move: an action that could not be stored, or was stored late. Nobody's clock pays for it.

It counts what the service has measured, from the receipt of an action to the end of the attempt to store it, and after an attempt that
failed a moment in which the sender may come again. Kept by each process for itself; what was granted stands in the log.
"""

from __future__ import annotations

NOTICED_MS = 200
"""Shorter waits are everyday life, and part of the move."""
AGAIN_MS = 3_000
"""So long after a failed attempt the clock waits for the next one."""


class Held:
    """One for a table in memory: ms held up since the clock of who is to move began to run."""

    __slots__ = ("_failed_at", "_until", "ms")

    def __init__(self) -> None:
        self.ms = 0
        """What has been measured."""
        self._failed_at: int | None = None
        self._until = 0

    def begin(self, stored_late: int = 0) -> None:
        """Somebody else's clock runs from now on; what led to it was stored (and told) so many ms after its moment."""
        self.ms = stored_late if stored_late >= NOTICED_MS else 0
        self._failed_at, self._until = None, 0

    def failed(self, received: int, now: int) -> None:
        """An action that came at ``received`` could not be stored. Attempts that overlap count once."""
        self.ms = self._granted(received)
        self.ms += max(0, now - max(received, self._until))
        self._failed_at, self._until = now, max(now, self._until)

    def at(self, moment: int) -> int:
        """What is not charged, for a clock that is read at a moment."""
        return self._granted(moment)

    @property
    def most(self) -> int:
        """What it can come to if nothing happens any more."""
        return self.ms + (0 if self._failed_at is None else AGAIN_MS)

    def _granted(self, moment: int) -> int:
        return self.ms + (0 if self._failed_at is None else min(max(0, moment - self._failed_at), AGAIN_MS))
