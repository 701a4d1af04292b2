"""The example deployment and the guide name settings that exist, services that are there, and every setting and command there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandriver.cli.main import COMMANDS
from sandriver.server.settings import PREFIX, Settings
from sandriver.tables.bus_valkey import bus_url
from sandriver.tables.databases import database_url

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "compose.yaml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
GUIDE = (ROOT / "docs" / "hosting.md").read_text()
VALUES = {"SITE": "play.example.org", "POSTGRES_PASSWORD": "hush"}
SERVERS = ("one", "two")


def filled_in(text: str) -> str:
    """The text as Compose would read it with a file of values."""
    return re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: VALUES[found[1]], text)


@pytest.mark.parametrize("name", SERVERS)
def test_its_servers_have_settings_that_are_taken(name: str) -> None:
    environment = {key: filled_in(value) for key, value in COMPOSE["services"][name]["environment"].items()}
    assert {key.removeprefix(PREFIX).lower() for key in environment} <= set(Settings.__struct_fields__)
    assert all(key.startswith(PREFIX) for key in environment)
    settings = Settings.load(environment)
    assert settings.origins == ("https://play.example.org",)
    hosts = {database_url(settings.database_url).host, re.sub(r"\w+://([\w.]+).*", r"\1", bus_url(settings.bus_url))}
    assert hosts <= COMPOSE["services"].keys()
    assert settings.metrics_port not in (None, settings.port)


def test_the_proxy_asks_every_server_whether_it_is_ready() -> None:
    content = filled_in(COMPOSE["configs"]["caddyfile"]["content"])
    assert content.startswith("play.example.org {")
    port = Settings().port
    assert all(f"{name}:{port}" in content for name in SERVERS)
    assert "health_uri /readyz" in content
    assert f"http://127.0.0.1:{port}/healthz" in COMPOSE["services"]["one"]["healthcheck"]["test"][-1]
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"], (
        "nothing else is reached from outside"
    )


def test_what_it_refers_to_is_there() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", [])) <= services.keys()
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= COMPOSE["volumes"].keys()
    for name in re.findall(r"COPY (?:--from=\S+ )?(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE):
        for path in name.split():
            assert path.startswith("/build/") or (ROOT / path).exists()


def test_secrets_stay_out_of_image_and_repository() -> None:
    """The file with the database's password lies where the image is built, and its servers run as nobody in particular."""
    for name in (".dockerignore", ".gitignore"):
        assert ".env" in (ROOT / name).read_text().splitlines()
    user = re.findall(r"^USER (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert user
    assert user[-1] not in ("root", "0")


def test_the_database_counts_as_there_once_others_reach_it() -> None:
    """While it is being made, a server that will be stopped again listens on the socket alone."""
    asked = COMPOSE["services"]["database"]["healthcheck"]["test"]
    assert asked[asked.index("-h") + 1] == "127.0.0.1"
    assert all(service["depends_on"]["database"]["condition"] == "service_healthy" for service in map(COMPOSE["services"].get, SERVERS))


def test_whoever_forgot_the_values_is_told() -> None:
    """Each one is asked for with words at least once, which name the file they belong into."""
    told = dict(re.findall(r"\$\{(\w+):\?([^}]*)\}", TEXT))
    assert told.keys() == set(re.findall(r"\$\{(\w+)", TEXT)) == VALUES.keys()
    assert all(".env" in words for words in told.values())


def test_the_guide_names_every_setting_and_command() -> None:
    named = set(re.findall(rf"`{PREFIX}(\w+)`", GUIDE))
    assert {name.upper() for name in Settings.__struct_fields__} <= named
    assert named <= {name.upper() for name in Settings.__struct_fields__} | {"TEST_DATABASE_URL", "TEST_BUS_URL"}
    assert set(re.findall(r"sandriver (\w+)", "\n".join(re.findall(r"^\$ (.*)$", GUIDE, re.MULTILINE)))) <= {*COMMANDS, "sandriver"}
    assert all(f"sandriver {name}" in GUIDE for name in ("serve", "migrate", "backup", "restore"))
