"""What the apprentice adds up: one view of Mandala laid out in numbers, and what sharing out a mountain would be worth.

Player 0 is always the bot, player 1 the other. Worth is measured in points, mine minus theirs.
"""

from __future__ import annotations

import math
from functools import lru_cache

from sandriver.games.mandala.wire import View

COLOURS = "KGPYOR"
COPIES = 18
Counts = tuple[int, ...]
"""Six numbers in canonical colour order."""

OPENING = 1.1
"""Cards of a newly opened colour expected to be claimed later."""
DEALT_PLACE = 3.4
"""River place which a dealt cup card reaches on average if its colour is left alone."""
END, END_SCALE, LEAD_SCALE = 14.0, 6.0, 16.0
"""Worth of ending the game as the winner; the lead in points that makes winning sure at the end; the same in the middle of a game."""


@lru_cache(maxsize=8192)
def counts(text: str) -> Counts:
    """Read a count string; of a hidden set no card is known."""
    result = [0] * 6
    if not text.startswith(("?", "-")):
        colour = -1
        for char in text:
            if char.isdigit():
                result[colour] = result[colour] * 10 + int(char)
            else:
                colour = COLOURS.index(char)
    return tuple(result)


def number(text: str) -> int:
    """How many cards a set has, hidden or not."""
    return int(text[1:]) if text.startswith("?") else sum(counts(text))


class Sums:
    """A view in numbers."""

    def __init__(self, view: View) -> None:
        me = view.viewer or 0
        mine, other = view.sides[me], view.sides[1 - me]
        order = (me, 1 - me)
        self.places: tuple[Counts, Counts] = (_places(mine.river), _places(other.river))
        self.lengths = (len(mine.river), len(other.river))
        self.dealt: tuple[Counts, Counts] = (counts(mine.dealt), counts("-"))
        self.hand = counts(mine.hand)
        self.mountains = tuple(counts(mandala.mountain) for mandala in view.mandalas)
        self.sizes = tuple(tuple(number(mandala.fields[seat]) for seat in order) for mandala in view.mandalas)
        self.last_mandala = view.last_mandala
        self.lead = (mine.points or 0) - _guess(other.claimed, self.places[1])
        self.held_by_other = self._held_by_other(view, me)
        self._memo: dict[tuple[Counts, int, bool, bool], float] = {}

    def _held_by_other(self, view: View, me: int) -> tuple[float, ...]:
        """Probability, by colour, that the other player holds at least one such card."""
        mine, other = view.sides[me], view.sides[1 - me]
        texts = [mine.hand, mine.dealt, mine.claimed, other.claimed, view.discard]
        for mandala in view.mandalas:
            texts += [mandala.mountain, *mandala.fields]
        seen = [sum(column) for column in zip(*map(counts, texts), strict=True)]
        unseen = [COPIES - seen[c] - sum(1 for places in self.places if places[c]) for c in range(6)]
        hidden, size = max(1, sum(unseen)), number(other.hand)
        return tuple(1.0 - (1.0 - left / hidden) ** size for left in unseen)

    def destroyed(self, mountain: Counts, sizes: tuple[int, ...], completer: int) -> float:
        """Worth of a mandala that ``completer`` completes as it lies."""
        mine, theirs = sizes
        first = 1 - completer if mine == theirs else int(mine < theirs)
        return self.shared(mountain, first, not mine, not theirs)

    def shared(self, mountain: Counts, first: int, empty: bool, other_empty: bool) -> float:
        """Worth of a mountain if both claim greedily: the most for oneself and kept from the other."""
        key = (mountain, first, empty, other_empty)
        if key in self._memo:
            return self._memo[key]
        places, lengths = [list(self.places[0]), list(self.places[1])], list(self.lengths)
        empties = (empty, other_empty)
        real = hoped = 0.0
        left = [] if empty and other_empty else [c for c in range(6) if mountain[c]]
        player = first
        while left:
            gains = [
                (
                    self._gain(0, c, mountain[c], places[0][c], lengths[0], empty),
                    self._gain(1, c, mountain[c], places[1][c], lengths[1], other_empty),
                )
                for c in left
            ]
            best = max(range(len(left)), key=lambda i: gains[i][0][0] + gains[i][0][1] + gains[i][1][0] + gains[i][1][1])
            c, gain = left.pop(best), gains[best][player]
            sign = 1 - 2 * player
            real, hoped = real + sign * gain[0], hoped + sign * gain[1]
            if not empties[player] and not places[player][c]:
                lengths[player] += 1
                places[player][c] = lengths[player]
            player = 1 - player
        worth = self.settled(real, hoped, lengths)
        self._memo[key] = worth
        return worth

    def best_claim(self, mountain: Counts, player: int, empties: tuple[bool, bool]) -> dict[int, float]:
        """Worth of each claim the player could make now, if both claim perfectly from then on."""
        places = [list(self.places[0]), list(self.places[1])]
        left = [c for c in range(6) if mountain[c]]
        return {c: self._after(c, left, mountain, player, empties, places, list(self.lengths), 0.0, 0.0) for c in left}

    def _after(
        self, c: int, left: list[int], mountain: Counts, player: int, empties: tuple[bool, bool],
        places: list[list[int]], lengths: list[int], real: float, hoped: float,
    ) -> float:  # fmt: skip
        gain = self._gain(player, c, mountain[c], places[player][c], lengths[player], empties[player])
        sign = 1 - 2 * player
        real, hoped = real + sign * gain[0], hoped + sign * gain[1]
        opens = not empties[player] and not places[player][c]
        if opens:
            lengths[player] += 1
            places[player][c] = lengths[player]
        rest = [other for other in left if other != c]
        if rest:
            worths = [self._after(n, rest, mountain, 1 - player, empties, places, lengths, real, hoped) for n in rest]
            worth = min(worths) if player == 0 else max(worths)
        else:
            worth = self.settled(real, hoped, lengths)
        if opens:
            lengths[player] -= 1
            places[player][c] = 0
        return worth

    def _gain(self, player: int, c: int, cards: int, place: int, length: int, empty: bool) -> tuple[float, float]:
        """Points a claim brings at once, and what it changes in points to be hoped for."""
        if empty:
            return 0.0, 0.0
        if place:
            return place * cards, 0.0
        place, dealt = length + 1, self.dealt[player][c]
        return place * (cards - 1 + dealt), OPENING * place - DEALT_PLACE * dealt

    def settled(self, real: float, hoped: float, lengths: list[int]) -> float:
        """Worth of a destruction: its points and hopes, or the game's end where it brings that about."""
        if not self.last_mandala and 6 not in lengths:
            return real + hoped
        return real / 3 + END * (math.tanh((self.lead + real) / END_SCALE) - math.tanh(self.lead / LEAD_SCALE))


def _places(river: str) -> Counts:
    return tuple(river.find(colour) + 1 for colour in COLOURS)


def _guess(claimed: str, places: Counts) -> float:
    """Points of the other's cup, of which often only the number of cards is known."""
    opened = [place for place in places if place]
    points = 2.0 * sum(opened) / 6
    if claimed.startswith("?"):
        return points + number(claimed) * sum(opened) / max(1, len(opened))
    return points + sum(cards * place for cards, place in zip(counts(claimed), places, strict=True))
