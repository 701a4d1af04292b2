"""Games that a search plays against itself: what is learned from them, and that they come from their number alone."""

from __future__ import annotations

from typing import Any

import pytest

from sandriver.bots import mandala_net
from sandriver.learn import selfplay
from sandriver.learn.samples import join, pack
from sandriver.learn.train import Plan, Player, _games, search_with

READER = mandala_net.Net([0.0] * mandala_net.SIZE)


class Scripted:
    """In place of a search: some legal action by the seed, and a value that is given."""

    def __init__(self, value: float, choice: object = None) -> None:
        self.value, self.choice, self.last = value, choice, list[int]()

    def examine(self, state: Any, iterations: int, seed: int) -> tuple[int, float]:
        legal = state.legal()
        self.last = legal
        return legal[seed % len(legal)], self.value

    def tried(self) -> list[tuple[int, int]]:
        """The last legal action half as often as the first."""
        return [(self.last[0], 8), (self.last[-1], 4)]


def play(value: float, seed: int) -> list[selfplay.Turn]:
    search: Any = Scripted(value)
    return selfplay.play_game(search, READER, seed, 10)


def test_a_game_is_the_same_whenever_and_wherever_it_is_played() -> None:
    plan = Plan(games=6, iterations=8, seed=3)
    alone = list(_games(plan, 1, None, lambda _: None))
    assert [number for number, _ in alone] == list(range(3_001_000_000, 3_001_000_006))
    player = Player(None, 8)
    assert [player.play(number) for number, _ in reversed(alone)] == alone[::-1]
    assert alone[0][1] != alone[2][1]
    other = list(_games(Plan(games=2, iterations=8, seed=3), 2, mandala_net.packed(), lambda _: None))
    assert not {number for number, _ in other} & {number for number, _ in alone}


def test_without_random_actions_the_end_of_the_game_reaches_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search always says a half; the further from the end, the more of that."""
    monkeypatch.setattr(selfplay, "NOISE", (0.0,))
    turns = next(found for seed in range(20) if (found := play(0.5, seed))[0].won != 0.5)
    assert len(turns) > 20
    assert {turn.won for turn in turns} <= {0.0, 0.5, 1.0}
    away = [abs(turn.aim - 0.5) for turn in turns]
    assert away == sorted(away)
    assert all((turn.aim - 0.5) * (turn.won - 0.5) >= 0 for turn in turns)
    assert away[-1] > 0.2


def test_what_follows_a_random_action_says_nothing_about_what_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all are random, only what the search said is learned; where nothing could be chosen, what comes after."""
    monkeypatch.setattr(selfplay, "NOISE", (1.0,))
    assert all(turn.aim == pytest.approx(0.3) or turn.aim == pytest.approx(0.7) or turn.aim == turn.won for turn in play(0.3, 8))


def test_what_was_searched_more_is_to_be_chosen_more() -> None:
    """Half as many visits are half as much of what is to be chosen; less, where the search had no choice learned yet."""
    for choice, less in ((None, 1 + round(254 / 2**selfplay.SHARPER)), (object(), 128)):
        search: Any = Scripted(0.5, choice)
        turns = [turn for turn in selfplay.play_game(search, READER, 6, 10) if turn.shares]
        assert len(turns) > 10
        for turn in turns:
            assert len(turn.shares) == 6 * mandala_net.KINDS
            assert sorted(set(turn.shares) - {0, 1}) == [less, 255]


def test_a_match_gives_each_deal_from_both_seats() -> None:
    search = search_with(None)
    assert selfplay.play_match(search, search, 3, 5, 4) == [0.5] * 3  # the same player: what one seat wins it loses in the other
    strong: Any = search_with(None)
    weak: Any = Scripted(0.5)
    assert sum(selfplay.play_match(strong, weak, 4, 1, 60)) >= 3.5


def test_samples_keep_what_was_read() -> None:
    lot = pack([(40, turns := play(0.4, 1)), (41, []), (42, play(0.4, 2))])
    both = join([lot, lot])
    assert len(both) == 2 * len(lot) > 2 * len(turns)
    for row, turn in enumerate(turns):
        split = mandala_net.CONTEXT
        assert lot.context[row].tolist() == pytest.approx(turn.inputs[:split], rel=1e-3, abs=1e-3)
        assert lot.colours[row].tolist() == turn.inputs[split:]
        assert lot.aims[row].tolist() == pytest.approx([turn.aim, turn.won])
        assert lot.shares[row].tobytes() == (turn.shares or bytes(6 * mandala_net.KINDS))
    assert set(both.games.tolist()) == {40, 42}
