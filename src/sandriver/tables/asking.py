"""Asking the store: bounds the wait and turns its failure into a refusal that invites to try again."""

from __future__ import annotations

import asyncio
from types import TracebackType

from sandriver.tables.errors import Refusal, StoreFailed


class AskingStore:
    """``async with AskingStore(seconds): await store.…``. Raises ``Refusal("try_again")`` when the store fails or takes longer.

    A class, because every move passes through one: a generator's context manager costs three times as much.
    """

    __slots__ = ("_timeout",)

    def __init__(self, seconds: float) -> None:
        self._timeout = asyncio.timeout(seconds)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError as late:
            raise Refusal("try_again") from late
        if isinstance(error, StoreFailed):
            raise Refusal("try_again") from error
