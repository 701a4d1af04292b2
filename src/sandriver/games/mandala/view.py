"""What one seat, or a spectator, may see of a position, and the events it may hear.

A view is built from the few things its viewer may know (public areas, counts, own hand and cup); nothing is ever
made complete first and stripped afterwards. When the game is over the record is revealed, so everything is public.
"""

from __future__ import annotations

from sandriver.games.contract import Heard, Transition
from sandriver.games.mandala.consequences import TEXTS, choices, forecast, reckoning
from sandriver.games.mandala.rules import COLOURS, Cards, Position
from sandriver.games.mandala.wire import (
    Built, Claimed, ClaimView, Cleared, Completed, Drawn, Ended, Grown, LastMandala, MandalaView, Redrawn, Refilled, Shuffled, SideView, Swept,
    View,
)  # fmt: skip

PUBLIC_EVENTS = (Built, Grown, Redrawn, Shuffled, LastMandala, Completed, Swept, Claimed, Cleared, Refilled, Ended)
"""Events that everybody hears as they are; ``Drawn`` is the only one with something to hide."""


def view(position: Position, viewer: int | None, *, assist: bool = False) -> View:
    """Return what ``viewer`` (a seat, or ``None`` for a spectator) may know of ``position``."""
    over = position.to_move is None
    mandalas = (_mandala(position, 0), _mandala(position, 1))
    sides = (_side(position, 0, viewer, over), _side(position, 1, viewer, over))
    acting = not over and position.to_move == viewer
    claim = position.claim
    discard = str(position.discard)
    return View(
        viewer=viewer,
        to_move=position.to_move,
        phase="over" if over else "turn" if claim is None else "claim",
        claim=None if claim is None else ClaimView(claim.mandala, claim.completer, _colours(position.mountains[claim.mandala])),
        mandalas=mandalas,
        sides=sides,
        deck=position.deck.total,
        discard=discard,
        last_mandala=position.last_mandala,
        redraws=position.redraws,
        stall_limit=position.options.stall_limit,
        notation=_notation(position, mandalas, sides, str(position.deck) if over else _hidden(position.deck.total), discard),
        legal=tuple([TEXTS[action.index] for action in position.legal_actions]) if acting else (),
        choices=choices(position, mandalas) if acting and assist else (),
        outcome=position.outcome,
        reckoning=(reckoning(position, 0), reckoning(position, 1)) if over else None,
    )


def _mandala(position: Position, m: int) -> MandalaView:
    mountain, (field_a, field_b) = position.mountains[m], position.fields[m]
    missing = "".join([colour for colour in COLOURS if not (mountain[colour] or field_a[colour] or field_b[colour])])
    return MandalaView(str(mountain), (str(field_a), str(field_b)), missing, forecast(_colours(mountain), field_a.total, field_b.total))


def _side(position: Position, seat: int, viewer: int | None, over: bool) -> SideView:
    hand, dealt, claimed = position.hands[seat], position.dealt[seat], position.claimed[seat]
    if over or seat == viewer:
        return SideView(str(hand), position.rivers[seat], str(dealt), str(claimed), position.scores[seat])
    taken = str(claimed) if position.options.memory_aid else _hidden(claimed.total)
    return SideView(_hidden(hand.total), position.rivers[seat], _hidden(dealt.total), taken, None)


def _notation(position: Position, mandalas: tuple[MandalaView, MandalaView], sides: tuple[SideView, SideView], deck: str, discard: str) -> str:
    """The view as a position line, from the parts already fit to be seen."""
    (m1, m2), (a, b) = mandalas, sides
    if position.to_move is None:
        turn = "-"
    elif position.claim is None:
        turn = "AB"[position.to_move]
    else:
        turn = f"{'AB'[position.to_move]}*{position.claim.mandala + 1}{'AB'[position.claim.completer]}"
    return (
        f"{m1.mountain}/{m1.fields[0]}/{m1.fields[1]} {m2.mountain}/{m2.fields[0]}/{m2.fields[1]} {a.hand}/{b.hand} "
        f"{a.river or '-'}/{b.river or '-'} {a.dealt}+{a.claimed}/{b.dealt}+{b.claimed} {deck} {discard} {turn} "
        f"{int(position.last_mandala)}/{position.redraws}"
    )


def _colours(cards: Cards) -> int:
    return sum([1 for colour in COLOURS if cards[colour]])


def _hidden(total: int) -> str:
    """A set of which only the number is known; an empty one is known."""
    return f"?{total}" if total else "-"


def hear(transition: Transition, viewer: int | None) -> Heard:
    """Return a move and its events as ``viewer`` may hear them; an event of an unknown kind is never passed on."""
    seat, drawn = transition.seat, 0
    events: list[object] = []
    for event in transition.events:
        if isinstance(event, Drawn):
            total = Cards.parse(event.cards).total
            drawn += total
            events.append(event if event.seat == viewer else Drawn(event.seat, _hidden(total)))
        elif isinstance(event, PUBLIC_EVENTS):
            events.append(event)
        else:
            raise TypeError(f"no rule says who may hear {event!r}")
    if seat == viewer or not drawn:
        return Heard(transition.move, tuple(events))
    action = TEXTS[transition.action.index]
    return Heard(f"{action}>?{drawn}{transition.dealt[drawn:]}", tuple(events))
