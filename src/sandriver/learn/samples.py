"""Turns to learn from, packed: NumPy arrays of what the network reads and of what it should answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sandriver.bots.mandala_net import CONTEXT, KINDS
from sandriver.extras import load
from sandriver.learn.selfplay import Turn

HELD_BACK = 20
"""Every game whose number is a multiple of this is not learned from, but tells how well was learned."""


class Samples(msgspec.Struct, frozen=True):
    """So many turns."""

    context: Any
    """float16, turns x ``CONTEXT``."""
    colours: Any
    """uint8, turns x (6 * ``COLOUR``): small counts and flags."""
    aims: Any
    """float32, turns x 2: what is to be learned, and how the game ended."""
    shares: Any
    """uint8, turns x (6 * ``KINDS``): how much each answer was searched (``selfplay.Turn``); nothing but 0: it is not known."""
    games: Any
    """int64, turns: the game's number."""

    def __len__(self) -> int:
        return len(self.games)


def pack(played: Iterable[tuple[int, list[Turn]]]) -> Samples:
    """Pack games, each with its number. Raises ``MissingExtra`` without NumPy."""
    np = load("numpy", "training", "train")
    context, colours, aims, shares, games = [], [], [], [], []
    for number, turns in played:
        if not turns:
            continue
        inputs = np.array([turn.inputs for turn in turns], dtype=np.float32)
        context.append(inputs[:, :CONTEXT].astype(np.float16))
        colours.append(inputs[:, CONTEXT:].astype(np.uint8))
        aims.append(np.array([(turn.aim, turn.won) for turn in turns], dtype=np.float32))
        searched = b"".join(turn.shares or bytes(6 * KINDS) for turn in turns)
        shares.append(np.frombuffer(searched, dtype=np.uint8).reshape(len(turns), 6 * KINDS))
        games.append(np.full(len(turns), number, dtype=np.int64))
    return Samples(*(np.concatenate(part) for part in (context, colours, aims, shares, games)))


def join(parts: Iterable[Samples]) -> Samples:
    """All turns of several lots."""
    np, lots = load("numpy", "training", "train"), list(parts)
    return Samples(*(np.concatenate([getattr(lot, name) for lot in lots]) for name in Samples.__struct_fields__))
