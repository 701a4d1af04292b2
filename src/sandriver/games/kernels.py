"""Chooses the form in which a compiled module (``X.py`` with ``X.pxd``) runs: its extension module, else its plain Python source.

Importing this makes it so for every import that follows; all run in the same form.
``SANDRIVER_INTERPRETED=1`` forces the source. ``interpreted`` loads the source beside whatever is in use, for tests and measurements.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path


@contextlib.contextmanager
def _cython_at_hand() -> Iterator[None]:
    """Let sources import ``cython`` where Cython is not installed: all they use of it at run time are three names."""
    if "cython" in sys.modules or importlib.util.find_spec("cython") is not None:
        yield
        return
    stub = types.ModuleType("cython", "Stands in for Cython's shadow module.")
    vars(stub).update(compiled=False, nogil=contextlib.nullcontext(), cast=lambda _, value: value)
    sys.modules["cython"] = stub
    try:
        yield
    finally:
        del sys.modules["cython"]


class _Source(importlib.machinery.SourceFileLoader):
    """Loads the plain source of a module that could be compiled."""

    def exec_module(self, module: types.ModuleType) -> None:
        with _cython_at_hand():
            super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the source of a module with a ``.pxd`` where there is no extension module, or none is wanted; leaves all others alone."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if path is None or not package.startswith("sandriver."):
            return None
        for folder in map(Path, path):
            if (folder / f"{name}.pxd").exists() and (folder / f"{name}.py").exists():
                if not _interpreted() and any((folder / f"{name}{suffix}").exists() for suffix in importlib.machinery.EXTENSION_SUFFIXES):
                    return None
                return _spec(fullname, folder / f"{name}.py")
        return None


def _interpreted() -> bool:
    return os.environ.get("SANDRIVER_INTERPRETED", "") not in ("", "0")


def _spec(name: str, path: Path) -> importlib.machinery.ModuleSpec:
    spec = importlib.util.spec_from_file_location(name, path, loader=_Source(name, str(path)))
    assert spec is not None
    return spec


sys.meta_path.insert(0, _Finder())


def choose(name: str) -> types.ModuleType:
    """Import module ``name`` in the form to be used, as an ordinary import does too."""
    return importlib.import_module(name)


def interpreted(name: str) -> types.ModuleType:
    """Load the plain source of module ``name`` as a module of its own, whether or not a compiled one is in use."""
    as_name = f"{name}_source"
    if as_name in sys.modules:
        return sys.modules[as_name]
    package = importlib.import_module(name.rpartition(".")[0])
    spec = _spec(as_name, Path(package.__path__[0]) / f"{name.rpartition('.')[2]}.py")
    module = sys.modules[as_name] = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module


def is_compiled(module: types.ModuleType) -> bool:
    """Whether a module is an extension module."""
    return not str(module.__file__).endswith(".py")
