"""Stamps: what was built from which contents, so that nothing is rebuilt needlessly and nothing stale is run."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".make" / "stamps"
IGNORED = {"node_modules", "__pycache__", "paraglide", "static", "dist"}


def files(*names: str) -> list[Path]:
    """Every file of the named files and folders (relative to the repository), sorted, what is built left out."""
    found: list[Path] = []
    for name in names:
        path = ROOT / name
        if path.is_dir():
            for folder, folders, leaves in os.walk(path):
                folders[:] = [folder_name for folder_name in folders if folder_name not in IGNORED]
                found += [Path(folder) / leaf for leaf in leaves]
        elif path.exists():
            found.append(path)
    return sorted(found)


def key(inputs: Iterable[Path], *more: str) -> str:
    """Hash of the names and contents of files, and of anything else that decides the result."""
    digest = hashlib.sha256()
    for path in inputs:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT)}\0{len(content)}\0".encode())
        digest.update(content)
    for word in more:
        digest.update(f"{word}\0".encode())
    return digest.hexdigest()


def fresh(name: str, current: str, *outputs: Path) -> bool:
    """Whether job ``name`` was last done for ``current`` and all it made is still there."""
    stamp = FOLDER / name
    return stamp.exists() and stamp.read_text() == current and all(output.exists() for output in outputs)


def write(name: str, current: str) -> None:
    """Remember that job ``name`` was done for ``current``."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text(current)
