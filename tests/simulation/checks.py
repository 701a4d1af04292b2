"""What must hold after a schedule: the log against everything that was told, against itself, and against every process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandriver.tables import chance
from sandriver.tables.log import Action, Flagged, NoRematch, Opened, Row, Said, Started, Undone
from sandriver.tables.log import Rematch as RematchEntry
from sandriver.tables.state import set_up
from sandriver.tables.wire import Act, Rematch, Resign, Say
from tests.simulation.ledger import _FLEETING, Ledger
from tests.tables.tools import GAMES

if TYPE_CHECKING:
    from tests.simulation.world import World

LEAVES_A_TRACE = Act | Resign | Say
"""Commands that cannot be acknowledged without an entry of their own."""
AFTER_THE_END = RematchEntry | NoRematch | Said
"""Entries that may follow the terminal one."""
EXPECTED = ("failed, another takes over",)
"""What may be logged as an error: a bot that breaks is meant to."""


def quiet(said: Sequence[str], complaints: Sequence[str]) -> None:
    """Nothing was logged that is a fault of the program."""
    wrong = [line for line in said if not any(words in line for words in EXPECTED)]
    assert not wrong, wrong
    assert not complaints, complaints


async def everything(world: World) -> None:
    """All of it."""
    for table, rows in world.disk.log.items():
        in_order(rows)
        same_deck(rows)
        flags(rows)
        told(world.ledger, table, rows)
    nobody_stands_still(world)
    await up_to_date(world)


def in_order(rows: Sequence[Row]) -> None:
    """Versions without gaps, no command twice, one end, nothing of the game after it, time that never goes back."""
    assert [row.v for row in rows] == list(range(1, len(rows) + 1))
    commands = Counter((row.seat, row.command) for row in rows if row.command is not None)
    assert not commands or max(commands.values()) == 1, f"a command stands twice in the log: {commands.most_common(1)}"
    ends = [row.v for row in rows if row.terminal]
    assert len(ends) <= 1, f"it ended at {ends}"
    if ends:
        late = [row for row in rows[ends[0] :] if not isinstance(row.entry, AFTER_THE_END)]
        assert not late, f"after the end: {late}"
    times = [row.at for row in rows]
    assert times == sorted(times), "time went back"


def same_deck(rows: Sequence[Row]) -> None:
    """Every deal is the one of an uninterrupted run with the same actions, found here by a second, shorter way through the log."""
    opened = rows[0].entry
    assert isinstance(opened, Opened)
    game = GAMES[opened.game]
    nonces: dict[int, str] = {}
    past: list[tuple[Any, int]] = []
    key = b""
    for row in rows:
        entry: Any = row.entry
        if isinstance(entry, Started):
            key = chance.stream_key(opened.secret, row.table, [nonces[seat] for seat in sorted(nonces)])
            _, position, draws = set_up(game, game.parse_options(opened.options), len(nonces), opened.first, key)
            assert game.format_position(position) == entry.position
            past = [(position, draws)]
        elif isinstance(entry, Action):
            position, draws = past[-1]
            stream = chance.CommittedChance(key, draws)
            transition = game.play(position, game.parse_action(entry.move.partition(">")[0]), stream)
            assert (transition.move, transition.seat) == (entry.move, entry.seat), f"another deal: {transition.move}, not {entry.move}"
            past.append((transition.after, stream.n))
            assert entry.ply == len(past) - 1
        elif isinstance(entry, Undone):
            past = past[: entry.ply + 1]
        elif hasattr(entry, "nonce"):
            nonces[entry.seat] = entry.nonce


def flags(rows: Sequence[Row]) -> None:
    """Each seat is flagged once at most, and (where nothing but actions and flags touched the clocks) never before its time."""
    fallen = [row.entry.seat for row in rows if isinstance(row.entry, Flagged)]
    assert len(fallen) == len(set(fallen)), "a flag fell twice"
    opened = rows[0].entry
    assert isinstance(opened, Opened)
    plan, bots = opened.clock, set()
    if plan is None:
        assert not fallen
        return
    left: dict[int, int] = {}
    since = None
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        entry = row.entry
        if getattr(entry, "nonce", None) is not None and getattr(entry, "person", "") is None:
            bots.add(getattr(entry, "seat", None))
        if isinstance(entry, Started):
            left, since = dict.fromkeys(range(len(opened.seats)), 1000 * plan.base_s), row.at
        elif isinstance(entry, Action) and since is not None:
            if entry.seat not in bots and row.command is not None:
                left[entry.seat] -= row.at - since - getattr(entry, "held", 0)  # what the service itself took is charged to nobody
                assert left[entry.seat] >= -1000, "an action after the flag"
                left[entry.seat] = 1000 * plan.base_s if plan.kind == "per_move" else max(0, left[entry.seat]) + 1000 * plan.increment_s
            since = row.at
        elif isinstance(entry, Flagged) and since is not None:
            assert row.at - since > left[entry.seat], f"flagged with {left[entry.seat] - (row.at - since)} ms left"
            return
        elif since is not None and not isinstance(entry, Said) and following is not None and type(entry).__name__ in _TOUCHING:
            return


_TOUCHING = ("Undone", "Paused", "Resumed", "Absent", "Returned", "Resigned")
"""Entries after which the clocks go another way than the simple one."""


def told(ledger: Ledger, table: str, rows: Sequence[Row]) -> None:
    """What was acknowledged is in the log exactly once, at the version that was told, and what was refused is not."""
    stored = {(row.person, row.command): row for row in rows if row.command is not None}
    for (place, person, command), versions in ledger.acks.items():
        if place != table:
            continue
        row = stored.get((person, command))
        sent = ledger.sent[place, person, command]
        if row is not None:
            assert versions == {row.v}, f"{sent} stands at {row.v}, but {versions} was acknowledged"
        else:
            assert not isinstance(sent, LEAVES_A_TRACE), f"{sent} was acknowledged at {versions}, and is lost"
    for (place, person, command), code in ledger.refused.items():
        if place == table:
            sent = ledger.sent[place, person, command]
            # Of two copies of a wish for another game one process may refuse one before it hears of the end, another take the other.
            soon = code == "not_running" and isinstance(sent, Rematch) and len(ledger.asked[place, person, command]) > 1
            assert soon or (person, command) not in stored, f"{sent} was refused ({code}) and is in the log"


async def up_to_date(world: World) -> None:
    """Every process, every client and one that has just started see the same."""
    fresh = await world._start()
    for table in world.tables:
        rows = world.disk.log[table]
        for person in (world.rng.choice(world.people[table]), None):
            snapshots = {}
            for process in world.processes:
                live = process.service._tables.peek(table)
                if process is fresh or (process.alive and live is not None and live.loaded and live.hub):
                    snapshot = await process.call(process.service.snapshot, table, person)
                    snapshots[process.number] = _FLEETING.sub(b"", msgspec.json.encode(snapshot))
            newest = snapshots[fresh.number]
            behind = [number for number, each in snapshots.items() if each != newest]
            assert not behind, f"at {table} processes {behind} see {[snapshots[number] for number in behind]}, but it is {newest!r}"
        for tab in world.tabs:
            if tab.table == table and not tab.gone:
                assert tab.known.v == len(rows), f"{tab.name} is at {tab.known.v} of {len(rows)}"


def at_rest(world: World) -> bool:
    """Whether everybody has heard everything, and nothing more is going to happen at any table."""
    for table in world.tables:
        v, state = len(world.disk.log[table]), newest(world, table)
        if state.phase == "running" and (state.bot_to_move is not None or (state.clock is not None and state.clock.running is not None)):
            return False
        known = [process.service._tables.peek(table) for process in world.processes if process.alive]
        if any(live.v != v for live in known if live is not None and live.hub):
            return False
    return all(tab.gone or (tab.line is not None and tab.known.v == len(world.disk.log[tab.table])) for tab in world.tabs)


def newest(world: World, table: str) -> Any:
    """The state to which a table's log has led."""
    state: Any = None
    for row in world.disk.log[table]:
        state, _ = world.fold(GAMES, state, row)
    return state


def nobody_stands_still(world: World) -> None:
    """No bot has to move, and no flag has to fall, at any table whose processes had time enough."""
    now = world.processes[-1].now()
    for table in world.tables:
        state = newest(world, table)
        if state.position is None or state.over:
            continue
        assert state.bot_to_move is None, f"a bot does not move at {table}"
        if state.clock is not None and state.clock.running is not None:
            due = state.clock.at + state.clock.left[state.clock.running] + state.clock.credit[state.clock.running]
            assert due + 15_000 > now, f"a flag does not fall at {table}"
