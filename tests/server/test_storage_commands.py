"""``sandriver migrate``, ``backup`` and ``restore`` at the terminal: what they print, and one clear line for what cannot be."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandriver.cli import main
from sandriver.server.settings import Settings
from sandriver.server.storage import FILE
from sandriver.tables.backup import FORMAT
from sandriver.tables.schema import HEAD
from tests.server.support import Guest, serving
from tests.tables import backends


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this machine has set is nobody's business here."""
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(f"SANDRIVER_{name.upper()}", raising=False)


@pytest.fixture(params=backends.KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    """The options that name an empty database of each kind."""
    with backends.using(request.param) as used:
        yield ["--database", asyncio.run(used.empty(tmp_path))]


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main([str(argument) for argument in arguments])
    return status, *capsys.readouterr()


async def _play(settings: Settings) -> None:
    async with serving(settings) as address, Guest(address) as ana:
        await ana.join(await ana.open("person", "random", first=0))
        await ana.http.put("/api/me", json={"name": "Ana"})


def test_from_one_kind_of_database_to_another(
    settings: Settings, target: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(_play(settings))
    file = settings.data / "backup.gz"
    status, out, err = said(capsys, "backup", "--data", settings.data, file)
    assert (status, err) == (0, "")
    counts = out.removeprefix(f"{file} holds ").rstrip()
    assert counts.startswith("1 tables with 4 entries, and 1 people")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert said(capsys, "restore", *target, file) == (0, f"The database holds {counts[:-1]} now.\n", "")
    status, out, err = said(capsys, "restore", *target, file)
    assert (status, out, err) == (2, "", "sandriver restore: the database is not empty; `--replace` would empty it first\n")
    assert said(capsys, "restore", *target, file, "--replace")[0] == 0
    again = settings.data / "again.gz"
    assert said(capsys, "backup", *target, again) == (0, f"{again} holds {counts}\n", "")
    assert said(capsys, "backup", *target, again) == (2, "", f"sandriver backup: {again} exists already\n")


def test_migrating(target: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "migrate", *target) == (0, f"The database had schema none and has {HEAD} now.\n", "")
    assert said(capsys, "migrate", *target) == (0, f"The database has schema {HEAD}.\n", "")


def test_a_file_of_its_owner_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "new"
    assert said(capsys, "migrate", "--data", data)[0] == 0
    assert [stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (data, data / FILE)] == [0, 0]


def test_what_cannot_be_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text("this is neither a database nor a backup " * 200)
    (tmp_path / "later").mkdir()
    assert said(capsys, "migrate", "--data", tmp_path / "later")[0] == 0
    with closing(sqlite3.connect(tmp_path / "later" / FILE)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    people = ["id", "token_hash", "name", "language", "created"]
    header = {"format": FORMAT, "schema": HEAD, "created": 1, "columns": {"people": people}}
    less = {**header, "columns": {"log": ["table_id", "v"]}}
    files: dict[str, list[Any]] = {"empty": [header, []], "odd": [header, [["x"], 1]], "less": [less]}
    for name, lines in files.items():
        (tmp_path / name).write_bytes(gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode()))
    nowhere = "postgresql://ana:hush@127.0.0.1:1/x"
    cases: list[tuple[list[object], str]] = [
        (["backup", "--data", tmp_path / "none", tmp_path / "x"], "there is no database"),
        (["backup", "--data", tmp_path / "later", tmp_path / "x"], "9999"),
        (["migrate", "--data", tmp_path / "later"], "another version"),
        (["migrate", "--data", tmp_path / "text"], "text"),
        (["migrate", "--database", f"sqlite:///{tmp_path / 'text'}"], "not a database"),
        (["restore", "--data", tmp_path / "new", tmp_path / "missing"], "missing"),
        (["restore", "--data", tmp_path / "new", tmp_path / "text"], "no backup"),
        (["restore", "--data", tmp_path / "new", tmp_path], "no such file"),
        (["restore", "--data", tmp_path / "new", tmp_path / "empty"], "a row has no such form"),
        (["restore", "--data", tmp_path / "new", tmp_path / "odd"], "a row has no such form"),
        (["restore", "--data", tmp_path / "new", tmp_path / "less"], "its log has other columns"),
        (["migrate", "--database", nowhere], "postgresql://ana:***@127.0.0.1:1/x"),
        (["backup", "--database", nowhere, tmp_path / "x"], "refused"),
        (["migrate", "--database", "mysql://ana:hush@host/x"], "mysql"),
        (["migrate", "--database", "hush"], "database_url"),
        (["serve", "--database", nowhere, "--port", "0"], "postgresql://ana:***@127.0.0.1:1/x"),
        (["serve", "--bus", "http://ana:hush@host", "--port", "0"], "bus_url"),
        (["backup"], "FILE"),
    ]
    for arguments, words in cases:
        status, out, err = said(capsys, *arguments)
        assert (status, out) == (2, ""), arguments
        assert err.startswith(f"sandriver {arguments[0]}: ")
        assert err.count("\n") == 1
        assert words in err, err
        assert "hush" not in err
    assert not (tmp_path / "x").exists()
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []
