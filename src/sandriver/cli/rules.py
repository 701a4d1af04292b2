"""``sandriver legal GAME POSITION`` and ``sandriver step GAME POSITION ACTION…``: the rules from the terminal, for tests and scripts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

VALUED = ("--exhaustion", "--stall-limit")


class RulesCommand:
    """``legal`` or ``step``. Positions and actions may begin with a dash, so only the exact names of options are options."""

    def __init__(self, name: str, flags: Sequence[str]) -> None:
        self.name, self.flags = name, flags

    def arrange(self, argv: Sequence[str]) -> list[str]:
        """Put options first and everything else behind ``--``."""
        options: list[str] = []
        others: list[str] = []
        waiting = list(argv)
        while waiting:
            word = waiting.pop(0)
            if word == "--":
                others += waiting
                break
            if word in VALUED:
                options.append(f"{word}={waiting.pop(0)}" if waiting else word)
            elif word in self.flags or word.partition("=")[0] in VALUED:
                options.append(word)
            else:
                others.append(word)
        return [*options, "--", *others]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare game, position, actions and the options of the rules."""
        parser.add_argument("game", metavar="GAME", help="which game, e.g. mandala")
        parser.add_argument("position", metavar="POSITION", help="a position line, as one argument")
        if self.name == "step":
            parser.add_argument("actions", metavar="ACTION", nargs="+", help="an action with the cards that it deals, e.g. 'b1R>GPY'")
            parser.add_argument("--json", action="store_true", help="print position, legal actions, turn, end, scores and events as JSON")
        parser.add_argument("--exhaustion", metavar="HOW", help="eager (default) or lazy: when the deck counts as run out")
        parser.add_argument("--stall-limit", type=int, metavar="N", help="consecutive redraws that end the game (default 20; 0: never)")

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status: 2 with one line of why for anything that is refused."""
        from sandriver.games import GAMES
        from sandriver.games.errors import GameError

        game = GAMES.get(arguments.game)
        if game is None:
            return self._refuse(f"there is no game {arguments.game!r}; there is {', '.join(GAMES)}")
        given = {"exhaustion": arguments.exhaustion, "stall_limit": arguments.stall_limit}
        at = ""
        try:
            options = game.parse_options({name: value for name, value in given.items() if value is not None})
            position = game.parse_position(arguments.position, options)
            if self.name == "step" and not position.complete:
                return self._refuse("a position with hidden cards cannot be played on")
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


legal = RulesCommand("legal", ("-h", "--help"))
step = RulesCommand("step", ("-h", "--help", "--json"))
