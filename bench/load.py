"""What one server bears: tables in a closed loop or with thought, over real sockets, durable; or what an idle connection costs.

Usage: ``python bench/load.py [--tables 200] [--seconds 8] [--think 0] [--clients 1] [--game mandala] [--policy random|redraw] [--json]``,
``python bench/load.py --idle 5000``; ``--watch 1000`` puts so many spectators at the first table; ``--bots 20 --bot
champion`` measures twice, without and with so many more tables at which a person plays a bot, and tells both of the other tables; with
``--url`` against a server that runs already.

The server is a real ``sandriver serve`` process held to one core, the clients (``players.py``, ``--clients`` processes) run on the others.
A move counts when it is acknowledged, that is stored durably. ``p50`` to ``max`` are the times from sending an action to the opponent's
frame. A table whose game ends is replaced by a new one, within the measured time. A table at which nobody moves although the others do
means a lost frame and is an error. On a busy machine the server does not get all of its core: moves a second of *its* processor time is
the figure to compare then.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from players import arguments

HERE = Path(__file__).resolve().parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE.parent / "src")}
SERVE = (sys.executable, "-m", "sandriver", "serve", "--port", "0", "--rates", "1000000", "--data")
SETTLE_SECONDS = 3.0
"""After the last idle connection, before its memory is read."""


@contextmanager
def served(cores: set[int]) -> Iterator[tuple[str, int]]:
    """A server on these cores with an empty data folder: its address and process id."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([*SERVE, folder], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        pin(server.pid, cores)
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            yield found[0].rstrip("/"), server.pid
        finally:
            server.terminate()
            server.wait()


class Clients:
    """Processes of ``players.py`` that share the tables."""

    def __init__(self, base: str, given: argparse.Namespace, cores: set[int]) -> None:
        self.processes: list[subprocess.Popen[str]] = []
        count = min(given.clients, given.idle or given.tables)
        for number in range(count):
            share = {"tables": given.tables, "idle": given.idle, "bots": given.bots}
            share = {name: n // count + (number < n % count) for name, n in share.items()}
            share["watch"] = 0 if number else given.watch
            more = {
                **share,
                "game": given.game,
                "seconds": given.seconds,
                "think": given.think,
                "policy": given.policy,
                "seed": number,
                "bot": given.bot,
            }
            command = [sys.executable, str(HERE / "players.py"), base]
            command += [word for name, value in more.items() for word in (f"--{name}", str(value))]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            pin(process.pid, cores)
            self.processes.append(process)

    def ready(self) -> None:
        """Wait until all of them are."""
        for process in self.processes:
            assert process.stdout is not None
            if process.stdout.readline().strip() != "ready":
                raise SystemExit((process.communicate()[1].strip().splitlines() or ["the clients ended"])[-1])

    def go(self) -> list[dict[str, Any]]:
        """Let them work; returns what each has measured."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        figures = []
        for process in self.processes:
            out, words = process.communicate()
            if process.returncode:
                raise SystemExit((words.strip().splitlines() or ["the clients failed"])[-1])
            figures.append(json.loads(out.splitlines()[-1]))
        return figures

    def end(self) -> None:
        """End those that still run."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()


def play(base: str, server: int | None, given: argparse.Namespace, cores: set[int]) -> dict[str, Any]:
    """Play and return the figures."""
    clients = Clients(base, given, cores)
    try:
        clients.ready()
        before, began = cpu_seconds(server), time.perf_counter()
        found = clients.go()
        used, took = cpu_seconds(server) - before, time.perf_counter() - began
    finally:
        clients.end()
    answers, arrivals = (sorted(seconds for each in found for seconds in each[name]) for name in ("answers", "arrivals"))
    if not answers or not arrivals:
        raise SystemExit("no move was answered")
    moves = len(answers) / max(each["seconds"] for each in found)
    return {
        "game": given.game,
        "tables": given.tables,
        "think": given.think,
        "policy": given.policy,
        "moves_per_second": round(moves),
        "moves_per_cpu_second": round(moves * took / used) if used else 0,
        **{f"{name}_ms": quantile(arrivals, part) for name, part in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))},
        "ack_p99_ms": quantile(answers, 0.99),
        "games_ended": sum(each["games"] for each in found),
        "spectators": given.watch,
        "frames_to_spectators_per_second": round(sum(each["watched"] for each in found) / max(each["seconds"] for each in found)),
        "bots": given.bots,
        "bot_moves_per_second": round(sum(each["bot_moves"] for each in found) / max(each["seconds"] for each in found), 1),
        "server_cpu": round(used / took, 2),
    }


def idle(base: str, server: int, given: argparse.Namespace, cores: set[int]) -> dict[str, Any]:
    """Open idle connections and return what each costs in memory."""
    few = argparse.Namespace(**{**vars(given), "idle": 100})
    warm = Clients(base, few, cores)  # so that what the first ones load is not counted
    try:
        warm.ready()
        time.sleep(SETTLE_SECONDS)
        before = resident(server)
        clients = Clients(base, given, cores)
        try:
            clients.ready()
            time.sleep(SETTLE_SECONDS)
            more = resident(server) - before
            clients.go()
        finally:
            clients.end()
        warm.go()
    finally:
        warm.end()
    return {"connections": given.idle, "kB_each": round(more / given.idle / 1000, 1), "server_MB": round((before + more) / 1e6)}


def quantile(sorted_seconds: Sequence[float], part: float) -> float:
    """A quantile in milliseconds."""
    return round(1000 * sorted_seconds[min(len(sorted_seconds) - 1, int(len(sorted_seconds) * part))], 1)


def pin(pid: int, cores: set[int]) -> None:
    """Hold a process to these cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(pid, cores)


def cpu_seconds(pid: int | None) -> float:
    """Processor time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Start what is needed and measure."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    others = set(cores[1:]) or {cores[0]}
    if given.url:
        return play(given.url, None, given, set(cores))
    with served({cores[0]}) as (base, server):
        return idle(base, server, given, others) if given.idle else play(base, server, given, others)


def beside_bots(given: argparse.Namespace) -> dict[str, Any]:
    """Measure the other tables without the bots' and with them; each time the server may use every core, as bots think on any."""
    cores = set(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else {0}
    with served(cores) as (base, server):
        return {
            "without": play(base, server, argparse.Namespace(**{**vars(given), "bots": 0}), cores),
            "with": play(base, server, given, cores),
        }


def told_beside(pair: dict[str, Any], given: argparse.Namespace) -> str:
    """Both measurements in a line."""
    one, two = pair["without"], pair["with"]
    return (
        f"{given.game}, {given.tables} tables beside {given.bots} with {given.bot}: p50 {one['p50_ms']} -> {two['p50_ms']}, "
        f"p99 {one['p99_ms']} -> {two['p99_ms']}, max {one['max_ms']} -> {two['max_ms']} ms "
        f"({two['bot_moves_per_second']} bot moves/s, server {one['server_cpu']:.0%} -> {two['server_cpu']:.0%} of a core)"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments(parser)
    parser.add_argument("--clients", type=int, default=1, help="processes that play")
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.idle and given.url:
        parser.error("--idle measures a server of its own")
    if given.bots:
        pair = beside_bots(given)
        print(json.dumps(pair) if given.json else told_beside(pair, given))
        return
    result = measure(given)
    if given.json:
        print(json.dumps(result))
    elif given.idle:
        print(f"{result['connections']} idle connections: {result['kB_each']} kB each, server {result['server_MB']} MB")
    else:
        print(
            f"{result['game']}, {result['tables']} tables, {given.policy}, think {given.think:g} s: {result['moves_per_second']} moves/s; "
            f"send to opponent's frame p50 {result['p50_ms']} p95 {result['p95_ms']} p99 {result['p99_ms']} max {result['max_ms']} ms "
            f"(server core {result['server_cpu']:.0%}; {result['moves_per_cpu_second']} moves a second of it)"
        )
        if given.watch:
            print(f"{given.watch} spectators at one table heard {result['frames_to_spectators_per_second']} frames/s")


if __name__ == "__main__":
    main()
