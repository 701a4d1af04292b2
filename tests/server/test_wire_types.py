"""The browser's types are those of the server's structs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

import make_wire_types
from sandriver.games import GAMES
from sandriver.games.chance import RandomChance
from sandriver.server.wire_schema import definitions
from sandriver.tables.wire import REFUSALS, Refused


def test_the_types_are_fresh() -> None:
    """Neither a struct nor the file was changed without the other."""
    text = make_wire_types.TARGET.read_text(encoding="utf-8")
    assert make_wire_types.is_fresh(text), "run python tools/make_wire_types.py"


@pytest.mark.parametrize("change", [("interface Ack", "interface Nack"), ("v: number", "v: string"), ("\n", "\n\n")])
def test_a_stale_file_is_known(change: tuple[str, str]) -> None:
    """The digest covers the body, so an edit by hand shows."""
    text = make_wire_types.TARGET.read_text(encoding="utf-8")
    assert not make_wire_types.is_fresh(text.replace(*change, 1))
    assert not make_wire_types.is_fresh("")


def test_a_change_of_a_struct_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest covers the schema too."""
    text = make_wire_types.TARGET.read_text(encoding="utf-8")
    changed = definitions()
    changed["Ack"]["properties"]["extra"] = {"type": "string"}
    monkeypatch.setattr(make_wire_types, "definitions", lambda: changed)
    assert not make_wire_types.is_fresh(text)


def test_every_definition_is_exported() -> None:
    """One type for each, by its name; every game's view and events among them."""
    text = make_wire_types.TARGET.read_text(encoding="utf-8")
    names = definitions()
    for name in names:
        assert f"export interface {name} " in text or f"export type {name} " in text, name
    for game in GAMES.values():
        for struct in (game.view_type, *game.event_types):
            assert game.id.capitalize() + struct.__name__ in names


def test_no_reference_is_open() -> None:
    """Every reference leads to a definition."""
    names = definitions()

    def check(node: Any) -> None:
        if isinstance(node, dict):
            if "$ref" in node:
                assert node["$ref"].removeprefix("#/$defs/") in names
            for value in node.values():
                check(value)
        elif isinstance(node, list):
            for value in node:
                check(value)

    check(list(names.values()))


def test_what_games_say_fits_the_schema() -> None:
    """Views and events of a game played at random are valid by the published schema, for every viewer."""
    names = definitions()
    view = jsonschema_rs.validator_for({"$ref": "#/$defs/View", "$defs": names})
    event = jsonschema_rs.validator_for({"$ref": "#/$defs/GameEvent", "$defs": names})
    for game in GAMES.values():
        chance = RandomChance(5)
        position = game.start(game.parse_options({}), game.seat_counts[0], 0, chance)
        for _ in range(400):
            for viewer in (None, *range(game.seat_counts[0])):
                view.validate(msgspec.to_builtins(game.view(position, viewer, assist=True)))
            if position.to_move is None:
                break
            transition = game.play(position, position.legal_actions[0], chance)
            for viewer in (None, *range(game.seat_counts[0])):
                for each in game.hear(transition, viewer).events:
                    event.validate(msgspec.to_builtins(each))
            position = transition.after
        assert position.outcome is not None


def test_refusals_fit_the_schema() -> None:
    """Every code can be told."""
    refused = jsonschema_rs.validator_for({"$ref": "#/$defs/Refused", "$defs": definitions()})
    for code in REFUSALS:
        refused.validate(msgspec.to_builtins(Refused(id=None, code=code)))


def test_the_target_is_in_the_client() -> None:
    """The file stands where the client imports it from."""
    assert Path("web/src/lib/wire.ts") == make_wire_types.TARGET.relative_to(make_wire_types.ROOT)
