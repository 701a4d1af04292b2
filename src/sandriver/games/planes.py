"""What the planes and batches of every game share: how a plane is described, seeds of many games, buffers that are lent to a batch.

An *observation* is what one seat knows, as a vector of small numbers (unsigned bytes). It is made of planes that follow each other without
gaps; each says its shape, its greatest number and its meaning. Divided by ``scale`` every number lies between 0 and 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

MANY = 255
"""What a byte holds; a number that can be greater stays there."""


class Plane(NamedTuple):
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    most: int
    """The greatest number that can stand in it; the least is 0."""
    meaning: str

    @property
    def size(self) -> int:
        """Numbers in it."""
        return math.prod(self.shape)


def size(planes: Sequence[Plane]) -> int:
    """Numbers in the whole observation."""
    return sum(plane.size for plane in planes)


def offsets(planes: Sequence[Plane]) -> dict[str, int]:
    """Where each plane begins, by its name."""
    found: dict[str, int] = {}
    at = 0
    for plane in planes:
        found[plane.name] = at
        at += plane.size
    return found


def scale(planes: Sequence[Plane]) -> list[int]:
    """The greatest number at each place of the observation."""
    return [plane.most for plane in planes for _ in range(plane.size)]


def table(planes: Sequence[Plane]) -> str:
    """The planes as a Markdown table."""
    rows = ["| from | plane | shape | range | meaning |", "| --- | --- | --- | --- | --- |"]
    at = 0
    for plane in planes:
        rows.append(f"| {at} | `{plane.name}` | {' × '.join(map(str, plane.shape))} | 0..{plane.most} | {plane.meaning} |")
        at += plane.size
    return "\n".join(rows)


def seed_of(seed: int, game: int) -> int:
    """The 64-bit seed of one of many games, spread well (the finisher of SplitMix64); it does not depend on how many games there are."""
    word = 0xFFFF_FFFF_FFFF_FFFF
    mixed = (seed * 0x9E37_79B9_7F4A_7C15 + game * 0xD1B5_4A32_D192_ED03 + 0x2545_F491_4F6C_DD1D) & word
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9) & word
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB) & word
    return mixed ^ (mixed >> 31)


def buffer_of(lent: Any, width: int, count: int) -> Any:
    """A writable, contiguous buffer of ``count`` numbers (bytes, 4-byte floats, 8-byte integers by ``width``), to be indexed flat.

    Compiled batches have a twin in C that gives its address (``buffers.pxd``). Raises ``ValueError`` for any other size.
    """
    form: Any = {1: "B", 4: "f", 8: "q"}[width]
    flat = memoryview(lent).cast("B").cast(form)
    if flat.readonly or len(flat) != count:
        raise ValueError(f"a writable buffer of {count} numbers of {width} bytes is wanted")
    return flat


def store(out: Any, at: int, word: int) -> None:
    """Store the eight bytes of a 64-bit number, lowest first; compiled modules have a twin in C, as of ``clear`` and ``fetch_early``."""
    out[at : at + 8] = word.to_bytes(8, "little")


def clear(out: Any, at: int, size: int) -> None:
    """Store so many zeros."""
    out[at : at + size] = bytes(size)


def fetch_early(_lines: Any, _from: int, _size: int) -> None:
    """Have memory fetched before it is needed: nothing that plain Python could do."""
