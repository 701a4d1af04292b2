"""What the tests of Mandala Stones share: the cases, the command called in this process or as one of its own, chance from a list."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.oracles.stones import KINDS, PATTERNS

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data"


def load(name: str) -> list[dict[str, Any]]:
    """The lines of a file of cases."""
    return [json.loads(line) for line in (DATA / "cases" / name).read_text(encoding="utf-8").splitlines()]


def by_id(lines: list[dict[str, Any]]) -> list[Any]:
    """Cases as parameters under their own names."""
    return [pytest.param(line, id=line["id"]) for line in lines]


class Answer:
    """What the command printed and how it ended."""

    def __init__(self, status: object, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    def lines(self) -> list[str]:
        assert (self.status, self.err) == (0, ""), self.err
        return self.out.splitlines()

    def json(self) -> Any:
        assert (self.status, self.err) == (0, ""), self.err
        return json.loads(self.out)

    def refusal(self) -> str:
        """The one line on standard error of exit status 2."""
        assert (self.status, self.out) == (2, ""), (self.status, self.out, self.err)
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.strip()


Run = Callable[..., Answer]


def process(*arguments: str) -> Answer:
    """Call the command as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-m", "sandriver", *arguments], capture_output=True, text=True, env=environment, timeout=60)
    return Answer(done.returncode, done.stdout, done.stderr)


class Listed:
    """Chance that brings the things of a list: 96 stones, four artists, cards; keeps the weights it was shown."""

    def __init__(self, things: Sequence[str], cards: Sequence[str]) -> None:
        self.left, self.cards = list(things), list(cards)
        self.seen: list[list[int]] = []

    def draw(self, weights: Sequence[int]) -> int:
        self.seen.append(list(weights))
        thing = self.left.pop(0)
        if thing in KINDS:
            return KINDS.index(thing)
        if thing in PATTERNS:
            return PATTERNS.index(thing)
        place = self.cards.index(thing)
        self.cards.pop(place)
        return place


class NoChance:
    """Mandala Stones has no chance after the set-up: asking for some is an error."""

    def draw(self, weights: Sequence[int]) -> int:
        raise AssertionError(f"chance asked for: {weights}")
