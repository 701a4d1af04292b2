"""Section 8 as properties: the fourteen invariants, text and position as exact inverses, events that account for every card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.oracles import mandala_games as games
from tests.oracles.mandala import move_text
from tests.oracles.mandala_events import Ledger
from tests.oracles.mandala_invariants import INVARIANTS
from tests.oracles.mandala_text import faults, position_text, read_position

from sandriver.games.errors import GameError, IllegalAction
from sandriver.games.mandala import MANDALA

GAMES = 50


class Picks:
    """Chance from a list of arbitrary numbers, each taken modulo what is possible."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = list(numbers)

    def draw(self, weights: Sequence[int]) -> int:
        possible = [index for index, weight in enumerate(weights) if weight]
        return possible[(self.numbers.pop(0) if self.numbers else 0) % len(possible)]


def rules_play(number: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """The oracle's game ``number``, replayed by the rules: options and transitions."""
    raw, _, start, _, plies = games.game(number)
    position = MANDALA.parse_position(position_text(start), MANDALA.parse_options(raw))
    for ply in plies:
        transition = MANDALA.replay(position, move_text(ply.action, ply.dealt))
        yield raw, transition
        position = transition.after


@pytest.fixture(scope="module")
def played() -> list[tuple[dict[str, Any], Any, dict[str, Any], dict[str, Any]]]:
    """Every ply of some games: options, transition, positions before and after as read from their lines."""
    found = []
    for number in range(GAMES):
        before = None
        for raw, transition in rules_play(number):
            before = before or read_position(MANDALA.format_position(transition.before))
            after = read_position(MANDALA.format_position(transition.after))
            found.append((raw, transition, before, after))
            before = after
    return found


@pytest.mark.parametrize("number", INVARIANTS, ids=lambda number: f"8.{number}-{INVARIANTS[number].__name__}")
def test_invariant_holds_in_played_games(played: list[Any], number: int) -> None:
    holds = INVARIANTS[number]
    for raw, transition, before, after in played:
        action = MANDALA.format_action(transition.action)
        assert holds(before, action, after, raw), f"{position_text(before)} {transition.move} {position_text(after)} {raw}"


class AnyPlay(RuleBasedStateMachine):
    """Arbitrary actions and deals from an arbitrary moment of a game; every invariant after every ply."""

    @initialize(number=st.integers(0, 200), skip=st.integers(0, 120))
    def begin(self, number: int, skip: int) -> None:
        self.raw, moments = games.lines(number)
        self.line = moments[min(skip, len(moments) - 2)]
        self.position = MANDALA.parse_position(self.line, MANDALA.parse_options(self.raw))

    @precondition(lambda self: self.position.to_move is None)
    @rule(number=st.integers(0, 200), skip=st.integers(0, 120))
    def begin_again(self, number: int, skip: int) -> None:
        """A finished game allows nothing, so another takes its place."""
        with pytest.raises(IllegalAction):
            MANDALA.play(self.position, MANDALA.parse_action("dK1"), Picks([]))
        self.begin(number, skip)

    @precondition(lambda self: self.position.to_move is not None)
    @rule(pick=st.integers(0, 149), numbers=st.lists(st.integers(0, 5), max_size=8))
    def act(self, pick: int, numbers: list[int]) -> None:
        legal = list(self.position.legal_actions)
        action = legal[pick % len(legal)]
        transition = MANDALA.play(self.position, action, Picks(numbers))
        assert MANDALA.format_position(self.position) == self.line, "play changed the position it started from"
        line = MANDALA.format_position(transition.after)
        before, after = read_position(self.line), read_position(line)
        for number, holds in INVARIANTS.items():
            assert holds(before, MANDALA.format_action(action), after, self.raw), f"8.{number}: {self.line} {transition.move} {line}"
        assert MANDALA.format_position(MANDALA.replay(self.position, transition.move).after) == line
        account_for(transition, before, after)
        self.position, self.line = transition.after, line

    @invariant()
    def can_be(self) -> None:
        """Its line is read back as the same position, and nothing is wrong with it."""
        again = MANDALA.parse_position(self.line, MANDALA.parse_options(self.raw))
        assert again == self.position
        assert hash(again) == hash(self.position)
        assert self.position.status() == []
        assert faults(self.line, self.raw) == []
        assert bool(self.position.legal_actions) == (self.position.to_move is not None) == (self.position.outcome is None)


# A failure names the position and the move, which says all; shrinking whole games would take minutes.
AnyPlay.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, phases=(Phase.reuse, Phase.generate), suppress_health_check=list(HealthCheck)
)
TestAnyPlay = AnyPlay.TestCase


# --- events tell the whole story ---------------------------------------------------------------------


def test_events_account_for_every_card(played: list[Any]) -> None:
    kinds = set()
    for _, transition, before, after in played:
        kinds |= {type(event).__name__ for event in transition.events}
        account_for(transition, before, after)
    assert kinds == {kind.__name__ for kind in MANDALA.event_types}


def account_for(transition: Any, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Move cards as the events say, and arrive at the position after."""
    ledger = Ledger(before)
    for event in transition.events:
        ledger.hear(event)
    assert ledger.differs(after) == [], f"{position_text(before)} {transition.move} {transition.events}"
    assert ledger.outcome == transition.after.outcome


# --- what a viewer gets is notation too ------------------------------------------------------------------


@given(number=st.integers(0, 200), skip=st.integers(0, 120))
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_view_lines_are_positions_with_hidden_sets(number: int, skip: int) -> None:
    raw, moments = games.lines(number)
    position = MANDALA.parse_position(moments[min(skip, len(moments) - 2)], MANDALA.parse_options(raw))
    for viewer in (0, 1, None):
        line = MANDALA.view(position, viewer).notation
        again = MANDALA.parse_position(line, position.options)
        assert "?" in line
        assert MANDALA.format_position(again) == line
        assert faults(line, raw) == []
        if viewer == position.to_move:
            assert list(again.legal_actions) == list(position.legal_actions)
            with pytest.raises(GameError):
                MANDALA.play(again, again.legal_actions[0], Picks([]))
