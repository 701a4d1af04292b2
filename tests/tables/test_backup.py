"""Backups: taken while games are played, restored into the other kind of database, every table the same; damaged ones refused."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandriver.tables.backup import BackupError, back_up, restore
from sandriver.tables.databases import database_url
from sandriver.tables.errors import StoreFailed
from sandriver.tables.migrating import bring_up_to_date
from sandriver.tables.store_sql import SqlStore
from tests.tables import backends
from tests.tables.backends import Backend
from tests.tables.tools import SOLO, TWO, play, serving, started


@pytest.fixture(params=backends.KINDS)
def other(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Where the backup is restored: the same kind of database, and the other one."""
    with backends.using(request.param) as used:
        yield used


async def test_taken_under_load_and_restored_elsewhere(tmp_path: Path, backend: Backend, other: Backend) -> None:
    target = database_url(await other.empty(tmp_path))
    store = await SqlStore.open(backend.url(tmp_path))
    file = tmp_path / "backup.gz"
    async with serving(tmp_path, store) as service:
        tables = [await started(service, SOLO if n % 3 == 0 else TWO) for n in range(6)]
        playing = [asyncio.create_task(_play_on(service, table, persons)) for table, persons in tables]
        counts: dict[str, int] = {"log": 0}
        while counts["log"] < 60:
            counts = await asyncio.to_thread(back_up, database_url(backend.url(tmp_path)), file, replace=True)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert counts["tables"] == 6
        assert file.stat().st_mode & 0o077 == 0, "it holds secrets"
        assert restore(target, file) == counts
        copied = await SqlStore.open(target.render_as_string(hide_password=False))
        total = 0
        for table, _ in tables:
            rows = await copied.rows(table)
            assert rows == (await store.rows(table))[: len(rows)], "a beginning of its log: one moment, and nothing missing before it"
            total += len(rows)
        assert total == counts["log"]
        assert [person.name for person in await copied.people([tables[0][1][0]])] == ["P0"]
        async with serving(tmp_path, copied) as again:
            for table, persons in tables[1:3]:  # people alone, so that it stands still
                for viewer in (*persons, None):
                    shown = await again.snapshot(table, viewer)
                    assert (shown.v, shown.ply) == (len(await copied.rows(table)), shown.v - 4)
                await play(again, table, persons)
                assert (await again.snapshot(table, None)).table.state == "over"
        await copied.close()
    await store.close()


async def _play_on(service: Any, table: str, persons: list[str]) -> None:
    for seed in range(1000):
        await play(service, table, persons, 1, seed=seed)
        await asyncio.sleep(0.001)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A backup of two games."""

    async def play_two() -> None:
        async with serving(tmp_path) as service:
            for _ in range(2):
                table, persons = await started(service, TWO)
                await play(service, table, persons, 5)

    with backends.using("sqlite") as used:
        asyncio.run(play_two())
        back_up(database_url(used.url(tmp_path)), tmp_path / "backup.gz")
    return tmp_path / "backup.gz"


def test_only_an_empty_database_is_filled_unless_told(tmp_path: Path, file: Path, backend: Backend) -> None:
    target = database_url(asyncio.run(backend.empty(tmp_path)))
    counts = restore(target, file)
    with pytest.raises(BackupError, match="not empty"):
        restore(target, file)
    assert restore(target, file, replace=True) == counts
    with pytest.raises(BackupError, match="exists already"):
        back_up(target, file)
    before = gzip.decompress(file.read_bytes()).splitlines()[1:-1]
    back_up(target, file, replace=True)
    assert gzip.decompress(file.read_bytes()).splitlines()[1:-1] == before, "a backup of what was restored is the same"
    assert list(tmp_path.glob("*.part")) == []


def _swap(text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    return b"".join([*lines[:5], lines[6], lines[5], *lines[7:]])


def _header(**changes: Any) -> Callable[[bytes], bytes]:
    def change(text: bytes) -> bytes:
        first, _, rest = text.partition(b"\n")
        return json.dumps({**json.loads(first), **changes}).encode() + b"\n" + rest

    return change


def _with_checksum(text: bytes) -> bytes:
    """The checksum made right again, as somebody would who knows how: what it covers is still looked at."""
    head, _, end = text.rstrip(b"\n").rpartition(b"\n")
    right = {**json.loads(end), "sha256": hashlib.sha256(head + b"\n").hexdigest()}
    return head + b"\n" + json.dumps(right).encode() + b"\n"


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "a digit": lambda text: text.replace(b"P0", b"P9", 1),
    "a line less": lambda text: b"".join(text.splitlines(keepends=True)[:-2] + text.splitlines(keepends=True)[-1:]),
    "no end": lambda text: b"".join(text.splitlines(keepends=True)[:-1]),
    "two rows swapped": _swap,
    "something after the end": lambda text: text + b"[]\n",
    "a later schema": _header(schema="9999"),
    "another format": _header(format="sandriver-backup-2"),
    "a column nobody knows": _header(columns={"log": ["table_id", "colour"]}),
    "a table nobody knows": _header(columns={"passwords": ["id"]}),
    "an entry nobody knows": lambda text: _with_checksum(text.replace(b'kind\\":\\"started', b'kind\\":\\"castled')),
    "a row that is none": lambda text: _with_checksum(text.replace(b'\n["log",', b'\n{},["log",', 1)),
    "nothing": lambda _: b"",
    "an empty row": lambda text: _with_checksum(text.replace(b'\n["log",', b'\n[]\n["log",', 1)),
    "a row of no table": lambda text: _with_checksum(text.replace(b'\n["log",', b'\n[["x"],1]\n["log",', 1)),
    "a log without entries": lambda text: _with_checksum(_header(columns={"log": ["table_id", "v"]})(text)),
    "a column twice": lambda text: _with_checksum(text.replace(b'"at","kind"', b'"at","at","kind"', 1)),
    "a number that no database takes": lambda text: _with_checksum(text.replace(b'"P0","",', b'"P0","",99999999999999999999,"",', 1)),
    "a row without end": lambda text: _with_checksum(text.replace(b'\n["log",', b"\n" + b"[" * 100_000 + b'\n["log",', 1)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_backup_is_refused_and_nothing_of_it_stored(tmp_path: Path, file: Path, what: str) -> None:
    text = gzip.decompress(file.read_bytes())
    changed = CHANGES[what](text)
    assert changed != text
    file.write_bytes(gzip.compress(changed))
    target = database_url(f"sqlite:///{tmp_path / 'target.sqlite3'}")
    bring_up_to_date(target)
    with pytest.raises(BackupError, match=r"backup\.gz"):
        restore(target, file)
    assert back_up(target, tmp_path / "after.gz") == {"people": 0, "tables": 0, "log": 0}


ODD: tuple[Any, ...] = (None, True, -1, 0, 10**30, 0.5, "", "x", "log", "\x00", "\udc00", [], ["x"], {}, {"log": 1}, [[[]]])


def _mutated(rng: random.Random, value: Any) -> Any:
    """JSON in which something is something else, is missing or is there twice."""
    if isinstance(value, list | dict) and value and rng.random() < 0.85:
        if isinstance(value, dict):
            key = rng.choice(list(value))
            if rng.random() < 0.2:
                return {name: each for name, each in value.items() if name != key}
            return {**value, key: _mutated(rng, value[key])}
        n, copy = rng.randrange(len(value)), list(value)
        copy[n : n + 1] = rng.choice(([], [copy[n]] * 2, [_mutated(rng, copy[n])], [_mutated(rng, copy[n])]))
        return copy
    return rng.choice(ODD)


def test_whatever_is_in_a_backup_is_taken_or_refused_in_one_line(tmp_path: Path, file: Path) -> None:
    """Header, rows and end as nobody wrote them, the checksum made right: never anything but a refusal that fits on a line."""
    rng = random.Random(3)
    lines = gzip.decompress(file.read_bytes()).splitlines()
    target = database_url(f"sqlite:///{tmp_path / 'target.sqlite3'}")
    refusals: list[str] = []
    for _ in range(250):
        changed = list(lines)
        n = rng.choice((0, len(lines) - 1, rng.randrange(len(lines))))
        changed[n] = json.dumps(_mutated(rng, json.loads(lines[n]))).encode()
        text = b"\n".join(changed) + b"\n"
        file.write_bytes(gzip.compress(text if n == len(lines) - 1 else _with_checksum(text), 1))
        try:
            restore(target, file, replace=True)
        except (BackupError, StoreFailed) as error:
            refusals.append(str(error))
    assert not [text for text in refusals if "\n" in text]
    assert 180 < len(refusals) < 250, "a name may well be another"


def test_a_backup_cut_off_anywhere_is_refused(tmp_path: Path, file: Path) -> None:
    whole = file.read_bytes()
    for length in range(0, len(whole), 97):
        file.write_bytes(whole[:length])
        with pytest.raises(BackupError):
            restore(database_url(f"sqlite:///{tmp_path / 'target.sqlite3'}"), file)


def test_what_cannot_be_backed_up(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="there is no database"):
        back_up(database_url(f"sqlite:///{tmp_path / 'none.sqlite3'}"), tmp_path / "x.gz")
    (tmp_path / "empty.sqlite3").touch()
    with pytest.raises(BackupError, match="sandriver migrate"):
        back_up(database_url(f"sqlite:///{tmp_path / 'empty.sqlite3'}"), tmp_path / "x.gz")
    (tmp_path / "text.sqlite3").write_text("no database" * 200)
    with pytest.raises(StoreFailed):
        back_up(database_url(f"sqlite:///{tmp_path / 'text.sqlite3'}"), tmp_path / "x.gz")
    assert not (tmp_path / "x.gz").exists()


def test_a_backup_of_the_schema_before_can_be_restored(tmp_path: Path, file: Path) -> None:
    """It says of no table when it must be looked after, so all that run are."""
    lines = gzip.decompress(file.read_bytes()).splitlines()
    header = json.loads(lines[0])
    place = header["columns"]["tables"].index("due")
    del header["columns"]["tables"][place]
    rows = [json.loads(line) for line in lines[1:-1]]
    for row in rows:
        if row[0] == "tables":
            assert row.pop(place + 1) is None
    old = [json.dumps({**header, "schema": "0002"}), *map(json.dumps, rows), lines[-1].decode()]
    file.write_bytes(gzip.compress(_with_checksum("\n".join(old).encode() + b"\n")))
    target = database_url(f"sqlite:///{tmp_path / 'target.sqlite3'}")
    assert restore(target, file)["tables"] == 2

    async def due() -> list[int]:
        store = await SqlStore.open(target.render_as_string())
        try:
            return [moment for _, moment, _ in await store.due(1, 10)]
        finally:
            await store.close()

    assert asyncio.run(due()) == [0, 0]
