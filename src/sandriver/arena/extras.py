"""What ladders and report pages need beyond the package's own dependencies: the extra ``arena``. Loaded when it is used."""

from __future__ import annotations

import importlib
from typing import Any


class MissingExtra(RuntimeError):
    """A package of the extra ``arena`` is not installed; the message says which and how to get it."""


def load(module: str, purpose: str) -> Any:
    """Import a module of the extra. Raises ``MissingExtra``."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtra(f"{purpose} needs {package}, which is not installed: pip install 'sandriver[arena]'") from None
