"""Several processes: the same results in whatever order, errors told here, nobody left behind."""

from __future__ import annotations

import contextlib
import itertools
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from sandriver.arena import crew, play_match
from sandriver.arena.crew import CrewError, Setting, play_all
from sandriver.cli.main import main

ROOT = Path(__file__).resolve().parents[2]


class Falls:
    """A policy that plays the first legal action; in the deal that it is told to, it fails, or takes its process with it."""

    id, version, game = "falls", 1, None

    def __init__(self, how: str) -> None:
        self.how = how

    def choose(self, view: object, legal: Sequence[str], rng: random.Random) -> str:
        if self.how == "error":
            raise ZeroDivisionError("in its mind")
        if self.how == "odd error":
            raise OddError(1, 2)
        os.kill(os.getpid(), signal.SIGKILL)
        return legal[0]


class OddError(Exception):
    """An error that does not come back from a pickle."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"odd {one + two}")


def test_deals_are_shared_out_and_the_rest_is_ended_with_the_iterator() -> None:
    setting = Setting("mandala", 2, {}, (("random", "random"), ("random", "apprentice")))
    jobs = iter([(pairing, seed) for seed in range(100) for pairing in (0, 1)])
    played = play_all(setting, jobs, 2)
    seen = [next(played) for _ in range(9)]
    children = multiprocessing.active_children()
    assert len(children) == 2
    if sys.platform == "linux":  # no Ctrl-C reaches them from their first instruction on
        for child in children:
            status = dict(line.split(":\t") for line in Path(f"/proc/{child.pid}/status").read_text().splitlines())
            assert int(status["SigBlk"], 16) & 1 << signal.SIGINT - 1
    played.close()
    assert multiprocessing.active_children() == []
    assert len(list(jobs)) == 200 - 11  # one deal a process is under way, nothing is taken ahead
    assert {job for job, _ in seen} < {(pairing, seed) for pairing in (0, 1) for seed in range(6)}
    for (pairing, seed), deal in seen:
        assert (deal.seed, deal.bots[1].id) == (seed, ("random", "apprentice")[pairing])


@pytest.mark.parametrize(
    ("how", "error", "said"), [("error", ZeroDivisionError, "in its mind"), ("odd error", RuntimeError, "OddError: odd 3")]
)
def test_an_error_is_sent_to_who_asked(how: str, error: type[Exception], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)  # this process goes on to hear of Ctrl-C
    mine, its = multiprocessing.Pipe()
    mine.send((0, 0))
    crew._work(its, Setting("mandala", 2, {}, ((Falls(how), "random"),)))
    answer = mine.recv()
    assert (type(answer), str(answer)) == (error, said)


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [("error", ZeroDivisionError, "in its mind"), ("kill", CrewError, r"a process that played has ended unasked \(status -9\)")],
)
def test_what_goes_wrong_in_another_process_is_raised_here(how: str, error: type[Exception], said: str) -> None:
    started = multiprocessing.active_children()
    with pytest.raises(error, match=said):
        list(play_all(Setting("mandala", 2, {}, ((Falls(how), "random"),)), iter([(0, 0)]), 4))
    assert multiprocessing.active_children() == started


def test_a_process_that_dies_after_its_answer_is_missed() -> None:
    """Its answer has come, and the next deal cannot be sent any more: that is told as a crew's error, not as an output that is closed."""
    played = play_all(Setting("mandala", 2, {}, (("random", "random"),)), ((0, seed) for seed in itertools.count()), 2)
    next(played)
    for child in multiprocessing.active_children():
        child.kill()
        child.join()
    with pytest.raises(CrewError, match="has ended unasked"):
        list(played)
    assert multiprocessing.active_children() == []


def test_a_job_that_nobody_takes_is_no_error_of_its_own() -> None:
    mine, its = multiprocessing.Pipe()
    its.close()
    crew._send(mine, (0, 0))
    with pytest.raises((EOFError, ConnectionResetError)):
        mine.recv()


def test_the_command_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    real = crew._send

    def late(pipe: Connection, job: tuple[int, int]) -> None:
        if job[1] >= 2:  # not one of the first: its process has answered before
            for child in multiprocessing.active_children():
                child.kill()
                child.join()
        real(pipe, job)

    monkeypatch.setattr(crew, "_send", late)
    assert main(["arena", "mandala", "random", "random", "--games", "40", "--processes", "2"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"sandriver arena: a process that played has ended unasked \(status -9\)\n$", err)


def test_if_the_number_is_not_said_others_help_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def share_out(setting: Setting, pending: object, processes: int) -> object:
        asked.append(processes)
        yield from crew.play_all(setting, pending, 1)  # type: ignore[arg-type]

    monkeypatch.setattr(crew, "_share_out", share_out)
    monkeypatch.setattr(crew, "cores", lambda: 5)
    short = play_match("mandala", "random", "random", 4, processes=None)
    assert asked == []
    monkeypatch.setattr(crew, "ALONE", -1.0)
    assert play_match("mandala", "random", "random", 4, processes=None) == short
    assert asked == [5]


def test_ctrl_c_leaves_a_file_that_goes_on(tmp_path: Path) -> None:
    """A whole process group is interrupted in mid-match, as a terminal does it."""
    path = tmp_path / "k.jsonl"
    words = [
        sys.executable,
        "-m",
        "sandriver",
        "arena",
        "mandala",
        "random",
        "random",
        "--games",
        "4000",
        "--keep",
        str(path),
        "--processes",
        "2",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as match:
        while not path.exists() or path.read_bytes().count(b"\n") < 5:
            with contextlib.suppress(subprocess.TimeoutExpired):
                match.wait(0.02)
                break
        os.killpg(match.pid, signal.SIGINT)
        out, err = match.communicate(timeout=60)
    assert (match.returncode, out) == (130, "")
    lines = path.read_text().splitlines(keepends=True)
    assert all(line.endswith("\n") for line in lines)
    deals = [json.loads(line)["seed"] for line in lines[1:]]
    assert err == f"sandriver arena: stopped after {len(deals)} of 2000 deals; the same command goes on from {path}\n"
    assert len(deals) == len(set(deals)) >= 4
