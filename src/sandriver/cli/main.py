"""The ``sandriver`` command: finds the command's module, parses its arguments, and turns every refusal into one line and status 2.

A command is anything with ``add_arguments(parser)`` and ``run(arguments) -> exit status``: a module, or an object in one. One that
also has ``arrange(argv) -> argv`` may put its arguments in order before they are parsed.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from sandriver import __version__
from sandriver.cli.refusals import in_words

COMMANDS = {
    "serve": ("sandriver.cli.serve", "serve the page on which people play"),
    "verify": ("sandriver.cli.verify", "check the shuffle of a finished game's record"),
    "migrate": ("sandriver.cli.storage:migrate", "bring the database up to this version's schema"),
    "backup": ("sandriver.cli.storage:backup", "write everything that the database holds into one file"),
    "restore": ("sandriver.cli.storage:restore", "fill an empty database from such a file"),
    "legal": ("sandriver.cli.rules:legal", "print the legal actions of a position"),
    "step": ("sandriver.cli.rules:step", "play actions and print the resulting position"),
    "arena": ("sandriver.cli.arena", "let bots play each other"),
    "train": ("sandriver.cli.train", "let a network learn from games against itself"),
    "probe": ("sandriver.cli.probe", "let a learner find out how a bot is beaten"),
}
"""Name -> where it is (``module`` or ``module:object``), and what it does."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with status 2."""
        self.exit(2, f"{self.prog}: {in_words(message)}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0, 2 for anything refused, 130 when interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a letter that the terminal does not have is shown as its number
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has seen enough
        _write_nowhere()
        return 0
    except OSError as error:  # nothing can be written, say because the disk is full
        _write_nowhere()
        print(f"sandriver: {error.strerror or error}", file=sys.stderr)
        return 2
    return status


def _write_nowhere() -> None:
    """Keep the interpreter from complaining once more at its end about an output that takes nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:  # what many type first
        arguments = [*arguments[1:2], "--help"]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help())
        return 0 if arguments else 2
    if arguments[0] == "--version":
        print(f"sandriver {__version__}")
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        print(f"sandriver: there is no command {name!r}; there is {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    command = _load(COMMANDS[name][0])
    parser = Parser(prog=f"sandriver {name}", description=f"{COMMANDS[name][1].capitalize()}.", allow_abbrev=False)
    command.add_arguments(parser)
    if hasattr(command, "arrange"):
        rest = command.arrange(rest)
    try:
        status: int = command.run(parser.parse_args(rest))
    except SystemExit as done:  # argparse: help printed, or arguments refused
        return done.code if isinstance(done.code, int) else 2
    return status


def _load(where: str) -> Any:
    module, _, name = where.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, name) if name else loaded


def _help() -> str:
    lines = [f"  {name:<9}{summary}" for name, (_, summary) in COMMANDS.items()]
    return "\n".join(["usage: sandriver COMMAND …", "", *lines, "", "`sandriver COMMAND --help` tells more about one."])
