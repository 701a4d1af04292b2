"""What the apprentice adds up: one view of Mandala laid out in numbers, and what sharing out a mountain would be worth.

Player 0 is always the bot, player 1 the other. Worth is measured in points, mine minus theirs.
"""

from __future__ import annotations

import math
from functools import lru_cache

from sandriver.games.mandala.cards import COLOURS, EACH
from sandriver.games.mandala.wire import View

Counts = tuple[int, ...]
"""Six numbers in canonical colour order."""

OPENING = 1.1
"""Cards of a newly opened colour expected to be claimed later."""
DEALT_PLACE = 3.4
"""River place which a dealt cup card reaches on average if its colour is left alone."""
END, END_SCALE, LEAD_SCALE, END_POINTS = 14.0, 6.0, 16.0, 1 / 3
"""Worth of ending the game as the winner; the lead that makes this sure at the end, and in the middle; worth of a point at the end."""
LAST_PLACE = 6


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
        unseen = [EACH - seen[c] - sum(1 for places in self.places if places[c]) for c in range(6)]
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
        worth = self._memo.get(key)
        if worth is not None:
            return worth
        left = [] if empty and other_empty else self._claimables(mountain, (empty, other_empty))
        next_places, player, real, hoped = [length + 1 for length in self.lengths], first, 0.0, 0.0
        while left:
            mine, other = next_places
            best = max(left, key=lambda claim: claim[0].wanted(mine) + claim[1].wanted(other))
            left.remove(best)
            gain, sign, place = best[player], 1 - 2 * player, next_places[player]
            real += sign * (gain.points + gain.points_by_place * place)
            hoped += sign * (gain.hope + gain.hope_by_place * place)
            next_places[player] += gain.opens
            player = 1 - player
        worth = self._memo[key] = self._settled(real, hoped, max(next_places) > LAST_PLACE)
        return worth

    def best_claims(self, mountain: Counts, empties: tuple[bool, bool]) -> dict[int, float]:
        """Worth of each claim the bot could make now, by colour, if both claim perfectly from then on."""
        left = self._claimables(mountain, empties)
        mine, other = self.lengths
        return {claim[0].colour: self._after(claim, left, 0, mine + 1, other + 1, 0.0, 0.0) for claim in left}

    def _after(self, claim: _Claimable, left: list[_Claimable], player: int, mine: int, other: int, real: float, hoped: float) -> float:
        gain = claim[player]
        if player == 0:
            real, hoped = real + gain.points + gain.points_by_place * mine, hoped + gain.hope + gain.hope_by_place * mine
            mine += gain.opens
        else:
            real, hoped = real - gain.points - gain.points_by_place * other, hoped - gain.hope - gain.hope_by_place * other
            other += gain.opens
        rest = [one for one in left if one is not claim]
        if not rest:
            return self._settled(real, hoped, max(mine, other) > LAST_PLACE)
        worths = [self._after(one, rest, 1 - player, mine, other, real, hoped) for one in rest]
        return min(worths) if player == 0 else max(worths)

    def _claimables(self, mountain: Counts, empties: tuple[bool, bool]) -> list[_Claimable]:
        return [(self._gain(0, c, cards, empties[0]), self._gain(1, c, cards, empties[1])) for c, cards in enumerate(mountain) if cards]

    def _gain(self, player: int, c: int, cards: int, empty: bool) -> _Gain:
        if empty:
            return _Gain(c, 0, 0.0, 0.0, 0.0, 0.0)
        place, dealt = self.places[player][c], self.dealt[player][c]
        if place:
            return _Gain(c, 0, float(place * cards), 0.0, 0.0, 0.0)
        return _Gain(c, 1, 0.0, cards - 1.0 + dealt, -DEALT_PLACE * dealt, OPENING)

    def _settled(self, real: float, hoped: float, full: bool) -> float:
        """Worth of a destruction: its points and hopes, or the game's end where it brings that about."""
        if not self.last_mandala and not full:
            return real + hoped
        return END_POINTS * real + END * (math.tanh((self.lead + real) / END_SCALE) - math.tanh(self.lead / LEAD_SCALE))


class _Gain:
    """What claiming a colour brings to one player: points at once and points to be hoped for, part of them by the next river place."""

    __slots__ = ("colour", "hope", "hope_by_place", "opens", "points", "points_by_place")

    def __init__(self, colour: int, opens: int, points: float, points_by_place: float, hope: float, hope_by_place: float) -> None:
        self.colour, self.opens = colour, opens
        self.points, self.points_by_place = points, points_by_place
        self.hope, self.hope_by_place = hope, hope_by_place

    def wanted(self, place: int) -> float:
        """How much the player wants it, if a new colour would get this place."""
        return self.points + self.hope + (self.points_by_place + self.hope_by_place) * place


_Claimable = tuple[_Gain, _Gain]
"""A colour of the mountain: what it would bring to the bot, and to the other player."""


def _places(river: str) -> Counts:
    return tuple(river.find(colour) + 1 for colour in COLOURS)


def _guess(claimed: str, places: Counts) -> float:
    """Points of the other's cup, of which often only the number of cards is known."""
    opened = [place for place in places if place]
    points = 2.0 * sum(opened) / 6
    if claimed.startswith("?"):
        return points + number(claimed) * sum(opened) / max(1, len(opened))
    return points + sum(cards * place for cards, place in zip(counts(claimed), places, strict=True))
