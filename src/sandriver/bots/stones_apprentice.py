"""The apprentice plays Mandala Stones by rules of thumb: it takes what an action pays now and adds what the board is worth afterwards.

What each rule is worth: its share of 300 games against an apprentice without it (two seats, give or take 5 %):

- Look at the next scorings, not only at the next one (``AHEAD``): 75 %. Towers whose colours surface together are worth more than their
  stones; from this follow the first stone of a pick, by the order it gives, and the space, by what it pays at that height.
- Points later count less (``PATIENCE``): 68 % against hardly less, 70 % against much less. From this follows that a pair is scored before
  the board is full, and any tops only when little else is left.
- End the game when ahead and not when behind (``ENDING``): 55 %. Know that the mandala pays too (``BONUS``): 55 %.
- Nothing that could be measured: a bonus for keeping a space open (so there is none), a value for stones that stay behind (``BURIED``),
  objectives counted before the very last turn (``CLOSING``).

It sees a seat's view only; which actions there are and what they pay at once it takes from the view's choices.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from sandriver.bots.stones_sums import Sums
from sandriver.games.stones.wire import Choices, View

ENDING = 0.3
"""Worth of ending the game now, for each point of the lead it is ended with (negative when behind)."""


class StonesApprentice:
    """Greedy play with sense; a decision takes about a millisecond. Stateless."""

    id: str = "apprentice"
    version: int = 1
    game: str | None = "stones"

    def choose(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        """Return the legal action that is worth most; of equals, one at random. ``view`` must have been made with ``assist``."""
        if len(legal) == 1:
            return legal[0]
        found = worths(view, legal)
        best = max(found.values())
        equals = [action for action, worth in found.items() if worth > best - 1e-9]
        return equals[rng.randrange(len(equals))]


def worths(view: View, legal: Sequence[str]) -> dict[str, float]:
    """Worth of every legal action, in points, where there is more than one. ``view`` must have been made with ``assist``."""
    if view.choices is None:
        return dict.fromkeys(legal, 0.0)
    sums = Sums(view)
    return _picks(sums, view.choices) | _scorings(sums, view.choices, legal)


def _picks(sums: Sums, choices: Choices) -> dict[str, float]:
    """Worth of every pick, by action."""
    worths: dict[str, float] = {}
    for pick in choices.picks:
        if pick.refusal is None:
            for first in pick.firsts:
                for space in choices.spaces:
                    worths[f"pA{pick.artist}-A{pick.to}:S{first.stack:02}@{space}"] = sums.with_tower(space, first.tower)
    return worths


def _scorings(sums: Sums, choices: Choices, legal: Sequence[str]) -> dict[str, float]:
    """Worth of every colour, and of any tops, by action."""
    worths: dict[str, float] = {}
    for colour in choices.colours:
        if colour.refusal is None:
            later = sums.without_tops([stone.space for stone in colour.stones], ends=colour.ends)
            worths[colour.action] = _now(sums, colour.points, colour.ends) + later
    for action in legal:
        if action[0] == "q":
            spaces = [int(space) for space in action[1:]]
            tops = choices.tops[len(spaces) - 1]
            worths[action] = _now(sums, tops.points, tops.ends) + sums.without_tops(spaces, ends=tops.ends)
    return worths


def _now(sums: Sums, points: int, ends: bool) -> float:
    """Worth of the points themselves, and of ending the game with them."""
    return points + ENDING * (sums.lead + points) if ends else float(points)
