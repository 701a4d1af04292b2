"""``sandriver legal GAME POSITION`` and ``sandriver step GAME POSITION ACTION…``: the rules from the terminal, for tests and scripts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from sandriver.cli.options import add_option_arguments, flags, given_options
from sandriver.cli.refusals import refuse
from sandriver.games import GAMES
from sandriver.games.errors import GameError, quote


class RulesCommand:
    """``legal`` or ``step``. Positions and actions may begin with a dash, so only the exact names of options are options."""

    def __init__(self, name: str, switches: Sequence[str]) -> None:
        self.name, self.switches = name, switches

    def arrange(self, argv: Sequence[str]) -> list[str]:
        """Put options first and everything else behind ``--``."""
        valued = flags()
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
            elif word in self.switches or word.partition("=")[0] in valued:
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
        add_option_arguments(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status: 2 with one line of why for anything that is refused."""
        game = GAMES.get(arguments.game)
        if game is None:
            return refuse(self.name, f"there is no game {quote(arguments.game)}; there is {', '.join(GAMES)}")
        at = ""
        try:
            options = game.parse_options(given_options(arguments, game.id))
            position = game.parse_position(arguments.position, options)
            events: list[Any] = []
            for number, move in enumerate(getattr(arguments, "actions", ()), 1):
                at = f"action {number}: " if len(arguments.actions) > 1 else ""
                transition = game.replay(position, move)
                position = transition.after
                events += transition.events
            legal = [game.format_action(action) for action in position.legal_actions]
        except GameError as error:
            return refuse(self.name, f"{at}{error}")
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


legal = RulesCommand("legal", ("-h", "--help"))
step = RulesCommand("step", ("-h", "--help", "--json"))
