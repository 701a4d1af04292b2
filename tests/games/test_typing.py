"""What a type checker knows of the library: a move keeps its game's types, and whoever names no game gets any."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandriver.games import mandala, stones

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
from sandriver import games
from sandriver.arena import play_match
from sandriver.games import mandala, stones
from sandriver.games.chance import RandomChance
from sandriver.games.contract import Transition
from sandriver.games.mandala import MANDALA
from sandriver.games.stones import STONES

one = mandala.Position.start(RandomChance(1))
reveal_type(one.play(one.legal_actions[0], RandomChance(1)).after)
reveal_type(one.replay("b1K>GGG").action)
reveal_type(MANDALA.play(one, one.legal_actions[0], RandomChance(1)).before)
other = stones.Position.start(RandomChance(1), seats=3)
reveal_type(other.play(other.legal_actions[0]).after)
reveal_type(STONES.replay(other, "sY").action)
reveal_type(games.get("mandala").replay(one, "b1K>GGG").after.scores)


def told(transition: Transition) -> str:
    return transition.move


class Last:
    id, version, game = "last", 1, "stones"

    def choose(self, view: object, legal: tuple[str, ...], rng: object) -> str:
        return legal[-1]


play_match("stones", "random", "apprentice", 2)
mandala.Position.start(RandomChance(1), mandala.Options())
"""


@pytest.mark.slow
def test_types_survive_a_move(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", str(tmp_path / "cache"), "program.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    found = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    told = [line.split('"')[1] for line in found if line.startswith("note: Revealed")]
    package = "sandriver.games"
    assert told == [
        f"{package}.mandala.rules.Position", f"{package}.mandala.actions.Action", f"{package}.mandala.rules.Position",
        f"{package}.stones.rules.Position", f"{package}.stones.actions.Action", "Any",
    ]  # fmt: skip
    errors = [line for line in found if line.startswith("error")]
    assert [line for line in errors if "Too many positional arguments" in line] == errors != []


@pytest.mark.parametrize("package", [mandala, stones], ids=["mandala", "stones"])
def test_signatures_can_be_read(package: object) -> None:
    """What ``help`` shows fits a screen, and setting up is alike in both games."""
    start = inspect.signature(package.Position.start)  # type: ignore[attr-defined]
    assert len(str(start)) < 160
    kinds = {name: parameter.kind for name, parameter in start.parameters.items()}
    assert list(kinds) == ["chance", "options", "seats", "first"]
    assert all(kinds[name] is inspect.Parameter.KEYWORD_ONLY for name in ("options", "seats", "first"))
