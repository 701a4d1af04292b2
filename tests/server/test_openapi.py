"""The description of the interface, and the interface held to it by generated requests."""

from __future__ import annotations

import secrets
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import seed as with_seed
from hypothesis import settings as effort
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from sandriver.server.app import ENDPOINTS
from sandriver.server.endpoints import Endpoint
from sandriver.server.openapi import describe

EXAMPLES = 15
"""Requests that are made up for each operation."""
MANY_EXAMPLES = 1000
"""The same in `make full`."""
# Hypothesis takes what the server draws in its own thread for a strategy's doing.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def attack(base: str, endpoint: Endpoint, examples: int, *, seed: int | None) -> None:
    """Make up so many requests, right ones and wrong ones, and hold each answer against the description."""
    schema = schemathesis.openapi.from_url(f"{base}/api/openapi.json")
    operation = schema[endpoint.path][endpoint.method]

    @given(case=st.one_of(operation.as_strategy(), operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)))
    @effort(max_examples=examples, deadline=None, derandomize=seed is None, database=None, suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    (ask if seed is None else with_seed(seed)(ask))()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_the_interface_is_as_described(base: str, endpoint: Endpoint) -> None:
    """Whatever is sent: no fault of ours, and only answers that the description knows."""
    attack(base, endpoint, EXAMPLES, seed=None)


@pytest.mark.slow
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_the_interface_under_many_more_requests(base: str, endpoint: Endpoint) -> None:
    """Others each time; the seed is told when something is wrong."""
    seed = secrets.randbits(32)
    try:
        attack(base, endpoint, MANY_EXAMPLES, seed=seed)
    except BaseException as error:
        error.add_note(f"found with seed {seed}")
        raise


def test_every_endpoint_is_described(base: str) -> None:
    """Path, method, summary, answer and refusals of each."""
    document = httpx.get(f"{base}/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert document == msgspec.json.decode(msgspec.json.encode(describe(ENDPOINTS, document["info"]["version"])))
    for endpoint in ENDPOINTS:
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        assert operation["summary"].endswith((".", ";")) or len(operation["summary"]) > 10
        assert {"400", "503"} <= set(operation["responses"])
        assert ("429" in operation["responses"]) == endpoint.counted
        assert ("requestBody" in operation) == (endpoint.method in ("POST", "PUT"))
