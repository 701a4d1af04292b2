"""What the server answers when it refuses: one shape, ``{"code", "params", "rule"?, "snapshot"?}``, and a status for every code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sandriver.server.api.wire import ApiError
from sandriver.server.requests import REFUSED
from sandriver.tables.errors import Refusal, StoreFailed

STATUS = {
    "bad_request": 400,
    "forbidden": 403,
    "not_seated": 403,
    "unknown_table": 404,
    "not_your_turn": 409,
    "stale": 409,
    "game_over": 409,
    "seat_taken": 409,
    "not_running": 409,
    "too_large": 413,
    "illegal": 422,
    "too_many_requests": 429,
    "try_again": 503,
}
"""The HTTP status of every code in ``sandriver.tables.wire.REFUSALS``."""

NO_STORE = {"cache-control": "no-store"}


class Problem(Exception):
    """A request that the server itself refuses, before any table hears of it."""

    def __init__(
        self,
        code: str,
        params: Mapping[str, str | int] | None = None,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.body = ApiError(code=code, params=dict(params or {}))
        self.status = STATUS[code] if status is None else status
        self.headers = _retry_after(code, self.body.params)


def _retry_after(code: str, params: Mapping[str, str | int]) -> dict[str, str]:
    """When to come again: the ``seconds`` that the refusal tells, or one."""
    return {"retry-after": str(params.get("seconds", 1))} if code in ("too_many_requests", "try_again") else {}


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return ``body`` (any struct) as JSON that nobody may keep."""
    return Response(msgspec.json.encode(body), status, headers={**NO_STORE, **(headers or {})}, media_type="application/json")


async def on_problem(request: Request, error: Exception) -> Response:
    """Answer a ``Problem``."""
    assert isinstance(error, Problem)
    request.scope[REFUSED] = error.body.code
    return json_response(error.body, error.status, error.headers)


async def on_refusal(request: Request, error: Exception) -> Response:
    """Answer a table's refusal."""
    assert isinstance(error, Refusal)
    request.scope[REFUSED] = error.code
    refused = error.refused
    body = ApiError(code=refused.code, rule=refused.rule, params=refused.params, snapshot=refused.snapshot)
    return json_response(body, STATUS[refused.code], _retry_after(refused.code, refused.params))


async def on_http_exception(_request: Request, error: Exception) -> Response:
    """Answer what the router refuses: a path or a method that does not exist."""
    assert isinstance(error, HTTPException)
    reason = {404: "unknown_path", 405: "unknown_method"}.get(error.status_code, "http")
    code = "try_again" if error.status_code >= 500 else "bad_request"
    return json_response(ApiError(code=code, params={"reason": reason}), error.status_code, error.headers)


async def on_store_failed(request: Request, _error: Exception) -> Response:
    """Answer when the database cannot do it now."""
    request.scope[REFUSED] = "try_again"
    return json_response(ApiError(code="try_again"), STATUS["try_again"], {"retry-after": "1"})


async def on_disconnect(_request: Request, _error: Exception) -> Response:
    """Nobody is there any more to be answered."""
    return Response(status_code=400)


async def on_error(_request: Request, _error: Exception) -> Response:
    """Answer a fault of our own: the log gets the traceback, the client hears only that it may try again."""
    return json_response(ApiError(code="try_again"), 500, {"retry-after": "1"})


HANDLERS = {
    Problem: on_problem,
    Refusal: on_refusal,
    StoreFailed: on_store_failed,
    HTTPException: on_http_exception,
    ClientDisconnect: on_disconnect,
    Exception: on_error,
}
"""What answers each kind of exception."""
