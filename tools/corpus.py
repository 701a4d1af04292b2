"""Records of finished games, ``tests/data/corpus/GAME/vRULES/NAME.txt``, which every later program with these rules must replay alike.

``python tools/corpus.py add NAME FILE`` takes a record that was exported from a table; ``python tools/corpus.py play`` plays those of
``PLAYS`` that are missing. Nothing that stands there is ever changed: a record that does not replay any more means that ``rules_version``
must be raised, and new rules begin a folder of their own. ``digests.json`` beside the records says how each of them ends.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from make_golden import low_stacks  # noqa: E402
from sandriver import bots  # noqa: E402
from sandriver.games import GAMES  # noqa: E402
from sandriver.tables.bot_driver import NO_PAUSE  # noqa: E402
from sandriver.tables.bus import MemoryBus  # noqa: E402
from sandriver.tables.errors import RecordError  # noqa: E402
from sandriver.tables.service import TableService  # noqa: E402
from sandriver.tables.store_sql import SqlStore, sqlite_url  # noqa: E402
from sandriver.tables.verify import verify  # noqa: E402
from sandriver.tables.wire import Act, Answer, Claim, ClockPlan, OpenTable, Propose, Resign, Return, SeatPlan  # noqa: E402

FOLDER = ROOT / "tests" / "data" / "corpus"
DIGESTS = "digests.json"
NAMES = ("Ana", "Rui", "ゆい", "Ελένη")
NOON = 1_796_040_000_000
"""When all of them were played."""


@dataclass(frozen=True)
class Play:
    """One game. ``deeds``: after so many actions, what people do besides acting; ``reason``: how it must end."""

    game: str
    name: str
    reason: str
    seats: str = "pp"
    """A letter a seat: ``p``erson or ``b``ot."""
    first: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    habits: Mapping[str, float] = field(default_factory=dict)
    """Weighs actions by the first letter of their notation (1 where it says nothing)."""
    deeds: Mapping[int, str] = field(default_factory=dict)
    clock: ClockPlan | None = None


def mandala(name: str, reason: str, **more: Any) -> Play:
    """A game of Mandala."""
    return Play("mandala", name, reason, **{"habits": {"d": 0.2}, **more})


def stones(name: str, reason: str, **more: Any) -> Play:
    """A game of Mandala Stones."""
    return Play("stones", name, reason, **{"habits": {"q": 0.5, "s": 20.0}, **more})


TIMED = ClockPlan(60, 5)
PLAYS = (
    mandala("sixth-colour", "sixth_colour"),
    mandala("sixth-colour-lazy", "sixth_colour", options={"exhaustion": "lazy"}, first=1),
    mandala("last-mandala", "last_mandala"),
    mandala("last-mandala-lazy", "last_mandala", options={"exhaustion": "lazy", "memory_aid": True}),
    mandala("stall", "stall", habits={"d": 4.0}, options={"stall_limit": 3}),
    mandala("stall-at-once", "stall", options={"stall_limit": 1}, habits={}),
    mandala("without-stalls", "last_mandala", options={"stall_limit": 0}, habits={"d": 2.0}),
    mandala("memory-aid", "sixth_colour", options={"memory_aid": True}, first=0),
    mandala("random-play", "last_mandala", habits={}),
    mandala("against-a-bot", "sixth_colour", seats="pb"),
    mandala("a-bot-begins", "last_mandala", seats="bp", first=0),
    mandala("resigned-at-once", "resigned", deeds={0: "resign 1"}),
    mandala("resigned", "resigned", deeds={31: "resign 0"}),
    mandala("resigned-against-a-bot", "resigned", seats="bp", deeds={12: "resign 1"}, first=1),
    mandala("time", "time", deeds={17: "flag"}, clock=TIMED),
    mandala("time-for-a-move", "time", deeds={8: "flag"}, clock=ClockPlan(30, kind="per_move")),
    mandala("absence", "absence", deeds={22: "claim win"}),
    mandala("agreed", "agreed", deeds={40: "draw"}),
    mandala("agreed-at-once", "agreed", deeds={0: "draw"}),
    mandala("taken-back", "sixth_colour", deeds=dict.fromkeys(range(3, 60, 4), "undo")),
    mandala("taken-back-and-resigned", "resigned", deeds={9: "undo", 13: "undo", 21: "undo", 33: "resign 1"}, first=0),
    stones("two", "end_space"),
    stones("two-slow", "end_space", habits={}, first=1),
    stones("three", "end_space", seats="ppp"),
    stones("four", "end_space", seats="pppp", first=3),
    stones("open-patterns", "end_space", seats="ppp", options={"reveal_covered_patterns": True}),
    stones("empty-is-height", "end_space", options={"count_empty_as_height": True}),
    stones("most-stones-left", "end_space", seats="pppp", options={"tiebreak": "most_stones_left"}),
    stones("fewest-stones-left", "end_space", options={"tiebreak": "fewest_stones_left", "reveal_covered_patterns": True}),
    stones("stuck", "stuck", seats="ppp", options=low_stacks(), habits={"q": 0.6}),
    stones("stuck-four", "stuck", seats="pppp", options=low_stacks(), habits={"q": 0.2}),
    stones("against-bots", "end_space", seats="pbbb"),
    stones("bots-between", "end_space", seats="bpbp", habits={}),
    stones("resigned", "resigned", deeds={14: "resign 1"}),
    stones("resigned-played-on", "end_space", seats="ppp", deeds={6: "resign 2"}),
    stones("all-resigned", "resigned", seats="pppp", deeds={3: "resign 0", 5: "resign 3", 9: "resign 1"}),
    stones("time", "time", deeds={11: "flag"}, clock=TIMED),
    stones("time-played-on", "end_space", seats="ppp", deeds={7: "flag"}, clock=TIMED),
    stones("time-and-resigned", "end_space", seats="pppp", deeds={4: "resign 1", 9: "flag"}, clock=TIMED),
    stones("absence", "absence", deeds={10: "claim win"}),
    stones("absence-played-on", "end_space", seats="ppp", deeds={5: "claim bot", 13: "return"}),
    stones("agreed", "agreed", seats="ppp", deeds={15: "draw"}),
    stones("taken-back", "end_space", seats="pp", deeds=dict.fromkeys(range(2, 40, 3), "undo")),
)


# --- what is kept --------------------------------------------------------------------------------


def digest(text: str) -> dict[str, Any]:
    """How a record ends, and the SHA-256 of all positions, points and numbers of legal actions on the way. Raises ``RecordError``."""
    verified = verify(text, GAMES)
    game, trail = GAMES[verified.record.game], hashlib.sha256()
    start = [verified.transitions[0].before] if verified.transitions else [verified.end]
    for position in (*start, *(transition.after for transition in verified.transitions)):
        trail.update(f"{game.format_position(position)} {position.scores} {len(position.legal_actions)}\n".encode())
    outcome = verified.end.outcome
    return {
        "plies": len(verified.transitions),
        "end": game.format_position(verified.end),
        "scores": list(verified.end.scores),
        "winners": None if outcome is None else list(outcome.winners),
        "trail": trail.hexdigest(),
    }


def folder_of(game: str) -> Path:
    """Where the records under the present rules of a game stand."""
    return FOLDER / game / f"v{GAMES[game].rules_version}"


def digests(folder: Path) -> dict[str, Any]:
    """What ``digests.json`` of a folder says, by the names of its records."""
    path = folder / DIGESTS
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def add(name: str, text: str) -> Path:
    """Keep a record. Raises ``RecordError`` for one that does not verify, ``FileExistsError`` for a name that is taken."""
    found = digest(text)
    folder = folder_of(verify(text, GAMES).record.game)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.txt"
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted({**digests(folder), path.stem: found}.items())]
    (folder / DIGESTS).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return path


# --- playing -------------------------------------------------------------------------------------


class Game:
    """A table at which a ``Play`` is played."""

    def __init__(self, service: TableService, play: Play, clock: list[int], rng: random.Random) -> None:
        self.service, self.play, self.clock, self.rng = service, play, clock, rng
        self.table = ""
        self.people: dict[int, str] = {}
        self.commands = 0
        self.done: set[int] = set()

    @property
    def state(self) -> Any:
        """The state of the table."""
        return self.service._tables.get(self.table).state  # noqa: SLF001  # there is no other way to know everything

    async def run(self) -> str:
        """Play it to its end; returns the record."""
        play, service = self.play, self.service
        kinds = [SeatPlan("person") if letter == "p" else SeatPlan("bot", bots.RECOMMENDED) for letter in play.seats]
        for seat, plan in enumerate(kinds):
            if plan.kind == "person":
                self.people[seat] = (await service.people.create(f"{self.rng.getrandbits(256):064x}", NAMES[seat])).id
        owner = next(iter(self.people.values()))
        self.table = await service.open_table(owner, OpenTable(play.game, tuple(kinds), dict(play.options), play.first, play.clock))
        code = None
        for seat, person in self.people.items():
            await service.join(self.table, person, code=code, seat=seat)
            code = self.state.opened.code
        while not self.state.over:
            ply = self.state.ply
            if ply in play.deeds and ply not in self.done:
                self.done.add(ply)
                await self._do(play.deeds[ply])
            elif self.state.bot_to_move is not None:
                await asyncio.sleep(0.001)
            else:
                await self._act()
        return await service.record(self.table, None)

    async def _send(self, seat: int, kind: Any, *fields: Any) -> Any:
        self.commands += 1
        return await self.service.command(self.table, self.people[seat], kind(f"c{self.commands}", *fields))

    async def _act(self) -> None:
        state = self.state
        texts = [state.game.format_action(action) for action in state.position.legal_actions]
        weights = [self.play.habits.get(text[0], 1.0) for text in texts]
        self.clock[0] += 1000
        await self._send(state.to_move, Act, state.ply, self.rng.choices(texts, weights)[0])

    async def _do(self, deed: str) -> None:
        what, _, rest = deed.partition(" ")
        state, ply = self.state, self.state.ply
        mover = state.to_move
        others = [seat for seat in self.people if seat != mover]
        match what:
            case "resign":
                await self._send(int(rest), Resign)
            case "flag":
                self.clock[0] += 3_600_000
                await self.service.snapshot(self.table, None)
            case "claim":
                self.clock[0] += 3_600_000
                await self._send(others[0], Claim, mover, rest)
            case "return":
                for seat in state.company.absent:
                    await self._send(seat, Return)
            case "draw":
                v = (await self._send(mover, Propose, "draw", ply)).v
                for seat in others:
                    await self._send(seat, Answer, "draw", v, True)
            case "undo":
                seat = next(
                    (seat for seat in self.people if state.back and state.back[-1].seat == seat and not state.back[-1].reveals), None
                )
                if seat is not None:
                    v = (await self._send(seat, Propose, "undo", ply)).v
                    for other in self.people:
                        if other != seat:
                            await self._send(other, Answer, "undo", v, True)


async def played(play: Play) -> str:
    """A record of the play, tried with one seed after the other until it ends as it must."""
    with tempfile.TemporaryDirectory() as folder:
        store = await SqlStore.open(sqlite_url(Path(folder) / "games.sqlite3"))
        for seed in range(500):
            clock = [NOON]
            service = TableService(
                store,
                MemoryBus(),
                games=GAMES,
                find_bot=bots.get,
                stand_in=lambda _: bots.RECOMMENDED,
                pace=NO_PAUSE,
                now=lambda clock=clock: clock[0],  # type: ignore[misc]
            )
            await service.start()
            text = await Game(service, play, clock, random.Random(f"{play.game} {play.name} {seed}")).run()
            await service.close()
            if re.search(rf"^Result: \S+ {play.reason} ", text, re.MULTILINE):
                await store.close()
                return text
    raise SystemExit(f"{play.game} {play.name}: no game ended by {play.reason}")


def main() -> int:
    """Add a record, or play those that are missing; status 2: it was not a record that can be added."""
    parser = argparse.ArgumentParser(description=__doc__)
    tasks = parser.add_subparsers(dest="task", required=True)
    adding = tasks.add_parser("add", help="take a record")
    adding.add_argument("name")
    adding.add_argument("file", type=Path)
    tasks.add_parser("play", help="play those that are missing")
    options = parser.parse_args()
    try:
        if options.task == "add":
            print(add(options.name, options.file.read_text(encoding="utf-8")))
            return 0
        for play in PLAYS:
            if play.name not in digests(folder_of(play.game)):
                print(add(play.name, asyncio.run(played(play))), flush=True)
    except (RecordError, OSError, UnicodeError) as error:
        print(f"corpus: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
