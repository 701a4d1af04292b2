"""Look the locked dependencies up in the public lists of known vulnerabilities: Python's by pip-audit, the client's by npm.

Usage: ``audit.py``. Status 1 when one is known to be vulnerable. A list that cannot be had, or not within ``SECONDS``, is said in a
line that begins with ``!!!`` and is no failure: a machine without a network can still check everything else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import build_client
import stamps

ROOT = stamps.ROOT
SECONDS = 9.0
"""How long the lists may take to answer; they are asked at the same time."""
ACCEPTED: dict[str, str] = {}
"""Vulnerabilities that do not concern us: id and reason."""


class Found(NamedTuple):
    """What one list said: ``{"package version": [ids]}``, or why it said nothing."""

    vulnerable: dict[str, list[str]]
    missing: str = ""


def read_pip_audit(output: str) -> Found:
    """Read the JSON of pip-audit. Packages that the list does not know are missing only if it knows none."""
    try:
        known = [each for each in json.loads(output)["dependencies"] if "skip_reason" not in each]
    except (ValueError, KeyError, TypeError):
        return Found({}, "no answer")
    if not known:
        return Found({}, "it knows none of the packages")
    found = {f"{each['name']} {each['version']}": [fault["id"] for fault in each["vulns"]] for each in known}
    return Found({name: ids for name, ids in found.items() if ids})


def read_npm_audit(output: str) -> Found:
    """Read the JSON of ``npm audit``."""
    try:
        report = json.loads(output)
        packages: dict[str, Any] = report["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return Found({}, "no answer")
    found: dict[str, list[str]] = {}
    for name, each in packages.items():
        ids = [fault["url"].rpartition("/")[2] for fault in each["via"] if isinstance(fault, dict)]  # text: by way of another package
        if ids:
            found[f"{name} {each['range']}"] = ids
    return Found(found)


def ask(command: list[str], read: Callable[[str], Found], folder: Path = ROOT) -> Found:
    """Run one of the programs that ask; whatever happens to it, at most ``SECONDS``."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Found({}, f"no answer within {SECONDS:.0f} s")
    except OSError as error:
        return Found({}, str(error))
    return read(done.stdout)


def questions() -> dict[str, tuple[list[str], Callable[[str], Found], Path]]:
    """What is asked, by the name of the lock: command, how its answer is read, and where it runs."""
    pip_audit = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    pip_audit += ["--timeout", "4"]
    locks = {path.name: path for path in sorted((ROOT / "requirements").glob("*.txt"))}
    served = locks.pop("play.txt")
    others = [argument for path in locks.values() for argument in ("-r", str(path))]
    node, npm = (str(path) for path in build_client.node())
    npm_audit = [node, npm, "audit", "--package-lock-only", "--json", "--fetch-retries=0", f"--fetch-timeout={SECONDS * 1000:.0f}"]
    return {
        "requirements/play.txt": ([*pip_audit, "-r", str(served)], read_pip_audit, ROOT),
        "the other requirements": ([*pip_audit, *others], read_pip_audit, ROOT),
        "web/package-lock.json": (npm_audit, read_npm_audit, ROOT / "web"),
    }


def report(answers: dict[str, Found]) -> tuple[list[str], bool]:
    """The lines to print, and whether nothing is known to be vulnerable."""
    lines, good = [], True
    for lock, found in answers.items():
        if found.missing:
            lines.append(f"!!! not audited: {lock} (the list of known vulnerabilities: {found.missing})")
        for package, ids in found.vulnerable.items():
            if open_ids := [each for each in ids if each not in ACCEPTED]:
                good = False
                lines.append(f"{lock}: {package} is known to be vulnerable: {', '.join(open_ids)}")
    return lines, good


def main() -> int:
    """Command line."""
    asked = questions()
    with ThreadPoolExecutor(len(asked)) as pool:
        answers = dict(zip(asked, pool.map(lambda question: ask(*question), asked.values()), strict=True))
    lines, good = report(answers)
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
