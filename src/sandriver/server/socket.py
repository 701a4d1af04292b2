"""The live connection to a table: commands in, frames out. Whatever comes in, what goes out is typed; a flood is slowed, not served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandriver.server.call import Server, check_origin, server_of
from sandriver.server.endpoints import decode
from sandriver.server.guard import DIRECT
from sandriver.server.identity import find_guest
from sandriver.server.limits import Rate, address_key
from sandriver.server.metrics import Metrics
from sandriver.server.problems import Problem, json_response
from sandriver.tables.errors import Refusal, StoreFailed
from sandriver.tables.hub import Subscription
from sandriver.tables.measure import BEGAN
from sandriver.tables.wire import Command, Refused, Rematch

log = logging.getLogger("sandriver.server")

SEND_SECONDS = 20.0
"""A client that takes no byte for so long is let go of."""
BAD_COST = 5.0
"""How much more a message that is no command counts against the connection's rate."""
CLOSE_UNKNOWN = 4404
CLOSE_RESTART = 1012
CLOSE_LATER = 1013
CLOSE_FAULT = 1011

_command = msgspec.json.Decoder(Command)
_encode = msgspec.json.Encoder().encode


class _Named(msgspec.Struct):
    """Whatever has an id, so that a refused message can be answered by name."""

    id: str | None = None


_named = msgspec.json.Decoder(_Named)


async def table_socket(websocket: WebSocket) -> None:
    """Serve ``/api/tables/{table_id}/socket?since=v``."""
    server = server_of(websocket)
    address = address_key(websocket.client.host if websocket.client else None)
    metrics = server.metrics
    try:
        _check_not_ending(server)
        check_origin(websocket, server.settings)
        server.limits.check(server.limits.asking, address)
        since = _since(websocket)
        server.limits.connect(address)
    except Problem as problem:
        metrics.refusals[problem.body.code] += 1
        await websocket.send_denial_response(json_response(problem.body, problem.status, problem.headers))
        return
    metrics.connections += 1
    try:
        await _serve(websocket, server, since, address)
    except WebSocketDisconnect:
        pass
    finally:
        metrics.connections -= 1
        server.limits.disconnect(address)


def _check_not_ending(server: Server) -> None:
    if server.service.draining:
        raise Problem("try_again")


def _since(websocket: WebSocket) -> int | None:
    text = websocket.query_params.get("since")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise Problem("bad_request", {"reason": "since"})
    return int(text)


async def _serve(websocket: WebSocket, server: Server, since: int | None, address: str) -> None:
    """Accept, subscribe, and pump both ways until either side ends."""
    await websocket.accept()
    try:
        person = await find_guest(server.service.people, websocket)
        person_id = None if person is None else person.id
        subscription = await server.service.subscribe(websocket.path_params["table_id"], person_id, since=since)
    except (Refusal, StoreFailed) as error:
        refused = error.refused if isinstance(error, Refusal) else Refused(id=None, code="try_again")
        await websocket.send_text(_encode(refused).decode())
        await websocket.close(CLOSE_UNKNOWN if refused.code == "unknown_table" else CLOSE_LATER, refused.code)
        return
    extensions: Mapping[str, Any] = websocket.scope.get("extensions") or {}
    subscription.sink, subscription.told = extensions.get(DIRECT), server.metrics.told
    async with subscription:
        pumps = (
            asyncio.create_task(_read(websocket, server, subscription, address)),
            asyncio.create_task(_write(websocket, subscription, server.metrics)),
        )
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            results = await asyncio.gather(*pumps, return_exceptions=True)
    server.metrics.slow_cut += subscription.closed == "slow"
    await _part(websocket, subscription, results)


async def _part(websocket: WebSocket, subscription: Subscription, results: Sequence[BaseException | None]) -> None:
    """Close with a code that tells the client whether to come back."""
    for result in results:
        if isinstance(result, WebSocketDisconnect):
            return
        if isinstance(result, Exception):
            log.error("a connection failed", exc_info=result)
            await websocket.close(CLOSE_FAULT)
            return
    if results[1] is None:  # the subscription ended, not the client
        await websocket.close(CLOSE_LATER if subscription.closed == "slow" else CLOSE_RESTART)


async def _write(websocket: WebSocket, subscription: Subscription, metrics: Metrics) -> None:
    """Send frames that had to wait until the subscription ends; a client that takes nothing ends this task.

    One timer a frame is a third of ``timeout``.
    """
    task, call_later = asyncio.current_task(), asyncio.get_running_loop().call_later
    assert task is not None

    def cut() -> None:
        metrics.slow_cut += 1
        task.cancel()

    async for frame in subscription:
        timer = call_later(SEND_SECONDS, cut)
        try:
            await websocket.send({"type": "websocket.send", "text": frame.decode()})
        finally:  # a client that has simply left meanwhile was not slow
            timer.cancel()
        if subscription.began and not subscription.waiting:
            metrics.told(subscription.began)
            subscription.began = 0.0


async def _read(websocket: WebSocket, server: Server, subscription: Subscription, address: str) -> None:
    """Take commands until the client leaves. While it waits, nothing more is read, so a flood backs up at its source."""
    rate = server.limits.command_rate()
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        BEGAN.set(perf_counter())
        await _slow(rate)
        command = _parse(message.get("text"), server.settings.frame_limit)
        if isinstance(command, Rematch):  # it may open a table
            try:
                server.limits.check(server.limits.making, address)
            except Problem as problem:
                command = Refused(command.id[:64], problem.body.code, params=problem.body.params)
        if isinstance(command, Refused):
            server.metrics.refusals[command.code] += 1
            subscription.reply(command)
            await _slow(rate, BAD_COST)
        elif (code := await server.service.answer(subscription, command)) is not None:
            server.metrics.refusals[code] += 1


async def _slow(rate: Rate, cost: float = 1.0) -> None:
    if seconds := rate.spend(cost):
        await asyncio.sleep(seconds)


def _parse(text: str | None, limit: int) -> Command | Refused:
    """Return the command, or what to answer instead. ``None`` stands for a binary message."""
    if text is None:
        return Refused(id=None, code="bad_request", params={"reason": "binary"})
    if len(text.encode()) > limit:
        return Refused(id=None, code="too_large", params={"limit": limit})
    try:
        command: Command = decode(_command, text)
    except Problem as problem:
        return Refused(id=_id_of(text), code=problem.body.code, params=problem.body.params)
    return command


def _id_of(text: str) -> str | None:
    try:
        name: str | None = decode(_named, text).id
    except Problem:
        return None
    return name if name is not None and len(name) <= 64 else None
