"""What is wrong with a position: every invariant of the rules, each fault with the field of the notation that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from sandriver.games.errors import PositionError
from sandriver.games.stones import kernel
from sandriver.games.stones.notation import SEATS, Hidden, board_piles, format_mandala, format_pile, objectives
from sandriver.games.stones.options import Options
from sandriver.games.stones.ruleset import COLOURS, STONES


def problems(state: kernel.State, hidden: Hidden, options: Options) -> list[PositionError]:
    """Return everything wrong with a position, in the order of its fields, the count of all stones last; empty when all is well."""
    faults = [
        *_stacks(state, hidden, options), *_artists(state), *_mandala(state, options), *_objectives(state, options),
        *_flags(state, options), *_stones(state, hidden, options),
    ]  # fmt: skip
    return [PositionError(field, code, f"{field}: {reason}", {"field": field}) for field, code, reason in faults]


Fault = tuple[str, str, str]


def _stacks(state: kernel.State, hidden: Hidden, options: Options) -> Iterator[Fault]:
    most = options.ruleset.board.stack_height
    for stack in range(kernel.STACKS):
        tall = len(format_pile(state.get(stack)))
        if tall > most:
            yield "STACKS", "too_many_stones", f"{tall} stones on S{stack + 1:02}, {most} are possible"
        if (stack, tall - 1) in hidden:
            yield "STACKS", "top_hidden", f"the top stone of S{stack + 1:02} cannot be hidden"


def _artists(state: kernel.State) -> Iterator[Fault]:
    both = state.get(kernel.ARTISTS) & state.get(kernel.ARTISTS + 1)
    if both:
        yield "ARTISTS", "artists_meet", f"two artists stand on A{both.bit_length()}"


def _mandala(state: kernel.State, options: Options) -> Iterator[Fault]:
    most = options.ruleset.mandala.spaces
    if state.placed > most:
        yield "MANDALA", "mandala_full", f"{state.placed} stones, there are {most} spaces"
        return
    if state.mover < 0 or not state.trigger:
        return
    towers = [sum(pile > 1 for pile in board) for board in board_piles(state)]
    coming = sum(towers[(state.mover + i) % state.seats] for i in range((state.first - state.mover) % state.seats or state.seats))
    if state.placed + coming > most:
        yield "MANDALA", "mandala_full", f"{state.placed} stones, and {coming} more can come in this last round, for {most} spaces"


def _objectives(state: kernel.State, options: Options) -> Iterator[Fault]:
    dealt = [card for cards in objectives(state, options) for card in cards or ()]
    for card in sorted(set(dealt)):
        if dealt.count(card) > 1:
            yield "OBJECTIVES", "objective_twice", f"there is only one card {card}"


def _flags(state: kernel.State, options: Options) -> Iterator[Fault]:
    end = options.ruleset.mandala.end[SEATS[state.seats - 1]]
    covered = state.placed >= end
    if state.mover < 0 and not state.trigger:
        yield "FLAGS", "not_over", "the game is over, but no end trigger is set"
    if state.trigger == 0 and covered and state.mover >= 0:
        yield "FLAGS", "trigger_unset", f"the end space {end} is covered, but no end trigger is set"
    if state.trigger == kernel.END_SPACE and not covered:
        yield "FLAGS", "end_space_free", f"trigger A is set, but the end space {end} is free"
    if state.trigger and state.mover == state.first:
        yield "FLAGS", "round_over", "an end trigger is set, but a new round begins"


def _stones(state: kernel.State, hidden: Hidden, options: Options) -> Iterator[Fault]:
    each = options.ruleset.stones.per_pair
    shown = dict.fromkeys(STONES, 0)
    colours = dict.fromkeys(COLOURS, 0)
    for stack in range(kernel.STACKS):
        for level, stone in enumerate(format_pile(state.get(stack))):
            colours[stone.upper()] += 1
            shown[stone] += (stack, level) not in hidden
    for stone in "".join([format_pile(pile) for board in board_piles(state) for pile in board]) + format_mandala(state):
        colours[stone.upper()] += 1
        shown[stone] += 1
    total = sum(colours.values())
    if total != 8 * each:
        yield "STONES", "stone_count", f"{total} stones, there are {8 * each}"
    for colour, count in colours.items():
        if count != 2 * each:
            yield "STONES", "stone_count", f"{count} stones of {colour} and {colour.lower()}, there are {2 * each}"
    for stone, count in shown.items():
        if count > each or (count != each and not hidden):
            yield "STONES", "stone_count", f"{count} stones of {stone}, there are {each}"
