"""Work shared out over a Ray cluster (extra ``cluster``): the same jobs and the same answers, by as many machines as it has.

What plays is made once in each worker and asked job by job, as it is with processes of this machine. Every machine needs the same version
of Sandriver and of Python; another version is refused before anything is counted.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Iterable
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from sandriver.extras import load

HERE = "local"
"""Instead of an address: a cluster of this machine alone, which ends with the work."""
RUNNING = "auto"
"""Instead of an address: the cluster that this machine belongs to (``ray start``)."""
PATIENCE_SECONDS = 5.0


class ClusterError(RuntimeError):
    """There is no such cluster, or it is gone, or runs another version; the message says which."""


def share_out(
    address: str, make: Callable[..., Any], arguments: tuple[Any, ...], jobs: Iterable[Any], *, in_order: bool, workers: int | None = None
) -> Generator[tuple[Any, Any], None, None]:
    """Yield each job with what ``make(*arguments).play(job)`` returned; ``make`` is called once in each worker.

    ``address``: ``HERE``, ``RUNNING`` or a cluster's, such as ``ray://host:10001``. ``in_order``: as the jobs are, otherwise as they are
    done. ``workers``: at most so many (``None``: one for each core of the cluster). Jobs are taken as they are needed; closing the
    generator ends the work. Raises ``MissingExtra`` without Ray, ``ClusterError``, and whatever playing raises.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    ray = load("ray", "a cluster", "cluster")
    pools = load("ray.util.multiprocessing", "a cluster", "cluster")
    ours = not ray.is_initialized()
    if ours:
        options: dict[str, Any] = {"include_dashboard": False} if address == HERE else {"address": address}
        try:
            _knock(address)
            ray.init(logging_level="ERROR", log_to_driver=False, **options)
        except Exception as error:  # whatever keeps it from being reached
            raise ClusterError(f"no cluster at {address!r}: {_first_line(error)}") from error
    try:
        pool = pools.Pool(workers, _begin, (version("sandriver"), make, arguments))
        try:
            answers = pool.imap(_play, jobs, chunksize=1) if in_order else pool.imap_unordered(_play, jobs, chunksize=1)
            for answer in answers:
                if isinstance(answer, BaseException):  # Ray hands out what a worker raised, wrapped, instead of raising it
                    raise getattr(answer, "underlying", answer)
                yield answer
        except ray.exceptions.RayError as error:
            raise ClusterError(f"the cluster could not go on: {_first_line(error)}") from error
        finally:
            pool.terminate()
    finally:
        if ours:
            ray.shutdown()


def _knock(address: str) -> None:
    """Raise ``OSError`` where nobody listens; Ray itself would try for minutes."""
    where = urlsplit(address if "://" in address else f"//{address}")
    if where.hostname and where.port:
        socket.create_connection((where.hostname, where.port), PATIENCE_SECONDS).close()


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


_wanted: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = []
_player: list[Any] = []
"""In a worker: what it was told to make, and what it made."""


def _begin(wanted_version: str, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Only remembers: what is raised here would be told as a worker that died."""
    _wanted[:] = [(wanted_version, make, arguments)]
    _player.clear()


def _play(job: Any) -> tuple[Any, Any]:
    wanted_version, make, arguments = _wanted[0]
    if not _player:
        if version("sandriver") != wanted_version:
            raise ClusterError(f"a machine of the cluster has Sandriver {version('sandriver')}, this one {wanted_version}")
        _player.append(make(*arguments))
    return job, _player[0].play(job)
