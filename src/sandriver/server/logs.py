"""The log: one line an event on standard error, as text for people or as JSON for machines; and nothing in it that anybody must not know.

No cookie, code, nonce, shuffle secret, name, chat text, address or path is ever handed to a logger here. Tables and people are named
by ``measure.tag``. What libraries say below a warning is left out, whatever the level: some of them would write down whole requests.
"""

from __future__ import annotations

import datetime as dt
import logging
import sys
import traceback
from types import TracebackType
from typing import Any, Literal, TextIO

import msgspec

OWN = "sandriver"


def event(logger: logging.Logger, level: int, name: str, **fields: Any) -> None:
    """Log that something happened, with its particulars (JSON-able) as fields of their own."""
    logger.log(level, name, extra={"fields": fields})


class Lines(logging.Formatter):
    """Writes a record as one line (a traceback follows on lines of its own in text, in a field ``trace`` in JSON)."""

    def __init__(self, style: Literal["text", "json"]) -> None:
        super().__init__()
        self._json = style == "json"

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter.format``."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        message = " ".join(record.getMessage().split())
        fields: dict[str, Any] = getattr(record, "fields", {})
        trace = _trace(*record.exc_info) if record.exc_info and record.exc_info[0] else ""
        if self._json:
            told = {"at": at, "level": record.levelname.lower(), "logger": record.name, "event": message, **fields}
            if trace:
                told["trace"] = trace
            return msgspec.json.encode(told, enc_hook=str).decode()
        line = " ".join([at, record.levelname, record.name, message, *(f"{name}={value}" for name, value in fields.items())])
        line = " ".join(line.split())  # a line end in a value begins no other event
        return f"{line}\n{trace.rstrip()}" if trace else line


def _trace(kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> str:
    """The traceback, without what databases add of the values that were to be stored."""
    lines = "".join(traceback.format_exception(kind, error, where)).splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(("DETAIL:", "CONTEXT:", "[parameters:")))


def configure(style: Literal["text", "json"], level: str, stream: TextIO | None = None) -> logging.Handler:
    """Send everything that is logged to ``stream`` (standard error); our own from ``level`` on, others' from warnings on.

    Returns the handler, so that a test can take it away again.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines(style))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))
    logging.getLogger(OWN).setLevel(level.upper())
    return handler
