"""Checks a finished game's record: was it played with the shuffle that was committed to before the first card fell?"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import msgspec

from sandriver.games.contract import Game, Transition
from sandriver.games.errors import ChanceError, GameError
from sandriver.tables.chance import CommittedChance, bot_nonce, commitment, stream_key
from sandriver.tables.errors import RecordError
from sandriver.tables.record import DATE, LEFT, Leaving, Lines, Record, RecordSeat, Result, format_result, parse_lines
from sandriver.tables.slices import finish
from sandriver.tables.state import MOST_PLIES, action_text, set_up, winners_of
from sandriver.tables.words import UnfitName, clean_name

BOT_NAME = re.compile(r"[a-z0-9][a-z0-9_.:-]{0,63}")
"""What a bot's id is made of; those that are not there any more have played, too."""


class Verified(msgspec.Struct, frozen=True):
    """A record in which everything is right."""

    record: Record
    transitions: tuple[Transition, ...]
    end: Any
    """The position at the end."""


def _game_of(record: Record, lines: Lines, games: Mapping[str, Game]) -> tuple[Game, Any]:
    """The game of a record, and its options. Raises ``RecordError``."""
    game = games.get(record.game)
    if game is None:
        raise RecordError(lines.headers["Game"], f"this program does not know the game {record.game!r}")
    if game.rules_version != record.rules_version:
        raise RecordError(lines.headers["Rules"], f"rules version {record.rules_version}, this program has {game.rules_version}")
    names = tuple(seat.seat for seat in record.seats)
    if len(names) not in game.seat_counts or names != tuple(game.seat_names[: len(names)]):
        raise RecordError(min((n for h, n in lines.headers.items() if h.startswith("Seat")), default=0), "not the seats of this game")
    try:
        options = game.parse_options(record.options)
    except GameError as error:
        raise RecordError(lines.headers["Options"], str(error)) from error
    return game, options


def verify(text: str, games: Mapping[str, Game]) -> Verified:
    """Check a record against its secret: commitment, start, every deal, the result. Raises ``RecordError`` with the line that is wrong.

    Whatever takes a record from outside takes it from here, so that all of them accept and refuse the same.
    """
    return finish(verifying(text, games))


def verifying(text: str, games: Mapping[str, Game]) -> Generator[None, None, Verified]:
    """``verify`` as work (``slices.py``): it yields after each move."""
    record, lines = parse_lines(text)
    game, options = _game_of(record, lines, games)
    if record.secret is None or record.result is None or record.first is None or record.start is None:
        raise RecordError(0, "not a full record: the game was not over, so its secret is not revealed")
    if record.view is not None:
        raise RecordError(lines.headers["View"], "a full record is nobody's view")
    _check_date(record, lines)
    if commitment(record.secret) != record.commitment:
        raise RecordError(lines.headers["Commitment"], "the commitment is not the SHA-256 of the secret")
    _check_seats(record, lines)
    nonces = [seat.nonce for seat in record.seats if seat.nonce is not None]
    if len(nonces) != len(record.seats):
        raise RecordError(0, "the nonce of a seat is missing")
    for number, seat in enumerate(record.seats):
        if seat.kind == "bot" and seat.nonce != bot_nonce(record.secret, record.table, number):
            raise RecordError(lines.headers[f"Nonce {seat.seat}"], "the nonce of a bot does not follow from the secret")
    key = stream_key(record.secret, record.table, nonces)
    first, position, draws = set_up(game, options, len(nonces), record.first if record.first_fixed else None, key)
    if first != record.first:
        raise RecordError(lines.headers["First"], f"the committed shuffle lets seat {game.seat_names[first]} begin")
    if game.format_position(position) != record.start:
        raise RecordError(lines.start, f"the committed shuffle deals another start: {game.format_position(position)}")
    transitions = yield from _moves(game, position, CommittedChance(key, draws), record, lines)
    end = transitions[-1].after if transitions else position
    found = _result(record, record.result, end)
    if found != record.result:
        names = game.seat_names
        shown = "the game is not over" if found is None else f"the result is {format_result(found, names)}"
        raise RecordError(lines.headers["Result"], f"after the last move {shown}")
    return Verified(record, tuple(transitions), end)


def _check_date(record: Record, lines: Lines) -> None:
    try:
        known = dt.datetime.fromisoformat(record.date).strftime(DATE) == record.date
    except ValueError:
        known = False
    if not known:
        raise RecordError(lines.headers["Date"], "there is no such moment")


def _check_seats(record: Record, lines: Lines) -> None:
    for seat in record.seats:
        line = lines.headers[f"Seat {seat.seat}"]
        if seat.kind == "open":
            raise RecordError(line, f"a game was played, but nobody sits on seat {seat.seat}")
        if not _can_be_called(seat):
            raise RecordError(line, f"a {seat.kind} cannot be called so")
    gone: list[int] = []
    for each in record.left:
        if fault := _wrong_leaving(record, each, gone):
            raise RecordError(lines.headers[_header(each)], fault)
        gone.append(each.seat)


def _can_be_called(seat: RecordSeat) -> bool:
    """Whether a table could have shown this name: what is read here is shown to people, too."""
    if seat.kind == "bot":
        return BOT_NAME.fullmatch(seat.name) is not None
    try:
        return not seat.name or clean_name(seat.name) == seat.name
    except UnfitName:
        return False


def _wrong_leaving(record: Record, each: Leaving, gone: Sequence[int]) -> str | None:
    """What cannot be about who left, and when. That somebody did is the word of a person or of the server: nothing proves it."""
    name, does = record.seats[each.seat].seat, _DOES[each.why]
    if record.seats[each.seat].kind != "person":
        return f"seat {name} is a bot's, and bots do not resign, run out of time or stay away"
    if each.seat in gone:
        return f"seat {name} {does} twice"
    if each.ply > len(record.moves):
        return f"seat {name} {does} after {each.ply} moves, and there are {len(record.moves)}"
    if each.why == "absence" and len(record.seats) > 2:
        return "with more than two seats nobody loses by being away"
    if _is_over(record, [*gone, each.seat]) and (each is not record.left[-1] or each.ply < len(record.moves)):
        return f"the game is over when seat {name} {does}, but it goes on"
    return None


_DOES = {"resigned": "resigns", "time": "runs out of time", "absence": "is absent"}


def _header(each: Leaving) -> str:
    return next(header for header, why in LEFT.items() if why == each.why)


def _is_over(record: Record, gone: Sequence[int]) -> bool:
    """Whether only one seat, or no person, is left."""
    left = [seat for number, seat in enumerate(record.seats) if number not in gone]
    return len(left) == 1 or all(seat.kind == "bot" for seat in left)


def _moves(game: Game, position: Any, chance: CommittedChance, record: Record, lines: Lines) -> Generator[None, None, list[Transition]]:
    transitions: list[Transition] = []
    for number, move in enumerate(record.moves, lines.start + 1):
        if len(transitions) == MOST_PLIES:
            raise RecordError(number, f"a game is stopped after {MOST_PLIES} moves")
        try:
            transition = game.play(position, game.parse_action(action_text(move)), chance)
            if transition.move != move and (replayed := game.replay(position, move)).dealt != transition.dealt:
                raise RecordError(number, f"the committed shuffle deals {transition.dealt or 'nothing'}, not {replayed.dealt or 'nothing'}")
        except ChanceError as error:
            raise RecordError(number, f"the committed shuffle does not deal this: {error}") from error
        except GameError as error:
            raise RecordError(number, str(error)) from error
        transitions.append(transition)
        position = transition.after
        yield
    if position.to_move is None and record.left and record.left[-1].ply == len(record.moves):
        raise RecordError(lines.headers[_header(record.left[-1])], "the game was over by then")
    return transitions


def _result(record: Record, claimed: Result, end: Any) -> Result | None:
    """The result that follows from the moves; that somebody left or all agreed is people's word, so only what follows is checked."""
    out = sorted({each.seat for each in record.left})
    left = [seat for number, seat in enumerate(record.seats) if number not in out]
    winners = winners_of(end.outcome, len(record.seats), out) if left else ()
    scores = tuple(end.scores)
    if end.outcome is not None:
        return Result(winners, end.outcome.reason, scores)
    if record.left and _is_over(record, out):
        last = [each.why for each in record.left if each.ply == record.left[-1].ply]
        return Result(winners, claimed.reason if claimed.reason in last else last[-1], scores)
    if claimed.reason == "agreed" and all(seat.kind == "person" for seat in left):
        return Result(winners, "agreed", scores)
    if len(record.moves) == MOST_PLIES:
        return Result(winners, "stopped", scores)
    return None
