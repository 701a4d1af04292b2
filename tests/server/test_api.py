"""The HTTP endpoints: what they answer, what they refuse and how they say it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from sandriver.server.problems import STATUS
from sandriver.server.settings import Settings
from sandriver.server.storage import FILE
from sandriver.tables.wire import REFUSALS
from tests.server.support import Guest

BOT = {"game": "mandala", "seats": [{"kind": "person"}, {"kind": "bot", "bot": "random"}]}


def people(settings: Settings) -> list[tuple[Any, ...]]:
    """Every row that identifies somebody."""
    with closing(sqlite3.connect(settings.data / FILE)) as database:
        return database.execute("SELECT * FROM people").fetchall()


def test_every_refusal_has_a_status() -> None:
    """A new code cannot be forgotten here."""
    assert set(STATUS) == set(REFUSALS)


async def test_a_visit_stores_nothing(own: Guest, settings: Settings) -> None:
    """Looking around makes no guest and no cookie."""
    assert await own.get("/api/me") == {"known": False, "name": "", "language": None}
    assert (await own.get("/api/me/tables")) == {"tables": []}
    await own.get("/api/games")
    assert not own.http.cookies
    assert people(settings) == []


async def test_a_refused_wish_stores_nothing(own: Guest, settings: Settings) -> None:
    """Nobody becomes a guest by asking for a table that cannot be."""
    response = await own.http.post("/api/tables", json={**BOT, "game": "chess"})
    assert response.status_code == 400
    assert people(settings) == []


async def test_secrets_are_for_the_owner_of_the_process(own: Guest, settings: Settings) -> None:
    """Other users of the machine cannot read the database, whose log holds what running tables hide."""
    await own.http.put("/api/me", json={"name": "Ana"})
    modes = {path.name: path.stat().st_mode & 0o077 for path in settings.data.glob(f"{FILE}*")}
    assert modes
    assert not any(modes.values()), modes


async def test_the_cookie_is_opaque_and_only_its_digest_is_stored(own: Guest, settings: Settings) -> None:
    """Choosing a name makes a guest; the database cannot be used to become them."""
    response = await own.http.put("/api/me", json={"name": "  Ana   Ζωή ", "language": "el"})
    assert response.json() == {"known": True, "name": "Ana Ζωή", "language": "el"}
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "Secure" not in cookie  # plain HTTP on this machine
    token = own.http.cookies["sandriver_guest"]
    assert len(token) == 43
    assert len(people(settings)) == 1
    assert token not in str(people(settings))
    again = await own.http.put("/api/me", json={"language": "ja"})
    assert again.json() == {"known": True, "name": "Ana Ζωή", "language": "ja"}
    assert "set-cookie" not in again.headers
    assert await own.get("/api/me") == again.json()


async def test_a_cookie_that_is_none_of_ours_is_nobody(ana: Guest) -> None:
    """Made-up and malformed cookies are like none at all, and are replaced when a guest is needed."""
    for value in ("x", "A" * 43, "'; DROP TABLE people; --", "%00"):
        headers = {"cookie": f"sandriver_guest={value}"}
        assert (await ana.http.get("/api/me", headers=headers)).json()["known"] is False
    made = await ana.http.post("/api/tables", json=BOT, headers={"cookie": "sandriver_guest=" + "A" * 43})
    assert made.status_code == 201
    assert ana.http.cookies["sandriver_guest"] != "A" * 43


async def test_games_name_options_and_bots(ana: Guest) -> None:
    """A client can offer every option and bot without knowing the game."""
    (game,) = [game for game in (await ana.get("/api/games"))["games"] if game["id"] == "mandala"]
    assert game["seat_counts"] == [2]
    assert game["options"]["exhaustion"] == "eager"
    assert [bot["id"] for bot in game["bots"]] == ["newcomer", "apprentice", "journeyman", "master", "champion", "random"]
    assert [bot["level"] for bot in game["bots"]] == [1, 2, 3, 4, 5, None]
    assert all(bot["elo"] > 0 and bot["thinking_ms"] > 0 for bot in game["bots"][:5])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ('{"game":"mandala"}', 400),
        ('{"game":"chess","seats":[{"kind":"person"},{"kind":"person"}]}', 400),
        ('{"game":"mandala","seats":[]}', 400),
        ('{"game":"mandala","seats":[{"kind":"person"}]}', 400),
        ('{"game":"mandala","seats":[{"kind":"person"},{"kind":"bot","bot":"nobody"}]}', 400),
        ('{"game":"mandala","seats":[{"kind":"person"},{"kind":"person"}],"options":{"cheat":true}}', 400),
        ('{"game":"mandala","seats":[{"kind":"person"},{"kind":"person"}],"options":{"stall_limit":-1}}', 400),
        ('{"game":"mandala","seats":[{"kind":"person"},{"kind":"person"}],"first":2}', 400),
        ('{"game":"mandala","seats":[{"kind":"person"},{"kind":"person"}],"admin":true}', 400),
        ('{"game":"\\ud800","seats":[{"kind":"person"},{"kind":"person"}]}', 400),
        ("[" * 5000, 400),
        ('{"game":' + "[" * 5000, 400),
        ('{"game":"' + "x" * 20_000 + '"}', 413),
    ],
)
async def test_a_bad_wish_for_a_table(ana: Guest, body: str, status: int) -> None:
    """Every wrong body gets a typed answer, and nothing of ours shows in it."""
    response = await ana.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert response.status_code == status, response.text
    problem = response.json()
    assert problem["code"] == ("too_large" if status == 413 else "bad_request")
    assert "Traceback" not in response.text
    assert "sandriver" not in response.text


async def test_json_must_be_called_json(ana: Guest) -> None:
    """A form of another site cannot pass for a request of ours."""
    response = await ana.http.post("/api/tables", content=b"{}", headers={"content-type": "text/plain"})
    assert response.status_code == 415
    assert response.json()["code"] == "bad_request"


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/tables/x/y/z", "/api/me/tables/7"])
async def test_unknown_paths_are_typed(ana: Guest, path: str) -> None:
    """A path of the interface that does not exist is no page."""
    problem = await ana.get(path, 404)
    assert problem == {"code": "bad_request", "params": {"reason": "unknown_path"}}


async def test_wrong_methods_are_typed(ana: Guest) -> None:
    """The answer names the methods that there are."""
    response = await ana.http.delete("/api/me")
    assert response.status_code == 405
    assert set(response.headers["allow"].replace(" ", "").split(",")) == {"GET", "HEAD", "PUT"}
    assert response.json() == {"code": "bad_request", "params": {"reason": "unknown_method"}}


@pytest.mark.parametrize("table", ["nothing", "x" * 300, "%00", "..%2F..", "' OR 1=1", "日本", "%F0%9F%92%A9"])
async def test_unknown_tables(ana: Guest, table: str) -> None:
    """Tables that do not exist are refused at once, everywhere, and no guest is stored for them."""
    for method, path, body in (
        ("GET", "", None),
        ("GET", "/record", None),
        ("POST", "/join", {}),
        ("POST", "/commands", {"t": "resign", "id": "1"}),
    ):
        response = await ana.http.request(method, f"/api/tables/{table}{path}", json=body)
        if "%2F" not in table:
            assert response.status_code == 404, response.text
            assert response.json()["code"] == "unknown_table"
        else:
            assert response.status_code == 404
    assert not ana.http.cookies
    assert (await ana.get(f"/api/codes/{table}", 404))["code"] in ("unknown_table", "bad_request")


async def test_commands_over_http(ana: Guest, rui: Guest) -> None:
    """A client without sockets can play; ids and plies are checked as everywhere."""
    table = await ana.open("person", "random", first=0)
    snapshot = await ana.join(table)
    path = f"/api/tables/{table}/commands"
    action = snapshot["view"]["legal"][0]
    command = {"t": "act", "id": "one", "ply": 0, "action": action}
    assert (await rui.post(path, command, 403))["code"] == "not_seated"
    ack = await ana.post(path, command)
    assert ack["t"] == "ack"
    assert await ana.post(path, command) == ack
    stale = await ana.post(path, command | {"id": "two"}, 409)
    assert stale["code"] == "stale"
    assert stale["snapshot"]["t"] == "snapshot"
    assert (await ana.post(path, {"t": "ping"}, 400))["code"] == "bad_request"
    assert (await ana.post(path, {"t": "act", "id": "3", "ply": 0}, 400))["code"] == "bad_request"


async def test_an_illegal_action_names_its_rule(ana: Guest) -> None:
    """The refusal carries the code of the rule, for a message in any language."""
    table = await ana.open("person", "random", first=0)
    await ana.join(table)
    command = {"t": "act", "id": "one", "ply": 0, "action": "cR"}
    refused = await ana.post(f"/api/tables/{table}/commands", command, 422)
    assert (refused["code"], refused["rule"]) == ("illegal", "not_claiming")


async def test_head_is_get_without_a_body(ana: Guest) -> None:
    """Monitoring tools ask with HEAD."""
    for path in ("/healthz", "/api/games", "/"):
        response = await ana.http.head(path)
        assert response.status_code == 200
        assert response.content == b""
    assert (await ana.get("/healthz"))["status"] == "ok"


async def test_answers_of_the_interface_are_not_kept(ana: Guest) -> None:
    """No cache may hold what one guest may see."""
    for path in ("/api/me", "/api/games", "/api/openapi.json", "/api/nothing"):
        assert (await ana.http.get(path)).headers["cache-control"] == "no-store"


async def test_a_wrong_code_stores_nothing(own: Guest, settings: Settings) -> None:
    """Nobody becomes a guest by knocking at a door that stays shut; who is let in does."""
    table = await own.open("person", "person")
    code = (await own.join(table))["table"]["code"]
    async with Guest(own.base) as rui:
        for wish in ({}, {"code": "AAAAAA"}, {"code": code, "seat": 0}):
            response = await rui.http.post(f"/api/tables/{table}/join", json=wish)
            assert response.json()["code"] == ("seat_taken" if wish.get("seat") == 0 else "forbidden")
            assert not rui.http.cookies
        assert len(people(settings)) == 1
        assert (await rui.join(table, code=code))["table"]["you"] == 1
        assert rui.http.cookies
    assert len(people(settings)) == 2


@pytest.mark.parametrize("first", [None, 0, 1])
async def test_who_is_invited_hears_who_begins(ana: Guest, rui: Guest, first: int | None) -> None:
    """The opener's wish, before there is a game; where it is drawn, nobody knows it before the start."""
    table = await ana.open("person", "person", first=first)
    code = (await ana.join(table))["table"]["code"]
    assert (await rui.get(f"/api/codes/{code}"))["table"]["first"] == first
    assert (await rui.get(f"/api/tables/{table}"))["table"]["first"] == first
    begun = (await rui.join(table, code=code))["table"]["first"]
    assert begun == first if first is not None else begun in (0, 1)


async def test_a_seat_is_given_to_a_bot(ana: Guest, rui: Guest) -> None:
    """The owner does it by a command like any other; options are told to who is invited, and who is not the owner may not."""
    table = await ana.open("person", "person", options={"stall_limit": 7})
    code = (await ana.join(table))["table"]["code"]
    assert (await rui.get(f"/api/codes/{code}"))["options"]["stall_limit"] == 7
    fill = {"t": "fill", "id": "f1", "seat": 1, "bot": "random"}
    assert (await rui.post(f"/api/tables/{table}/commands", fill, 403))["code"] == "not_seated"
    assert (await ana.post(f"/api/tables/{table}/commands", {**fill, "id": "f0", "bot": "hal"}, 400))["rule"] == "unknown_bot"
    assert (await ana.post(f"/api/tables/{table}/commands", {**fill, "seat": "x"}, 400))["code"] == "bad_request"
    assert (await ana.post(f"/api/tables/{table}/commands", fill))["id"] == "f1"
    snapshot = await ana.get(f"/api/tables/{table}")
    assert (snapshot["table"]["state"], snapshot["options"]["stall_limit"]) == ("running", 7)
    assert "options" not in snapshot["table"]
    assert (await rui.post(f"/api/tables/{table}/join", {"code": code}, 409))["code"] == "seat_taken"


async def test_a_refused_option_is_named(ana: Guest) -> None:
    """What a form needs to say which field is wrong: the rule and its parameters."""
    problem = await ana.post("/api/tables", {**BOT, "options": {"stall_limit": -1}}, 400)
    assert (problem["code"], problem["rule"], problem["params"]) == ("bad_request", "bad_option", {"option": "stall_limit"})
