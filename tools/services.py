"""A PostgreSQL and a Valkey (or Redis) of the tests' own: throw-away, in temporary folders, on sockets nobody else has.

Given by address (``SANDRIVER_TEST_DATABASE_URL``, a database that may be emptied, of a role that may create others;
``SANDRIVER_TEST_BUS_URL``), else started from what is installed, else there is none, and the tests that need one are not made.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

DATABASE_VARIABLE = "SANDRIVER_TEST_DATABASE_URL"
BUS_VARIABLE = "SANDRIVER_TEST_BUS_URL"
USER = "sandriver"
SECONDS = 60.0
"""How long a service may take to start."""
FAST = ("fsync=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=60", "listen_addresses=", "log_min_messages=fatal")
"""Settings of a database whose contents need not outlive it."""


def postgresql_folder() -> Path | None:
    """The folder of the newest PostgreSQL's programs: Debian keeps them out of the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parents[1].name))
    on_path = shutil.which("initdb")
    candidates = [path.parent for path in reversed(found)] + ([Path(on_path).resolve().parent] if on_path else [])
    return next((folder for folder in candidates if (folder / "postgres").exists() and (folder / "initdb").exists()), None)


def bus_program() -> str | None:
    """The path of Valkey's server, or of Redis's."""
    return shutil.which("valkey-server") or shutil.which("redis-server")


def can_start_database() -> bool:
    """Whether a PostgreSQL can be started here. Root must not run one: the user that Debian's package makes does."""
    return postgresql_folder() is not None and _as_whom() is not None


def has_database() -> bool:
    """Whether there is a PostgreSQL, given or to be started."""
    return DATABASE_VARIABLE in os.environ or can_start_database()


def can_start_bus() -> bool:
    """Whether a Valkey or Redis can be started here."""
    return bus_program() is not None


def has_bus() -> bool:
    """Whether there is a Valkey or Redis, given or to be started."""
    return BUS_VARIABLE in os.environ or can_start_bus()


@contextmanager
def database() -> Iterator[str]:
    """A PostgreSQL with an empty database; yields its address."""
    if given := os.environ.get(DATABASE_VARIABLE):
        yield given
        return
    with Postgres() as server:
        yield server.url


@contextmanager
def bus() -> Iterator[str]:
    """A Valkey or Redis; yields its address."""
    if given := os.environ.get(BUS_VARIABLE):
        yield given
        return
    with Valkey() as server:
        yield server.url


class Postgres:
    """A PostgreSQL of one's own, reached by a socket in its folder; it can be stopped hard and started again."""

    def __init__(self) -> None:
        programs, who = postgresql_folder(), _as_whom()
        assert programs is not None
        assert who is not None
        self._programs, self._who = programs, who
        self.folder = Path(tempfile.mkdtemp(prefix="sandriver-pg-"))
        if who:
            shutil.chown(self.folder, "postgres", "postgres")
        self.url = f"postgresql://{USER}@/postgres?host={self.folder}"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        data = str(self.folder / "data")
        options = ["--auth=trust", f"--username={USER}", "--no-sync", "--encoding=UTF8", "--locale=C", "--no-instructions"]
        _quietly([*self._who, str(self._programs / "initdb"), "-D", data, *options], self.folder)
        self.start()
        return self

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = [part for setting in FAST for part in ("-c", setting)]
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *settings]
        self.process = _start([*self._who, *command], self.folder)
        _wait_for(lambda: _answers(self.url), self.process)

    def stop(self) -> None:
        """Stop it by force, as a crash or a power cut would."""
        assert self.process is not None
        _end(self.process, quit_first=True)

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Valkey:
    """A Valkey or Redis of one's own on a free port of this machine; it can be stopped hard and started again."""

    def __init__(self) -> None:
        program = bus_program()
        assert program is not None
        self._program = program
        self.folder = Path(tempfile.mkdtemp(prefix="sandriver-bus-"))
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def start(self) -> None:
        """Start the server and wait until it answers."""
        where = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self.process = _start([self._program, *where, "--save", "", "--daemonize", "no"], self.folder)
        _wait_for(lambda: _listens(self.port), self.process)

    def stop(self) -> None:
        """Stop it by force."""
        assert self.process is not None
        _end(self.process)

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _as_whom() -> list[str] | None:
    """What to put before a command that root must not run; ``None``: it cannot be run here."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    program = _setpriv()
    user = subprocess.run(["id", "-u", "postgres"], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return [*_last_will(), "--reuid=postgres", "--regid=postgres", "--clear-groups"] if program and user.returncode == 0 else None


def _setpriv() -> str | None:
    return shutil.which("setpriv")


def _last_will() -> list[str]:
    """What to put before a command so that it does not outlive tests that are killed."""
    program = _setpriv()
    return [program, "--pdeathsig=QUIT"] if program else []


def _quietly(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")


def _start(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a service in a session of its own, so that an interrupt at the terminal reaches the tests alone, and these end it."""
    if command[0] != _setpriv():
        command = [*_last_will(), *command]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def _wait_for(ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"a service did not start: {process.args!r}")
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes], *, quit_first: bool = False) -> None:
    if process.poll() is None:
        (process.send_signal(3) if quit_first else process.kill())  # PostgreSQL's own processes end with it on SIGQUIT
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(url: str) -> bool:
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
