"""Whatever takes a record from outside takes the same ones: what ``sandriver verify`` refuses can be looked at by nobody."""

from __future__ import annotations

import argparse
import datetime as dt
import random
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

import corpus
from sandriver.cli import verify as command
from sandriver.games import GAMES
from sandriver.tables.errors import RecordError
from sandriver.tables.record import DATE, SIZE_LIMIT, format_record
from sandriver.tables.replay import of_record
from sandriver.tables.slices import finish
from sandriver.tables.verify import verify

MUTATIONS = 160
"""Changed records that are tried for each game."""
ODD = (
    "\u202e",
    "\u200b",
    "\x00",
    "\x1b",
    "\x85",
    "\u2028",
    "\u0660",
    "\u0301",
    "\uff11",
    "\ufeff",
    "\\u202e",
    "\\u0000",
    "\\n",
    " ",
    "@",
    ",",
    "*",
)
"""What nobody expects in a record: marks that steer text, digits of other scripts, escapes, separators."""


def sample(game: str, name: str) -> str:
    return (corpus.folder_of(game) / f"{name}.txt").read_text(encoding="utf-8")


def seen(text: str) -> tuple[int, str] | None:
    """The fault for which a record cannot be looked at; ``None``: it can."""
    try:
        replay = finish(of_record(GAMES, text, None, lambda _: None))
    except RecordError as error:
        return error.line, error.message
    assert replay.table.state == "over"
    return None


def verified(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str | None:
    """The fault that the command names, one line; ``None``: all is right."""
    path = folder / "r"
    path.write_bytes(text.encode())
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status = command.run(parser.parse_args([str(path)]))
    _, err = capsys.readouterr()
    assert (status, err.count("\n")) in ((0, 0), (2, 1))
    return err.strip().removeprefix(f"sandriver verify: {path}: ") if status else None


def check_fit_to_be_shown(text: str) -> None:
    """What must hold of every record that is taken, found without the code that takes it."""
    record = verify(text, GAMES).record
    assert record.result is not None
    assert dt.datetime.fromisoformat(record.date).strftime(DATE) == record.date
    for seat in record.seats:
        assert not any(unicodedata.category(each) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp") for each in seat.name), repr(seat.name)
        assert len(seat.name) <= 24
    gone = [each.seat for each in record.left]
    assert len(set(gone)) == len(gone)
    assert not set(gone) & set(record.result.winners)
    if record.result.reason in ("resigned", "time", "absence"):
        assert {each.why for each in record.left if each.ply == len(record.moves)} >= {record.result.reason}
    assert verify(format_record(record), GAMES).record == record


def mutate(text: str, rng: random.Random) -> str:
    """The record with something changed: a character, a line, two lines, or what a header says of something else."""
    lines = text.split("\n")
    headers = lines.index("")

    def at(most: int) -> int:
        return rng.randrange(most)

    def character() -> None:
        n = at(headers) if rng.random() < 0.8 else at(len(lines))
        place = at(len(lines[n]) + 1)
        new = rng.choice([*ODD, *"0123456789ABab:/", ""])
        lines[n] = lines[n][:place] + new + lines[n][place + rng.choice((0, 1)) :]

    def swap() -> None:
        one, two = at(headers), at(headers)
        lines[one], lines[two] = lines[two], lines[one]

    def borrow() -> None:  # the value of one header under the name of another
        one, two = at(headers), at(headers)
        lines[one] = lines[one].partition(": ")[0] + ": " + lines[two].partition(": ")[2]

    def leave() -> None:
        seats = [line.split()[1].rstrip(":") for line in lines if line.startswith("Seat ")]
        ply = rng.choice((0, len(lines) - headers - 3, at(len(lines))))
        lines.insert(at(headers), f"{rng.choice(('Resigned', 'Flagged', 'Absent', 'View'))}: {rng.choice(seats)}@{ply}")

    def result() -> None:
        n = next(n for n, line in enumerate(lines) if line.startswith("Result"))
        reason = rng.choice(("resigned", "time", "absence", "agreed", "stopped", "stall", "end_space", "_"))
        lines[n] = re.sub(r" \w+ ", f" {reason} ", lines[n])

    def name() -> None:
        n = rng.choice([n for n, line in enumerate(lines) if line.startswith("Seat ")])
        lines[n] = lines[n][:-1] + rng.choice(ODD) + '"'

    def lose() -> None:
        lines.pop(at(len(lines)))

    changes: list[Callable[[], None]] = [character, swap, borrow, leave, result, name, lose]
    for _ in range(rng.choice((1, 1, 1, 2))):
        rng.choice(changes)()
    return "\n".join(lines)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_both_accept_or_both_refuse(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was changed, at random: the same answer, the same words; and what is taken is fit to be shown."""
    rng = random.Random(4)
    texts = [sample(game, name) for name in ("resigned", "agreed", "absence", "time")]
    taken = 0
    for _ in range(MUTATIONS):
        text = mutate(rng.choice(texts), rng)
        fault = verified(text, tmp_path, capsys)
        found = seen(text)
        assert fault == (None if found is None else str(RecordError(*found))), text
        if found is None:
            taken += 1
            check_fit_to_be_shown(text)
    assert 0 < taken < MUTATIONS / 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"Result: (\S+) resigned", r"Result: \1 time", "after the last move the result is"),
        (r"Result: (\S+) resigned", r"Result: \1 agreed", "after the last move the result is"),
        (r"Resigned: (\S+)", r"Flagged: \1", "after the last move the result is"),
        (r"Resigned: (.)@(\d+)", r"Resigned: \1@0", "the game is over when"),
        (r"Resigned: .*\n", "", "after the last move the game is not over"),
        (r"Result: .*", "Result: *", "not a full record"),
        (r"Result: ", "View: A\nResult: ", "nobody's view"),
        (r'"Ana"', '"\u202eanA"', "cannot be called so"),
        (r'"Ana"', '"\\\\u202eanA"', "cannot be called so"),
        (r'"Ana"', '"A\\\\nna"', "cannot be called so"),
        (r'"Ana"', '"A\\\\u0000na"', "cannot be called so"),
        (r'"Ana"', '"Ana "', "cannot be called so"),
        (r'"Ana"', '"' + "x" * 25 + '"', "cannot be called so"),
        (r'"Ana"', '"x' + "\u0323" * 6 + '"', "cannot be called so"),
        (r"Date: \d+", "Date: 2025", None),
        (r"Date: \S+", "Date: 2026-13-01T00:00:00Z", "no such moment"),
        (r"Date: \S+", "Date: 2026-02-30T00:00:00Z", "no such moment"),
        (r"Date: \S+", "Date: 2026-02-03T24:00:00Z", "no such moment"),
        (r"Date: \S+", "Date: 2026-02-03T23:59:60Z", "no such moment"),
        (r"Date: \S+", "Date: 0000-01-01T00:00:00Z", "no such moment"),
        (r"Date: 2", "Date: \u0662", "bad value"),
        (r"Rules: 1", "Rules: \u0661", "bad value"),
        (r"\A", "\ufeff", None),
        (r"\n", "\r\n", None),
        (r"\Z", "\n" * SIZE_LIMIT, "longer than"),
    ],
)
def test_what_contradicts_itself_or_the_calendar(
    old: str, new: str, message: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = sample("mandala", "resigned")
    changed = re.sub(old, new, text, count=0 if old == r"\n" else 1)
    assert changed != text
    fault, found = verified(changed, tmp_path, capsys), seen(changed)
    if message is None:
        assert fault is None
        assert found is None
    else:
        assert found is not None
        assert fault == str(RecordError(*found))
        assert message in fault
