"""Weights of learned evaluations: files that say which game and which inputs they are for, checked before anything is read from them.

A file is a line that names the format, a line of JSON (``Head``), then the numbers: float32, little-endian, layer after layer in the order
of ``shapes``, each by rows. No library is needed to read it.
"""

from __future__ import annotations

import hashlib
import math
import sys
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

FORMAT = b"sandriver weights 1\n"
MOST_BYTES = 1_048_576
"""Of a whole file."""
FOLDER = Path(__file__).with_name("nets")
"""Where those lie that come with Sandriver."""

Shapes = Mapping[str, tuple[int, ...]]


class WeightsError(ValueError):
    """A file of weights cannot be used; the message names it and says why."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of weights says of itself."""

    game: str
    inputs: int
    """Version of what the network reads; weights for other inputs mean nothing."""
    shapes: dict[str, tuple[int, ...]]
    """Of each layer, in order."""
    sha256: str
    """Of the numbers, as they lie in the file, in hexadecimal."""
    made: dict[str, str | int | float] = {}
    """How it was made, for people."""


def size_of(shapes: Shapes) -> int:
    """How many numbers layers of such shapes hold."""
    return sum(math.prod(shape) for shape in shapes.values())


def write(path: Path, numbers: Sequence[float], *, game: str, inputs: int, shapes: Shapes, made: Mapping[str, str | int | float]) -> None:
    """Write a file of weights. Raises ``ValueError`` when there are too few or too many numbers, or one is not finite."""
    if len(numbers) != size_of(shapes):
        raise ValueError(f"{size_of(shapes)} weights are wanted, not {len(numbers)}")
    if not all(map(math.isfinite, numbers)):
        raise ValueError("weights are finite numbers")
    packed = array("f", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    body = packed.tobytes()
    head = Head(game, inputs, dict(shapes), hashlib.sha256(body).hexdigest(), dict(made))
    whole = FORMAT + msgspec.json.encode(head) + b"\n" + body
    if len(whole) > MOST_BYTES:
        raise ValueError(f"a file of weights has at most {MOST_BYTES} bytes, this one would have {len(whole)}")
    path.write_bytes(whole)


def read_head(path: Path) -> tuple[Head, bytes]:
    """Return what a file says of itself, and its numbers as they lie there, if they are those that it was written with.

    Raises ``WeightsError`` for a file that is missing, no file of weights, or damaged.
    """
    try:
        with path.open("rb") as file:
            whole = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise WeightsError(f"the weights {path} cannot be read: {error.strerror or error}") from None
    if not whole.startswith(FORMAT):
        raise WeightsError(f"{path} is no file of weights in the format that this version reads ({FORMAT.decode().strip()!r})")
    if len(whole) > MOST_BYTES:
        raise WeightsError(f"the weights {path} are longer than {MOST_BYTES} bytes")
    line, newline, body = whole[len(FORMAT) :].partition(b"\n")
    try:
        head = msgspec.json.decode(line, type=Head)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WeightsError(f"the weights {path} have a damaged head: {error}") from None
    if not newline or hashlib.sha256(body).hexdigest() != head.sha256:
        raise WeightsError(f"the weights {path} are damaged: their checksum is not the one that they were written with")
    return head, body


def read(path: Path, *, game: str, inputs: int, shapes: Shapes) -> tuple[float, ...]:
    """Return all numbers of a file for this game, these inputs and layers of these shapes.

    Raises ``WeightsError`` for a file that is missing, no file of weights, damaged, or meant for something else.
    """
    head, body = read_head(path)
    if head.game != game:
        raise WeightsError(f"the weights {path} are for the game {head.game}, not {game}")
    if head.inputs != inputs:
        raise WeightsError(f"the weights {path} are for version {head.inputs} of the inputs, this version of Sandriver has {inputs}")
    if list(head.shapes.items()) != list(shapes.items()):
        raise WeightsError(f"the weights {path} are for layers of the shapes {_shown(head.shapes)}, not {_shown(shapes)}")
    if len(body) != 4 * size_of(shapes):
        raise WeightsError(f"the weights {path} hold {len(body)} bytes of numbers, not {4 * size_of(shapes)}")
    packed = array("f")
    packed.frombytes(body)
    if sys.byteorder == "big":
        packed.byteswap()
    if not all(map(math.isfinite, packed)):
        raise WeightsError(f"the weights {path} hold something that is no finite number")
    return tuple(packed)


def _shown(shapes: Shapes) -> str:
    return ", ".join(f"{name} {'x'.join(map(str, shape))}" for name, shape in shapes.items())


@lru_cache(maxsize=8)
def packed_with_us(name: str, game: str, inputs: int, shapes: tuple[tuple[str, tuple[int, ...]], ...]) -> tuple[float, ...]:
    """Return the numbers of a file that comes with Sandriver; it is read once. Raises as ``read`` does."""
    return read(FOLDER / name, game=game, inputs=inputs, shapes=dict(shapes))
