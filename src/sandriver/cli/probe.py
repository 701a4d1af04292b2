"""``sandriver probe``: a learner plays a bot that stays as it is, learns from these games alone, and tells how much it wins in the end."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandriver.cli.refusals import refuse
from sandriver.cli.sharing import add_cluster_argument, add_generations_argument, missing_folder, stopped, stopwatch
from sandriver.games.errors import quote

if TYPE_CHECKING:
    from sandriver.arena.tally import MatchResult
    from sandriver.learn.keep import Head, Keep
    from sandriver.learn.probe import Attempt, ProbePlan

EXAMPLE = "example: sandriver probe mandala --against ismcts-puct:100 --generations 4 --games 4000 --also champion --json probe.json"
MOST = {
    "generations": 100, "games": 900_000, "iterations": 100_000, "epochs": 1000, "check": 100_000, "final": 1_000_000,
    "also_games": 1_000_000, "processes": 256, "seed": 10**6,
}  # fmt: skip
FIRST_FINAL = 7_000_000
"""Number of the first deal of the final matches; nothing is learned or chosen by any of them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare who is probed, for how long is learned, and where the result goes."""
    parser.epilog = EXAMPLE
    parser.add_argument("game", help="which game: mandala")
    parser.add_argument("--against", default="ismcts-puct:100", metavar="BOT", help="the bot that is probed (default ismcts-puct:100)")
    parser.add_argument("--iterations", type=int, metavar="N", help="the learner's, a move (default: as many as the bot has, else 100)")
    parser.add_argument("--generations", type=int, default=4, metavar="N", help="how often it plays and learns anew (default 4)")
    parser.add_argument("--games", type=int, default=4000, metavar="N", help="games of a generation (default 4000)")
    parser.add_argument("--epochs", type=int, default=4, metavar="N", help="passes over what was played (default 4)")
    parser.add_argument("--check", type=int, default=200, metavar="N", help="games after each generation, to choose the best (default 200)")
    parser.add_argument(
        "--final", type=int, default=400, metavar="N", help="games of the best against the bot, on other deals (default 400)"
    )
    parser.add_argument("--also", metavar="BOT", help="another bot that the best plays in the end, with as many iterations as that one has")
    parser.add_argument("--also-games", type=int, default=100, metavar="N", help="games against it (default 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same number, the same result (default 1)")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="processes that play (default 1); changes only the time")
    add_cluster_argument(parser)
    add_generations_argument(parser)
    parser.add_argument("--out", metavar="FILE", help="write the best weights to this file")
    parser.add_argument("--json", metavar="FILE", help="write the result and the course of it as JSON to this file")


def run(arguments: argparse.Namespace) -> int:
    """Probe and tell; return the exit status: 2 for numbers, names or files that do not fit and for a missing extra."""
    from sandriver.arena.crew import CrewError
    from sandriver.cluster import ClusterError
    from sandriver.extras import MissingExtra
    from sandriver.learn import report
    from sandriver.learn.keep import Keep
    from sandriver.learn.probe import KEPT, Attempt, ProbePlan, iterations_of

    if fault := _fault(arguments):
        return refuse("probe", fault)
    plan = ProbePlan(
        against=arguments.against, iterations=arguments.iterations or iterations_of(arguments.against),
        generations=arguments.generations, games=arguments.games, epochs=arguments.epochs, check_deals=arguments.check // 2,
        seed=arguments.seed, processes=arguments.processes,
    )  # fmt: skip
    keep = None
    try:
        report.check_extra(page=False)
        with contextlib.ExitStack() as stack:
            if arguments.keep:
                keep = stack.enter_context(Keep(Path(arguments.keep), _head(plan), Attempt, KEPT))
            _probe(arguments, plan, keep)
    except KeyboardInterrupt:
        after = f" after generation {keep.done[-1].number} of {plan.generations}" if keep and keep.done else ""
        return stopped("probe", after, arguments.keep)
    except (MissingExtra, ClusterError, CrewError, ValueError) as error:
        return refuse("probe", str(error))
    return 0


def _head(plan: ProbePlan) -> Head:
    """What decides all games of a probe: its plan, the bot, and the weights that the learner begins with."""
    from sandriver import bots
    from sandriver.bots import mandala_net, weights
    from sandriver.learn.keep import head_of
    from sandriver.learn.probe import GAME

    start = weights.read_head(weights.FOLDER / mandala_net.FILE)[0].sha256
    return head_of("probe", plan, bot_version=bots.get(GAME, plan.against).version, start=start)


def _probe(arguments: argparse.Namespace, plan: ProbePlan, keep: Keep[Attempt] | None) -> None:
    """Have the learner learn and its best generation play the final matches; tell and write what came of it."""
    from sandriver.learn import probe_report
    from sandriver.learn.probe import best_of, iterations_of, probe

    weights, course = probe(plan, stopwatch(), arguments.cluster, keep)
    if arguments.out:
        probe_report.write_weights(Path(arguments.out), weights, plan, course)
    print(probe_report.words(course))
    matches = [(plan.iterations, plan.against, arguments.final)]
    if arguments.also:
        matches.append((iterations_of(arguments.also), arguments.also, arguments.also_games))
    finals: list[MatchResult] = []
    for name, (iterations, against, count) in zip(("final", "also"), matches, strict=False):
        kept_in = keep.folder / f"{name}-{best_of(course).number}.jsonl" if keep else None
        result = _final(arguments, weights, iterations, against, count, kept_in)
        finals.append(result)
        if arguments.json:  # the second match may take hours
            Path(arguments.json).write_bytes(probe_report.as_json(plan, course, finals))
        print(
            f"best generation against {against}, {iterations} iterations a move: {result.rate:.1%} of the victories "
            f"in {result.games} games, 95 % interval {result.low:.1%} to {result.high:.1%}",
            flush=True,
        )


def _final(
    arguments: argparse.Namespace, weights: list[float], iterations: int, against: str, count: int, kept_in: Path | None
) -> MatchResult:
    """The learner against a bot on the arena's paired deals; those that are over are kept in a file, if there is to be one."""
    from sandriver.arena.keep import Keep, head_of
    from sandriver.arena.match import make_match
    from sandriver.arena.progress import watch
    from sandriver.learn.probe import GAME, Learner

    with contextlib.ExitStack() as stack:
        keep = stack.enter_context(Keep(kept_in, head_of(GAME, 2, {}))) if kept_in else None
        series: Any = make_match(GAME, Learner(weights, iterations), against, count, seed=FIRST_FINAL, keep=keep)
        with watch(series, sys.stderr):
            series.run(None if arguments.cluster else arguments.processes, arguments.cluster)
    (one, two), = series.bots  # fmt: skip
    result: MatchResult = series.tallies[0].result(GAME, one.id, two.id)
    return result


def _fault(arguments: argparse.Namespace) -> str | None:
    from sandriver import bots

    if arguments.game != "mandala":
        return f"only mandala can be probed, not {quote(arguments.game)}"
    for option in ("against", "also"):
        bot = getattr(arguments, option)
        try:
            if bot is not None:
                bots.get(arguments.game, bot)
        except KeyError:
            return f"--{option}: {arguments.game} has no bot {quote(bot)}; it has {', '.join(bots.names(arguments.game))}"
        except ValueError as error:
            return f"--{option} {quote(bot)}: {error}"
    for name, most in MOST.items():
        number, option = getattr(arguments, name), name.replace("_", "-")
        if number is not None and not (0 if name == "seed" else 1) <= number <= most:
            return f"--{option}: a number from {0 if name == 'seed' else 1} to {most} is wanted"
        if name in ("check", "final", "also_games") and number % 2:
            return f"--{option}: an even number is wanted, as each deal is played twice"
    return missing_folder(arguments, "out", "json", "keep")
