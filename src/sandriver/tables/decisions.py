"""What a command would do, as entries with the state after each: nothing is stored here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from sandriver.games.contract import Game, Transition
from sandriver.tables.due import newly_due
from sandriver.tables.fold import fold
from sandriver.tables.log import Entry, Row
from sandriver.tables.opening import FindBot
from sandriver.tables.state import State


class House(msgspec.Struct, frozen=True):
    """What there is to play with, the same at every table."""

    games: Mapping[str, Game]
    find_bot: FindBot
    stand_in: Callable[[str], str]
    """By game, the bot that plays on for somebody who resigned, ran out of time or is away."""


class Change(msgspec.Struct, frozen=True):
    """One entry that a command would add, with the state after it."""

    row: Row
    state: State
    transition: Transition | None = None


class Decision(msgspec.Struct, frozen=True):
    """All that a command would do: entries of its own table, and the first entries of another (a rematch)."""

    changes: tuple[Change, ...] = ()
    elsewhere: tuple[Row, ...] = ()

    @property
    def rows(self) -> list[Row]:
        """Everything to be stored, at once or not at all."""
        return [*[change.row for change in self.changes], *self.elsewhere]


def chain(
    games: Mapping[str, Game], state: State, entries: Sequence[Entry], person: str | None, command: str | None, at: int
) -> tuple[Change, ...]:
    """Fold entries that follow each other; the first is the sender's own and carries the command's id."""
    changes = []
    for number, entry in enumerate(entries):
        own = number == 0
        row = Row(state.id, state.v + 1, at, entry, person if own else None, command if own else None)
        after, transition = fold(games, state, row)
        ended, due = after.over and not state.over, newly_due(state, after)
        if ended or due is not None:
            row = msgspec.structs.replace(row, terminal=ended, due=due)
        state = after
        changes.append(Change(row, state, transition))
    return tuple(changes)
