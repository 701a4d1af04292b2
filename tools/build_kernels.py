"""Compiles every module that has its C types beside it (``X.py`` with ``X.pxd``), and puts the extension modules beside the sources.

``python tools/build_kernels.py [SOURCE_DIR [TARGET_DIR]] [--only NAME...]``; without a C compiler or Cython it says so and leaves them to
run as plain Python. The packaging hook calls ``build``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import stamps

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "emit_code_comments": False,
    "binding": False,
}
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-fwrapv", "-ffp-contract=off", "-g0"]
"""No flag that ties the result to this machine; the packed counts rely on wrapping arithmetic, and searches on sums that are rounded alike
everywhere, so that is said, not assumed."""


PROBE = "#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n"


class NotBuilt(Exception):
    """The modules could not be compiled; the message says why in one line."""


STUDY = ("batch",)
"""Modules that only learners need; who wants to play need not wait for them."""


def sources(source_dir: Path, *, study: bool = True) -> list[Path]:
    """The modules to be compiled under ``source_dir`` (the folder that holds ``sandriver/``): each has a ``.pxd`` beside it.

    ``study``: those of ``STUDY`` too.
    """
    found = (source for pxd in source_dir.glob("sandriver/**/*.pxd") if (source := pxd.with_suffix(".py")).exists())
    return sorted(source for source in found if study or source.stem not in STUDY)


def extensions(source_dir: Path) -> set[Path]:
    """The extension modules that lie among the sources, whatever they were made from."""
    return {path for path in source_dir.glob("sandriver/**/*") if path.suffix in {".so", ".pyd"}}


def complete(source_dir: Path, *, study: bool = True) -> bool:
    """Whether every module that is to be compiled (see ``sources``) has its extension module beside it."""
    there = {(path.parent, path.name.partition(".")[0]) for path in extensions(source_dir)}
    return all((source.parent, source.stem) in there for source in sources(source_dir, study=study))


def inputs() -> list[Path]:
    """All files of this repository that decide what the extension modules are."""
    typed = stamps.files("src/sandriver")
    compiled = [path for path in typed if path.suffix == ".pxd" or (path.suffix == ".py" and path.with_suffix(".pxd") in typed)]
    return [*compiled, *stamps.files("tools/build_kernels.py")]


def _contents() -> str:
    """What this repository's modules are made of, and for what, as a stamp."""
    return stamps.key(inputs(), str(sysconfig.get_config_var("EXT_SUFFIX")), sys.version, os.environ.get("CC", ""))


def kept(source_dir: Path) -> list[Path]:
    """The extension modules among the sources of this repository, if they are what ``build`` would make of them; else none."""
    made = [source.with_suffix(str(sysconfig.get_config_var("EXT_SUFFIX"))) for source in sources(source_dir)]
    return made if stamps.fresh("kernels", _contents(), *made) else []


def build(source_dir: Path, target_dir: Path, only: Sequence[str] = (), *, study: bool = True) -> list[Path]:
    """Compile the modules under ``source_dir`` (``study``: see ``sources``) into ``target_dir``, all or none; ``only``: these names.

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
        command.parallel = min(len(extensions), os.cpu_count() or 1)
        command.ensure_finalized()
        command.run()
        return command

    contents = _contents()
    cythonize: Any = Cython.Build.cythonize  # untyped
    built: list[Path] = []
    with tempfile.TemporaryDirectory() as scratch:
        probe = Path(scratch) / "probe.c"
        probe.write_text(PROBE)
        wanted = []
        for source in sources(source_dir, study=study):
            name = ".".join(source.relative_to(source_dir).with_suffix("").parts)
            if not only or name in only:
                wanted.append(Extension(name, [str(source)], extra_compile_args=FLAGS))
        try:
            compile_c([Extension("probe", [str(probe)])], scratch)  # before the long part: is there a compiler, are there headers?
            options = {"include_path": [str(source_dir)], "compiler_directives": DIRECTIVES}
            modules = cythonize(wanted, build_dir=scratch, quiet=True, force=True, **options)
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
    if target_dir.resolve() == stamps.ROOT / "src":
        stamps.write("kernels", contents if study and not only else "some")
    return built


def main() -> int:
    """Compile in place, or from one folder to another; exit status 0 also when nothing was, since uncompiled modules work too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent / "src")
    parser.add_argument("target", nargs="?", type=Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="full names, such as sandriver.games.mandala.kernel")
    arguments = parser.parse_args()
    try:
        for path in build(arguments.source, arguments.target or arguments.source, arguments.only):
            print(f"compiled {path}")
    except NotBuilt as error:
        print(f"kernels not compiled, they will run as plain Python: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
