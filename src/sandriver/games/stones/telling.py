"""Tells what the kernel did: its trace as typed events, its codes as errors with a name and a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sandriver.games.errors import IllegalAction
from sandriver.games.stones import kernel, wire
from sandriver.games.stones.actions import Action
from sandriver.games.stones.notation import format_pile
from sandriver.games.stones.ruleset import STONES

if TYPE_CHECKING:
    from sandriver.games.stones.rules import Position

TRIGGERS: dict[int, Literal["A", "B"]] = {kernel.END_SPACE: "A", kernel.STUCK: "B"}

_NAMES = {"Y": "yellow", "R": "red", "B": "blue", "P": "purple"}

RULES: dict[int, tuple[str, str]] = {
    kernel.GAME_OVER: ("game_over", "the game is over"),
    kernel.MUST_SKIP: ("must_skip", "nothing can be picked or scored, the turn is skipped"),
    kernel.NO_PASS: ("no_pass", "something can be picked or scored, there is no pass"),
    kernel.NO_ARTIST: ("no_artist", "no artist stands on A{artist}"),
    kernel.MUST_MOVE: ("must_move", "staying is not a move"),
    kernel.SPACE_OCCUPIED: ("space_occupied", "an artist stands on A{to}"),
    kernel.NOT_BESIDE: ("not_beside", "S{stack:02} does not lie beside A{to}"),
    kernel.EMPTY_STACK: ("empty_stack", "S{stack:02} is empty"),
    kernel.WRONG_PATTERN: ("wrong_pattern", "the top stone of S{stack:02} does not have the artist's pattern"),
    kernel.BLOCKED: ("blocked", "the artist on A{artist} stands beside S{stack:02} and blocks it"),
    kernel.NOTHING_GAINED: ("nothing_gained", "no stone is gained on A{to}"),
    kernel.BOARD_FULL: ("board_full", "no own space is empty"),
    kernel.SPACE_TAKEN: ("space_taken", "there is a tower on space {space}"),
    kernel.TOO_FEW_TOWERS: ("too_few_towers", "{name} must be on top of at least {towers} towers"),
    kernel.NO_TOWER: ("no_tower", "there is no tower on space {space}"),
}
"""By the kernel's code: the rule's name and its message."""


def illegal(state: kernel.State, action: Action, code: int, word: int) -> IllegalAction:
    """The error for an action that the kernel forbids by ``code``. Numbers in ``params`` are those of the notation."""
    name, message = RULES[code]
    values: dict[str, str | int] = {"artist": action.artist, "to": action.to, "stack": action.first, "space": action.space}
    if code == kernel.BLOCKED:
        values["artist"] = state.blocker(action.artist - 1, action.to - 1, word >> 4 & 15) + 1
    elif code == kernel.TOO_FEW_TOWERS:
        values |= {"colour": action.colour, "towers": state.rules.min_towers}
    elif code == kernel.NO_TOWER:
        board = kernel.BOARDS + kernel.TOWERS * state.mover - 1
        values["space"] = next(space for space in action.spaces if state.get(board + space) == 1)
    params = {key: value for key, value in values.items() if f"{{{key}}}" in message or f"{{{key}:" in message or key == "colour"}
    text = message.format(name=_NAMES.get(action.colour, ""), **values)
    return IllegalAction(name, f"{action}: {text}", params)


def events(before: kernel.State, action: Action, after: kernel.State, position: Position) -> tuple[Any, ...]:
    """Everything that happened in one action, in order."""
    seat = before.mover
    told: list[Any] = []
    if action.kind == "pick":
        told += _picked(before, action, after, position)
    elif action.kind == "skip":
        told.append(wire.Skipped(seat))
    else:
        told.append(_scored(before, action, after))
    if after.trigger and not before.trigger:
        told.append(wire.LastRound(seat, TRIGGERS[after.trigger]))
    if position.outcome is not None:
        told.append(wire.Ended(position.outcome))
    return tuple(told)


def _words(state: kernel.State) -> list[tuple[int, int, int, int]]:
    words = [state.word(i) for i in range(state.traced)]
    return [(word >> 48, word >> 32 & 0xFFFF, word >> 16 & 0xFFFF, word & 0xFFFF) for word in words]


def _picked(before: kernel.State, action: Action, after: kernel.State, position: Position) -> list[Any]:
    seat = before.mover
    circle = before.get(kernel.ARTISTS + 1) >> (action.artist - 1) & 1
    gained = [(stack, STONES[stone]) for _, stack, stone, _ in _words(after)]
    told: list[Any] = [
        wire.Moved(seat, "circle" if circle else "star", action.artist, action.to),
        wire.Gathered(seat, tuple([wire.Taken(stack + 1, stone) for stack, stone in gained]), action.space),
    ]
    left = [(stack, format_pile(after.get(stack))) for stack, _ in gained]
    bare = tuple([wire.Taken(stack + 1, pile[-1]) for stack, pile in left if pile])
    if bare and not position.options.reveal_covered_patterns:
        told.append(wire.Uncovered(bare))
    return told


def _scored(before: kernel.State, action: Action, after: kernel.State) -> wire.Scored:
    stones: list[wire.ScoredStone] = []
    bonuses: list[wire.Bonus] = []
    for code, a, b, points in _words(after):
        if code == kernel.T_SCORED:
            stones.append(wire.ScoredStone(a + 1, STONES[b & 7], b >> 8, points))
        else:
            bonuses.append(wire.Bonus(a, points))
    paid = sum([stone.points for stone in stones]) + sum([bonus.points for bonus in bonuses])
    places = tuple(range(before.placed + 1, after.placed + 1))
    return wire.Scored(before.mover, action.colour or None, tuple(stones), places, tuple(bonuses), paid)
