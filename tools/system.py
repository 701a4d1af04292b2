"""System packages that the tests need, installed by apt where we are root on a Debian, else named loudly."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import services

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """The path of an installed Chromium."""
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


def bus_package() -> str:
    """Debian's package of Valkey, or of Redis where the distribution has none yet."""
    known = subprocess.run(["apt-cache", "show", "valkey-server"], capture_output=True, check=False) if shutil.which("apt-cache") else None
    return "valkey-server" if known is not None and known.returncode == 0 else "redis-server"


def missing() -> dict[str, str]:
    """Debian package to what cannot be done without it, for everything that is not here."""
    wanted = {
        "chromium": (chromium() is not None, "the browser tests"),
        "fonts-noto-cjk": (has_font("ja"), "the browser tests in Japanese"),
        "fonts-dejavu-core": (has_font("el"), "the browser tests in Greek"),
        "postgresql": (services.has_database(), "the tests on PostgreSQL"),
        bus_package(): (services.has_bus(), "the tests on Valkey, and of several processes"),
        "gcc": (has_compiler(), "the compiled kernel"),
        "libc6-dev": (has_compiler(), "the compiled kernel"),
        "python3-dev": (has_compiler(), "the compiled kernel"),
    }
    return {package: without for package, (here, without) in wanted.items() if not here}


def install(packages: list[str]) -> bool:
    """Install Debian packages if that is possible here; whether it was."""
    if not packages or not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True, "env": environment}
    print(f"installing system packages: {' '.join(packages)}", flush=True)
    subprocess.run(["apt-get", "update", "-q"], check=False, **quiet)  # type: ignore[call-overload]
    done = subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages], check=False, **quiet)  # type: ignore[call-overload]
    if done.returncode:
        print(done.stderr.strip(), flush=True)
    return bool(done.returncode == 0)


def provide(*, first: bool = False) -> dict[str, str]:
    """Install what is missing where we may (``first``: only what compiling needs); return what is missing after that."""
    known = missing()
    lacking = {package: without for package, without in known.items() if not first or without == "the compiled kernel"}
    if lacking:
        install(sorted(lacking))
        lacking = missing()
        if renamed := sorted(set(lacking) - set(known)):  # only now is it known what the distribution calls it
            install(renamed)
            lacking = missing()
    return lacking
