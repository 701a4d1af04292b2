"""A store that is watched: how long its commits take, what fails, and one line in the log for what happens at tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any, cast

from sandriver.server.logs import event
from sandriver.server.metrics import Metrics
from sandriver.tables.errors import StoreFailed
from sandriver.tables.log import Action, Opened, Row, kind_of
from sandriver.tables.measure import tag
from sandriver.tables.store import Store

logger = logging.getLogger("sandriver.tables")


def watched(store: Store, metrics: Metrics) -> Store:
    """Return ``store`` with everything counted in ``metrics`` that passes through it."""
    return cast("Store", _Watched(store, metrics))


class _Watched:
    """Appends are measured; of every other method, whichever the store has, failures are counted."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    async def append(self, rows: Sequence[Row]) -> None:
        """See ``Store.append``."""
        metrics = self._metrics
        began = perf_counter()
        metrics.appending += 1
        try:
            await self._store.append(rows)
        except (StoreFailed, asyncio.CancelledError):
            metrics.store_failures["append"] += 1
            raise
        finally:
            metrics.appending -= 1
        metrics.commit.observe(perf_counter() - began)
        for row in rows:
            if isinstance(row.entry, Action):
                metrics.moves["person" if row.person is not None else "bot" if row.command is not None else "rule"] += 1
                if not row.terminal:
                    continue
            self._tell(row)

    def _tell(self, row: Row) -> None:
        """One line for each entry but the actions in the middle of a game; never who, what was said, or anything of the position."""
        self._metrics.tables_opened += isinstance(row.entry, Opened)
        self._metrics.tables_ended += row.terminal
        if logger.isEnabledFor(logging.INFO):
            game = {"game": row.entry.game} if isinstance(row.entry, Opened) else {}
            end = {"over": True} if row.terminal else {}
            person = {} if row.person is None else {"person": tag(row.person)}
            event(logger, logging.INFO, kind_of(row.entry), table=tag(row.table), v=row.v, **game, **person, **end)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._store, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            try:
                return await method(*arguments, **named)
            except (StoreFailed, asyncio.CancelledError):
                self._metrics.store_failures[name] += 1
                raise

        self.__dict__[name] = call  # the next time it is found without a detour
        return call
