"""Tells what the kernel did: its trace as typed events, its codes as errors with a name and a message."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sandriver.games.errors import IllegalAction
from sandriver.games.mandala import kernel, wire
from sandriver.games.mandala.actions import Action
from sandriver.games.mandala.cards import COLOURS, format_counts

if TYPE_CHECKING:
    from sandriver.games.mandala.rules import Position

_NAMES = {"K": "black", "G": "green", "P": "purple", "Y": "yellow", "O": "orange", "R": "red"}

_RULES: dict[int, tuple[str, str]] = {
    kernel.COLOUR_IN_MOUNTAIN: ("colour_in_mountain", "{name} lies in the mountain of mandala {number} (rule of colour)"),
    kernel.COLOUR_IN_OWN_FIELD: ("colour_in_own_field", "{name} lies in the player's own field of mandala {number} (rule of colour)"),
    kernel.COLOUR_IN_OTHER_FIELD: ("colour_in_other_field", "{name} lies in the other player's field of mandala {number} (rule of colour)"),
    kernel.MUST_KEEP_CARD: ("must_keep_card", "at least one card must stay in hand"),
    kernel.NOT_IN_HAND: ("not_in_hand", "{count} {name} wanted, {held} in hand"),
    kernel.NOTHING_TO_DRAW: ("nothing_to_draw", "the only card cannot be built while there is none to draw"),
    kernel.MUST_CLAIM: ("must_claim", "a colour of the destroyed mandala must be claimed"),
    kernel.NOT_CLAIMING: ("not_claiming", "no mandala is being destroyed, nothing can be claimed"),
    kernel.NOT_IN_MOUNTAIN: ("not_in_mountain", "{name} does not lie in the mountain that is being claimed"),
    kernel.GAME_OVER: ("game_over", "the game is over"),
}


def illegal(state: kernel.State, action: Action, code: int) -> IllegalAction:
    """The error for an action that the kernel forbids by ``code``. Mandalas in ``params`` count from 0."""
    held = (state.get(kernel.HAND + state.mover) >> 8 * COLOURS.index(action.colour)) & 255 if code == kernel.NOT_IN_HAND else 0
    return IllegalAction(*said(code, action, held))


@lru_cache(maxsize=1 << 12)
def said(code: int, action: Action, held: int = 0) -> tuple[str, str, dict[str, str | int]]:
    """Name, message and params of the error for an action that the kernel forbids by ``code``. ``held``: cards of its colour in hand."""
    name, message = _RULES[code]
    params: dict[str, str | int] = {}
    if "{name}" in message:
        params["colour"] = action.colour
    if "{number}" in message:
        params["mandala"] = action.mandala or 0
    if "{held}" in message:
        params |= {"count": action.count, "held": held}
    text = message.format(name=_NAMES[action.colour], number=(action.mandala or 0) + 1, count=action.count, held=held)
    return name, f"{action}: {text}", params


def events(before: kernel.State, action: Action, after: kernel.State, position: Position) -> tuple[Any, ...]:
    """Everything that happened in one action, in order: the action itself, then the words of the kernel's trace."""
    seat = before.mover
    mandala = before.claim if before.claim >= 0 else action.mandala or 0
    told: list[Any] = []
    if action.kind == "build":
        told.append(wire.Built(seat, mandala, action.colour))
    elif action.kind == "grow":
        told.append(wire.Grown(seat, mandala, action.colour, action.count))
    elif action.kind == "redraw":
        told.append(wire.Redrawn(seat, action.colour, action.count))
    words = iter([after.word(i) for i in range(after.traced)])
    told += [_event(word, words, seat, mandala, action, position) for word in words]
    return tuple(told)


def claimed(word: int, seat: int, mandala: int, colour: str) -> wire.Claimed:
    """A claim, from the word that the kernel traces of it."""
    small, count = (word >> 48) & 255, sum((word & 0xFFFF_FFFF_FFFF).to_bytes(6, "little"))
    place, discarded = small & 7, small & 8
    cup = 0 if discarded else count - (place > 0)
    return wire.Claimed(seat, mandala, colour, count, place or None, cup, count if discarded else 0)


def _event(word: int, words: Any, seat: int, mandala: int, action: Action, position: Position) -> Any:
    code, small, cards = word >> 56, (word >> 48) & 255, word & 0xFFFF_FFFF_FFFF
    if code == kernel.T_DRAWN:
        return wire.Drawn(seat, format_counts(cards))
    if code == kernel.T_SHUFFLED:
        return wire.Shuffled(cards)
    if code == kernel.T_LAST:
        return wire.LastMandala()
    if code == kernel.T_COMPLETED:
        return wire.Completed(seat, mandala, None if small & 2 else small & 1, bool(small & 4))
    if code == kernel.T_SWEPT:
        return wire.Swept(mandala, format_counts(cards))
    if code == kernel.T_CLAIMED:
        return claimed(word, seat, mandala, action.colour)
    if code == kernel.T_CLEARED:
        return wire.Cleared(mandala, (format_counts(cards), format_counts(next(words) & 0xFFFF_FFFF_FFFF)))
    if code == kernel.T_REFILLED:
        return wire.Refilled(mandala, format_counts(cards))
    assert position.outcome is not None
    return wire.Ended(position.outcome)
