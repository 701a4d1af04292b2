"""Each environment has its page, with the same sections, and tables that say what the encoding says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandriver.games import GAMES
from sandriver.games.chance import RandomChance
from sandriver.games.encoding import encoding_of
from sandriver.games.planes import table

PAGES = Path(__file__).parents[2] / "docs" / "environments"
SECTIONS = ["Observation", "Actions", "Rewards", "Usage", "Version history"]


@pytest.mark.parametrize("game", GAMES)
def test_a_page_for_each_game(game: str) -> None:
    page, encoding = (PAGES / f"{game}.md").read_text(encoding="utf-8"), encoding_of(game)
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == SECTIONS
    assert table(encoding.planes) in page
    assert f"{encoding.size} unsigned bytes, what one seat knows, plane by plane; version {encoding.version}." in page
    assert f"{encoding.actions} indices" in page
    assert encoding.action_table in page
    newest = re.findall(r"^\| (\d+) \| ", page.partition("## Version history")[2], re.MULTILINE)[-1]
    assert f"`sandriver.envs.{game}_v{newest}`" in page
    assert f"`sandriver/{game.capitalize()}-v{newest}`" in page


@pytest.mark.parametrize("game", GAMES)
def test_indices_are_as_the_page_says(game: str) -> None:
    """The first, the last and what lies between are named for each kind of action, without gaps."""
    rows = re.findall(r"^\| (\d+)(?:\.\.(\d+))? \|", encoding_of(game).action_table, re.MULTILINE)
    spans = [(int(first), int(last or first)) for first, last in rows]
    assert [first for first, _ in spans] == [0, *(last + 1 for _, last in spans[:-1])]
    assert spans[-1][1] == encoding_of(game).actions - 1


def test_positions_and_indices_translate() -> None:
    """What an index means in a position is the action whose index it is."""
    for game_id, game in GAMES.items():
        encoding, chance = encoding_of(game_id), RandomChance(1)
        position = game.start(game.parse_options({}), 2, 0, chance)
        while position.to_move is not None:
            legal = [index for index, flag in enumerate(encoding.mask(position)) if flag]
            actions = [encoding.action(position, index) for index in legal]
            assert actions == list(position.legal_actions)
            assert [encoding.index(position, action) for action in actions] == legal
            position = game.play(position, actions[len(actions) // 2], chance).after
