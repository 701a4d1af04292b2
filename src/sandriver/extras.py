"""What only some parts of the package need: its optional extras. A part that lacks one says so, and how to get it, when it is used."""

from __future__ import annotations

import importlib
from typing import Any


class MissingExtra(ImportError):
    """A package of an extra is not installed; the message says which and how to get it."""


def missing(package: str | None, purpose: str, extra: str) -> MissingExtra:
    """What to raise for a module that was not found.

    >>> print(missing("numpy.linalg", "a ladder", "arena"))
    a ladder needs numpy, which is not installed: pip install 'sandriver[arena]'
    """
    name = (package or "").partition(".")[0]
    return MissingExtra(f"{purpose} needs {name}, which is not installed: pip install 'sandriver[{extra}]'", name=name)


def load(module: str, purpose: str, extra: str = "arena") -> Any:
    """Import a module of an extra. Raises ``MissingExtra``."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise missing(module, purpose, extra) from None
