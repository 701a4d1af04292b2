"""The description of the HTTP interface (OpenAPI 3.1), made from the endpoints and structs that serve it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sandriver.server.endpoints import Endpoint
from sandriver.server.problems import STATUS
from sandriver.server.wire_schema import definitions

ALWAYS = ("bad_request", "try_again")
"""Codes that any request may meet."""
COUNTED = ("too_many_requests",)
"""Codes that any request may meet besides that counts against a share."""
CHANGING = ("forbidden", "too_large")
"""Codes that any request with a body may meet besides."""
TEXT = {"type": "string", "minLength": 1}
REF = "#/components/schemas/{name}"
ABOUT = (
    "Tables of games, for people, bots and programs. A guest is known by the cookie that opening or joining a table sets. "
    "Live play goes over a WebSocket at /api/tables/{table_id}/socket?since=v: JSON text, Command in, Frame out; see docs/protocol.md. "
    "Every refusal has the same shape, ApiError, and its code is stable."
)


def describe(endpoints: Iterable[Endpoint], version: str) -> dict[str, Any]:
    """Return the OpenAPI document, JSON-able."""
    schemas = definitions(ref=REF)
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sandriver", "version": version, "description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(each: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": each.handler.__name__,
        "summary": each.summary,
        "parameters": [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in each.parameters],
        "responses": {str(each.status): _answer(each), **_refusals(each)},
    }
    if each.body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(each.body)}}}
    return operation


def _schema(kind: Any) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components((kind,), ref_template=REF)
    return dict(schema)


def _answer(each: Endpoint) -> dict[str, Any]:
    if each.answer is str:
        return {"description": "As asked.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    return {"description": "As asked.", "content": {"application/json": {"schema": _schema(each.answer)}}}


def _refusals(each: Endpoint) -> dict[str, Any]:
    codes = {*ALWAYS, *each.refusals, *(COUNTED if each.counted else ()), *(CHANGING if each.changes else ())}
    by_status: dict[str, list[str]] = {}
    for code in sorted(codes):
        by_status.setdefault(str(STATUS[code]), []).append(code)
    if each.body is not None:
        by_status["408"] = by_status["415"] = ["bad_request"]
    if each.parameters:
        by_status.setdefault("404", []).append("bad_request")
    by_status["500"] = ["try_again"]
    content = {"application/json": {"schema": {"$ref": REF.format(name="ApiError")}}}
    return {
        status: {"description": "Refused: " + ", ".join(f"`{code}`" for code in sorted(codes)) + ".", "content": content}
        for status, codes in sorted(by_status.items())
    }
