"""The JSON schema of everything a client sends or gets, from the structs themselves: for OpenAPI and for the browser's types.

Names are stable: tables and HTTP structs keep theirs, a game's own structs get the game's id in front (``MandalaView``). What the tables
carry without knowing it (``Any``: views and events) is filled in here with the union over all registered games.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from sandriver.games import GAMES
from sandriver.games.contract import Game, Outcome
from sandriver.server.api.wire import REQUESTS, RESPONSES
from sandriver.tables.replay import ReplayFrame
from sandriver.tables.wire import Command, Frame, Snapshot, Step, Update

Schema = dict[str, Any]
REF = "#/$defs/{name}"


def definitions(games: Mapping[str, Game] = GAMES, *, ref: str = REF) -> dict[str, Schema]:
    """Return every definition by name (JSON Schema 2020-12), references written by the template ``ref``."""
    found = _components((Frame, Command, *RESPONSES, *REQUESTS), str, ref)
    found["Frame"], found["Command"] = _root(Frame, ref), _root(Command, ref)
    found["Frame"]["description"] = "Anything the server sends over the socket."
    found["Command"]["description"] = "Anything a client sends over the socket, or posts as a command."
    views, events = [], []
    for game in games.values():
        name = _namer(game.id)
        found |= _components((game.view_type, *game.event_types), name, ref)
        union = name("Event")
        found[union] = {
            "description": f"Anything that can happen in a game of {game.id}.",
            "anyOf": [{"$ref": ref.format(name=name(event.__name__))} for event in game.event_types],
        }
        views.append(ref.format(name=name(game.view_type.__name__)))
        events.append(ref.format(name=union))
    found["View"] = {
        "description": "A position as the viewer may know it, whichever game is played.",
        "anyOf": [{"$ref": view} for view in views],
    }
    found["GameEvent"] = {
        "description": "Something that happened, whichever game is played.",
        "anyOf": [{"$ref": event} for event in events],
    }
    for frame in (Snapshot, Update):
        found[frame.__name__]["properties"]["view"]["anyOf"][0] = {"$ref": ref.format(name="View")}
    found[ReplayFrame.__name__]["properties"]["view"] = {"$ref": ref.format(name="View")}
    found[Step.__name__]["properties"]["events"]["items"] = {"$ref": ref.format(name="GameEvent")}
    return dict(sorted(found.items()))


def _namer(game_id: str) -> Callable[[str], str]:
    """How a game's own structs are called outside it; what games share keeps its name."""
    prefix = "".join(part.capitalize() for part in game_id.replace("_", "-").split("-"))
    return lambda name: name if name == Outcome.__name__ else prefix + name


def _components(types: Iterable[Any], name: Callable[[str], str], ref: str) -> dict[str, Schema]:
    types = tuple(types)
    _, found = msgspec.json.schema_components(types, ref_template="\0{name}\0")
    structs = {cls.__name__: cls for cls in _structs(msgspec.inspect.multi_type_info(types))}
    given = {cls.__name__ for cls in _structs(msgspec.inspect.multi_type_info((Command, *REQUESTS)))}
    named = {}
    for key, raw in found.items():
        schema = _referring(raw, lambda target: ref.format(name=name(target)))
        if key in structs:
            _complete(schema, structs[key], sent=key not in given)
        named[name(key)] = schema | {"title": name(key)}
    return named


def _structs(types: Iterable[msgspec.inspect.Type]) -> Iterator[type[msgspec.Struct]]:
    """Every struct within ``types``."""
    seen: set[type[msgspec.Struct]] = set()
    waiting = list(types)
    while waiting:
        match waiting.pop():
            case msgspec.inspect.StructType(cls=cls, fields=fields):
                if cls not in seen:
                    seen.add(cls)
                    waiting += [field.type for field in fields]
            case msgspec.inspect.UnionType(types=several):
                waiting += several
            case msgspec.inspect.TupleType(item_types=several):
                waiting += several
            case (
                msgspec.inspect.Metadata(type=inner)
                | msgspec.inspect.VarTupleType(item_type=inner)
                | msgspec.inspect.ListType(item_type=inner)
            ):
                waiting.append(inner)
            case msgspec.inspect.DictType(key_type=key, value_type=value):
                waiting += [key, value]
    yield from seen


def _root(union: Any, ref: str) -> Schema:
    (schema,), _ = msgspec.json.schema_components((union,), ref_template=ref)
    return dict(schema)


def _referring(node: Any, target: Callable[[str], str]) -> Any:
    """Return a copy in which every reference is written by ``target``."""
    if isinstance(node, dict):
        return {key: _referring(value, target) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [_referring(value, target) for value in node]
    if isinstance(node, str) and node.startswith("\0"):
        return target(node.strip("\0"))
    return node


def _complete(schema: Schema, struct: type[msgspec.Struct], *, sent: bool) -> None:
    """Add the fields' own docstrings, and name as required what is always sent."""
    properties: dict[str, Schema] = schema["properties"]
    for field, text in _field_docs(struct).items():
        properties[field]["description"] = text
    if sent:
        for value in properties.values():
            value.pop("default", None)
        if not struct.__struct_config__.omit_defaults:
            schema["required"] = list(properties)


def _field_docs(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return the string that stands below each field in the source of ``struct``."""
    return _module_docs(struct.__module__).get(struct.__name__, {})


@cache
def _module_docs(module: str) -> dict[str, dict[str, str]]:
    docs: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.ClassDef):
            fields = docs.setdefault(node.name, {})
            for field, after in zip(node.body, node.body[1:], strict=False):
                match field, after:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                        fields[name] = inspect.cleandoc(text)
    return docs
