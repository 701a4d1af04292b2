"""The options of the games' rules on the command line, alike for every command: ``--stall-limit 3`` or ``--option stall_limit=3``.

Which options there are is asked of the games: each is an option here too, under its name with dashes. An option that is a whole object,
such as a ruleset, is named by a file that holds it as JSON.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from sandriver.games import GAMES
from sandriver.games.errors import OptionError, quote

LARGEST_FILE = 1 << 20
"""Bytes; a file that holds an option is a few thousand."""
MARK = "rule "
"""Before the names under which ``argparse`` keeps these options: no option of a command itself begins so."""


def defaults() -> dict[str, dict[str, object]]:
    """By game its options with their defaults."""
    return {game.id: game.format_options(game.parse_options({})) for game in GAMES.values()}


def flag(option: str) -> str:
    """How an option is written on the command line."""
    return f"--{option.replace('_', '-')}"


def flags() -> set[str]:
    """Every flag that ``add_option_arguments`` declares; each takes a value."""
    return {"--option", *(flag(name) for options in defaults().values() for name in options)}


def add_option_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of every game's rules."""
    parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="any option of the rules by its name")
    shown: dict[str, list[str]] = {}
    for game, options in defaults().items():
        for option, default in options.items():
            said = "a JSON file" if isinstance(default, dict) else f"{json.dumps(default)} if not given"
            shown.setdefault(option, []).append(f"{game}: {said}")
    for option, lines in shown.items():
        parser.add_argument(flag(option), metavar="VALUE", action="append", dest=f"{MARK}{option}", help="; ".join(lines))


def given_options(arguments: argparse.Namespace, game_id: str) -> dict[str, object]:
    """The options that the command line names, with values of the kind that the game has there. Raises ``OptionError``."""
    named: list[tuple[str, str]] = []
    for name, values in vars(arguments).items():
        if name.startswith(MARK):
            named += [(name.removeprefix(MARK), value) for value in values or ()]
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError("bad_option", f"--option {quote(text)}: NAME=VALUE is wanted", {"option": name[:40]})
        named.append((name.replace("-", "_"), value))
    known = defaults()[game_id]
    return {name: _value(name, text, known.get(name)) for name, text in named}


def _value(name: str, text: str, default: object) -> object:
    """The value that a text stands for, where the default is of the wanted kind; what is no such value is left to the game to refuse."""
    if isinstance(default, dict):
        return _from_file(name, text)
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(default, int) and re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    return text


def _from_file(name: str, path: str) -> object:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) <= LARGEST_FILE:
            return json.loads(data)
        reason = "the file is too large"
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, RecursionError) as error:
        reason = f"no JSON: {error}"
    raise OptionError("bad_option", f"{flag(name)} {quote(path)}: {reason[:120]}", {"option": name})
