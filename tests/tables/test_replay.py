"""Replays: the same views as were seen, nobody's knowledge but one's own while the game runs, everybody's afterwards, records too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver.games import GAMES as ALL_GAMES
from sandriver.games.contract import Game
from sandriver.tables.errors import Refusal
from sandriver.tables.replay import Replay
from sandriver.tables.wire import Act, Answer, OpenTable, Propose, Resign
from tests.tables.tools import PERSON, TWO, ids, legal, play, serving, started
from tests.tables.toy import TOY

GAMES: dict[str, Game] = {**ALL_GAMES, "toy": TOY}
EVERY_TABLE = [(name, seats) for name in sorted(GAMES) for seats in GAMES[name].seat_counts]


@pytest.fixture
async def service(tmp_path: Path) -> Any:
    async with serving(tmp_path, games=GAMES) as service:
        yield service


def text_of(value: object) -> str:
    return msgspec.json.encode(value).decode()


def shown(view: Any) -> dict[str, Any]:
    """A view apart from what only who is to move gets in a running game."""
    return {name: value for name, value in msgspec.to_builtins(view).items() if name not in ("choices", "assist")}


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
async def test_a_replay_shows_what_each_viewer_saw(service: Any, game: str, seats: int) -> None:
    """Of a running game: frame by frame the very views and steps that the viewer was sent."""
    table, persons = await started(service, OpenTable(game, (PERSON,) * seats))
    seen: dict[str | None, list[Any]] = {viewer: [] for viewer in (*persons, None)}
    for _ in range(12):
        for viewer, views in seen.items():
            views.append(shown((await service.snapshot(table, viewer)).view))
        await play(service, table, persons, 1)
    for viewer, views in seen.items():
        replay = await service.replay(table, viewer)
        snapshot = await service.snapshot(table, viewer)
        by_ply = {frame.ply: frame for frame in replay.frames}
        assert [shown(by_ply[ply].view) for ply in range(12)] == views
        assert [frame.step for frame in replay.frames] == [step for step in snapshot.log if step.kind in ("started", "action")]
        assert replay.seen_as == snapshot.table.you
        assert (replay.table, replay.options) == (snapshot.table, snapshot.options)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
async def test_nobody_looks_through_others_eyes_while_a_game_runs(service: Any, game: str, seats: int) -> None:
    table, persons = await started(service, OpenTable(game, (PERSON,) * seats))
    await play(service, table, persons, 4)
    names = GAMES[game].seat_names[:seats]
    for seat, person in enumerate(persons):
        for wish in (*names, "all"):
            if wish == names[seat]:
                assert await service.replay(table, person, wish) == await service.replay(table, person)
                continue
            with pytest.raises(Refusal) as refusal:
                await service.replay(table, person, wish)
            assert (refusal.value.code, refusal.value.refused.rule) == ("forbidden", "running")
        assert (await service.replay(table, person, "spectator")).frames == (await service.replay(table, None)).frames
    for wish in (*names, "all"):
        with pytest.raises(Refusal, match="forbidden"):
            await service.replay(table, None, wish)
    for wrong in ("", "Q", "ALL", "0"):
        with pytest.raises(Refusal, match="bad_request: as"):
            await service.replay(table, persons[0], wrong)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
async def test_a_finished_game_opens_to_everybody(service: Any, game: str, seats: int) -> None:
    table, persons = await started(service, OpenTable(game, (PERSON,) * seats))
    await play(service, table, persons)
    own = [await service.replay(table, person) for person in persons]
    for seat, name in enumerate(GAMES[game].seat_names[:seats]):
        again = await service.replay(table, None, name)
        assert again.seen_as == seat
        assert [frame.view for frame in again.frames] == [frame.view for frame in own[seat].frames]
    everything = await service.replay(table, None, "all")
    assert everything.seen_as == "all"
    assert [frame.v for frame in everything.frames] == [frame.v for frame in own[0].frames]
    record = await service.replay_record(await service.record(table, None))
    assert [frame.view for frame in record.frames] == [frame.view for frame in everything.frames]
    assert [frame.step.events for frame in record.frames] == [frame.step.events for frame in everything.frames]
    assert record.table.winners == everything.table.winners
    assert record.table.ended_by == everything.table.ended_by
    if game != "toy":
        position = GAMES[game].parse_position
        options = GAMES[game].parse_options(everything.options)
        for frame in everything.frames:
            assert position(frame.view.notation, options).complete
    for wish in (*GAMES[game].seat_names[:seats], "spectator"):
        text = await service.record(table, None)
        assert [f.view for f in (await service.replay_record(text, wish)).frames] == [
            f.view for f in (await service.replay(table, None, wish)).frames
        ]


async def test_before_the_game_there_is_nothing_to_see(service: Any) -> None:
    table = await service.open_table("somebody", TWO)
    assert (await service.replay(table, None)).frames == ()
    with pytest.raises(Refusal, match="unknown_table"):
        await service.replay("sandrver2345", None)


async def test_who_gave_up_is_part_of_it_and_talk_is_not(service: Any) -> None:
    table, persons = await started(service)
    await play(service, table, persons, 3)
    await service.command(table, persons[0], Propose("d", "draw", 3))
    await service.command(table, persons[1], Resign("r"))
    for replay in (await service.replay(table, None), await service.replay_record(await service.record(table, None))):
        assert [frame.step.kind for frame in replay.frames] == ["started", "action", "action", "action", "resigned"]
        assert [frame.ply for frame in replay.frames] == [0, 1, 2, 3, 3]
        assert replay.table.seats[1].resigned


async def test_what_was_taken_back_is_seen_to_be(service: Any) -> None:
    """The frames go on after an undone action: the version rises, the ply goes down."""
    table, persons = await started(service, OpenTable("mandala", (PERSON, PERSON), first=0))
    snapshot = await service.snapshot(table, persons[0])
    harmless = next(action for action in legal(snapshot) if action[0] == "f")
    await service.command(table, persons[0], Act(next(ids), 0, harmless))
    await service.command(table, persons[0], Propose("u", "undo", 1))

    (asked,) = (await service.snapshot(table, persons[1])).table.proposals
    await service.command(table, persons[1], Answer("a", "undo", asked.v, yes=True))
    replay: Replay = await service.replay(table, persons[0])
    assert [(frame.step.kind, frame.ply) for frame in replay.frames] == [("started", 0), ("action", 1), ("undone", 0)]
    assert text_of(shown(replay.frames[0].view)) == text_of(shown(replay.frames[2].view))


@pytest.mark.parametrize(
    ("text", "line"), [("", 0), ("nonsense", 1), ("Sandriver-Record: 1\n\n?\n", 0), ("Sandriver-Record: 99\n\nx\n", 1)]
)
async def test_a_record_that_is_none_is_refused_with_its_line(service: Any, text: str, line: int) -> None:
    with pytest.raises(Refusal) as refusal:
        await service.replay_record(text)
    assert (refusal.value.code, refusal.value.refused.rule) == ("bad_request", "record")
    assert refusal.value.refused.params["line"] == line


async def test_the_record_of_a_running_game_cannot_be_looked_at(service: Any) -> None:
    table, persons = await started(service, OpenTable("mandala", (PERSON, PERSON)))
    await play(service, table, persons, 3)
    with pytest.raises(Refusal, match="bad_request: record"):
        await service.replay_record(await service.record(table, persons[0]))
