"""What one seat, or a spectator, may see of a position, and the events it may hear.

A view is built from the few things its viewer may know (public areas, counts, own hand and cup); nothing is ever
made complete first and stripped afterwards. When the game is over the record is revealed, so everything is public.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sandriver.games.common import check_viewer
from sandriver.games.contract import Heard, Transition
from sandriver.games.mandala import kernel, wire
from sandriver.games.mandala.cards import Cards, format_counts
from sandriver.games.mandala.consequences import choices, lying, reckoning
from sandriver.games.mandala.notation import SEATS, format_river, format_turn
from sandriver.games.mandala.rules import Action, Position, hidden_of, state_of

PUBLIC_EVENTS = frozenset([
    wire.Built, wire.Grown, wire.Redrawn, wire.Shuffled, wire.LastMandala, wire.Completed,
    wire.Swept, wire.Claimed, wire.Cleared, wire.Refilled, wire.Ended,
])  # fmt: skip
"""Events that everybody hears as they are; ``Drawn`` is the only one with something to hide."""


def view(
    position: Position, viewer: int | None, *, assist: bool = False, stopped: bool = False, reveal: bool = False, recall: bool = False,
    encoded: bool = False,
) -> wire.View:  # fmt: skip
    """Return what ``viewer`` (a seat, or ``None`` for a spectator) may know of ``position``; if ``stopped``, it is nobody's turn.

    With ``reveal`` nothing is hidden from anybody; with ``recall`` claimed cup cards are open, which all have seen; ``encoded``: it is to
    be written and nothing else.
    """
    check_viewer(viewer, len(SEATS))
    state, hidden, options = state_of(position), hidden_of(position), position.options
    over, to_move = state.mover < 0, None if stopped else position.to_move
    open_to_all = over or reveal
    acting = to_move is not None and to_move == viewer
    lies = lying(state.get(0), state.get(1), state.get(2)), lying(state.get(3), state.get(4), state.get(5))
    one, two = lies[0].view, lies[1].view

    def cards(place: int, known: bool = True) -> str:
        """A set, or its number if no more is ``known``."""
        if not known or place in hidden:
            return _number(state.get(place))
        return format_counts(state.get(place))

    sides: list[wire.SideView] = []
    for seat in (0, 1):
        own = open_to_all or seat == viewer
        points = position.points(seat) if own else None
        hand, dealt = cards(kernel.HAND + seat, own), cards(kernel.DEALT + seat, own)
        claimed = cards(kernel.CLAIMED + seat, own or recall or options.memory_aid)
        sides.append(wire.SideView(hand, format_river(state.get(kernel.RIVER + seat)), dealt, claimed, points))
    a, b = sides
    legal = position.legal_actions.texts if acting else ()
    deck, discard, last_mandala, redraws = state.get(kernel.DECK), cards(kernel.PILE), bool(state.last), state.redraws
    mandalas: Any = (lies[0].encoded, lies[1].encoded) if encoded else (one, two)
    return wire.View(
        viewer=viewer,
        to_move=to_move,
        phase="over" if over else "turn" if state.claim < 0 else "claim",
        claim=None if state.claim < 0 else wire.ClaimView(state.claim, state.completer, lies[state.claim].colours),
        mandalas=mandalas,
        sides=(a, b),
        deck=sum(deck.to_bytes(6, "little")),
        discard=discard,
        last_mandala=last_mandala,
        redraws=redraws,
        stall_limit=options.stall_limit,
        notation=(
            f"{one.mountain}/{one.fields[0]}/{one.fields[1]} {two.mountain}/{two.fields[0]}/{two.fields[1]} {a.hand}/{b.hand} "
            f"{a.river or '-'}/{b.river or '-'} {a.dealt}+{a.claimed}/{b.dealt}+{b.claimed} "
            f"{cards(kernel.DECK, open_to_all)} {discard} {format_turn(state)} {int(last_mandala)}/{redraws}"
        ),
        legal=legal,
        choices=choices(position, encoded=encoded) if acting and assist else (),
        outcome=position.outcome if over else None,
        reckoning=(reckoning(position, 0), reckoning(position, 1)) if over else None,
    )


@lru_cache(maxsize=1 << 14)
def _number(packed: int) -> str:
    """A set of which only the number may be known; of an empty one that is all there is."""
    total = sum(packed.to_bytes(6, "little"))
    return f"?{total}" if total else "-"


def hear(transition: Transition[Position, Action], viewer: int | None) -> Heard:
    """Return a move and its events as ``viewer`` may hear them. Raises ``TypeError`` for an event about which nothing is decided."""
    check_viewer(viewer, len(SEATS))
    seat, drawn = transition.seat, 0
    events: list[object] = []
    for event in transition.events:
        kind = type(event)
        if kind is wire.Drawn:
            packed = Cards.parse(event.cards).packed
            drawn += sum(packed.to_bytes(6, "little"))
            events.append(event if event.seat == viewer else wire.Drawn(event.seat, _number(packed)))
        elif kind in PUBLIC_EVENTS:
            events.append(event)
        else:
            raise TypeError(f"no rule says who may hear {event!r}")
    if seat == viewer or not drawn:
        return Heard(transition.move, tuple(events))
    return Heard(f"{transition.action.text}>?{drawn}{transition.dealt[drawn:]}", tuple(events))
