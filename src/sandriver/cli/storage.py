"""``sandriver migrate``, ``backup`` and ``restore``: what one does with the database apart from serving from it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sandriver.cli.refusals import refuse

if TYPE_CHECKING:
    import sqlalchemy as sa

    from sandriver.server.settings import Settings

Work = Callable[["sa.URL", argparse.Namespace], str]


class Command:
    """A command that does ``work`` with the database that the settings name, and prints the line that it returns."""

    def __init__(self, name: str, work: Work) -> None:
        self._name = name
        self._work = work

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options; what is not given comes from ``SANDRIVER_…`` or the defaults."""
        parser.add_argument("--data", type=Path, metavar="DIR", help="folder in which the tables are kept (default: data)")
        parser.add_argument("--database", dest="database_url", metavar="URL", help="database they are kept in instead: postgresql://…")
        if self._name == "backup":
            parser.add_argument("file", type=Path, metavar="FILE", help="where the backup is written")
            parser.add_argument("--replace", action="store_true", help="write over a file that exists")
        if self._name == "restore":
            parser.add_argument("file", type=Path, metavar="FILE", help="a backup")
            parser.add_argument("--replace", action="store_true", help="empty the database first; without this it must be empty")

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status: 2 when it could not be done."""
        from sandriver.server.settings import Settings, SettingsError

        try:
            settings = Settings.load(data=arguments.data, database_url=arguments.database_url)
        except SettingsError as error:
            return refuse(self._name, str(error))
        from sandriver.server.storage import where
        from sandriver.tables.backup import BackupError
        from sandriver.tables.errors import StoreFailed

        try:
            print(self._work(_address(settings), arguments))
        except BackupError as error:
            return refuse(self._name, str(error))
        except StoreFailed as error:
            return refuse(self._name, f"the database {where(settings)} failed: {error}")
        except OSError as error:
            return refuse(self._name, f"{error.filename or where(settings)}: {error.strerror or error}")
        return 0


def _address(settings: Settings) -> sa.URL:
    from sandriver.server.storage import FILE
    from sandriver.tables.databases import database_url, sqlite_url

    return database_url(settings.database_url or sqlite_url(settings.data / FILE))


def _migrate(url: sa.URL, _arguments: argparse.Namespace) -> str:
    from sandriver.tables.migrating import bring_up_to_date

    _make_file(url)
    before, after = bring_up_to_date(url)
    return f"The database has schema {after}." if before == after else f"The database had schema {before or 'none'} and has {after} now."


def _back_up(url: sa.URL, arguments: argparse.Namespace) -> str:
    from sandriver.tables.backup import back_up

    return f"{arguments.file} holds {_told(back_up(url, arguments.file, replace=arguments.replace))}."


def _restore(url: sa.URL, arguments: argparse.Namespace) -> str:
    from sandriver.tables.backup import restore

    if not arguments.file.is_file():
        raise FileNotFoundError(2, "there is no such file", str(arguments.file))
    _make_file(url)
    return f"The database holds {_told(restore(url, arguments.file, replace=arguments.replace))} now."


def _told(counts: dict[str, int]) -> str:
    return f"{counts['tables']} tables with {counts['log']} entries, and {counts['people']} people"


def _make_file(url: sa.URL) -> None:
    """An SQLite file is made for its owner alone: it holds the secrets of running tables."""
    from sandriver.tables.databases import is_sqlite

    if is_sqlite(url):
        file = Path(url.database or "")
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)


migrate = Command("migrate", _migrate)
backup = Command("backup", _back_up)
restore = Command("restore", _restore)
