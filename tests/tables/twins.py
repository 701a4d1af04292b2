"""Pairs of whole games that differ only in what one viewer cannot know: the same actions, the same open chance, other hidden cards."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from sandriver.games import GAMES
from sandriver.games.chance import RandomChance
from sandriver.games.errors import ChanceError
from sandriver.games.mandala import COLOURS, MANDALA
from sandriver.games.mandala.wire import Drawn
from sandriver.games.stones import STONES
from tests.games.mandala.test_view import PartlyForced, letters, twin
from tests.games.stones.support import NoChance
from tests.oracles import stones as oracle
from tests.oracles.stones_text import position_text, read_position

DECK = [card["id"] for card in oracle.DEFAULT["objectives"]["cards"]]
TRIES = 12
"""How often another action or other cards are tried where the twin could not follow."""


class Pair(msgspec.Struct, frozen=True):
    """Two games with the same moves to the viewer, each as its start and all its transitions; both still run after the last one."""

    game: str
    options: dict[str, object]
    seats: int
    first: int
    viewer: int | None
    starts: tuple[Any, Any]
    played: tuple[list[Any], list[Any]]

    @property
    def plies(self) -> int:
        """How many actions there are."""
        return len(self.played[0])

    def different(self) -> int:
        """Positions that are not the same in both."""
        return sum(one.after != other.after for one, other in zip(*self.played, strict=True))


class Scripted:
    """A game that deals as one of a pair did. What is not in the script is played by the rules, without chance."""

    def __init__(self, pair: Pair, world: int) -> None:
        self._game = GAMES[pair.game]
        self._start = pair.starts[world]
        self._known = {(each.before, self._game.format_action(each.action)): each for each in pair.played[world]}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def start(self, _options: Any, _seats: int, _first: int, _chance: Any) -> Any:
        """See ``Game.start``."""
        return self._start

    def play(self, position: Any, action: Any, _chance: Any) -> Any:
        """See ``Game.play``."""
        known = self._known.get((position, self._game.format_action(action)))
        return known or self._game.play(position, action, NoChance())


def pairs(game: str, viewer: int | None, rng: random.Random, *, seats: int = 2, most: int = 40) -> Iterator[Pair]:
    """Such pairs without end, of at most so many plies each."""
    while True:
        pair = (_mandala if game == "mandala" else _stones)(viewer, rng, seats, most)
        if pair is not None and pair.plies >= min(most, 12):
            yield pair


# --- Mandala: hands, cups and deck differ ---------------------------------------------------------


def _mandala(viewer: int | None, rng: random.Random, _seats: int, most: int) -> Pair | None:
    raw: dict[str, object] = {"memory_aid": rng.random() < 0.5, "exhaustion": rng.choice(["eager", "lazy"])}
    options, first = MANDALA.parse_options(raw), rng.randrange(2)
    start = MANDALA.start(options, 2, first, RandomChance(rng.getrandbits(30)))
    other = twin(start, viewer, rng)
    if other is None:
        return None
    played: tuple[list[Any], list[Any]] = ([], [])
    here: list[Any] = [start, other]
    while len(played[0]) < most and (both := _both(here, viewer, rng)) is not None:
        for transitions, transition in zip(played, both, strict=True):
            transitions.append(transition)
        here = [transition.after for transition in both]
    return Pair("mandala", raw, 2, first, viewer, (start, other), played)


def _both(here: Sequence[Any], viewer: int | None, rng: random.Random) -> tuple[Any, Any] | None:
    """An action played in both worlds, with the same cards where the viewer sees them."""
    seat = here[0].to_move
    possible = [action for action in here[0].legal_actions if action in here[1].legal_actions]
    busy = [action for action in possible if action.kind != "redraw"]
    for _ in range(TRIES if possible else 0):
        action = rng.choice(busy if busy and rng.random() < 0.8 else possible)
        one = MANDALA.play(here[0], action, RandomChance(rng.getrandbits(30)))
        drawn = sum(len(letters_of(event.cards)) for event in one.events if isinstance(event, Drawn))
        hidden = 0 if seat == viewer else drawn
        outcomes = [None if n < hidden else COLOURS.index(colour) for n, colour in enumerate(one.dealt)]
        try:
            other = MANDALA.play(here[1], action, PartlyForced(outcomes, rng.getrandbits(30)))
        except ChanceError:
            continue  # what lies open there is in a hand here
        if one.after.to_move is not None and other.after.to_move is not None:
            return one, other
    return None


def letters_of(cards: str) -> list[str]:
    """The cards of a set in notation, one by one."""
    from sandriver.games.mandala import Cards

    return letters(Cards.parse(cards))


# --- Mandala Stones: covered patterns and objectives differ ---------------------------------------


def _stones(viewer: int | None, rng: random.Random, seats: int, most: int) -> Pair | None:
    raw: dict[str, object] = {"reveal_covered_patterns": rng.random() < 0.2}
    options, first = STONES.parse_options(raw), rng.randrange(seats)
    start = STONES.start(options, seats, first, RandomChance(rng.getrandbits(30)))
    one: list[Any] = []
    position: Any = start
    while len(one) < most:
        action = position.forced or _lively(position, rng)
        transition = STONES.play(position, action, NoChance())
        if transition.after.to_move is None:
            break
        one.append(transition)
        position = transition.after
    left = [len(stack) for stack in read_position(STONES.format_position(position))["stacks"]]
    line = _redealt(STONES.format_position(start), viewer, rng, left, revealed=options.reveal_covered_patterns)
    other = STONES.parse_position(line, options)
    played: tuple[list[Any], list[Any]] = (one, [])
    position = other
    for transition in one:
        played[1].append(STONES.play(position, transition.action, NoChance()))
        position = played[1][-1].after
    return Pair("stones", raw, seats, first, viewer, (start, other), played)


def _lively(position: Any, rng: random.Random) -> Any:
    """An action, seldom one that brings the end nearer."""
    legal = position.legal_actions
    picks = [action for action in legal if action.kind == "pick"]
    return rng.choice(picks) if picks and rng.random() < 0.9 else rng.choice(legal)


def _redealt(line: str, viewer: int | None, rng: random.Random, left: Sequence[int], *, revealed: bool) -> str:
    """The start position with everything dealt anew that ``viewer`` never sees while the stacks shrink to what is ``left`` of them."""
    position = read_position(line)
    places = [(stack, level) for stack, height in enumerate(left) for level in range(0 if revealed else height - 1)]
    for letter in oracle.COLOURS:
        mine = [(stack, level) for stack, level in places if oracle.colour(position["stacks"][stack][level]) == letter]
        stones = [position["stacks"][stack][level] for stack, level in mine]
        rng.shuffle(stones)
        for (stack, level), stone in zip(mine, stones, strict=True):
            position["stacks"][stack][level] = stone
    own = [] if viewer is None else position["objectives"][viewer]
    cards = rng.sample([card for card in DECK if card not in own], 2 * len(position["boards"]))
    position["objectives"] = [own if seat == viewer else [cards.pop(), cards.pop()] for seat in range(len(position["boards"]))]
    return position_text(position)
