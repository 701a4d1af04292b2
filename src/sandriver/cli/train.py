"""``sandriver train``: a network learns from games that a search plays against itself; its weights and a report become files."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from sandriver.cli.refusals import refuse
from sandriver.cli.sharing import add_cluster_argument, add_generations_argument, missing_folder, stopped, stopwatch
from sandriver.games.errors import quote

EXAMPLE = "example: sandriver train mandala --out my.net --generations 3 --games 6000 --report training.html"
MOST = {"generations": 100, "games": 900_000, "iterations": 100_000, "epochs": 1000, "match": 100_000, "processes": 256, "seed": 10**6}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is trained, for how long, and where it goes."""
    parser.epilog = EXAMPLE
    parser.add_argument("game", help="which game: mandala")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the weights go")
    parser.add_argument("--generations", type=int, default=3, metavar="N", help="how often it plays and learns anew (default 3)")
    parser.add_argument("--games", type=int, default=6000, metavar="N", help="games of a generation (default 6000)")
    parser.add_argument("--iterations", type=int, default=100, metavar="N", help="iterations a move in them (default 100)")
    parser.add_argument("--epochs", type=int, default=6, metavar="N", help="passes over what was played (default 6)")
    parser.add_argument("--match", type=int, default=100, metavar="N", help="games against the generation before (default 100; 0: none)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same number, the same weights (default 1)")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="processes that play (default 1); changes only the time")
    add_cluster_argument(parser)
    add_generations_argument(parser)
    parser.add_argument("--start", metavar="FILE", help="go on from these weights; 'ours': those that come with Sandriver")
    parser.add_argument("--report", metavar="FILE", help="write a page (HTML) with the course of it to this file")
    parser.add_argument("--json", metavar="FILE", help="write the course of it as JSON to this file")


def run(arguments: argparse.Namespace) -> int:
    """Train and write the files; return the exit status: 2 for numbers, names or files that do not fit and for a missing extra."""
    from sandriver.bots import mandala_net, weights
    from sandriver.cluster import ClusterError
    from sandriver.extras import MissingExtra
    from sandriver.learn import report
    from sandriver.learn.keep import Keep, head_of
    from sandriver.learn.train import KEPT, Generation, Plan, train

    if fault := _fault(arguments):
        return refuse("train", fault)
    start, digest = None, ""
    if arguments.start:
        path = weights.FOLDER / mandala_net.FILE if arguments.start == "ours" else Path(arguments.start)
        try:
            start = weights.read(path, game="mandala", inputs=mandala_net.INPUTS, shapes=mandala_net.SHAPES)
            digest = weights.read_head(path)[0].sha256
        except weights.WeightsError as error:
            return refuse("train", f"--start: {error}")
    plan = Plan(
        generations=arguments.generations, games=arguments.games, iterations=arguments.iterations, epochs=arguments.epochs,
        match_deals=arguments.match // 2, seed=arguments.seed, processes=arguments.processes, start=digest,
    )  # fmt: skip
    keep = None
    try:
        report.check_extra(page=bool(arguments.report))
        with contextlib.ExitStack() as stack:
            if arguments.keep:
                keep = stack.enter_context(Keep(Path(arguments.keep), head_of("train", plan), Generation, KEPT))
            numbers, course = train(plan, stopwatch(), start, arguments.cluster, keep)
    except KeyboardInterrupt:
        after = f" after {len(keep.done)} of {plan.generations} generations" if keep else ""
        return stopped("train", after, arguments.keep)
    except (MissingExtra, ClusterError, ValueError) as error:
        return refuse("train", str(error))
    report.write_weights(Path(arguments.out), numbers, plan, course)
    if arguments.json:
        Path(arguments.json).write_bytes(report.as_json(plan, course))
    if arguments.report:
        Path(arguments.report).write_text(report.page(plan, course), encoding="utf-8")
    print(report.words(course))
    return 0


def _fault(arguments: argparse.Namespace) -> str | None:
    if arguments.game != "mandala":
        return f"only mandala can be trained, not {quote(arguments.game)}"
    for name, most in MOST.items():
        least = 0 if name in ("match", "seed") else 1
        if not least <= getattr(arguments, name) <= most:
            return f"--{name}: a number from {least} to {most} is wanted"
    if arguments.match % 2:
        return "--match: an even number is wanted, as each deal is played twice"
    return missing_folder(arguments, "out", "report", "json", "keep")
