"""The bus between processes: a real Valkey that comes late, restarts, hangs or never was; publishing never waits and never fails."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

import services
from sandriver.tables import bus_valkey
from sandriver.tables.bus import Gap, Gone, Here, Message, Notice, Renamed
from sandriver.tables.bus_valkey import ValkeyBus, bus_url
from tests.tables import backends
from tests.tables.tools import until


class Ear:
    """One process's bus, and all that it heard."""

    def __init__(self, url: str, silence: float) -> None:
        self.bus = ValkeyBus(url, beat=0.05, silence=silence)
        self.heard: list[Message] = []
        self.bus.listen(self.heard.append)

    @property
    def gaps(self) -> int:
        return self.heard.count(Gap())

    @property
    def notices(self) -> list[Message]:
        return [message for message in self.heard if message != Gap()]


@asynccontextmanager
async def ears(url: str, number: int = 2, silence: float = 10) -> AsyncIterator[list[Ear]]:
    made = [Ear(url, silence) for _ in range(number)]
    try:
        yield made
    finally:
        for ear in made:
            await ear.bus.close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[services.Valkey]:
    monkeypatch.setattr(bus_valkey, "BACKOFF", (0.01, 0.1))
    with services.Valkey() as running:
        yield running


async def test_everybody_hears_everything_once(server: services.Valkey) -> None:
    sent: list[Message] = [Notice("t", 5), Notice("t", 5, hurry=True), Here("p", "t", ("ana",), 2), Renamed("p", "ana"), Gone("p")]
    async with ears(server.url, 3) as (one, other, third):
        await until(lambda: all(ear.bus.sure for ear in (one, other, third)))
        for message in sent:
            one.bus.publish(message)
        await until(lambda: all(len(ear.notices) >= len(sent) for ear in (one, other, third)))
        await asyncio.sleep(0)
        assert one.notices == other.notices == third.notices == sent
        assert [ear.gaps for ear in (one, other, third)] == [1, 1, 1], "who has just come looks for what went on before"
        stop = other.bus.listen(other.heard.append)
        stop()
        for n in range(5000):
            third.bus.publish(Notice(f"t{n}", n))
        await until(lambda: len(one.notices) == len(sent) + 5000)
        assert [message.v for message in one.notices[len(sent) :] if isinstance(message, Notice)] == list(range(5000)), "in order"


async def test_another_system_on_the_same_server_is_not_heard(server: services.Valkey) -> None:
    async with ears(server.url) as (one, other), ears(server.url.removesuffix("0") + "1", 1) as (stranger,):
        await until(lambda: all(ear.bus.sure for ear in (one, other, stranger)))
        stranger.bus.publish(Notice("theirs", 1))
        one.bus.publish(Notice("ours", 1))
        await until(lambda: bool(other.notices and stranger.notices))
        assert (other.notices, stranger.notices) == ([Notice("ours", 1)], [Notice("theirs", 1)])


async def test_without_a_server_nothing_waits_and_nothing_fails() -> None:
    """What a process publishes it hears itself at once; what others would have to hear waits, bounded, the newest of each table."""
    async with ears(f"redis://127.0.0.1:{services.free_port()}/0", 1) as (ear,):
        began = time.perf_counter()
        for n in range(30_000):
            ear.bus.publish(Notice(f"t{n % 15_000}", n))
        assert time.perf_counter() - began < 5
        assert not ear.bus.sure
        assert len(ear.bus._waiting) == bus_valkey.QUEUE_LIMIT
        await until(lambda: len(ear.notices) == 30_000)


async def test_a_server_that_comes_late_gets_the_newest_of_what_waited(server: services.Valkey) -> None:
    server.stop()
    async with ears(server.url) as (one, other):
        for v in range(100):
            one.bus.publish(Notice("t", v))
        await until(lambda: len(one.notices) == 100)
        server.start()
        await until(lambda: one.bus.sure and other.bus.sure)
        await until(lambda: Notice("t", 99) in other.notices or other.gaps > 0)  # who listens too late is told to look for themselves
        assert other.notices in ([Notice("t", 99)], []), "a newer notice takes the older one's place"


async def test_a_queue_that_ran_over_is_told_of(server: services.Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    async with ears(server.url) as (one, other):
        await until(lambda: one.bus.sure and other.bus.sure)
        monkeypatch.setattr(bus_valkey, "QUEUE_LIMIT", 10)
        gaps = other.gaps
        for n in range(50):
            one.bus.publish(Notice(f"t{n}", 1))
        await until(lambda: Notice("t49", 1) in other.notices)
        await until(lambda: other.gaps > gaps)
        assert len(other.notices) == 10


async def test_a_restarted_server_is_found_again_and_the_gap_told(server: services.Valkey) -> None:
    async with ears(server.url) as (one, other):
        await until(lambda: one.bus.sure and other.bus.sure)
        for n in range(3):
            server.stop()
            await until(lambda: not one.bus.sure and not other.bus.sure)
            one.bus.publish(Notice("t", n))
            server.start()
            await until(lambda n=n: Notice("t", n) in other.notices)  # type: ignore[misc]
            await until(lambda n=n: one.gaps >= n + 2 and other.gaps >= n + 2)  # type: ignore[misc]


async def test_a_server_that_says_nothing_any_more_is_noticed(server: services.Valkey) -> None:
    """The connection stays, as over a network that lost its way: only the silence tells."""
    assert server.process is not None
    async with ears(server.url, silence=0.5) as (one, other):
        await until(lambda: one.bus.sure and other.bus.sure)
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            await until(lambda: not one.bus.sure and not other.bus.sure)
            one.bus.publish(Notice("t", 7))
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        await until(lambda: one.bus.sure and other.bus.sure)
        await until(lambda: Notice("t", 7) in other.notices)


async def test_what_another_version_says_is_passed_over(server: services.Valkey) -> None:
    from redis.asyncio import Redis

    client = Redis.from_url(server.url)
    async with ears(server.url, 1) as (ear,):
        await until(lambda: ear.bus.sure)
        for text in ("", "nonsense", "\x00", '["x",[{"t":"new kind","table":"t"}]]', '["x",[{"t":"notice","table":"t","v":"1"}]]', "[]"):
            await client.publish("sandriver:0", text)
        await client.publish("sandriver:0", '["x",[{"t":"notice","table":"t","v":4}]]')
        await until(lambda: bool(ear.notices))
        assert ear.notices == [Notice("t", 4)]
    await client.aclose()


@pytest.mark.parametrize("text", ["", "host", "http://host", "redis://", "redis://host:port/0", "redis://host:99999/0"])
def test_an_address_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"address|port"):
        bus_url(text)


def test_addresses_of_valkey() -> None:
    assert bus_url("valkey://u:secret@host/3") == "redis://u:secret@host/3"
    assert bus_url("unix:///run/valkey.sock") == "unix:///run/valkey.sock"
    assert backends.KINDS[0] == "sqlite"
