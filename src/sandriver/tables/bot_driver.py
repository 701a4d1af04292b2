"""Moves the bots of live tables: a view in, an action out, thought up in a thread, played as a normal command after a human pause.

How long a bot thinks may depend on its hand, so nobody is shown it: a reply goes out at a moment that was fixed before it began to think,
or, if it is not ready then, at one of a few moments far apart.

A bot that crashes, hangs or answers nonsense never costs anybody a result: the ``random`` bot takes over at that table, and a late
answer is dropped, since every answer belongs to one table and one ply.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import sys
import threading
from collections.abc import Awaitable, Callable

import msgspec

from sandriver.bots.policy import Policy, for_options, seen_by
from sandriver.tables.chance import bot_pause, bot_seed
from sandriver.tables.commands import bot_command_id
from sandriver.tables.errors import Refusal
from sandriver.tables.live import Live
from sandriver.tables.measure import BEGAN, tag
from sandriver.tables.opening import FindBot
from sandriver.tables.state import State
from sandriver.tables.wire import Ack, Act

logger = logging.getLogger(__name__)

FALLBACK = "random"
"""The bot that takes over."""
THINKERS = 2
"""Bots that may think at the same time."""
COURTESY = 10
"""How much nicer a thinking thread is than the one that serves the tables, where the system knows such a thing."""


class Pace(msgspec.Struct, frozen=True):
    """How long a bot seems to think, in seconds: a pause between two bounds, and longer after an eventful move."""

    shortest: float = 0.7
    longest: float = 1.6
    per_event: float = 0.2
    """For every event after the second of the move before, so that one can follow what happened."""
    most: float = 3.0
    hurried: float = 0.4
    """The least that is left of a pause which somebody skips: longer than a bot of any level thinks."""
    step: float = 0.25
    """A bot that is not ready after its pause replies so many seconds later, or twice as many, …; 0: as soon as it is ready."""

    def seconds(self, events: int, share: float) -> float:
        """The pause after a move of so many events. ``share``: where between the bounds it lies, 0 to 1."""
        return min(self.most, self.shortest + share * (self.longest - self.shortest) + self.per_event * max(0, events - 2))


NO_PAUSE = Pace(0, 0, 0, 0, 0, 0)
"""For tests and measurements: replies go out as soon as they are there."""

Submit = Callable[[Live, int, Act], Awaitable[Ack]]


class BotDriver:
    """One for all tables of a service. ``submit`` carries a command of a bot's seat out."""

    def __init__(self, submit: Submit, find_bot: FindBot, pace: Pace, think_seconds: float) -> None:
        self._submit = submit
        self._find_bot = find_bot
        self._pace = pace
        self._think_seconds = think_seconds
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pauses: dict[str, asyncio.Event] = {}
        self._thinkers = asyncio.Semaphore(THINKERS)
        self._closed = False
        self.thinking = 0
        """Bots that think now."""

    @property
    def busy(self) -> int:
        """Tables where a bot thinks, waits or plays."""
        return len(self._tasks)

    def kick(self, live: Live) -> None:
        """See to it that the bot plays, if it is a bot's turn. Call after every change of a table; harmless otherwise."""
        if live.state.bot_to_move is not None and live.table not in self._tasks and not self._closed:
            live.uses += 1
            task = asyncio.create_task(self._drive(live), name=f"bot at {live.table}")
            self._tasks[live.table] = task
            task.add_done_callback(lambda _: self._done(live))

    def hurry(self, table: str) -> None:
        """End the pause that a bot makes at this table now."""
        if (pause := self._pauses.get(table)) is not None:
            pause.set()

    async def close(self) -> None:
        """Stop all bots for good; what they were about to do is lost, and thought up again after a restart."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, live: Live) -> None:
        task = self._tasks.pop(live.table)
        live.uses -= 1
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            logger.error("table %s: its bot stopped", tag(live.table), exc_info=error)
        else:
            self.kick(live)  # it may have become a bot's turn again between the last look and now

    async def _drive(self, live: Live) -> None:
        BEGAN.set(0.0)  # what a person sent made it a bot's turn, but does not count for what the bot does
        while (bot := live.state.bot_to_move) is not None:
            state = live.state
            seat = state.to_move
            assert seat is not None
            thinking = asyncio.create_task(self._choose(live, state, bot))
            try:
                await self._wait(live, self._pace.seconds(live.last_events, bot_pause(state.key, state.ply)))
                while self._pace.step > 0 and not thinking.done():  # noqa: ASYNC110  # only these moments, whenever it was ready
                    await asyncio.sleep(self._pace.step)
                action = await thinking
            finally:
                thinking.cancel()
            if live.state.changed == state.changed and live.state.bot_to_move is not None:
                await self._play(live, seat, Act(id=bot_command_id(state.changed), ply=state.ply, action=action))

    async def _wait(self, live: Live, seconds: float) -> None:
        if seconds <= 0:
            return
        began = asyncio.get_running_loop().time()
        hurried = self._pauses[live.table] = asyncio.Event()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await hurried.wait()
        finally:
            del self._pauses[live.table]
        if hurried.is_set() and (left := began + min(seconds, self._pace.hurried) - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(left)

    async def _play(self, live: Live, seat: int, act: Act) -> None:
        delay = 0.1
        while True:
            try:
                await self._submit(live, seat, act)
            except Refusal as refusal:
                if refusal.code in ("stale", "game_over", "not_your_turn", "not_running"):
                    return
                if refusal.code != "try_again":
                    raise
                await asyncio.sleep(delay)
                delay = min(2 * delay, 5)
            else:
                return

    async def _choose(self, live: Live, state: State, bot: str) -> str:
        for name in dict.fromkeys((bot, FALLBACK)):
            if name not in live.distrusted:
                try:
                    return await self._ask(name, state)
                except Exception:  # whatever a bot does, the game goes on
                    live.distrusted.add(name)
                    logger.exception("table %s, ply %d: the bot %s failed, another takes over", tag(live.table), state.ply, name)
        _, legal, rng = question(state, None)
        return rng.choice(legal)

    async def _ask(self, name: str, state: State) -> str:
        policy = for_options(self._find_bot(state.opened.game, name), state.options)
        view, legal, rng = question(state, policy)
        async with self._thinkers, asyncio.timeout(self._think_seconds):
            self.thinking += 1
            try:
                action = await _in_thread(lambda: policy.choose(view, legal, rng))
            finally:
                self.thinking -= 1
        if action not in legal:
            raise ValueError(f"{action!r} is no legal action")
        return action


def question(state: State, policy: Policy | None) -> tuple[msgspec.Struct, list[str], random.Random]:
    """What a policy (``None``: any) is asked with: the view of the seat to move, its legal actions and a generator. Nothing in it knows
    more than the seat has seen.

    Made in the event loop: a position is not for two threads at once.
    """
    legal = [state.game.format_action(action) for action in state.position.legal_actions]
    return seen_by(policy, state.game, state.position), legal, random.Random(bot_seed(state.key, state.ply))


async def _in_thread(work: Callable[[], str]) -> str:
    """Run work in a thread of its own. One that never comes back holds nobody up, not even the end of the program."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[str] = loop.create_future()

    def settle(result: str | None, error: Exception | None) -> None:
        if not done.done():
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result or "")

    def run() -> None:
        result, error = None, None
        if sys.platform == "linux":  # elsewhere a priority belongs to whole processes
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(19, os.getpriority(os.PRIO_PROCESS, 0) + COURTESY))
        try:
            result = work()
        except Exception as fault:  # noqa: BLE001  # handed to the waiting task
            error = fault
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True, name="bot").start()
    return await done
