"""What a refusal says depends on nothing that its reader cannot know: the same commands in positions that differ only in that."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandriver.games import GAMES
from sandriver.tables.commands import decide
from sandriver.tables.errors import Refusal
from sandriver.tables.hub import encode_frame
from sandriver.tables.wire import Act, Command, Hurry, OpenTable, Ping, SeatPlan, Sync
from tests.games.mandala import test_view as mandala
from tests.games.stones import test_view as stones
from tests.oracles.stones_text import position_text
from tests.server.storm import frame
from tests.tables.tools import MemoryStore, serving, started

PAIRS, COMMANDS = 150, 60
Pair = tuple[Any, Any]
decoder = msgspec.json.Decoder(Command)


def mandala_pairs(viewer: int | None, rng: random.Random) -> Iterator[Pair]:
    """Positions of two seats that look the same to one of them."""
    for position, _ in mandala.walk(rng, memory_aid=rng.random() < 0.5):
        other = mandala.twin(position, viewer, rng)
        if rng.random() < 0.2 and other is not None:
            yield position, other


def stones_pairs(viewer: int | None, rng: random.Random) -> Iterator[Pair]:
    """The same of Mandala Stones, games of two."""
    for options, ply in stones.walk(rng.randrange(5)):
        if len(ply.before["boards"]) == 2 and rng.random() < 0.2:
            again = stones.redealt(ply.before, viewer, rng, open_below=set(), revealed=options.reveal_covered_patterns)
            one, other = (GAMES["stones"].parse_position(position_text(line), options) for line in (ply.before, again))
            yield one, other


MAKERS = {"mandala": mandala_pairs, "stones": stones_pairs}


def commands(rng: random.Random, legal: list[str], known: list[str]) -> Iterator[Any]:
    """Commands that can be read: right, wrong, of any kind, and every action that was ever legal somewhere."""
    count = 0
    while count < COMMANDS:
        if rng.random() < 0.5:
            count += 1
            yield Act(f"k{count}", 0, rng.choice(known))
            continue
        try:
            command = decoder.decode(frame(rng, legal, 0))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
        if not isinstance(command, Ping | Sync | Hurry):  # these are no matter of a position
            count += 1
            yield command


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", sorted(MAKERS))
async def test_refusals_tell_nothing(tmp_path: Path, game: str, seat: int) -> None:
    """Byte for byte, or carried out in both: for whoever is to move and for who is not."""
    rng = random.Random(f"{game} {seat}")
    refused: dict[str, int] = {}
    different = compared = 0
    async with serving(tmp_path, MemoryStore(), games=GAMES) as service:
        table, persons = await started(service, OpenTable(game, (SeatPlan("person"),) * 2))
        state, house = service._tables.get(table).state, service._house
        known: list[str] = ["zz"]
        for pair in MAKERS[game](seat, rng):
            legal = [state.game.format_action(action) for action in pair[0].legal_actions]
            known = [*known, *rng.sample(legal, min(5, len(legal)))][-300:]
            assert {type(each) for each in pair} == {type(pair[0])}
            different += state.game.format_position(pair[0]) != state.game.format_position(pair[1])
            worlds = [replace(state, position=position, options=position.options) for position in pair]
            mine = legal if pair[0].to_move == seat else []
            for command in commands(rng, mine, known):
                answers = []
                for world in worlds:
                    try:
                        decide(house, world, seat, command, persons[seat], world.at)
                    except Refusal as refusal:
                        refusal.belongs_to(command.id)
                        answers.append(encode_frame(refusal.refused))
                        code = refusal.refused.rule or refusal.code
                        refused[code] = refused.get(code, 0) + 1
                    else:
                        answers.append(b"carried out")
                assert answers[0] == answers[1], (command, *map(state.game.format_position, pair))
            compared += 1
            if compared == PAIRS:
                break
    assert different > 0.8 * compared
    assert len(refused) > 10, refused
    assert refused["not_your_turn"] > 100
