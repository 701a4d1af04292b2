"""What the rules refuse, split as a caller must react: bad text, a forbidden action, a wrong deal, an impossible position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GameError(ValueError):
    """Anything a game refuses. ``code`` is stable and machine-readable, ``params`` fill its message in any language.

    It can be copied and pickled, so that it reaches who waits for another process.
    """

    def __init__(self, code: str, message: str, params: Mapping[str, str | int] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.params: dict[str, str | int] = dict(params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self), self.params), self.__dict__


class NotationError(GameError):
    """Text that is not in the notation at all (syntax)."""


class IllegalAction(GameError):
    """A well-formed action that a rule forbids here (legality). ``code`` names the rule."""


class ChanceError(GameError):
    """Dealt cards that are missing, too many or not there to be dealt."""


class PositionError(GameError):
    """A position that cannot be (inconsistency). ``field`` names the part of the notation that is at fault."""

    def __init__(self, field: str, code: str, message: str, params: Mapping[str, str | int] | None = None) -> None:
        super().__init__(code, message, params)
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.field, self.code, str(self), self.params), self.__dict__


class OptionError(GameError):
    """An option that does not exist or has no such value."""


def quote(value: object) -> str:
    """Foreign text (or what stands in its place) fit for an error message: one line, text in quotation marks, not too long."""
    shown = " ".join(repr(value).split()) if not isinstance(value, str) else repr(value)
    if len(shown) <= 60:
        return shown
    return f"{shown[:56]}…{shown[0]}" if isinstance(value, str) else f"{shown[:57]}…"
