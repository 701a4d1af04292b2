"""Compiles every game's kernel (``games/*/kernel.py`` with its ``.pxd``) and puts the extension modules beside the sources.

``python tools/build_kernels.py [SOURCE_DIR [TARGET_DIR]]``; without a C compiler or Cython it says so and leaves the kernels to run
as plain Python. The packaging hook calls ``build``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "emit_code_comments": False,
}
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-fwrapv"]
"""No flag that ties the result to this machine; the packed counts rely on wrapping arithmetic, so that is said, not assumed."""


PROBE = "#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n"


class NotBuilt(Exception):
    """The kernels could not be compiled; the message says why in one line."""


def build(source_dir: Path, target_dir: Path) -> list[Path]:
    """Compile the kernels of the package under ``source_dir`` (the folder that holds ``sandriver/``) into ``target_dir``.

    Returns the extension modules. Raises ``NotBuilt`` when there is no Cython, no compiler, or the compiler fails.
    """
    try:
        import Cython.Build
        from setuptools import Distribution, Extension
        from setuptools.command.build_ext import build_ext
    except ImportError as error:
        raise NotBuilt(f"{error.name} is not installed") from None

    def compile_c(extensions: list[Any], folder: str) -> Any:
        command = build_ext(Distribution({"name": "sandriver-kernels", "ext_modules": extensions}))
        command.build_lib, command.build_temp = folder, folder
        command.ensure_finalized()
        command.run()
        return command

    cythonize: Any = Cython.Build.cythonize  # untyped
    built: list[Path] = []
    with tempfile.TemporaryDirectory() as scratch:
        probe = Path(scratch) / "probe.c"
        probe.write_text(PROBE)
        extensions = []
        for source in sorted(source_dir.glob("sandriver/games/*/kernel.py")):
            name = ".".join(source.relative_to(source_dir).with_suffix("").parts)
            extensions.append(Extension(name, [str(source)], extra_compile_args=FLAGS))
        try:
            compile_c([Extension("probe", [str(probe)])], scratch)  # before the long part: is there a compiler, are there headers?
            modules = cythonize(extensions, compiler_directives=DIRECTIVES, build_dir=scratch, quiet=True)
            command = compile_c(modules, scratch)
        except (Exception, SystemExit) as error:  # distutils, Cython and compilers fail in many ways; each means: run the source
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise NotBuilt(lines[-1]) from error
        for extension in modules:
            made = Path(command.get_ext_fullpath(extension.name))
            target = target_dir / made.relative_to(scratch)
            target.parent.mkdir(parents=True, exist_ok=True)
            # a new file, never written over: a process that runs the old one keeps it
            shutil.copyfile(made, f"{target}.new")
            Path(f"{target}.new").replace(target)
            built.append(target)
    return built


def main(arguments: list[str]) -> int:
    """Compile in place, or from one folder to another; always exit status 0, since uncompiled kernels work too."""
    root = Path(__file__).resolve().parent.parent
    source = Path(arguments[0]) if arguments else root / "src"
    target = Path(arguments[1]) if len(arguments) > 1 else source
    try:
        for path in build(source, target):
            print(f"compiled {path}")
    except NotBuilt as error:
        print(f"kernels not compiled, they will run as plain Python: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
