"""The database of a simulation: one log that outlives every process, and links to it that are slow, fail, hang, or lose the answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context
from typing import Any

import msgspec

from sandriver.tables.errors import StoreFailed
from sandriver.tables.log import Row
from tests.simulation.loop import VirtualLoop
from tests.tables.tools import MemoryStore


class Plan(msgspec.Struct, frozen=True):
    """What happens to one request to the database."""

    there: float
    """Seconds until it arrives."""
    back: float
    """Seconds until the answer is there."""
    fate: str = "served"
    """``served``; ``refused`` (not carried out); ``lost`` (neither carried out nor answered); ``failed`` and ``silent``: carried out, but
    the answer is a failure, or none."""


class Disk(MemoryStore):
    """What is stored, with the moment of each commit."""

    def __init__(self) -> None:
        super().__init__()
        self.commits: list[tuple[float, str, int]] = []
        """(when, table, version), in order."""


class Link:
    """The ``Store`` of one process: every method of ``Disk``, at the other end of a wire."""

    def __init__(
        self, disk: Disk, loop: VirtualLoop, plan: Callable[[str, tuple[Any, ...]], Plan], told: Callable[[Sequence[Row]], None]
    ) -> None:
        self._disk = disk
        self._loop = loop
        self._plan = plan
        self._told = told
        self._outside = Context()

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        method = getattr(self._disk, name)

        async def ask(*args: Any, **more: Any) -> Any:
            answer = self._loop.create_future()
            plan = self._plan(name, args)
            self._loop.call_later(plan.there, self._arrive, answer, plan, name, method, args, more, context=self._outside)
            return await answer

        return ask

    def _arrive(self, answer: Any, plan: Plan, name: str, method: Any, args: tuple[Any, ...], more: dict[str, Any]) -> None:
        """The request has come; it is carried out whatever has become of who sent it."""
        result: Any = None
        error: BaseException | None = None
        if plan.fate == "lost":
            return
        if plan.fate == "refused":
            error = StoreFailed("the disk is full")
        else:
            try:
                result = drive(method(*args, **more))
            except Exception as fault:  # noqa: BLE001  # whatever it is, it is the answer
                error = fault
            else:
                if name == "append":
                    self._told(args[0])
        if plan.fate == "silent":
            return
        if plan.fate == "failed":
            error = StoreFailed("the connection broke")
        self._loop.call_later(plan.back, _settle, answer, result, error, context=self._outside)


def _settle(answer: Any, result: Any, error: BaseException | None) -> None:
    if not answer.done():
        if error is None:
            answer.set_result(result)
        else:
            answer.set_exception(error)
            answer._log_traceback = False  # who asked may be dead by then


def drive(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that waits for nothing."""
    try:
        while True:
            work.send(None)
    except StopIteration as done:
        return done.value
