"""``sandriver arena``: bots against each other on paired deals, with the win rate and how sure it is."""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING

from sandriver import games
from sandriver.cli.options import add_option_arguments, given_options
from sandriver.cli.refusals import refuse
from sandriver.games.errors import OptionError, quote

if TYPE_CHECKING:
    from sandriver.arena import MatchResult

EXAMPLE = (
    "examples: sandriver arena mandala apprentice random --games 1000 --processes 2; sandriver arena stones apprentice random --seats 3"
)
GAMES = 200
"""Games of a match if nothing is said, as far as they make whole deals."""
MOST_GAMES = 10_000_000
"""Their results are kept in memory until the end."""
LARGEST_SEED = 10**18 - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game, the two bots and how much is played."""
    parser.epilog = EXAMPLE
    parser.add_argument("game", help="which game, e.g. mandala")
    parser.add_argument("one", help="bot whose win rate is told, e.g. apprentice")
    parser.add_argument("two", help="bot it plays against, e.g. random; it takes all other seats")
    parser.add_argument("--seats", type=int, metavar="N", help="seats a game (default: the fewest that the game knows)")
    parser.add_argument(
        "--games", type=int, metavar="N", help=f"games to play, each deal once from every seat (default {GAMES}, in whole deals)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="number of the first deal (default 0); the same number, the same games"
    )
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="processes to use (default 1; 0: one a core)")
    add_option_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print its result; return the exit status: 2 for names, numbers or options that do not fit."""
    from sandriver.arena import play_match
    from sandriver.arena.match import EndlessGame

    if fault := _unknown(arguments):
        return refuse("arena", fault)
    seats = arguments.seats or min(games.get(arguments.game).seat_counts)
    count = GAMES - GAMES % seats if arguments.games is None else arguments.games
    if fault := _misfit(count, seats, arguments.seed, arguments.processes):
        return refuse("arena", fault)
    began = time.perf_counter()
    try:
        result = play_match(
            arguments.game, arguments.one, arguments.two, count, seats=seats, seed=arguments.seed,
            processes=arguments.processes or os.cpu_count() or 1, options=given_options(arguments, arguments.game),
        )  # fmt: skip
    except (OptionError, EndlessGame) as error:
        return refuse("arena", str(error))
    if arguments.json:
        import msgspec

        print(msgspec.json.encode(result).decode())
    else:
        _tell(result)
        print(f"  {time.perf_counter() - began:.1f} s")
    return 0


def _unknown(arguments: argparse.Namespace) -> str | None:
    """What the arguments name that there is not, if anything: a game, a bot of it, a number of seats."""
    from sandriver import bots
    from sandriver.arena import numbers

    if arguments.game not in games.GAMES:
        return f"there is no game {quote(arguments.game)}; there is {', '.join(games.GAMES)}"
    for bot in (arguments.one, arguments.two):
        try:
            bots.get(arguments.game, bot)
        except KeyError:
            return f"{arguments.game} has no bot {quote(bot)}; it has {', '.join(bots.names(arguments.game))}"
        except ValueError as error:
            return f"{quote(bot)}: {error}"
    possible = games.get(arguments.game).seat_counts
    if arguments.seats is not None and arguments.seats not in possible:
        return f"--seats {_shown(arguments.seats)}: {arguments.game} is for {numbers(possible)}"
    return None


def _tell(result: MatchResult) -> None:
    one, two = result.bots
    count, on = result.games, result.games // result.seats
    deals = "1 deal" if on == 1 else f"{on} deals"
    if result.seats == 2:
        print(f"{one} against {two}: {count} games of {result.game} on {deals}, seats swapped")
        print(f"  won {result.wins}, drawn {result.draws}, lost {result.losses}")
        print(f"  win rate {result.rate:.1%}, 95 % interval {result.low:.1%} to {result.high:.1%}")
    else:
        others = f"{result.seats - 1} x {two}"
        print(f"{one} against {others}: {count} games of {result.game} with {result.seats} seats on {deals}, seats rotated")
        print(f"  won {result.wins}, shared {result.draws}, lost {result.losses}")
        share = f"{1 / result.seats:.1%}"
        print(f"  share of the wins {result.rate:.1%}, 95 % interval {result.low:.1%} to {result.high:.1%} (among equals: {share})")
    print(f"  points a game {result.points[0]:.1f} : {result.points[1]:.1f}, actions a game {result.plies:.1f}")
    print(f"  ended by {', '.join(f'{reason} {count}' for reason, count in result.reasons.items())}")


def _wanted(count: int, seats: int) -> str:
    """Which number of games would do instead."""
    if seats == 2:
        return "an even number is wanted, every deal is played twice"
    below = count - count % seats
    near = f"{below} or {below + seats}" if below >= seats else f"{seats} or more"
    return f"a multiple of {seats} is wanted, every deal is played once from each seat ({near})"


def _misfit(count: int, seats: int, seed: int, processes: int) -> str | None:
    """What is wrong with the numbers, if anything is."""
    if abs(count) > MOST_GAMES:
        return f"--games {_shown(count)}: at most {MOST_GAMES} are played"
    if count < seats or count % seats:
        return f"--games {count}: {_wanted(count, seats)}"
    if abs(seed) > LARGEST_SEED:
        return f"--seed {_shown(seed)}: a number of at most 18 digits is wanted"
    if not 0 <= processes <= 1024:
        return f"--processes {_shown(processes)}: a number from 0 to 1024 is wanted"
    return None


def _shown(number: int) -> str:
    """A number that may have thousands of digits, for an error message."""
    return str(number) if abs(number) <= LARGEST_SEED else "with so many digits"
