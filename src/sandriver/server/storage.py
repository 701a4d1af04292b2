"""Where a server keeps its tables and how its processes hear of each other: from the settings to an open store and a bus."""

from __future__ import annotations

from sandriver.server.settings import Settings
from sandriver.tables.bus import Bus, MemoryBus
from sandriver.tables.databases import database_url, shown, sqlite_url
from sandriver.tables.store_sql import SqlStore

FILE = "sandriver.sqlite3"
"""The database in the data folder."""


def address_of(settings: Settings) -> str:
    """The database's address: what was set, else the file in the data folder, which is made. Raises ``OSError``."""
    if settings.database_url:
        return settings.database_url
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = settings.data / FILE
    file.touch(mode=0o600)  # it holds the secrets of running tables; SQLite's side files get the same mode
    return sqlite_url(file)


def where(settings: Settings) -> str:
    """The same in words, for a message: without a password."""
    return shown(database_url(settings.database_url)) if settings.database_url else str(settings.data)


async def open_store(settings: Settings) -> SqlStore:
    """Open and migrate the database. Raises ``StoreFailed``, ``OSError``."""
    return await SqlStore.open(address_of(settings))


def open_bus(settings: Settings) -> Bus:
    """The bus; it connects by itself, now or later."""
    if not settings.bus_url:
        return MemoryBus()
    from sandriver.tables.bus_valkey import ValkeyBus

    return ValkeyBus(settings.bus_url)
