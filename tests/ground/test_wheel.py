"""The built wheel in an empty environment: it carries client and kernels, plays a game by command line and serves the page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from tests.browser.served import Served
from tests.ground.test_house_rules import FILES

import build_client
import build_kernels

ROOT = Path(__file__).resolve().parents[2]
STAMPS = Path(".make", "stamps")
SAID = STAMPS / "client"
GAME = """
import sys
from sandriver.games.chance import RandomChance
from sandriver.games.mandala import MANDALA
position = MANDALA.start(MANDALA.parse_options({}), 2, 0, RandomChance(2026))
print(MANDALA.format_position(position))
chance = RandomChance(4)
while position.outcome is None:
    transition = MANDALA.play(position, position.legal_actions[len(position.legal_actions) // 3], chance)
    print(transition.move)
    position = transition.after
print(MANDALA.format_position(position))
"""


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run a command away from the repository's own environment; its output."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "SANDRIVER"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a fresh clone would hold, so that building disturbs no other test.

    It finds the client that was built here already, with the word for what: the build looks whether that is the one it would make.
    """
    copy = tmp_path_factory.mktemp("source")
    for path in FILES:
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    assert build_client.is_fresh()
    (copy / SAID).parent.mkdir(parents=True)
    shutil.copy2(ROOT / SAID, copy / SAID)
    shutil.copytree(ROOT / build_client.STATIC, copy / build_client.STATIC, dirs_exist_ok=True)
    return copy


@pytest.fixture(scope="module")
def archive(source: Path) -> Path:
    """The source archive, which carries the built client."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", folder=source)
    return next((source / "dist").glob("sandriver-*.tar.gz"))


@pytest.fixture(scope="module")
def unpacked(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as contents:
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4 on
            contents.extraction_filter = tarfile.data_filter
        contents.extractall(folder)
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(unpacked: Path) -> Path:
    """The wheel, built from the source archive: without Node.js, since the client is in there.

    It finds the modules that were compiled here already, as the build finds the client (see ``source``).
    """
    compiled = build_kernels.kept(ROOT / "src")
    assert compiled
    for path in [*compiled, ROOT / STAMPS / "kernels"]:
        target = unpacked / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", folder=unpacked)
    return next((unpacked / "dist").glob("sandriver-*.whl"))


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and its locked dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder)
    python = folder / "bin" / "python"
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    install = [*pip, "install", "--no-deps", "--no-compile"]
    locked: list[str | Path] = ["--no-deps", "--require-hashes", "-r", ROOT / "requirements" / "play.txt"]
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))  # it has them still, from setting up
    if uv is None or subprocess.run([uv, "pip", "install", "--python", python, "--quiet", *locked], check=False).returncode:
        run(*install, *locked, folder=folder)
    run(*install, wheel, folder=folder)
    run(*pip, "check", folder=folder)
    return python


def test_wheel_carries_client_kernels_and_migrations(unpacked: Path, wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "sandriver/server/static/index.html" in names
    assert any(name.startswith("sandriver/server/static/assets/") and name.endswith(".js") for name in names)
    files = [path for path in (unpacked / "src").rglob("*.*") if path.suffix in {".py", ".pxd", ".net"}]
    sources = {path.relative_to(unpacked / "src").as_posix() for path in files}
    assert [path.name for path in files if path.suffix == ".net" and path.stat().st_size > 1_000_000] == []
    assert any(name.endswith(".net") for name in sources)
    assert sources <= set(names)
    to_compile = {name.removesuffix(".pxd") for name in sources if name.endswith(".pxd") and name.removesuffix("xd") + "y" in sources}
    assert {f"sandriver/games/{game}/kernel" for game in ("mandala", "stones")} <= to_compile
    assert "sandriver/py.typed" in names
    assert any("/migrations/versions/" in name for name in names)
    compiled = [name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))]
    assert sorted(compiled) == sorted(to_compile)
    assert any("LICENSE" in name for name in names)
    assert [name for name in names if name.endswith((".c", ".pyc")) or "node_modules" in name or name.startswith(("tests/", "web/"))] == []
    assert "py3-none-any" not in wheel.name


@pytest.mark.slow  # it takes long, and what it runs is what set up this environment
def test_a_client_that_is_missing_or_another_is_built(source: Path) -> None:
    page = source / build_client.STATIC / "index.html"
    page.unlink()
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", folder=source)
    built = page.read_text()
    with (source / "web" / "index.html").open("a") as file:
        file.write("<!-- another -->")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", folder=source)
    assert built != page.read_text()


@pytest.mark.slow  # all is compiled anew, as it was when this environment was set up
def test_modules_of_other_sources_are_compiled(unpacked: Path, wheel: Path, tmp_path: Path) -> None:
    (unpacked / STAMPS / "kernels").write_text("others")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, folder=unpacked)
    [again] = tmp_path.glob("*.whl")
    assert sorted(zipfile.ZipFile(again).namelist()) == sorted(zipfile.ZipFile(wheel).namelist())


@pytest.mark.slow  # test_kernel.py asks always what is said without a compiler, and runs the rules uncompiled
def test_without_a_c_compiler_the_wheel_is_pure_and_works(unpacked: Path, tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=unpacked, env={**os.environ, "CC": "no-such-compiler"}, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "run uncompiled" in said.stdout + said.stderr
    [pure] = tmp_path.glob("*.whl")
    assert pure.name.endswith("py3-none-any.whl")
    with zipfile.ZipFile(pure) as contents:
        contents.extractall(tmp_path / "package")
    code = "from sandriver.games.mandala import kernel; print(kernel.__file__)"
    assert run(sys.executable, "-c", code, folder=tmp_path, PYTHONPATH=str(tmp_path / "package")).strip().endswith("kernel.py")


def test_a_game_by_command_line(empty: Path, tmp_path: Path) -> None:
    start, *moves, end = run(empty, "-c", GAME, folder=tmp_path).splitlines()
    command = empty.parent / "sandriver"
    assert len(moves) > 20
    assert run(command, "step", "mandala", start, *moves, folder=tmp_path).strip() == end
    assert moves[0].partition(">")[0] in run(command, "legal", "mandala", start, folder=tmp_path).splitlines()
    kernel = run(empty, "-c", "from sandriver.games.mandala import kernel; print(kernel.__file__)", folder=tmp_path).strip()
    assert kernel.endswith((".so", ".pyd"))
    assert "site-packages" in kernel


def test_the_page_is_served(empty: Path, tmp_path: Path) -> None:
    with Served(tmp_path / "data", python=str(empty), source=False) as served:
        with urllib.request.urlopen(f"{served.url}/", timeout=10) as answer:
            page = answer.read().decode()
        assert '<div id="app">' in page
        with urllib.request.urlopen(f"{served.url}/api/games", timeout=10) as answer:
            assert b"mandala" in answer.read()
