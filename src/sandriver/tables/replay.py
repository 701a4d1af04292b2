"""A game looked at again: what a viewer saw after each action, of a table or of a record. Pure functions.

While a game runs, a viewer gets their own knowledge and nothing else; once it is over, anybody may look through any seat's eyes,
or see all.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from sandriver.games.contract import Game, Transition
from sandriver.tables.errors import Refusal
from sandriver.tables.fold import fold
from sandriver.tables.log import Row, kind_of
from sandriver.tables.projections import step
from sandriver.tables.record import Record
from sandriver.tables.state import State
from sandriver.tables.verify import Verified, verifying
from sandriver.tables.wire import RematchInfo, SeatInfo, Step, TableInfo

EVERYTHING, SPECTATOR = "all", "spectator"
SHOWN = frozenset({"started", "action", "undone", "resigned", "flagged", "drawn", "absent", "returned"})
"""Kinds of entries that make a frame; talk and proposals are no part of a game."""


KINDS: dict[str, Literal["resigned", "flagged", "absent"]] = {"resigned": "resigned", "time": "flagged", "absence": "absent"}
"""The kind of step that tells of each way to leave."""


class ReplayFrame(msgspec.Struct, frozen=True):
    """What the viewer saw after one entry of the log."""

    v: int
    """Version of the table after it; they rise, with gaps."""
    ply: int
    """Actions played; goes down where one was taken back."""
    step: Step
    view: Any
    """The game's view, with nobody's choices."""


class Replay(msgspec.Struct, frozen=True):
    """A game, or as much of it as has been played, from its start position on."""

    table: TableInfo
    """As it is now."""
    options: dict[str, Any]
    seen_as: int | Literal["all"] | None
    """Whose knowledge it shows: a seat's, ``null``: a spectator's, ``"all"``: nothing is hidden."""
    frames: tuple[ReplayFrame, ...]
    """Empty before the game has begun."""


Take = Callable[[ReplayFrame], object]
"""What gets the frames of a replay, one after the other: the frames of a long game are not kept all at once."""


class Eyes(msgspec.Struct, frozen=True):
    """Through whose eyes a game is looked at."""

    viewer: int | None
    """A seat, ``None``: a spectator."""
    reveal: bool = False
    """Nothing is hidden."""

    @property
    def seen_as(self) -> int | Literal["all"] | None:
        """As ``Replay.seen_as`` tells it."""
        return "all" if self.reveal else self.viewer


def eyes_of(game: Game, seats: int, wish: str | None, own: int | None, over: bool) -> Eyes:
    """Whose knowledge is wished for: a seat by its name in notation, ``spectator``, ``all``, ``None``: one's own.

    Refuses ``forbidden`` for more than one's own while the game runs, ``bad_request`` for anything else.
    """
    names = list(game.seat_names[:seats])
    if wish is None:
        return Eyes(own)
    if wish not in (*names, SPECTATOR, EVERYTHING):
        raise Refusal("bad_request", rule="as")
    viewer = names.index(wish) if wish in names else None
    if not over and (wish == EVERYTHING or viewer not in (own, None)):
        raise Refusal("forbidden", rule="running")
    return Eyes(viewer, wish == EVERYTHING)


def frames_of(games: Mapping[str, Game], rows: Sequence[Row], eyes: Eyes) -> Iterator[ReplayFrame]:
    """The frames of a table from the start of its game on, one after the other."""
    state: State | None = None
    for row in rows:
        state, transition = fold(games, state, row)
        if kind_of(row.entry) not in SHOWN:
            continue
        seen = state.game.view(state.position, eyes.viewer, stopped=state.over, reveal=eyes.reveal)
        heard = _heard(transition, row, state) if eyes.reveal else step(state, row.entry, transition, eyes.viewer)
        yield ReplayFrame(v=state.v, ply=state.ply, step=heard, view=seen)


def _heard(transition: Transition | None, row: Row, state: State) -> Step:
    """A step with nothing hidden."""
    heard = step(state, row.entry, transition, None)
    if transition is None:
        return heard
    return msgspec.structs.replace(heard, move=transition.move, events=transition.events)


def showing(frames: Iterable[ReplayFrame], take: Take) -> Generator[None, None, None]:
    """Work (``slices.py``): hand over one frame after the other."""
    for frame in frames:
        take(frame)
        yield


def of_record(games: Mapping[str, Game], text: str, wish: str | None, take: Take) -> Generator[None, None, Replay]:
    """Work (``slices.py``): a full record looked at again (everything, if not said otherwise). Hands over its frames, returns the rest.

    Raises ``RecordError`` for one that ``verify`` refuses, ``Refusal`` for a bad wish, before there is any frame.
    """
    verified = yield from verifying(text, games)
    record = verified.record
    game = games[record.game]
    eyes = eyes_of(game, len(record.seats), wish or EVERYTHING, None, over=True)
    options = game.parse_options(record.options)
    yield from showing(_frames_of_record(game, options, verified, eyes), take)
    return Replay(table=_table(record), options=game.format_options(options), seen_as=eyes.seen_as, frames=())


def _frames_of_record(game: Game, options: Any, verified: Verified, eyes: Eyes) -> Iterator[ReplayFrame]:
    record = verified.record
    start = game.parse_position(record.start or "", options)
    last = ReplayFrame(v=1, ply=0, step=Step(v=1, kind="started", seat=record.first), view=_seen(game, start, eyes))
    yield last
    for transition in verified.transitions:
        gone = _given_up(record, last)
        yield from gone
        last = [last, *gone][-1]
        v, ply = last.v + 1, last.ply + 1
        heard = game.hear(transition, eyes.viewer)
        move, events = (transition.move, transition.events) if eyes.reveal else (heard.move, heard.events)
        told = Step(v=v, kind="action", seat=transition.seat, ply=ply, move=move, events=events)
        last = ReplayFrame(v=v, ply=ply, step=told, view=_seen(game, transition.after, eyes))
        yield last
    yield from _given_up(record, last)


def _seen(game: Game, position: Any, eyes: Eyes) -> msgspec.Struct:
    return game.view(position, eyes.viewer, reveal=eyes.reveal)


def _given_up(record: Record, last: ReplayFrame) -> list[ReplayFrame]:
    """Who left after the ply of the last frame."""
    gone = [each for each in record.left if each.ply == last.ply and last.step.kind in ("started", "action")]
    return [
        ReplayFrame(v=last.v + n, ply=last.ply, step=Step(v=last.v + n, kind=KINDS[each.why], seat=each.seat), view=last.view)
        for n, each in enumerate(gone, 1)
    ]


def _table(record: Record) -> TableInfo:
    """The table of a record, as somebody sees it who did not sit there."""
    gone = {each.seat: each.why for each in record.left}
    seats = [
        SeatInfo(seat.kind, seat.name, False, resigned=why == "resigned", flagged=why == "time", absent=why == "absence")
        for why, seat in ((gone.get(n), seat) for n, seat in enumerate(record.seats))
    ]
    result = record.result
    return TableInfo(
        id=record.table,
        game=record.game,
        rules_version=record.rules_version,
        state="running" if result is None else "over",
        seats=tuple(seats),
        you=None,
        owner=None,
        first=record.first,
        to_move=None,
        commitment=record.commitment,
        secret=record.secret,
        code=None,
        ended_by=None if result is None else result.reason,
        winners=() if result is None else result.winners,
        rematch=RematchInfo(asked_by=(), table=None),
    )
