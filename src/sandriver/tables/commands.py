"""What a command does to a table: validation against its state, and the entries that would follow. Pure; nothing is stored here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandriver.games.contract import Game
from sandriver.games.errors import IllegalAction, NotationError
from sandriver.tables import clock as clocks
from sandriver.tables.absence import claim, come_back
from sandriver.tables.chance import CommittedChance, bot_nonce, stream_key
from sandriver.tables.decisions import Change, Decision, House, chain
from sandriver.tables.due import newly_due
from sandriver.tables.errors import Refusal
from sandriver.tables.fold import after_action
from sandriver.tables.log import Action, Entry, Filled, Joined, NoRematch, Rematch, Resigned, Row, Started
from sandriver.tables.opening import check_bot, rematch_rows
from sandriver.tables.proposals import answer, propose
from sandriver.tables.state import State, set_up
from sandriver.tables.talk import say
from sandriver.tables.wire import Act, Answer, Claim, Fill, Propose, Resign, Return, Say
from sandriver.tables.wire import Rematch as AskRematch

__all__ = ["Change", "Decision", "House", "Lasting", "bot_command_id", "check_id", "decide", "decide_join"]

ID_LENGTH, ACTION_LENGTH = 64, 64
MOST_BEFORE_START = 200
"""Entries that a table may have before its game begins: enough to change one's mind about every seat, many times."""

Lasting = Act | Resign | AskRematch | Fill | Propose | Answer | Claim | Return | Say
"""The commands that leave something in the log."""


def bot_command_id(changed: int) -> str:
    """The id of what a bot plays in the position that version ``changed`` led to.

    No person can have sent it for the seat before, since ``check_id`` refuses it.
    """
    return f"bot\N{MIDDLE DOT}{changed}"


def check_id(text: str) -> None:
    """Refuse a command id that is empty, too long or not printable ASCII."""
    if not (0 < len(text) <= ID_LENGTH and text.isascii() and text.isprintable()):
        raise Refusal("bad_request", rule="id")


def decide(
    house: House,
    state: State,
    seat: int,
    command: Lasting,
    person: str | None,
    at: int,
    away: Sequence[int | None] = (),
    held: int = 0,
) -> Decision:
    """Validate a command of the seat and say what it would do. Raises ``Refusal``; an empty decision: it is done already.

    ``person`` is ``None`` for what a bot sends. ``away``: by seat, from when on its person can be told absent. ``held``: ms before ``at``
    that the service took itself, which an action's clock is not charged.
    """
    if isinstance(command, Act):
        change = _act(state, seat, command, person, at, held)
        return Decision((change, *_forced(change.state, at)))
    if isinstance(command, Fill):
        return _fill(house, state, seat, command, person, at)
    if isinstance(command, AskRematch):
        return _rematch(house, state, seat, command, person, at)
    entries = _entries(house, state, seat, command, at, away)
    return Decision(chain(house.games, state, entries, person, command.id, at))


def _entries(
    house: House, state: State, seat: int, command: Resign | Propose | Answer | Claim | Return | Say, at: int, away: Sequence[int | None]
) -> Sequence[Entry]:
    if isinstance(command, Say):
        return [say(state, seat, command, at)]
    if isinstance(command, Propose):
        return propose(state, seat, command, at)
    if isinstance(command, Answer):
        return answer(state, seat, command)
    _check_running(state)
    if seat in state.out:
        raise Refusal("not_seated")
    if isinstance(command, Claim):
        return claim(house, state, seat, command, at, away)
    if isinstance(command, Return):
        return come_back(state, seat)
    return [Resigned(seat, None if state.ends_with(seat) else house.stand_in(state.opened.game))]


def _rematch(house: House, state: State, seat: int, command: AskRematch, person: str | None, at: int) -> Decision:
    if state.phase != "over":
        raise Refusal("not_running")
    if seat in state.asked or state.next_table is not None:
        return Decision()
    if not command.yes:
        refusal = [] if seat in state.unwilling else [NoRematch(seat)]
        return Decision(chain(house.games, state, refusal, person, command.id, at))
    asked = {*state.asked, seat, *(other for other, plan in enumerate(state.plans) if plan.kind == "bot")}
    entries: list[Entry] = [Rematch(other) for other in (seat, *sorted(asked - {seat, *state.asked}))]
    elsewhere: list[Row] = []
    if len(asked) == len(state.seats):
        table, elsewhere = rematch_rows(state, at)
        entries.append(Rematch(table=table))
    return Decision(chain(house.games, state, entries, person, command.id, at), tuple(elsewhere))


def decide_join(games: Mapping[str, Game], state: State, seat: int, person: str, nonce: str, at: int) -> Decision:
    """What happens when a person sits down: they have joined, and if that was the last seat, the game begins."""
    changes = chain(games, state, [Joined(seat, person, nonce)], person, None, at)
    return Decision((*changes, *_begun(games, changes[-1].state, at)))


def _check_running(state: State) -> None:
    if state.phase == "over":
        raise Refusal("game_over")
    if state.phase == "open":
        raise Refusal("not_running")


def _act(state: State, seat: int, command: Act, person: str | None, at: int, held: int) -> Change:
    _check_running(state)
    if person is None:
        if state.bot_at(seat) is None:
            raise Refusal("not_your_turn")  # whose seat it is came back while the bot thought
    elif seat in state.out:
        raise Refusal("not_seated")
    elif seat in state.company.absent:
        raise Refusal("forbidden", rule="absent")
    if state.paused_at is not None:
        raise Refusal("not_running", rule="paused")
    if command.ply != state.ply:
        raise Refusal("stale")
    if seat != state.to_move:
        raise Refusal("not_your_turn")
    if len(command.action) > ACTION_LENGTH:
        raise Refusal("bad_request", rule="action")
    try:
        return _played(state, state.game.parse_action(command.action), person, command.id, at, held)
    except IllegalAction as error:
        raise Refusal("illegal", rule=error.code, params=error.params) from error
    except NotationError as error:
        raise Refusal("bad_request", rule=error.code, params=error.params) from error


def _played(state: State, action: Any, person: str | None, command: str | None, at: int, held: int = 0) -> Change:
    chance = CommittedChance(state.key, state.draws)
    transition = state.game.play(state.position, action, chance)
    if state.clock is None or state.clock.running != transition.seat:
        late = held = 0
    else:
        held = min(held, max(0, at - state.clock.at))
        late = clocks.lag(state.clock, transition.seat, at, held)
    after = after_action(state, transition, chance.n, at, late, forced=command is None, held=held)
    entry = Action(transition.seat, after.ply, transition.move, late, held)
    return Change(Row(state.id, after.v, at, entry, person, command, after.over, newly_due(state, after)), after, transition)


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
    if state.v - state.company.said >= MOST_BEFORE_START:
        raise Refusal("too_many_requests")
    entries: list[Entry] = [Filled(seat, place, bot)]
    if bot is not None:
        entries.append(Joined(place, None, bot_nonce(state.opened.secret, state.id, place)))
    changes = chain(house.games, state, entries, person, command.id, at)
    return Decision((*changes, *_begun(house.games, changes[-1].state, at)))


def _begun(games: Mapping[str, Game], state: State, at: int) -> list[Change]:
    """The beginning of the game, once everybody sits."""
    nonces = [taken.nonce for taken in state.seats if taken is not None]
    if len(nonces) < len(state.seats):
        return []
    key = stream_key(state.opened.secret, state.id, nonces)
    first, position, _ = set_up(state.game, state.options, len(nonces), state.opened.first, key)
    changes = chain(games, state, [Started(first, state.game.format_position(position))], None, None, at)
    return [*changes, *_forced(changes[-1].state, at)]
