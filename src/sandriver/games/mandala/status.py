"""What is wrong with a position: every invariant of the rules, each fault with the field of the notation that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from sandriver.games.errors import PositionError
from sandriver.games.mandala import kernel
from sandriver.games.mandala.cards import ALL, COLOURS, EACH
from sandriver.games.mandala.notation import FIELDS, SEATS, Hidden, format_river


def problems(state: kernel.State, hidden: Hidden) -> list[PositionError]:
    """Return everything wrong with a position, in the order of its fields, the count of all cards last; empty when all is well."""
    faults = [
        *_mandalas(state), *_hands(state), *_rivers(state), *_cups(state, hidden), *_deck(state), *_turn(state), *_flags(state),
        *_cards(state, hidden),
    ]  # fmt: skip
    return [PositionError(field, code, f"{field}: {reason}", {"field": field}) for field, code, reason in faults]


Fault = tuple[str, str, str]


def _counts(state: kernel.State, place: int) -> bytes:
    return state.get(place).to_bytes(6, "little")


def _total(state: kernel.State, place: int) -> int:
    return sum(_counts(state, place))


def _colours(state: kernel.State, *places: int) -> list[str]:
    """The colours at some places, one entry for each place that holds it."""
    return [letter for place in places for letter, count in zip(COLOURS, _counts(state, place), strict=True) if count]


def _mandalas(state: kernel.State) -> Iterator[Fault]:
    for m in (0, 1):
        colours = _colours(state, 3 * m, 3 * m + 1, 3 * m + 2)
        for colour in COLOURS:
            if colours.count(colour) > 1:
                yield FIELDS[m], "colour_in_two_areas", f"{colour} lies in more than one area of the mandala"
        if len(set(colours)) == 6 and state.claim != m:
            yield FIELDS[m], "six_colours", "all six colours lie in the mandala, but it is not being destroyed"


def _hands(state: kernel.State) -> Iterator[Fault]:
    for seat in (0, 1):
        total = _total(state, kernel.HAND + seat)
        if not 1 <= total <= kernel.HAND_LIMIT:
            yield "HANDS", "hand_size", f"{total} cards in the hand of {SEATS[seat]}, 1 to {kernel.HAND_LIMIT} are possible"


def _rivers(state: kernel.State) -> Iterator[Fault]:
    for seat in (0, 1):
        if len(format_river(state.get(kernel.RIVER + seat))) == 6 and state.mover >= 0 and state.claim < 0:
            yield "RIVERS", "river_full", f"the river of {SEATS[seat]} is full, but the game goes on"


def _cups(state: kernel.State, hidden: Hidden) -> Iterator[Fault]:
    for seat in (0, 1):
        dealt = _total(state, kernel.DEALT + seat)
        if dealt != 2:
            yield "CUPS", "dealt_size", f"{dealt} cards were dealt to the cup of {SEATS[seat]}, two are dealt"
        if kernel.CLAIMED + seat in hidden:
            if not state.get(kernel.RIVER + seat):
                yield "CUPS", "claimed_without_river", f"{SEATS[seat]} has claimed cards, but an empty river"
            continue
        river = format_river(state.get(kernel.RIVER + seat))
        for colour in _colours(state, kernel.CLAIMED + seat):
            if colour not in river:
                yield "CUPS", "claimed_without_river", f"{SEATS[seat]} has claimed {colour}, which is not in the river of {SEATS[seat]}"


def _deck(state: kernel.State) -> Iterator[Fault]:
    eager_turn = not state.lazy and state.mover >= 0 and state.claim < 0
    if eager_turn and not state.get(kernel.DECK) and state.get(kernel.PILE):
        yield "DECK", "deck_empty", "the deck is empty although the discard pile is not"


def _turn(state: kernel.State) -> Iterator[Fault]:
    if state.mover < 0:
        cleared = any(not state.get(3 * m) and not state.get(3 * m + 1) and not state.get(3 * m + 2) for m in (0, 1))
        by_mandala = cleared and (state.last or state.over == kernel.SIXTH_COLOUR)
        if not by_mandala and state.over != kernel.STALL:
            yield "TURN", "not_over", "nothing in the position has ended the game"
    elif state.claim >= 0:
        base = 3 * state.claim
        fields = [_total(state, base + 1 + seat) for seat in (0, 1)]
        if not state.get(base) or not any(fields):
            yield (
                "TURN",
                "nothing_to_claim",
                f"no destruction goes on in mandala {state.claim + 1}: its mountain or both its fields are empty",
            )
            return
        first = kernel.first_claimer(fields[0], fields[1], state.completer)
        made = 6 - len(set(_colours(state, base, base + 1, base + 2)))
        if state.mover != (first + made) % 2:
            yield "TURN", "wrong_claimer", f"after {made} claims in mandala {state.claim + 1} it is not {SEATS[state.mover]} who claims"


def _flags(state: kernel.State) -> Iterator[Fault]:
    if not state.lazy and not state.get(kernel.DECK) and not state.last:
        yield "FLAGS", "last_mandala_unset", "the deck has run out, but the last-mandala flag is not set"
    if state.limit and state.redraws >= state.limit and (state.mover >= 0 or state.redraws > state.limit):
        yield "FLAGS", "stalled", f"{state.redraws} consecutive redraws, the game ends at {state.limit}"


def _cards(state: kernel.State, hidden: Hidden) -> Iterator[Fault]:
    shown = [0] * 6
    total = sum(hidden.values())
    for place in range(kernel.RIVER):
        if place not in hidden:
            for colour, count in enumerate(_counts(state, place)):
                shown[colour] += count
    for seat in (0, 1):
        for colour, place in enumerate(_counts(state, kernel.RIVER + seat)):
            shown[colour] += place > 0
    total += sum(shown)
    if total != ALL:
        yield "CARDS", "card_count", f"{total} cards, there are {ALL}"
    for colour, count in enumerate(shown):
        if count > EACH or (count != EACH and not hidden):
            yield "CARDS", "card_count", f"{count} cards of {COLOURS[colour]}, there are {EACH}"
