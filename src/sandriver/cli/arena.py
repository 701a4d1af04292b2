"""``sandriver arena``: two bots against each other on paired deals, with the win rate and how sure it is."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

EXAMPLE = "example: sandriver arena mandala apprentice random --games 1000 --processes 2"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game, the two bots and how much is played."""
    parser.epilog = EXAMPLE
    parser.add_argument("game", help="which game, e.g. mandala")
    parser.add_argument("one", help="bot whose win rate is told, e.g. apprentice")
    parser.add_argument("two", help="bot it plays against, e.g. random")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="games to play, two a deal (default 200)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="number of the first deal (default 0); the same number, the same games"
    )
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="processes to use (default 1; 0: one a core)")
    parser.add_argument(
        "--option", dest="options", action="append", default=[], metavar="NAME=VALUE", help="option of the game; repeatable"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print its result; return the exit status: 2 for names, numbers or options that do not fit."""
    from sandriver import bots, games
    from sandriver.arena import play_match
    from sandriver.games.errors import OptionError

    if arguments.game not in games.GAMES:
        return _refuse(f"there is no game {arguments.game!r}; there is {', '.join(games.GAMES)}")
    known = [bot.id for bot in bots.for_game(arguments.game)]
    for bot in (arguments.one, arguments.two):
        if bot not in known:
            return _refuse(f"{arguments.game} has no bot {bot!r}; it has {', '.join(known)}")
    if arguments.games < 2 or arguments.games % 2:
        return _refuse(f"--games {arguments.games}: an even number is wanted, every deal is played twice")
    if not 0 <= arguments.processes <= 1024:
        return _refuse(f"--processes {arguments.processes}: a number from 0 to 1024 is wanted")
    options: dict[str, object] = {}
    for text in arguments.options:
        name, sign, value = text.partition("=")
        if not sign:
            return _refuse(f"--option {text!r}: NAME=VALUE is wanted")
        options[name] = _value(value)
    began = time.perf_counter()
    try:
        result = play_match(
            arguments.game, arguments.one, arguments.two, arguments.games,
            seed=arguments.seed, processes=arguments.processes or os.cpu_count() or 1, options=options,
        )  # fmt: skip
    except OptionError as error:
        return _refuse(str(error))
    if arguments.json:
        import msgspec

        print(msgspec.json.encode(result).decode())
        return 0
    print(f"{result.bots[0]} against {result.bots[1]}: {result.games} games of {result.game} on {result.games // 2} deals, seats swapped")
    print(f"  won {result.wins}, drawn {result.draws}, lost {result.losses}")
    print(f"  win rate {result.rate:.1%}, 95 % interval {result.low:.1%} to {result.high:.1%}")
    print(f"  points a game {result.points[0]:.1f} : {result.points[1]:.1f}, actions a game {result.plies:.1f}")
    print(f"  ended by {', '.join(f'{reason} {count}' for reason, count in result.reasons.items())}")
    print(f"  {time.perf_counter() - began:.1f} s")
    return 0


def _value(text: str) -> object:
    """An option's value: a number, true or false where it looks like one, else the text itself."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value


def _refuse(message: str) -> int:
    print(f"sandriver arena: {' '.join(message.split())}", file=sys.stderr)
    return 2
