"""``sandriver arena``: bots against each other on paired deals, with the win rate and how sure it is; several of them as a ladder."""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import math
import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandriver import games
from sandriver.cli.options import MARK, add_option_arguments, flag, given_options
from sandriver.cli.refusals import refuse
from sandriver.cli.sharing import add_cluster_argument, stopped
from sandriver.games.errors import OptionError, quote

if TYPE_CHECKING:
    from sandriver.arena.ladder import LadderResult
    from sandriver.arena.series import Series
    from sandriver.arena.sprt import Sprt

EXAMPLE = (
    "examples: sandriver arena mandala apprentice random --games 1000; sandriver arena stones apprentice random --seats 3; "
    "sandriver arena mandala random apprentice ismcts:100 --games 400 --keep ladder.jsonl --report ladder.html"
)
GAMES = 200
"""Games of a match if nothing is said, as far as they make whole deals."""
SPRT_GAMES = 100_000
"""The same for one that a test will end."""
MOST_GAMES = 10_000_000
"""Of all matches together: a byte a game is kept in memory."""
MOST_BOTS = 64
LARGEST_SEED = 10**18 - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game, the bots, how much is played and what becomes of the result."""
    parser.epilog = EXAMPLE
    parser.add_argument("game", help="which game, e.g. mandala")
    parser.add_argument("one", help="bot whose win rate is told, e.g. apprentice")
    parser.add_argument("two", help="bot it plays against, e.g. random; it takes all other seats")
    parser.add_argument("more", nargs="*", help="more bots: each plays each, and all are rated")
    parser.add_argument("--seats", type=int, metavar="N", help="seats a game (default: the fewest that the game knows)")
    parser.add_argument(
        "--games", type=int, metavar="N",
        help=f"games of a match, each deal once from every seat (default {GAMES}, in whole deals; with --sprt at most {SPRT_GAMES})",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="number of the first deal (default 0); the same number, the same games"
    )
    parser.add_argument("--processes", type=int, default=0, metavar="N", help="processes to use (default 0: one a core)")
    add_cluster_argument(parser)
    parser.add_argument("--keep", metavar="FILE", help="write every deal to this file, and take from it those that it has")
    parser.add_argument(
        "--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"),
        help="end the match as soon as it is clear whether the first bot is better by ELO0 (H0) or by ELO1 (H1)",
    )  # fmt: skip
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P", help="with --sprt: how often H1 may be accepted wrongly (0.05)")
    parser.add_argument("--beta", type=float, default=0.05, metavar="P", help="with --sprt: how often H0 may be accepted wrongly (0.05)")
    parser.add_argument("--anchor", metavar="BOT=ELO", help="whose rating is given, and what it is (default: the first bot's, 0)")
    add_option_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--report", metavar="FILE", help="write a page (HTML) with tables and plots to this file")


def run(arguments: argparse.Namespace) -> int:
    """Play the match or ladder and print its result; return the exit status: 2 for names, numbers, options or files that do not fit."""
    from sandriver.arena.crew import CrewError
    from sandriver.arena.keep import Keep, KeepError, head_of
    from sandriver.arena.play import EndlessGame
    from sandriver.cluster import ClusterError
    from sandriver.extras import MissingExtra

    bots = [arguments.one, arguments.two, *arguments.more]
    if fault := _unknown(arguments, bots):
        return refuse("arena", fault)
    seats = arguments.seats or min(games.get(arguments.game).seat_counts)
    most = SPRT_GAMES if arguments.sprt else GAMES
    count = most - most % seats if arguments.games is None else arguments.games
    if fault := _misfit(arguments, count, seats, len(bots)) or _contradiction(arguments, bots):
        return refuse("arena", fault)
    try:
        with contextlib.ExitStack() as stack:
            keep = None
            if arguments.keep is not None:
                keep = stack.enter_context(
                    Keep(Path(arguments.keep), head_of(arguments.game, seats, given_options(arguments, arguments.game)))
                )
            return _play(arguments, _make(arguments, bots, seats, count, keep))
    except (OptionError, EndlessGame, KeepError, CrewError, ClusterError, MissingExtra) as error:
        return refuse("arena", str(error))


def _make(arguments: argparse.Namespace, bots: list[str], seats: int, count: int, keep: Any) -> Series:
    """The series that the arguments ask for."""
    from sandriver.arena.ladder import make_ladder
    from sandriver.arena.match import make_match
    from sandriver.extras import load

    options = given_options(arguments, arguments.game)
    if arguments.report is not None:
        load("matplotlib", "a report page")  # before anything is played
    if len(bots) > 2:
        return make_ladder(arguments.game, bots, count, seats=seats, seed=arguments.seed, options=options, keep=keep)
    sprt = _test(arguments) if arguments.sprt else None
    return make_match(arguments.game, bots[0], bots[1], count, seats=seats, seed=arguments.seed, options=options, sprt=sprt, keep=keep)


def _test(arguments: argparse.Namespace) -> Sprt:
    """The sequential test that the arguments ask for. Raises ``ValueError`` for numbers that make none."""
    from sandriver.arena.sprt import Sprt

    elo0, elo1 = arguments.sprt
    return Sprt(elo0, elo1, arguments.alpha, arguments.beta)


def _play(arguments: argparse.Namespace, series: Series) -> int:
    from sandriver.arena.ladder import ladder_of
    from sandriver.arena.progress import watch
    from sandriver.cli import arena_words

    began, start = dt.datetime.now(dt.UTC), time.perf_counter()
    try:
        with watch(series, sys.stderr):
            series.run(arguments.processes or None, arguments.cluster)
    except KeyboardInterrupt:
        return stopped("arena", f" after {series.deals} of {series.wanted} deals", arguments.keep)
    seconds = time.perf_counter() - start
    if series.other_versions:
        others = ", ".join(sorted(series.other_versions))
        print(f"sandriver arena: {arguments.keep} has deals by another version of {others}; they are left alone", file=sys.stderr)
    ladder = None
    if len(series.tallies) > 1 or arguments.report is not None:
        name, _, elo = (arguments.anchor or "").rpartition("=")
        ladder = ladder_of(series, name or None, float(elo or 0))
    if arguments.report is not None and ladder is not None:
        _write_report(arguments, series, ladder, began, seconds)
    if arguments.json:
        print(arena_words.as_json(series, ladder))
    else:
        arena_words.tell(series, ladder if len(series.tallies) > 1 else None)
        kept = f", {series.kept} of {series.deals} deals were there" if series.kept else ""
        print(f"  {seconds:.1f} s{kept}")
    return 0


def _write_report(arguments: argparse.Namespace, series: Series, ladder: LadderResult, began: dt.datetime, seconds: float) -> None:
    from sandriver.arena.keep import KeepError
    from sandriver.arena.report import Circumstances, page

    text = page(ladder, series, Circumstances(_command(arguments), began, seconds, arguments.processes))
    path = Path(arguments.report)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise KeepError(f"{path}: {error.strerror or error}") from None


def _command(arguments: argparse.Namespace) -> str:
    """The command line that plays the same again."""
    words = ["sandriver", "arena", arguments.game, arguments.one, arguments.two, *arguments.more]
    for name in ("seats", "games", "seed", "sprt", "anchor"):
        value = getattr(arguments, name)
        if value is not None:
            words += [f"--{name}", *([f"{number:g}" for number in value] if name == "sprt" else [str(value)])]
    if arguments.sprt:
        words += ["--alpha", f"{arguments.alpha:g}", "--beta", f"{arguments.beta:g}"]
    for name, values in vars(arguments).items():
        if name.startswith(MARK):
            for value in values or ():
                words += [flag(name.removeprefix(MARK)), value]
    for text in arguments.option:
        words += ["--option", text]
    return shlex.join(words)


def _unknown(arguments: argparse.Namespace, names: list[str]) -> str | None:
    """What the arguments name that there is not, if anything: a game, a bot of it, a number of seats."""
    from sandriver import bots
    from sandriver.arena import numbers

    if arguments.game not in games.GAMES:
        return f"there is no game {quote(arguments.game)}; there is {', '.join(games.GAMES)}"
    for bot in names:
        try:
            bots.get(arguments.game, bot)
        except KeyError:
            return f"{arguments.game} has no bot {quote(bot)}; it has {', '.join(bots.names(arguments.game))}"
        except ValueError as error:
            return f"{quote(bot)}: {error}"
    if len(names) > 2 and len(set(names)) < len(names):
        return f"{next(name for name in names if names.count(name) > 1)} is there twice; a ladder is for different bots"
    possible = games.get(arguments.game).seat_counts
    if arguments.seats is not None and arguments.seats not in possible:
        return f"--seats {_shown(arguments.seats)}: {arguments.game} is for {numbers(possible)}"
    return None


def _wanted(count: int, seats: int) -> str:
    """Which number of games would do instead."""
    if seats == 2:
        return "an even number is wanted, every deal is played twice"
    below = count - count % seats
    near = f"{below} or {below + seats}" if below >= seats else f"{seats} or more"
    return f"a multiple of {seats} is wanted, every deal is played once from each seat ({near})"


def _misfit(arguments: argparse.Namespace, count: int, seats: int, bots: int) -> str | None:
    """What is wrong with the numbers, if anything is."""
    if bots > MOST_BOTS:
        return f"{bots} bots: a ladder has at most {MOST_BOTS}"
    matches = 1 if bots == 2 else math.comb(bots, 2) * (1 if seats == 2 else 2)
    if abs(count) * matches > MOST_GAMES:
        return f"--games {_shown(count)}: at most {MOST_GAMES} are played" + (f", in {matches} matches" if matches > 1 else "")
    if count < seats or count % seats:
        return f"--games {count}: {_wanted(count, seats)}"
    if abs(arguments.seed) > LARGEST_SEED:
        return f"--seed {_shown(arguments.seed)}: a number of at most 18 digits is wanted"
    if not 0 <= arguments.processes <= 1024:
        return f"--processes {_shown(arguments.processes)}: a number from 0 to 1024 is wanted"
    return None


def _contradiction(arguments: argparse.Namespace, bots: list[str]) -> str | None:
    """What of the arguments does not go together, if anything does not."""
    if arguments.sprt:
        if len(bots) > 2:
            return "--sprt: a sequential test is for two bots"
        try:
            _test(arguments)
        except ValueError as error:
            return f"--sprt: {error}"
    if arguments.anchor is not None:
        name, _, elo = arguments.anchor.rpartition("=")
        try:
            good = name in bots and abs(float(elo)) <= 10_000
        except ValueError:
            good = False
        if not good:
            return f"--anchor {quote(arguments.anchor)}: BOT=ELO is wanted, with one of the bots that play"
    if arguments.report is not None:
        if bots[0] == bots[1]:
            return "--report: a page is about different bots"
        folder = Path(arguments.report).parent
        if Path(arguments.report).is_dir() or not os.access(folder, os.W_OK):
            return f"--report {quote(arguments.report)}: no file can be written there"
    return None


def _shown(number: int) -> str:
    """A number that may have thousands of digits, for an error message."""
    return str(number) if abs(number) <= LARGEST_SEED else "with so many digits"
