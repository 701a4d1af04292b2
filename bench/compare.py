"""Side by side, in one run: our games and what one would pick instead, everybody in turn, processor time, medians and ratios.

Usage: ``python bench/compare.py [--quick] [--json] [--only WORD] [--plot FILE.svg]``. The others come with the extra ``bench``
(``pip install "sandriver[bench]"``; ``make bench`` brings it). Who is missing is named on stderr and in the result, and the status is 1.

One core: the process is held to one, and what is counted is the processor time of all its threads. Every round measures each for a slice;
the figure is the median of the rounds, the ratio the median of the rounds' ratios to the first of the group, so that what slows the
machine for a while slows both sides.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import json
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rivals import RIVALS, Pass, Rival

SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}
"""What the others read when they are imported."""
PACKAGES = ("sandriver", "numpy", "open-spiel", "pettingzoo", "gymnasium", "rlcard", "pgx", "jax")


def slice_of(run: Pass, seconds: float) -> tuple[float, int, float]:
    """Run passes for about so many seconds of processor time; decisions a second, decisions, games."""
    decisions, games, began = 0, 0.0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        more, ended = run()
        decisions, games = decisions + more, games + ended
    return decisions / spent, decisions, games


def measure(rivals: tuple[Rival, ...], rounds: int, seconds: float) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The figures of everybody who is there, and why the others are not."""
    there: list[tuple[Rival, Pass]] = []
    missing: dict[str, str] = {}
    for rival in rivals:
        try:
            run = rival.make()
            slice_of(run, 0.02)  # what is loaded or made at first is not counted
        except ImportError as error:
            missing[f"{rival.library}: {rival.game}"] = str(error)
        else:
            there.append((rival, run))
    rates: list[list[float]] = [[] for _ in there]
    sums = [[0, 0.0] for _ in there]
    for turn in range(rounds):
        order = range(len(there)) if turn % 2 == 0 else reversed(range(len(there)))
        for place in order:
            rate, decisions, games = slice_of(there[place][1], seconds)
            rates[place].append(rate)
            sums[place][0] += decisions
            sums[place][1] += games
    first = {rival.group: place for place, (rival, _) in reversed(list(enumerate(there))) if rival.library.startswith("Sandriver")}
    rows = []
    for place, (rival, _) in enumerate(there):
        ours = rates[first[rival.group]] if rival.group in first else []
        rows.append({
            "group": rival.group,
            "library": rival.library,
            "game": rival.game,
            "median": round(statistics.median(rates[place])),
            "least": round(min(rates[place])),
            "most": round(max(rates[place])),
            "decisions_a_game": round(sums[place][0] / sums[place][1], 1) if sums[place][1] else None,
            "ours_times": round(statistics.median(a / b for a, b in zip(ours, rates[place], strict=True)), 3) if ours else None,
        })  # fmt: skip
    return rows, missing


def surroundings() -> dict[str, Any]:
    """When and on what it was measured."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "missing"
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "python": platform.python_version(),
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "versions": versions,
    }


def say(rows: list[dict[str, Any]], missing: Mapping[str, str], around: Mapping[str, Any]) -> None:
    """Print everything as a table."""
    versions = ", ".join(f"{name} {version}" for name, version in around["versions"].items())
    print(f"{around['date']}, Python {around['python']}, one core of {around['cores']} ({around['processor']}), load {around['load']}")
    print(versions)
    group = ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            print(f"\n{group[0].upper()}{group[1:]}\n  {'':<60} {'decisions/s':>12} {'from':>12} {'to':>12} {'a game':>7}   ours is")
        times = "" if row["ours_times"] is None else f"{row['ours_times']:>7,.3g} ×"
        name = f"{row['library']}: {row['game']}"
        print(f"  {name:<60} {row['median']:>12,} {row['least']:>12,} {row['most']:>12,} {row['decisions_a_game'] or 0:>7}   {times}")
    for name, why in missing.items():
        print(f"  NOT MEASURED {name}: {why}")


def draw(rows: list[dict[str, Any]], file: str) -> None:
    """The medians as bars on a logarithmic axis, as SVG or whatever the file's name says."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "compare", "svg.fonttype": "none", "font.size": 8})
    from matplotlib import pyplot as plt

    groups = list(dict.fromkeys(row["group"] for row in rows))
    heights = [sum(row["group"] == group for row in rows) for group in groups]
    figure, axes = plt.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights, figsize=(8, 0.19 * sum(heights) + 2))
    for axis, group in zip(axes[:, 0], groups, strict=True):
        mine = sorted((row for row in rows if row["group"] == group), key=lambda row: row["median"])
        colours = ["#b5482a" if row["library"].startswith("Sandriver") else "#9a9a9a" for row in mine]
        axis.barh([f"{row['library']}: {row['game']}" for row in mine], [row["median"] for row in mine], color=colours)
        axis.set_xscale("log")
        axis.set_title(group, loc="left", fontsize=8, fontweight="bold")
        axis.grid(axis="x", linewidth=0.4)
        axis.set_axisbelow(True)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    axes[-1, 0].set_xlabel("decisions a second on one core (logarithmic)")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None} if file.endswith(".svg") else None)


def main() -> int:
    """Measure everybody, print, and say by the status whether all were there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter, rougher")
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")
    parser.add_argument("--only", default="", metavar="WORD", help="only those whose library or game has the word in it")
    parser.add_argument("--plot", metavar="FILE", help="draw the figures, too (needs the extra arena)")
    given = parser.parse_args()
    os.environ.update(SETTINGS)
    warnings.simplefilter("ignore")  # the others' about themselves
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    chosen = tuple(rival for rival in RIVALS if given.only.lower() in f"{rival.library}: {rival.game}".lower())
    if not chosen:
        print(f"nobody is called {given.only}", file=sys.stderr)
        return 2
    around = surroundings()
    rows, missing = measure(chosen, 3 if given.quick else 7, 0.1 if given.quick else 0.15)
    if given.json:
        print(json.dumps({**around, "rows": rows, "missing": missing}))
    else:
        say(rows, missing, around)
    for name, why in missing.items():
        print(f"NOT MEASURED {name}: {why}; pip install 'sandriver[bench]' brings the others", file=sys.stderr)
    if given.plot:
        draw(rows, given.plot)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
