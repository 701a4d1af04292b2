"""The client's files: caching, compression, language, security, and the page for every address."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

import httpx
import msgspec
import pytest

from sandriver.server.headers import page_policy
from sandriver.server.settings import Settings
from sandriver.server.static import choose_language
from tests.server.support import Guest, serving


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("", "en"),
        ("*", "en"),
        ("de", "en"),
        ("pt", "pt-BR"),
        ("pt-PT,en;q=0.5", "pt-BR"),
        ("de,el;q=0.8,en;q=0.5", "el"),
        ("en;q=0.5, ja-JP", "ja"),
        ("ja;q=0, el;q=0.001", "el"),
        ("EL-gr", "el"),
        ("ja;q=nonsense,el", "ja"),
        (";;;,,,q=1", "en"),
        ("en-US,en;q=0.9,pt;q=0.8", "en"),
    ],
)
def test_language_of_the_browser(accept: str, language: str) -> None:
    """The best of four, English when none is asked for."""
    assert choose_language(None, accept) == language
    assert choose_language("klingon", accept) == language
    assert choose_language("ja", accept) == "ja"


@pytest.mark.parametrize("path", ["/", "/index.html", "/t/abc", "/j/ABC123", "/help", "/help/mandala", "/nowhere", "/t/a/b"])
async def test_every_address_gets_the_page(ana: Guest, path: str) -> None:
    """In the reader's language; an address without a page of its own says so in its status."""
    response = await ana.http.get(path, headers={"accept-language": "el-GR,el;q=0.9"})
    assert response.status_code == (404 if path in ("/nowhere", "/t/a/b") else 200)
    assert '<html lang="el">' in response.text
    assert response.headers["content-language"] == "el"
    assert response.headers["cache-control"] == "no-cache"
    assert {"Accept-Language", "Cookie"} <= set(response.headers["vary"].split(", "))
    chosen = await ana.http.get(path, headers={"accept-language": "el", "cookie": "locale=pt-BR"})
    assert '<html lang="pt-BR">' in chosen.text


async def test_the_page_is_not_sent_twice(ana: Guest) -> None:
    """304 for the same page in the same language, not for another."""
    first = await ana.http.get("/", headers={"accept-language": "el"})
    same = {"accept-language": "el", "if-none-match": first.headers["etag"]}
    again = await ana.http.get("/t/abc", headers=same)
    assert again.status_code == 304
    assert (
        again.headers.get("content-security-policy", first.headers["content-security-policy"]) == first.headers["content-security-policy"]
    )
    assert (await ana.http.get("/", headers=same | {"accept-language": "ja"})).status_code == 200


async def test_hashed_files_are_kept_forever(own: Guest, settings: Settings) -> None:
    """Files whose name changes with their content; others are asked for again."""
    (settings.static / "icon.svg").write_text("<svg/>")
    response = await own.http.get("/assets/a-1.js")
    assert response.status_code == 200
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"].startswith("text/javascript")
    assert (await own.http.get("/icon.svg")).headers["cache-control"] == "no-cache"
    assert (await own.http.get("/assets/a-1.js", headers={"if-none-match": response.headers["etag"]})).status_code == 304


async def test_missing_files_are_no_page(ana: Guest) -> None:
    """A browser that asks for a script of an older build must not get HTML."""
    for path in ("/assets/b-2.js", "/favicon.png", "/assets/", "/robots.txt"):
        response = await ana.http.get(path)
        assert response.status_code == 404
        assert "text/plain" in response.headers["content-type"]


async def test_compressed_neighbours(own: Guest, settings: Settings) -> None:
    """Sent as they are to who takes them, with the type of the file itself."""
    script = settings.static / "assets" / "a-1.js"
    (script.parent / "a-1.js.gz").write_bytes(gzip.compress(script.read_bytes()))
    (script.parent / "a-1.js.br").write_bytes(b"not really brotli")
    for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("identity", None), ("br;q=1.0", "br")):
        async with own.http.stream("GET", "/assets/a-1.js", headers={"accept-encoding": accepted}) as response:
            raw = b"".join([chunk async for chunk in response.aiter_raw()])
            assert response.headers.get("content-encoding") == encoding
            assert "Accept-Encoding" in response.headers["vary"]
            assert response.headers["content-type"].startswith("text/javascript")
            assert len(raw) == int(response.headers["content-length"])


async def test_nothing_outside_the_folder(own: Guest, settings: Settings) -> None:
    """No way of writing .. leads out, and links that lead out are not followed."""
    (settings.data.parent / "secret.txt").write_text("secret")
    (settings.static / "link.txt").symlink_to(settings.data.parent / "secret.txt")
    host = own.base.removeprefix("http://")
    for path in (
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "//etc/passwd",
        "/link.txt",
        "/%00",
    ):
        request = httpx.Request("GET", f"http://{host}/", extensions={"target": path.encode()})
        response = await own.http.send(request)
        assert response.status_code in (200, 404), path
        assert "secret" not in response.text.replace("secret.txt", "")
        assert "root:" not in response.text


async def test_security_headers_everywhere(ana: Guest) -> None:
    """Pages, files, data and refusals alike."""
    for path in ("/", "/assets/a-1.js", "/api/me", "/api/nothing", "/nowhere", "/assets/no.js"):
        headers = (await ana.http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "server" not in headers


async def test_the_page_may_load_nothing_foreign(ana: Guest) -> None:
    """No host, no scheme, nothing inline but the page's own scripts and styles by digest."""
    policy = (await ana.http.get("/")).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'self'(;| 'sha256-)", policy)
    assert re.search(r"style-src 'self' 'sha256-[\w+/=]+'", policy)  # the fixture's page has a style of its own
    assert not re.search(r"https?:|\*|unsafe|data:|blob:", policy)
    for line in ("base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'", "connect-src 'self'"):
        assert line in policy.split("; ")


def test_digests_of_inline_scripts() -> None:
    """Each inline script is named by what it is; those with an address are not."""
    policy = page_policy(b'<script>a()</script><script src="/x.js"></script><SCRIPT type="module">b()</SCRIPT>')
    assert policy.count("'sha256-") == 2


async def test_post_to_a_page_is_typed(ana: Guest) -> None:
    """The page is only for reading."""
    response = await ana.http.post("/t/abc")
    assert response.status_code == 405
    assert response.json()["code"] == "bad_request"


async def test_a_new_build_is_served_at_once(own: Guest, settings: Settings) -> None:
    """Building the client again needs no restart."""
    await own.http.get("/")
    page = settings.static / "index.html"
    page.write_text('<html lang="en">new</html>')
    os.utime(page, (1, 1))
    assert "new" in (await own.http.get("/")).text


async def test_without_a_client(settings: Settings, tmp_path: Path) -> None:
    """A source tree whose client was never built says what to do; the interface works."""
    async with serving(msgspec.structs.replace(settings, static=tmp_path / "none")) as base, Guest(base) as ana:
        response = await ana.http.get("/")
        assert response.status_code == 503
        assert "make web" in response.text
        assert (await ana.http.get("/assets/x.js")).status_code == 404
        assert (await ana.get("/healthz"))["status"] == "ok"
