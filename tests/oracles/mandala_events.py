"""A ledger that moves cards exactly as the events of a move say: whoever hears all of them can follow the whole table.

It knows the names and fields of the events, and nothing of the rules. Cards that are not where an event takes them from are an error.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tests.oracles.mandala import Position


def counted(text: str) -> Counter[str]:
    """The cards of a count string."""
    return Counter({colour: int(number) for colour, number in re.findall(r"([KGPYOR])([0-9]+)", text)})


class Ledger:
    """The table as a listener keeps it."""

    def __init__(self, position: Position) -> None:
        self.mountain = [Counter(cards) for cards in position["mountain"]]
        self.field = [[Counter(cards) for cards in fields] for fields in position["field"]]
        self.hand = [Counter(cards) for cards in position["hand"]]
        self.claimed = [Counter(cards) for cards in position["claimed"]]
        self.river = [list(river) for river in position["river"]]
        self.deck: Counter[str] = Counter(position["deck"])
        self.pile: Counter[str] = Counter(position["discard"])
        self.last, self.over = position["last"], False
        self.outcome: Any = None

    def hear(self, event: Any) -> None:
        """Enter one event."""
        assert not self.over, "an event after the end"
        getattr(self, f"_{type(event).__name__.lower()}")(event)

    def differs(self, position: Position) -> list[str]:
        """What is not as in ``position``."""
        wanted = Ledger(position)
        wanted.over = position["turn"] is None
        names = ("mountain", "field", "hand", "claimed", "river", "deck", "pile", "last", "over")
        return [name for name in names if getattr(self, name) != getattr(wanted, name)]

    @staticmethod
    def _move(cards: Counter[str], origin: Counter[str], target: Counter[str]) -> None:
        assert cards <= origin, f"{dict(cards)} of {dict(origin)}"
        origin -= cards  # in place, for both
        target += cards

    def _built(self, event: Any) -> None:
        self._move(Counter(event.colour), self.hand[event.seat], self.mountain[event.mandala])

    def _grown(self, event: Any) -> None:
        self._move(Counter(event.colour * event.count), self.hand[event.seat], self.field[event.mandala][event.seat])

    def _redrawn(self, event: Any) -> None:
        self._move(Counter(event.colour * event.count), self.hand[event.seat], self.pile)

    def _drawn(self, event: Any) -> None:
        self._move(counted(event.cards), self.deck, self.hand[event.seat])

    def _refilled(self, event: Any) -> None:
        self._move(counted(event.cards), self.deck, self.mountain[event.mandala])
        assert self.mountain[event.mandala].total() <= 2

    def _shuffled(self, event: Any) -> None:
        assert not self.deck.total()
        assert event.cards == self.pile.total() > 0
        self.deck, self.pile = self.pile, Counter()

    def _lastmandala(self, event: Any) -> None:
        assert not self.last
        self.last = True

    def _completed(self, event: Any) -> None:
        cards = self.mountain[event.mandala] + self.field[event.mandala][0] + self.field[event.mandala][1]
        assert len(cards) == 6
        sizes = [field.total() for field in self.field[event.mandala]]
        assert event.tie == (sizes[0] == sizes[1] > 0)
        assert (event.first is None) == (sizes == [0, 0])

    def _swept(self, event: Any) -> None:
        self._move(counted(event.cards), self.mountain[event.mandala], self.pile)

    def _claimed(self, event: Any) -> None:
        assert self.mountain[event.mandala][event.colour] == event.count
        assert (event.river_place is not None) + event.cup + event.discarded == event.count
        mountain = self.mountain[event.mandala]
        self._move(Counter(event.colour * event.discarded), mountain, self.pile)
        self._move(Counter(event.colour * event.cup), mountain, self.claimed[event.seat])
        if event.river_place is not None:
            self._move(Counter(event.colour), mountain, Counter())
            self.river[event.seat].append(event.colour)
            assert event.river_place == len(self.river[event.seat])

    def _cleared(self, event: Any) -> None:
        assert not self.mountain[event.mandala].total()
        for field, text in zip(self.field[event.mandala], event.fields, strict=True):
            self._move(counted(text), field, self.pile)
            assert not field.total()

    def _ended(self, event: Any) -> None:
        self.over, self.outcome = True, event.outcome
