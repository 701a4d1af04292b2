"""The pages about the protocol and about hosting name everything that the server says, and nothing that it does not say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from sandriver.server import app, guard, socket
from sandriver.server.metrics import Metrics
from sandriver.server.settings import Settings
from sandriver.tables.measure import Figures
from sandriver.tables.wire import REFUSALS, Command, Frame

DOCS = Path(__file__).resolve().parents[2] / "docs"
PROTOCOL, HOSTING = ((DOCS / name).read_text(encoding="utf-8") for name in ("protocol.md", "hosting.md"))


def table_after(page: str, heading: str) -> list[list[str]]:
    """The rows of the table whose head begins so."""
    rows = page[page.index(f"| {heading} |") :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def quoted(cells: list[str]) -> set[str]:
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_every_figure() -> None:
    metrics = Metrics()
    metrics.bus = metrics.ready = lambda: True
    metrics.figures = lambda: Figures(0, 0, 0, 0, 0, 0)
    said = {}
    for family in metrics.collect():
        name = family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
        said[name] = re.findall(r"\w+", ",".join(getattr(family, "_labelnames", ())))
    told = quoted([row[0] for row in table_after(HOSTING, "figure")])
    assert {name.partition("{")[0] for name in told if name.startswith("sandriver")} == set(said)
    for name in told:
        if "{" in name and "info" not in name:
            assert name.partition("{")[2].rstrip("}").split(",") == said[name.partition("{")[0]], name


def test_every_command_with_its_fields() -> None:
    rows = {next(iter(quoted(row[:1]))): quoted(row[1:2]) for row in table_after(PROTOCOL, "command")}
    assert rows == {kind.__struct_config__.tag: set(kind.__struct_fields__) for kind in get_args(Command)}


def test_every_frame_and_refusal() -> None:
    for kind in get_args(Frame):
        assert f"`{kind.__struct_config__.tag}`" in PROTOCOL or f'"t": "{kind.__struct_config__.tag}"' in PROTOCOL, kind
    assert quoted([row[0] for row in table_after(PROTOCOL, "code")]) == set(REFUSALS)


def test_every_close_code() -> None:
    told = {int(code) for row in table_after(PROTOCOL, "close code") for code in re.findall(r"\d{4}", row[0])}
    said = {value for module in (socket, guard) for name, value in vars(module).items() if name.startswith("CLOSE_")}
    assert told == said | {1002, 1009}  # which the protocol beneath says


def test_every_endpoint() -> None:
    told = {re.sub(r"\{\w+\}", "{}", name) for name in quoted([row[0] for row in table_after(PROTOCOL, "request")])}
    assert told == {re.sub(r"\{\w+\}", "{}", f"{each.method} {each.path}") for each in app.ENDPOINTS} | {"GET /api/openapi.json"}


def test_every_setting() -> None:
    told = quoted([row[0] for row in table_after(HOSTING, "variable")])
    assert told == {f"SANDRIVER_{name.upper()}" for name in Settings.__struct_fields__}
