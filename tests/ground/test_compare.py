"""The comparison with what one would pick instead: its arithmetic, that ours begin each group, that nobody is left out silently."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

import compare
from rivals import RIVALS, Pass, Rival


def made_up(decisions: int, seconds: float, games: int) -> Pass:
    """A pass that takes so much processor time, as far as the clock below says."""

    def run() -> tuple[int, float]:
        CLOCK[0] += seconds
        return decisions, games

    return run


ROOT = Path(__file__).resolve().parents[2]
CLOCK = [0.0]


def absent() -> Pass:
    raise ModuleNotFoundError("No module named 'other'")


def test_medians_ratios_and_the_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", lambda: CLOCK[0])
    rivals = (
        Rival("group", "Sandriver", "mine", lambda: made_up(1000, 0.01, 10)),
        Rival("group", "Other", "theirs", lambda: made_up(50, 0.001, 1)),
        Rival("group", "Absent", "theirs", absent),
    )
    (mine, theirs), missing = compare.measure(rivals, 3, 0.1)
    assert (mine["median"], mine["decisions_a_game"], mine["ours_times"]) == (100_000, 100.0, 1.0)
    assert (theirs["median"], theirs["decisions_a_game"], theirs["ours_times"]) == (50_000, 50.0, 2.0)
    assert missing == {"Absent: theirs": "No module named 'other'"}


def test_each_group_begins_with_ours() -> None:
    first: dict[str, str] = {}
    for rival in RIVALS:
        first.setdefault(rival.group, rival.library)
    assert set(first.values()) <= {"Sandriver", "Sandriver, PettingZoo"}
    assert len({(rival.group, rival.library, rival.game) for rival in RIVALS}) == len(RIVALS)


def test_who_is_not_installed_is_named_and_the_status_says_so() -> None:
    code = "import sys; sys.modules['rlcard'] = None; sys.path.insert(0, 'bench'); import compare; sys.exit(compare.main())"
    command = [sys.executable, "-c", code, "--quick", "--json", "--only", "limit-holdem"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert list(json.loads(done.stdout)["missing"]) == ["RLCard: limit-holdem"]
    assert done.stderr.startswith("NOT MEASURED RLCard: limit-holdem: ")


def test_the_training_example_says_what_it_needs() -> None:
    code = "import runpy, sys; sys.modules['numpy'] = None; runpy.run_path('examples/ppo.py', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code, "mandala"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'sandriver[rl,train]'" in done.stderr
