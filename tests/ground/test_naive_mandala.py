"""The naive Mandala that the benchmark compares with plays by the same rules as the kernel."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from sandriver.games import GAMES
from sandriver.games.encoding import encoding_of

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

from naive_mandala import COLOURS, Action, Game


class Watched(Game):
    """Tells which cards were drawn."""

    def draw(self, to: list[str], count: int) -> None:
        before = len(to)
        super().draw(to, count)
        self.drawn = [*getattr(self, "drawn", []), *to[before:]]


def index_of(action: Action) -> int:
    kind, *rest = action
    colour = COLOURS.index(rest[0] if kind in {"claim", "redraw"} else rest[1])
    if kind == "build":
        return 6 * int(rest[0]) + colour
    if kind == "grow":
        return 12 + 42 * int(rest[0]) + 7 * colour + int(rest[2]) - 1
    return 144 + colour if kind == "claim" else 96 + 8 * colour + int(rest[1]) - 1


def test_plays_the_same_games_as_the_kernel() -> None:
    options = GAMES["mandala"].parse_options({})
    endings = set()
    for seed in range(40):
        rng = random.Random(seed)
        first = seed % 2
        game, walk = Watched(rng, first), encoding_of("mandala").walk(options, 2, first)
        prefer_redraws = seed % 8 == 0
        while True:
            for card in game.drawn:
                walk.deal(COLOURS.index(card))
            game.drawn = []
            assert not walk.owed
            legal = game.legal_actions()
            assert [i for i, flag in enumerate(walk.mask()) if flag and not game.over] == sorted(map(index_of, legal))
            assert walk.to_move == (None if game.over else game.turn)
            if game.over:
                break
            redraws = [action for action in legal if action[0] == "redraw"]
            action = rng.choice(redraws if prefer_redraws and redraws else legal)
            game.play(action)
            walk.play(index_of(action))
        assert [game.points(seat) for seat in (0, 1)] == [walk.state.score(seat) for seat in (0, 1)]
        assert tuple(game.winners()) == walk.winners
        endings.add((game.last, game.redraws == 20, any(len(player.river) == 6 for player in game.players)))
    assert len(endings) >= 3
