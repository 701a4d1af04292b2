"""Backups: everything a database holds as one checksummed file that any kind of database can be made from again.

A file is gzip over lines of JSON: a header, a line a row (``[table, value, …]`` in the order of the header's columns), and an end with the
numbers of rows and the SHA-256 of every byte before it. It is read within one transaction, so it holds one moment, while servers go on.
It holds the secrets of running tables: keep it like the database itself.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from sandriver.tables.databases import is_sqlite, reason, sync_engine
from sandriver.tables.errors import CorruptLog, StoreFailed
from sandriver.tables.log import decode_entry
from sandriver.tables.migrating import WAKE, migrate, revision
from sandriver.tables.schema import HEAD, LOG, METADATA, PEOPLE, TABLES

FORMAT = "sandriver-backup-1"
PARTS = {str(table.name): table for table in (PEOPLE, TABLES, LOG)}
CHUNK = 1000
"""Rows that are fetched or stored at a time."""

Counts = dict[str, int]


class BackupError(ValueError):
    """A file that is no whole backup, or one that must not be written or restored here."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str
    schema: str
    """Revision of the schema."""
    created: int
    """Milliseconds since 1970."""
    columns: dict[str, tuple[str, ...]]


class Column(NamedTuple):
    """What one value of a row may be."""

    name: str
    kind: type
    most: int
    """Of a whole number, its largest amount."""
    nullable: bool

    def takes(self, value: Any) -> bool:
        """Whether a database can hold ``value`` there."""
        if value is None:
            return self.nullable
        if type(value) is int:
            return self.kind is int and -self.most <= value <= self.most
        return type(value) is self.kind


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    rows: Counts
    sha256: str


def back_up(url: sa.URL, file: Path, *, replace: bool = False) -> Counts:
    """Write a backup and return how many rows of each table it holds. The file is there in whole or not at all.

    Raises ``BackupError`` (the file exists, or the database has another schema), ``StoreFailed``, ``OSError``.
    """
    if file.exists() and not replace:
        raise BackupError(f"{file} exists already")
    if is_sqlite(url) and not Path(url.database or "").is_file():
        raise BackupError(f"there is no database {url.database}")
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6, mtime=0, filename="") as packed:
                counts = _write(url, _Hashing(packed))
            raw.flush()
            os.fsync(raw.fileno())
        unfinished.replace(file)
    except (SQLAlchemyError, StoreFailed) as error:
        raise StoreFailed(reason(error)) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return counts


class _Hashing:
    """Writes lines and keeps their SHA-256."""

    def __init__(self, target: gzip.GzipFile) -> None:
        self._target = target
        self._encoder = msgspec.json.Encoder()
        self.digest = hashlib.sha256()

    def line(self, value: Any) -> None:
        text = self._encoder.encode(value) + b"\n"
        self.digest.update(text)
        self._target.write(text)


def _write(url: sa.URL, out: _Hashing) -> Counts:
    counts = dict.fromkeys(PARTS, 0)
    with _transaction(url, reading=True) as connection:
        found = revision(connection)
        if found != HEAD:
            have = "is empty" if found is None else f"has schema {found}"
            raise BackupError(f"the database {have}, not {HEAD}: run `sandriver migrate` first")
        columns = {name: tuple(str(column.name) for column in table.columns) for name, table in PARTS.items()}
        out.line(Header(FORMAT, HEAD, time.time_ns() // 1_000_000, columns))
        for name, table in PARTS.items():
            query = sa.select(table).order_by(*table.primary_key).execution_options(stream_results=True, yield_per=CHUNK)
            for row in connection.execute(query):
                out.line([name, *row])
                counts[name] += 1
    out.line(End(counts, out.digest.hexdigest()))
    return counts


def restore(url: sa.URL, file: Path, *, replace: bool = False) -> Counts:
    """Fill a database from a backup, all of it or nothing, and return how many rows each table has now. Migrates the database first.

    Raises ``BackupError`` for a file that is damaged or of a later version (nothing is changed then), and for a database that is not
    empty, unless it is to be ``replace``d; ``StoreFailed``, ``OSError``.
    """
    for _ in _rows(file):  # to the end, so that a damaged file is refused before anything is stored
        pass
    try:
        with _transaction(url, reading=False) as connection:
            migrate(connection, begun=True)
            for table in (LOG, TABLES, PEOPLE):
                if replace:
                    connection.execute(sa.delete(table))
                elif connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None:
                    raise BackupError("the database is not empty; `--replace` would empty it first")
            return _store(connection, file)
    except (SQLAlchemyError, StoreFailed) as error:
        raise StoreFailed(reason(error)) from error


def _store(connection: sa.Connection, file: Path) -> Counts:
    counts = dict.fromkeys(PARTS, 0)
    waiting: list[dict[str, Any]] = []
    part, older = "", False
    for name, row in _rows(file):
        if waiting and (name != part or len(waiting) >= CHUNK):
            connection.execute(sa.insert(PARTS[part]), waiting)
            waiting = []
        part = name
        older |= name == TABLES.name and "due" not in row  # then nothing in it says which tables must be looked after
        waiting.append(row)
        counts[name] += 1
    if waiting:
        connection.execute(sa.insert(PARTS[part]), waiting)
    if older:
        connection.execute(WAKE)
    return counts


def _rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a backup with their table; raises ``BackupError`` as soon as something is wrong, at the latest at the end."""
    with file.open("rb") as raw:
        try:
            yield from _read(raw)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise BackupError(f"{file} is no backup, or damaged: {error}") from error
        except (msgspec.MsgspecError, RecursionError, CorruptLog) as error:
            raise BackupError(f"{file} is damaged: {error}") from error
        except BackupError as error:
            raise BackupError(f"{file} {error}") from error


def _read(raw: BinaryIO) -> Iterator[tuple[str, dict[str, Any]]]:
    digest, counts = hashlib.sha256(), dict.fromkeys(PARTS, 0)
    with gzip.GzipFile(fileobj=raw, mode="rb") as lines:
        first = lines.readline()
        header = msgspec.json.decode(first, type=Header)
        if header.format != FORMAT or header.schema > HEAD:
            raise BackupError(f"is of another version of this program (format {header.format}, schema {header.schema})")
        columns = _columns(header)
        digest.update(first)
        for line in lines:
            if line.startswith(b"{"):
                end = msgspec.json.decode(line, type=End)
                if end.sha256 != digest.hexdigest() or end.rows != counts:
                    raise BackupError("is damaged: its checksum is another")
                if lines.read(1):
                    raise BackupError("is damaged: something follows its end")
                return
            digest.update(line)
            name, row = _row(columns, msgspec.json.decode(line, type=list[Any]))
            if name == LOG.name:
                decode_entry(row["entry"])
            counts[name] += 1
            yield name, row
    raise BackupError("is damaged: its end is missing")


def _columns(header: Header) -> dict[str, list[Column]]:
    """By table, what its rows hold. Raises ``BackupError`` for more or less than this program knows and needs."""
    found = {}
    for name, names in header.columns.items():
        known = {str(column.name): column for column in PARTS[name].columns} if name in PARTS else {}
        if not known or not set(names) <= set(known):
            raise BackupError("has columns that are not known here")
        needed = {name for name, column in known.items() if not column.nullable}
        if len(set(names)) < len(names) or not needed <= set(names):
            raise BackupError(f"is damaged: its {name} has other columns")
        found[name] = [_column(known[each]) for each in names]
    return found


def _column(column: sa.Column[Any]) -> Column:
    most = 2**63 - 1 if isinstance(column.type, sa.BigInteger) else 2**31 - 1
    return Column(str(column.name), column.type.python_type, most, bool(column.nullable))


def _row(columns: dict[str, list[Column]], line: list[Any]) -> tuple[str, dict[str, Any]]:
    """A line as table and row. Raises ``BackupError`` where a value, or their number, is none that the table can hold."""
    name, values = line[0] if line else None, line[1:]
    expected = columns.get(name) if isinstance(name, str) else None
    if expected is None or len(expected) != len(values):
        raise BackupError("is damaged: a row has no such form")
    row = {}
    for column, value in zip(expected, values, strict=True):
        if not column.takes(value):
            raise BackupError(f"is damaged: a value of {name}.{column.name} is none")
        row[column.name] = value
    return str(name), row


@contextlib.contextmanager
def _transaction(url: sa.URL, *, reading: bool) -> Iterator[sa.Connection]:
    """One transaction that sees one moment (``reading``), or that changes everything or nothing."""
    engine = sync_engine(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                level = "REPEATABLE READ, READ ONLY" if reading else "READ COMMITTED"
                connection.execute(sa.text(f"SET TRANSACTION ISOLATION LEVEL {level}"))
            else:
                connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
            yield connection
            if not reading:
                connection.commit()
    finally:
        engine.dispose()


assert set(PARTS) == set(METADATA.tables), "a backup must hold every table"
