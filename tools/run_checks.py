"""Run the checks and the tests, tell what could not run, and close with one line of counts.

Usage: ``run_checks.py static|all|full`` with the Python of .venv, after ``tools/prepare.py``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import build_client
import stamps
import system

ROOT = stamps.ROOT
PYTHON = sys.executable
RESULTS = ROOT / "test-results"
MINIMUM = ROOT / "tests" / "minimum.txt"
BEGAN = "SANDRIVER_BEGAN"
"""Variable with the time (seconds since 1970) at which the make target began, so that setting up is counted too."""
BUDGET = 600
"""Seconds that everything may take on two cores."""


class Counts(NamedTuple):
    """What a pytest run did."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def plus(self, other: Counts) -> Counts:
        """The sum of two runs."""
        return Counts(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


SOURCES = ["src", "tools", "bench", "examples", "hatch_build.py"]
"""What is type-checked always; the tests too in `make check`, before each commit and in `make full`, since they take as long again."""


def python_checks(*, everything: bool = True) -> dict[str, list[str]]:
    """Name and command of each check of the Python that runs no test of ours; ``everything``: the types of the tests too."""
    module = [PYTHON, "-m"]
    return {
        "ruff check": [*module, "ruff", "check", "--quiet", "."],
        "ruff format": [*module, "ruff", "format", "--check", "--quiet", "."],
        "import-linter": [str(Path(PYTHON).parent / "lint-imports")],
        "mypy": [*module, "mypy", "--no-error-summary", *([] if everything else SOURCES)],
    }


def client_checks() -> dict[str, list[str]]:
    """The same for the client."""
    node, npm = (str(path) for path in build_client.node())
    return {"svelte-check": [node, npm, "run", "check", "--silent", "--prefix", "web"]}


def more_checks() -> dict[str, list[str]]:
    """The other checks of `make test`: the client's size and its own tests, and the documentation without a warning.

    They follow the client's checks, since both compile its messages into the same folder.
    """
    node, npm = (str(path) for path in build_client.node())
    sphinx = ["sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "docs/_build/html"]
    size = [node, "web/scripts/size.mjs"]
    return {"client size": size, "vitest": [node, npm, "run", "test", "--silent", "--prefix", "web"], "docs": [PYTHON, "-m", *sphinx]}


def run_check(name: str, command: list[str], tell: Callable[[str], None]) -> bool:
    """Run one check; its output is told only when it fails."""
    started = time.monotonic()
    path = f"{build_client.node()[0].parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "CI": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    good = done.returncode == 0
    line = f"{'ok    ' if good else 'FAILED'} {name:<14} {time.monotonic() - started:5.1f} s"
    said = "".join(f"\n{text}" for text in done.stdout.splitlines() if text.startswith("!!!"))  # what could not be checked
    tell(line + said if good else f"{line}\n{done.stdout}{done.stderr}")
    return good


def say(text: str) -> None:
    """Tell it at once."""
    print(text, flush=True)


def run_static(*lanes: dict[str, list[str]], tell: Callable[[str], None] = say) -> list[bool]:
    """Run the checks, lane beside lane, within a lane one after the other; which were passed."""

    def run_lane(lane: dict[str, list[str]]) -> list[bool]:
        return [run_check(name, command, tell) for name, command in lane.items()]

    with ThreadPoolExecutor(len(lanes)) as pool:
        return [result for results in pool.map(run_lane, lanes) for result in results]


class Beside:
    """The checks of `make test`, one after the other beside the tests, so that no core is idle; told when asked for."""

    def __init__(self, *lanes: dict[str, list[str]]) -> None:
        checks = {name: command for lane in lanes for name, command in lane.items()}
        self._told: list[str] = []
        self._pool = ThreadPoolExecutor(1)
        self._results = self._pool.submit(run_static, checks, tell=self._told.append)

    def results(self) -> list[bool]:
        """Wait for the rest of them and tell how each went."""
        results = self._results.result()
        self._pool.shutdown()
        print("", *self._told, sep="\n", flush=True)
        return results


def workers() -> int:
    """How many tests to do at a time: one more than there are cores, since half of their time they wait for servers and browsers."""
    return 1 + min(4, os.cpu_count() or 1)


class Clock:
    """Where the time went: seconds of each part, from one mark to the next."""

    def __init__(self) -> None:
        self._last = time.time()
        self._first = float(os.environ.get(BEGAN, self._last))
        self._parts = {"set-up": self._last - self._first} if BEGAN in os.environ else {}

    def mark(self, part: str) -> None:
        """A part has ended now."""
        now = time.time()
        self._parts[part] = now - self._last
        self._last = now

    def __str__(self) -> str:
        total = self._last - self._first
        parts = ", ".join(f"{part} {seconds:.0f} s" for part, seconds in self._parts.items())
        return f"time: {parts}; together {total:.0f} s of {BUDGET}"


class Pytest:
    """A pytest run in a process of its own, counted from its report, not from its exit status alone.

    ``aside``: its output is kept in a file and told when it has ended, since others run meanwhile.
    """

    def __init__(self, name: str, *arguments: str, aside: bool = False) -> None:
        self._name = name
        self._report = RESULTS / f"{name}.xml"
        self._report.unlink(missing_ok=True)
        self._output = RESULTS / f"{name}.log"
        # --output: what the browser's plugin writes; it empties that folder first
        command = [PYTHON, "-m", "pytest", "-q", f"--junitxml={self._report}", f"--output={RESULTS / name}", *arguments]
        print(f"\n{name}: {' '.join(command[2:])}", flush=True)
        # CI: properties are tried with the same examples each time; `make full` looks for new ones.
        environment = os.environ if name == "slow" else {**os.environ, "CI": "1"}
        with self._output.open("w") as output:
            kept = output if aside else None
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=kept, stderr=subprocess.STDOUT if aside else None
            )

    def counts(self) -> tuple[bool, Counts]:
        """Wait for its end; whether all is well, and what it did."""
        status = self._process.wait()
        if output := self._output.read_text(errors="replace"):
            print(f"\n{self._name}:\n{output}", flush=True)
        if not self._report.exists():
            return False, Counts(failed=1)
        total = Counts()
        for suite in ET.parse(self._report).getroot().iter("testsuite"):
            every, bad, skipped = (int(suite.get(key, "0")) for key in ("tests", "failures", "skipped"))
            bad += int(suite.get("errors", "0"))
            total = total.plus(Counts(every - bad - skipped, bad, skipped))
        return status == 0, total


def minimum() -> int:
    """The number of passed tests below which something was silently not run."""
    return int(MINIMUM.read_text().split()[-1])


def run_tests(lacking: dict[str, str], clock: Clock, checks: Beside, *, full: bool) -> tuple[bool, Counts, list[bool]]:
    """The Python tests and the browser's, beside them the checks; then (``full``) the slow ones. And which checks were passed.

    The browser's tests mostly wait, the others calculate: so they are done at the same time. They need a process of their own.
    """
    RESULTS.mkdir(exist_ok=True)
    several, fewer = ["-n", str(workers()), "--dist"], ["-n", str(max(1, workers() // 2)), "--dist", "worksteal"]
    runs = []
    if system.chromium() is None:
        lacking["chromium"] = "the browser tests"
    else:
        runs.append(Pytest("browser", "tests/browser", *fewer, "-m", "browser and not slow", aside=True))
    runs.insert(0, Pytest("tests", "--ignore=tests/browser", *several, "loadscope"))
    good, counts = True, Counts()
    for run in runs:
        fine, more = run.counts()
        good, counts = good and fine, counts.plus(more)
    clock.mark("tests")
    results = checks.results()
    clock.mark("rest of the checks")
    if full:
        fine, more = Pytest("slow", *several, "worksteal", "-m", "slow").counts()
        good, counts = good and fine, counts.plus(more)
        clock.mark("slow tests")
    return good, counts, results


def main() -> int:
    """Command line; status 0 only when every check and every test passed and none went missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["static", "all", "full"])
    what = parser.parse_args().what
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes read the same packages
    clock = Clock()
    audit = {"audit": [PYTHON, "tools/audit.py"]}  # waits for others most of the time
    if what == "static":
        results = run_static(python_checks(), audit, client_checks())
        print(f"checks: {results.count(True)} passed, {results.count(False)} failed", flush=True)
        return 0 if all(results) else 1
    lacking = system.missing()
    checks = Beside(python_checks(everything=what == "full"), client_checks(), more_checks(), audit)
    good, counts, results = run_tests(lacking, clock, checks, full=what == "full")
    problems = [f"could not run {without}: {package} is missing" for package, without in lacking.items()]
    if not lacking and counts.passed < minimum():
        good = False
        problems.append(f"only {counts.passed} tests passed; there are at least {minimum()} (tests/minimum.txt): some were not run")
    for problem in problems:
        print(f"!!! {problem}", flush=True)
    failed = counts.failed + results.count(False) + (0 if good or counts.failed else 1)
    print(f"\n{clock}")
    print(f"{counts.passed + results.count(True)} passed, {failed} failed" + (f", {counts.skipped} skipped" if counts.skipped else ""))
    return 0 if good and all(results) and not failed else 1


if __name__ == "__main__":
    raise SystemExit(main())
