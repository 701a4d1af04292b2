"""The data a viewer gets: the view of a position, the choices with their consequences, and the events of a move.

A stone is one letter: ``Y R B P``, upper case with a star, lower case with a circle; ``(y)``: a covered stone whose colour is known
and whose pattern is not. Stacks and towers are strings, bottom to top, empty string when there is nothing. Stack spaces are numbers 1..24
and artist spaces 1..9, as on the printed grid of the notation; spaces for towers are 1..5, places of the mandala count from 1 at the
centre; seats are numbers from 0.

Structs that a view holds by the dozen are spared the garbage collector (``gc=False``): they cannot form a cycle.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandriver.games.contract import Outcome

Pattern = Literal["star", "circle"]


class Artist(msgspec.Struct, frozen=True, gc=False):
    """One artist on the main board."""

    space: int
    pattern: Pattern


class Objective(msgspec.Struct, frozen=True, gc=False):
    """An objective card, and what it would be worth on its owner's board as it stands."""

    id: str
    """Id of the card in the ruleset, e.g. ``spire``."""
    points: int


class SideView(msgspec.Struct, frozen=True):
    """One player's things as this viewer may know them."""

    towers: tuple[str, str, str, str, str]
    score: int
    """Points of the track: without objectives."""
    heights: int
    """Number of different tower heights, as the first space counts them."""
    objectives: tuple[Objective, ...] | None
    """The seat's objective cards: for their owner, and for everybody once the game is over; else ``None``."""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why something cannot be done: the code of the rule and what its message needs."""

    code: str
    params: dict[str, str | int] = {}


class Yield(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One stack beside a destination: what it gives to the artist, or why it gives nothing."""

    stack: int
    stone: str
    """Its top stone; empty for an empty stack."""
    refusal: Literal["", "empty", "pattern", "blocked"] = ""
    """Empty: the stone is gained. ``pattern``: it is not the artist's pattern. ``blocked``: another artist stands beside the stack."""
    blocker: int | None = None
    """For ``blocked``: the space of the artist that blocks."""


class First(msgspec.Struct, frozen=True, gc=False):
    """One choice of the first stone, and the tower that follows from it."""

    stack: int
    tower: str
    """Bottom to top: the first stone, then the others clockwise."""


class Pick(msgspec.Struct, frozen=True, gc=False):
    """One artist brought to one vacant space. An action of it is ``p`` origin ``-`` space ``:`` first stack ``@`` tower space."""

    artist: int
    """Space on which the artist stands now."""
    to: int
    yields: tuple[Yield, ...]
    """The stacks beside ``to``, clockwise from the north."""
    firsts: tuple[First, ...]
    """Every possible first stone, in the same order; empty when nothing is gained."""
    refusal: Refusal | None
    """Why this move is no pick: ``nothing_gained`` or ``board_full``."""


class Bonus(msgspec.Struct, frozen=True, gc=False):
    """A space of the mandala that pays for being covered."""

    place: int
    points: int


class ScoredStone(msgspec.Struct, frozen=True, gc=False):
    """A top stone that would be scored, or was."""

    space: int
    """Own space 1..5 of its tower."""
    stone: str
    height: int
    """Stones in the tower, this one included."""
    points: int
    """What the space (or ``score_tops``) pays for it, without the mandala."""


class ColourScoring(msgspec.Struct, frozen=True, gc=False):
    """Scoring one colour: everything it would pay, fixed before a stone is moved."""

    colour: str
    """``Y R B P``."""
    action: str
    """In notation, to be sent back as it is."""
    stones: tuple[ScoredStone, ...]
    """Every tower with that colour on top, left to right; also where there are too few of them."""
    bonuses: tuple[Bonus, ...]
    """Bonus places of the mandala that these stones would cover."""
    points: int
    """Stones and bonuses together."""
    ends: bool
    """A stone would cover the end space: the round is finished, then the game is over."""
    refusal: Refusal | None
    """``too_few_towers`` when the colour is not on top of enough towers (param ``towers``: how many are needed)."""


class TopsScoring(msgspec.Struct, frozen=True, gc=False):
    """Scoring any tops, by the number of stones taken; it does not matter which."""

    count: int
    stones: int
    """Points of the stones without the mandala."""
    bonuses: tuple[Bonus, ...]
    points: int
    """Stones and bonuses together."""
    ends: bool


class Choices(msgspec.Struct, frozen=True, gc=False):
    """What the seat to move can do, and what each way would bring."""

    picks: tuple[Pick, ...]
    """Every artist, rising by space, to every vacant space, rising."""
    spaces: tuple[int, ...]
    """Own empty spaces: where a picked tower can go."""
    colours: tuple[ColourScoring, ...]
    """The four colours in the order Y R B P."""
    tops: tuple[TopsScoring, ...]
    """For 1, 2, … stones, as many as there are towers. An action of it is ``q`` with the chosen spaces, rising."""


class MandalaView(msgspec.Struct, frozen=True):
    """The shared mandala; all of it is public."""

    stones: str
    """In order of placing: the first lies in the centre."""
    end: int
    """Place whose covering ends the game, for this number of players."""
    next_bonus: Bonus | None
    """The first uncovered place that pays."""


class SeatReckoning(msgspec.Struct, frozen=True):
    """One seat's sum at the end."""

    track: int
    """Points of the game itself."""
    objectives: tuple[Objective, ...]
    """Empty when they are not known."""
    best: int | None
    """Index of the objective that counts."""
    total: int
    stones_left: int


class View(msgspec.Struct, frozen=True):
    """A position as one viewer may know it."""

    viewer: int | None
    to_move: int | None
    """Seat whose turn it is; ``None`` when over, or stopped before its end (``notation`` says whose turn it was)."""
    phase: Literal["turn", "over"]
    round: int
    first: int
    """Seat that began the game."""
    trigger: Literal["A", "B"] | None
    """Why this round is the last: the end space is covered (A), somebody could do nothing (B)."""
    stacks: tuple[str, ...]
    """The 24 stacks; with hidden patterns every covered stone as ``(y)``."""
    artists: tuple[Artist, ...]
    """Rising by space."""
    mandala: MandalaView
    sides: tuple[SideView, ...]
    notation: str
    """This view as a position line."""
    legal: tuple[str, ...]
    """The viewer's legal actions, canonical order; empty when it is not the viewer's turn."""
    choices: Choices | None
    """With ``assist``, for the seat to move only."""
    outcome: Outcome | None
    reckoning: tuple[SeatReckoning, ...] | None
    """When over, by seat."""


class Moved(msgspec.Struct, frozen=True, tag="move"):
    """An artist goes from one space to another."""

    seat: int
    pattern: Pattern
    origin: int
    to: int


class Taken(msgspec.Struct, frozen=True, gc=False):
    """One stone and the stack it came from."""

    stack: int
    stone: str


class Gathered(msgspec.Struct, frozen=True, tag="gather"):
    """The yielding stones become a tower: ``stones`` from bottom to top."""

    seat: int
    stones: tuple[Taken, ...]
    space: int


class Uncovered(msgspec.Struct, frozen=True, tag="uncover"):
    """Stones that are on top of their stacks now, so that their pattern shows."""

    stones: tuple[Taken, ...]


class Scored(msgspec.Struct, frozen=True, tag="score"):
    """Top stones leave their towers for points, left to right. ``colour`` is ``None`` for any tops."""

    seat: int
    colour: str | None
    stones: tuple[ScoredStone, ...]
    places: tuple[int, ...]
    """Place of the mandala that each stone takes, in the same order."""
    bonuses: tuple[Bonus, ...]
    points: int
    """Stones and bonuses together."""


class LastRound(msgspec.Struct, frozen=True, tag="last_round"):
    """An end trigger fired: the round is finished, then the game is over."""

    seat: int
    trigger: Literal["A", "B"]


class Skipped(msgspec.Struct, frozen=True, tag="skip"):
    """A player who could neither pick nor score lost the turn."""

    seat: int


class Ended(msgspec.Struct, frozen=True, tag="end"):
    """The game is over by its rules; the objectives are open from here."""

    outcome: Outcome


Event = Moved | Gathered | Uncovered | Scored | LastRound | Skipped | Ended
EVENT_TYPES: tuple[type[msgspec.Struct], ...] = (Moved, Gathered, Uncovered, Scored, LastRound, Skipped, Ended)
