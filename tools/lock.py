"""Renew requirements/*.txt from pyproject.toml: pinned, hashed, for every platform, without naming a download host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETS: dict[str, tuple[list[str], str]] = {
    "play": (["pyproject.toml", "--extra", "fast"], "what the server needs"),
    "many": (["pyproject.toml", "--extra", "many"], "what several server processes on PostgreSQL need"),
    "arena": (["pyproject.toml", "--extra", "arena"], "what ladders and report pages of bots need"),
    "rl": (["pyproject.toml", "--extra", "rl", "--extra", "openspiel"], "what the environments need"),
    "bench": (["pyproject.toml", "--extra", "bench"], "what is measured beside ours"),
    "install": (["--group", "install"], "what installs all the others, quickly"),
    "build": (["--group", "build"], "what compiles the kernels and packs the wheel"),
    "client": (["--group", "client"], "Node.js as a wheel, to build the web client where there is none"),
    "check": (["--group", "check"], "linters, type checker, floors"),
    "test": (["--group", "test"], "test runner and what the tests drive"),
    "docs": (["--group", "docs"], "the documentation"),
}
COMMON = ["--universal", "--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
COMMON += ["--python-version", "3.11", "--no-python-downloads"]
COMMON += ["--no-emit-package", "pip"]
"""The environment has its own pip, and one that is replaced while it installs something else beside it fails."""


def compile_set(uv: list[str], inputs: list[str], title: str, output: Path, constraint: Path | None) -> None:
    """Write one lock file; ``constraint`` keeps versions equal across the sets so that all fit one environment."""
    extra = ["--constraint", str(constraint.relative_to(ROOT))] if constraint else ["--upgrade"]
    subprocess.run([*uv, "pip", "compile", *inputs, *COMMON, *extra, "-o", str(output)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    output.write_text(f"# {title[0].upper()}{title[1:]}. Written by `make lock`; do not edit.\n{output.read_text()}")


def main() -> int:
    """Resolve everything together once, then write each set with those versions."""
    uv = [sys.executable, "-m", "uv"]
    everything = [argument for inputs, _ in SETS.values() for argument in inputs]
    together = ROOT / ".make" / "everything.txt"
    together.parent.mkdir(exist_ok=True)
    together.unlink(missing_ok=True)
    compile_set(uv, everything, "everything together", together, None)
    for name, (inputs, title) in SETS.items():
        output = ROOT / "requirements" / f"{name}.txt"
        output.unlink(missing_ok=True)
        compile_set(uv, inputs, title, output, together)
        print(f"requirements/{name}.txt")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
