"""The script in docs/ that checks a record's shuffle without this program: right records pass in silence, everything else fails."""

from __future__ import annotations

import ast
import asyncio
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sandriver.games import GAMES
from sandriver.tables.wire import Act, OpenTable, Resign
from tests.tables.tools import BOT, PERSON, MemoryStore, ids, legal, serving, started

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # a script leaves its file to the end of its process
SCRIPT = Path(__file__).parents[2] / "docs" / "verify_record.py"
FULL_DECK = 88
"""Cards that are left for moves: a record with more went through the discard pile."""


async def game(folder: Path, seed: int, **options: Any) -> str:
    """The record of a random game: long ones, and ones with mandalas that nobody has a card at."""
    rng = random.Random(seed)
    async with serving(folder, MemoryStore(), games=GAMES) as service:
        seats = (PERSON, BOT) if seed % 4 == 0 else (PERSON, PERSON)
        table, persons = await started(service, OpenTable("mandala", seats, options, first=None if seed % 3 else seed % 2))
        while (snapshot := await service.snapshot(table, persons[seed % 2 % len(persons)])).table.state == "running":
            for person in persons:
                snapshot = await service.snapshot(table, person)
                actions = legal(snapshot)
                builds = [action for action in actions if action[0] == "b"]
                busy = [action for action in actions if action[0] != "d"]
                if actions:
                    choice = builds if builds and rng.random() < (seed % 5) / 4 else busy if busy and rng.random() < 0.8 else actions
                    await service.command(table, person, Act(next(ids), snapshot.ply, rng.choice(choice)))
                    break
            else:
                await asyncio.sleep(0.001)  # the bot's turn
            if seed % 7 == 6 and snapshot.ply > 30:
                await service.command(table, persons[0], Resign(next(ids)))
        return await service.record(table, None)


def verdict(folder: Path, text: str) -> str:
    """What the script says of a record; empty: all is right. Run here, since a process for each of many records takes long."""
    path = folder / "game.txt"
    path.write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(SCRIPT), str(path)])
        try:
            exec(compile(SCRIPT.read_text(), SCRIPT, "exec"), {"__name__": "__main__"})  # it is ours
        except Exception as fault:  # noqa: BLE001  # whatever ends it
            return f"{type(fault).__name__}: {fault}"
    return ""


def verdict_of_process(folder: Path, text: str) -> str:
    """The same from the script itself, as people start it."""
    path = folder / "game.txt"
    path.write_text(text)
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True)
    assert (done.returncode == 0) == (not done.stderr)
    assert done.stdout == ""
    return done.stderr


async def test_records_of_real_games_pass(tmp_path: Path) -> None:
    through_the_pile = 0
    for seed in range(20):
        text = await game(tmp_path, seed, exhaustion="lazy" if seed % 2 else "eager")
        assert verdict(tmp_path, text) == "", text
        through_the_pile += sum(len(move.partition(">")[2]) for move in text.splitlines()) > FULL_DECK
    assert through_the_pile >= 4


async def test_whatever_is_changed_is_found(tmp_path: Path) -> None:
    text = await game(tmp_path, 8)
    assert verdict(tmp_path, text) == verdict_of_process(tmp_path, text) == ""
    tampered = {
        "secret": re.sub(r"(Secret: .*)(.)", lambda found: found[1] + ("0" if found[2] != "0" else "1"), text),
        "commitment": re.sub(r"(Commitment: )(.)", lambda found: found[1] + ("0" if found[2] != "0" else "1"), text),
        "nonce": re.sub(r"(Nonce A: )(.)", lambda found: found[1] + ("0" if found[2] != "0" else "1"), text),
        "nonce of the bot": re.sub(r"(Nonce B: )(.)", lambda found: found[1] + ("0" if found[2] != "0" else "1"), text),
        "table": re.sub(r"(Table: )(.)", lambda found: found[1] + ("b" if found[2] != "b" else "c"), text),
        "first": text.replace("First: A", "First: C").replace("First: B", "First: A").replace("First: C", "First: B"),
        "start": re.sub(r"(\n\n.)(\d)", lambda found: found[1] + ("1" if found[2] != "1" else "2"), text),
        **{f"move {n}": changed for n, changed in enumerate(other_deals(text))},
    }
    assert len(tampered) > 20
    for what, changed in tampered.items():
        assert changed != text, what
        assert "Error" in verdict(tmp_path, changed), what
    assert "Error" in verdict_of_process(tmp_path, changed)


def other_deals(text: str) -> list[str]:
    """The record with one dealt card changed, each in turn."""
    places = [found.end() - 1 for found in re.finditer(r"(?m)^[bcdf]\S*>[KGPYOR]+", text)]
    return [text[:place] + ("K" if text[place] != "K" else "G") + text[place + 1 :] for place in places]


@pytest.mark.parametrize("most", [30])
def test_it_is_short_and_needs_nothing(most: int) -> None:
    """Whoever wants to trust it can read it."""
    tree = ast.parse(SCRIPT.read_text())
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules == {"hashlib", "hmac", "sys"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    lines = [line for line in SCRIPT.read_text().splitlines() if line and not line.startswith(("#", "import", '"""'))]
    assert len(lines) <= most
