"""What is said about adding a game leaves out no file that the games have."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandriver.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "sandriver"
STEPS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Adding a game")[2]


@pytest.mark.parametrize("game", GAMES)
def test_every_file_of_a_game_is_named(game: str) -> None:
    own = [path for path in (SOURCE / "games" / game).iterdir() if path.suffix in {".py", ".pxd"} and path.stem != "__init__"]
    assert len(own) > 10
    named = [path.name for path in own]
    named += [f"bots/{path.name}" for path in (SOURCE / "bots").glob(f"{game}_*.py")]
    named += [f"envs/{path.name}" for path in (SOURCE / "envs").glob(f"{game}_*.py")]
    named += [f"docs/environments/{path.name}" for path in (ROOT / "docs" / "environments").glob(f"{game}.md")]
    assert len(named) > len(own) + 4
    named = [name.replace(game, "<game>") for name in named]
    assert [name for name in named if f"`{name}`" not in STEPS and f"`src/sandriver/games/<game>/{name}`" not in STEPS] == []


def test_every_list_that_is_named_is_there() -> None:
    for name, path in (("TASKS", "bench/envs.py"), ("TABLES", "tests/envs/test_batch.py"), ("NAMED", "tests/envs/test_interfaces.py")):
        assert f"`{name}`" in STEPS
        assert f"\n{name} = " in (ROOT / path).read_text(encoding="utf-8")
