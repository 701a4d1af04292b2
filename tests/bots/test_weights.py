"""Files of weights: what is written comes back, and whatever does not fit is refused with its reason."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from sandriver.bots import mandala_net, weights
from sandriver.bots.weights import WeightsError

SHAPES = {"one": (2, 3), "two": (2,)}
NUMBERS = [0.5, -1.25, 3.0, 0.0, 1e-3, 7.0, -2.0, 65536.0]


def save(path: Path, **changes: Any) -> Path:
    given: dict[str, Any] = {"game": "mandala", "inputs": 4, "shapes": SHAPES, "made": {"seed": 1}, **changes}
    weights.write(path, NUMBERS, **given)
    return path


def load(path: Path) -> tuple[float, ...]:
    return weights.read(path, game="mandala", inputs=4, shapes=SHAPES)


def test_what_is_written_comes_back_as_float32_little_endian(tmp_path: Path) -> None:
    path = save(tmp_path / "a.net")
    assert load(path) == tuple(struct.unpack("<8f", struct.pack("<8f", *NUMBERS)))
    head, body = weights.read_head(path)
    assert (head.game, head.inputs, head.made) == ("mandala", 4, {"seed": 1})
    assert body == struct.pack("<8f", *NUMBERS)
    assert path.read_bytes().splitlines()[0] == b"sandriver weights 1"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "stones"}, r"are for the game stones, not mandala"),
        ({"inputs": 3}, r"are for version 3 of the inputs, this version of Sandriver has 4"),
        ({"shapes": {"one": (3, 2), "two": (2,)}}, r"are for layers of the shapes one 3x2, two 2, not one 2x3, two 2"),
        ({"shapes": {"two": (2,), "one": (2, 3)}}, r"are for layers of the shapes two 2, one 2x3, not"),
    ],
)
def test_weights_for_something_else_are_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(WeightsError, match=rf"the weights .*a\.net {reason}"):
        load(save(tmp_path / "a.net", **changes))


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"b\.net cannot be read: No such file"):
        load(tmp_path / "b.net")
    with pytest.raises(WeightsError, match=r"cannot be read: Is a directory"):
        load(tmp_path)


def test_damage_anywhere_is_noticed(tmp_path: Path) -> None:
    """Every byte counts, but for those that tell people how the weights were made."""
    whole = save(tmp_path / "a.net").read_bytes()
    for place in range(len(whole)):
        bad = bytearray(whole)
        bad[place] ^= 0x01
        path = tmp_path / "bad.net"
        path.write_bytes(bad)
        try:
            load(path)
        except WeightsError as error:
            refused = str(error)
        else:
            refused = ""
        assert "bad.net" in refused or whole.index(b'"made"') < place < whole.index(b"}}\n"), place


@pytest.mark.parametrize(
    ("keep", "reason"), [(0, "is no file of weights"), (10, "is no file of weights"), (60, "damaged head"), (-1, "checksum")]
)
def test_a_torn_file_is_refused(tmp_path: Path, keep: int, reason: str) -> None:
    path = save(tmp_path / "a.net")
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(WeightsError, match=reason):
        load(path)


@pytest.mark.parametrize(
    ("body", "reason"), [(struct.pack("<7f", *NUMBERS[:7]), "28 bytes of numbers, not 32"), (b"\xff" * 32, "no finite number")]
)
def test_numbers_that_are_too_few_or_none_are_refused_even_with_their_checksum(tmp_path: Path, body: bytes, reason: str) -> None:
    first, head, _ = save(tmp_path / "a.net").read_bytes().split(b"\n", 2)
    new = json.loads(head) | {"sha256": hashlib.sha256(body).hexdigest()}
    path = tmp_path / "a.net"
    path.write_bytes(first + b"\n" + json.dumps(new).encode() + b"\n" + body)
    with pytest.raises(WeightsError, match=reason):
        load(path)


def test_what_is_no_set_of_weights_is_not_written(tmp_path: Path) -> None:
    rest: dict[str, Any] = {"game": "mandala", "inputs": 1, "shapes": SHAPES, "made": {}}
    with pytest.raises(ValueError, match="8 weights are wanted, not 7"):
        weights.write(tmp_path / "a.net", NUMBERS[:7], **rest)
    with pytest.raises(ValueError, match="finite"):
        weights.write(tmp_path / "a.net", [*NUMBERS[:7], float("nan")], **rest)
    with pytest.raises(ValueError, match="at most 1048576 bytes"):
        weights.write(tmp_path / "a.net", [0.0] * 300_000, **rest | {"shapes": {"one": (300_000,)}})
    assert list(tmp_path.iterdir()) == []


def test_those_that_come_with_sandriver_are_whole_and_small() -> None:
    files = sorted(path for path in weights.FOLDER.iterdir() if path.suffix == ".net")
    assert [path.name for path in files] == [mandala_net.FILE]
    assert files[0].stat().st_size <= weights.MOST_BYTES
    assert len(mandala_net.packed()) == mandala_net.SIZE
    assert mandala_net.packed() is mandala_net.packed()  # read once
