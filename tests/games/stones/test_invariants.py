"""Section 10 as properties: every invariant, text and position as exact inverses, events that account for every stone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.games.stones.support import NoChance
from tests.oracles import stones_games as games
from tests.oracles.stones import Position as Table
from tests.oracles.stones import Rules
from tests.oracles.stones_events import Ledger
from tests.oracles.stones_invariants import INVARIANTS
from tests.oracles.stones_text import faults, position_text, read_position

from sandriver.games.errors import IllegalAction, PositionError
from sandriver.games.stones import STONES
from sandriver.games.stones.wire import Moved, Skipped, Uncovered

GAMES = 7
"""Games for each number of players that the invariants are tried on, one after the other."""
NUMBERS = st.integers(0, 11)
SKIP = STONES.parse_action("-")

Played = list[list[tuple[Rules, Any, Table, Table]]]


@pytest.fixture(scope="module")
def played() -> Played:
    """Whole games, replayed by the rules: at every ply ruleset, transition, positions before and after as read from their lines."""
    found: Played = []
    for number in range(3 * GAMES):
        rules, _, begin, _, plies = games.game(number // 3, 2 + number % 3)
        position, before = STONES.parse_position(position_text(begin), STONES.parse_options({"ruleset": rules})), begin
        found.append([])
        for ply in plies:
            transition = STONES.replay(position, ply.action)
            position, after = transition.after, read_position(STONES.format_position(transition.after))
            found[-1].append((rules, transition, before, after))
            before = after
    return found


@pytest.mark.parametrize("holds", INVARIANTS, ids=lambda holds: holds.__name__)
def test_invariant_holds_in_played_games(played: Played, holds: Any) -> None:
    for rules, transition, before, after in (ply for plies in played for ply in plies):
        assert holds(before, transition.move, after, rules), f"{position_text(before)} {transition.move} {position_text(after)}"


def test_all_have_had_the_same_number_of_turns(played: Played) -> None:
    skipped = 0
    for plies in played:
        turns = Counter(transition.seat for _, transition, _, _ in plies)
        end = plies[-1][3]
        assert turns == dict.fromkeys(range(len(end["boards"])), end["round"])
        assert plies[0][1].seat == end["first"]
        skipped += sum(transition.action == SKIP for _, transition, _, _ in plies)
    assert skipped > 0


def test_events_account_for_every_stone(played: Played) -> None:
    kinds: set[str] = set()
    for rules, transition, before, after in (ply for plies in played for ply in plies):
        kinds |= {type(event).__name__ for event in transition.events}
        account_for(transition, before, after, rules)
    assert kinds == {kind.__name__ for kind in STONES.event_types}


def account_for(transition: Any, before: Table, after: Table, rules: Rules) -> None:
    """Move stones as the events say, and arrive at the position after; every event in its place."""
    ledger = Ledger(before, revealed=rules["reveal_covered_patterns"])
    for event in transition.events:
        assert getattr(event, "seat", transition.seat) == transition.seat
        ledger.hear(event)
    assert ledger.differs(after) == [], f"{position_text(before)} {transition.move} {transition.events}"
    assert ledger.outcome == transition.after.outcome
    first = {"pick": "Moved", "colour": "Scored", "tops": "Scored", "skip": "Skipped"}[transition.action.kind]
    order = [first, "Gathered", "Uncovered"] if first == "Moved" else [first]
    assert ledger.heard == [name for name in [*order, "LastRound", "Ended"] if name in ledger.heard]
    if isinstance(transition.events[0], Moved):
        assert (transition.events[0].origin, transition.events[0].to) == (transition.action.artist, transition.action.to)
    assert isinstance(transition.events[0], Skipped) == (transition.action == SKIP)


class AnyPlay(RuleBasedStateMachine):
    """Arbitrary actions from an arbitrary moment of a game; every invariant after every ply."""

    @initialize(number=NUMBERS, players=st.integers(2, 4), skip=st.integers(0, 120))
    def begin(self, number: int, players: int, skip: int) -> None:
        self.ruleset, moments = games.lines(number, players)
        self.line = moments[min(skip, len(moments) - 2)]
        self.options = STONES.parse_options({"ruleset": self.ruleset})
        self.position = STONES.parse_position(self.line, self.options)

    @precondition(lambda self: self.position.to_move is None)
    @rule(number=NUMBERS, players=st.integers(2, 4), skip=st.integers(0, 120))
    def begin_again(self, number: int, players: int, skip: int) -> None:
        """A finished game allows nothing, so another takes its place."""
        with pytest.raises(IllegalAction):
            STONES.play(self.position, SKIP, NoChance())
        self.begin(number, players, skip)

    @precondition(lambda self: self.position.to_move is not None)
    @rule(kind=st.sampled_from("psq"), pick=st.integers(0, 180))
    def act(self, kind: str, pick: int) -> None:
        """Of a wanted kind, where there is one, so that tall towers and colours come up as often as tops."""
        legal = list(self.position.legal_actions)
        legal = [action for action in legal if str(action)[0] == kind] or legal
        transition = STONES.play(self.position, legal[pick % len(legal)], NoChance())
        assert STONES.format_position(self.position) == self.line, "play changed the position it started from"
        line = STONES.format_position(transition.after)
        before, after = read_position(self.line), read_position(line)
        for holds in INVARIANTS:
            assert holds(before, transition.move, after, self.ruleset), f"{holds.__name__}: {self.line} {transition.move} {line}"
        assert STONES.format_position(STONES.replay(self.position, transition.move).after) == line
        account_for(transition, before, after, self.ruleset)
        self.position, self.line = transition.after, line

    @invariant()
    def can_be(self) -> None:
        """Its line is read back as the same position, and nothing is wrong with it."""
        again = STONES.parse_position(self.line, self.options)
        assert again == self.position
        assert hash(again) == hash(self.position)
        assert self.position.status() == []
        assert faults(self.line, self.ruleset) == []
        assert bool(self.position.legal_actions) == (self.position.to_move is not None) == (self.position.outcome is None)


# A failure names the position and the move, which says all; shrinking whole games would take minutes.
AnyPlay.TestCase.settings = settings(
    max_examples=14, stateful_step_count=20, deadline=None, phases=(Phase.reuse, Phase.generate), suppress_health_check=list(HealthCheck)
)
TestAnyPlay = AnyPlay.TestCase


# --- what a viewer gets is notation too ------------------------------------------------------------------


@given(number=NUMBERS, players=st.integers(2, 4), skip=st.integers(0, 120))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_view_lines_are_positions_with_hidden_parts(number: int, players: int, skip: int) -> None:
    rules, moments = games.lines(number, players)
    position = STONES.parse_position(moments[min(skip, len(moments) - 2)], STONES.parse_options({"ruleset": rules}))
    for viewer in (*range(players), None):
        line = STONES.view(position, viewer).notation
        again = STONES.parse_position(line, position.options)
        assert "?" in line
        assert not again.complete
        assert STONES.format_position(again) == line
        assert faults(line, rules) == []
        assert list(again.legal_actions) == list(position.legal_actions)
        assert ("(" in line) == (not rules["reveal_covered_patterns"] and any(len(stack) > 1 for stack in position.stacks))
        for action in list(again.legal_actions)[:: 1 + len(again.legal_actions) // 4]:
            transition = position.play(action)
            if "(" in line and any(isinstance(event, Uncovered) for event in transition.events):
                with pytest.raises(PositionError, match=r"^STACKS: "):
                    STONES.play(again, action, NoChance())
            else:
                after, wanted = STONES.play(again, action, NoChance()).after, transition.after
                assert (after.track, after.boards, after.mandala, after.turn) == (wanted.track, wanted.boards, wanted.mandala, wanted.turn)
