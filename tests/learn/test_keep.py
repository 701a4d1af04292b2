"""``--keep`` of ``sandriver train`` and ``probe``: interrupted anywhere they go on to the same bytes; another plan's folder is refused."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandriver.bots import mandala_net
from sandriver.cli import main
from sandriver.learn import keep as keeping
from sandriver.learn import probe, report, train
from sandriver.learn.fit import Epoch
from sandriver.learn.keep import Keep, KeepError, head_of
from sandriver.learn.samples import Samples
from sandriver.learn.train import Generation, Plan

Captured = pytest.CaptureFixture[str]
TRAIN = ["train", "mandala", "--out", "{out}", "--games", "1", "--iterations", "1", "--match", "0", "--seed", "3"]
PROBE = ["probe", "mandala", "--against", "random", "--iterations", "1", "--games", "1", "--check", "2", "--final", "4", "--out", "{out}"]


class Fits:
    """In place of learning: weights that depend on all that is given, to the last bit; Ctrl-C comes in a fit of your choice."""

    def __init__(self) -> None:
        self.done, self.interrupted = 0, 0

    def __call__(
        self, samples: Samples, epochs: int, seed: int, heard: Callable[[Epoch], None], **given: Any
    ) -> tuple[list[float], list[Epoch]]:
        self.done += 1
        if self.done == self.interrupted:
            raise KeyboardInterrupt
        read = [getattr(samples, name).tobytes() for name in Samples.__struct_fields__]
        digest = hashlib.sha256(repr((read, epochs, seed, given)).encode()).digest()
        drawn = random.Random(digest)
        course = [Epoch(1, drawn.random(), drawn.random(), drawn.random(), drawn.random())]
        heard(course[0])
        return [(byte - 128) / 256 for byte in drawn.randbytes(mandala_net.SIZE)], course


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fits:
    made = Fits()
    monkeypatch.setattr(train, "fit", made)
    monkeypatch.setattr(probe, "fit", made)
    monkeypatch.setattr(report, "check_extra", lambda **_: None)
    monkeypatch.chdir(tmp_path)
    return made


def call(words: list[str], out: str, *more: str) -> int:
    return main([*(word.format(out=out) for word in words), *more])


def course(file: str) -> list[dict[str, object]]:
    """How the generations went, but for the time they took."""
    return [{name: value for name, value in one.items() if name != "seconds"} for one in json.loads(Path(file).read_text())["generations"]]


@pytest.mark.parametrize("words", [TRAIN, PROBE], ids=["train", "probe"])
def test_interrupted_in_any_generation_it_goes_on_to_the_same_bytes(words: list[str], fits: Fits, capsys: Captured) -> None:
    generations = 5  # more than are learned from at once
    assert call(words, "whole.net", "--generations", str(generations), "--json", "whole.json") == 0
    for wanted in (1, 5):
        fits.done, fits.interrupted = 0, wanted
        arguments = ("--generations", str(generations), "--keep", f"from-{wanted}", "--json", "parts.json")
        capsys.readouterr()
        assert call(words, "parts.net", *arguments) == 130
        how = "generation" if words is PROBE else f"{wanted - 1} of"
        err = capsys.readouterr().err.splitlines()[-1]
        after = f"generation {wanted - 1} of 5" if how == "generation" else f"{wanted - 1} of 5 generations"
        assert err == f"sandriver {words[0]}: stopped after {after}; the same command goes on from from-{wanted}"
        fits.interrupted = 0
        assert call(words, "parts.net", *arguments) == 0
        assert fits.done == generations + 1  # the interrupted one twice
        assert Path("parts.net").read_bytes() == Path("whole.net").read_bytes()
        assert course("parts.json") == course("whole.json")


def test_what_is_there_is_not_learned_again_and_more_generations_go_on(fits: Fits) -> None:
    assert call(TRAIN, "whole.net", "--generations", "4") == 0
    fits.done = 0
    for generations, learned in ((1, 1), (3, 3), (3, 3), (2, 3), (4, 4)):
        assert call(TRAIN, f"{generations}.net", "--generations", str(generations), "--keep", "kept") == 0
        assert fits.done == learned
    assert Path("4.net").read_bytes() == Path("whole.net").read_bytes()
    assert sorted(path.name for path in Path("kept").glob("*.npz")) == ["generation-3.npz", "generation-4.npz"]
    assert call([*TRAIN, "--start", "kept/generation-2.net"], "on.net", "--generations", "1") == 0


def test_games_of_a_probes_end_are_kept_as_well(fits: Fits, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    arguments = ("--generations", "1", "--keep", "kept", "--json", "kept.json", "--also", "apprentice", "--also-games", "2")
    assert call(PROBE, "a.net", *arguments) == 0
    told, best = capsys.readouterr().out, json.loads(Path("kept.json").read_text())["best"]
    names = sorted(path.name for path in Path("kept").glob("*.jsonl"))
    assert names == [f"also-{best}.jsonl", f"final-{best}.jsonl"]
    monkeypatch.setattr("sandriver.arena.crew.play_deal", lambda *_: pytest.fail("played again"))
    assert call(PROBE, "a.net", *arguments) == 0
    assert capsys.readouterr().out == told


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([*TRAIN, "--games", "2"], "made with games 1, not 2"),
        ([*TRAIN, "--seed", "4"], "made with seed 3, not 4"),
        ([*TRAIN, "--start", "ours"], "made from another start"),
        (PROBE, "made by sandriver train"),
    ],
)
def test_a_folder_of_another_plan_is_refused(words: list[str], reason: str, fits: Fits, capsys: Captured) -> None:
    assert call(TRAIN, "a.net", "--generations", "1", "--keep", "kept") == 0
    before = {path: path.read_bytes() for path in Path("kept").iterdir()}
    capsys.readouterr()
    assert call(words, "b.net", "--generations", "1", "--keep", "kept") == 2
    assert capsys.readouterr().err == f"sandriver {words[0]}: kept: what is kept there was {reason}\n"
    assert {path: path.read_bytes() for path in Path("kept").iterdir()} == before


def test_one_of_another_version_or_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(module: Any = None, name: str = "", value: object = None) -> None:
        with monkeypatch.context() as patch:
            if module:
                patch.setattr(module, name, value)
            Keep(tmp_path / "kept", head_of("train", Plan()), Generation, 2).__exit__(None, None, None)

    opened()
    opened()
    changes = ((keeping, "__version__", "9"), (mandala_net, "INPUTS", 99), (mandala_net, "SHAPES", {"out": (1,)}))
    for (module, name, value), reason in zip(
        changes, ("by version .* of Sandriver, not 9", "network that reads something else", "network of other layers"), strict=True
    ):
        with pytest.raises(KeepError, match=reason):
            opened(module, name, value)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _become_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.touch()


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda kept: _cut(kept / "course.json"), "kept/course.json: this is no course of a training"),
        (lambda kept: _cut(kept / "generation-2.net"), "the weights kept/generation-2.net are damaged: "),
        (lambda kept: _cut(kept / "generation-1.npz"), "kept/generation-1.npz is damaged"),
        (lambda kept: (kept / "generation-2.npz").unlink(), "kept/generation-2.npz is missing"),
        (lambda kept: (kept / "course.json").unlink(), "kept: the folder holds something else"),
        (_become_a_file, "kept: File exists"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(harm: Callable[[Path], object], reason: str, fits: Fits, capsys: Captured) -> None:
    assert call(TRAIN, "a.net", "--generations", "2", "--keep", "kept") == 0
    harm(Path("kept"))
    capsys.readouterr()
    assert call(TRAIN, "a.net", "--generations", "3", "--keep", "kept") == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"sandriver train: {reason}")


def test_only_one_process_has_a_folder(tmp_path: Path) -> None:
    head = head_of("train", Plan())
    with Keep(tmp_path / "kept", head, Generation, 2), pytest.raises(KeepError, match="another process is writing to it"):
        Keep(tmp_path / "kept", head, Generation, 2)
    with Keep(tmp_path / "kept", head, Generation, 2) as keep:
        assert keep.done == []


def test_a_full_disk_costs_no_generation_that_was_kept(fits: Fits, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Each of the three files of generation 2 in turn cannot be written: the first is kept, the same command goes on from it."""
    assert call(TRAIN, "whole.net", "--generations", "2") == 0
    write = Keep._write
    for name in ("generation-2.npz", "generation-2.net", "course.json"):

        def full(self: Keep[Any], file: str, writer: Callable[[Path], object], name: str = name) -> None:
            def torn(path: Path) -> None:
                writer(path)
                _cut(path)
                raise OSError(28, "No space left on device")

            write(self, file, torn if file == name and self.done else writer)

        folder = f"without-{name}"
        with monkeypatch.context() as patch:
            patch.setattr(Keep, "_write", full)
            assert call(TRAIN, "a.net", "--generations", "2", "--keep", folder) == 2
        assert capsys.readouterr().err.splitlines()[-1] == f"sandriver train: {folder}/{name}: No space left on device"
        assert call(TRAIN, "a.net", "--generations", "2", "--keep", folder) == 0
        assert Path("a.net").read_bytes() == Path("whole.net").read_bytes()


def test_without_keep_nothing_is_kept_and_that_is_said(fits: Fits, capsys: Captured) -> None:
    fits.interrupted = 1
    assert call(TRAIN, "a.net") == 130
    assert capsys.readouterr().err.splitlines()[-1] == "sandriver train: stopped; nothing is kept without --keep"


@pytest.mark.slow
def test_a_training_that_is_killed_again_and_again_ends_with_the_same_bytes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sandriver", "train", "mandala", "--games", "60", "--iterations", "8", "--epochs", "2", "--match", "0"]
    command += ["--generations", "4"]
    if importlib.util.find_spec("torch") is None:
        told = subprocess.run([*command, "--out", tmp_path / "a.net", "--keep", tmp_path / "kept"], capture_output=True, text=True)
        assert (told.returncode, (tmp_path / "kept").exists()) == (2, False)
        assert "training needs torch" in told.stderr
        return
    subprocess.run([*command, "--out", tmp_path / "whole.net"], check=True, capture_output=True)
    command += ["--out", str(tmp_path / "parts.net"), "--keep", str(tmp_path / "kept"), "--processes", "2"]
    for line in ("generation 1, epoch 1 ", "generation 3: 30 of", "generation 4, epoch 2 "):
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        assert any(line in heard for heard in process.stderr)
        process.kill()
        process.wait()
        process.stderr.close()
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "parts.net").read_bytes() == (tmp_path / "whole.net").read_bytes()
