"""A table from its opening to its rematch, and every refusal on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandriver.tables.errors import Refusal
from sandriver.tables.wire import Act, Hurry, OpenTable, Rematch, Resign, SeatPlan
from tests.tables.tools import BOT, PERSON, SOLO, TWO, legal, people, play, serving, started, waiting

pytestmark = pytest.mark.usefixtures("backend")


@pytest.fixture
async def service(tmp_path: Path) -> Any:
    async with serving(tmp_path) as service:
        yield service


async def refused(awaitable: Any) -> Any:
    with pytest.raises(Refusal) as caught:
        await awaitable
    return caught.value.refused


async def test_from_opening_to_result(service: Any) -> None:
    ana, ben, cleo = await people(service, "Ana", "Ben", "Cleo")
    table = await service.open_table(ana, TWO)
    info = (await service.snapshot(table, ana)).table
    assert (info.state, info.you, info.code, [seat.kind for seat in info.seats]) == ("open", None, None, ["open", "open"])
    assert len(info.commitment) == 64
    assert info.secret is None

    assert await service.join(table, ana, nonce="ab" * 16) == 0
    assert await service.join(table, ana, nonce="cd" * 16) == 0, "again: the same seat"
    snapshot = await service.snapshot(table, ana)
    assert (snapshot.v, snapshot.table.you, snapshot.view) == (2, 0, None)
    code = snapshot.table.code
    assert (await service.snapshot(table, cleo)).table.code is None, "only who sits there may invite"
    assert await service.by_code(f" {code[:3].lower()}-{code[3:]}") == table

    assert await service.join(table, ben, code=code) == 1
    snapshot = await service.snapshot(table, ben)
    assert (snapshot.table.state, snapshot.table.code, snapshot.ply, snapshot.v) == ("running", None, 0, 4)
    assert [seat.name for seat in snapshot.table.seats] == ["Ana", "Ben"]
    assert [step.kind for step in snapshot.log] == ["opened", "joined", "joined", "started"]
    assert snapshot.view.hands[0] == "?2"
    assert snapshot.table.first == snapshot.view.to_move

    await play(service, table, [ana, ben])
    for viewer in (ana, ben, cleo, None):
        final = await service.snapshot(table, viewer)
        assert final.table.state == "over"
        assert final.table.ended_by in ("empty", "limit")
        assert final.table.winners
        assert len(final.table.secret or "") == 64
        assert final.v == len(final.log) == final.ply + 4


async def test_wishes_that_cannot_be(service: Any) -> None:
    (ana,) = await people(service, "Ana")
    for wish, rule in (
        (OpenTable("chess", (PERSON, BOT)), "unknown_game"),
        (OpenTable("toy", (PERSON, BOT), {"limit": 0}), "option"),
        (OpenTable("toy", (PERSON, BOT), {"x": 1}), "option"),
        (OpenTable("toy", (PERSON,)), "seat_count"),
        (OpenTable("toy", (PERSON, BOT), first=2), "first"),
        (OpenTable("toy", (BOT, BOT)), "no_person"),
        (OpenTable("toy", (PERSON, SeatPlan("bot", "hal"))), "unknown_bot"),
        (OpenTable("toy", (PERSON, SeatPlan("bot"))), "unknown_bot"),
        (OpenTable("toy", (SeatPlan("person", "random"), BOT)), "unknown_bot"),
    ):
        refusal = await refused(service.open_table(ana, wish))
        assert (refusal.code, refusal.rule) == ("bad_request", rule)


async def test_sitting_down(service: Any) -> None:
    ana, ben, cleo = await people(service, "Ana", "Ben", "Cleo")
    table = await service.open_table(ana, TWO)
    await service.join(table, ana, seat=1)
    code = (await service.snapshot(table, ana)).table.code
    assert (await refused(service.join(table, ben))).code == "forbidden"
    assert (await refused(service.join(table, ben, code="AAAAAA"))).code == "forbidden"
    assert (await refused(service.join(table, ben, code=code, nonce="xyz"))).rule == "nonce"
    assert (await refused(service.join(table, ben, code=code, seat=7))).rule == "seat"
    assert (await refused(service.join(table, ben, code=code, seat=1))).code == "seat_taken"
    assert await service.join(table, ben, code=code) == 0
    assert (await refused(service.join(table, cleo, code=code))).code == "seat_taken"
    assert (await refused(service.by_code(code, cleo))).code == "unknown_table"
    assert await service.by_code(code, ben) == table, "who sits there still finds the way"
    assert (await refused(service.by_code("ZZZZZZ"))).code == "unknown_table"


async def test_bots_commit_themselves_before_any_person(service: Any) -> None:
    (ana,) = await people(service, "Ana")
    table = await service.open_table(ana, SOLO)
    rows = await service._store.rows(table)
    assert [type(row.entry).__name__ for row in rows] == ["Opened", "Joined"]
    await service.join(table, ana)
    assert (await service._store.rows(table))[2].entry.person == ana


async def test_three_seats_with_a_bot(service: Any) -> None:
    table, persons = await started(service, OpenTable("toy", (PERSON, BOT, PERSON)))
    sub = await service.subscribe(table, persons[0])
    async with sub:
        async for frame in sub:
            snapshot = await service.snapshot(table, persons[0])
            if snapshot.table.state == "over":
                break
            await play(service, table, persons, 1, seed=len(frame))
    assert (await service.snapshot(table, None)).table.winners


@pytest.mark.parametrize("name", ["a", "no such table", "aaaaaaaaaaaa", "A" * 12, "../../etc/pas", "x" * 5000, ""])
async def test_unknown_tables(service: Any, name: str) -> None:
    for call in (
        service.snapshot(name, None), service.since(name, None, 1), service.record(name, None), service.subscribe(name, None),
        service.join(name, "p"), service.command(name, "p", Resign("1")),
    ):  # fmt: skip
        assert (await refused(call)).code == "unknown_table"
    assert len(list(service._tables)) == 0, "asking for nothing leaves nothing behind"


async def test_refused_commands(service: Any) -> None:
    table, persons = await started(service)
    snapshot = await service.snapshot(table, None)
    mover, other = persons[snapshot.table.first], persons[1 - snapshot.table.first]

    async def attempt(person: str, command: Any) -> Any:
        refusal = await refused(service.command(table, person, command))
        assert refusal.id == command.id[:64]
        return refusal

    assert (await attempt("stranger", Act("1", 0, "t"))).code == "not_seated"
    assert (await attempt(other, Act("2", 0, "t"))).code == "not_your_turn"
    assert (await attempt(mover, Act("3", 0, "nonsense"))).rule == "action"
    assert (await attempt(mover, Act("4", 0, "t" * 100_000))).code == "bad_request"
    for bad in ("", "x" * 65, "\n", "é"):
        assert (await attempt(mover, Act(bad, 0, "t"))).rule == "id"
    stale = await attempt(mover, Act("5", 7, "t"))
    assert (stale.code, stale.snapshot.v, stale.snapshot.table.you) == ("stale", snapshot.v, persons.index(mover))
    mine = (await service.snapshot(table, mover)).view.hands[persons.index(mover)]
    missing = next(token for token in "abc" if token not in mine)
    illegal = await attempt(mover, Act("6", 0, "p" + missing))
    assert (illegal.code, illegal.rule, illegal.params, illegal.snapshot) == ("illegal", "not_in_hand", {"token": missing}, None)
    assert (await attempt(mover, Rematch("7"))).code == "not_running"
    assert (await service.snapshot(table, None)) == snapshot, "nothing of it left a trace"


async def test_commands_before_the_start(service: Any) -> None:
    (ana,) = await people(service, "Ana")
    table = await service.open_table(ana, TWO)
    await service.join(table, ana)
    for command in (Act("1", 0, "t"), Resign("2"), Rematch("3")):
        assert (await refused(service.command(table, ana, command))).code == "not_running"


async def test_double_click_and_resend(service: Any) -> None:
    table, persons = await started(service)
    snapshot = await service.snapshot(table, None)
    mover = persons[snapshot.table.first]
    first = await service.command(table, mover, Act("click", 0, "t"))
    assert await service.command(table, mover, Act("click", 0, "t")) == first
    assert await service.command(table, mover, Act("click", 99, "whatever")) == first, "the id is the command"
    second = await refused(service.command(table, mover, Act("clack", 0, "t")))
    assert (second.code, second.snapshot.ply) == ("stale", 1)
    await play(service, table, persons, 3)
    assert await service.command(table, mover, Act("click", 0, "t")) == first
    again = await refused(service.command(table, mover, Act("clack", 4, "t")))
    assert (again.code, again.snapshot.ply) == ("stale", 4), "a refused id stays refused, with a fresh view"
    assert (await service.snapshot(table, None)).ply == 4


async def test_resignation_ends_it_once(service: Any) -> None:
    table, persons = await started(service)
    assert any([legal(await service.snapshot(table, person)) for person in persons])
    ack = await service.command(table, persons[1], Resign("r"))
    assert not any([legal(await service.snapshot(table, person)) for person in persons]), "nobody may act at a table that is over"
    snapshot = await service.snapshot(table, persons[0])
    assert (snapshot.table.ended_by, snapshot.table.winners, snapshot.v) == ("resigned", (0,), ack.v)
    assert await service.command(table, persons[1], Resign("r")) == ack
    for person, command in ((persons[0], Resign("s")), (persons[1], Resign("t")), (persons[0], Act("u", 0, "t"))):
        refusal = await refused(service.command(table, person, command))
        assert (refusal.code, refusal.snapshot.v) == ("game_over", ack.v)


async def test_end_by_the_rules_is_final(service: Any) -> None:
    table, persons = await started(service)
    await play(service, table, persons)
    before = await service.snapshot(table, None)
    for command in (Resign("s"), Act("u", before.ply, "t")):
        assert (await refused(service.command(table, persons[0], command))).code == "game_over"
    assert await service.snapshot(table, None) == before


async def test_rematch_between_people(service: Any) -> None:
    table, persons = await started(service)
    await play(service, table, persons)
    sub = await service.subscribe(table, None)
    first = await service.command(table, persons[1], Rematch("m1"))
    assert (await service.snapshot(table, persons[0])).table.rematch.asked_by == (1,)
    assert (await service.command(table, persons[1], Rematch("m2"))).v == first.v, "asking twice is asking"
    await service.command(table, persons[0], Rematch("m3"))
    old = [await service.snapshot(table, person) for person in (*persons, None)]
    following = old[0].table.rematch.table
    assert following is not None
    assert all(snapshot.table.rematch == old[0].table.rematch for snapshot in old)
    assert [frame["step"]["kind"] for frame in waiting(sub)[1:]] == ["rematch"] * 3
    sub.close()

    info = (await service.snapshot(following, None)).table
    assert (info.state, [seat.kind for seat in info.seats], [seat.name for seat in info.seats]) == ("open", ["open"] * 2, ["P0", "P1"])
    assert info.commitment != old[0].table.commitment
    (stranger,) = await people(service, "Eve")
    assert (await refused(service.join(following, stranger))).code == "forbidden"
    assert await service.join(following, persons[1]) == 1, "each has the old seat"
    assert await service.join(following, persons[0]) == 0
    info = (await service.snapshot(following, persons[0])).table
    assert (info.state, info.first) == ("running", 1 - old[0].table.first)


async def test_a_rematch_can_be_declined(service: Any) -> None:
    table, persons = await started(service)
    assert (await refused(service.command(table, persons[0], Rematch("r0", yes=False)))).code == "not_running"
    await play(service, table, persons)
    await service.command(table, persons[0], Rematch("r1"))
    sub = await service.subscribe(table, None)
    no = await service.command(table, persons[1], Rematch("r2", yes=False))
    assert (await service.command(table, persons[1], Rematch("r3", yes=False))).v == no.v, "saying no twice is saying no"
    assert (await service.command(table, persons[0], Rematch("r4", yes=False))).v == no.v, "who asked is taken at their word"
    step = waiting(sub)[-1]["step"]
    assert (step["kind"], step["seat"]) == ("no_rematch", 1)
    sub.close()
    info = (await service.snapshot(table, None)).table.rematch
    assert (info.asked_by, info.declined_by, info.table) == ((0,), (1,), None)

    await service.command(table, persons[1], Rematch("r5"))
    info = (await service.snapshot(table, None)).table.rematch
    assert (info.asked_by, info.declined_by) == ((0, 1), ()), "a mind can be changed"
    assert info.table is not None
    assert (await service.command(table, persons[1], Rematch("r6", yes=False))).v == (await service.snapshot(table, None)).v


async def test_a_bot_agrees_to_a_rematch_at_once(service: Any) -> None:
    table, persons = await started(service, SOLO)
    await service.command(table, persons[0], Resign("r"))
    ack = await service.command(table, persons[0], Rematch("m"))
    info = (await service.snapshot(table, persons[0])).table
    assert info.rematch.asked_by == (0, 1)
    assert info.rematch.table is not None
    assert await service.command(table, persons[0], Rematch("m")) == ack
    assert await service.join(info.rematch.table, persons[0]) == 0
    assert (await service.snapshot(info.rematch.table, persons[0])).table.first == 1


async def test_tables_of_a_person_and_names(service: Any) -> None:
    table, persons = await started(service)
    other = await service.open_table(persons[0], SOLO)
    assert {info.id for info in await service.tables_of(persons[0])} == {table, other}
    assert [info.you for info in await service.tables_of(persons[1])] == [1]
    ana = (await service._store.people([persons[0]]))[0]
    await service.people.update(ana, name="Ana Maria")
    assert (await service.snapshot(table, None)).table.seats[0].name == "Ana Maria"


async def test_hurry_is_acknowledged_and_leaves_no_trace(service: Any) -> None:
    table, persons = await started(service)
    v = (await service.snapshot(table, None)).v
    assert (await service.command(table, persons[0], Hurry("h"))).v == v
    assert (await refused(service.command(table, "nobody", Hurry("h")))).code == "not_seated"
    waiting_table = await service.open_table(persons[0], TWO)
    await service.join(waiting_table, persons[0])
    assert (await refused(service.command(waiting_table, persons[0], Hurry("h")))).code == "not_running"
    assert legal(await service.snapshot(table, None)) == []
