"""Files of played deals: taken up again wherever they end, refused when they are of something else, never played twice."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.arena.results import made_up, played

from sandriver import bots
from sandriver.arena import Keep, KeepError, head_of, play_match
from sandriver.arena.match import make_match
from sandriver.arena.play import Bot
from sandriver.arena.sprt import Sprt

__all__ = ["played"]

Notes = list[tuple[str, str, int]]


def keep(path: Path, game: str = "mandala", seats: int = 2, **options: object) -> Keep:
    return Keep(path, head_of(game, seats, options))


def play(path: Path, one: str = "apprentice", two: str = "random", games: int = 40, **how: object) -> object:
    with keep(path) as file:
        return play_match("mandala", one, two, games, keep=file, **how)  # type: ignore[arg-type]


def test_what_is_there_is_not_played_again(tmp_path: Path, played: Notes) -> None:
    path = tmp_path / "k.jsonl"
    play(path, games=20)
    assert [seed for _, _, seed in played] == list(range(10))
    again = play(path, games=40)
    assert [seed for _, _, seed in played] == list(range(20))
    assert again == play_match("mandala", "apprentice", "random", 40)
    played.clear()
    assert play(path, games=40) == again
    assert played == []


def test_the_file_is_a_head_and_a_line_a_deal(tmp_path: Path, played: Notes) -> None:
    path = tmp_path / "k.jsonl"
    play(path, games=6, seed=-1)
    head, *deals = [json.loads(line) for line in path.read_text().splitlines()]
    assert head == {"arena": msgspec.to_builtins(head_of("mandala", 2, {}))}
    assert set(head["arena"]) == {"sandriver", "game", "rules_version", "seats", "options"}
    assert [deal["seed"] for deal in deals] == [-1, 0, 1]
    assert deals[0]["bots"] == [[bot, bots.get("mandala", bot).version] for bot in ("apprentice", "random")]
    assert [len(game["winners"]) in (1, 2) and len(game["points"]) == 2 for game in deals[0]["games"]] == [True, True]


def test_two_bots_named_the_other_way_round_are_the_same_deals(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    one = play(path, "apprentice", "random", 4)
    before = path.read_bytes()
    two = play(path, "random", "apprentice", 4)
    assert path.read_bytes() == before
    assert two == play_match("mandala", "random", "apprentice", 4)
    assert one == play_match("mandala", "apprentice", "random", 4)


def test_other_bots_and_other_versions_in_the_file_are_left_alone(tmp_path: Path, played: Notes) -> None:
    path = tmp_path / "k.jsonl"
    with keep(path) as file:
        for seed in range(5):
            file.add(made_up(Bot("apprentice", 0), Bot("random", 1), 2, seed, 9.0))
            file.add(made_up(Bot("ismcts:1", 1), Bot("random", 1), 2, seed, 9.0))
    assert play(path, games=10) == play_match("mandala", "apprentice", "random", 10)
    assert len(path.read_text().splitlines()) == 1 + 10 + 5


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(min_value=0, max_value=2500), games=st.sampled_from([2, 8, 16]))
def test_a_file_that_was_torn_anywhere_goes_on_to_the_same_result(tmp_path: Path, played: Notes, cut: int, games: int) -> None:
    path = tmp_path / "k.jsonl"
    path.unlink(missing_ok=True)
    play(path, games=games)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    assert play(path, games=games) == play_match("mandala", "apprentice", "random", games)
    assert path.read_bytes() == whole


def test_zeros_at_the_end_are_a_torn_line_too(tmp_path: Path, played: Notes) -> None:
    path = tmp_path / "k.jsonl"
    play(path, games=8)
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 4096)
    play(path, games=8)
    assert path.read_bytes() == whole


def spoil(path: Path, number: int, text: bytes) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number - 1] = text + b"\n"
    path.write_bytes(b"".join(lines))


GAME = {"winners": [0], "points": [1, 1], "plies": 1, "reason": "end"}
DEAL = {"bots": [["a", 1], ["b", 1]], "seed": 0, "games": [GAME, GAME], "moves": [1, 1], "spent": [1, 1]}


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"{", b"[" * 100_000, b"\xff", b"{}", b"null"),
        *(
            json.dumps(DEAL | changed).encode()
            for changed in (
                {"games": [GAME]},
                {"games": [GAME, GAME | {"winners": [2]}]},
                {"games": [GAME, GAME | {"winners": [0, 0]}]},
                {"games": [GAME, GAME | {"points": [1]}]},
                {"moves": [1]},
                {"moves": [-1, 1]},
                {"seed": "0"},
            )
        ),
    ],
)
def test_a_line_in_the_middle_that_is_no_deal_is_named(tmp_path: Path, played: Notes, line: bytes) -> None:
    path = tmp_path / "k.jsonl"
    play(path, games=8)
    spoil(path, 3, line)
    with pytest.raises(KeepError, match="line 3 is no played deal"):
        play(path, games=8)


@pytest.mark.parametrize(
    "text", ["a shopping list", "a shopping list\n", '{"arena":1}\n', '{"arena":{"game":"mandala"}}\n', "\0" * 50, "[" * 99_999 + "\n"]
)
def test_another_file_is_refused_and_not_touched(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text)
    with pytest.raises(KeepError, match="no file of played deals"):
        keep(path)
    assert path.read_text() == text


def test_deals_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    keep(path, "stones", 3).__exit__(None, None, None)
    for game, seats, options, said in (
        ("mandala", 2, {}, "its deals have game stones, not mandala"),
        ("stones", 4, {}, "its deals have seats 3, not 4"),
        ("stones", 3, {"ruleset": changed_rules()}, "the option ruleset another, not another"),
    ):
        with pytest.raises(KeepError, match=said):
            keep(path, game, seats, **options)
    path.write_bytes(path.read_bytes().replace(b'"rules_version":', b'"rules_version":9'))
    with pytest.raises(KeepError, match=r"its deals have the rules version 9\d, not \d"):
        keep(path, "stones", 3)
    path.unlink()
    keep(path, stall_limit=3).__exit__(None, None, None)
    with pytest.raises(KeepError, match="its deals have the option stall_limit 3, not 20"):
        keep(path)


def changed_rules() -> object:
    rules = head_of("stones", 3, {}).options["ruleset"]
    rules["mandala"]["end"]["3"] += 1
    return rules


def test_only_one_match_writes_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    with keep(path), pytest.raises(KeepError, match="another match is writing to it"):
        keep(path)
    keep(path).__exit__(None, None, None)


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(KeepError, match="No such file or directory"):
        keep(tmp_path / "no" / "k.jsonl")
    with pytest.raises(KeepError, match="Is a directory"):
        keep(tmp_path)
    with pytest.raises(KeepError, match="no ordinary file"):
        keep(Path("/dev/null"))


def test_a_test_takes_deals_from_a_file_in_whatever_order_they_stand_there(tmp_path: Path, played: Notes) -> None:
    path, test = tmp_path / "k.jsonl", Sprt(0, 100)
    straight = play_match("mandala", "apprentice", "random", 400, sprt=test)
    assert straight.games < 400
    play(path, games=400)
    head, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"".join(lines[::-1]))
    played.clear()
    with keep(path) as file:
        series = make_match("mandala", "apprentice", "random", 400, sprt=test, keep=file)
        series.run(1)
    assert series.tallies[0].result("mandala", "apprentice", "random") == straight
    assert series.kept == series.deals
    assert played == []


def test_a_full_disk_is_said_and_what_was_kept_stays(tmp_path: Path, played: Notes) -> None:
    """A limit on the size of files stands for the disk."""
    path = tmp_path / "k.jsonl"
    play(path, games=8)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 700, before[1]))
    try:
        with pytest.raises(KeepError, match="File too large"):
            play(path, games=40)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept = path.read_bytes().count(b"\n") - 1
    assert 4 <= kept < 20
    played.clear()
    assert play(path, games=40) == play_match("mandala", "apprentice", "random", 40)
    assert len(played) == 20 - kept + 20
