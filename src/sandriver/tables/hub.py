"""Who follows a table: subscriptions with bounded queues of encoded frames, and presence, here and at other processes.

Frames are encoded once for each audience (a seat, or all spectators) and the same bytes stand in every queue. Who does not read is cut
off when their queue is full, and may come back with the last version they saw.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Literal, Self

import msgspec
from msgspec.structs import replace

from sandriver.tables.bus import Here
from sandriver.tables.wire import Ack, Frame, Presence

QUEUE_LIMIT = 64
"""Frames that may wait for one reader."""
PRESENCE_DELAY = 0.2
"""Seconds in which comings and goings are gathered into one frame."""

_encoder = msgspec.json.Encoder()


def encode_frame(frame: Frame) -> bytes:
    """Write a frame as JSON."""
    return _encoder.encode(frame)


class Subscription:
    """One reader of a table. Iterate it for frames (bytes of JSON); it ends when cut off or closed."""

    def __init__(self, table: str, person: str | None, viewer: int | None, leave: Callable[[Subscription], None], limit: int) -> None:
        self.table = table
        self.person = person
        self.viewer = viewer
        """The seat whose projection it gets, ``None``: a spectator's. Changes when the person sits down."""
        self.closed: Literal["slow", "closed"] | None = None
        """Why it ended."""
        self.began = 0.0
        """When the command arrived of which the oldest frame that waits here tells (``measure.BEGAN``); 0: no such frame."""
        self.told: Callable[[float], None] | None = None
        """Hears the same of a frame that the sink took."""
        self.sink: Callable[[bytes, bool], bool] | None = None
        """Takes a frame at once while nothing waits, so that nobody need be woken for it; ``False``: not now, it must wait.

        Its second argument: another frame follows at once.
        """
        self._idle = False
        self._finishing = False
        self._leave = leave
        self._limit = limit
        self._frames: deque[bytes] = deque()
        self._presence: bytes | None = None
        self._wake = asyncio.Event()

    def push(self, frame: bytes) -> bool:
        """Queue an encoded frame; a reader whose queue is full is cut off instead. Returns whether the sink has taken it at once."""
        if self.closed is not None:
            return False
        frames = self._frames
        if self._hand_over(frame):
            return True
        if len(frames) >= self._limit:
            self.close("slow")
            return False
        frames.append(frame)
        self._wake.set()
        return False

    def _hand_over(self, frame: bytes, more: bool = False) -> bool:
        """Give a frame to the sink, if nothing stands before it."""
        return self._idle and not self._frames and self._presence is None and self.sink is not None and self.sink(frame, more)

    def push_presence(self, frame: bytes) -> None:
        """Set the newest presence; it takes the place of one not read yet."""
        self._presence = frame
        self._wake.set()

    def reply(self, frame: Frame) -> None:
        """Queue an answer for this reader alone."""
        encoded = encode_frame(frame)
        # What was acknowledged is told next.
        if not isinstance(frame, Ack) or self.closed is not None or not self._hand_over(encoded, more=True):
            self.push(encoded)

    @property
    def waiting(self) -> int:
        """Frames that wait to be read."""
        return len(self._frames)

    def finish(self) -> None:
        """End it as soon as everything that waits has been read."""
        self._finishing = True
        self._wake.set()

    def close(self, reason: Literal["slow", "closed"] = "closed") -> None:
        """End it; what waits is dropped."""
        if self.closed is None:
            self.closed = reason
            self._frames.clear()
            self._presence = None
            self._wake.set()
            self._leave(self)

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> bytes:
        while self.closed is None:
            if self._frames:
                return self._frames.popleft()
            if self._presence is not None:
                frame, self._presence = self._presence, None
                return frame
            if self._finishing:
                self.close()
                break
            self._wake.clear()
            self._idle = True
            try:
                await self._wake.wait()
            finally:
                self._idle = False
        raise StopAsyncIteration

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Hub:
    """The subscriptions of one table."""

    def __init__(self) -> None:
        self._subscriptions: dict[Subscription, None] = {}
        self._here: Counter[str | None] = Counter()
        self._timer: asyncio.TimerHandle | None = None
        self._told: Presence | None = None
        self._elsewhere: dict[str, tuple[float, Here]] = {}
        """By process, when it last said who is there, and what it said."""
        self._announced: tuple[tuple[str, ...], int] = (), 0
        self.announce: Callable[[], None] | None = None
        """Called when who follows the table here has changed; ``None``: nobody else wants to know."""
        self._seated: Sequence[str | None] = ()
        self.bots: Sequence[bool] = ()
        """By seat, whether a bot sits there; set by the table."""
        self.away: Callable[[], tuple[int | None, ...]] = tuple
        """What ``Presence.away`` says; set by the table."""
        self.changed: Callable[[], None] = lambda: None
        """Called whenever somebody came or went; set by the table."""
        self._online: tuple[bool, ...] | None = None
        """What ``online`` says, until that may have changed."""

    @property
    def seated(self) -> Sequence[str | None]:
        """Person on each seat, ``None`` where a bot or nobody sits; kept up to date by the table."""
        return self._seated

    @seated.setter
    def seated(self, people: Sequence[str | None]) -> None:
        if people != self._seated:
            self._seated = people
            self._presence_changed()

    def __len__(self) -> int:
        return len(self._subscriptions)

    def __iter__(self) -> Iterator[Subscription]:
        return iter(list(self._subscriptions))

    def enter(self, table: str, person: str | None, viewer: int | None, limit: int) -> Subscription:
        """Add a subscription. It hears everything from now on; the caller queues what it must know first."""
        subscription = Subscription(table, person, viewer, self._leave, limit)
        self._subscriptions[subscription] = None
        self._here[person] += 1
        self._online = None
        if self._told is not None:
            # Should nothing have changed soon, nobody else tells it.
            subscription.push_presence(encode_frame(replace(self._told, away=self.away())))
        self._presence_changed()
        return subscription

    def _leave(self, subscription: Subscription) -> None:
        if self._subscriptions.pop(subscription, subscription) is None:
            self._here[subscription.person] -= 1
            if not self._here[subscription.person]:
                del self._here[subscription.person]
            if not self._subscriptions:
                self._told = None  # from now on nobody is told, so it would be out of date for the next one
            self._presence_changed()

    def audiences(self) -> set[int | None]:
        """The viewers that somebody follows the table as."""
        return {subscription.viewer for subscription in self._subscriptions}

    def online(self) -> tuple[bool, ...]:
        """By seat, whether its person follows the table, here or at another process."""
        if self._online is None:
            everywhere = {*self._here, *(person for _, here in self._elsewhere.values() for person in here.people)}
            self._online = tuple([person is not None and person in everywhere for person in self.seated])
        return self._online

    def presence(self) -> Presence:
        """Who is here; bots always are. People watching are counted once a process, anonymous connections each."""
        online = tuple(here or bot for here, bot in zip(self.online(), self.bots, strict=True))
        watching = self._watching() + sum(here.spectators for _, here in self._elsewhere.values())
        return Presence(online=online, spectators=watching, away=self.away())

    def _watching(self) -> int:
        return sum(count if person is None else 1 for person, count in self._here.items() if person is None or person not in self.seated)

    def turn_changed(self) -> None:
        """Tell anew who is away, if that is another now."""
        if self._told is not None and self._told.away != self.away():
            self._presence_changed()

    def _presence_changed(self) -> None:
        self._online = None
        self.changed()
        if self._timer is None and (self._subscriptions or self.announce is not None):
            self._timer = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._tell_presence)

    # --- other processes -------------------------------------------------------------------------

    def here(self, process: str, table: str) -> Here:
        """What this process has to say to the others."""
        people, watching = self._announced = self._own()
        return Here(process, table, people, watching)

    def _own(self) -> tuple[tuple[str, ...], int]:
        return tuple(person for person in self.seated if person is not None and person in self._here), self._watching()

    def hear(self, here: Here, now: float) -> bool:
        """Another process says who follows the table there; returns whether nothing was known of it before."""
        known = self._elsewhere.pop(here.process, None)
        if here.people or here.spectators:
            self._elsewhere[here.process] = now, here
        if known is None or known[1] != here:
            self._presence_changed()
        return known is None and here.process in self._elsewhere

    def forget(self, process: str) -> None:
        """A process has ended."""
        if self._elsewhere.pop(process, None) is not None:
            self._presence_changed()

    def forget_before(self, moment: float) -> None:
        """Processes that said nothing since are taken for gone."""
        for process in [process for process, (heard, _) in self._elsewhere.items() if heard < moment]:
            self.forget(process)

    # --- telling ---------------------------------------------------------------------------------

    def _tell_presence(self) -> None:
        self._timer = None
        if self.announce is not None and self._own() != self._announced:
            self.announce()
        if not self._subscriptions:
            return
        presence = self.presence()
        if presence != self._told:
            self._told = presence
            frame = encode_frame(presence)
            for subscription in self._subscriptions:
                subscription.push_presence(frame)

    def close(self) -> None:
        """End every subscription."""
        for subscription in self:
            subscription.close()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
