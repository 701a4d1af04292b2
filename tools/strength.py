"""Measures what more iterations are worth to each kind of search, and draws the charts of docs/strength.md.

Usage: ``python tools/strength.py --draw`` draws from what is there: the page's tables, the levels, ``docs/strength/searches.json``.
``python tools/strength.py [--games 40] [--keep FOLDER] [--processes N]`` first plays, on paired deals with two seats, and makes that file
anew. ``--keep`` writes every deal to a file of the folder as soon as it is over and goes on from what is there.

Each search plays that of its kind with the next fewer iterations, and that of the kind before with as many; the weakest of each kind play
the apprentice. Plain ones, by random play to the end, play the newcomer instead of another kind. Ratings are the arena's, with the
apprentice at the Elo that it has as a level.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "bench")]

from sandriver import bots
from sandriver.arena import Keep, head_of
from sandriver.arena.crew import Setting
from sandriver.arena.ladder import ladder_of
from sandriver.arena.series import Series
from sandriver.bots.levels import LEVELS
from strength_charts import FOLDER, PAGE, charts
from thinking import decisions, spent

FILE = FOLDER / "searches.json"
KINDS = {"mandala": ("ismcts", "ismcts-sums", "ismcts-net", "ismcts-puct"), "stones": ("mcts", "mcts-sums")}
BUDGETS = (100, 300, 1000, 3000)
SEED = 2_000_000
"""Of the first deal: nothing was chosen by these."""
ANCHOR, WEAKER = "apprentice", "newcomer"


def pairings(game: str) -> tuple[tuple[str, str], ...]:
    """Who plays whom."""
    plain, *better = KINDS[game]
    longer = [(f"{kind}:{more}", f"{kind}:{fewer}") for kind in KINDS[game] for fewer, more in pairwise(BUDGETS)]
    other = [(f"{two}:{n}", f"{one}:{n}") for one, two in pairwise(better) for n in BUDGETS]
    levels = [*((f"{plain}:{n}", WEAKER) for n in BUDGETS), *((f"{kind}:{BUDGETS[0]}", ANCHOR) for kind in better)]
    return (*longer, *other, *levels, (f"{plain}:{BUDGETS[-1]}", ANCHOR), (ANCHOR, WEAKER))


def measured(game: str, count: int, folder: Path | None, processes: int) -> dict[str, Any]:
    """Play what is not kept; ratings and processor time of every search, and the matches."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        keep = stack.enter_context(Keep(folder / f"searches-{game}.jsonl", head_of(game, 2, {}))) if folder else None
        series = Series(Setting(game, 2, {}, pairings(game)), range(SEED, SEED + count // 2), keep=keep)
        series.listen(lambda series, _: print(f"{game}: {series.deals} of {series.wanted} deals", end="\r", file=sys.stderr))
        series.run(processes)
    elo = next(level.elo for level in LEVELS[game] if level.policy.id == ANCHOR)
    ladder = ladder_of(series, ANCHOR, elo)
    views = decisions(game, 2, 3)
    return {
        "games": count,
        "ratings": {
            found.bot: {
                "version": found.version,
                "elo": round(found.elo),
                "low": round(found.low),
                "high": round(found.high),
                "ms": spent(bots.get(game, found.bot), views)["mean"],
            }
            for found in ladder.ratings
        },
        "matches": [[*match.bots, *(round(number, 4) for number in (match.rate, match.low, match.high))] for match in ladder.matches],
    }


def main() -> int:
    """Play unless told not to, and draw."""
    parser = argparse.ArgumentParser(description="Make docs/strength anew.")
    parser.add_argument("--games", type=int, default=40, help="games of each two")
    parser.add_argument("--keep", type=Path, help="folder of the deals that were played")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--draw", action="store_true", help="play nothing")
    given = parser.parse_args()
    if not given.draw:
        figures = {game: measured(game, given.games, given.keep, given.processes) for game in KINDS}
        FILE.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for name, svg in charts(json.loads(FILE.read_text(encoding="utf-8")), PAGE.read_text(encoding="utf-8")).items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
