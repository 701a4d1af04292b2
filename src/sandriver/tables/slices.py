"""Long work on the event loop, cut into slices: nobody else waits for more than one of them.

Threads would not do: whoever holds the interpreter lock keeps the loop from it for milliseconds at a time, at each of its turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import TypeVar

SLICE = 16
"""Pieces of work in a slice. A piece is an action played again or a position shown, a tenth of a millisecond or so."""
Result = TypeVar("Result")


class Slices:
    """The long work of a process. However much there is at once, each turn of the loop does one slice, of each in its turn."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, work: Generator[object, None, Result]) -> Result:
        """Run a generator, which yields after each piece, to its end and return what it returns. What is short is done at once."""
        while True:
            async with self._turn:
                try:
                    for _ in range(SLICE):
                        next(work)
                except StopIteration as end:
                    result: Result = end.value
                    return result
                await asyncio.sleep(0)  # before the next one begins


def finish(work: Generator[object, None, Result]) -> Result:
    """Do all of a work at once and return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
