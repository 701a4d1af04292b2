"""The rules against the oracle: games for two, three and four players, compared at every ply in everything the rules text defines.

Legal actions in order, the reason why others are forbidden, position line, points, outcome, events, what chance is asked at the set-up,
with the shipped ruleset and with others. Games come in chunks; the first few run always, all 5,000 for each number of players with
``make full`` or ``SANDRIVER_FULL=1``.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from tests.games.stones.support import Listed, NoChance
from tests.oracles import stones as oracle
from tests.oracles import stones_games as games
from tests.oracles.stones_events import Ledger
from tests.oracles.stones_text import hidden, position_text, read_position

from sandriver.games.errors import GameError, IllegalAction, NotationError
from sandriver.games.stones import STONES
from sandriver.games.stones.wire import Scored

CHUNK = 70
CHUNKS = 72
ALWAYS = 1
FULL = bool(os.environ.get("SANDRIVER_FULL"))
PLAYERS = (2, 3, 4)
EVERY = oracle.every_action()
NO_CHANCE = NoChance()


def set_up(number: int, players: int) -> tuple[Any, Any, oracle.Position, oracle.Rules]:
    """Start a game on both sides from the same drawn stones, artists and cards."""
    rules, first, begin, drawn, plies = games.game(number, players)
    options = STONES.parse_options({"ruleset": rules})
    chance = Listed(drawn, [card["id"] for card in rules["objectives"]["cards"]])
    position = STONES.start(options, players, first, chance)
    assert not chance.left
    assert chance.seen == weights(drawn, rules)
    return position, plies, begin, rules


def weights(drawn: list[str], rules: oracle.Rules) -> list[list[int]]:
    """What chance must have been shown for every thing drawn: how many of each kind were left."""
    bag, figures, cards = [rules["stones"]["per_pair"]] * 8, [2, 2], len(rules["objectives"]["cards"])
    found = []
    for thing in drawn:
        if thing in oracle.KINDS:
            found.append(list(bag))
            bag[oracle.KINDS.index(thing)] -= 1
        elif thing in oracle.PATTERNS:
            found.append(list(figures))
            figures[oracle.PATTERNS.index(thing)] -= 1
        else:
            found.append([1] * cards)
            cards -= 1
    return found


def compare_game(number: int, players: int) -> None:
    """Play a game on both, and at one moment of every third one try many actions that may be forbidden."""
    position, plies, begin, rules = set_up(number, players)
    line = position_text(begin)
    assert STONES.format_position(position) == line
    where = f"game {number} of {players}"
    for count, ply in enumerate(plies):
        where = f"game {number} of {players}, ply {count}: {line} {ply.action}"
        assert [STONES.format_action(action) for action in position.legal_actions] == ply.legal, where
        assert (str(position.forced) == "-") == (ply.legal == ["-"]), where
        if number % 3 == 0 and count == number % 64:
            compare_refusals(position, ply.before, rules, random.Random(where))
            compare_hidden(position, ply, rules, where)
        transition = STONES.play(position, STONES.parse_action(ply.action), NO_CHANCE)
        compare_events(transition, ply, rules, where)
        position, line = transition.after, position_text(ply.after)
        assert STONES.format_position(position) == line, where
        assert (transition.seat, transition.dealt, transition.move) == (ply.before["turn"], "", ply.action), where
        assert list(position.scores) == oracle.scores(ply.after, rules), where
        assert list(position.track) == ply.after["scores"], where
        assert position.to_move == ply.after["turn"], where
        assert (position.outcome is None) == (ply.after["turn"] is not None), where
    assert position.outcome is not None
    assert list(position.legal_actions) == []
    assert list(position.outcome.winners) == oracle.winners(ply.after, rules), where
    assert position.outcome.reason == {"A": "end_space", "B": "stuck"}[ply.after["trigger"]], where
    assert list(position.outcome.scores) == oracle.scores(ply.after, rules), where


def compare_refusals(position: Any, before: oracle.Position, rules: oracle.Rules, rng: random.Random) -> None:
    """Well-formed actions: forbidden by both or by none, and for a rule that applies."""
    picks = rng.sample(EVERY, 25) + [action for action in rng.sample(EVERY, 60) if action[1:3] in before["artists"]]
    for text in [*picks, *EVERY[-36:]]:
        action = STONES.parse_action(text)
        assert STONES.format_action(action) == text
        refusal = position.explain(action)
        against = oracle.forbidden(before, text, rules)
        assert (refusal is None) == (not against) == (action in position.legal_actions), f"{text} {refusal} {against}"
        if refusal is not None:
            assert refusal.code in against, f"{text} {refusal.code} {against}"
            with pytest.raises(IllegalAction) as caught:
                STONES.play(position, action, NO_CHANCE)
            assert caught.value.code == refusal.code


def compare_hidden(position: Any, ply: games.Ply, rules: oracle.Rules, where: str) -> None:
    """With covered patterns in brackets the same is legal; a pick that uncovers one is refused, everything else is as it was."""
    line = hidden(ply.before)
    covered, before = STONES.parse_position(line, position.options), read_position(line)
    assert [STONES.format_action(action) for action in covered.legal_actions] == ply.legal, where
    assert covered.complete == ("(" not in line), where
    for text in ply.legal[:: 1 + len(ply.legal) // 12]:
        try:
            wanted = position_text(oracle.play(before, text, rules))
        except oracle.Refused:
            with pytest.raises(GameError) as caught:
                STONES.replay(covered, text)
            assert not isinstance(caught.value, NotationError), where
        else:
            assert STONES.format_position(STONES.replay(covered, text).after) == wanted, where


def compare_events(transition: Any, ply: games.Ply, rules: oracle.Rules, where: str) -> None:
    """Stones moved as the events say lead to the position after; a score says for every stone what the oracle says."""
    ledger = Ledger(ply.before, revealed=rules["reveal_covered_patterns"])
    for event in transition.events:
        ledger.hear(event)
        if isinstance(event, Scored):
            entries = oracle.scored(ply.before, ply.action, rules)
            told = [(stone.space, stone.stone, stone.height, stone.points) for stone in event.stones]
            assert told == [(entry["space"], entry["stone"], entry["height"], entry["points"]) for entry in entries], where
            assert list(event.places) == [entry["place"] for entry in entries], where
            bonuses = [(entry["place"], entry["bonus"]) for entry in entries if entry["bonus"]]
            assert [(bonus.place, bonus.points) for bonus in event.bonuses] == bonuses, where
            assert event.colour == (ply.action[1] if ply.action[0] == "s" else None), where
    assert ledger.differs(ply.after) == [], f"{where} {transition.events}"
    assert ledger.outcome == transition.after.outcome


def chunks() -> list[Any]:
    """Numbers of players and of chunks, those beyond the everyday share marked slow."""
    marks = {i: [] if FULL or i < ALWAYS else [pytest.mark.slow] for i in range(CHUNKS)}
    return [pytest.param(players, i, marks=marks[i]) for players in PLAYERS for i in range(CHUNKS)]


@pytest.mark.parametrize(("players", "chunk"), chunks())
def test_rules_and_oracle_agree(players: int, chunk: int) -> None:
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare_game(number, players)


def test_sample_meets_every_rare_situation() -> None:
    """A comparison proves nothing about what it never meets: the everyday share meets all of it."""
    for number, players in sorted(set(games.SITUATIONS.values())):
        assert number < ALWAYS * CHUNK
        assert players in PLAYERS
        rules, _, _, _, plies = games.game(number, players)
        met = {name for ply in plies for name in games.met(ply, rules)}
        assert {name for name, witness in games.SITUATIONS.items() if witness == (number, players)} <= met


@pytest.mark.parametrize(
    "text",
    ["", "p", "s", "q", "pA2", "pA2-A5", "pA2-A5:S09", "pA0-A5:S09@3", "pA2-A10:S09@3", "pA2-A5:S00@3", "pA2-A5:S25@3", "pA2-A5:S9@3",
     "pA2-A5:S09@0", "pA2-A5:S09@6", "pA2-A5:S09@3 ", " sY", "sY\n", "sG", "sy", "sYR", "q0", "q6", "q11", "q21", "q12345 ", "--", "-1",
     "x", "PA2-A5:S09@3", "pa2-a5:s09@3", "pA2-A5:S09@٣"],
)  # fmt: skip
def test_text_that_is_no_action(text: str) -> None:
    assert not oracle.is_action(text)
    with pytest.raises(NotationError):
        STONES.parse_action(text)
