"""The apprentice plays Mandala by rules of thumb: it weighs what each action leads to by adding up what the table shows.

A mandala is worth what claiming it would bring, mine minus theirs. Who claims first comes from the fields, so majorities and the
parity of the mountain's colours matter by themselves; so do an empty field (one only bins what the other wants), the two dealt
cards (their colours should not be opened on a low place) and the end of the game (welcome when ahead, put off when behind).
Singles go to mountains because they refill the hand, sets go to fields, what is blocked is redrawn. It sees a seat's view only;
which actions there are and what they cause it takes from the view's choices.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from sandriver.bots.mandala_sums import Counts, Sums
from sandriver.games.mandala.cards import COLOURS
from sandriver.games.mandala.wire import Choice, Effect, View

NEARNESS = (1.0, 0.85, 0.55, 0.42, 0.32, 0.25, 0.2)
"""How much of a mandala's worth counts now, by the number of colours it still lacks."""
DRAWN, GROWN = 0.5, 0.3
"""Worth of a card drawn; worth of a card in the field beyond what it changes now: a lead that the other must make up first."""
REDRAW, FRESH = 0.6, 0.3
"""Cost of a turn spent on redrawing; worth of a fresh card in place of one that can be played nowhere."""


class MandalaApprentice:
    """Sensible play by rules of thumb; a decision takes about a millisecond. Stateless."""

    id: str = "apprentice"
    version: int = 1
    game: str | None = "mandala"

    def choose(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        """Return the legal action that is worth most; of equals, one at random. ``view`` must have been made with ``assist``."""
        found = worths(view, legal)
        best = max(found.values())
        equals = [action for action, worth in found.items() if worth > best - 1e-9]
        return equals[rng.randrange(len(equals))]


def worths(view: View, _legal: Sequence[str]) -> dict[str, float]:
    """Worth of every legal action, in points mine minus theirs. ``view`` must have been made with ``assist``."""
    sums = Sums(view)
    return _claims(sums, view) if view.claim is not None else _turns(sums, view)


def _claims(sums: Sums, view: View) -> dict[str, float]:
    """Worth of every claim, by action."""
    m = view.choices[0].mandala or 0
    mine, theirs = sums.sizes[m]
    worths = sums.best_claims(sums.mountains[m], (not mine, not theirs))
    return {choice.effects[0].action: worths[COLOURS.index(choice.colour)] for choice in view.choices}


def _turns(sums: Sums, view: View) -> dict[str, float]:
    """Worth of every build, grow and redraw, by action."""
    lie = [_mandala(sums, sums.mountains[m], sums.sizes[m], view.mandalas[m].missing) for m in (0, 1)]
    playable = {choice.colour for choice in view.choices if choice.kind != "redraw" and choice.effects}
    worths: dict[str, float] = {}
    for choice in view.choices:
        for effect in choice.effects:
            if choice.mandala is None:
                worth = lie[0] + lie[1] - REDRAW + (0.0 if choice.colour in playable else FRESH * effect.count)
            else:
                worth = _touched(sums, choice, effect, choice.mandala) + lie[1 - choice.mandala]
            worths[effect.action] = worth
    return worths


def _touched(sums: Sums, choice: Choice, effect: Effect, m: int) -> float:
    """Worth of the mandala an action touches, and of the cards drawn or grown."""
    mountain, (mine, theirs) = sums.mountains[m], sums.sizes[m]
    if choice.kind == "build":
        return _mandala(sums, _with(mountain, COLOURS.index(choice.colour)), (mine, theirs), effect.missing) + DRAWN * effect.draw
    return _mandala(sums, mountain, (mine + effect.count, theirs), effect.missing) + GROWN * effect.count


def _mandala(sums: Sums, mountain: Counts, sizes: tuple[int, ...], missing: str) -> float:
    """Worth of a mandala after an own action: destroyed now, perhaps by the next card, or some day."""
    if not missing:
        return sums.destroyed(mountain, sizes, 0)
    mine, theirs = sizes
    if len(missing) == 1:
        return _one_missing(sums, mountain, mine, theirs, COLOURS.index(missing))
    chance = 1 / (1 + math.exp(-(mine - theirs) / (0.6 + 0.35 * len(missing))))
    near = len(missing) == 2
    empty, other_empty = near and not mine, near and not theirs
    worth = chance * sums.shared(mountain, 0, empty, other_empty) + (1 - chance) * sums.shared(mountain, 1, empty, other_empty)
    return NEARNESS[len(missing)] * worth


def _one_missing(sums: Sums, mountain: Counts, mine: int, theirs: int, c: int) -> float:
    """Worth of a mandala that one card completes: the other may do so first, by mountain or field, whichever serves better."""
    higher = _with(mountain, c)
    wait = NEARNESS[2] * (sums.destroyed(mountain, (mine, theirs), 0) + sums.destroyed(mountain, (mine, theirs), 1)) / 2
    by_other = min(sums.destroyed(higher, (mine, theirs), 1), sums.destroyed(mountain, (mine, theirs + 1), 1), wait)
    by_me = max(sums.destroyed(higher, (mine, theirs), 0), sums.destroyed(mountain, (mine + 1, theirs), 0), wait)
    held = 0.95 if sums.hand[c] else 0.35
    threat = sums.held_by_other[c]
    return NEARNESS[1] * (threat * by_other + (1 - threat) * (held * by_me + (1 - held) * wait))


def _with(mountain: Counts, c: int) -> Counts:
    return (*mountain[:c], mountain[c] + 1, *mountain[c + 1 :])
