"""Two tables that differ only in what a viewer cannot know: snapshots and refusals are the same, byte for byte, in both games.

Whole sessions at such tables, with all that leaves a server, are compared in ``tests/server/test_twin_sessions.py``.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandriver import bots
from sandriver.games import GAMES
from sandriver.games.mandala.actions import ACTIONS
from sandriver.games.stones import STONES
from sandriver.tables.bot_driver import question
from sandriver.tables.commands import decide
from sandriver.tables.errors import Refusal
from sandriver.tables.hub import encode_frame
from sandriver.tables.wire import Act, OpenTable
from tests.games.mandala import test_view as mandala_view
from tests.games.stones import test_view as stones_view
from tests.oracles.stones_text import position_text
from tests.tables.tools import PERSON, MemoryStore, serving, started
from tests.tables.twins import pairs

PAIRS = int(os.environ.get("SANDRIVER_VIEW_PAIRS", "600"))
"""How many pairs of tables are compared, both games together; ``make campaign`` makes it 100,000."""
Pair = tuple[Any, Any, Any]
"""Options, a position, and one that looks the same."""


KINDS = [
    ("mandala", 2, 0),
    ("mandala", 2, 1),
    ("mandala", 2, None),
    ("stones", 2, 1),
    ("stones", 3, 0),
    ("stones", 4, 3),
    ("stones", 4, None),
]
"""Game, seats, the viewer's seat."""


def mandala_pairs(viewer: int | None, rng: random.Random, _seats: int) -> Iterator[Pair]:
    for position, _ in mandala_view.walk(rng, memory_aid=rng.random() < 0.5):
        other = mandala_view.twin(position, viewer, rng)
        if other is not None and rng.random() < 0.3:
            yield position.options, position, other


def stones_pairs(viewer: int | None, rng: random.Random, seats: int) -> Iterator[Pair]:
    for options, ply in stones_view.walk(rng.randrange(1000)):
        if len(ply.before["boards"]) == seats and rng.random() < 0.3:
            other = stones_view.redealt(ply.before, viewer, rng, open_below=set(), revealed=options.reveal_covered_patterns)
            one, two = (STONES.parse_position(position_text(position), options) for position in (ply.before, other))
            yield options, one, two


def actions(game: str, position: Any, rng: random.Random) -> list[str]:
    """Some that may be legal, and some that are not."""
    legal = [GAMES[game].format_action(action) for action in list(position.legal_actions)[:3]]
    other = [action.text for action in rng.sample(ACTIONS, 6)] if game == "mandala" else ["pA1b1", "zz", "c1", "pB2c3"]
    return [*legal, *other, "?", "-"]


@pytest.mark.parametrize(("game", "seats", "viewer"), KINDS)
async def test_no_byte_tells_what_cannot_be_known(tmp_path: Path, game: str, seats: int, viewer: int | None) -> None:
    rng = random.Random(f"{game} {seats} {viewer}")
    positions = (mandala_pairs if game == "mandala" else stones_pairs)(viewer, rng, seats)
    compared = different = refused = 0
    async with serving(tmp_path, MemoryStore(), games=GAMES) as service:
        table, _ = await started(service, OpenTable(game, (PERSON,) * seats))
        live = service._tables.get(table)
        base = live.state

        def look(options: Any, position: Any, texts: list[str]) -> list[bytes]:
            """Everything that the viewer gets of the table at this position, also for asking what is not allowed."""
            nonlocal refused
            live._state = state = replace(base, options=options, position=position, key=rng.randbytes(32))
            got = [encode_frame(live.snapshot(viewer))]
            for number, text in enumerate(texts):
                try:
                    decide(service._house, state, viewer or 0, Act(str(number), state.ply, text), "somebody", state.at + 1)
                    got.append(b"legal")
                except Refusal as refusal:
                    got.append(encode_frame(refusal.refused))
                    refused += 1
            return got

        for options, position, other in positions:
            texts = actions(game, position, rng)
            if viewer is None:
                texts = []  # who watches has nothing to send
            elif viewer != position.to_move:
                texts = texts[-4:]  # the legal ones are the mover's to know
            assert look(options, position, texts) == look(options, other, texts)
            compared += 1
            different += GAMES[game].format_position(position) != GAMES[game].format_position(other)
            if compared >= max(20, PAIRS // 6):
                break
    assert different > 0.9 * compared > 0
    assert refused > compared or viewer is None


@pytest.mark.parametrize(("game", "seats", "viewer"), [kind for kind in KINDS if kind[2] is not None])
def test_a_bot_does_the_same_where_it_sees_the_same(game: str, seats: int, viewer: int) -> None:
    """Every bot of a game, the searching ones too: asked with views that are equal to the byte and the same generator, it chooses alike.

    The two best levels are left out: they search as ``journeyman`` does, only longer.
    """
    rng, chosen = random.Random(f"{game} {viewer}"), 0
    named = [each.replace(":N", ":40") for each in bots.names(game) if not each.endswith("ms") and each not in ("master", "champion")]
    for pair in itertools.islice(pairs(game, viewer, rng, seats=seats, most=24), 2):
        for ply, (one, other) in enumerate(zip(*pair.played, strict=True)):
            if one.seat != viewer or one.before.forced is not None or ply % 3:
                continue
            states: list[Any] = [SimpleNamespace(game=GAMES[game], position=each.before, key=b"k" * 32, ply=ply) for each in (one, other)]
            for name in named:
                policy = bots.get(game, name)
                (view, legal, luck), (same, allowed, fortune) = (question(state, policy) for state in states)
                assert (msgspec.json.encode(view), legal) == (msgspec.json.encode(same), allowed)
                assert policy.choose(view, legal, luck) == policy.choose(same, allowed, fortune), f"{name}, ply {ply}"
                chosen += 1
    assert chosen >= 2 * len(named)
