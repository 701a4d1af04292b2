"""People: found by token and by name, in any process, and fit to be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandriver.tables.errors import Conflict
from sandriver.tables.people import NAME_LENGTH, People, clean_name
from sandriver.tables.store import Person, Store
from tests.tables.tools import MemoryStore, open_store


@pytest.fixture(params=["SQL", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    made: Store = await open_store(tmp_path) if request.param == "SQL" else MemoryStore()
    return made


async def test_created_found_and_changed(store: Store) -> None:
    people, elsewhere = People(store), People(store)
    ana = await people.create("a" * 64, " Ana ", "pt-BR")
    assert (ana.name, ana.language) == ("Ana", "pt-BR")
    assert await elsewhere.by_token("a" * 64) == ana
    assert await elsewhere.by_token("b" * 64) is None
    assert await elsewhere.names([ana.id, "nobody"]) == {ana.id: "Ana", "nobody": ""}
    heard: list[Person] = []
    people.listeners.append(heard.append)
    changed = await people.update(ana, name="Maria")
    assert heard == [changed] == [Person(ana.id, "Maria", "pt-BR")]
    assert (await people.update(changed, language="ja")).name == "Maria"
    assert await people.names([ana.id]) == {ana.id: "Maria"}
    assert await People(store).by_token("a" * 64) == Person(ana.id, "Maria", "ja")
    await store.close()


async def test_a_token_belongs_to_one_person(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    people = People(store)
    await people.create("a" * 64)
    with pytest.raises(Conflict):
        await people.create("a" * 64)
    await store.close()


@given(st.text(max_size=80))
def test_names_are_one_clean_line(text: str) -> None:
    name = clean_name(text)
    assert name.isprintable()
    assert name == name.strip() == " ".join(name.split())
    assert len(name) <= NAME_LENGTH
    assert clean_name(name) == name
