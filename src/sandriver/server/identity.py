"""Who is asking: a guest known by an opaque cookie, of which only a digest is stored, and a name that is safe to show to others."""

from __future__ import annotations

import hashlib
import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from sandriver.server.problems import Problem
from sandriver.tables import words
from sandriver.tables.people import People
from sandriver.tables.store import Person

COOKIE = "sandriver_guest"
LIFETIME = 400 * 24 * 3600
"""Seconds that a browser keeps the cookie: the longest that browsers allow."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def token_hash(token: str) -> str:
    """Return what is stored of a cookie: its SHA-256, 64 hex digits."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_of(connection: HTTPConnection) -> str | None:
    """The guest's cookie, if it has the form of one of ours."""
    token = connection.cookies.get(COOKIE, "")
    return token if TOKEN.fullmatch(token) else None


async def find_guest(people: People, connection: HTTPConnection) -> Person | None:
    """The guest who asks, if the server has met them."""
    token = token_of(connection)
    return None if token is None else await people.by_token(token_hash(token))


async def make_guest(people: People, *, name: str = "", language: str = "") -> tuple[Person, str]:
    """Store a new guest; return them and the cookie that will be theirs."""
    token = secrets.token_urlsafe(32)
    return await people.create(token_hash(token), name=name, language=language), token


def set_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Give the browser its cookie: no script can read it and no other site's form sends it."""
    response.set_cookie(COOKIE, token, max_age=LIFETIME, path="/", httponly=True, samesite="lax", secure=secure)


def clean_name(text: str) -> str:
    """Return a name as it is kept. Raises ``Problem`` (``bad_request``; ``reason``: ``name_characters`` or ``name_length``)."""
    try:
        return words.clean_name(text)
    except words.UnfitName as unfit:
        limit = {"limit": words.NAME_LENGTH} if unfit.reason == "name_length" else {}
        raise Problem("bad_request", {"reason": unfit.reason, **limit}) from None
