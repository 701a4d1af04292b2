"""Without its extra an environment says what is missing and how to get it, as the arena does."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import importlib, sys
for missing in {missing!r}:
    sys.modules[missing] = None
from sandriver.extras import MissingExtra
for module in {modules!r}:
    try:
        importlib.import_module(module)
    except ImportError as refused:
        assert isinstance(refused, MissingExtra), module
        print(refused)
    else:
        print(module, "is there")
"""
RL = "which is not installed: pip install 'sandriver[rl]'"
BATCH, ZOO, GYM, SPIEL = (f"sandriver.envs.{name}" for name in ("batch", "stones_v0", "gym", "openspiel"))


@pytest.mark.parametrize(
    ("missing", "modules", "said"),
    [
        (["numpy"], [BATCH, ZOO, GYM], [f"an environment needs numpy, {RL}"] * 3),
        (["gymnasium", "pettingzoo"], [BATCH, ZOO, GYM], [f"{BATCH} is there", *[f"an environment needs gymnasium, {RL}"] * 2]),
        (["pettingzoo", "pyspiel"], [ZOO, SPIEL], [
            f"an environment needs pettingzoo, {RL}",
            "OpenSpiel's form of the games needs pyspiel, which is not installed: pip install 'sandriver[openspiel]'",
        ]),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(missing: list[str], modules: list[str], said: list[str]) -> None:
    code = CODE.format(missing=missing, modules=modules)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == said
