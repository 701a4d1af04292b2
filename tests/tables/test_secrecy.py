"""Nothing that a viewer gets depends on what the viewer cannot know: every frame, snapshot, refusal and record, byte for byte."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path
from typing import Any

import pytest

from sandriver.games import GAMES as ALL_GAMES
from sandriver.games.contract import Game
from sandriver.tables import chance
from sandriver.tables.errors import Refusal
from sandriver.tables.hub import encode_frame
from sandriver.tables.log import Action
from sandriver.tables.wire import Act, Answer, Claim, ClockPlan, OpenTable, Propose, Rematch, Resign, Say, What
from tests.tables.tools import PERSON, MemoryStore, fix_secrets, legal, serving, started
from tests.tables.toy import TOY

GAMES: dict[str, Game] = {**ALL_GAMES, "toy": TOY}


async def _captured(service: Any, table: str, persons: list[str], plies: int, seed: int) -> tuple[list[bytes], list[str]]:
    """Everything that all viewers get while a game runs for so many plies, and the secrets of that table."""
    rng = random.Random(seed)
    viewers = [*persons, None]
    heard: list[bytes] = []
    subscriptions = [await service.subscribe(table, viewer) for viewer in viewers]
    live = service._tables.get(table)
    for _ in range(plies):
        mover = live.state.to_move
        if mover is None:
            break
        actions = list(live.snapshot(mover).view.legal)
        for person in persons:
            for number, action in enumerate(("t", "pa", "b1R", "zzz", rng.choice(actions))):
                if person != persons[mover] or action not in actions:
                    with pytest.raises(Refusal) as caught:
                        await service.command(table, person, Act(f"{live.v}.{number}", live.state.ply, action))
                    heard.append(encode_frame(caught.value.refused))
        await service.command(table, persons[mover], Act(f"{live.v}", live.state.ply, rng.choice(actions)))
        for subscription in subscriptions:
            heard += subscription._frames
            subscription._frames.clear()
        heard += [(await service.record(table, viewer)).encode() for viewer in viewers]
        heard += [encode_frame(await service.snapshot(table, viewer)) for viewer in viewers]
    for subscription in subscriptions:
        subscription.close()
    rows = await service._store.rows(table)
    return heard, [rows[0].entry.secret, live.state.key.hex(), *(row.entry.nonce for row in rows[1:3]), *persons]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_no_secret_in_anything(tmp_path: Path, game: str) -> None:
    async with serving(tmp_path, games=GAMES) as service:
        table, persons = await started(service, OpenTable(game, (PERSON, PERSON)))
        running, secrets = await _captured(service, table, persons, 14, 1)
        assert service._tables.get(table).state.phase == "running"
        assert len(running) > 150
        for frame in running:
            assert not any(secret.encode() in frame for secret in secrets)


async def test_every_toy_token_that_is_shown_may_be_seen(tmp_path: Path) -> None:
    """In what spectators and the other seat hear, a token is named only where it was put on the table."""
    async with serving(tmp_path) as service:
        table, persons = await started(service)
        spectator, second = await service.subscribe(table, None), await service.subscribe(table, persons[1])
        rng = random.Random(3)
        for _ in range(12):
            live = service._tables.get(table)
            mover = live.state.to_move
            assert mover is not None
            await service.command(table, persons[mover], Act(f"{live.v}", live.state.ply, rng.choice(legal(live.snapshot(mover)))))
        for subscription, seats in ((spectator, (0, 1)), (second, (0,))):
            for frame in list(subscription._frames):
                text = frame.decode()
                for seat in seats:
                    assert not re.search(rf'"taken","seat":{seat},"token":"[abc]"', text)
                    assert re.search(rf'"hands":\[{"[^,]*," * seat}"\?', text) or '"view":null' in text


@pytest.mark.parametrize("viewer", [0, 1, None])
async def test_frames_depend_only_on_what_the_viewer_may_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, viewer: int | None) -> None:
    """Play the same public moves with different secrets: as long as what a viewer may know is equal, so is every byte."""
    by_knowledge: dict[Any, tuple[int, list[bytes]]] = {}
    compared = 0
    fix_secrets(monkeypatch)
    monkeypatch.setattr("sandriver.tables.chance.commitment", lambda secret: "cc" * 32)
    for number in range(60):
        secret = f"{number:064x}"
        monkeypatch.setattr(chance, "new_secret", lambda secret=secret: secret)
        counter = itertools.count()
        async with serving(tmp_path, MemoryStore()) as service:
            monkeypatch.setattr("sandriver.tables.people.secrets.token_hex", lambda size, counter=counter: f"{next(counter):016x}")
            table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0, clock=ClockPlan(60, 1)))
            who = None if viewer is None else persons[viewer]
            subscription = await service.subscribe(table, who)
            await _keep_company(service, table, persons, f"word {number}" if viewer is None else "hello")
            for ply in range(4):
                await service.command(table, persons[ply % 2], Act(str(ply), ply, "t"))
            live = service._tables.get(table)
            hands = live.state.position.hands
            actions = [row.entry for row in live.rows if isinstance(row.entry, Action)]
            dealt = tuple(action.move for action in actions if action.seat == viewer)
            known = (None if viewer is None else hands[viewer], dealt)
            got = [*subscription._frames, (await service.record(table, who)).encode(), encode_frame(await service.snapshot(table, who))]
            got = [re.sub(rb"Date: .*", b"", frame) for frame in got]
            commands: list[Any] = [Act("x", 1, "t"), Rematch("z"), *([Act("y", 4, "pq")] if viewer == 0 else [])]
            commands += [Propose("u", "undo", 4), Answer("v", "draw", 1, True), Claim("w", 0 if viewer else 1, "win")]
            for command in commands:
                with pytest.raises(Refusal) as caught:
                    await service.command(table, who or "nobody", command)
                got.append(encode_frame(caught.value.refused))
            if known in by_knowledge:
                other, before = by_knowledge[known]
                assert got == before, f"secrets {other} and {number} look different"
                compared += hands != () and other != number
            else:
                by_knowledge[known] = (number, got)
    assert compared >= 10


async def _keep_company(service: Any, table: str, persons: list[str], words: str) -> None:
    """Whatever people do besides acting; a spectator hears that they talk, not what."""
    for person in persons:
        await service.command(table, person, Say(f"said {person}", text=words))
    questions: tuple[tuple[What, bool], ...] = (("draw", False), ("pause", True), ("resume", True))
    for what, yes in questions:
        v = (await service.command(table, persons[0], Propose(f"ask {what}", what, 0))).v
        await service.command(table, persons[1], Answer(f"answer {what}", what, v, yes))


async def test_the_secret_is_revealed_at_the_end_and_fits(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service)
        before = (await service.snapshot(table, None)).table
        assert before.secret is None
        spectator = await service.subscribe(table, None)
        await service.command(table, persons[0], Resign("r"))
        after = (await service.snapshot(table, None)).table
        assert after.secret is not None
        assert chance.commitment(after.secret) == before.commitment
        assert after.secret.encode() in spectator._frames[-1]
