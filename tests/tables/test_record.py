"""Records: the text and its round trip, what a running game's record holds back, and what ``verify`` finds."""

from __future__ import annotations

import argparse
import io
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandriver.cli import verify as command
from sandriver.games import GAMES as ALL_GAMES
from sandriver.games.contract import Game
from sandriver.tables.errors import RecordError
from sandriver.tables.record import Record, RecordSeat, Result, format_record, parse_record
from sandriver.tables.verify import verify
from sandriver.tables.wire import OpenTable, Resign
from tests.tables.tools import BOT, PERSON, TWO, MemoryStore, fix_secrets, people, play, serving, started
from tests.tables.toy import TOY

GAMES: dict[str, Game] = {**ALL_GAMES, "toy": TOY}


@pytest.fixture
async def service(tmp_path: Path) -> Any:
    async with serving(tmp_path, games=GAMES) as service:
        yield service


@pytest.mark.parametrize(("game", "seats"), [(name, seats) for name in sorted(GAMES) for seats in GAMES[name].seat_counts])
@pytest.mark.parametrize("first", [None, 1])
async def test_a_finished_game_verifies(service: Any, game: str, seats: int, first: int | None) -> None:
    table, persons = await started(service, OpenTable(game, (PERSON,) * seats, first=first))
    await play(service, table, persons)
    texts = {await service.record(table, viewer) for viewer in (*persons, None)}
    (text,) = texts
    verified = verify(text, GAMES)
    snapshot = await service.snapshot(table, None)
    assert len(verified.transitions) == snapshot.ply
    assert verified.record.result is not None
    assert verified.record.result.winners == snapshot.table.winners
    record = verified.record
    assert verified.transitions[-1].after == verified.end
    assert record == parse_record(text) == parse_record("\ufeff" + text) == parse_record(text.replace("\n", "\r\n"))
    assert format_record(record) == text


async def test_a_resigned_game_verifies(service: Any) -> None:
    table, persons = await started(service)
    await play(service, table, persons, 5)
    await service.command(table, persons[1], Resign("r"))
    text = await service.record(table, None)
    assert re.search(r"^Result: X resigned \d+/\d+$", text, re.MULTILINE)
    assert len(verify(text, GAMES).transitions) == 5
    with pytest.raises(RecordError, match="after the last move the result is"):
        verify(re.sub(r"resigned \d+/", "resigned 99/", text), GAMES)


async def test_a_running_game_keeps_its_secrets(service: Any) -> None:
    (ana,) = await people(service, "Ana")
    table = await service.open_table(ana, TWO)
    assert (await service.record(table, ana)).endswith("Result: *\nView: spectator\n\n?\n")
    table, persons = await started(service)
    await play(service, table, persons, 6)
    log = await service._store.rows(table)
    secrets = [log[0].entry.secret, *(row.entry.nonce for row in log[1:3]), log[3].entry.position]
    for viewer in (*persons, None):
        text = await service.record(table, viewer)
        record = parse_record(text)
        assert format_record(record) == text
        assert not any(secret in text for secret in secrets)
        snapshot = await service.snapshot(table, viewer)
        assert list(record.moves) == [step.move for step in snapshot.log if step.kind == "action"]
        with pytest.raises(RecordError, match="not revealed"):
            verify(text, GAMES)
    spectator = parse_record(await service.record(table, None))
    assert all(">" not in move or move == "t>?1" for move in spectator.moves)
    assert any(move == "t>?1" for move in spectator.moves)


@pytest.fixture
async def finished(service: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same finished game every time."""
    fix_secrets(monkeypatch)
    table, persons = await started(service, OpenTable("toy", (PERSON, PERSON), first=0), nonces=("01" * 16, "02" * 16))
    await play(service, table, persons, seed=3)
    text: str = await service.record(table, None)
    return text


async def test_every_change_is_found_and_named(finished: str) -> None:
    lines = finished.splitlines()
    start = lines.index("") + 1
    harmless = ("Date", "Seat", "Options")  # another limit that was not reached either makes the same game
    for number, line in enumerate(lines, 1):
        if line.startswith(harmless) or not line:
            continue
        for changed in _changes(line, number > start + 1):
            text = "\n".join([*lines[: number - 1], changed, *lines[number:]]) + "\n"
            with pytest.raises(RecordError) as caught:
                verify(text, GAMES)
            if number > start + 1:
                assert caught.value.line >= number or "after the last move" in str(caught.value), f"{line} -> {changed}: {caught.value}"
    for number in range(start + 1, len(lines)):
        with pytest.raises(RecordError):
            verify("\n".join([*lines[:number], *lines[number + 1 :]]), GAMES)
        with pytest.raises(RecordError):
            verify("\n".join([*lines[:number], lines[number], *lines[number:]]), GAMES)


async def test_an_empty_chance_may_be_written_or_left_out(tmp_path: Path) -> None:
    async with serving(tmp_path, MemoryStore(), games=GAMES) as service:
        table, persons = await started(service, OpenTable("mandala", (PERSON, PERSON)))
        await play(service, table, persons)
        text = await service.record(table, None)
    claims = re.findall(r"(?m)^c.$", text)
    assert claims
    assert verify(text.replace(f"\n{claims[0]}\n", f"\n{claims[0]}>\n"), GAMES).end == verify(text, GAMES).end


def _changes(line: str, move: bool) -> list[str]:
    if move:
        return [other for other in ("t>a", "t>b", "t>c", "t", "pa", "pb", "pc", "zz", line + ">", line + " ") if other != line]
    flipped = re.sub(r"[0-9a-c](?=[^0-9a-c]*$)", lambda m: "1" if m[0] != "1" else "2", line)
    return [other for other in {flipped, line + "0", line.upper(), line[: len(line) // 2]} if other != line]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (r"Record: 1", "Record: 2", 1, "format 1"),
        (r"Game: toy", "Game: chess", 4, "does not know the game 'chess'"),
        (r"Rules: 3", "Rules: 2", 5, "rules version 2, this program has 3"),
        (r"Options: .*", 'Options: {"limit":0}', 6, "no such option"),
        (r"Options: .*", "Options: {limit}", 6, "bad JSON"),
        (r"Options: .*", 'Options: {"limit":' + "[" * 50_000 + "]" * 50_000 + "}", 6, "nested too deeply"),
        (r"Seat Y", "Seat Q", 7, "not the seats of this game"),
        (r"First: X", "First: Y", 16, "the committed shuffle deals another start"),
        (r"First: X fixed", "First: Y drawn", 9, "the committed shuffle lets seat X begin"),
        (r"Commitment: .", "Commitment: g", 10, "bad value"),
        (r"Secret: .*", "Secret: " + "0" * 64, 10, "not the SHA-256"),
        (r"Nonce X: .*\n", "", 0, "the nonce of a seat is missing"),
        (r"Nonce X", "Nonce Q", 11, "there is no seat 'Q'"),
        (r"Nonce X: .*", "Nonce X: " + "0" * 32, 16, "the committed shuffle deals another start"),
        (r"Table: .*", "Table: aaaaaaaaaaaa", 16, "the committed shuffle deals another start"),
        (r"Result: .*", "Result: X,Y limit 1/1", 14, "after the last move the result is"),
        (r"Result: .*", "Result: Q limit 1/1", 14, "there is no seat 'Q'"),
        (r"Date: .*", "Dato: 1", 3, "unknown header 'Dato'"),
        (r"Date: .*", "hello", 3, "not a header"),
        (r"Date: .*", "Table: aaaaaaaaaaaa", 3, "stands twice"),
        (r"\n\n", "\n", 15, "not a header"),
        (r"\n\n[^$]*", "\n\n", 0, "start position is missing"),
    ],
)
async def test_one_clear_line(finished: str, old: str, new: str, line: int, message: str) -> None:
    changed = re.sub(old, new, finished, count=1)
    if old == "Seat Y":
        changed = re.sub(r"(Nonce|Result:) Y", r"\1 Q", changed)
    assert changed != finished
    with pytest.raises(RecordError, match=re.escape(message)) as caught:
        verify(changed, GAMES)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
hexes = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(
    record=st.builds(
        Record,
        table=st.text("abc234", min_size=1, max_size=12),
        date=st.just("2026-11-29T22:52:01Z"),
        game=st.sampled_from(["toy", "a_game"]),
        rules_version=st.integers(0, 999),
        options=st.dictionaries(names, st.integers(0, 9) | st.booleans() | names, max_size=3),
        seats=st.tuples(names, names).map(lambda two: (RecordSeat("X", "person", two[0], "ab" * 16), RecordSeat("Y", "open", two[1]))),
        commitment=hexes,
        first=st.none() | st.integers(0, 1),
        secret=st.none() | hexes,
        result=st.none() | st.builds(Result, st.just((0, 1)), st.just("limit"), st.tuples(st.integers(0, 99), st.integers(0, 99))),
        view=st.none() | st.just("X"),
        start=st.none() | st.just("a b c"),
        moves=st.lists(st.sampled_from(["t>a", "t>?1", "pc"]), max_size=5).map(tuple),
    )
)
def test_round_trip(record: Record) -> None:
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text


@given(
    st.text(max_size=300) | st.lists(st.sampled_from(["Seat X: person", "Result: *", "", "Nonce: 1", "?", "Options: {}"])).map("\n".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(RecordError):
        verify(text, GAMES)


async def test_command_line(service: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    table, persons = await started(service, OpenTable("mandala", (PERSON, PERSON)))
    await play(service, table, persons)
    text = await service.record(table, None)
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")

    def run(name: str) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        status = command.run(parser.parse_args([name]))
        return status, *capsys.readouterr()

    status, out, err = run(str(path))
    assert (status, err) == (0, "")
    assert "every card fell as committed" in out
    assert text.split("Result: ")[1].splitlines()[0] in out
    monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": io.BytesIO(text.encode())}))
    assert run("-")[0] == 0

    path.write_text(text.replace("Rules: 1", "Rules: 9"), encoding="utf-8")
    status, out, err = run(str(path))
    assert (status, out) == (2, "")
    assert re.fullmatch(r"sandriver verify: .*game.txt: line 5: rules version 9, this program has 1\n", err)
    path.write_bytes(b"\xff\xfe\x00")
    assert run(str(path))[::2] == (2, f"sandriver verify: {path}: not UTF-8 text\n")
    assert run(str(tmp_path / "none"))[::2] == (2, f"sandriver verify: {tmp_path / 'none'}: No such file or directory\n")
    assert run(str(tmp_path))[0] == 2


async def test_names_cannot_forge_headers(service: Any) -> None:
    persons = await people(service, 'x"\nSecret: 00', "Ben")
    table = await service.open_table(persons[0], OpenTable("toy", (PERSON, BOT)))
    await service.join(table, persons[0])
    assert msgspec.json.decode((await service.record(table, None)).splitlines()[6].partition("person ")[2]) == 'x"\nSecret: 00'
