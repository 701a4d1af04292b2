"""Every command there is, at random, in virtual time: whatever people do, a table stays one that reloads, ends once and verifies."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from sandriver.tables.errors import Refusal
from sandriver.tables.live import Live
from sandriver.tables.log import Entry, Flagged, decode_entry, encode_entry
from sandriver.tables.verify import verify
from sandriver.tables.wire import Act, Answer, Claim, ClockPlan, OpenTable, Propose, Resign, Return, Say, SeatPlan
from tests.tables.test_clocks_live import Time
from tests.tables.tools import BOT, GAMES, PERSON, MemoryStore, fix_secrets, ids, serving, started, until

SEATS: tuple[tuple[SeatPlan, ...], ...] = ((PERSON, PERSON), (PERSON, PERSON, PERSON), (PERSON, BOT, PERSON), (BOT, PERSON))
KINDS = ["act"] * 12 + ["propose"] * 6 + ["answer"] * 8 + ["say", "claim", "claim", "return", "resign"]


def some_command(rng: random.Random, live: Any, seat: int) -> Any:
    """A command that makes sense more often than not."""
    state = live.state
    kind = "answer" if state.company.asked and rng.random() < 0.5 else rng.choice(KINDS)
    if seat in state.company.absent and rng.random() < 0.5:
        return Return(next(ids))
    if live.info(state, seat).undo and rng.random() < 0.3:
        return Propose(next(ids), "undo", state.ply)
    if kind == "act":
        actions = list(live.snapshot(seat).view.legal) or ["t"]
        return Act(next(ids), state.ply, rng.choice(actions))
    if kind == "propose":
        what: Any = rng.choice(["draw", "undo", "pause", "resume"])
        return Propose(next(ids), what, state.ply)
    if kind == "answer":
        asked = rng.choice(state.company.asked) if state.company.asked else None
        return Answer(
            next(ids),
            asked.what if asked else "draw",
            asked.v if asked else 1,
            rng.random() < (0.3 if asked and asked.what == "draw" else 0.8),
        )
    if kind == "say":
        return Say(next(ids), text="well") if rng.random() < 0.5 else Say(next(ids), "hello")
    if kind == "claim":
        to: Any = rng.choice(["win", *["bot"] * 9])
        return Claim(next(ids), state.to_move or 0, to)
    return Return(next(ids)) if kind == "return" or rng.random() < 0.95 else Resign(next(ids))


def shown(live: Live, seats: int) -> list[bytes]:
    return [live.snapshot_frame(viewer) for viewer in (None, *range(seats))]


@pytest.mark.parametrize("part", range(3))
async def test_tables_stay_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """And in each part nearly everything happens, so that this can be relied on."""
    fix_secrets(monkeypatch)
    kinds: Counter[str] = Counter()
    for seed in range(part * 16, part * 16 + 16):
        kinds += await _some_table(tmp_path, seed)
    usual = {kind.__name__ for kind in get_args(Entry)} - {"Filled", "Rematch"}
    assert kinds.keys() <= usual
    assert len(kinds) >= len(usual) - 1, usual - kinds.keys()


async def _some_table(tmp_path: Path, seed: int) -> Counter[str]:
    rng, time = random.Random(seed), Time()
    plans = SEATS[seed % len(SEATS)]
    clock = (None, ClockPlan(60, 3), ClockPlan(20, kind="per_move"))[seed // 4 % 3]
    async with serving(tmp_path, MemoryStore(), now=time) as service:
        table, _ = await started(service, OpenTable("toy", plans, {"limit": 30}, None, clock))
        live = service._tables.get(table)
        people = {seat: state.person for seat, state in enumerate(live.state.seats) if state is not None and state.person is not None}
        for _ in range(400):
            await until(lambda: live.state.bot_to_move is None)
            if live.state.over:
                break
            time.passes(rng.choice([0, 0.2, 1, 2]) if rng.random() < 0.98 else rng.choice([15, 35, 700]))
            seat = rng.choice([live.state.to_move if live.state.to_move in people else rng.choice(list(people)), rng.choice(list(people))])
            command = some_command(rng, live, seat)
            if clock is None and rng.random() < 0.1:
                time.passes(150)
                command = Claim(next(ids), live.state.to_move or 0, "bot")
            try:
                ack = await service.command(table, people[seat], command)
            except Refusal as refusal:
                assert refusal.code not in ("try_again", "unknown_table", "bad_request") or refusal.refused.rule in ("to", "seat")  # noqa: PT017
            else:
                assert ack.v <= live.v
            if clock is not None:
                assert live.state.clock is not None
                assert all(left >= 0 for left in live.state.clock.left)
            if rng.random() < 0.15:
                again = Live(table, GAMES, time)
                again.load(live.rows)
                again.names = live.names
                assert shown(again, len(plans)) == shown(live, len(plans))
                assert again.answers == live.answers
                assert again.state == live.state
        await until(lambda: live.state.over or live.state.bot_to_move is None)
        moments = [row.at for row in live.rows]
        assert moments == sorted(moments)
        assert [row.terminal for row in live.rows].count(True) == live.state.over
        assert all(decode_entry(encode_entry(row.entry)) == row.entry for row in live.rows)
        if clock is None:
            assert not any(isinstance(row.entry, Flagged) for row in live.rows)
        if live.state.over:
            assert set(live.state.winners) == set(live.state.winners) - set(live.state.out)
            verified = verify(await service.record(table, None), GAMES)
            assert len(verified.transitions) == live.state.ply
            assert live.info(live.state, None).proposals == ()
        return Counter(type(row.entry).__name__ for row in live.rows)


async def test_logs_of_before_are_read(tmp_path: Path) -> None:
    """What was stored when there was no clock, consent or talk."""
    seat = '{"kind":"person","bot":null}'
    texts = (
        f'{{"kind":"opened","game":"toy","rules_version":3,"options":{{}},"seats":[{seat},{seat}],"owner":"a","secret":"0","commitment":"1"}}',
        '{"kind":"action","seat":1,"ply":3,"move":"t>a"}',
        '{"kind":"resigned","seat":0}',
    )
    opened, action, _ = [decode_entry(text) for text in texts]
    assert (getattr(opened, "clock", 0), getattr(opened, "chat", 0), getattr(action, "lag", 1)) == (None, "all", 0)
    assert [encode_entry(decode_entry(text)) for text in texts[1:]] == list(texts[1:])
