"""What became of a probe: in words, as JSON, and the best weights as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from sandriver import __version__
from sandriver.bots import mandala_net, weights
from sandriver.learn.probe import GAME, Attempt, ProbePlan, best_of
from sandriver.learn.report import columns

HEADS = ("generation", "turns", "learned", "held back", "against the bot", "seconds", "")


def words(course: Sequence[Attempt]) -> str:
    """Return a table for the terminal."""
    rows = [HEADS]
    for one in course:
        losses = (f"{one.epochs[-1].learned:.4f}", f"{one.epochs[-1].held_back:.4f}") if one.epochs else ("-", "-")
        mark = "best" if one is best_of(course) else ""
        rows.append((str(one.number), str(one.turns), *losses, f"{one.rate:.1%} +- {one.spread:.1%}", f"{one.seconds:.0f}", mark))
    return columns(rows)


def as_json(plan: ProbePlan, course: Sequence[Attempt], finals: Sequence[msgspec.Struct]) -> bytes:
    """Return everything as JSON; ``finals``: results of the best generation's matches."""
    whole = {"sandriver": __version__, "plan": plan, "generations": course, "best": best_of(course).number, "finals": finals}
    return msgspec.json.format(msgspec.json.encode(whole))


def write_weights(path: Path, numbers: Sequence[float], plan: ProbePlan, course: Sequence[Attempt]) -> None:
    """Write the best weights, with what made them. Raises ``OSError``."""
    turns = sum(attempt.turns for attempt in course[: best_of(course).number + 1])
    made: dict[str, str | int | float] = {"sandriver": __version__, **msgspec.structs.asdict(plan), "turns": turns}
    del made["processes"]  # they change nothing
    weights.write(path, numbers, game=GAME, inputs=mandala_net.INPUTS, shapes=mandala_net.SHAPES, made=made)
