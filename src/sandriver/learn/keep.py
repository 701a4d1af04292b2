"""A folder in which a training or a probe leaves every generation that is over, so that the same command goes on after the last of them.

``course.json`` says what was asked for and how each generation went. It is written last, and what does not stand in it has not happened.
``generation-N.net`` holds the weights; ``generation-N.npz``, of the latest only, the turns from which those to come learn as well.
No file is ever half written: each gets its name when it is whole.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec

from sandriver import __version__
from sandriver.bots import mandala_net, weights
from sandriver.extras import load
from sandriver.learn.samples import Samples
from sandriver.processes import ours_alone

COURSE, LOCK = "course.json", "lock"
WHILE_WRITTEN = ".part"
FREE = ("generations", "processes")
"""Of a plan: what may be another when it goes on, as nothing that is kept depends on it."""


class KeepError(ValueError):
    """What is kept cannot be used, or nothing can be kept; the message says why."""


class Numbered(Protocol):
    """How a generation went."""

    @property
    def number(self) -> int:
        """Which one it is."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all generations of a folder have in common."""

    command: str
    sandriver: str
    """Version of the package that played and learned."""
    inputs: int
    """Version of what the network reads."""
    shapes: dict[str, tuple[int, ...]]
    plan: dict[str, str | int]
    """All of it but ``FREE``, and what else decides the games, such as the version of a bot."""


class _Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``COURSE`` holds."""

    made_by: Head
    generations: msgspec.Raw


Figures = TypeVar("Figures", bound=Numbered)


def head_of(command: str, plan: msgspec.Struct, **more: str | int) -> Head:
    """Return the head of a plan's folder."""
    decides = {name: value for name, value in msgspec.structs.asdict(plan).items() if name not in FREE}
    return Head(command, __version__, mandala_net.INPUTS, dict(mandala_net.SHAPES), decides | more)


class Keep(Generic[Figures]):
    """An open folder; a context manager. Only one process may have it open."""

    def __init__(self, folder: Path, head: Head, figures: type[Figures], lots: int) -> None:
        """Open or make the folder and check whose it is. ``lots``: from the turns of how many generations the next one learns.

        Raises ``KeepError``.
        """
        self.folder, self._head, self._lots = folder, head, lots
        self.done: list[Figures] = []
        """How the generations went that are kept."""
        try:
            folder.mkdir(exist_ok=True)
            new = not (folder / COURSE).exists()
            if new and any(path.name != LOCK and path.suffix != WHILE_WRITTEN for path in folder.iterdir()):
                raise KeepError(f"{folder}: the folder holds something else")
            self._lock = (folder / LOCK).open("ab")
        except OSError as error:
            raise KeepError(f"{folder}: {error.strerror or error}") from None
        if not ours_alone(self._lock):
            self._lock.close()
            raise KeepError(f"{folder}: another process is writing to it")
        try:
            self._write_course([]) if new else self._read_course(figures)
        except BaseException:
            self._lock.close()
            raise

    def resume(self, most: int) -> tuple[list[Figures], list[float], list[Samples]]:
        """Return how the kept generations went, up to number ``most``; the weights of the last; the turns from which the next one learns.

        There has to be one. Raises ``KeepError``.
        """
        done = [one for one in self.done if one.number <= most]
        last = done[-1].number
        missing = last < most  # otherwise nothing is learned any more, and the turns may be those of later ones
        lots = [self._read_lot(number) for number in range(max(1, last - self._lots + 1), last + 1)] if missing else []
        return done, self.weights(last), lots

    def weights(self, number: int) -> list[float]:
        """The weights of a generation. Raises ``KeepError``."""
        path = self.folder / f"generation-{number}.net"
        try:
            return list(weights.read(path, game="mandala", inputs=mandala_net.INPUTS, shapes=mandala_net.SHAPES))
        except weights.WeightsError as error:
            raise KeepError(str(error)) from None

    def add(self, figures: Figures, numbers: list[float], lot: Samples | None) -> None:
        """Keep a generation: how it went, its weights, and its turns if it played. Raises ``KeepError``, say because the disk is full."""
        number = figures.number
        if lot is not None:
            np, arrays = load("numpy", "training", "train"), {name: getattr(lot, name) for name in Samples.__struct_fields__}

            def write_lot(path: Path) -> None:
                with path.open("wb") as file:  # given a name, NumPy would add to it
                    np.savez_compressed(file, **arrays)

            self._write(f"generation-{number}.npz", write_lot)
        made = {"sandriver": __version__, **self._head.plan, "generation": number}

        def write_weights(path: Path) -> None:
            weights.write(path, numbers, game="mandala", inputs=mandala_net.INPUTS, shapes=mandala_net.SHAPES, made=made)

        self._write(f"generation-{number}.net", write_weights)
        self._write_course([*self.done, figures])
        self.done.append(figures)
        (self.folder / f"generation-{number - self._lots}.npz").unlink(missing_ok=True)

    def _write_course(self, generations: Sequence[Figures]) -> None:
        whole = msgspec.json.format(msgspec.json.encode(_Course(self._head, msgspec.Raw(msgspec.json.encode(generations)))))
        self._write(COURSE, lambda path: path.write_bytes(whole))

    def _write(self, name: str, write: Callable[[Path], object]) -> None:
        """Have a file written and, once it is on the disk, give it its name."""
        part = self.folder / f"{name}{WHILE_WRITTEN}"
        try:
            write(part)
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(self.folder / name)
        except OSError as error:
            raise KeepError(f"{self.folder / name}: {error.strerror or error}") from None

    def _read_course(self, figures: type[Figures]) -> None:
        path = self.folder / COURSE
        try:
            course = msgspec.json.decode(path.read_bytes(), type=_Course)
            for name in Head.__struct_fields__:
                mine, its = getattr(self._head, name), getattr(course.made_by, name)
                if mine != its:
                    raise KeepError(f"{self.folder}: what is kept there was made {_difference(name, its, mine)}")
            self.done = msgspec.json.decode(course.generations, type=list[figures])  # type: ignore[valid-type]
        except OSError as error:
            raise KeepError(f"{path}: {error.strerror or error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise KeepError(f"{path}: this is no course of a training") from None

    def _read_lot(self, number: int) -> Samples:
        path, np = self.folder / f"generation-{number}.npz", load("numpy", "training", "train")
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return Samples(*(arrays[name] for name in Samples.__struct_fields__))
        except FileNotFoundError:
            raise KeepError(f"{path} is missing") from None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            raise KeepError(f"{path} is damaged") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lock.close()


def _difference(name: str, its: Any, mine: Any) -> str:
    """What differs between a folder's head and the plan, in words."""
    if name == "command":
        return f"by sandriver {its}"
    if name == "sandriver":
        return f"by version {its} of Sandriver, not {mine}"
    if name == "plan":
        name = next(part for part in sorted(its.keys() | mine.keys()) if its.get(part) != mine.get(part))
        its, mine = its.get(name), mine.get(name)
        if name == "start":
            return "from another start"
        return f"with {name.replace('_', ' ')} {its}, not {mine}"
    return "for a network that reads something else" if name == "inputs" else "for a network of other layers"
