"""What one seat, or a spectator, may see of a position, and the events it may hear.

A view is built from the few things its viewer may know (public areas, counts, own hand and cup); nothing is ever
made complete first and stripped afterwards. When the game is over the record is revealed, so everything is public.
"""

from __future__ import annotations

from functools import lru_cache

from sandriver.games.common import check_viewer
from sandriver.games.contract import Heard, Transition
from sandriver.games.mandala import wire
from sandriver.games.mandala.cards import COLOURS, Cards
from sandriver.games.mandala.consequences import choices, forecast, reckoning
from sandriver.games.mandala.notation import SEATS
from sandriver.games.mandala.rules import Action, Claim, Position

PUBLIC_EVENTS = (
    wire.Built, wire.Grown, wire.Redrawn, wire.Shuffled, wire.LastMandala, wire.Completed,
    wire.Swept, wire.Claimed, wire.Cleared, wire.Refilled, wire.Ended,
)  # fmt: skip
"""Events that everybody hears as they are; ``Drawn`` is the only one with something to hide."""


def view(position: Position, viewer: int | None, *, assist: bool = False, stopped: bool = False, reveal: bool = False) -> wire.View:
    """Return what ``viewer`` (a seat, or ``None`` for a spectator) may know of ``position``; if ``stopped``, it is nobody's turn.

    With ``reveal`` nothing is hidden from anybody.
    """
    check_viewer(viewer, len(SEATS))
    claim, deck, river, options = position.claim, position.deck, position.rivers, position.options
    over, to_move = position.to_move is None, None if stopped else position.to_move
    open_to_all = over or reveal
    acting = to_move is not None and to_move == viewer
    (mountain_1, mountain_2), (fields_1, fields_2) = position.mountains, position.fields
    mandalas = (
        _mandala(mountain_1.packed, fields_1[0].packed, fields_1[1].packed),
        _mandala(mountain_2.packed, fields_2[0].packed, fields_2[1].packed),
    )
    hand, dealt, claimed = position.hands, position.dealt, position.claimed
    sides: list[wire.SideView] = []
    for seat in (0, 1):
        if open_to_all or seat == viewer:
            sides.append(wire.SideView(str(hand[seat]), river[seat], str(dealt[seat]), str(claimed[seat]), position.scores[seat]))
        else:
            taken = str(claimed[seat]) if options.memory_aid else _hidden(claimed[seat])
            sides.append(wire.SideView(_hidden(hand[seat]), river[seat], _hidden(dealt[seat]), taken, None))
    discard, last_mandala, redraws = str(position.discard), position.last_mandala, position.redraws
    (one, two), (a, b) = mandalas, sides
    return wire.View(
        viewer=viewer,
        to_move=to_move,
        phase="over" if over else "turn" if claim is None else "claim",
        claim=None if claim is None else _destruction(position, claim),
        mandalas=mandalas,
        sides=(a, b),
        deck=deck.total,
        discard=discard,
        last_mandala=last_mandala,
        redraws=redraws,
        stall_limit=options.stall_limit,
        notation=(
            f"{one.mountain}/{one.fields[0]}/{one.fields[1]} {two.mountain}/{two.fields[0]}/{two.fields[1]} {a.hand}/{b.hand} "
            f"{a.river or '-'}/{b.river or '-'} {a.dealt}+{a.claimed}/{b.dealt}+{b.claimed} "
            f"{str(deck) if open_to_all else _hidden(deck)} {discard} {position.turn} {int(last_mandala)}/{redraws}"
        ),
        legal=tuple([action.text for action in position.legal_actions]) if acting else (),
        choices=choices(position, mandalas) if acting and assist else (),
        outcome=position.outcome,
        reckoning=(reckoning(position, 0), reckoning(position, 1)) if over else None,
    )


@lru_cache(maxsize=1 << 14)
def _mandala(mountain: int, field_a: int, field_b: int) -> wire.MandalaView:
    """A mandala from its packed sets: nothing else goes into it, so equal ones are made once."""
    sets = [Cards.unpack(packed) for packed in (mountain, field_a, field_b)]
    missing = "".join([colour for colour in COLOURS if not any(colour in cards for cards in sets)])
    ahead = forecast(len(list(sets[0])), sets[1].total, sets[2].total)
    return wire.MandalaView(str(sets[0]), (str(sets[1]), str(sets[2])), missing, ahead)


def _destruction(position: Position, claim: Claim) -> wire.ClaimView:
    return wire.ClaimView(claim.mandala, claim.completer, len(list(position.mountains[claim.mandala])))


def _hidden(cards: Cards) -> str:
    """A set of which only the number may be known; of an empty one that is all there is."""
    total = cards.total
    return f"?{total}" if total else "-"


def hear(transition: Transition[Position, Action], viewer: int | None) -> Heard:
    """Return a move and its events as ``viewer`` may hear them. Raises ``TypeError`` for an event about which nothing is decided."""
    check_viewer(viewer, len(SEATS))
    seat, drawn = transition.seat, 0
    events: list[object] = []
    for event in transition.events:
        if isinstance(event, wire.Drawn):
            cards = Cards.parse(event.cards)
            drawn += cards.total
            events.append(event if event.seat == viewer else wire.Drawn(event.seat, _hidden(cards)))
        elif isinstance(event, PUBLIC_EVENTS):
            events.append(event)
        else:
            raise TypeError(f"no rule says who may hear {event!r}")
    if seat == viewer or not drawn:
        return Heard(transition.move, tuple(events))
    return Heard(f"{transition.action.text}>?{drawn}{transition.dealt[drawn:]}", tuple(events))
