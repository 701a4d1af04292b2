"""The rules against the oracle: random games, compared at every ply in everything the rules text defines.

Legal actions in order, the reason why others are forbidden, the deck at every card dealt, the dealt cards, the position
line, points and outcome. Games come in chunks; the first few run always, all 20,000 with ``make full`` or ``SANDRIVER_FULL=1``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from tests.oracles import mandala as oracle
from tests.oracles import mandala_games as games
from tests.oracles.mandala import COLOURS
from tests.oracles.mandala_text import position_text, turn_text

from sandriver.games.errors import ChanceError, IllegalAction, NotationError
from sandriver.games.mandala import MANDALA

CHUNK = 250
CHUNKS = 80
ALWAYS = 1
FULL = bool(os.environ.get("SANDRIVER_FULL"))


class WatchedChance:
    """Deals listed letters and keeps the weights it was shown."""

    def __init__(self, letters: str) -> None:
        self.left = list(letters)
        self.seen: list[list[int]] = []

    def draw(self, weights: Sequence[int]) -> int:
        self.seen.append(list(weights))
        return COLOURS.index(self.left.pop(0))


def compare_game(number: int) -> None:
    """Play game ``number`` on both, and at one moment of it try all 150 actions."""
    raw, first, start, dealt, plies = games.game(number)
    options = MANDALA.parse_options(raw)
    chance = WatchedChance(dealt)
    position = MANDALA.start(options, 2, first, chance)
    line = position_text(start)
    assert not chance.left
    assert MANDALA.format_position(position) == line
    where = f"game {number} {raw}"
    for count, ply in enumerate(plies):
        where = f"game {number}, ply {count}: {line} {ply.action}>{ply.dealt} {raw}"
        assert [MANDALA.format_action(action) for action in position.legal_actions] == ply.legal, where
        if count == number % 64:
            compare_refusals(position, ply.before, where)
        chance = WatchedChance(ply.dealt)
        transition = MANDALA.play(position, MANDALA.parse_action(ply.action), chance)
        position, line = transition.after, position_text(ply.after)
        assert MANDALA.format_position(position) == line, where
        assert (chance.seen, chance.left) == (ply.decks, []), where
        assert (transition.seat, transition.dealt) == (ply.before["turn"], ply.dealt), where
        assert transition.move == oracle.move_text(ply.action, ply.dealt), where
        assert list(position.scores) == oracle.scores(ply.after), where
        assert position.to_move == ply.after["turn"], where
        assert (position.outcome is None) == (ply.after["turn"] is not None), where
    if position.outcome is not None:
        assert list(position.legal_actions) == []
        winners = {"A": (0,), "B": (1,), "draw": (0, 1)}[oracle.winner(ply.after)]
        assert (position.outcome.winners, position.outcome.reason) == (winners, oracle.ending(ply.after, raw)), where
        assert list(position.outcome.scores) == oracle.scores(ply.after), where


def compare_refusals(position: Any, before: oracle.Position, where: str) -> None:
    """All 150 actions: forbidden by both or by none, and for a rule that applies."""
    for index, text in enumerate(oracle.ACTIONS):
        action = MANDALA.parse_action(text)
        assert (action.index, MANDALA.format_action(action)) == (index, text)
        refusal = position.explain(action)
        rules = oracle.forbidden(before, text)
        assert (refusal is None) == (not rules) == (action in position.legal_actions), f"{where}: {text} {refusal} {rules}"
        if refusal is not None:
            assert refusal.code in rules, f"{where}: {text} {refusal.code} {rules}"
            with pytest.raises(IllegalAction) as caught:
                MANDALA.play(position, action, WatchedChance(""))
            assert caught.value.code == refusal.code


def chunks() -> list[Any]:
    """Numbers of chunks, those beyond the everyday share marked slow."""
    return [pytest.param(i, marks=[] if FULL or i < ALWAYS else [pytest.mark.slow]) for i in range(CHUNKS)]


@pytest.mark.parametrize("chunk", chunks())
def test_rules_and_oracle_agree(chunk: int) -> None:
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare_game(number)


def test_sample_meets_every_rare_situation() -> None:
    """A comparison proves nothing about what it never meets: the everyday share meets all of it."""
    met: Counter[str] = Counter()
    for number in range(ALWAYS * CHUNK):
        options, _, _, _, plies = games.game(number)
        for ply in plies:
            met.update(games.met(ply, options))
        if all(met[name] for name in games.SITUATIONS):
            break
    assert [name for name in games.SITUATIONS if not met[name]] == []


@pytest.mark.parametrize("number", range(12))
def test_wrong_chance_is_refused_by_both(number: int) -> None:
    """A card too few, a card too many and a card that is not in the deck, at every ply of a game."""
    raw, first, _, dealt, plies = games.game(number)
    position = MANDALA.start(MANDALA.parse_options(raw), 2, first, WatchedChance(dealt))
    tried = 0
    for ply in plies:
        wrong = [f"{ply.action}>{ply.dealt}K"]
        if ply.dealt:
            wrong += [f"{ply.action}>{ply.dealt[:-1]}", ply.action]
            gone = [c for i, c in enumerate(COLOURS) if not ply.decks[0][i]]
            wrong += [f"{ply.action}>{c}{ply.dealt[1:]}" for c in gone]
        for move in wrong:
            with pytest.raises(ChanceError):
                MANDALA.replay(position, move)
            with pytest.raises(oracle.Refused, match="chance"):
                oracle.play_text(ply.before, move, raw)
            tried += 1
        accepted = {oracle.move_text(ply.action, ply.dealt)} | ({ply.action, f"{ply.action}>"} if not ply.dealt else set())
        results = [MANDALA.replay(position, move) for move in sorted(accepted)]
        assert {MANDALA.format_position(result.after) for result in results} == {position_text(ply.after)}
        position = results[0].after
    assert tried > 2
    assert turn_text(ply.after) == MANDALA.format_position(position).split(" ")[7]


@pytest.mark.parametrize(
    "text",
    ["", "b", "b1", "b3K", "b1Q", "b1K1", "f1K0", "f1K8", "f1K", "dK9", "dK0", "dK", "c", "cQ", "cK1", "B1K", " b1K", "b1K ", "x1K", "b1k"],
)
def test_text_that_is_no_action(text: str) -> None:
    assert text not in oracle.ACTIONS
    with pytest.raises(NotationError):
        MANDALA.parse_action(text)
