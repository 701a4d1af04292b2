"""What a command does to a table: validation against its state, and the entries that would follow. Pure; nothing is stored here."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandriver.games.contract import Game, Transition
from sandriver.games.errors import IllegalAction, NotationError
from sandriver.tables.chance import CommittedChance, stream_key
from sandriver.tables.errors import Refusal
from sandriver.tables.log import Action, Entry, Joined, Rematch, Resigned, Row, Started
from sandriver.tables.opening import rematch_rows
from sandriver.tables.state import Seat, State, after_action, fold, set_up
from sandriver.tables.wire import Act, Resign
from sandriver.tables.wire import Rematch as AskRematch

ID_LENGTH, ACTION_LENGTH = 64, 64


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
        return [*(change.row for change in self.changes), *self.elsewhere]


def check_id(text: str) -> None:
    """Refuse a command id that is empty, too long or not printable ASCII."""
    if not (0 < len(text) <= ID_LENGTH and text.isascii() and text.isprintable()):
        raise Refusal("bad_request", rule="id")


def decide(games: Mapping[str, Game], state: State, seat: int, command: Act | Resign | AskRematch, person: str | None, at: int) -> Decision:
    """Validate a command of the seat and say what it would do. Raises ``Refusal``; an empty decision: it is done already."""
    if isinstance(command, Act):
        return Decision((_act(state, seat, command, person, at),))
    if isinstance(command, Resign):
        if state.phase == "over":
            raise Refusal("game_over")
        if state.phase == "open":
            raise Refusal("not_running")
        return Decision(_chain(games, state, [Resigned(seat)], person, command.id, at))
    if state.phase != "over":
        raise Refusal("not_running")
    if seat in state.asked or state.next_table is not None:
        return Decision()
    asked = {*state.asked, seat, *(other for other in range(len(state.seats)) if state.bot_at(other) is not None)}
    entries: list[Entry] = [Rematch(other) for other in (seat, *sorted(asked - {seat, *state.asked}))]
    elsewhere: list[Row] = []
    if len(asked) == len(state.seats):
        table, elsewhere = rematch_rows(state, at)
        entries.append(Rematch(table=table))
    return Decision(_chain(games, state, entries, person, command.id, at), tuple(elsewhere))


def decide_join(games: Mapping[str, Game], state: State, seat: int, person: str, nonce: str, at: int) -> Decision:
    """What happens when a person sits down: they have joined, and if that was the last seat, the game is set up."""
    entries: list[Entry] = [Joined(seat, person, nonce)]
    seats = [*state.seats[:seat], Seat(person, nonce), *state.seats[seat + 1 :]]
    nonces = [taken.nonce for taken in seats if taken is not None]
    if len(nonces) == len(seats):
        key = stream_key(state.opened.secret, state.id, nonces)
        first, position, _ = set_up(state.game, state.options, len(seats), state.opened.first, key)
        entries.append(Started(first, state.game.format_position(position)))
    return Decision(_chain(games, state, entries, person, None, at))


def _act(state: State, seat: int, command: Act, person: str | None, at: int) -> Change:
    if state.phase == "over":
        raise Refusal("game_over")
    if state.phase == "open":
        raise Refusal("not_running")
    if command.ply != state.ply:
        raise Refusal("stale")
    if seat != state.to_move:
        raise Refusal("not_your_turn")
    if len(command.action) > ACTION_LENGTH:
        raise Refusal("bad_request", rule="action")
    chance = CommittedChance(state.key, state.draws)
    try:
        transition = state.game.play(state.position, state.game.parse_action(command.action), chance)
    except IllegalAction as error:
        raise Refusal("illegal", rule=error.code, params=error.params) from error
    except NotationError as error:
        raise Refusal("bad_request", rule=error.code, params=error.params) from error
    after = after_action(state, transition, chance.n)
    row = Row(state.id, after.v, at, Action(seat, after.ply, transition.move), person, command.id, after.over)
    return Change(row, after, transition)


def _chain(
    games: Mapping[str, Game], state: State, entries: list[Entry], person: str | None, command: str | None, at: int
) -> tuple[Change, ...]:
    """Fold entries that follow each other; the first is the sender's own and carries the command's id."""
    changes = []
    for number, entry in enumerate(entries):
        own = number == 0
        row = Row(state.id, state.v + 1, at, entry, person if own else None, command if own else None, isinstance(entry, Resigned))
        state, transition = fold(games, state, row)
        changes.append(Change(row, state, transition))
    return tuple(changes)
