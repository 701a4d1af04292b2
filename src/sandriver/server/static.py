"""The built client: files with their caching and compression, and the one page for every address, in the reader's language."""

from __future__ import annotations

import hashlib
import mimetypes
import os
import re
from pathlib import Path

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from sandriver.server.api.wire import LANGUAGES
from sandriver.server.headers import page_policy

LANGUAGE_COOKIE = "locale"
"""Set by the client when the reader chooses a language."""
PAGES = re.compile(r"(t/[^/]+|j/[^/]+|help(/[^/]+)?|replay)/?")
"""Addresses that the client has a page for, besides the root; others get the same page with the status 404."""
FOREVER = "public, max-age=31536000, immutable"
COMPRESSED = ((".br", "br"), (".gz", "gzip"))
NOT_BUILT = "The browser client is not built. Run `make web`, or install a wheel, which carries it.\n"


def choose_language(cookie: str | None, accept: str) -> str:
    """Return one of ``LANGUAGES``: the chosen one, else the best that an ``Accept-Language`` header asks for, else English."""
    if cookie in LANGUAGES:
        return cookie
    wishes = []
    for place, part in enumerate(accept.split(",")[:20]):
        tag, _, quality = part.strip().partition(";")
        match = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", quality) if quality else None
        wishes.append((-float(match[1]) if match else -1.0, place, tag.strip().lower()))
    for weight, _, tag in sorted(wishes):
        for language in LANGUAGES:
            if weight < 0 and tag and tag.partition("-")[0] == language.lower().partition("-")[0]:
                return language
    return LANGUAGES[0]


class Client(StaticFiles):
    """Serves the folder that the client was built into."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder
        self._page: tuple[int, bytes, str] | None = None

    async def check_config(self) -> None:
        """A folder that is missing is answered in words, not by a fault."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, else the page."""
        request = Request(scope)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if path in (".", "index.html"):
            return await self._answer_page(request, 200)
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
        if path == "assets" or path.startswith("assets" + os.sep) or re.search(r"\.\w{1,5}$", path):
            return PlainTextResponse("Not found.\n", 404)
        return await self._answer_page(request, 200 if PAGES.fullmatch(path) else 404)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file as it is, or its compressed neighbour where the browser takes that."""
        headers = Headers(scope=scope)
        kind = mimetypes.guess_type(str(full_path))[0] or "application/octet-stream"
        extra = {"vary": "Accept-Encoding", "cache-control": FOREVER if self._is_hashed(full_path) else "no-cache"}
        accepted = {part.partition(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")}
        for suffix, encoding in COMPRESSED:
            neighbour = f"{full_path}{suffix}"
            if encoding in accepted and Path(neighbour).exists():
                full_path, stat_result, extra["content-encoding"] = neighbour, Path(neighbour).stat(), encoding
                break
        response = FileResponse(full_path, status_code, headers=extra, stat_result=stat_result, media_type=kind)
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, headers) else response

    def _is_hashed(self, path: str | os.PathLike[str]) -> bool:
        return Path(path).parent == self._folder.resolve() / "assets"

    async def _answer_page(self, request: Request, status: int) -> Response:
        try:
            page, policy = await anyio.to_thread.run_sync(self._read_page)
        except FileNotFoundError:
            return PlainTextResponse(NOT_BUILT, 503)
        language = choose_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
        page = re.sub(rb'<html lang="[^"]*"', f'<html lang="{language}"'.encode(), page, count=1)
        headers = {
            "cache-control": "no-cache",
            "vary": "Accept-Language, Cookie",
            "content-language": language,
            "content-security-policy": policy,
            "etag": f'"{hashlib.sha256(page).hexdigest()[:32]}"',
        }
        response = HTMLResponse(page, status, headers=headers)
        if status == 200 and self.is_not_modified(response.headers, request.headers):
            return NotModifiedResponse(response.headers)
        return response

    def _read_page(self) -> tuple[bytes, str]:
        """The page and its policy, read again after a new build."""
        path = self._folder / "index.html"
        changed = path.stat().st_mtime_ns
        if self._page is None or self._page[0] != changed:
            text = path.read_bytes()
            self._page = changed, text, page_policy(text)
        return self._page[1], self._page[2]
