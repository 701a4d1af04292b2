"""Opening a table: is the wish sound, and the first entries of its log.

Opening publishes the commitment and seats the bots, whose nonces follow from the secret; people join afterwards with nonces of their own.
So the server has fixed the secret and everything else it contributes before it knows theirs.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence

from sandriver.bots.policy import Policy
from sandriver.games.contract import Game
from sandriver.games.errors import OptionError
from sandriver.tables import chance
from sandriver.tables.clock import wrong
from sandriver.tables.errors import Refusal
from sandriver.tables.log import Entry, Joined, Opened, Row
from sandriver.tables.state import State
from sandriver.tables.wire import OpenTable

FindBot = Callable[[str, str], Policy]
"""The bot of a game, by game id and bot id; raises ``KeyError``."""

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter that is easily taken for another: no i, l, o, 0, 1."""
TABLE_LENGTH, CODE_LENGTH = 12, 6
_TABLE_ID = re.compile(f"[{_LETTERS}]{{{TABLE_LENGTH}}}")


def new_table_id() -> str:
    """Return a fresh table id; it cannot be guessed, since who knows it may watch."""
    return "".join(secrets.choice(_LETTERS) for _ in range(TABLE_LENGTH))


def new_code() -> str:
    """Return a fresh invitation code, upper case."""
    return "".join(secrets.choice(_LETTERS) for _ in range(CODE_LENGTH)).upper()


def is_table_id(text: str) -> bool:
    """Whether this can be a table id at all."""
    return _TABLE_ID.fullmatch(text) is not None


def clean_code(text: str) -> str:
    """A code as people type it: any case, with spaces and dashes."""
    return text.replace(" ", "").replace("-", "").upper()


def check_wish(games: Mapping[str, Game], find_bot: FindBot, wish: OpenTable) -> Game:
    """Return the game wished for; refuses ``bad_request`` with the ``rule`` that the wish breaks."""
    game = games.get(wish.game)
    if game is None:
        raise Refusal("bad_request", rule="unknown_game")
    try:
        game.parse_options(wish.options)
    except OptionError as error:
        raise Refusal("bad_request", rule=error.code, params=error.params) from error
    if len(wish.seats) not in game.seat_counts:
        raise Refusal("bad_request", rule="seat_count")
    if wish.first is not None and not 0 <= wish.first < len(wish.seats):
        raise Refusal("bad_request", rule="first")
    if all(plan.kind == "bot" for plan in wish.seats):
        raise Refusal("bad_request", rule="no_person")
    for plan in wish.seats:
        if (plan.bot is not None) != (plan.kind == "bot"):
            raise Refusal("bad_request", rule="unknown_bot")
        if plan.bot is not None:
            check_bot(find_bot, wish.game, plan.bot)
    if wish.clock is not None and (field := wrong(wish.clock)) is not None:
        raise Refusal("bad_request", rule="clock", params={"field": field})
    return game


def check_bot(find_bot: FindBot, game: str, bot: str) -> None:
    """Refuse a bot that does not play this game."""
    try:
        find_bot(game, bot)
    except KeyError:
        raise Refusal("bad_request", rule="unknown_bot") from None


def first_rows(
    game: Game, wish: OpenTable, owner: str, at: int, *, code: str | None = None, reserved: Sequence[str | None] = ()
) -> tuple[str, list[Row]]:
    """Return a fresh table's id and the first entries of its log."""
    table = new_table_id()
    secret = chance.new_secret()
    opened = Opened(
        game=game.id,
        rules_version=game.rules_version,
        options=game.format_options(game.parse_options(wish.options)),
        seats=wish.seats,
        owner=owner,
        secret=secret,
        commitment=chance.commitment(secret),
        code=code,
        first=wish.first,
        reserved=tuple(reserved),
        clock=wish.clock,
        chat=wish.chat,
    )
    bots = [seat for seat, plan in enumerate(wish.seats) if plan.kind == "bot"]
    entries: list[Entry] = [opened, *(Joined(seat, None, chance.bot_nonce(secret, table, seat)) for seat in bots)]
    return table, [Row(table, v, at, entry, owner if v == 1 else None) for v, entry in enumerate(entries, 1)]


def rematch_rows(state: State, at: int) -> tuple[str, list[Row]]:
    """Return the id and first entries of the table after ``state``'s: same seats and people, the next seat begins, a fresh secret."""
    assert state.first is not None
    opened = state.opened
    wish = OpenTable(opened.game, state.plans, opened.options, (state.first + 1) % len(state.seats), opened.clock, opened.chat)
    kept = [None if seat is None else seat.person for seat in state.seats]
    return first_rows(state.game, wish, opened.owner, at, code=new_code() if needs_code(wish) else None, reserved=kept)


def free_seat(state: State, person: str | None, code: str | None, wanted: int | None) -> int:
    """The seat that a person (``None``: somebody new) may take now. Refuses ``seat_taken``, ``forbidden``, ``bad_request``."""
    if wanted is not None and not 0 <= wanted < len(state.seats):
        raise Refusal("bad_request", rule="seat")
    reserved = state.reserved
    kept = person is not None and person in reserved
    invited = person == state.opened.owner or (code is not None and clean_code(code) == state.opened.code)
    if not kept and not invited:
        raise Refusal("forbidden", rule="code")
    if state.phase != "open":
        raise Refusal("seat_taken")
    for seat, plan in enumerate(state.plans):
        mine = reserved[seat] == (person if kept else None)
        if plan.kind == "person" and state.seats[seat] is None and mine and wanted in (None, seat):
            return seat
    raise Refusal("seat_taken")


def needs_code(wish: OpenTable) -> bool:
    """Whether anybody but the owner may have to find the table."""
    return sum(plan.kind == "person" for plan in wish.seats) > 1
