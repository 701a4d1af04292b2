"""What is compiled for the wheel runs on any processor of its kind: what some cannot do is only where it is asked for first."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import build_kernels

ROOT = Path(__file__).resolve().parents[2]
ASKED_FOR = {"weigh_wide"}
"""Functions that are called only if the processor says that it can do this."""


def test_no_flag_is_for_this_machine_alone() -> None:
    flags = [*build_kernels.FLAGS, *str(sysconfig.get_config_var("CFLAGS") or "").split()]
    assert [flag for flag in flags if re.match(r"-m(arch|cpu|tune|avx|sse|fma|bmi)|/arch|-ffast-math|-Ofast", flag)] == []
    targets = {path.name for path in (ROOT / "src").rglob("*.pxd") if "target(" in path.read_text(encoding="utf-8")}
    assert targets == {"mandala_net.pxd"}


MODULES = build_kernels.extensions(ROOT / "src")

if MODULES and shutil.which("objdump"):  # it comes with every compiler

    def test_wide_arithmetic_is_only_where_it_was_asked_for() -> None:
        """Of x86-64 processors not all have AVX: its registers and instructions appear in no other function."""
        told = subprocess.run(["objdump", "-d", "--no-show-raw-insn", *MODULES], capture_output=True, text=True, check=True).stdout
        wide, function = set(), ""
        for line in told.splitlines():
            if line.endswith(">:"):
                function = line.partition("<")[2].partition(".")[0].removesuffix(">:")
            elif "\tv" in line or "%ymm" in line or "%zmm" in line:
                wide.add(function)
        assert function
        assert wide <= ASKED_FOR
