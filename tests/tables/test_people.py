"""People: found by token and by name, in any process."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandriver.tables.errors import Conflict
from sandriver.tables.people import People
from sandriver.tables.store import Person, Store
from tests.tables.tools import MemoryStore, open_store

pytestmark = pytest.mark.usefixtures("backend")

ASTRONAUT = "Maria \N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}"
"""A name with a joiner in it, which is no printable character."""


@pytest.fixture(params=["SQL", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    made: Store = await open_store(tmp_path) if request.param == "SQL" else MemoryStore()
    return made


async def test_created_found_and_changed(store: Store) -> None:
    people, elsewhere = People(store), People(store)
    ana = await people.create("a" * 64, "Ana", "pt-BR")
    assert (ana.name, ana.language) == ("Ana", "pt-BR")
    assert await elsewhere.by_token("a" * 64) == ana
    assert await elsewhere.by_token("b" * 64) is None
    assert await elsewhere.names([ana.id, "nobody"]) == {ana.id: "Ana", "nobody": ""}
    heard: list[Person] = []
    people.listeners.append(heard.append)
    changed = await people.update(ana, name=ASTRONAUT)
    assert heard == [changed] == [Person(ana.id, ASTRONAUT, "pt-BR")]
    assert (await people.update(changed, language="ja")).name == ASTRONAUT
    assert await people.names([ana.id]) == {ana.id: ASTRONAUT}
    assert await People(store).by_token("a" * 64) == Person(ana.id, ASTRONAUT, "ja")
    await store.close()


async def test_a_token_belongs_to_one_person(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    people = People(store)
    await people.create("a" * 64)
    with pytest.raises(Conflict):
        await people.create("a" * 64)
    await store.close()


async def test_who_asks_again_is_not_looked_up_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(store)
    ana = await people.create("a" * 64, "Ana")
    asked: list[str] = []
    look = store.person_by_token

    async def counted(token_hash: str) -> Person | None:
        asked.append(token_hash)
        return await look(token_hash)

    monkeypatch.setattr(store, "person_by_token", counted)
    assert await people.by_token("a" * 64) == ana
    await people.update(ana, name="Ana Maria")
    assert (await people.by_token("a" * 64)).name == "Ana Maria"  # type: ignore[union-attr]
    assert asked == []
    assert await people.by_token("b" * 64) is None
    assert await people.by_token("b" * 64) is None, "and strangers leave nothing behind"
    assert asked == ["b" * 64] * 2
    monkeypatch.setattr("sandriver.tables.people.CACHED", 1)
    await people.create("c" * 64, "Ben")
    assert (await people.by_token("a" * 64)).name == "Ana Maria"  # type: ignore[union-attr]
    assert len(asked) == 3
    await store.close()
