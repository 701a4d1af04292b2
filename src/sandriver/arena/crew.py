"""Deals played one by one on as many processes as wanted, in whatever order they are finished.

Each process gets one deal at a time, so none waits for another's long game, and nothing is kept that is not asked for. A process ends
with the iterator, and when the process that started it is gone.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import cast

import msgspec

from sandriver import games
from sandriver.arena.play import PlayedDeal, find_policy, play_deal
from sandriver.bots.policy import Policy
from sandriver.cluster import share_out
from sandriver.processes import undisturbed

ALONE = 1.0
"""Seconds that this process plays alone before it starts others, if their number is not said: most matches in tests are over by then."""

Job = tuple[int, int]
"""Which pairing, and the number of the deal."""


class Setting(msgspec.Struct, frozen=True):
    """What every deal of a series has in common. Goes to other processes by pickle."""

    game: str
    seats: int
    options: Mapping[str, object]
    pairings: tuple[tuple[str | Policy, str | Policy], ...]
    """Who plays whom: the bot of one seat, and that of all others."""


class CrewError(RuntimeError):
    """A process that played is gone; the message says which."""


def cores() -> int:
    """How many processes can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Player:
    """Plays the deals of a setting in this process."""

    def __init__(self, setting: Setting) -> None:
        """Raises as ``find_policy`` and the game's ``parse_options`` do."""
        self._game, self._seats = games.get(setting.game), setting.seats
        self._options = self._game.parse_options(setting.options)
        self._pairings = [(find_policy(setting.game, one), find_policy(setting.game, two)) for one, two in setting.pairings]

    def play(self, job: Job) -> PlayedDeal:
        """Play one deal of one pairing."""
        pairing, seed = job
        return play_deal(self._game, *self._pairings[pairing], self._seats, seed, self._options)


def play_all(
    setting: Setting, jobs: Iterable[Job], processes: int | None, cluster: str | None = None
) -> Generator[tuple[Job, PlayedDeal], None, None]:
    """Play deals and yield each when it is over; close the iterator to stop at once.

    ``processes``: how many play; 1: this one; ``None``: one a core, as soon as the series has lasted ``ALONE`` seconds. An error of a bot
    or game is raised here, whichever process it happened in; ``CrewError`` when a process ends unasked. ``cluster``: the address of a
    cluster whose machines play instead (see ``sandriver.cluster``), on all of its cores or so many ``processes``; ``ClusterError``.
    """
    pending = iter(jobs)
    if cluster is not None:
        yield from share_out(cluster, Player, (setting,), pending, in_order=False, workers=processes)
        return
    if processes is None or processes == 1:
        player, until = Player(setting), time.monotonic() + ALONE
        for job in pending:
            yield job, player.play(job)
            if processes is None and time.monotonic() > until and cores() > 1:
                break
        else:
            return
    yield from _share_out(setting, pending, processes or cores())


def _share_out(setting: Setting, pending: Iterator[Job], processes: int) -> Generator[tuple[Job, PlayedDeal], None, None]:
    context = multiprocessing.get_context("spawn")
    crew: dict[Connection, BaseProcess] = {}
    try:
        for job in itertools.islice(pending, processes):  # no more processes than deals
            mine, its = context.Pipe()
            process: BaseProcess = context.Process(target=_work, args=(its, setting), daemon=True)
            with undisturbed():
                process.start()
            its.close()
            crew[mine] = process
            _send(mine, job)
        busy = set(crew)
        while busy:
            for ready in cast("list[Connection]", wait(list(busy))):
                try:
                    answer = ready.recv()
                except (EOFError, OSError):  # gone, perhaps amid its answer
                    crew[ready].join(5)
                    raise CrewError(f"a process that played has ended unasked (status {crew[ready].exitcode})") from None
                if isinstance(answer, BaseException):
                    raise answer
                following = next(pending, None)
                if following is None:
                    busy.discard(ready)
                else:
                    _send(ready, following)
                yield answer
    finally:
        for pipe, process in crew.items():
            process.terminate()
            pipe.close()
        for process in crew.values():
            process.join()


def _send(pipe: Connection, job: Job) -> None:
    """Send a job; that its process is gone is heard, and said, when it is listened to next."""
    with contextlib.suppress(OSError):
        pipe.send(job)


def _work(pipe: Connection, setting: Setting) -> None:
    """What a process of a crew does: play what it is sent until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal; who started this one ends it
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            player = Player(setting)
            while True:
                job = pipe.recv()
                pipe.send((job, player.play(job)))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:  # noqa: BLE001 - raised again in the process that asked
            pipe.send(_portable(error))


def _portable(error: Exception) -> Exception:
    """An error that can be sent to another process."""
    import pickle

    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - just pickled
    except Exception:  # noqa: BLE001 - whatever its own methods raise
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def jobs_of(pairings: int, seeds: Sequence[int]) -> Iterator[Job]:
    """Every deal for every pairing, deal by deal, so that a series that is stopped early has about as much of each.

    >>> list(jobs_of(2, range(2)))
    [(0, 0), (1, 0), (0, 1), (1, 1)]
    """
    return ((pairing, seed) for seed in seeds for pairing in range(pairings))
