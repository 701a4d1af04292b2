"""A real server whose disk is full: nothing is half stored, the sender is told to try again, and when there is room, it goes on."""

from __future__ import annotations

import resource
from pathlib import Path

from tests.server.support import Guest
from tests.server.test_serve import process


async def test_disk_full_and_room_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with process(data) as (server, base), Guest(base) as ana:
        table = await ana.open("person", "random", first=0)
        await ana.join(table)
        async with ana.sit(table) as seat, ana.sit(table) as tab:
            await seat.until("snapshot")
            await tab.until("snapshot")
            ack = await seat.ask(seat.act(seat.legal[0]))
            while not (seat.v > ack["v"] and seat.legal):
                await seat.until("update")
            largest = max(path.stat().st_size for path in data.iterdir() if path.is_file())
            free = resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
            command = seat.act(seat.legal[0])
            known = seat.v
            refused = await seat.ask(command)
            assert (refused["t"], refused.get("code")) == ("refused", "try_again")
            assert (seat.v, server.returncode) == (known, None)
            assert (await ana.get(f"/api/tables/{table}"))["v"] == known, "reading goes on, and nobody sees what is not stored"
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, free)
            answers = [await seat.ask(command) for _ in range(2)]
            assert [(answer["t"], answer["v"]) for answer in answers] == [("ack", known + 1)] * 2
            while tab.v < known + 1:
                await tab.until("update")
