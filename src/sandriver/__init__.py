"""Sandriver: play, study and automate Mandala and Mandala Stones, from the rules up to the table in the browser."""

from __future__ import annotations

__version__: str
"""Of the installed package; ``source`` when it runs uninstalled. Looked up when it is first asked for."""


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata

    try:
        found = metadata.version("sandriver")
    except metadata.PackageNotFoundError:
        found = "source"
    globals()["__version__"] = found
    return found
