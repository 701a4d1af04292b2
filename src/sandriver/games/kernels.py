"""Chooses the form in which a compiled module (``X.py`` with ``X.pxd``) runs: its extension module, else its plain Python source.

A package calls ``choose`` for each of its modules that are compiled, before anything imports them; all run in the same form.
``SANDRIVER_INTERPRETED=1`` forces the source. ``interpreted`` loads the source beside whatever is in use, for tests and measurements.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Iterator
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


def _load_source(name: str, as_name: str) -> types.ModuleType:
    package = importlib.import_module(name.rpartition(".")[0])
    path = Path(package.__path__[0]) / f"{name.rpartition('.')[2]}.py"
    spec = importlib.util.spec_from_file_location(as_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[as_name] = module
    with _cython_at_hand():
        spec.loader.exec_module(module)
    return module


def choose(name: str) -> types.ModuleType:
    """Import module ``name`` in the form to be used; afterwards an ordinary import finds it."""
    if name in sys.modules:
        return sys.modules[name]
    if os.environ.get("SANDRIVER_INTERPRETED", "") not in ("", "0"):
        return _load_source(name, name)
    with _cython_at_hand():
        return importlib.import_module(name)


def interpreted(name: str) -> types.ModuleType:
    """Load the plain source of module ``name`` as a module of its own, whether or not a compiled one is in use."""
    return sys.modules.get(f"{name}_source") or _load_source(name, f"{name}_source")


def is_compiled(module: types.ModuleType) -> bool:
    """Whether a module is an extension module."""
    return not str(module.__file__).endswith(".py")
