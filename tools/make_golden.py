"""Write the golden playthroughs, ``tests/data/golden/GAME-NAME.txt``: whole seeded games with all that a change of the rules could change.

Run ``python tools/make_golden.py`` after a change that is meant, and read the diff. A playthrough shows at every ply the position, points,
legal actions, what changed in the view of each seat and of a spectator, the move, its events, and how each viewer heard it; now and then
the acting seat's choices with their consequences. The tests make the same text in memory and compare it line by line.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from sandriver import games  # noqa: E402
from sandriver.games.contract import Game, Transition  # noqa: E402

FOLDER = ROOT / "tests" / "data" / "golden"
CHOICES_EVERY = 12
"""Plies between two full listings of choices."""


@dataclass(frozen=True)
class Play:
    """One playthrough. ``habits`` weighs actions by the first letter of their notation (1 where it says nothing)."""

    game: str
    name: str
    seed: int
    seats: int = 2
    first: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    habits: Mapping[str, float] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file it is kept in."""
        return FOLDER / f"{self.game}-{self.name}.txt"


def low_stacks() -> dict[str, object]:
    """A ruleset of Mandala Stones in which the main board soon runs dry: lowest stacks, 24 stones."""
    rules: Any = games.get("stones").format_options(games.get("stones").parse_options({}))["ruleset"]
    rules |= {"name": "low stacks", "stones": rules["stones"] | {"per_pair": 3}, "board": rules["board"] | {"stack_height": 1}}
    return {"ruleset": rules}


PLAYS = (
    Play("mandala", "random", seed=1),
    Play("mandala", "lazy", seed=2, first=1, options={"exhaustion": "lazy", "memory_aid": True}, habits={"d": 0.3}),
    Play("mandala", "stall", seed=3, options={"stall_limit": 5}, habits={"d": 4.0}),
    Play("mandala", "build", seed=20, first=1, habits={"f": 0.05}),
    Play("mandala", "grow", seed=5, habits={"d": 0.1, "f": 2.0}),
    Play("stones", "two", seed=1, habits={"q": 0.4, "s": 40.0}),
    Play("stones", "three", seats=3, seed=2, first=1, options={"count_empty_as_height": True, "tiebreak": "most_stones_left"}),
    Play("stones", "four", seats=4, seed=3, first=3, options={"reveal_covered_patterns": True}, habits={"q": 0.5, "s": 20.0}),
    Play("stones", "stuck", seats=3, seed=4, first=2, options=low_stacks(), habits={"q": 0.6}),
)


class Luck:
    """Chance and choice from one seed. Uses ``random()`` only, whose sequence Python keeps for ever."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def draw(self, weights: Sequence[float]) -> int:
        """Return an index in proportion to ``weights``."""
        rest = self._random() * sum(weights)
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        return max(index for index, weight in enumerate(weights) if weight > 0)


def playthrough(play: Play) -> str:
    """Return the text of a playthrough."""
    return "\n".join(_lines(play)) + "\n"


def _lines(play: Play) -> Iterator[str]:
    game, luck, seats = games.get(play.game), Luck(play.seed), play.seats
    options = game.parse_options(play.options)
    yield f"Golden playthrough {play.game}-{play.name}, written by tools/make_golden.py; to be read as a diff."
    yield f"game {game.id}, rules {game.rules_version}, seed {play.seed}, first seat {play.first}"
    yield f"options {_json(game.format_options(options))}"
    position = game.start(options, seats, play.first, luck)
    viewers: list[int | None] = [*range(seats), None]
    seen: dict[int | None, dict[str, str]] = {viewer: {} for viewer in viewers}
    ply = 0
    while True:
        legal = [game.format_action(action) for action in position.legal_actions]
        yield ""
        yield f"=== ply {ply}"
        yield f"position {game.format_position(position)}"
        yield f"scores {' '.join(map(str, position.scores))}"
        yield f"legal {len(legal)} {' '.join(legal)}".rstrip()
        for viewer in viewers:
            yield from _view(game, position, viewer, seen, _json(legal))
        if position.to_move is None:
            yield f"outcome {_json(position.outcome)}"
            return
        if ply % CHOICES_EVERY == 0:
            assisted = msgspec.to_builtins(game.view(position, position.to_move, assist=True))
            yield from _choices(assisted.get("choices") or (), "")
        text = legal[luck.draw([play.habits.get(action[0], 1.0) for action in legal])]
        transition = game.play(position, game.parse_action(text), luck)
        yield from _transition(game, transition, viewers)
        position, ply = transition.after, ply + 1


def _choices(choices: Any, path: str) -> Iterator[str]:
    """Choices as a game lists them: one a line, under the names of the lists they stand in."""
    if isinstance(choices, dict):
        for name, inner in choices.items():
            yield from _choices(inner, f"{name} ")
    else:
        yield from (f"choice {path}{_json(choice)}" for choice in choices)


def _view(game: Game, position: Any, viewer: int | None, seen: dict[int | None, dict[str, str]], legal: str) -> Iterator[str]:
    """What changed in a view since the ply before, one path a line; the list of all legal actions is not written again."""
    name = _name(game, viewer)
    now = dict(_flat(msgspec.to_builtins(game.view(position, viewer)), ""))
    before, seen[viewer] = seen[viewer], now
    yield from (
        f"view {name} {path} = {'all legal actions' if value == legal else value}"
        for path, value in now.items()
        if before.get(path) != value
    )
    yield from (f"view {name} {path} gone" for path in before if path not in now)


def _transition(game: Game, transition: Transition, viewers: Sequence[int | None]) -> Iterator[str]:
    """The move with its events, and for each viewer what was heard differently."""
    yield f"move {transition.move}"
    told = [_json(event) for event in transition.events]
    yield from (f"event {event}" for event in told)
    for viewer in viewers:
        heard = game.hear(transition, viewer)
        events = [_json(event) for event in heard.events]
        yield f"heard {_name(game, viewer)} {heard.move}"
        yield from (f"heard {_name(game, viewer)} {event}" for event in events if event not in told)
        yield from (f"heard {_name(game, viewer)} not {event}" for event in told if event not in events)


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Leaves of JSON-able data with their paths; a list of plain values is one leaf."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list | tuple) and any(isinstance(inner, dict | list | tuple) for inner in value):
        for index, inner in enumerate(value):
            yield from _flat(inner, f"{path}.{index}")
    else:
        yield path, _json(value)


def _name(game: Game, viewer: int | None) -> str:
    return "spectator" if viewer is None else game.seat_names[viewer]


def _json(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Write every playthrough and say what changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for play in PLAYS:
        new = playthrough(play)
        old = play.path.read_text(encoding="utf-8") if play.path.exists() else None
        state = "unchanged" if old == new else "new" if old is None else "changed"
        play.path.write_text(new, encoding="utf-8")
        sys.stdout.write(f"{play.path.relative_to(ROOT)}: {state}, {new.count('=== ply') - 1} plies, {len(new) // 1024} kB\n")
    for path in sorted(set(FOLDER.glob("*.txt")) - {play.path for play in PLAYS}):
        sys.stdout.write(f"{path.relative_to(ROOT)}: no longer made, remove it\n")


if __name__ == "__main__":
    main()
