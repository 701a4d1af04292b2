"""`make bench`: every measurement once over, in one table. Medians; ratios where two ways of the same thing are compared.

Usage: ``python bench/run.py [--quick]``. Parts run alone, each with ``--json``: kernel.py, envs.py, threads.py, compare.py,
thinking.py, startup.py, sizes.py, load.py.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
Row = tuple[str, str, str]


class FailedError(Exception):
    """A part could not be measured; the message is its own words."""


def measure(part: str, *arguments: str) -> dict[str, Any]:
    """Run one part in a process of its own and read its figures. Raises ``FailedError`` with its words."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "src")}
    command = [sys.executable, str(HERE / part), "--json", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in {0, 1} or not done.stdout.strip():
        raise FailedError(f"bench/{part} {' '.join(arguments)} failed with status {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def kernel(quick: bool) -> list[Row]:
    """Random play in the rules kernels, one core."""
    rows: list[Row] = []
    for name, figures in measure("kernel.py", *(["--quick"] if quick else [])).items():
        if "compiled" in figures:
            wanted = f"one core, median {figures['compiled_median'] / 1e6:.1f} M; wanted ≥ {figures['compiled_wanted'] / 1e6:.0f} M"
            rows.append((f"{name}, compiled", f"{figures['compiled'] / 1e6:.1f} M moves/s", wanted))
        wanted = f"one core, median {figures['interpreted_median'] / 1e3:.0f} k; wanted ≥ {figures['interpreted_wanted'] / 1e3:.0f} k"
        rows.append((f"{name}, interpreted", f"{figures['interpreted'] / 1e3:.0f} k moves/s", wanted))
        if "compiled" in figures:
            rows.append(("  ratio", f"{figures['compiled'] / figures['interpreted']:.0f} ×", ""))
    return rows


def envs(quick: bool) -> list[Row]:
    """Stepping thousands of games at once, with all that a learner sees."""
    rows: list[Row] = []
    for name, figures in measure("envs.py", *(["--quick"] if quick else [])).items():
        note = f"4,096 games, one core, median {figures['median'] / 1e6:.1f} M; wanted ≥ {figures['wanted'] / 1e6:.1f} M"
        rows.append((f"environment, {name}", f"{figures['best'] / 1e6:.1f} M steps/s", note))
    return rows


def threads(quick: bool) -> list[Row]:
    """Two threads against one."""
    rows: list[Row] = []
    for name, figures in measure("threads.py", *(["--quick"] if quick else [])).items():
        two, processes = figures["two"], figures["processes"]
        wall = "no quiet moment" if two["by_wall"] is None else f"{two['by_wall']:.2f} ×"
        note = f"by processor time {two['by_processor']:.2f} ×; two processes {processes['by_wall']} and {processes['by_processor']:.2f} ×"
        rows.append((f"two threads, {name}", wall, f"{note}; wanted ≥ 1.8 ×"))
    return rows


def side_by_side(quick: bool) -> list[Row]:
    """Ours and what one would pick instead."""
    figures = measure("compare.py", *(["--quick"] if quick else []))
    rows: list[Row] = []
    for row in figures["rows"]:
        times = "" if row["ours_times"] is None else f"ours is {row['ours_times']:,.3g} ×; "
        rows.append((f"{row['library']}: {row['game']}", f"{row['median']:,} decisions/s", times + row["group"]))
    return rows + [(name, "NOT MEASURED", why) for name, why in figures["missing"].items()]


def thinking(quick: bool) -> list[Row]:
    """What a level takes to choose a move."""
    rows: list[Row] = []
    for name, levels in measure("thinking.py", *(["--quick"] if quick else [])).items():
        for level, found in levels.items():
            wanted = "; wanted ≤ 300 ms" if level == "champion" else ""
            rows.append((f"{level}, {name}", f"{found['mean']:.1f} ms a move", f"one core, mean; at most {found['most']:.1f} ms{wanted}"))
    return rows


def startup(quick: bool) -> list[Row]:
    """From the command to the first page."""
    figures = measure("startup.py", "--runs", "3" if quick else "7")
    return [
        ("sandriver serve, first page after", f"{figures['seconds']:.2f} s", f"median of {figures['runs']}, best {figures['best']:.2f} s")
    ]


def sizes() -> list[Row]:
    """What a reader downloads for each page, in the heaviest language."""
    note = "JavaScript + CSS, gzip; wanted ≤ 60 kB a page"
    return [
        (f"client, {page}", f"{size / 1000:.1f} kB", note if "," not in page else "") for page, size in measure("sizes.py")["pages"].items()
    ]


def closed_loop(quick: bool, game: str, policy: str) -> list[Row]:
    """Moves a second over real sockets, stored, one core for the server."""
    figures = measure("load.py", "--game", game, "--policy", policy, "--seconds", "3" if quick else "8")
    note = (
        f"{figures['tables']} tables, closed loop, p50 {figures['p50_ms']} ms, p99 {figures['p99_ms']} ms, core {figures['server_cpu']:.0%}"
    )
    return [(f"server, {game}, both seats {policy}", f"{figures['moves_per_second']:,} moves/s", note)]


def calm(quick: bool) -> list[Row]:
    """From sending an action to the opponent's frame, when people think."""
    figures = measure("load.py", "--tables", "500", "--think", "1", "--seconds", "5" if quick else "15")
    note = f"p50 {figures['p50_ms']} ms, max {figures['max_ms']} ms, core {figures['server_cpu']:.0%}; wanted p99 ≤ 20 ms"
    return [("server, 500 tables, a move a second each", f"p99 {figures['p99_ms']} ms", note)]


def beside_bots(quick: bool) -> list[Row]:
    """The same between people, when bots think at other tables of the server."""
    words = ("--tables", "20", "--bots", "20", "--think", "1", "--seconds", "4" if quick else "15")
    pair = measure("load.py", *words)
    one, two = pair["without"], pair["with"]
    later = two["p99_ms"] - one["p99_ms"]
    note = f"p99 {one['p99_ms']} -> {two['p99_ms']} ms, {two['bot_moves_per_second']} moves of champions a second; wanted ≤ 50 ms more"
    return [("server, 20 tables beside 20 champions", f"p99 {later:+.1f} ms", note)]


def idle(quick: bool) -> list[Row]:
    """Memory of connections at which nothing happens."""
    figures = measure("load.py", "--idle", "1000" if quick else "5000")
    return [(f"server, {figures['connections']} idle connections", f"{figures['kB_each']} kB each", "wanted ≤ 40 kB")]


def main() -> int:
    """Measure everything and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    quick = parser.parse_args().quick
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    parts: list[Callable[[], list[Row]]] = [
        partial(kernel, quick),
        partial(envs, quick),
        partial(threads, quick),
        partial(side_by_side, quick),
        partial(thinking, quick),
        partial(startup, quick),
        sizes,
    ]
    parts += [
        partial(closed_loop, quick, game, policy) for game, policy in (("mandala", "redraw"), ("mandala", "random"), ("stones", "random"))
    ]
    parts += [partial(calm, quick), partial(beside_bots, quick), partial(idle, quick)]
    failed = False
    for part in parts:
        try:
            for name, figure, note in part():
                print(f"  {name:<38} {figure:>20}   {note}", flush=True)
        except FailedError as error:
            failed = True
            print(error, file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
