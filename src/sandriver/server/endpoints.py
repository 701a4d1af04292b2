"""The thin typed layer of the HTTP interface: a function's annotations give both its validation and its description.

A handler takes a ``Call`` and, if it has a body, a msgspec struct named ``body``; its return annotation is the answer's struct (``str``:
plain text). ``routes`` makes Starlette routes of handlers, ``openapi.py`` describes the same objects.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sandriver.server.call import Call
from sandriver.server.limits import read_body
from sandriver.server.problems import NO_STORE, Problem, json_response
from sandriver.server.requests import TEMPLATE

ANY = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One method of one path."""

    method: str
    path: str
    handler: Handler
    body: Any
    """What the request's JSON must be; ``None``: it has no body."""
    answer: Any
    status: int
    refusals: tuple[str, ...]
    """Codes with which it may refuse, apart from those that any request may meet."""
    changes: bool
    """Whether it changes anything, and counts against the guest's share."""
    body_limit: int | None
    """Longest body in bytes, where that is not the one of the settings."""
    counted: bool
    """Whether asking counts against the address's share. Not for signs of life: who watches a server may share its visitors' address."""
    decoder: msgspec.json.Decoder[Any] | None = field(repr=False)

    @property
    def summary(self) -> str:
        """First line of the handler's docstring."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]

    @property
    def parameters(self) -> list[str]:
        """Names in the path."""
        return re.findall(r"{(\w+)}", self.path)

    async def __call__(self, request: Request) -> Response:
        """Validate, run, encode."""
        call = Call(request)
        if self.counted:
            call.admit(changes=self.changes)
        if self.decoder is None:
            answer = await self.handler(call)
        else:
            answer = await self.handler(call, body=await self._read(call))
        if self.answer is str:
            response: Response = PlainTextResponse(answer, self.status, headers=NO_STORE)
        elif isinstance(answer, Response):
            response = answer
        else:
            response = json_response(answer, self.status)
        call.finish(response)
        return response

    async def _read(self, call: Call) -> Any:
        assert self.decoder is not None
        kind = call.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Problem("bad_request", {"reason": "content_type", "expected": "application/json"}, status=415)
        return decode(self.decoder, await read_body(call.request, self.body_limit or call.server.settings.body_limit))


def decode(decoder: msgspec.json.Decoder[Any], data: bytes | str) -> Any:
    """Decode hostile JSON. Raises ``Problem`` (``bad_request``) with a remark for developers and nothing else."""
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise Problem("bad_request", {"reason": "invalid", "detail": str(error)[:200]}) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        raise Problem("bad_request", {"reason": "not_json"}) from None


def endpoint(
    method: str,
    path: str,
    *,
    refusals: tuple[str, ...] = (),
    status: int = 200,
    changes: bool | None = None,
    body_limit: int | None = None,
    counted: bool = True,
    answer: Any = None,
) -> Callable[[Handler], Endpoint]:
    """Make an ``Endpoint`` of a handler (decorator). ``answer``: the struct that a handler encodes itself, which returns a ``Response``."""

    def make(handler: Handler) -> Endpoint:
        hints = typing.get_type_hints(handler)
        body = hints.get("body")
        return Endpoint(
            method=method,
            path=path,
            handler=handler,
            body=body,
            answer=hints["return"] if answer is None else answer,
            status=status,
            refusals=refusals,
            changes=method != "GET" if changes is None else changes,
            body_limit=body_limit,
            counted=counted,
            decoder=None if body is None else msgspec.json.Decoder(body),
        )

    return make


def routes(endpoints: Iterable[Endpoint]) -> list[Route]:
    """Return one route a path, so that a wrong method is answered with all that are allowed."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for each in endpoints:
        by_path.setdefault(each.path, {})[each.method] = each
    return [_route(path, methods) for path, methods in by_path.items()]


def _route(path: str, methods: dict[str, Endpoint]) -> Route:
    allowed = ", ".join(sorted({*methods, *(["HEAD"] if "GET" in methods else [])}))

    async def dispatch(request: Request) -> Response:
        request.scope[TEMPLATE] = path
        chosen = methods.get("GET" if request.method == "HEAD" else request.method)
        if chosen is None:
            raise HTTPException(405, headers={"Allow": allowed})
        return await chosen(request)

    # The route takes every method: one that it left to the router would fall through to the path that answers all unknown ones.
    return Route(path, dispatch, methods=ANY)
