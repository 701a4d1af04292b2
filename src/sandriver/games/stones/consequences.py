"""What a choice would do, from what everybody sees: stones a pick would gain, points a scoring would pay, the sum at the end.

Which stack yields, what blocks it, what a space pays and what an objective is worth is asked of the kernel, without playing
anything. This module only puts the answers side by side: every artist at every vacant space, the four colours, any tops by their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from sandriver.games.stones import kernel
from sandriver.games.stones.rules import Position, state_of
from sandriver.games.stones.ruleset import COLOURS, Ruleset
from sandriver.games.stones.wire import (
    Bonus,
    Choices,
    ColourScoring,
    First,
    MandalaView,
    Objective,
    Pick,
    Refusal,
    ScoredStone,
    SeatReckoning,
    TopsScoring,
    Yield,
)

ALL_ROUND = range(4)
"""The stacks beside an artist space, clockwise from the north."""
REFUSALS: dict[int, Literal["", "empty", "pattern", "blocked"]] = {
    0: "", kernel.EMPTY_STACK: "empty", kernel.WRONG_PATTERN: "pattern", kernel.BLOCKED: "blocked",
}  # fmt: skip


class Numbers(NamedTuple):
    """What is asked of a ruleset for every view, by number."""

    beside: tuple[tuple[int, tuple[int, ...]], ...]
    """Each artist space with the stacks round it."""
    bonus: dict[int, int]
    """What a place of the mandala pays."""
    ends: tuple[int, ...]
    """The end space by number of seats."""
    min_towers: int
    cards: dict[str, int]
    """The number of each objective card."""


@lru_cache(maxsize=64)
def numbers(ruleset: Ruleset) -> Numbers:
    """The numbers of a ruleset, looked up once."""
    return Numbers(
        beside=tuple(enumerate(ruleset.beside, 1)),
        bonus={int(place): points for place, points in ruleset.mandala.bonus.items() if points},
        ends=(0, 0, ruleset.mandala.end["2"], ruleset.mandala.end["3"], ruleset.mandala.end["4"]),
        min_towers=ruleset.score_colour.min_towers,
        cards={card.id: number for number, card in enumerate(ruleset.objectives.cards)},
    )


def choices(position: Position, stacks: Sequence[str], artists: Sequence[int], towers: Sequence[str], *, encoded: bool = False) -> Choices:
    """Return, for the seat to move, every pick and every way to score with what it would bring, and the rule that forbids it.

    The caller has these at hand: ``stacks`` (their tops count), ``artists`` (spaces, rising) and the ``towers`` of the seat to move.
    ``encoded``: they are to be written and nothing else.
    """
    state, known = state_of(position), numbers(position.ruleset)
    spaces = tuple([space for space, tower in enumerate(towers, 1) if not tower])
    return Choices(
        picks=_picks(state, known, [stack[-1:] for stack in stacks], artists, not spaces, _pick_json if encoded else _pick),
        spaces=spaces,
        colours=_colours(state, known, towers),
        tops=_tops(state, known, len(towers) - len(spaces)),
    )


def _picks(
    state: kernel.State, known: Numbers, tops: Sequence[str], artists: Sequence[int], full: bool, make: Callable[..., Any]
) -> tuple[Pick, ...]:
    refuses, blocker = state.refuses, state.blocker
    beside = [(to, stacks, tuple([tops[stack - 1] for stack in stacks])) for to, stacks in known.beside if to not in artists]
    picks: list[Pick] = []
    for origin in artists:
        for to, stacks, stones in beside:
            said = 0
            for direction in ALL_ROUND:
                code = refuses(origin - 1, to - 1, direction)
                said = said << 8 | code
                if code == kernel.BLOCKED:
                    said |= blocker(origin - 1, to - 1, direction) + 1 << 4
            picks.append(make(origin, to, stacks, stones, said, full))
    return tuple(picks)


@lru_cache(maxsize=1 << 15)
def _pick(origin: int, to: int, stacks: tuple[int, ...], stones: tuple[str, ...], said: int, full: bool) -> Pick:
    """A pick from the stacks beside its space: nothing else goes into it, so equal ones are made once.

    ``stones`` are their tops; ``said`` is what they say, a byte each, the first in the highest: a refusal, and above it (four bits up) the
    space of the artist that blocks.
    """
    bytes_said = said.to_bytes(len(stacks), "big")
    yields = tuple(
        [Yield(stack, stone, REFUSALS[word & 15], word >> 4 or None) for stack, stone, word in zip(stacks, stones, bytes_said, strict=True)]
    )
    gained = [(found.stack, found.stone) for found in yields if not found.refusal]
    firsts = []
    for n, (stack, _) in enumerate(gained):
        firsts.append(First(stack, "".join([stone for _, stone in gained[n:] + gained[:n]])))
    refusal = Refusal("board_full") if full else None if gained else Refusal("nothing_gained")
    return Pick(origin, to, yields, tuple(firsts), refusal)


@lru_cache(maxsize=1 << 14)
def _pick_json(*arguments: Any) -> msgspec.Raw:
    """The same as it is written."""
    return msgspec.Raw(msgspec.json.encode(_pick(*arguments)))


def _colours(state: kernel.State, known: Numbers, towers: Sequence[str]) -> tuple[ColourScoring, ...]:
    seat, result = state.mover, []
    heights = state.heights(seat)
    for n, colour in enumerate(COLOURS):
        stones = []
        for space, tower in enumerate(towers):
            if tower and tower[-1].upper() == colour:
                paid = state.value(space, state.get(kernel.BOARDS + kernel.TOWERS * seat + space), heights)
                stones.append(ScoredStone(space + 1, tower[-1], len(tower), paid))
        few = state.forbids(kernel.COLOUR << 16 | n)
        bonuses, ends = _covering(known, state.seats, state.placed, len(stones))
        points = sum([stone.points for stone in stones]) + sum([bonus.points for bonus in bonuses])
        refusal = Refusal("too_few_towers", {"towers": known.min_towers}) if few else None
        result.append(ColourScoring(colour, f"s{colour}", tuple(stones), bonuses, points, ends, refusal))
    return tuple(result)


def _tops(state: kernel.State, known: Numbers, most: int) -> tuple[TopsScoring, ...]:
    result = []
    for count in range(1, most + 1):
        bonuses, ends = _covering(known, state.seats, state.placed, count)
        stones = count * state.rules.tops_each
        result.append(TopsScoring(count, stones, bonuses, stones + sum([bonus.points for bonus in bonuses]), ends))
    return tuple(result)


def _covering(known: Numbers, seats: int, placed: int, count: int) -> tuple[tuple[Bonus, ...], bool]:
    """The bonus places that the next ``count`` stones cover, and whether one of them covers the end space."""
    places = range(placed + 1, placed + count + 1)
    return tuple([Bonus(place, known.bonus[place]) for place in places if place in known.bonus]), known.ends[seats] in places


def mandala(position: Position, stones: str) -> MandalaView:
    """The shared mandala with its end space and the next place that pays."""
    known = numbers(position.ruleset)
    ahead = min([place for place in known.bonus if place > len(stones)], default=0)
    return MandalaView(stones, known.ends[position.seats], Bonus(ahead, known.bonus[ahead]) if ahead else None)


def objectives(position: Position, seat: int) -> tuple[Objective, ...] | None:
    """A seat's objective cards with what they are worth on its board as it stands; ``None`` if they are not known."""
    cards = position.objectives[seat]
    if cards is None:
        return None
    number, state = numbers(position.ruleset).cards, state_of(position)
    return tuple([Objective(card, state.worth(seat, number[card])) for card in cards])


def reckoning(position: Position, seat: int) -> SeatReckoning:
    """The sum of one seat at the end; without objectives where they are not known."""
    cards = objectives(position, seat) or ()
    best = max(range(len(cards)), key=lambda n: cards[n].points, default=None)
    state = state_of(position)
    return SeatReckoning(position.track[seat], cards, best, state.total(seat), state.left(seat))
