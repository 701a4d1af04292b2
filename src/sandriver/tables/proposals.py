"""What needs everybody's consent: a draw, taking back, a pause and its end. Who may ask for what, and what an answer leads to.

Everybody who plays must agree; bots agree at once to everything but a draw, which cannot be offered where one plays; those that stand in
for somebody absent not to a pause. An action, the end or a "no" ends a proposal; who was told no may not ask for the same again before the
next action. Pure.
"""

from __future__ import annotations

from sandriver.tables.errors import Refusal
from sandriver.tables.log import Answered, Drawn, Entry, Paused, Proposed, Resumed, Undone
from sandriver.tables.state import State
from sandriver.tables.wire import Answer, Propose, What

MOST_WISHES = 8
"""Proposals of one person between two actions."""
MOST_UNDOS = 200
"""At one table."""
LONGEST_PAUSE_MS = 10 * 60_000
"""After so long, one person alone may end a pause: nobody is kept waiting for ever."""


def undo_from(state: State, seat: int) -> int | None:
    """Where in ``state.back`` the seat's latest action stands, if it has learned nothing since; ``None``: it cannot be taken back."""
    for index in range(len(state.back) - 1, -1, -1):
        past = state.back[index]
        if seat in past.reveals:
            return None
        if past.seat == seat and not past.forced:
            return index
    return None


def can_undo(state: State, seat: int) -> bool:
    """Whether the seat can ask for its latest action to be taken back."""
    if state.paused_at is not None or state.company.undos >= MOST_UNDOS or (seat, "undo") in state.company.declined:
        return False
    return seat in state.playing and undo_from(state, seat) is not None


def free_at(state: State) -> int | None:
    """From when on one person alone may end the pause; ``None`` if there is none."""
    return None if state.paused_at is None else state.paused_at + LONGEST_PAUSE_MS


def propose(state: State, seat: int, command: Propose, at: int) -> list[Entry]:
    """The entries that asking leads to, none if it is asked for already. Raises ``Refusal``."""
    what = command.what
    check_playing(state, seat)
    if command.ply != state.ply:
        raise Refusal("stale")
    _check_sense(state, seat, what)
    company = state.company
    asked = next((each for each in company.asked if each.what == what), None)
    alone = what == "resume" and at >= (free_at(state) or 0)
    if asked is not None:
        if seat not in asked.agreed:
            return _agreed(state, seat, what, asked.seat, (*asked.agreed, seat))
        return _effect(state, what, seat) if alone else []
    if not alone and ((seat, what) in company.declined or company.wishes.count(seat) >= MOST_WISHES):
        raise Refusal("too_many_requests", rule="declined" if (seat, what) in company.declined else "proposals")
    entries: list[Entry] = [Proposed(seat, what)]
    return [*entries, *_effect(state, what, seat)] if alone or set(state.playing) <= {seat} else entries


def answer(state: State, seat: int, command: Answer) -> list[Entry]:
    """The entries that an answer leads to, none if it was given already. Raises ``Refusal``: ``stale`` if that is not asked any more."""
    check_playing(state, seat)
    asked = next((each for each in state.company.asked if (each.what, each.v) == (command.what, command.v)), None)
    if asked is None:
        raise Refusal("stale")
    if not command.yes:
        return [Answered(seat, asked.what, False)]
    return [] if seat in asked.agreed else _agreed(state, seat, asked.what, asked.seat, (*asked.agreed, seat))


def check_playing(state: State, seat: int) -> None:
    """Refuse what only somebody who plays may do, in a running game."""
    if state.phase == "over":
        raise Refusal("game_over")
    if state.phase == "open":
        raise Refusal("not_running")
    if seat in state.out:
        raise Refusal("not_seated")
    if seat in state.company.absent:
        raise Refusal("forbidden", rule="absent")


def _check_sense(state: State, seat: int, what: What) -> None:
    if (what == "resume") != (state.paused_at is not None):
        raise Refusal("not_running", rule="paused" if state.paused_at is not None else "not_paused")
    if what == "draw" and any(state.bot_at(other) is not None for other in range(len(state.seats)) if other not in state.out):
        raise Refusal("forbidden", rule="bot")
    if what == "pause":
        _check_pause(state)
    if what == "undo":
        if state.company.undos >= MOST_UNDOS:
            raise Refusal("too_many_requests", rule="undos")
        if undo_from(state, seat) is None:
            raise Refusal("forbidden", rule="revealed")


def _check_pause(state: State) -> None:
    """A pause binds everybody, also who is absent: the bot that stands in for them does not agree to it."""
    if state.clock is None:
        raise Refusal("forbidden", rule="no_clock")
    if state.company.absent:
        raise Refusal("forbidden", rule="away")


def _agreed(state: State, seat: int, what: What, asker: int, agreed: tuple[int, ...]) -> list[Entry]:
    if what == "pause":
        _check_pause(state)
    entries: list[Entry] = [Answered(seat, what, True)]
    return [*entries, *_effect(state, what, asker)] if set(state.playing) <= set(agreed) else entries


def _effect(state: State, what: What, asker: int) -> list[Entry]:
    if what == "draw":
        return [Drawn()]
    if what == "pause":
        return [Paused()]
    if what == "resume":
        return [Resumed()]
    index = undo_from(state, asker)
    assert index is not None  # an action would have ended the proposal
    return [Undone(asker, state.back[index].ply)]
