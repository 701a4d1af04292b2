# ruff: noqa: INP001 (a script beside the page that it feeds, not a package)
"""Plays a game with the real rules and writes what seat 0 would be sent, for the development page (dev/index.html).

Run from the repository's root: ``python web/dev/frames.py [seed]``. Building and growing are likelier than redrawing,
so that games look like games. Not part of the product.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import msgspec

from sandriver.games.chance import RandomChance
from sandriver.games.mandala import MANDALA


def choose(legal: list[str], rng: random.Random) -> str:
    """Pick like a hasty person: build mostly, grow sets, seldom redraw."""
    weights = [{"b": 6, "f": 2 * int(a[3:] or 1) if a[0] == "f" else 1, "d": 0.15, "c": 1}[a[0]] for a in legal]
    return rng.choices(legal, weights)[0]


def main(seed: int) -> None:
    """Write dev/frames.json beside this file."""
    rng = random.Random(seed)
    options = MANDALA.parse_options({})
    chance = RandomChance(seed)
    position = MANDALA.start(options, 2, 0, chance)
    table = {
        "id": "demo", "game": "mandala", "rules_version": 1, "state": "running", "you": 0,
        "seats": [{"kind": "person", "name": "Ana", "online": True}, {"kind": "person", "name": "Ben", "online": True}], "first": 0,
        "commitment": "0" * 64, "secret": None, "code": None, "ended_by": None, "winners": [], "rematch": {"asked_by": [], "table": None},
    }  # fmt: skip
    frames = []

    def view() -> object:
        return msgspec.to_builtins(MANDALA.view(position, 0, assist=True))

    first = {"t": "snapshot", "v": 4, "ply": 0, "table": table, "options": MANDALA.format_options(options), "view": view(), "log": []}
    frames.append(first)
    ply = 0
    while position.to_move is not None:
        seat = position.to_move
        legal = [MANDALA.format_action(a) for a in position.legal_actions]
        transition = MANDALA.play(position, MANDALA.parse_action(choose(legal, rng)), chance)
        heard = MANDALA.hear(transition, 0)
        position = transition.after
        ply += 1
        if position.outcome:
            table = {**table, "state": "over", "ended_by": position.outcome.reason, "winners": list(position.outcome.winners)}
        step = {"v": 4 + ply, "kind": "action", "seat": seat, "ply": ply, "move": heard.move, "events": msgspec.to_builtins(heard.events)}
        frames.append({"t": "update", "v": 4 + ply, "ply": ply, "step": step, "table": table, "view": view()})
    (Path(__file__).parent / "frames.json").write_text(json.dumps(frames))
    claims = [i for i, f in enumerate(frames) if f["view"]["phase"] == "claim" and f["view"]["to_move"] == 0]
    print(f"{len(frames)} frames; own claims at {claims}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
