"""How much one guest or address may ask for: token buckets, and the reading of a body of bounded size."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator

from starlette.requests import Request

from sandriver.server.problems import Problem

BODY_SECONDS = 10.0
"""Longest time that a request body may take to arrive."""


class Rate:
    """A bucket of ``burst`` tokens that fills at ``per_second``."""

    __slots__ = ("_clock", "_tokens", "_when", "burst", "per_second")

    def __init__(self, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second, self.burst = per_second, burst
        self._clock, self._tokens, self._when = clock, burst, clock()

    def wait(self, cost: float = 1.0) -> float:
        """Seconds until ``cost`` tokens are there; takes them and returns 0.0 if they are now. What is dearer than all costs all."""
        self._fill()
        cost = min(cost, self.burst)
        if self._tokens >= cost:
            self._tokens -= cost
            return 0.0
        return (cost - self._tokens) / self.per_second

    def spend(self, cost: float = 1.0) -> float:
        """Take ``cost`` tokens, on credit if need be; return the seconds until the debt is paid, 0.0 without one."""
        self._fill()
        self._tokens -= cost
        return max(0.0, -self._tokens / self.per_second)

    def _fill(self) -> None:
        now = self._clock()
        self._tokens = min(self.burst, self._tokens + (now - self._when) * self.per_second)
        self._when = now

    @property
    def full(self) -> bool:
        """Whether it would be full by now, so that nothing is lost by forgetting it."""
        return self._tokens + (self._clock() - self._when) * self.per_second >= self.burst


class Rates:
    """One bucket a key. What has filled up again is forgotten; beyond ``most`` keys the least recently used one goes."""

    def __init__(self, per_second: float, burst: float, *, most: int = 20_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._most, self._clock = per_second, burst, most, clock
        self._buckets: OrderedDict[str, Rate] = OrderedDict()

    def wait(self, key: str, cost: float = 1.0) -> float:
        """As ``Rate.wait``, for the bucket of ``key``."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Rate(self._per_second, self._burst, self._clock)
            self._forget()
        else:
            self._buckets.move_to_end(key)
        return bucket.wait(cost)

    def give_back(self, key: str, cost: float = 1.0) -> None:
        """Return what ``wait`` took."""
        if (bucket := self._buckets.get(key)) is not None:
            bucket.spend(-cost)

    def _forget(self) -> None:
        while len(self._buckets) > 1:
            oldest = next(iter(self._buckets))
            if len(self._buckets) <= self._most and not self._buckets[oldest].full:
                return
            del self._buckets[oldest]

    def __len__(self) -> int:
        return len(self._buckets)


class Limits:
    """The limits of one server. ``factor`` scales them all, but nothing is ever refused for good: a burst is one at least."""

    def __init__(self, factor: float = 1.0) -> None:
        self._factor = factor
        self.asking = _rates(50, 200, factor)
        """Requests to the interface, by address."""
        self.making = _rates(1, 40, factor)
        """Guests and tables made, by address."""
        self.guessing = _rates(0.5, 30, factor)
        """Wrong invitation codes, looked up or brought along, by address."""
        self.replaying = _rates(2, 30, factor)
        """Games given again from the beginning, by address: each takes as long as all its moves together."""
        self.guest = _rates(15, 60, factor)
        """Requests that change something, by guest."""
        self.connections_most = max(1, int(200 * factor))
        """Sockets that one address may hold."""
        self._connections: dict[str, int] = {}

    def check(self, rates: Rates, key: str, cost: float = 1.0) -> None:
        """Raise a typed 429 when ``key`` has used its share."""
        seconds = rates.wait(key, cost)
        if seconds > 0:
            raise Problem("too_many_requests", {"seconds": math.ceil(seconds)})

    @contextlib.contextmanager
    def guess(self, address: str) -> Iterator[None]:
        """Try an invitation code: only a wrong one, that is one which raises, counts."""
        self.check(self.guessing, address)
        yield
        self.guessing.give_back(address)

    def command_rate(self) -> Rate:
        """A fresh bucket for what one socket sends: quick enough for any person or bot."""
        return Rate(20 * self._factor, max(1.0, 40 * self._factor))

    def connect(self, address: str) -> None:
        """Count a socket of ``address``; raise a typed 429 when it holds too many already."""
        count = self._connections.get(address, 0)
        if count >= self.connections_most:
            raise Problem("too_many_requests", {"seconds": 10})
        self._connections[address] = count + 1

    def disconnect(self, address: str) -> None:
        """Forget a socket that ``connect`` counted."""
        count = self._connections.get(address, 0) - 1
        if count > 0:
            self._connections[address] = count
        else:
            self._connections.pop(address, None)


def _rates(per_second: float, burst: float, factor: float) -> Rates:
    return Rates(per_second * factor, max(1.0, burst * factor))


def address_key(host: str | None) -> str:
    """Whom an address stands for: an IPv4 address itself, the /64 network of an IPv6 address."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body. Raises ``Problem``: ``too_large`` beyond ``limit`` bytes, ``bad_request`` when it does not arrive in time."""
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > limit:
        raise Problem("too_large", {"limit": limit})
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise Problem("too_large", {"limit": limit})
    except TimeoutError:
        raise Problem("bad_request", {"reason": "slow_body"}, status=408) from None
    return bytes(body)
