"""How a server is run: defaults, then the environment (``SANDRIVER_PORT=9000``), then the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

PREFIX = "SANDRIVER_"


LARGEST = 1_000_000_000
"""Of a factor or a length; more of it, infinity too, is a slip."""


class SettingsError(ValueError):
    """A setting that has no such value; the message names it."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set. Each field can be given as ``SANDRIVER_`` and its name in capitals."""

    host: str = "127.0.0.1"
    """Address to listen on; ``0.0.0.0`` lets phones in the same network join."""
    port: int = 8000
    """Port to listen on; 0: any free one."""
    data: Path = Path("data")
    """Folder in which the tables are kept, unless they are in ``database_url``; made if missing."""
    database_url: str = ""
    """Database for several processes, ``postgresql://user:password@host/name``; empty: an SQLite file in ``data``."""
    bus_url: str = ""
    """Valkey or Redis by which several processes hear of each other, ``redis://host:6379/0``; empty: there is one process."""
    origins: tuple[str, ...] = ()
    """Further origins (``https://play.example.org``) whose pages may use this server; comma-separated in the environment."""
    proxies: str = "127.0.0.1,::1"
    """Addresses of reverse proxies whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed."""
    static: Path = Path(__file__).parent / "static"
    """Folder of the built client."""
    body_limit: int = 16_384
    """Longest request body in bytes."""
    frame_limit: int = 4_096
    """Longest WebSocket message that is answered, in bytes; one four times as long ends the connection."""
    rates: float = 1.0
    """Factor on every rate limit and on the number of connections an address may hold; for benchmarks and classrooms."""
    bot_pause: float = 1.0
    """Factor on the pause a bot makes before its move; 0: none."""
    log_level: str = "warning"
    """``debug``, ``info``, ``warning`` or ``error``."""
    log: Literal["text", "json"] = "text"
    """How the log is written, one line an event."""
    metrics_port: int | None = None
    """Port for Prometheus (``/metrics``) and probes; 0: any free one, ``None``: none. Never the public port."""
    metrics_host: str = "127.0.0.1"
    """Address on which that port listens."""

    @classmethod
    def load(cls, environment: Mapping[str, str] = os.environ, **given: Any) -> Settings:
        """Read the environment; what is ``given`` and not ``None`` comes before it. Raises ``SettingsError``."""
        raw: dict[str, Any] = {}
        for name in cls.__struct_fields__:
            text = environment.get(PREFIX + name.upper())
            if given.get(name) is not None:
                raw[name] = given[name]
            elif text is not None:
                raw[name] = [part.strip() for part in text.split(",") if part.strip()] if name == "origins" else text
        try:
            settings = msgspec.convert(raw, cls, strict=False, dec_hook=_path)
        except msgspec.ValidationError as error:
            raise SettingsError(_refusal(str(error), raw, environment, given)) from None
        settings.check()
        return settings

    def check(self) -> None:
        """Raise ``SettingsError`` for a value outside its range."""
        for name in ("port", "metrics_port"):
            number = getattr(self, name)
            if number is not None and not 0 <= number <= 65535:
                raise SettingsError(f"{name} must be 0 to 65535, not {number}")
        for name in ("body_limit", "frame_limit", "rates"):
            if not 0 < getattr(self, name) <= LARGEST:  # not a number is refused too
                raise SettingsError(f"{name} must be positive, and no more than {LARGEST}")
        if not 0 <= self.bot_pause <= LARGEST:
            raise SettingsError(f"bot_pause must not be negative, and no more than {LARGEST}")
        self._check_addresses()
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise SettingsError(f"log_level must be debug, info, warning or error, not {self.log_level!r}")
        for origin in self.origins:
            if not origin.startswith(("http://", "https://")) or origin.count("/") != 2:
                raise SettingsError(f"an origin is written https://host or https://host:port, not {origin!r}")

    def _check_addresses(self) -> None:
        """What reads these takes a while to load, and most servers have none."""
        name = "database_url"
        try:
            if self.database_url:
                from sandriver.tables.databases import database_url

                database_url(self.database_url)
            name = "bus_url"
            if self.bus_url:
                from sandriver.tables.bus_valkey import bus_url

                bus_url(self.bus_url)
        except ValueError as error:
            raise SettingsError(f"{name}: {error}") from None


def _refusal(reason: str, raw: Mapping[str, Any], environment: Mapping[str, str], given: Mapping[str, Any]) -> str:
    """Why a value could not be read, with the name under which it was given."""
    found = re.search(r"\$\.([a-z_]+)", reason)
    if found is None or found[1] not in raw:
        return f"setting refused: {reason}"
    name = found[1]
    kind = "a whole number is wanted" if "`int" in reason else "a number is wanted" if "`float" in reason else reason
    if given.get(name) is None:
        return f"{name} refused: {PREFIX}{name.upper()} is {environment[PREFIX + name.upper()][:60]!r}; {kind}"
    return f"{name} refused: {str(raw[name])[:60]!r}; {kind}"


def _path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    raise NotImplementedError
