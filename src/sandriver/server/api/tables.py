"""Endpoints about tables: open, look, join, command, record, invitation."""

from __future__ import annotations

from contextlib import nullcontext

from starlette.responses import Response

from sandriver.server.api.wire import Invitation, Join, RecordText, TableOpened
from sandriver.server.call import Call
from sandriver.server.endpoints import endpoint
from sandriver.server.long_answers import ReplayAnswer
from sandriver.tables.errors import Refusal
from sandriver.tables.replay import Replay
from sandriver.tables.wire import Ack, Act, Answer, Claim, Fill, Hurry, OpenTable, Propose, Rematch, Resign, Return, Say, Snapshot

RECORD_LIMIT = 131_072
"""Bytes of a record in JSON: any that ``record.SIZE_LIMIT`` lets pass, and the longest game has 5,000 line ends to be written as two."""


@endpoint("POST", "/api/tables", status=201)
async def open_table(call: Call, body: OpenTable) -> TableOpened:
    """Open a table. It seats nobody: join it next."""
    call.service.check(body)  # first, so that no guest is stored for a wish that is refused
    person = await call.need_guest()
    call.count_making()
    table_id = await call.service.open_table(person.id, body)
    snapshot = await call.service.snapshot(table_id, person.id)
    return TableOpened(id=table_id, commitment=snapshot.table.commitment)


@endpoint("GET", "/api/tables/{table_id}", refusals=("unknown_table",))
async def get_table(call: Call) -> Snapshot:
    """Give everything the guest may know of a table; who does not sit there sees what spectators see."""
    return await call.service.snapshot(call.path("table_id"), await call.person_id())


@endpoint("POST", "/api/tables/{table_id}/join", refusals=("unknown_table", "forbidden", "seat_taken"))
async def join_table(call: Call, body: Join) -> Snapshot:
    """Take a seat; again: the same seat."""
    table_id = call.path("table_id")
    person_id = await call.person_id()
    with nullcontext() if body.code is None else call.server.limits.guess(call.address):
        if person_id is None:  # no guest is stored for whom no seat is free
            await call.service.check_join(table_id, body.code, body.seat)
            person_id = (await call.need_guest()).id
        await call.service.join(table_id, person_id, code=body.code, seat=body.seat, nonce=body.nonce)
    return await call.service.snapshot(table_id, person_id)


@endpoint(
    "POST",
    "/api/tables/{table_id}/commands",
    refusals=("unknown_table", "not_seated", "not_running", "not_your_turn", "stale", "game_over", "illegal", "forbidden", "seat_taken"),
)
async def command_table(call: Call, body: Act | Resign | Rematch | Fill | Propose | Answer | Claim | Return | Say | Hurry) -> Ack:
    """Carry out any command that the socket takes, too. The same id again gets the first answer again."""
    person = await call.guest()
    if person is None:
        await call.service.snapshot(call.path("table_id"), None)
        raise Refusal("not_seated", command_id=body.id)
    if isinstance(body, Rematch):  # it may open a table
        call.count_making()
    return await call.service.command(call.path("table_id"), person.id, body)


@endpoint("GET", "/api/tables/{table_id}/record", refusals=("unknown_table",))
async def get_record(call: Call) -> str:
    """Give the game as text: what the guest may know while it runs, everything once it is over."""
    return await call.service.record(call.path("table_id"), await call.person_id())


@endpoint("GET", "/api/tables/{table_id}/replay", refusals=("unknown_table",), answer=Replay)
async def get_replay(call: Call) -> Response:
    """Give the game again, position by position, with the guest's own knowledge."""
    call.count_replay(await call.service.length(call.path("table_id")))
    answer = ReplayAnswer()
    return answer.response(await call.service.replay(call.path("table_id"), await call.person_id(), take=answer.take))


@endpoint("GET", "/api/tables/{table_id}/replay/{seen_as}", refusals=("unknown_table", "forbidden"), answer=Replay)
async def get_replay_as(call: Call) -> Response:
    """Give it through other eyes: a seat's (``A``, ``B``, …), a ``spectator``'s, or with nothing hidden (``all``), once it is over."""
    call.count_replay(await call.service.length(call.path("table_id")))
    answer, person = ReplayAnswer(), await call.person_id()
    return answer.response(await call.service.replay(call.path("table_id"), person, call.path("seen_as"), take=answer.take))


@endpoint("POST", "/api/replay", body_limit=RECORD_LIMIT, answer=Replay)
async def post_replay(call: Call, body: RecordText) -> Response:
    """Read a game from its full record; nothing is stored."""
    call.count_replay(len(body.record) / 8)  # about as long as a move
    answer = ReplayAnswer()
    return answer.response(await call.service.replay_record(body.record, body.seen_as, take=answer.take))


@endpoint("GET", "/api/codes/{code}", refusals=("unknown_table",))
async def get_code(call: Call) -> Invitation:
    """Find the table that an invitation code belongs to; a wrong one counts against the address's share of guesses."""
    person_id = await call.person_id()
    with call.server.limits.guess(call.address):
        table_id = await call.service.by_code(call.path("code"), person_id)
    snapshot = await call.service.snapshot(table_id, person_id)
    return Invitation(table=snapshot.table, options=snapshot.options)


ENDPOINTS = (open_table, get_table, join_table, command_table, get_record, get_replay, get_replay_as, post_replay, get_code)
