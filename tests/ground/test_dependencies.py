"""Every dependency has its reason in the documentation, every reason its dependency, and the locks fit and are hashed."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
WEB: dict[str, Any] = json.loads((ROOT / "web" / "package.json").read_text())
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def name_of(requirement: str) -> str:
    """``"SQLAlchemy[asyncio]>=2"`` → ``"sqlalchemy"``."""
    return re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0].lower()


def python_dependencies() -> set[str]:
    project = PROJECT["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *PROJECT["dependency-groups"].values()]
    return {name_of(each) for each in [*PROJECT["build-system"]["requires"], *(entry for entries in lists for entry in entries)]}


def reasons() -> dict[str, str]:
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", (ROOT / "docs" / "dependencies.md").read_text(), re.MULTILINE)
    return dict(rows)


def test_each_dependency_has_its_reason() -> None:
    needed = python_dependencies() | WEB["dependencies"].keys() | WEB["devDependencies"].keys()
    assert needed == set(reasons())
    assert all(len(reason) >= 5 for reason in reasons().values())


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_lock_is_pinned_and_hashed(lock: Path) -> None:
    entries = re.split(r"\n(?=[a-z0-9])", lock.read_text().partition("\n")[2].strip())
    assert entries
    for entry in entries:
        first, *rest = entry.splitlines()
        assert re.match(r"[a-z0-9][a-z0-9._-]*==[^ ]+( ; .+)? \\$", first), first
        assert rest
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in rest), entry


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_lock_holds_what_the_project_file_asks_for(lock: Path) -> None:
    project = PROJECT["project"]
    extras = {"play": ["fast"], "many": ["many"], "arena": ["arena"], "rl": ["rl", "openspiel"], "bench": ["bench"]}.get(lock.stem)
    wanted = [*project["dependencies"]] if extras else PROJECT["dependency-groups"][lock.stem]
    for extra in extras or ():
        wanted += project["optional-dependencies"][extra]
    locked = set(re.findall(r"^([a-z0-9._-]+)==", lock.read_text(), re.MULTILINE))
    assert {name_of(each) for each in wanted} <= locked


def test_locks_agree_on_every_version() -> None:
    versions: dict[str, set[tuple[str, ...]]] = {}
    for lock in LOCKS:
        mine: dict[str, list[str]] = {}
        for name, version in re.findall(r"^([a-z0-9._-]+)==([^ ]+)", lock.read_text(), re.MULTILINE):
            mine.setdefault(name, []).append(version)
        for name, found in mine.items():
            versions.setdefault(name, set()).add(tuple(sorted(found)))
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_client_lock_fits_its_project_file_and_is_hashed() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    root = lock["packages"][""]
    assert root["dependencies"] == WEB["dependencies"]
    assert root["devDependencies"] == WEB["devDependencies"]
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert [name for name, entry in packages.items() if not entry.get("integrity", "").startswith("sha512-")] == []
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in [*WEB["dependencies"].values(), *WEB["devDependencies"].values()])


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_no_lock_file_replaces_pip(path: Path) -> None:
    """Several sets are installed at the same time: pip must not change under another one's feet."""
    assert not re.search(r"^pip==", path.read_text(), re.MULTILINE)
