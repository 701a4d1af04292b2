"""``sandriver probe``: the bot stays as it is, the learner learns from its games against it, and the best is measured on other deals."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandriver import bots
from sandriver.bots import mandala_net, weights
from sandriver.bots.mandala_states import asker
from sandriver.cli import main
from sandriver.extras import MissingExtra
from sandriver.learn import probe as probing
from sandriver.learn import report
from sandriver.learn.fit import Epoch
from sandriver.learn.probe import Learner, ProbePlan, iterations_of, match_against, play_against, probe
from sandriver.learn.samples import Samples
from sandriver.learn.train import search_with

Captured = pytest.CaptureFixture[str]
READER = mandala_net.Net([0.0] * mandala_net.SIZE)


def states(count: int) -> list[Any]:
    """Some states of a random game."""
    rng, state, found = random.Random(5), mandala_net.begin(11), list[Any]()
    while not state.over and len(found) < count:
        found.append(state.copy())
        mandala_net.play(state, rng.choice(state.legal()))
    return found


class ByView:
    """A bot that cannot be asked but by its view."""

    def __init__(self, bot_id: str) -> None:
        self._bot = bots.get("mandala", bot_id)
        self.id, self.version, self.game = self._bot.id, self._bot.version, self._bot.game

    def choose(self, view: Any, legal: Sequence[str], rng: random.Random) -> str:
        return self._bot.choose(view, legal, rng)


@pytest.mark.parametrize("bot", ["ismcts-puct:12", "ismcts-net:12", "ismcts-sums:12", "ismcts:6"])
def test_a_search_is_asked_alike_with_its_tree_kept(bot: str) -> None:
    kept, by_view = asker(bots.get("mandala", bot)), asker(ByView(bot))
    for number, state in enumerate(states(12)):
        assert kept(state, random.Random(number)) == by_view(state, random.Random(number))


def test_any_bot_can_be_asked_and_the_state_stays_as_it_was() -> None:
    ask = asker(bots.get("mandala", "apprentice"))
    for state in states(10):
        before = state.copy()
        assert ask(state, random.Random(1)) in before.legal()
        assert [state.get(place) for place in range(16)] == [before.get(place) for place in range(16)]


def test_in_a_game_against_a_bot_only_the_learner_errs(monkeypatch: pytest.MonkeyPatch) -> None:
    """All actions of the learner are random, none of the bot's: it plays what it was asked for, in either seat by the game's number."""
    monkeypatch.setattr(probing, "NOISE", (1.0,))
    search, asked = search_with(None), list[int]()

    def first(state: Any, rng: random.Random) -> int:
        asked.append(state.mover)
        return int(state.legal()[0])

    for number, bot_seat in ((4, 1), (5, 1), (6, 0), (7, 0)):
        asked.clear()
        turns = play_against(search, first, READER, number, 8)
        assert set(asked) == {bot_seat}
        assert turns == play_against(search, first, READER, number, 8)
        assert turns[-1].won in (0.0, 0.5, 1.0)


def test_a_better_learner_wins_and_the_same_one_does_not() -> None:
    weak = asker(bots.get("mandala", "random"))
    got = match_against(search_with(None), weak, 3, 7, 24)
    assert sum(got) >= 2
    assert got == match_against(search_with(None), weak, 3, 7, 24)


def test_a_learner_has_as_many_iterations_as_the_bot() -> None:
    assert [iterations_of(bot) for bot in ("ismcts-net:70", "apprentice", "ismcts:50ms")] == [70, 100, 100]
    assert iterations_of("champion") == bots.get("mandala", "champion").iterations  # type: ignore[attr-defined]


def made_up(samples: Samples, epochs: int, seed: int, heard: Callable[[Epoch], None], **given: Any) -> tuple[list[float], list[Epoch]]:
    """In place of learning: weights that judge everything the other way round in the first generation, and as before in the second."""
    assert given["rate"] == probing.RATE
    course = [Epoch(1, 0.6, 0.55, 0.1, 2.5)]
    heard(course[0])
    start: list[float] = list(given["start"])
    end = mandala_net.VALUE_SIZE
    out = end - mandala_net.SHAPES["out"][0] - 1
    return start[:out] + [-number for number in start[out:end]] + start[end:], course


def test_the_best_generation_is_kept_and_told(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "fit", made_up)
    monkeypatch.setattr(report, "check_extra", lambda **_: None)
    monkeypatch.chdir(tmp_path)
    words = "mandala --against apprentice --iterations 24 --generations 2 --games 2 --check 4 --final 2 --also random --also-games 2"
    assert main(["probe", *words.split(), "--out", "best.net", "--json", "probe.json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads((tmp_path / "probe.json").read_text())
    rates = [one["rate"] for one in told["generations"]]
    assert told["best"] == rates.index(max(rates)) == 0
    assert rates[0] == rates[2]  # turned round twice
    assert [(one["bots"], one["games"]) for one in told["finals"]] == [(["learner", "apprentice"], 2), (["learner", "random"], 2)]
    kept = weights.read(tmp_path / "best.net", game="mandala", inputs=mandala_net.INPUTS, shapes=mandala_net.SHAPES)
    assert kept == mandala_net.packed()
    assert out.splitlines()[1].endswith("best")
    assert "best generation against apprentice, 24 iterations a move: " in out
    assert "generation 2, epoch 1 of 4: learned 0.6000, held back 0.5500\n" in err


def test_a_learner_plays_as_its_search() -> None:
    game, bot = bots.get("mandala", "ismcts-puct:10"), Learner(mandala_net.packed(), 10)
    by_name, by_weights = asker(game), asker(bot)
    for number, state in enumerate(states(6)):
        assert by_name(state, random.Random(number)) == by_weights(state, random.Random(number))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("stones", "only mandala can be probed, not 'stones'"),
        ("mandala --against ismcts-net", "--against 'ismcts-net': ismcts-net needs a budget"),
        ("mandala --against nobody", "--against: mandala has no bot 'nobody'; it has newcomer, apprentice, "),
        ("mandala --also mcts:9", "--also: mandala has no bot 'mcts:9'"),
        ("mandala --final 7", "--final: an even number is wanted, as each deal is played twice"),
        ("mandala --also-games 0", "--also-games: a number from 1 to 1000000 is wanted"),
        ("mandala --iterations 0", "--iterations: a number from 1 to 100000 is wanted"),
        ("mandala --out no/such/a.net", "--out: there is no folder "),
        ("mandala --games many", "--games: a whole number is wanted, not 'many'"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(words: str, reason: str, capsys: Captured) -> None:
    try:
        status: object = main(["probe", *words.split()])
    except SystemExit as left:
        status = left.code
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"sandriver probe: {reason}")


@pytest.mark.slow
def test_a_probe_finds_out_how_a_weak_bot_is_beaten_and_is_the_same_by_its_seed() -> None:
    plan = ProbePlan(against="apprentice", iterations=150, generations=1, games=100, epochs=2, check_deals=20, seed=3)
    if importlib.util.find_spec("torch") is None:
        with pytest.raises(MissingExtra, match="training needs torch"):
            probe(plan, lambda _: None)
        return
    numbers, course = probe(plan, lambda _: None)
    assert max(one.rate for one in course) > 0.5
    again, other = probe(msgspec.structs.replace(plan, processes=2), lambda _: None)
    assert numbers == again
    assert [one.rate for one in course] == [one.rate for one in other]
