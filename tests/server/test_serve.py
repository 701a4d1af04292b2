"""``sandriver serve`` as a process: ready line, orderly end, crash, and words for what cannot be."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.support import PATIENCE, Guest, Seat

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
SERVE = (sys.executable, "-m", "sandriver", "serve", "--bot-pause", "0", "--rates", "1000")


@asynccontextmanager
async def process(data: Path, *more: str) -> AsyncIterator[tuple[Process, str]]:
    """A server process; yields it and its address."""
    server = await asyncio.create_subprocess_exec(
        *SERVE, "--port", "0", "--data", str(data), *more, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT
    )
    assert server.stdout is not None
    try:
        line = (await asyncio.wait_for(server.stdout.readline(), 4 * PATIENCE)).decode()
        found = re.fullmatch(r"Sandriver is ready: (http://127\.0\.0\.1:\d+)/\n", line)
        assert found, (line, server.stderr and await server.stderr.read())
        yield server, found[1]
    finally:
        if server.returncode is None:
            server.kill()
        await server.communicate()


@pytest.mark.parametrize(("number", "host"), [(signal.SIGTERM, "127.0.0.1"), (signal.SIGINT, "0.0.0.0")])
async def test_an_orderly_end(tmp_path: Path, number: signal.Signals, host: str) -> None:
    """Sockets are told to come back, the exit status is 0, and nothing is said on standard error; wherever it listens."""
    async with process(tmp_path, "--host", host) as (server, base), Guest(base) as ana:
        table = await ana.open("person", "random", first=0)
        await ana.join(table)
        async with ana.sit(table) as seat:
            await seat.until("snapshot")
            server.send_signal(number)
            with pytest.raises(ConnectionClosed) as closed:
                await until_closed(seat)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert await asyncio.wait_for(server.wait(), 2 * PATIENCE) == 0
        assert server.stderr is not None
        assert await server.stderr.read() == b""


async def until_closed(seat: Seat) -> None:
    """Read until the connection ends."""
    while True:
        await seat.receive()


async def test_as_many_connections_as_the_system_grants(tmp_path: Path) -> None:
    """A low soft limit of open files, as shells set it, does not bound the number of players."""
    own = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, own[1]), own[1]))
    try:
        async with process(tmp_path) as (server, _):
            limits = await asyncio.to_thread(Path(f"/proc/{server.pid}/limits").read_text)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, own)
    found = re.search(r"^Max open files +(\d+) +(\d+)", limits, re.MULTILINE)
    assert found
    assert found[1] == found[2]


@pytest.mark.slow  # tests/simulation/test_kills.py kills such a server five times always
async def test_nothing_acknowledged_is_lost_in_a_crash(tmp_path: Path) -> None:
    """``kill -9`` while several tables are played: every acknowledged action is there afterwards, and play goes on."""
    acknowledged: dict[str, list[str]] = {}
    enough = asyncio.Event()

    async def play(ana: Guest, table: str) -> None:
        try:
            async with ana.sit(table) as seat:
                await seat.until("snapshot")
                while not seat.over:
                    if seat.legal:
                        action = seat.legal[0]
                        await seat.ask(seat.act(action))
                        acknowledged[table].append(action)
                        if sum(map(len, acknowledged.values())) >= 30:
                            enough.set()
                    await seat.until("update")
        except (ConnectionClosed, ConnectionError):
            return

    async with Guest("http://unused") as ana:
        async with process(tmp_path) as (server, base):
            ana.move_to(base)
            for _ in range(4):
                table = await ana.open("person", "random", first=0)
                await ana.join(table)
                acknowledged[table] = []
            players = [asyncio.create_task(play(ana, table)) for table in acknowledged]
            await asyncio.wait_for(enough.wait(), 4 * PATIENCE)
            server.kill()
            await asyncio.wait_for(asyncio.gather(*players), PATIENCE)
        async with process(tmp_path) as (_, base):
            ana.move_to(base)
            for table, actions in acknowledged.items():
                async with ana.sit(table) as seat:
                    snapshot = await seat.until("snapshot")
                    own = [step["move"] for step in snapshot["log"] if step["kind"] == "action" and step["seat"] == 0]
                    assert [move.partition(">")[0] for move in own[: len(actions)]] == actions
                    assert len(own) - len(actions) in (0, 1)  # one may have been stored without its answer arriving
                    while not seat.legal and not seat.over:
                        await seat.until("update")
                    if seat.legal:
                        assert (await seat.ask(seat.act(seat.legal[0])))["t"] == "ack"


def refused(*arguments: str) -> str:
    """Run ``sandriver serve`` with something that cannot be; return the one line that it says."""
    done = subprocess.run([*SERVE, *arguments], capture_output=True, text=True, env=ENVIRONMENT, timeout=4 * PATIENCE)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_cannot_be_is_said_in_one_line(tmp_path: Path) -> None:
    """A taken port, a foreign address, a folder that is a file, a setting without sense."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert port in refused("--port", port, "--data", str(tmp_path))
        assert port in refused("--port", "0", "--metrics-port", port, "--data", str(tmp_path))
    assert "203.0.113.1" in refused("--host", "203.0.113.1", "--port", "0", "--data", str(tmp_path))
    (tmp_path / "file").write_text("")
    assert "file" in refused("--port", "0", "--data", str(tmp_path / "file"))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "sandriver.sqlite3").write_text("no database at all, but long enough to be read as one" * 50)
    assert "broken" in refused("--port", "0", "--data", str(tmp_path / "broken"))
    assert "port" in refused("--port", "99999", "--data", str(tmp_path))
    assert "rates" in refused("--rates", "0", "--data", str(tmp_path))
    assert "origin" in refused("--origin", "play.example.org", "--data", str(tmp_path))
