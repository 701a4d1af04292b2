"""The people who use this server, with their names at hand: a bounded cache over the store."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

from sandriver.tables.errors import StoreFailed
from sandriver.tables.store import Person, Store

CACHED = 10_000
Value = TypeVar("Value")


class People:
    """Guests by token and by id. ``listeners`` hear of every change of a person.

    Names and languages are kept as they are given: which are fit to be shown is decided where they come in.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_id: OrderedDict[str, Person] = OrderedDict()
        self._ids: OrderedDict[str, str] = OrderedDict()
        """Ids by token hash; a token stays its person's for good."""
        self.listeners: list[Callable[[Person], None]] = []
        self.tell: Callable[[Person], None] = lambda _: None
        """Tells other processes of a change made here."""

    async def create(self, token_hash: str, name: str = "", language: str = "") -> Person:
        """Add a guest. ``token_hash``: SHA-256 of the secret in their cookie, hex. Raises ``StoreFailed``, ``Conflict`` (used hash)."""
        person = Person(secrets.token_hex(8), name, language)
        await self._store.add_person(person, token_hash, int(time.time() * 1000))
        self._remember(person, token_hash)
        return person

    async def by_token(self, token_hash: str) -> Person | None:
        """The guest whose token has this hash. Raises ``StoreFailed``."""
        known = self._by_id.get(self._ids.get(token_hash, ""))
        person = known or await self._store.person_by_token(token_hash)
        if person is not None:
            self._remember(person, token_hash)
        return person

    async def update(self, person: Person, *, name: str | None = None, language: str | None = None) -> Person:
        """Change what is given and return the person as they are now. Raises ``StoreFailed``."""
        changed = Person(
            person.id,
            person.name if name is None else name,
            person.language if language is None else language,
        )
        await self._store.update_person(changed)
        self._changed(changed)
        self.tell(changed)
        return changed

    async def read_again(self, person_id: str) -> None:
        """Somebody was changed by another process; whoever is not known here needs nothing. Changes nothing when the store fails."""
        if person_id in self._by_id:
            with contextlib.suppress(StoreFailed):
                for person in await self._store.people([person_id]):
                    self._changed(person)

    def _changed(self, person: Person) -> None:
        self._remember(person)
        for listener in self.listeners:
            listener(person)

    async def names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of people by id; unknown people have none. Raises ``StoreFailed``."""
        wanted = set(ids)
        found = {person: self._by_id[person].name for person in wanted if person in self._by_id}
        missing = wanted - found.keys()
        if missing:
            for person in await self._store.people(missing):
                self._remember(person)
                found[person.id] = person.name
            found |= dict.fromkeys(missing - found.keys(), "")
        return found

    def _remember(self, person: Person, token_hash: str | None = None) -> None:
        _keep(self._by_id, person.id, person)
        if token_hash is not None:
            _keep(self._ids, token_hash, person.id)


def _keep(cache: OrderedDict[str, Value], key: str, value: Value) -> None:
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > CACHED:
        cache.popitem(last=False)
