"""Pages of other sites cannot use a guest's cookie; the server's own pages and programs can."""

from __future__ import annotations

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from sandriver.server.settings import Settings
from tests.server.support import Guest, serving


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "", "//", "http://[::1"])
async def test_another_site_changes_nothing(ana: Guest, origin: str) -> None:
    """Whatever is not this very host and port is refused, typed."""
    response = await ana.http.put("/api/me", json={"name": "Eve"}, headers={"origin": origin})
    assert response.status_code == 403
    assert response.json()["code"] == "forbidden"
    assert not ana.http.cookies
    assert response.headers.get("access-control-allow-origin") is None


@pytest.mark.parametrize(("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
async def test_a_browser_that_hides_the_origin(ana: Guest, site: str, status: int) -> None:
    """What it says of the site that asks is enough."""
    response = await ana.http.put("/api/me", json={"name": "Eve"}, headers={"sec-fetch-site": site})
    assert response.status_code == status


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
async def test_a_form_of_another_site_is_no_request(ana: Guest, kind: str) -> None:
    """What a form can send without asking first is not taken, with or without an origin."""
    table = await ana.open("person", "random")
    for path in ("/api/tables", f"/api/tables/{table}/join", f"/api/tables/{table}/commands"):
        response = await ana.http.post(path, content=b'{"t":"resign","id":"1"}', headers={"content-type": kind})
        assert (response.status_code, response.json()["params"]["reason"]) == (415, "content_type")


async def test_the_own_origin_may(ana: Guest) -> None:
    """The host decides, not the scheme: TLS may end before us."""
    for scheme in ("http", "https"):
        origin = f"{scheme}://{ana.base.removeprefix('http://')}"
        assert (await ana.http.put("/api/me", json={"name": "Ana"}, headers={"origin": origin})).status_code == 200


async def test_a_named_origin_may(settings: Settings) -> None:
    """A further origin can be allowed in the settings."""
    settings = msgspec.structs.replace(settings, origins=("https://play.example.org",))
    async with serving(settings) as base, Guest(base) as ana:
        response = await ana.http.put("/api/me", json={"name": "Ana"}, headers={"origin": "https://play.example.org"})
        assert response.status_code == 200


async def test_sockets_ask_for_the_origin(ana: Guest) -> None:
    """A browser sends cookies with sockets to any site, so the origin is all that protects them."""
    table = await ana.open("person", "random")
    url = f"{ana.base.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, origin="https://evil.example", proxy=None):  # type: ignore[arg-type]
            pass
    assert refused.value.response.status_code == 403
    assert b'"forbidden"' in refused.value.response.body
    async with connect(url, origin=ana.base, proxy=None) as socket:  # type: ignore[arg-type]
        assert '"snapshot"' in str(await socket.recv())
