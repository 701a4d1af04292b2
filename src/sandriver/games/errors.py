"""What the rules refuse, split as a caller must react: bad text, a forbidden action, a wrong deal, an impossible position."""

from __future__ import annotations

from collections.abc import Mapping


class GameError(ValueError):
    """Anything a game refuses. ``code`` is stable and machine-readable, ``params`` fill its message in any language."""

    def __init__(self, code: str, message: str, params: Mapping[str, str | int] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.params: dict[str, str | int] = dict(params or {})


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


class OptionError(GameError):
    """An option that does not exist or has no such value."""


def quote(text: str) -> str:
    """Foreign text fit for an error message: one line, in quotation marks, not too long."""
    shown = repr(text)
    return shown if len(shown) <= 60 else f"{shown[:56]}…{shown[0]}"
