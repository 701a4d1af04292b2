"""The tools behind the make targets: stamps notice every change, ports are chosen or refused in words, sizes are measured."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import build_client
import build_kernels
import prepare
import run_checks
import serve
import stamps
import system

ROOT = Path(__file__).resolve().parents[2]
SPARE = [part for plugin in ("playwright", "schemathesis", "hypothesispytest") for part in ("-p", f"no:{plugin}")]
"""Options of a pytest that tests pytest: without what takes a second to load, or empties a folder first."""


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stamps, "ROOT", tmp_path)
    monkeypatch.setattr(stamps, "FOLDER", tmp_path / ".make" / "stamps")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "one.py").write_text("1")
    (tmp_path / "src" / "node_modules").mkdir()
    (tmp_path / "src" / "node_modules" / "ignored.js").write_text("1")
    return tmp_path


def test_stamp_is_fresh_until_contents_change(ground: Path) -> None:
    before = stamps.key(stamps.files("src"))
    assert not stamps.fresh("job", before)
    stamps.write("job", before)
    assert stamps.fresh("job", before)
    os.utime(ground / "src" / "one.py", (1, 1))
    assert stamps.key(stamps.files("src")) == before
    (ground / "src" / "one.py").write_text("2")
    assert not stamps.fresh("job", stamps.key(stamps.files("src")))


def test_stamp_notices_new_renamed_and_lost_files(ground: Path) -> None:
    before = stamps.key(stamps.files("src"))
    (ground / "src" / "two.py").write_text("")
    added = stamps.key(stamps.files("src"))
    (ground / "src" / "one.py").rename(ground / "src" / "three.py")
    assert len({before, added, stamps.key(stamps.files("src"))}) == 3
    stamps.write("job", before)
    assert not stamps.fresh("job", before, ground / "made.txt")


def test_stamp_leaves_out_what_is_built(ground: Path) -> None:
    before = stamps.key(stamps.files("src"))
    (ground / "src" / "node_modules" / "ignored.js").write_text("2")
    assert stamps.key(stamps.files("src")) == before
    assert stamps.key(stamps.files("src"), "another compiler") != before


def test_a_taken_default_port_gives_the_next_one_and_a_taken_wish_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve.choose("127.0.0.1", port) is None
        said = subprocess.run(
            [sys.executable, ROOT / "tools" / "serve.py", "--port", str(port), "--data", "unused"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert said.returncode == 2
    assert said.stderr.splitlines() == [f"port {port} is taken: choose another, for example  make play PORT={port + 1}"]
    found = serve.choose("127.0.0.1", serve.DEFAULT_PORT)
    assert found is not None
    assert found >= serve.DEFAULT_PORT


def test_prepare_refuses_an_unknown_goal_in_one_line() -> None:
    said = subprocess.run([sys.executable, ROOT / "tools" / "prepare.py", "nonsense"], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert len(said.stderr.splitlines()) == 1


def test_what_has_its_types_beside_it_is_compiled(tmp_path: Path) -> None:
    package = tmp_path / "sandriver" / "floor" / "game"
    package.mkdir(parents=True)
    for name in ("typed.py", "typed.pxd", "plain.py", "only_types.pxd", "typed_too.py", "typed_too.pxd"):
        (package / name).touch()
    assert build_kernels.sources(tmp_path) == [package / "typed.py", package / "typed_too.py"]
    made = [package / name for name in ("typed.cpython-311.so", "typed_too.cpython-311.so")]
    made[0].touch()
    assert not build_kernels.complete(tmp_path)
    made[1].touch()
    assert build_kernels.complete(tmp_path)
    (package / "typed_too.py").unlink()  # its extension module is stale now, but nothing is missing
    assert build_kernels.complete(tmp_path)
    assert build_kernels.extensions(tmp_path) == set(made)


def test_every_kernel_is_among_the_compiled() -> None:
    names = {source.relative_to(ROOT / "src").as_posix() for source in build_kernels.sources(ROOT / "src")}
    assert {f"sandriver/games/{game}/kernel.py" for game in ("mandala", "stones")} <= names
    to_play = {source.relative_to(ROOT / "src").as_posix() for source in build_kernels.sources(ROOT / "src", study=False)}
    assert names - to_play == {f"sandriver/games/{game}/batch.py" for game in ("mandala", "stones")}


def test_node_of_the_wheel_runs_npm() -> None:
    program, script = build_client.node()
    assert program.exists()
    assert script.exists()


def test_a_client_that_cannot_be_built_says_why(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    with pytest.raises(build_client.ClientError, match="run build"):
        build_client.build(tmp_path)


def test_what_is_missing_is_named_with_what_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    lacking = system.missing()
    assert lacking["chromium"] == "the browser tests"
    assert lacking["gcc"] == "the compiled kernel"
    assert not system.better()
    assert not system.install(sorted(lacking))


@pytest.mark.parametrize("aside", [pytest.param(False, marks=pytest.mark.slow), True])
def test_report_of_pytest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], aside: bool
) -> None:
    monkeypatch.setattr(run_checks, "RESULTS", tmp_path)
    (tmp_path / "test_it.py").write_text("def test_good(): pass\ndef test_bad(): assert False\n")
    options = ["-p", "no:cacheprovider", "-p", "no:schemathesis", "-c", os.devnull, "--rootdir", str(tmp_path), str(tmp_path)]
    good, counts = run_checks.Pytest("mine", *options, aside=aside).counts()
    assert not good
    assert counts == run_checks.Counts(passed=1, failed=1, skipped=0)
    assert capfd.readouterr().out.count("1 failed, 1 passed") == 1


def test_a_lock_file_is_installed_by_uv_and_where_that_fails_by_pip(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(prepare, "ROOT", ground)
    monkeypatch.setattr(prepare, "VENV", ground)
    monkeypatch.setattr(prepare, "BIN", ground)
    monkeypatch.setattr(prepare, "run", lambda *command, what: ran.append(what))
    (ground / "pyvenv.cfg").touch()
    (ground / "requirements").mkdir()
    for lock in ("without", "works", "fails"):
        (ground / "requirements" / f"{lock}.txt").write_text(lock)
    uv = ground / "uv"
    prepare.install("without")
    assert ran == ["installing requirements/without.txt"]
    for status, name in ((0, "works"), (3, "fails")):
        uv.write_text(f"#!/bin/sh\nexit {status}\n")
        uv.chmod(0o755)
        prepare.install(name)
    prepare.install("fails")  # it has its stamp
    assert ran == ["installing requirements/without.txt", "installing requirements/fails.txt"]


@pytest.mark.slow
def test_files_that_share_something_dear_are_done_by_one_worker(tmp_path: Path) -> None:
    """Each test tells which process it is done by; those of a file that is kept together come to one of the two."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "conftest.py")
    test = "import os, pathlib, pytest, time\n@pytest.mark.parametrize('n', range({}))\ndef test_it(n):\n    time.sleep(0.1)\n"
    test += "    with pathlib.Path(__file__).with_suffix('.txt').open('a') as file:\n        print(os.getpid(), file=file)\n"
    for name, count in (("ground/test_wheel.py", 3), ("ground/test_other.py", 9)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(test.replace("{}", str(count)))
    options = ["-q", "-n", "2", "--dist", "loadscope", "-c", os.devnull, "--rootdir", str(tmp_path), *SPARE]
    subprocess.run([sys.executable, "-m", "pytest", *options, str(tmp_path)], cwd=tmp_path, check=True, capture_output=True)
    together, apart = ((tmp_path / "ground" / name).read_text().split() for name in ("test_wheel.txt", "test_other.txt"))
    assert (len(together), len(apart)) == (3, 9)
    assert len(set(together)) == 1
    assert len(set(apart)) == 2  # whoever had those three takes of the others when they are done


def test_times_are_told_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(run_checks.BEGAN, "1000")
    monkeypatch.setattr("time.time", iter([1090.0, 1150.0, 1300.4]).__next__)
    clock = run_checks.Clock()
    clock.mark("checks")
    clock.mark("tests")
    assert str(clock) == "time: set-up 90 s, checks 60 s, tests 150 s; together 300 s of 600"


@pytest.mark.slow  # run_checks.py counts what was run against the same minimum
def test_collection_finds_at_least_the_minimum() -> None:
    """Collects everything, so that a folder that was silently not found, or an import that fails, shows here."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "not slow", "-p", "no:randomly"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-3000:]
    collected = re.findall(r"^(tests/[^:\n]+)::", said.stdout, re.MULTILINE)
    assert len(collected) >= run_checks.minimum()
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert folders == {name.rpartition("/")[0] for name in collected}
