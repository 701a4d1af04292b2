"""Endpoints about the guest: who am I, my name and language, my tables."""

from __future__ import annotations

import msgspec

from sandriver.server.api.wire import LANGUAGES, Me, MeChange, MyTables
from sandriver.server.call import Call
from sandriver.server.endpoints import endpoint
from sandriver.server.identity import clean_name
from sandriver.tables.store import Person


def me_of(person: Person | None) -> Me:
    """A guest as told to themselves."""
    if person is None:
        return Me(known=False, name="", language=None)
    language = person.language if person.language in LANGUAGES else None
    return msgspec.convert({"known": True, "name": person.name, "language": language}, Me)


@endpoint("GET", "/api/me")
async def get_me(call: Call) -> Me:
    """Say who the guest is; stores nothing."""
    return me_of(await call.guest())


@endpoint("PUT", "/api/me")
async def put_me(call: Call, body: MeChange) -> Me:
    """Change the guest's name or language."""
    name = None if body.name is None else clean_name(body.name)
    person = await call.guest()
    if person is None:
        return me_of(await call.need_guest(name=name or "", language=body.language or ""))
    return me_of(await call.service.people.update(person, name=name, language=body.language))


@endpoint("GET", "/api/me/tables")
async def get_my_tables(call: Call) -> MyTables:
    """List the tables that the guest opened or sits at, newest first."""
    person = await call.guest()
    return MyTables(tables=() if person is None else tuple(await call.service.tables_of(person.id)))


ENDPOINTS = (get_me, put_me, get_my_tables)
