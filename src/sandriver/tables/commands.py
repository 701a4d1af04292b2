"""What a command does to a table: validation against its state, and the entries that would follow. Pure; nothing is stored here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from sandriver.games.contract import Game, Transition
from sandriver.games.errors import IllegalAction, NotationError
from sandriver.tables.chance import CommittedChance, bot_nonce, stream_key
from sandriver.tables.errors import Refusal
from sandriver.tables.log import Action, Entry, Filled, Joined, Rematch, Resigned, Row, Started
from sandriver.tables.opening import FindBot, check_bot, rematch_rows
from sandriver.tables.state import State, after_action, fold, set_up
from sandriver.tables.wire import Act, Fill, Resign
from sandriver.tables.wire import Rematch as AskRematch

ID_LENGTH, ACTION_LENGTH = 64, 64
MOST_BEFORE_START = 200
"""Entries that a table may have before its game begins: enough to change one's mind about every seat, many times."""

Lasting = Act | Resign | AskRematch | Fill
"""The commands that leave something in the log."""


class House(msgspec.Struct, frozen=True):
    """What there is to play with, the same at every table."""

    games: Mapping[str, Game]
    find_bot: FindBot
    stand_in: Callable[[str], str]
    """By game, the bot that plays on for somebody who resigned."""


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


def bot_command_id(ply: int) -> str:
    """The id of what a bot plays at a ply. No person can have sent it for the seat before, since ``check_id`` refuses it."""
    return f"bot\N{MIDDLE DOT}{ply}"


def check_id(text: str) -> None:
    """Refuse a command id that is empty, too long or not printable ASCII."""
    if not (0 < len(text) <= ID_LENGTH and text.isascii() and text.isprintable()):
        raise Refusal("bad_request", rule="id")


def decide(house: House, state: State, seat: int, command: Lasting, person: str | None, at: int) -> Decision:
    """Validate a command of the seat and say what it would do. Raises ``Refusal``; an empty decision: it is done already.

    ``person`` is ``None`` for what a bot sends.
    """
    if isinstance(command, Act):
        change = _act(state, seat, command, person, at)
        return Decision((change, *_forced(change.state, at)))
    if isinstance(command, Fill):
        return _fill(house, state, seat, command, person, at)
    if isinstance(command, Resign):
        _check_running(state)
        if seat in state.resigned:
            raise Refusal("not_seated")
        entry = Resigned(seat, None if state.ends_with(seat) else house.stand_in(state.opened.game))
        return Decision(_chain(house.games, state, [entry], person, command.id, at))
    if state.phase != "over":
        raise Refusal("not_running")
    if seat in state.asked or state.next_table is not None:
        return Decision()
    asked = {*state.asked, seat, *(other for other, plan in enumerate(state.plans) if plan.kind == "bot")}
    entries: list[Entry] = [Rematch(other) for other in (seat, *sorted(asked - {seat, *state.asked}))]
    elsewhere: list[Row] = []
    if len(asked) == len(state.seats):
        table, elsewhere = rematch_rows(state, at)
        entries.append(Rematch(table=table))
    return Decision(_chain(house.games, state, entries, person, command.id, at), tuple(elsewhere))


def decide_join(games: Mapping[str, Game], state: State, seat: int, person: str, nonce: str, at: int) -> Decision:
    """What happens when a person sits down: they have joined, and if that was the last seat, the game begins."""
    changes = _chain(games, state, [Joined(seat, person, nonce)], person, None, at)
    return Decision((*changes, *_begun(games, changes[-1].state, at)))


def _check_running(state: State) -> None:
    if state.phase == "over":
        raise Refusal("game_over")
    if state.phase == "open":
        raise Refusal("not_running")


def _act(state: State, seat: int, command: Act, person: str | None, at: int) -> Change:
    _check_running(state)
    if person is not None and seat in state.resigned:
        raise Refusal("not_seated")
    if command.ply != state.ply:
        raise Refusal("stale")
    if seat != state.to_move:
        raise Refusal("not_your_turn")
    if len(command.action) > ACTION_LENGTH:
        raise Refusal("bad_request", rule="action")
    try:
        return _played(state, state.game.parse_action(command.action), person, command.id, at)
    except IllegalAction as error:
        raise Refusal("illegal", rule=error.code, params=error.params) from error
    except NotationError as error:
        raise Refusal("bad_request", rule=error.code, params=error.params) from error


def _played(state: State, action: Any, person: str | None, command: str | None, at: int) -> Change:
    chance = CommittedChance(state.key, state.draws)
    transition = state.game.play(state.position, action, chance)
    after = after_action(state, transition, chance.n)
    entry = Action(transition.seat, after.ply, transition.move)
    return Change(Row(state.id, after.v, at, entry, person, command, after.over), after, transition)


def _forced(state: State, at: int) -> list[Change]:
    """Actions that play themselves from here on: stored together with what led to them, so that no table ever waits for one."""
    changes: list[Change] = []
    while not state.over and (action := state.position.forced) is not None:
        changes.append(_played(state, action, None, None, at))
        state = changes[-1].state
    return changes


def _fill(house: House, state: State, seat: int, command: Fill, person: str | None, at: int) -> Decision:
    """Give a seat to a bot, or take it away from one."""
    if person != state.opened.owner:
        raise Refusal("forbidden", rule="owner")
    place, bot = command.seat, command.bot
    if not 0 <= place < len(state.seats):
        raise Refusal("bad_request", rule="seat")
    if bot is not None:
        check_bot(house.find_bot, state.opened.game, bot)
    if state.phase == "over":
        raise Refusal("game_over")
    taken, plan = state.seats[place], state.plans[place]
    if state.phase != "open" or (taken is not None and taken.person is not None):
        raise Refusal("seat_taken")
    if plan.bot == bot and (bot is not None or state.reserved[place] is None):
        return Decision()
    if state.v >= MOST_BEFORE_START:
        raise Refusal("too_many_requests")
    entries: list[Entry] = [Filled(seat, place, bot)]
    if bot is not None:
        entries.append(Joined(place, None, bot_nonce(state.opened.secret, state.id, place)))
    changes = _chain(house.games, state, entries, person, command.id, at)
    return Decision((*changes, *_begun(house.games, changes[-1].state, at)))


def _begun(games: Mapping[str, Game], state: State, at: int) -> list[Change]:
    """The beginning of the game, once everybody sits."""
    nonces = [taken.nonce for taken in state.seats if taken is not None]
    if len(nonces) < len(state.seats):
        return []
    key = stream_key(state.opened.secret, state.id, nonces)
    first, position, _ = set_up(state.game, state.options, len(nonces), state.opened.first, key)
    changes = _chain(games, state, [Started(first, state.game.format_position(position))], None, None, at)
    return [*changes, *_forced(changes[-1].state, at)]


def _chain(
    games: Mapping[str, Game], state: State, entries: Sequence[Entry], person: str | None, command: str | None, at: int
) -> tuple[Change, ...]:
    """Fold entries that follow each other; the first is the sender's own and carries the command's id."""
    changes = []
    for number, entry in enumerate(entries):
        own = number == 0
        row = Row(state.id, state.v + 1, at, entry, person if own else None, command if own else None)
        after, transition = fold(games, state, row)
        if after.over and not state.over:
            row = msgspec.structs.replace(row, terminal=True)
        state = after
        changes.append(Change(row, state, transition))
    return tuple(changes)
