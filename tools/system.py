"""System packages that the tests need, installed by apt where we are root on a Debian, else named loudly."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from functools import cache
from pathlib import Path

import services

SHELL = "chromium-headless-shell"
"""Chromium without its windows: the same engine, and a third less work for the tests."""
CHROMIUM = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """The path of an installed Chromium, the quickest first."""
    return next((path for path in map(shutil.which, CHROMIUM) if path), None)


def has_font(language: str) -> bool:
    """Whether some installed font covers a language (fontconfig's answer)."""
    if not shutil.which("fc-list"):
        return False
    return bool(subprocess.run(["fc-list", f":lang={language}"], capture_output=True, text=True, check=False).stdout.strip())


def has_compiler() -> bool:
    """A C compiler and the headers of this Python."""
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return header.exists() and any(shutil.which(name) for name in ("cc", "gcc", "clang"))


@cache
def _offered(package: str) -> bool:
    """Whether the distribution has a package, as far as it is known before ``update``."""
    if not shutil.which("apt-cache"):
        return False
    return subprocess.run(["apt-cache", "show", package], capture_output=True, check=False).returncode == 0


def bus_package() -> str:
    """Debian's package of Valkey, or of Redis where the distribution has none yet."""
    return "valkey-server" if _offered("valkey-server") else "redis-server"


def browser_package() -> str:
    """Debian's package of the browser."""
    return SHELL if _offered(SHELL) else "chromium"


def better() -> list[str]:
    """Packages that nothing needs, but with which the tests are quicker."""
    return [SHELL] if not shutil.which(SHELL) and _offered(SHELL) else []


def missing() -> dict[str, str]:
    """Debian package to what cannot be done without it, for everything that is not here."""
    wanted = {
        browser_package(): (chromium() is not None, "the browser tests"),
        "fonts-noto-cjk": (has_font("ja"), "the browser tests in Japanese"),
        "fonts-dejavu-core": (has_font("el"), "the browser tests in Greek"),
        "postgresql": (services.has_database(), "the tests on PostgreSQL"),
        bus_package(): (services.has_bus(), "the tests on Valkey, and of several processes"),
        "gcc": (has_compiler(), "the compiled kernel"),
        "libc6-dev": (has_compiler(), "the compiled kernel"),
        "python3-dev": (has_compiler(), "the compiled kernel"),
    }
    return {package: without for package, (here, without) in wanted.items() if not here}


def can_install() -> bool:
    """Whether we may install system packages."""
    return bool(shutil.which("apt-get")) and hasattr(os, "geteuid") and os.geteuid() == 0


def _apt(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "-q", *arguments]
    return subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment
    )


def update() -> None:
    """Ask the distribution which packages it has, if that is possible here."""
    if can_install():
        _apt("update")


def install(packages: list[str]) -> bool:
    """Install Debian packages if that is possible here; whether it was."""
    if not packages or not can_install():
        return False
    print(f"installing system packages: {' '.join(packages)}", flush=True)
    done = _apt("install", "-y", "--no-install-recommends", *packages)
    if done.returncode:
        print(done.stderr.strip(), flush=True)
    return done.returncode == 0


def provide(*, first: bool = False) -> dict[str, str]:
    """Install what is missing where we may (``first``: only what compiling needs); return what is missing after that."""

    def wanted() -> dict[str, str]:
        return {package: without for package, without in missing().items() if not first or without == "the compiled kernel"}

    if wanted():
        update()  # what packages are called is known only after it
        install(sorted(wanted()))
    if not first:
        install(better())
    return missing()
