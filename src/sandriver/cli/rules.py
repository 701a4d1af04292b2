"""``sandriver legal GAME POSITION`` and ``sandriver step GAME POSITION ACTION…``: the rules from the terminal, for tests and scripts.

Which options there are is asked of the games: each is an option here too, under its name with dashes. An option that is a whole object,
such as a ruleset, is named by a file that holds it as JSON.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandriver.games import GAMES
from sandriver.games.errors import GameError, OptionError, quote

LARGEST_FILE = 1 << 20
"""Bytes; a file that holds an option is a few thousand."""


def _defaults() -> dict[str, dict[str, object]]:
    """By game its options with their defaults."""
    return {game.id: game.format_options(game.parse_options({})) for game in GAMES.values()}


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


class RulesCommand:
    """``legal`` or ``step``. Positions and actions may begin with a dash, so only the exact names of options are options."""

    def __init__(self, name: str, flags: Sequence[str]) -> None:
        self.name, self.flags = name, flags

    def arrange(self, argv: Sequence[str]) -> list[str]:
        """Put options first and everything else behind ``--``."""
        valued = {"--option", *(_flag(name) for defaults in _defaults().values() for name in defaults)}
        options: list[str] = []
        others: list[str] = []
        waiting = list(argv)
        while waiting:
            word = waiting.pop(0)
            if word == "--":
                others += waiting
                break
            if word in valued:
                options.append(f"{word}={waiting.pop(0)}" if waiting else word)
            elif word in self.flags or word.partition("=")[0] in valued:
                options.append(word)
            else:
                others.append(word)
        return [*options, "--", *others]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare game, position, actions and the options of every game's rules."""
        parser.add_argument("game", metavar="GAME", help=f"which game: {' or '.join(GAMES)}")
        parser.add_argument("position", metavar="POSITION", help="a position line, as one argument")
        if self.name == "step":
            parser.add_argument("actions", metavar="ACTION", nargs="+", help="an action, with what it deals if it deals: 'b1R>GPY'")
            parser.add_argument("--json", action="store_true", help="print position, legal actions, turn, end, scores and events as JSON")
        parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="any option of the rules by its name")
        shown: dict[str, list[str]] = {}
        for game, defaults in _defaults().items():
            for option, default in defaults.items():
                is_object = isinstance(default, dict)
                said = f"{game}: {'a JSON file' if is_object else f'{json.dumps(default)} if not given'}"
                shown.setdefault(option, []).append(said)
        for option, lines in shown.items():
            parser.add_argument(_flag(option), metavar="VALUE", action="append", dest=f"rule {option}", help="; ".join(lines))

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status: 2 with one line of why for anything that is refused."""
        game = GAMES.get(arguments.game)
        if game is None:
            return self._refuse(f"there is no game {quote(arguments.game)}; there is {', '.join(GAMES)}")
        at = ""
        try:
            options = game.parse_options(_given(arguments, _defaults()[game.id]))
            position = game.parse_position(arguments.position, options)
            events: list[Any] = []
            for number, move in enumerate(getattr(arguments, "actions", ()), 1):
                at = f"action {number}: " if len(arguments.actions) > 1 else ""
                transition = game.replay(position, move)
                position = transition.after
                events += transition.events
            legal = [game.format_action(action) for action in position.legal_actions]
        except GameError as error:
            return self._refuse(f"{at}{error}")
        if self.name == "legal":
            print("".join(f"{action}\n" for action in legal), end="")
        elif arguments.json:
            import msgspec

            result = {
                "position": game.format_position(position),
                "legal": legal,
                "to_move": position.turn,
                "over": position.to_move is None,
                "scores": position.scores,
                "events": events,
            }
            print(msgspec.json.encode(result).decode())
        else:
            print(game.format_position(position))
        return 0

    def _refuse(self, message: str) -> int:
        print(f"sandriver {self.name}: {' '.join(message.split())}", file=sys.stderr)
        return 2


def _given(arguments: argparse.Namespace, defaults: dict[str, object]) -> dict[str, object]:
    """The options that the command line names, with values of the kind that the game has there. Raises ``OptionError``."""
    named: list[tuple[str, str]] = []
    for name, values in vars(arguments).items():
        if name.startswith("rule "):
            named += [(name.removeprefix("rule "), value) for value in values or ()]
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError("bad_option", f"--option {quote(text)}: NAME=VALUE is wanted", {"option": name[:40]})
        named.append((name.replace("-", "_"), value))
    return {name: _value(name, text, defaults.get(name)) for name, text in named}


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
    raise OptionError("bad_option", f"{_flag(name)} {quote(path)}: {reason[:120]}", {"option": name})


legal = RulesCommand("legal", ("-h", "--help"))
step = RulesCommand("step", ("-h", "--help", "--json"))
