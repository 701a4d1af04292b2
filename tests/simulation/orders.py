"""Commands as a client may send them, made from the command structs themselves: a new command joins in without a line here."""

from __future__ import annotations

import itertools
import random
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from sandriver.tables import wire
from sandriver.tables.wire import Act, Claim, Command, Fill, Resign

KINDS: tuple[type[Any], ...] = get_args(Command)
WEIGHTS: Mapping[type[Any], float] = {Act: 14.0, Resign: 0.15, Claim: 0.5, Fill: 0.3}
"""How often each is sent; 1 for all others."""
_HINTS = {kind: get_type_hints(kind) for kind in KINDS}
_FIELDS = {
    kind: (hints, [name for name in kind.__struct_fields__ if type(None) in get_args(hints[name])]) for kind, hints in _HINTS.items()
}
"""The types of a command's fields, and the names of those that may be left out."""
_BOUNDS = tuple(itertools.accumulate(WEIGHTS.get(kind, 1.0) for kind in KINDS))


class Known(msgspec.Struct):
    """What a client knows of its table, from frames only."""

    v: int = 0
    ply: int = 0
    state: str = "open"
    seats: int = 2
    legal: Sequence[str] = ()
    proposals: Sequence[Any] = ()
    """As ``wire.Proposal``, decoded."""


def draw(rng: random.Random, known: Known, new_id: Callable[[], str]) -> Any:
    """A command that makes sense to somebody who knows this, or nearly."""
    if known.proposals and rng.random() < 0.5:
        asked = rng.choice(known.proposals)
        return wire.Answer(new_id(), asked["what"], asked["v"], rng.random() < 0.7)
    kind = rng.choices(KINDS, cum_weights=_BOUNDS)[0]
    if kind is Act and known.state == "over" and rng.random() < 0.8:
        kind = rng.choice((wire.Rematch, Resign))
    return make(kind, rng, known, new_id)


def make(kind: type[Any], rng: random.Random, known: Known, new_id: Callable[[], str]) -> Any:
    """A command of this kind; mostly one that could be carried out."""
    wrong = rng.random() < 0.12
    hints, optional = _FIELDS[kind]
    given = rng.choice(optional) if optional else None
    values: dict[str, Any] = {}
    for name in kind.__struct_fields__:
        if name == "id":
            values[name] = new_id()
        elif name in ("ply", "v", "since"):
            newest = known.ply if name == "ply" else known.v
            values[name] = max(0, newest + (rng.choice((-2, -1, 1, 2)) if wrong else 0))
        elif name == "action":
            values[name] = rng.choice(known.legal) if known.legal and not wrong else rng.choice(("t", "pa", "pb", "-", "?"))
        elif name == "seat":
            values[name] = rng.randrange(-1, known.seats + 1) if wrong else rng.randrange(known.seats)
        elif name not in optional or (name == given and not wrong):
            values[name] = _any(hints[name], rng)
    return kind(**values)


def _any(hint: Any, rng: random.Random) -> Any:
    """Some value of a type."""
    origin = get_origin(hint)
    if origin is Literal:
        return rng.choice(get_args(hint))
    if origin in (Union, types.UnionType):
        return _any(rng.choice([part for part in get_args(hint) if part is not type(None)]), rng)
    if hint is bool:
        return rng.random() < 0.5
    if hint is int:
        return rng.randrange(4)
    if hint is str:
        return rng.choice(("random", "hello there", "x"))
    raise AssertionError(f"a command has a field of a type that is new here: {hint!r}")
