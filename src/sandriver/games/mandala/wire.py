"""The data a viewer gets: the view of a position, the choices with their consequences, and the events of a move.

Card sets are count strings in canonical colour order K G P Y O R (``"K2Y1"``, empty ``"-"``, hidden ``"?7"``); colours are one letter;
seats are 0 and 1, mandalas 0 and 1. These structs say what may be known, ``view.py`` fills them.

Structs that a view holds by the dozen are spared the garbage collector (``gc=False``): they cannot form a cycle.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandriver.games.contract import Outcome


class Forecast(msgspec.Struct, frozen=True, gc=False):
    """What would happen if a mandala were completed as it lies. Lists of two are indexed by the seat that completes it."""

    first: tuple[int, int]
    """Seat that claims first, if seat 0 / seat 1 completes it (they differ only on equal fields)."""
    claims: tuple[tuple[int, int], tuple[int, int]]
    """Number of colours claimed by (seat 0, seat 1), if seat 0 / seat 1 completes it."""
    tie: bool
    """Both fields hold the same number of cards, so the player who does not complete claims first."""
    empty: tuple[bool, bool]
    """Fields without a card, by seat: what that seat claims goes to the discard pile."""


class MandalaView(msgspec.Struct, frozen=True):
    """One of the two mandalas; all of it is public."""

    mountain: str
    fields: tuple[str, str]
    missing: str
    """Letters of the colours not yet in this mandala, canonical order (``"GO"``)."""
    forecast: Forecast


class SideView(msgspec.Struct, frozen=True):
    """One player's things as this viewer may know them."""

    hand: str
    river: str
    """Letters in place order, place 1 first."""
    dealt: str
    """The two cards dealt face down to the cup: their owner alone knows them."""
    claimed: str
    """Cup cards claimed since: colours for the owner (for all with ``memory_aid``), else a count."""
    points: int | None
    """Points as they stand, if the viewer can know all that they depend on."""


class ClaimView(msgspec.Struct, frozen=True):
    """A destruction in progress."""

    mandala: int
    completer: int
    colours_left: int


class Effect(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One legal action and what it does, as far as the acting seat can know."""

    action: str
    """The action in notation, to be sent back as it is."""
    count: int
    """Cards it takes from the hand (a claim: from the mountain)."""
    draw: int = 0
    """Cards drawn by it."""
    completes: bool = False
    """It completes the mandala, which is then destroyed."""
    forecast: Forecast | None = None
    """Of the touched mandala after the action (build and grow)."""
    missing: str = ""
    """Colours then still missing in the touched mandala."""
    river_place: int | None = None
    """Claim: place 1..6 that one card takes, if the colour is new."""
    cup: int = 0
    """Claim: cards to the cup."""
    discarded: int = 0
    """Claim: cards to the discard pile, because the own field is empty."""
    points: int = 0
    """Claim: points gained, already dealt cup cards of that colour included."""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why something cannot be done: the code of the rule and what its message needs."""

    code: str
    params: dict[str, str | int] = {}


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A colour brought to a place: its legal actions (by count) and the rule that forbids it, or forbids more of it."""

    kind: Literal["build", "grow", "redraw", "claim"]
    colour: str
    mandala: int | None
    effects: tuple[Effect, ...]
    refusal: Refusal | None


class RiverScore(msgspec.Struct, frozen=True):
    """One river place in the reckoning."""

    place: int
    colour: str | None
    cards: int
    points: int


class Reckoning(msgspec.Struct, frozen=True):
    """One seat's sum at the end: the six places, and the cup cards of colours that the river lacks."""

    river: tuple[RiverScore, ...]
    worthless: str
    """Cup cards that score nothing, as a count string."""
    total: int
    cup_cards: int


class View(msgspec.Struct, frozen=True):
    """A position as one viewer may know it."""

    viewer: int | None
    to_move: int | None
    """Seat whose turn it is; ``None`` when over, or stopped before its end (``notation`` says whose turn it was)."""
    phase: Literal["turn", "claim", "over"]
    claim: ClaimView | None
    mandalas: tuple[MandalaView, MandalaView]
    sides: tuple[SideView, SideView]
    deck: int
    discard: str
    last_mandala: bool
    redraws: int
    """Consecutive redraws so far."""
    stall_limit: int
    """Consecutive redraws that end the game; 0: never."""
    notation: str
    """This view as a position line, hidden sets as ``?n``."""
    legal: tuple[str, ...]
    """The viewer's legal actions, canonical order; empty when it is not the viewer's turn."""
    choices: tuple[Choice, ...]
    """With ``assist``, for the seat to move only: every colour of the hand × every place (a claim: every colour of the mountain)."""
    outcome: Outcome | None
    reckoning: tuple[Reckoning, Reckoning] | None
    """When over."""


class Built(msgspec.Struct, frozen=True, tag="build"):
    """A card from hand to a mountain."""

    seat: int
    mandala: int
    colour: str


class Grown(msgspec.Struct, frozen=True, tag="grow"):
    """Cards from hand to the own field."""

    seat: int
    mandala: int
    colour: str
    count: int


class Redrawn(msgspec.Struct, frozen=True, tag="redraw"):
    """Cards from hand to the discard pile; a ``draw`` follows."""

    seat: int
    colour: str
    count: int


class Drawn(msgspec.Struct, frozen=True, tag="draw"):
    """Cards from the deck to a hand: ``cards`` is a count string for their owner, ``?n`` for everybody else."""

    seat: int
    cards: str


class Shuffled(msgspec.Struct, frozen=True, tag="shuffle"):
    """The discard pile became the new deck."""

    cards: int


class LastMandala(msgspec.Struct, frozen=True, tag="last_mandala"):
    """The deck ran out: the next mandala to be destroyed is the last."""


class Completed(msgspec.Struct, frozen=True, tag="complete"):
    """A mandala shows all six colours. ``first`` is ``None`` when both fields are empty."""

    seat: int
    mandala: int
    first: int | None
    tie: bool


class Swept(msgspec.Struct, frozen=True, tag="sweep"):
    """Both fields were empty: the mountain goes to the discard pile unclaimed."""

    mandala: int
    cards: str


class Claimed(msgspec.Struct, frozen=True, tag="claim"):
    """All cards of one colour leave the mountain."""

    seat: int
    mandala: int
    colour: str
    count: int
    river_place: int | None
    cup: int
    discarded: int


class Cleared(msgspec.Struct, frozen=True, tag="clear"):
    """The fields of a destroyed mandala go to the discard pile."""

    mandala: int
    fields: tuple[str, str]


class Refilled(msgspec.Struct, frozen=True, tag="refill"):
    """Cards face up to an empty mountain, count string (public)."""

    mandala: int
    cards: str


class Ended(msgspec.Struct, frozen=True, tag="end"):
    """The game is over by its rules."""

    outcome: Outcome


Event = Built | Grown | Redrawn | Drawn | Shuffled | LastMandala | Completed | Swept | Claimed | Cleared | Refilled | Ended
EVENT_TYPES: tuple[type[msgspec.Struct], ...] = (
    Built, Grown, Redrawn, Drawn, Shuffled, LastMandala, Completed, Swept, Claimed, Cleared, Refilled, Ended,
)  # fmt: skip
