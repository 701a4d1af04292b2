"""What one seat, or a spectator, may see of a position of Mandala Stones, and the events it may hear.

A view is built from the few things its viewer may know: the board with covered patterns in brackets, all towers, the own
objectives; nothing is ever made complete first and stripped afterwards. When the game is over the objectives are open.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sandriver.games.common import check_viewer
from sandriver.games.contract import Heard, Transition
from sandriver.games.stones import wire
from sandriver.games.stones.consequences import choices, mandala, objectives, reckoning
from sandriver.games.stones.rules import Action, Position, state_of

PUBLIC_EVENTS = (wire.Moved, wire.Gathered, wire.Uncovered, wire.Scored, wire.LastRound, wire.Skipped, wire.Ended)
"""Events that everybody hears as they are: whatever happens here, happens openly."""

_STONE = re.compile(r"\([yrbp]\)|[YRBPyrbp]")


def view(
    position: Position, viewer: int | None, *, assist: bool = False, stopped: bool = False, reveal: bool = False,
    recall: bool = False,  # noqa: ARG001  # what was seen here stays open
    encoded: bool = False,
) -> wire.View:  # fmt: skip
    """Return what ``viewer`` (a seat, or ``None`` for a spectator) may know of ``position``; if ``stopped``, it is nobody's turn.

    With ``reveal`` nothing is hidden from anybody; ``encoded``: it is to be written and nothing else.
    """
    check_viewer(viewer, position.seats)
    over, to_move = position.to_move is None, None if stopped else position.to_move
    acting = to_move is not None and to_move == viewer
    stacks = position.stacks
    if not (reveal or position.options.ruleset.reveal_covered_patterns):
        stacks = tuple([_covered(stack) for stack in stacks])
    boards, track, stones = position.boards, position.track, position.mandala
    sides: list[wire.SideView] = []
    cards: list[str] = []
    state = state_of(position)
    for seat in range(position.seats):
        own = objectives(position, seat) if over or reveal or seat == viewer else None
        cards.append("?" if own is None else "+".join([card.id for card in own]))
        sides.append(wire.SideView(boards[seat], track[seat], state.heights(seat), own))
    trigger, (artists, spots) = position.trigger, _artists(position.artists)
    assisted = None
    if assist and to_move is not None and to_move == viewer:
        assisted = choices(position, stacks, [artist.space for artist in artists], boards[to_move], encoded=encoded)
    return wire.View(
        viewer=viewer,
        to_move=to_move,
        phase="over" if over else "turn",
        round=position.round,
        first=position.first,
        trigger="A" if trigger == "A" else "B" if trigger == "B" else None,
        stacks=stacks,
        artists=artists,
        mandala=mandala(position, stones),
        sides=tuple(sides),
        notation=(
            f"{_piles(stacks)} {spots} {'/'.join([_piles(board) for board in boards])} {stones or '-'} "
            f"{'/'.join(map(str, track))} {'/'.join(cards)} {position.turn} {trigger}/{position.round}/{position.first + 1}"
        ),
        legal=tuple([action.text for action in position.legal_actions]) if acting else (),
        choices=assisted,
        outcome=position.outcome,
        reckoning=tuple([reckoning(position, seat) for seat in range(position.seats)]) if over else None,
    )


def split(stones: str) -> list[str]:
    """The stones of a pile, bottom to top.

    >>> split("(y)(r)B"), split("yRb"), split("")
    (['(y)', '(r)', 'B'], ['y', 'R', 'b'], [])
    """
    return _STONE.findall(stones)


@lru_cache(maxsize=1 << 14)
def _covered(stack: str) -> str:
    """A stack as everybody sees it: of what is covered, only the colour."""
    *below, top = split(stack) or [""]
    return "".join([f"({stone.strip('()').lower()})" for stone in below]) + top


@lru_cache(maxsize=1 << 10)
def _artists(artists: tuple[tuple[int, wire.Pattern], ...]) -> tuple[tuple[wire.Artist, ...], str]:
    """The artists as data and in notation; they stand in few ways, so each is made once."""
    spaces = ["+".join([f"A{space}" for space, pattern in artists if pattern == wanted]) for wanted in ("star", "circle")]
    return tuple([wire.Artist(space, pattern) for space, pattern in artists]), "/".join(spaces)


def _piles(piles: tuple[str, ...]) -> str:
    return ",".join([pile or "-" for pile in piles])


def hear(transition: Transition[Position, Action], viewer: int | None) -> Heard:
    """Return a move and its events as ``viewer`` may hear them. Raises ``TypeError`` for an event about which nothing is decided."""
    check_viewer(viewer, transition.before.seats)  # everybody hears the same
    for event in transition.events:
        if not isinstance(event, PUBLIC_EVENTS):
            raise TypeError(f"no rule says who may hear {event!r}")
    return Heard(transition.move, transition.events)
