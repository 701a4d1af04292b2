"""The bus over Valkey or Redis: publish and subscribe on one channel, for processes that share a store.

What is to be sent waits in a bounded queue in which a newer message about the same thing takes the older one's place, and goes out
many at a time. Each process hears its own messages come back: silence means that the connection is lost, whatever the system
says of it. After every new connection, and where the queue ran over, listeners hear a ``Gap``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from sandriver.tables.bus import Gap, Here, Listener, MemoryBus, Message, Notice, Renamed

logger = logging.getLogger(__name__)

SCHEMES = {"valkey": "redis", "redis": "redis", "valkeys": "rediss", "rediss": "rediss", "unix": "unix"}
"""What an address may begin with, and what the client library calls it."""
QUEUE_LIMIT = 10_000
BATCH = 500
"""Messages that go out in one."""
BEAT_SECONDS = 2.0
"""Who has nothing to say says so this often."""
SILENCE_SECONDS = 5.0
"""Not to hear oneself for so long means that the connection is lost."""
CONNECT_SECONDS = 3.0
BACKOFF = (0.1, 5.0)
"""Shortest and longest wait before the next try to connect."""
CLOSE_SECONDS = 1.0


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """What is published at once."""

    sender: str
    messages: tuple[Message, ...]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Envelope)


def bus_url(text: str) -> str:
    """Read an address such as ``redis://host:6379/0``, as the client library writes it. Raises ``ValueError``, without the password."""
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in SCHEMES or not rest:
        raise ValueError("an address is written redis://host:6379/0, valkey://…, rediss://… (TLS) or unix:///path")
    url = f"{SCHEMES[scheme]}://{rest}"
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise ValueError("its port is none") from None
    return url


class ValkeyBus:
    """A bus between processes. Made inside a running event loop, in which it connects, and connects again, by itself.

    ``channel`` tells several systems on one server apart; without it the address's database number does.
    """

    def __init__(self, url: str, *, channel: str = "", beat: float = BEAT_SECONDS, silence: float = SILENCE_SECONDS) -> None:
        self._url = bus_url(url)
        self._channel = f"sandriver:{channel or urlsplit(self._url).path.strip('/') or '0'}"
        self._beat, self._silence = beat, silence
        self._name = secrets.token_hex(8)
        self._local = MemoryBus()
        self._waiting: OrderedDict[object, Message] = OrderedDict()
        self._overflowed = False
        self._sending = False
        self._wake = asyncio.Event()
        self._connected = False
        self._task = asyncio.create_task(self._run(), name="bus")

    @property
    def sure(self) -> bool:
        """See ``Bus.sure``."""
        return self._connected and not self._task.done()

    def publish(self, message: Message) -> None:
        """See ``Bus.publish``. Listeners of this process hear it without the server."""
        self._local.publish(message)
        self._queue(message)
        self._wake.set()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """See ``Bus.listen``."""
        return self._local.listen(listener)

    async def close(self) -> None:
        """See ``Bus.close``."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while self._connected and (self._waiting or self._sending):  # noqa: ASYNC110  # once in a life
                    await asyncio.sleep(0.01)
        await _end(self._task)

    def _queue(self, message: Message) -> None:
        self._waiting[_key(message)] = message
        if len(self._waiting) > QUEUE_LIMIT:
            self._waiting.popitem(last=False)
            self._overflowed = True

    # --- the connection --------------------------------------------------------------------------

    async def _run(self) -> None:
        from redis.exceptions import RedisError

        delay, told = BACKOFF[0], False
        while True:
            try:
                await self._serve()
            except (RedisError, OSError, ValueError, RuntimeError) as error:  # the last: uvloop, of a connection that has just been closed
                if self._connected or not told:
                    logger.warning("the bus is lost, tables go on without it: %s", " ".join(str(error).split()) or type(error).__name__)
                    told = True
            except Exception:  # nothing that is known to happen; the bus goes on all the same
                logger.exception("the bus failed, tables go on without it")
            if self._connected:
                delay = BACKOFF[0]
            self._connected = False
            await asyncio.sleep(delay * random.uniform(0.5, 1))
            delay = min(2 * delay, BACKOFF[1])

    async def _serve(self) -> None:
        """Connect, subscribe, and carry messages both ways until that fails; raises what failed."""
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        # The library must not connect again by itself: what was missed meanwhile would go unnoticed.
        never = Retry(NoBackoff(), 0)
        client = Redis.from_url(self._url, protocol=2, retry=never, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=self._silence)
        pubsub = client.pubsub(ignore_subscribe_messages=False)
        try:
            await pubsub.subscribe(self._channel)
            await self._receive(pubsub)  # the confirmation: from now on everything is heard
            if not self._connected:
                logger.info("the bus is there")
            self._connected = True
            self._local.publish(Gap())
            pumps = [asyncio.create_task(self._read(pubsub)), asyncio.create_task(self._send(client))]
            try:
                done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for pump in done:
                    pump.result()
            finally:
                await _end(*pumps)
        finally:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await pubsub.aclose()  # type: ignore[no-untyped-call]
                    await client.aclose()

    async def _receive(self, pubsub: Any) -> dict[str, Any]:
        message = await pubsub.get_message(timeout=self._silence)
        if message is None:
            raise TimeoutError("nothing is heard")
        found: dict[str, Any] = message
        return found

    async def _read(self, pubsub: Any) -> None:
        while True:
            message = await self._receive(pubsub)
            if message["type"] != "message":
                continue
            try:
                envelope = _decoder.decode(message["data"])
            except msgspec.DecodeError:  # of another version of this program; what it says will be found in the log
                logger.debug("a message of an unknown kind is on the bus")
                continue
            if envelope.sender != self._name:
                for each in envelope.messages:
                    self._local.publish(each)

    async def _send(self, client: Any) -> None:
        while True:
            if not self._waiting:
                self._wake.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._beat):
                        await self._wake.wait()
            batch = [self._waiting.popitem(last=False) for _ in range(min(BATCH, len(self._waiting)))]
            gap, self._overflowed = self._overflowed, False
            messages = tuple(message for _, message in batch) + ((Gap(),) if gap else ())
            self._sending = True
            try:
                await client.publish(self._channel, _encoder.encode(Envelope(self._name, messages)))
            except BaseException:
                for key, message in reversed(batch):  # a newer one about the same thing is kept
                    if key not in self._waiting:
                        self._waiting[key] = message
                        self._waiting.move_to_end(key, last=False)
                self._overflowed |= gap
                raise
            finally:
                self._sending = False


async def _end(*tasks: asyncio.Task[None]) -> None:
    """Stop tasks; told once is not enough, for the client library swallows that where it waits for an answer."""
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=0.1)
    await asyncio.gather(*tasks, return_exceptions=True)


def _key(message: Message) -> object:
    """What a message is about: of two about the same, only the newer one need be sent."""
    match message:
        case Notice():
            return "hurry" if message.hurry else "notice", message.table
        case Here():
            return "here", message.process, message.table
        case Renamed():
            return "renamed", message.person
    return message
