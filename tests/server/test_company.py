"""What people do at a table besides acting, over real sockets.

Asking, answering, claiming, coming back, talking, hurrying: what follows, and every refusal.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest

from sandriver import bots
from sandriver.games import GAMES
from sandriver.server.settings import Settings
from sandriver.tables import proposals, talk
from sandriver.tables.absence import AWAY_MS, AWAY_TIMED_MS
from sandriver.tables.bot_driver import Pace
from sandriver.tables.bus import MemoryBus
from sandriver.tables.service import TableService
from tests.server.support import Guest, Json, Seat, serving
from tests.tables.tools import NOON, MemoryStore

CLOCK = {"base_s": 600, "increment_s": 5}


class Room:
    """A server of the test's own, with a clock that the test moves."""

    def __init__(self, base: str, stack: AsyncExitStack) -> None:
        self.base, self.stack = base, stack
        self.ms = NOON
        self.numbers = iter(range(10**6))

    async def guest(self) -> Guest:
        return await self.stack.enter_async_context(Guest(self.base))

    async def table(self, *seats: str, **more: Any) -> tuple[str, list[Guest], list[Seat]]:
        """A table at which everybody sits and listens."""
        people = [await self.guest() for kind in seats if kind == "person"]
        table = await people[0].open(*seats, **{"first": 0, **more})
        code = (await people[0].join(table))["table"]["code"]
        for person in people[1:]:
            await person.join(table, code=code)
        sockets = [await self.sit(person, table) for person in people]
        return table, people, sockets

    async def sit(self, guest: Guest, table: str) -> Seat:
        socket = await self.stack.enter_async_context(guest.sit(table))
        await socket.until("snapshot")
        return socket

    async def send(self, seat: Seat, t: str, /, **fields: Any) -> Json:
        """Send a command and get its answer."""
        return await seat.ask({"t": t, "id": f"c{next(self.numbers)}", **fields})

    async def refused(self, seat: Seat, t: str, /, **fields: Any) -> str:
        """The code and rule with which a command is refused; nothing of it is heard of by anybody."""
        answer = await self.send(seat, t, **fields)
        assert answer["t"] == "refused", answer
        assert ("snapshot" in answer and answer["snapshot"] is not None) == (answer["code"] in ("stale", "game_over"))
        return f"{answer['code']} {answer.get('rule') or ''}".strip()

    async def asked(self, seats: list[Seat], what: str, by: int = 0) -> int:
        """Ask for something; returns the version that names it, once all have heard."""
        answer = await self.send(seats[by], "propose", what=what, ply=seats[by].latest["ply"])
        assert answer["t"] == "ack", answer
        for seat in seats:
            await upto(seat, answer["v"])
        return int(answer["v"])

    async def agree(self, seats: list[Seat], what: str, by: int = 0) -> None:
        """Ask, and let all others say yes."""
        v = last = await self.asked(seats, what, by)
        for other, seat in enumerate(seats):
            if other != by:
                answer = await self.send(seat, "answer", what=what, v=v, yes=True)
                assert answer["t"] == "ack"
                last = answer["v"]
        for seat in seats:
            await upto(seat, last + 1)


async def upto(seat: Seat, v: int) -> None:
    while seat.v < v:
        await seat.receive()


async def act(seat: Seat, others: list[Seat], kind: str = "f") -> None:
    """Play an action of a kind: one that shows nobody anything new, if not said otherwise."""
    action = next(text for text in seat.legal if text.startswith(kind))
    answer = await seat.ask(seat.act(action))
    assert answer["t"] == "ack", answer
    for each in (seat, *others):
        await upto(each, answer["v"])


@pytest.fixture
async def room(settings: Settings) -> AsyncIterator[Room]:
    async with AsyncExitStack() as stack:
        made: list[Room] = []
        bus: Any = MemoryBus()
        service = TableService(
            MemoryStore(),
            bus,
            games=GAMES,
            find_bot=bots.get,
            stand_in=lambda _game: "random",
            pace=Pace(60, 60, 0, 60, 0.05, 0),
            now=lambda: made[0].ms if made else NOON,
        )
        await service.start()
        stack.push_async_callback(service.close)
        base = await stack.enter_async_context(serving(msgspec.structs.replace(settings, rates=1000), service))
        made.append(Room(base, stack))
        yield made[0]


# --- asking and answering -------------------------------------------------------------------------


async def test_taking_back_by_consent(room: Room) -> None:
    _, _, seats = await room.table("person", "person")
    ana, rui = seats
    await act(ana, [rui])
    assert ana.latest["table"]["undo"] is True
    v = await room.asked(seats, "undo")
    assert rui.latest["table"]["proposals"] == [{"what": "undo", "seat": 0, "v": v, "waiting": [1]}]
    assert (await room.send(rui, "answer", what="undo", v=v, yes=False))["t"] == "ack"
    assert await room.refused(ana, "propose", what="undo", ply=1) == "too_many_requests declined"
    await act(rui, [ana])
    await room.agree(seats, "undo", by=1)
    for seat in seats:
        assert (seat.latest["ply"], seat.latest["step"]["kind"], seat.latest["step"]["ply"]) == (1, "undone", 1)


async def test_what_cannot_be_taken_back(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, seats = await room.table("person", "person")
    ana, rui = seats
    assert await room.refused(ana, "propose", what="undo", ply=0) == "forbidden revealed"
    await act(ana, [rui], "b")
    assert await room.refused(ana, "propose", what="undo", ply=1) == "forbidden revealed"
    await act(rui, [ana])
    monkeypatch.setattr(proposals, "MOST_UNDOS", 0)
    assert await room.refused(rui, "propose", what="undo", ply=2) == "too_many_requests undos"


async def test_a_draw_by_consent_ends_the_game(room: Room) -> None:
    table, people, seats = await room.table("person", "person", "person", game="stones")
    await room.agree(seats, "draw", by=1)
    for seat in seats:
        info = seat.latest["table"]
        assert (info["state"], info["ended_by"], info["winners"]) == ("over", "agreed", [0, 1, 2])
    for t, fields in (
        ("propose", {"what": "draw", "ply": 0}),
        ("answer", {"what": "draw", "v": 5, "yes": True}),
        ("claim", {"seat": 1, "to": "bot"}),
        ("return", {}),
    ):
        assert await room.refused(seats[0], t, **fields) == "game_over"
    assert (await people[0].get(f"/api/tables/{table}"))["table"]["ended_by"] == "agreed"


async def test_asking_at_the_wrong_moment(room: Room) -> None:
    _, _, seats = await room.table("person", "person", clock=CLOCK)
    ana, rui = seats
    assert await room.refused(ana, "propose", what="draw", ply=7) == "stale"
    assert await room.refused(ana, "propose", what="resume", ply=0) == "not_running not_paused"
    assert await room.refused(ana, "answer", what="draw", v=3, yes=True) == "stale"
    v = await room.asked(seats, "draw")
    assert await room.refused(rui, "answer", what="undo", v=v, yes=True) == "stale"
    assert await room.refused(rui, "answer", what="draw", v=v + 1, yes=True) == "stale"
    await act(ana, [rui])
    assert await room.refused(rui, "answer", what="draw", v=v, yes=True) == "stale"
    untimed = (await room.table("person", "person"))[2]
    assert await room.refused(untimed[0], "propose", what="pause", ply=0) == "forbidden no_clock"
    alone = (await room.table("person", "random"))[2]
    assert await room.refused(alone[0], "propose", what="draw", ply=0) == "forbidden bot"


async def test_before_the_game(room: Room) -> None:
    guest = await room.guest()
    table = await guest.open("person", "person")
    await guest.join(table)
    seat = await room.sit(guest, table)
    for t, fields in (
        ("propose", {"what": "draw", "ply": 0}),
        ("answer", {"what": "draw", "v": 2, "yes": True}),
        ("claim", {"seat": 1, "to": "win"}),
        ("return", {}),
    ):
        assert await room.refused(seat, t, **fields) == "not_running"
    assert (await room.send(seat, "say", phrase="hello"))["t"] == "ack"


async def test_asking_without_end(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "MOST_WISHES", 1)
    _, _, seats = await room.table("person", "person", clock=CLOCK)
    await room.asked(seats, "draw")
    await room.asked(seats, "pause", by=1)
    await room.send(seats[0], "answer", what="pause", v=seats[0].v, yes=False)
    assert await room.refused(seats[1], "propose", what="pause", ply=0) == "too_many_requests declined"
    assert await room.refused(seats[0], "propose", what="pause", ply=0) == "too_many_requests proposals"


async def test_a_pause_and_its_end(room: Room) -> None:
    _, _, seats = await room.table("person", "person", clock=CLOCK)
    ana, rui = seats
    room.ms += 10_000
    await room.agree(seats, "pause")
    assert ana.latest["table"]["clock"]["paused"] is True
    room.ms += 100_000
    assert await room.refused(ana, "act", ply=0, action=ana.legal[0]) == "not_running paused"
    assert await room.refused(ana, "propose", what="draw", ply=0) == "not_running paused"
    assert await room.refused(rui, "claim", seat=0, to="win") == "not_running paused"
    await room.agree(seats, "resume", by=1)
    assert ana.latest["table"]["clock"]["remaining"] == [590_000, 600_000]
    await act(ana, [rui])


async def test_the_same_id_gets_the_same_answer(room: Room) -> None:
    _, _, seats = await room.table("person", "person")
    for command in (
        {"t": "propose", "id": "p", "what": "draw", "ply": 0},
        {"t": "say", "id": "s", "text": "hello"},
        {"t": "propose", "id": "u", "what": "undo", "ply": 0},
    ):
        first = await seats[0].ask(command)
        assert await seats[0].ask(command) == first
    kinds = [frame["step"]["kind"] for frame in seats[0].frames if frame["t"] == "update"]
    assert (kinds.count("proposed"), kinds.count("said")) == (1, 1)


# --- absence --------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [None, CLOCK])
async def test_who_is_away_too_long_has_lost(room: Room, clock: Any) -> None:
    table, _, (ana, rui) = await room.table("person", "person", clock=clock)
    assert await room.refused(rui, "claim", seat=0, to="win") == "forbidden here"
    await ana.socket.close()
    while (await rui.until("presence"))["online"][0]:
        pass
    assert await room.refused(rui, "claim", seat=0, to="win") == "forbidden here"
    room.ms += (AWAY_MS if clock is None else AWAY_TIMED_MS) - 1
    answer = await room.send(rui, "claim", seat=0, to="win")
    assert (answer["code"], answer["params"]) == ("forbidden", {"seconds": 1})
    for seat in (1, 2, -1):
        assert await room.refused(rui, "claim", seat=seat, to="win") == "bad_request seat"
    room.ms += 1
    assert (await room.send(rui, "claim", seat=0, to="win"))["t"] == "ack"
    await upto(rui, rui.v + 1)
    info = rui.latest["table"]
    assert (info["ended_by"], info["winners"], info["seats"][0]["absent"]) == ("absence", [1], True)
    watching = await room.sit(await room.guest(), table)
    assert watching.latest["table"]["ended_by"] == "absence"


async def test_a_bot_plays_until_somebody_comes_back(room: Room) -> None:
    table, people, (ana, rui, yui) = await room.table("person", "person", "person", game="stones")
    await ana.socket.close()
    while (await rui.until("presence"))["online"][0]:
        pass
    room.ms += AWAY_MS
    assert await room.refused(rui, "claim", seat=0, to="win") == "bad_request to"
    assert (await room.send(rui, "claim", seat=0, to="bot"))["t"] == "ack"
    again = await room.sit(people[0], table)
    assert again.latest["table"]["seats"][0]["absent"] is True
    for t, fields in (
        ("propose", {"what": "draw", "ply": 0}),
        ("answer", {"what": "draw", "v": 5, "yes": True}),
        ("act", {"ply": 0, "action": "c"}),
        ("hurry", {}),
    ):
        assert await room.refused(again, t, **fields) == "forbidden absent"
    assert (await room.send(yui, "hurry"))["t"] == "ack"
    while again.latest["ply"] < 1:
        await again.receive()
    assert (await room.send(again, "return"))["t"] == "ack"
    await upto(yui, again.v + 1)
    assert "absent" not in yui.latest["table"]["seats"][0]
    v = yui.v
    assert (await room.send(yui, "return"))["v"] == v, "who was never away is back already"


# --- talking, hurrying, and who may do nothing ----------------------------------------------------


async def test_talk_and_its_limits(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _, (ana, rui) = await room.table("person", "person")
    watching = await room.sit(await room.guest(), table)
    assert (await room.send(ana, "say", text="  good   luck "))["t"] == "ack"
    for seat, text in ((ana, "good luck"), (rui, "good luck"), (watching, None)):
        await upto(seat, 5)
        assert (seat.latest["step"]["kind"], seat.latest["step"].get("text")) == ("said", text)
    assert "good" not in "".join(watching.texts)
    for fields in ({}, {"text": ""}, {"text": " "}, {"text": "x" * 201}, {"text": "a\u202eb"}, {"text": "a", "phrase": "hello"}):
        assert await room.refused(ana, "say", **fields) == "bad_request text"
    assert (await room.send(ana, "say", phrase="rude"))["code"] == "bad_request"
    for _ in range(4):
        assert (await room.send(ana, "say", phrase="hello"))["t"] == "ack"
    answer = await room.send(ana, "say", phrase="hello")
    assert (answer["code"], answer["params"]) == ("too_many_requests", {"seconds": 10})
    assert (await room.send(rui, "say", phrase="hello"))["t"] == "ack"
    room.ms += 10_000
    assert (await room.send(ana, "say", phrase="bye"))["t"] == "ack"
    monkeypatch.setattr(talk, "MOST_SAID", 7)
    assert await room.refused(rui, "say", phrase="bye") == "too_many_requests chat_full"


@pytest.mark.parametrize(("chat", "phrase", "text"), [("off", "forbidden chat", "forbidden chat"), ("phrases", None, "forbidden phrases")])
async def test_a_table_may_allow_less(room: Room, chat: str, phrase: str | None, text: str) -> None:
    _, _, (ana, _) = await room.table("person", "person", chat=chat)
    assert await room.refused(ana, "say", text="hello") == text
    if phrase is None:
        assert (await room.send(ana, "say", phrase="hello"))["t"] == "ack"
    else:
        assert await room.refused(ana, "say", phrase="hello") == phrase


async def test_hurrying_a_bot(room: Room) -> None:
    _, _, (ana,) = await room.table("person", "random", first=1)
    assert ana.latest["ply"] == 0
    assert (await room.send(ana, "hurry"))["t"] == "ack"
    while ana.latest["ply"] < 1:
        await ana.receive()
    assert (await room.send(ana, "hurry"))["t"] == "ack", "harmless where nobody pauses"


async def test_who_does_not_play_commands_nothing(room: Room) -> None:
    table, _, (ana, rui, yui) = await room.table("person", "person", "person", game="stones")
    commands: list[tuple[str, Json]] = [
        ("propose", {"what": "draw", "ply": 0}),
        ("answer", {"what": "draw", "v": 5, "yes": True}),
        ("claim", {"seat": 1, "to": "bot"}),
        ("return", {}),
        ("say", {"phrase": "hello"}),
    ]
    watching = await room.sit(await room.guest(), table)
    for t, fields in (*commands, ("hurry", {})):
        assert await room.refused(watching, t, **fields) == "not_seated"
    assert (await room.send(ana, "resign"))["t"] == "ack"
    await upto(rui, 6)
    for t, fields in commands:
        assert await room.refused(ana, t, **fields) == "not_seated"
    assert (await room.send(yui, "say", phrase="hello"))["t"] == "ack"


async def test_commands_that_are_none(room: Room) -> None:
    _, _, (ana, rui) = await room.table("person", "person")
    for fields in (
        {"t": "propose", "what": "peace", "ply": 0},
        {"t": "propose", "what": "draw"},
        {"t": "propose", "what": "draw", "ply": "0"},
        {"t": "answer", "what": "draw", "v": 1},
        {"t": "answer", "what": "draw", "v": 1, "yes": "yes"},
        {"t": "claim", "seat": 0, "to": "lose"},
        {"t": "claim", "seat": None, "to": "win"},
        {"t": "return", "seat": 0},
        {"t": "say", "text": 7},
        {"t": "say", "text": "x", "seat": 1},
        {"t": "hurry", "ply": 1},
    ):
        answer = await ana.ask({"id": "x", **fields})
        assert (answer["code"], answer["id"]) == ("bad_request", "x"), fields
    assert (await rui.ask({"t": "ping"}))["t"] == "pong"
    assert ana.v == 4
