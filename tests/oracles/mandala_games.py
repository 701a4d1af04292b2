"""Ways to play and deal on the oracle that meet what is rare in plain random play, and the census of what was met.

A game is fully named by its number: options, both players' habits, the dealer's habit and the seed follow from it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tests.oracles import mandala as oracle
from tests.oracles.mandala import COLOURS, Options, Position
from tests.oracles.mandala_text import position_text

PLY_CAP = 260
"""Without a stall guard some habits never end a game."""

Habit = Callable[[Position, list[str], random.Random], list[str]]
"""Narrows the legal actions down; the player then picks at random. It may answer nothing, then all are open."""


class Ply(NamedTuple):
    """One action as the oracle played it."""

    before: Position
    legal: list[str]
    action: str
    dealt: str
    decks: list[list[int]]
    """Counts of the deck at every card dealt."""
    after: Position


# --- habits of players ---------------------------------------------------------------------------


def anything(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    return legal


def build_always(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    return [a for a in legal if a[0] == "b"]


def grow_much(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    return [a for a in legal if a[0] == "f" and int(a[3]) >= 2] or [a for a in legal if a[0] == "f"]


def empty_hand(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    """Down to one card, then build with it."""
    grows = [a for a in legal if a[0] == "f"]
    return [a for a in grows if a[3] == max(b[3] for b in grows)] or [a for a in legal if a[0] == "b"]


def redraw_often(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    return [a for a in legal if a[0] == "d"] if rng.random() < 0.85 else legal


def never_complete(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    """Plays cards out of circulation until deck and pile run dry; claims what goes to the cup whole."""
    if legal[0][0] == "c":
        return [a for a in legal if a[1] in position["river"][position["turn"]]]
    quiet = []
    for action in legal:
        if action[0] == "d":
            continue
        mandala = int(action[1]) - 1
        lying = set(position["mountain"][mandala] + position["field"][mandala][0] + position["field"][mandala][1])
        if len(lying) < 5 or action[2] in lying:
            quiet.append(action)
    return quiet or [a for a in legal if a[0] == "d"]


def fill_river(position: Position, legal: list[str], rng: random.Random) -> list[str]:
    """One card in each field, then complete; claims new colours."""
    seat = position["turn"]
    if legal[0][0] == "c":
        return [a for a in legal if a[1] not in position["river"][seat]]
    grows = [a for a in legal if a[0] == "f" and not position["field"][int(a[1]) - 1][seat]]
    return grows or [a for a in legal if a[0] == "b"]


HABITS: tuple[Habit, ...] = (anything, build_always, grow_much, empty_hand, redraw_often, never_complete, fill_river)


# --- habits of dealers ---------------------------------------------------------------------------


def _dealer(habit: int, rng: random.Random, decks: list[list[int]]) -> oracle.Dealer:
    """0: shuffled; 1: mostly the commonest colour left; 2: mostly the first colour left in a shuffled order."""
    order = list(COLOURS)
    rng.shuffle(order)

    def deal(deck: list[str]) -> str:
        decks.append([deck.count(c) for c in COLOURS])
        if habit == 1 and rng.random() < 0.7:
            return max(COLOURS, key=deck.count)
        if habit == 2 and rng.random() < 0.7:
            return next(c for c in order if c in deck)
        return rng.choice(deck)

    return deal


# --- games ----------------------------------------------------------------------------------------


def game(number: int) -> tuple[Options, int, Position, str, Iterator[Ply]]:
    """Game ``number``: its options, first seat, start position, the cards of the set-up, and its plies, played while they are read."""
    rng = random.Random(f"mandala {number}")
    options: dict[str, Any] = {"exhaustion": rng.choice(("eager", "lazy")), "stall_limit": rng.choice((20, 20, 20, 0, 1, 2, 5))}
    plain = number % 4 == 0
    habits = (anything, anything) if plain else (rng.choice(HABITS), rng.choice(HABITS))
    noise = rng.choice((0.0, 0.05, 0.3))
    decks: list[list[int]] = []
    dealer = _dealer(0 if plain else rng.randrange(3), rng, decks)
    first = rng.randrange(2)
    start, dealt = oracle.start(first, dealer)

    def plies() -> Iterator[Ply]:
        position = start
        for _ in range(PLY_CAP):
            legal = oracle.legal(position)
            if not legal:
                return
            wanted = legal if rng.random() < noise else habits[position["turn"]](position, legal, rng)
            action = rng.choice(wanted or legal)
            decks.clear()
            after, cards = oracle.play(position, action, options, dealer)
            yield Ply(position, legal, action, cards, list(decks), after)
            position = after

    return options, first, start, dealt, plies()


@lru_cache(maxsize=512)
def lines(number: int) -> tuple[Options, list[str]]:
    """Options of game ``number`` and all its position lines, from the start to where it ends or is broken off."""
    options, _, start, _, plies = game(number)
    return options, [position_text(start), *(position_text(ply.after) for ply in plies)]


# --- what was met -----------------------------------------------------------------------------------

SITUATIONS = (
    "hand of 8 builds",
    "only card built",
    "only card, nothing to draw: build forbidden",
    "whole hand redrawn",
    "short draw",
    "nothing drawn",
    "redraw with nothing to draw but itself",
    "reshuffle in mid-draw (build)",
    "reshuffle in mid-draw (redraw)",
    "flag set by a build",
    "flag set by a redraw",
    "flag set by a refill",
    "flag set by the draw of the completing build",
    "second exhaustion",
    "both fields empty",
    "both fields empty, game over",
    "one field empty",
    "equal fields",
    "claim to the discard pile",
    "five claims",
    "one claim",
    "last claimer has the next turn",
    "refill from a reshuffled pile",
    "sixth colour",
    "sixth colour, claims go on",
    "sixth colour with the flag set",
    "end by the last-mandala flag",
    "stall guard",
    "draw by equal cups",
    "tie decided by the smaller cup",
)
"""Every rare situation that a large enough sample of ``game`` must have met."""


def met(ply: Ply, options: Options) -> list[str]:
    """The rare situations in one ply."""
    before, action, after, seat = ply.before, ply.action, ply.after, ply.before["turn"]
    hand, deck, pile = before["hand"][seat], before["deck"], before["discard"]
    found: list[str] = []

    def note(condition: object, name: str) -> None:
        if condition:
            found.append(name)

    raised = after["last"] and not before["last"]
    wrapped = any(later[i] > earlier[i] for earlier, later in zip(ply.decks, ply.decks[1:], strict=False) for i in range(6))
    note(before["claim"] is None and len(hand) == 1 and not deck and not pile, "only card, nothing to draw: build forbidden")
    note(wrapped and before["last"], "second exhaustion")
    if action[0] == "b":
        mandala = int(action[1]) - 1
        note(len(hand) == 8, "hand of 8 builds")
        note(len(hand) == 1, "only card built")
        note(0 < len(ply.dealt) < min(3, 9 - len(hand)), "short draw")
        note(not ply.dealt, "nothing drawn")
        note(wrapped, "reshuffle in mid-draw (build)")
        note(raised, "flag set by a build")
        lying = set(before["mountain"][mandala] + before["field"][mandala][0] + before["field"][mandala][1]) | {action[2]}
        note(raised and len(lying) == 6, "flag set by the draw of the completing build")
        if len(lying) == 6 and not any(before["field"][mandala]):
            note(True, "both fields empty" if after["turn"] is not None else "both fields empty, game over")
    elif action[0] == "d":
        note(int(action[2]) == len(hand), "whole hand redrawn")
        note(not deck and not pile, "redraw with nothing to draw but itself")
        note(wrapped, "reshuffle in mid-draw (redraw)")
        note(raised, "flag set by a redraw")
        note(after["turn"] is None, "stall guard")
    elif action[0] == "c":
        found += _met_in_claim(ply, raised, wrapped)
    if before["claim"] is None and after["claim"] is not None:
        fields = after["field"][after["claim"]["mandala"]]
        note(not fields[0] or not fields[1], "one field empty")
        note(len(fields[0]) == len(fields[1]), "equal fields")
        colours = len(set(after["mountain"][after["claim"]["mandala"]]))
        note(colours == 5, "five claims")
        note(colours == 1, "one claim")
    points = oracle.scores(after) if after["turn"] is None else [0, 1]
    if points[0] == points[1]:
        found.append("draw by equal cups" if oracle.winner(after) == "draw" else "tie decided by the smaller cup")
    return found


def _met_in_claim(ply: Ply, raised: bool, wrapped: bool) -> list[str]:
    before, after, seat = ply.before, ply.after, ply.before["turn"]
    found = []
    if not before["field"][before["claim"]["mandala"]][seat]:
        found.append("claim to the discard pile")
    if len(after["river"][seat]) == 6 and len(before["river"][seat]) == 5:
        found.append("sixth colour")
        if after["turn"] is not None:
            found.append("sixth colour, claims go on")
        if before["last"]:
            found.append("sixth colour with the flag set")
    if after["turn"] is None and max(len(river) for river in after["river"]) < 6:
        found.append("end by the last-mandala flag")
    if after["turn"] == seat and after["claim"] is None:
        found.append("last claimer has the next turn")
    if raised:
        found.append("flag set by a refill")
    if ply.dealt and (wrapped or not before["deck"]):
        found.append("refill from a reshuffled pile")
    return found
