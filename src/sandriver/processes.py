"""What processes of one machine need so as not to disturb each other: Ctrl-C that waits, and files that one of them has for itself."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from typing import BinaryIO


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until this is over; a process that is started in here is never disturbed by it, not even while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it would lift the block when it is started in here
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ours_alone(file: BinaryIO) -> bool:
    """Take an open file for this process until it is closed; ``False`` if another process has it. Without locks everybody has it."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
