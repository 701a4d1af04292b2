"""A ledger that moves stones exactly as the events of a move say: whoever hears all of them can follow the whole table.

It knows the names and fields of the events, and nothing of the rules. Stones that are not where an event takes them from are an error, and
so is a newly uncovered stone that no event tells.
"""

from __future__ import annotations

from typing import Any

from tests.oracles.stones import Position, copied


class Ledger:
    """The table as a listener keeps it."""

    def __init__(self, position: Position, *, revealed: bool = False) -> None:
        """``revealed``: covered patterns are open (option ``reveal_covered_patterns``), so nothing is ever uncovered."""
        self._revealed = revealed
        kept = copied(position)
        self.stacks, self.artists, self.boards = kept["stacks"], kept["artists"], kept["boards"]
        self.mandala, self.scores, self.trigger = kept["mandala"], kept["scores"], kept["trigger"]
        self.over = False
        self.outcome: Any = None
        self.heard: list[str] = []
        self._uncovered: dict[int, str] = {}

    def hear(self, event: Any) -> None:
        """Enter one event."""
        assert not self.over, "an event after the end"
        name = type(event).__name__
        assert not self._uncovered or name == "Uncovered", f"{name} before {self._uncovered} was told"
        self.heard.append(name)
        getattr(self, f"_hear_{name.lower()}")(event)

    def differs(self, position: Position) -> list[str]:
        """What is not as in ``position``, or was not told."""
        wanted = Ledger(position)
        wanted.over = position["turn"] is None
        names = ("stacks", "artists", "boards", "mandala", "scores", "trigger", "over")
        return [name for name in names if getattr(self, name) != getattr(wanted, name)] + list(self._uncovered.values())

    def _hear_moved(self, event: Any) -> None:
        assert self.artists.pop(f"A{event.origin}") == event.pattern
        assert f"A{event.to}" not in self.artists
        self.artists[f"A{event.to}"] = event.pattern

    def _hear_gathered(self, event: Any) -> None:
        tower = self.boards[event.seat][event.space - 1]
        assert not tower
        for taken in event.stones:
            stack = self.stacks[taken.stack - 1]
            assert stack.pop() == taken.stone
            tower.append(taken.stone)
            if stack and not self._revealed:
                self._uncovered[taken.stack] = stack[-1]

    def _hear_uncovered(self, event: Any) -> None:
        assert [taken.stack for taken in event.stones] == list(self._uncovered)
        for taken in event.stones:
            assert self._uncovered.pop(taken.stack) == taken.stone

    def _hear_scored(self, event: Any) -> None:
        assert [entry.space for entry in event.stones] == sorted({entry.space for entry in event.stones})
        for entry, place in zip(event.stones, event.places, strict=True):
            tower = self.boards[event.seat][entry.space - 1]
            assert len(tower) == entry.height
            assert tower.pop() == entry.stone
            assert event.colour in (None, entry.stone.upper())
            self.mandala.append(entry.stone)
            assert place == len(self.mandala)
        assert [bonus.place for bonus in event.bonuses] == [place for place in event.places if place in {b.place for b in event.bonuses}]
        assert event.points == sum(entry.points for entry in event.stones) + sum(bonus.points for bonus in event.bonuses)
        self.scores[event.seat] += event.points

    def _hear_lastround(self, event: Any) -> None:
        assert self.trigger == "0"
        self.trigger = event.trigger

    def _hear_skipped(self, event: Any) -> None:
        assert not any(self.boards[event.seat])

    def _hear_ended(self, event: Any) -> None:
        self.over, self.outcome = True, event.outcome
