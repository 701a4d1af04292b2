"""Count the lines of play from a position, and write ``tests/data/perft/GAME.json``: numbers that any implementation must reproduce.

``python tools/perft.py`` renews the file; ``python tools/perft.py mandala POSITION DEPTH --deal every`` counts one position. A *line* is a
sequence of actions together with the cards they dealt. Chance is fixed by a dealing rule, so that the counts stay small and exact (a game
that deals nothing after its set-up needs none):

- ``first``: every card dealt is the first colour in canonical order that can be dealt; ``last``: the last one;
- ``most``: the colour with the largest weight, the first of them on equal weights;
- ``every``: a line for each colour that can be dealt, card by card.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from sandriver import games  # noqa: E402
from sandriver.games.contract import Game  # noqa: E402

FOLDER = ROOT / "tests" / "data" / "perft"
RULES: dict[str, Callable[[Sequence[int]], int]] = {
    "first": lambda weights: next(i for i, weight in enumerate(weights) if weight),
    "last": lambda weights: max(i for i, weight in enumerate(weights) if weight),
    "most": lambda weights: list(weights).index(max(weights)),
}


class Ruled:
    """Chance that follows a dealing rule with one answer."""

    def __init__(self, rule: str) -> None:
        self.draw = RULES[rule]


class Branch:
    """Chance that goes down a given path, then takes the first possible outcome, and remembers the others."""

    def __init__(self, path: Sequence[int]) -> None:
        self.path = list(path)
        self._given = len(path)
        self._next = 0
        self.others: list[list[int]] = []

    def draw(self, weights: Sequence[int]) -> int:
        """Return the outcome of the path, extending it where it ends."""
        if self._next == len(self.path):
            possible = [index for index, weight in enumerate(weights) if weight]
            self.others += [[*self.path, other] for other in possible[1:]]
            self.path.append(possible[0])
        self._next += 1
        return self.path[self._next - 1]


def successors(game: Game, position: Any, deal: str) -> Iterator[Any]:
    """Yield the positions after every legal action, and with ``every`` after every deal."""
    for action in position.legal_actions:
        if deal != "every":
            yield game.play(position, action, Ruled(deal)).after
            continue
        paths: list[list[int]] = [[]]
        while paths:
            chance = Branch(paths.pop())
            yield game.play(position, action, chance).after
            paths += chance.others


def perft(
    start: Any, depth: int, follow: Callable[[Any], Iterator[Any]], write: Callable[[Any], str], over: Callable[[Any], bool]
) -> list[dict[str, Any]]:
    """Count by depth, 1 to ``depth``: ``lines`` of that length, how many of them end the game with their last action (``over``), the
    distinct ``positions`` they reach, and the ``digest`` of these (first 16 hex digits of the SHA-256 of the sorted position lines).

    Rules come in as functions, so that the tests can count with other rules. Equal positions are followed once and counted by their ways.
    """
    level: dict[str, tuple[Any, int]] = {write(start): (start, 1)}
    table = []
    for number in range(1, depth + 1):
        reached: dict[str, tuple[Any, int]] = {}
        for position, ways in level.values():
            for after in follow(position):
                line = write(after)
                reached[line] = (after, reached[line][1] + ways if line in reached else ways)
        level = reached
        ended = sum(ways for position, ways in level.values() if over(position))
        digest = hashlib.sha256("\n".join(sorted(level)).encode()).hexdigest()[:16]
        lines = sum(ways for _, ways in level.values())
        table.append({"depth": number, "lines": lines, "over": ended, "positions": len(level), "digest": digest})
    return table


def count(game: Game, line: str, options: dict[str, object], deal: str, depth: int) -> list[dict[str, Any]]:
    """Count a position of a game by the rules of the package."""
    start = game.parse_position(line, game.parse_options(options))
    return perft(
        start, depth, lambda position: successors(game, position, deal), game.format_position, lambda position: position.to_move is None
    )


def main() -> None:
    """Renew the files of all games, or print the counts of one position."""
    parser = argparse.ArgumentParser(description="Count lines of play.")
    parser.add_argument("game", nargs="?")
    parser.add_argument("position", nargs="?")
    parser.add_argument("depth", nargs="?", type=int, default=1)
    parser.add_argument("--deal", choices=[*RULES, "every"], default="first")
    asked = parser.parse_args()
    if asked.game and asked.position:
        for row in count(games.get(asked.game), asked.position, {}, asked.deal, asked.depth):
            sys.stdout.write(json.dumps(row) + "\n")
        return
    for path in sorted(FOLDER.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        game = games.get(path.stem)
        for case in data["cases"]:
            case["counts"] = count(game, case["position"], case["options"], case.get("deal", "first"), case["depth"])
        text = json.dumps(data, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)}: {len(data['cases'])} cases\n")


if __name__ == "__main__":
    main()
