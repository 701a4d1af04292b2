"""Set up what a make target needs, in parallel and only what changed: environment, compiled modules, web client, system packages.

Runs on any Python from 3.11 with nothing installed. Usage: ``python tools/prepare.py play|web|check|test|bench|docs|wheel``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from pathlib import Path

import build_client
import build_kernels
import stamps
import system

ROOT = stamps.ROOT
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCKS = {
    "play": ["play"],
    "web": [],
    "check": ["play", "many", "arena", "rl", "check", "test"],
    "test": ["play", "many", "arena", "rl", "check", "test", "docs"],
    "docs": ["play", "docs"],
}
INSTALLER = "install"
"""The lock file of what installs all others."""


class SetUpError(Exception):
    """Something could not be set up; the message says what and why."""


def say(text: str) -> None:
    """Tell the person at the terminal what is going on."""
    print(text, flush=True)


def run(*command: str | Path, what: str) -> None:
    """Run a step silently; on failure raise with its output."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SetUpError(f"{what} failed (status {done.returncode}):\n{done.stdout}{done.stderr}")


def environment() -> None:
    """Make .venv unless a working one is there."""
    check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    if PYTHON.exists():
        config = VENV / "pyvenv.cfg"
        current = stamps.key([config], str(config.stat().st_mtime_ns), os.path.realpath(PYTHON))
        if stamps.fresh("venv", current):
            return
        if subprocess.run([PYTHON, "-c", check], capture_output=True, check=False).returncode == 0:
            stamps.write("venv", current)
            return
    say("making a virtual environment in .venv")
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        system.update()
        if not system.install([version]):
            raise SetUpError(f"This Python has no venv module. Install it and try again:  apt-get install {version}") from None
    run(sys.executable, "-m", "venv", "--clear", VENV, what="making a virtual environment")


def install(lock: str) -> None:
    """Install one hashed lock file, unless this environment has it: by uv, which needs a tenth of pip's time, else by pip."""
    path = ROOT / "requirements" / f"{lock}.txt"
    config = VENV / "pyvenv.cfg"
    current = stamps.key([path, config], str(config.stat().st_mtime_ns))
    if stamps.fresh(f"pip-{lock}", current):
        return
    say(f"installing requirements/{lock}.txt")
    if lock == INSTALLER or not by_uv(path):
        options = ["--require-hashes", "--no-deps", "--no-compile", "--quiet", "--disable-pip-version-check", "--no-input"]
        run(PYTHON, "-m", "pip", "install", *options, "-r", path, what=f"installing requirements/{lock}.txt")
    stamps.write(f"pip-{lock}", current)


def by_uv(path: Path) -> bool:
    """Try to install a lock file by uv. It knows nothing of pip's settings: where those lead to an index of one's own, it may fail."""
    uv = shutil.which("uv", path=str(BIN))
    if uv is None:
        return False
    environment = {"UV_HTTP_TIMEOUT": "10", "UV_PYTHON_DOWNLOADS": "never", "UV_SYSTEM_CERTS": "1", **os.environ}
    if "PIP_INDEX_URL" in os.environ:
        environment.setdefault("UV_DEFAULT_INDEX", os.environ["PIP_INDEX_URL"])
    command: list[str | Path] = [uv, "pip", "install", "--python", PYTHON, "--require-hashes", "--no-deps", "--quiet", "-r", path]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode == 0


def package(*, study: bool = True) -> None:
    """Install the package itself, editable, which compiles in place what is to be compiled; ``study``: see ``build_kernels.sources``."""
    install("build")
    inputs = [*build_kernels.inputs(), *stamps.files("pyproject.toml", "hatch_build.py"), VENV / "pyvenv.cfg"]
    current = stamps.key(inputs, sysconfig.get_platform(), str(system.has_compiler()), str((VENV / "pyvenv.cfg").stat().st_mtime_ns))
    settled = build_kernels.complete(ROOT / "src", study=study) or stamps.fresh("uncompiled", current)
    if settled and stamps.fresh("package", current, BIN / "sandriver"):
        return
    say("compiling the rules")
    os.environ["SANDRIVER_STUDY"] = str(int(study))
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    run(PYTHON, "-m", "pip", "install", *options, "--editable", ROOT, what="installing the package")
    if not build_kernels.complete(ROOT / "src", study=study):
        why = (
            "`.venv/bin/python tools/build_kernels.py` says why"
            if system.has_compiler()
            else "a C compiler and Python's headers would help"
        )
        say(f"The rules run uncompiled (slower, same results): {why}.")
        stamps.write("uncompiled", current)
    stamps.write("package", current)


def in_venv(code: str, what: str) -> None:
    """Run a line of Python that uses tools/build_client.py, where the Node.js wheel is installed."""
    run(PYTHON, "-c", f"import sys; sys.path.insert(0, 'tools'); import build_client; {code}", what=what)


def node_modules(*, checks: bool = False) -> None:
    """Install Node.js as a wheel and what the client is built (and checked) with."""
    install("client")
    in_venv(f"build_client.install(checks={checks})", "npm ci")


def client() -> None:
    """Build the web client, unless the one that lies there is of these sources."""
    if build_client.is_fresh():
        return
    node_modules()
    say("building the web client")
    in_venv("build_client.build()", "building the web client")


def wheel() -> None:
    """Build source archive and wheel into dist/."""
    install("build")
    install("client")
    say("building source archive and wheel")
    run(PYTHON, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", what="building the wheel")
    for path in sorted((ROOT / "dist").iterdir()):
        say(f"dist/{path.name}")


def in_parallel(*jobs: Callable[[], object]) -> None:
    """Run independent jobs at the same time; raise the first failure after all have ended."""
    failures: list[BaseException] = []

    def guarded(job: Callable[[], object]) -> None:
        try:
            job()
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def in_order(*jobs: Callable[[], None]) -> None:
    """Run jobs one after the other."""
    for job in jobs:
        job()


def locks(goal: str) -> None:
    """Install the lock files of a goal, one after the other."""
    for lock in LOCKS[goal]:
        install(lock)


def rivals() -> None:
    """Install what is measured beside ours; it is large, and not to be had for every machine."""
    try:
        install("bench")
    except SetUpError as error:
        say(f"{error}\n!!! what one would pick instead is not measured")


def prepare(goal: str) -> None:
    """Do everything that ``make goal`` stands on."""
    started = time.monotonic()
    if goal == "bench":
        prepare("test")
        rivals()
        return
    if goal == "test":
        system.provide(first=True)  # the compiler, before anything is compiled
    environment()
    install(INSTALLER)
    if goal == "wheel":
        wheel()
    elif goal == "web":
        client()
    elif goal in {"check", "test"}:
        browser = [system.provide] if goal == "test" else []
        in_parallel(lambda: locks(goal), package, lambda: in_order(lambda: node_modules(checks=True), client), *browser)
    elif goal == "docs":
        locks(goal)
        package()
    else:
        in_parallel(lambda: locks(goal), lambda: package(study=False), client)
    if time.monotonic() - started > 3:
        say(f"set up in {time.monotonic() - started:.0f} s")


def main() -> int:
    """Command line."""
    goals = [*LOCKS, "wheel", "bench"]
    if len(sys.argv) != 2 or sys.argv[1] not in goals:
        print(f"usage: prepare.py {'|'.join(goals)}", file=sys.stderr)
        return 2
    os.environ.setdefault("PATH", os.pathsep.join(["/usr/local/bin", os.defpath]))  # a compiler looks there for its own parts
    try:
        prepare(sys.argv[1])
    except (SetUpError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
