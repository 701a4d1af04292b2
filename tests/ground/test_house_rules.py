"""House rules that no linter knows: first lines, file sizes, no traces of any workplace, floors as documented."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sandriver
from sandriver.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
SOURCE = {".py", ".pxd", ".ts", ".svelte", ".mjs", ".css"}
GENERATED = {"web/src/lib/wire.ts"}
TEXT = SOURCE | {".md", ".toml", ".json", ".yaml", ".yml", ".txt", ".html", ".svg", ".cfg", ".ini", ".npmrc", ".gitignore", ""}
COMMENT = {
    ".py": r'(#!.*\n)?("""|r"""|#)\s*\S.{10,}',
    ".pxd": r'("""|#)\s*\S.{10,}',
    ".ts": r"(//|/\*\*?)\s*\S.{10,}",
    ".mjs": r"(//|/\*\*?)\s*\S.{10,}",
    ".css": r"/\*\*?\s*\S.{10,}",
    ".svelte": r"<!--\s*\S.{10,}",
}


def tracked() -> list[Path]:
    """Every file git knows or would take; without git (a source archive) every file that is not built."""
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        return [path for name in listing.stdout.splitlines() if (path := ROOT / name).is_file()]
    built = {"node_modules", ".venv", ".make", "static", "paraglide", "__pycache__", "_build"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not built & set(path.relative_to(ROOT).parts)]


FILES = tracked()
SOURCES = [path for path in FILES if path.suffix in SOURCE and str(path.relative_to(ROOT)) not in GENERATED]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_files_are_found() -> None:
    assert len(SOURCES) > 100


def test_each_source_file_says_what_it_is_in_its_first_line() -> None:
    silent = [relative(path) for path in SOURCES if path.stat().st_size and not re.match(COMMENT[path.suffix], path.read_text())]
    assert silent == []


def test_no_source_file_is_longer_than_five_hundred_lines() -> None:
    lengths = {relative(path): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_no_file_names_a_download_host_or_a_workplace() -> None:
    hosts = [
        "registry" + ".npmjs",
        "pypi" + ".org",
        "files.python" + "hosted",
        "deb." + "debian",
        "/" + "work/",
        "shared" + "/spec",
        "issue" + "s show",
    ]
    pattern = re.compile("|".join(map(re.escape, hosts)))
    named = [
        f"{relative(path)}: {found.group()}"
        for path in FILES
        if path.suffix in TEXT and path.stat().st_size < 3_000_000 and (found := pattern.search(path.read_text(errors="replace")))
    ]
    assert named == []


def test_nothing_is_left_to_be_done_later() -> None:
    marks = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "Not" + "ImplementedError\\(\\)"]) + r")\b")
    assert [relative(path) for path in SOURCES if marks.search(path.read_text())] == []


def test_no_floor_above_the_bots_may_know_a_game() -> None:
    """The contract that says so names every such floor, and every game."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    contract = next(contract for contract in contracts if "knows which game" in contract["name"])
    floors = {f"sandriver.{path.parent.name}" for path in (ROOT / "src" / "sandriver").glob("*/__init__.py")}
    assert set(contract["source_modules"]) == floors - {"sandriver.games", "sandriver.bots"}
    assert set(contract["forbidden_modules"]) == {f"sandriver.games.{game}" for game in GAMES}


def test_the_package_says_which_games_it_plays() -> None:
    """By the names that the games' own packages begin with."""
    names = [(sys.modules[f"sandriver.games.{game}"].__doc__ or "").partition(":")[0] for game in GAMES]
    assert len(names) > 1
    assert [name for name in names if not re.search(rf"\b{name}\b(?! Stones)", sandriver.__doc__ or "")] == []


def test_no_test_is_switched_off() -> None:
    """But what needs a compiled form, or a system of another kind, where there is none."""
    python = r"pytest\.(mark\.)?(skip\b|skipif\b(?!\((not kernels\.is_compiled\(|sys\.platform\b))|xfail\b|importorskip\b)"
    marks = re.compile(python + r"|\b(it|test|describe)\.(skip|todo|only)\b")
    tests = [path for path in SOURCES if "tests" in path.relative_to(ROOT).parts and path != Path(__file__)]
    assert [relative(path) for path in tests if marks.search(path.read_text())] == []


def test_built_files_are_not_committed() -> None:
    built = re.compile(r"\.(so|pyd|c|pyc|sqlite3)$|(^|/)(node_modules|static/assets|paraglide|_build)/")
    assert [relative(path) for path in FILES if built.search(relative(path))] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "TRADEMARKS.md", "Makefile", ".ci/run"])
def test_repository_has(name: str) -> None:
    assert (ROOT / name).stat().st_size > 100


def test_every_make_target_is_explained() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    assert {"play", "test", "check", "full", "bench", "web", "wheel", "docs", "screenshots", "lock", "clean"} <= targets
    assert targets == set(re.findall(r"^([a-z]+):.*## \S", makefile, re.MULTILINE))
