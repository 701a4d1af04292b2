"""The description of the interface, and the interface held to it by generated requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import httpx
import msgspec
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from sandriver.server.app import ENDPOINTS, create_app
from sandriver.server.endpoints import Endpoint
from sandriver.server.openapi import describe
from sandriver.server.run import configure, listen
from sandriver.server.settings import Settings

EXAMPLES = 25
"""Requests that are made up for each operation."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own, without rate limits that would hide what lies behind them."""
    settings = Settings(data=tmp_path_factory.mktemp("data"), rates=10_000, bot_pause=0)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(configure(create_app(settings), settings))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        yield base
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_the_interface_is_as_described(address: str, endpoint: Endpoint) -> None:
    """Whatever is sent: no fault of ours, and only answers that the description knows."""
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    operation = schema[endpoint.path][endpoint.method]

    @given(case=st.one_of(operation.as_strategy(), operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)))
    @effort(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(checks=CHECKS)

    ask()


def test_every_endpoint_is_described(address: str) -> None:
    """Path, method, summary, answer and refusals of each."""
    document = httpx.get(f"{address}/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert document == msgspec.json.decode(msgspec.json.encode(describe(ENDPOINTS, document["info"]["version"])))
    for endpoint in ENDPOINTS:
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        assert operation["summary"].endswith((".", ";")) or len(operation["summary"]) > 10
        assert {"400", "429", "503"} <= set(operation["responses"])
        assert ("requestBody" in operation) == (endpoint.method in ("POST", "PUT"))
