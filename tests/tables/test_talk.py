"""What people say to each other: heard at the table and nowhere else, within limits, and kept for who comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from sandriver.tables.errors import Refusal
from sandriver.tables.talk import BURST, LONGEST_TEXT, MOST_SAID
from sandriver.tables.verify import verify
from sandriver.tables.wire import OpenTable, Phrase, Resign, Say
from tests.tables.test_clocks_live import Time
from tests.tables.tools import BOT, GAMES, PERSON, ids, open_store, people, play, serving, started, waiting

pytestmark = pytest.mark.usefixtures("backend")
TWO = OpenTable("toy", (PERSON, PERSON), first=0)
THREE = OpenTable("toy", (PERSON, PERSON, PERSON), first=0)
WORDS = "Καλή τύχη, my dear xyzzy"


async def say(service: Any, table: str, person: str, text: str | None = None, phrase: Any = None) -> int:
    return int((await service.command(table, person, Say(next(ids), phrase, text))).v)


async def test_it_is_heard_at_the_table_and_nowhere_else(tmp_path: Path) -> None:
    time = Time()
    store = await open_store(tmp_path)
    async with serving(tmp_path, store, now=time) as service:
        table, persons = await started(service, THREE)
        followers = [await service.subscribe(table, who) for who in (persons[1], persons[2], None, "eve")]
        for follower in followers:
            waiting(follower)
        await say(service, table, persons[0], WORDS)
        await say(service, table, persons[0], phrase="good_luck")
        steps = [[frame["step"] for frame in waiting(follower)] for follower in followers]
        for heard in steps[:2]:
            assert [(s["kind"], s["seat"], s.get("text"), s.get("phrase")) for s in heard] == [
                ("said", 0, WORDS, None),
                ("said", 0, None, "good_luck"),
            ]
        for heard in steps[2:]:
            assert heard == [{"v": v, "kind": "said", "seat": 0} for v in (6, 7)]
        await service.command(table, persons[2], Resign("r"))
        assert [step.text for step in (await service.snapshot(table, persons[1])).log if step.kind == "said"] == [WORDS, None]
        assert [step.text for step in (await service.snapshot(table, persons[2])).log if step.kind == "said"] == [None, None]
        with pytest.raises(Refusal, match="not_seated"):
            await say(service, table, persons[2], "the deck is nearly empty")
        await service.command(table, persons[1], Resign("s"))
    async with serving(tmp_path, store, now=time) as service:  # after a restart, and after the end
        texts = {who: [s.text for s in (await service.snapshot(table, who)).log if s.kind == "said"] for who in (*persons, None)}
        assert texts == {persons[0]: [WORDS, None], persons[1]: [WORDS, None], persons[2]: [WORDS, None], None: [None, None]}
        await say(service, table, persons[2], "well played")
        for who in (persons[0], None):
            text = await service.record(table, who)
            assert "xyzzy" not in text
            assert "said" not in text
            verify(text, GAMES)
    await store.close()


async def test_talk_changes_nothing_of_the_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        state = service._tables.get(table).state
        await say(service, table, persons[1], "hm")
        after = service._tables.get(table).state
        assert (after.ply, after.changed, after.position, after.draws) == (state.ply, state.changed, state.position, state.draws)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("  hi \n there\t", "hi there"),
        ("e\u0301", "é"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("ま" * LONGEST_TEXT, "ま" * LONGEST_TEXT),
        ("<b>'&\"", "<b>'&\""),
        ("", None),
        ("   ", None),
        ("x" * (LONGEST_TEXT + 1), None),
        ("x" * 100_000, None),
        ("a\u202eb", None),
        ("a\x00b", None),
        ("a\ud800b", None),
        ("a\u2066b", None),
        ("a" + "\u0323" * 50, None),
        ("\u3164", None),
        ("\u200d", None),
    ],
)
async def test_texts(tmp_path: Path, text: str, stored: str | None) -> None:
    async with serving(tmp_path) as service:
        table, persons = await started(service, TWO)
        if stored is None:
            with pytest.raises(Refusal, match="bad_request: text"):
                await say(service, table, persons[0], text)
        else:
            await say(service, table, persons[0], text)
            assert (await service.snapshot(table, persons[1])).log[-1].text == stored


async def test_modes(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        for mode, seats, shown in (
            ("all", (PERSON, PERSON), "all"),
            ("phrases", (PERSON, PERSON), "phrases"),
            ("off", (PERSON, PERSON), "off"),
            ("all", (PERSON, BOT), "off"),
        ):
            table, persons = await started(service, OpenTable("toy", seats, {}, 0, None, mode))  # type: ignore[arg-type]
            assert (await service.snapshot(table, None)).table.chat == shown
            for kind, refusal in (("text", {"phrases": "phrases", "off": "chat"}), ("phrase", {"off": "chat"})):
                words = {"text": "hello"} if kind == "text" else {"phrase": "hello"}
                if shown in refusal:
                    with pytest.raises(Refusal, match=f"forbidden: {refusal[shown]}"):
                        await say(service, table, persons[0], **words)
                else:
                    await say(service, table, persons[0], **words)
        table, persons = await started(service, TWO)
        for both in (Say(next(ids)), Say(next(ids), "hello", "hello")):
            with pytest.raises(Refusal, match="bad_request: text"):
                await service.command(table, persons[0], both)
        with pytest.raises(Refusal, match="not_seated"):
            await say(service, table, "eve", "let me in")


async def test_not_too_fast_and_not_too_much(tmp_path: Path) -> None:
    time = Time()
    async with serving(tmp_path, now=time) as service:
        table, persons = await started(service, TWO)
        for _ in range(BURST):
            time.passes(1)
            await say(service, table, persons[0], "again")
        with pytest.raises(Refusal, match="too_many_requests") as caught:
            await say(service, table, persons[0], "and again")
        assert caught.value.refused.params == {"seconds": 6}
        await say(service, table, persons[1], "calm down")
        time.passes(6)
        for _ in range(BURST, MOST_SAID - 1):
            await say(service, table, persons[0], phrase="hello")
            time.passes(2.5)
        with pytest.raises(Refusal, match="too_many_requests: chat_full"):
            await say(service, table, persons[1], phrase="bye")
        await play(service, table, persons)


async def test_before_the_start_it_takes_no_place_of_anything(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        ana, bo = await people(service, "Ana", "Bo")
        table = await service.open_table(ana, TWO)
        await service.join(table, ana)
        await say(service, table, ana, "is anybody here?")
        await service.join(table, bo, code=(await service.snapshot(table, ana)).table.code)
        assert [step.text for step in (await service.snapshot(table, bo)).log if step.kind == "said"] == ["is anybody here?"]


def test_phrases_are_codes() -> None:
    phrases = get_args(Phrase)
    assert len(phrases) >= 10
    assert all(phrase.isascii() and phrase.isidentifier() for phrase in phrases)
