"""Shares of guests and addresses, with a clock that the test turns."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from starlette.requests import Request

from sandriver.server.limits import Limits, Rate, Rates, address_key
from sandriver.server.problems import Problem, on_refusal
from sandriver.server.settings import Settings
from sandriver.tables.errors import Refusal
from tests.server.support import Guest, serving


class Clock:
    """Seconds, by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_again() -> None:
    """Burst, then the steady rate; a refused question costs nothing."""
    clock = Clock()
    rate = Rate(2, 3, clock)
    assert [rate.wait() for _ in range(3)] == [0, 0, 0]
    assert rate.wait() == rate.wait() == 0.5
    clock.now += 0.5
    assert rate.wait() == 0
    clock.now += 1000
    assert rate.full
    assert [rate.wait() for _ in range(4)] == [0, 0, 0, 0.5]


def test_spending_on_credit() -> None:
    """Every unit beyond the burst waits a little longer, so the average is the rate."""
    rate = Rate(10, 1, Clock())
    assert [round(rate.spend(), 3) for _ in range(4)] == [0, 0.1, 0.2, 0.3]


def test_keys_are_forgotten() -> None:
    """Neither many addresses nor long ones fill the memory."""
    clock = Clock()
    rates = Rates(1, 2, most=100, clock=clock)
    for number in range(1000):
        rates.wait(str(number))
    assert len(rates) <= 100
    clock.now += 10
    rates.wait("fresh")
    assert len(rates) == 1


def test_a_used_up_share_is_not_won_back_by_other_keys() -> None:
    """What is still owed is remembered while there is room."""
    rates = Rates(1, 2, most=100, clock=Clock())
    assert [rates.wait("a") for _ in range(3)] == [0, 0, 1]
    for number in range(50):
        rates.wait(str(number))
    assert rates.wait("a") == 1


def test_addresses() -> None:
    """An IPv6 household counts as one."""
    assert address_key("192.0.2.7") == address_key("::ffff:192.0.2.7") == "192.0.2.7"
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:1")
    assert address_key("2001:db8::1") != address_key("2001:db8:0:1::1")
    assert address_key(None) == address_key("nonsense") == "unknown"


def test_connections_are_counted() -> None:
    """So many sockets an address; one closed makes room for one."""
    limits = Limits(0.01)
    assert limits.connections_most == 2
    limits.connect("a")
    limits.connect("a")
    limits.connect("b")
    with pytest.raises(Problem):
        limits.connect("a")
    limits.disconnect("a")
    limits.connect("a")


def test_who_waits_as_long_as_told_is_served() -> None:
    """The seconds are rounded up: 1.4 s are told as 2."""
    limits, clock = Limits(), Clock()
    for share in range(1, 40):
        rates = Rates(share / 10, 1, clock=clock)
        limits.check(rates, "a")
        with pytest.raises(Problem) as caught:
            limits.check(rates, "a")
        seconds = caught.value.body.params["seconds"]
        assert isinstance(seconds, int)
        assert seconds - 1 < 10 / share <= seconds
        assert caught.value.headers == {"retry-after": str(seconds)}
        clock.now += seconds
        limits.check(rates, "a")


@pytest.mark.parametrize("factor", [1e-6, 0.001, 0.01, 0.02, 0.5])
def test_nothing_is_refused_for_good(factor: float) -> None:
    """However small the rates, and however much something costs: who has waited long enough is served."""
    limits = Limits(factor)
    for name, rates in vars(limits).items():
        if isinstance(rates, Rates):
            for cost in (1, 3):
                rates._clock = clock = Clock()
                while not (seconds := rates.wait(str(cost), cost)):
                    pass
                clock.now += seconds + 1
                assert rates.wait(str(cost), cost) == 0, (name, cost)
    rate = limits.command_rate()
    assert rate.spend() == 0, "one command needs no credit"
    for _ in range(max(1, int(200 * factor))):
        limits.connect("a")
    with pytest.raises(Problem):
        limits.connect("a")


async def test_when_to_come_again_is_what_the_table_says() -> None:
    """The header says the same as the body."""
    for params, header in (({"seconds": 7}, "7"), ({}, "1")):
        response = await on_refusal(Request({"type": "http"}), Refusal("too_many_requests", params=params))
        assert (response.status_code, response.headers["retry-after"]) == (429, header)
    response = await on_refusal(Request({"type": "http"}), Refusal("forbidden", rule="here", params={"seconds": 7}))
    assert "retry-after" not in response.headers


async def test_a_hurried_guest_is_told_to_wait(settings: Settings) -> None:
    """429, typed, with the time to wait; another guest of the same address goes on."""
    async with serving(msgspec.structs.replace(settings, rates=0.2)) as base, Guest(base) as ana, Guest(base) as rui:
        await rui.http.put("/api/me", json={"name": "Rui"})
        await ana.http.put("/api/me", json={"name": "Ana"})
        answers = await asyncio.gather(*(ana.http.put("/api/me", json={"name": "Ana"}) for _ in range(35)))
        late = [answer for answer in answers if answer.status_code == 429]
        assert late
        assert {answer.status_code for answer in answers} == {200, 429}
        problem = late[0].json()
        assert problem["code"] == "too_many_requests"
        assert late[0].headers["retry-after"] == str(problem["params"]["seconds"])
        assert (await rui.http.put("/api/me", json={"name": "Rui"})).status_code == 200


async def test_wrong_codes_count_wherever_they_are_tried(settings: Settings) -> None:
    """Who guesses is told to wait, at the invitation and at the table's door alike; right codes cost nothing."""
    async with serving(msgspec.structs.replace(settings, rates=0.1)) as base, Guest(base) as ana, Guest(base) as rui:
        table = await ana.open("person", "person")
        code = (await ana.join(table))["table"]["code"]
        await rui.http.put("/api/me", json={"name": "Rui"})
        for _ in range(4):
            assert (await rui.get(f"/api/codes/{code}"))["table"]["id"] == table
        wrong = {"code": "AAAAAA"}
        answers = [(await rui.http.post(f"/api/tables/{table}/join", json=wrong)).status_code for _ in range(4)]
        assert answers == [403, 403, 403, 429]
        assert (await rui.http.get("/api/codes/AAAAAA")).status_code == 429
        assert (await rui.http.post(f"/api/tables/{table}/join", json={"code": code})).status_code == 429


async def test_replays_are_dear(settings: Settings) -> None:
    """Whoever has games given again without end is told to wait, whichever way they ask; other requests go on."""
    async with serving(msgspec.structs.replace(settings, rates=0.1)) as base, Guest(base) as ana:
        table = await ana.open("person", "random")
        await ana.join(table)
        answers = [(await ana.http.get(f"/api/tables/{table}/replay{path}")).status_code for path in ("", "", "", "/A", "")]
        assert answers.count(200) >= 2
        assert answers[-1] == 429
        refused = await ana.http.post("/api/replay", json={"record": "x"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert (await ana.get(f"/api/tables/{table}"))["table"]["id"] == table


async def test_rematches_count_as_tables_made(settings: Settings) -> None:
    """A rematch opens a table, so it counts as one, over HTTP and over the socket."""
    async with serving(msgspec.structs.replace(settings, rates=0.1)) as base, Guest(base) as ana:
        table = await ana.open("person", "random")
        await ana.join(table)
        await ana.post(f"/api/tables/{table}/commands", {"t": "resign", "id": "r"})
        async with ana.sit(table) as seat:
            answers = [await seat.ask({"t": "rematch", "id": str(number)}) for number in range(3)]
        assert [answer["t"] for answer in answers] == ["ack", "ack", "refused"]
        assert (answers[2]["code"], answers[2]["id"], answers[2]["params"]["seconds"] > 0) == ("too_many_requests", "2", True)
        refusal = await ana.post(f"/api/tables/{table}/commands", {"t": "rematch", "id": "m"}, 429)
        assert refusal["code"] == "too_many_requests"


async def test_signs_of_life_are_for_everybody_at_any_time() -> None:
    """Who watches over a server may share an address with those who use up its share."""
    async with serving(Settings(rates=0.02)) as base, Guest(base) as ana:
        answers = [(await ana.http.get("/api/games")).status_code for _ in range(30)]
        assert answers[-1] == 429
        assert [(await ana.http.get(path)).status_code for path in ("/healthz", "/readyz") for _ in range(10)] == [200] * 20
