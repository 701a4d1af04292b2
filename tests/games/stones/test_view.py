"""Nothing hidden reaches a viewer: positions that differ only in what it cannot know look and sound the same, byte for byte.

And what a view says in addition to the position (what each choice would bring, what objectives are worth) is what the oracle says.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.games.stones.support import NoChance, load
from tests.oracles import stones as oracle
from tests.oracles import stones_games as games
from tests.oracles.stones_text import hidden, position_text, read_position

from sandriver.games.stones import STONES, wire
from sandriver.games.stones.view import hear
from sandriver.games.stones.wire import Ended, Uncovered

PAIRS = int(os.environ.get("SANDRIVER_VIEW_PAIRS", "600"))
"""How many pairs of positions are compared, all viewers and numbers of players together."""
encode = msgspec.json.Encoder().encode
DECK = [card["id"] for card in oracle.DEFAULT["objectives"]["cards"]]
LAST = next(case["position"] for case in load("stones_cases.jsonl") if case["id"] == "stones-objective-spire")


def redealt(position: oracle.Position, viewer: int | None, rng: random.Random, *, open_below: set[int], revealed: bool) -> oracle.Position:
    """The same to ``viewer``: covered patterns mixed within each colour, and other objectives for the others.

    In the stacks of ``open_below`` the stone below the top keeps its pattern, because it is about to be seen.
    """
    new = oracle.copied(position)
    places = [
        (stack, level)
        for stack, stones in enumerate(new["stacks"])
        for level in range(len(stones) - (2 if stack in open_below else 1))
    ] if not revealed else []  # fmt: skip
    for letter in oracle.COLOURS:
        mine = [(stack, level) for stack, level in places if oracle.colour(new["stacks"][stack][level]) == letter]
        stones = [new["stacks"][stack][level] for stack, level in mine]
        rng.shuffle(stones)
        for (stack, level), stone in zip(mine, stones, strict=True):
            new["stacks"][stack][level] = stone
    own = [] if viewer is None else position["objectives"][viewer]
    cards = [card for card in DECK if card not in own]
    rng.shuffle(cards)
    new["objectives"] = [own if seat == viewer else [cards.pop(), cards.pop()] for seat in range(len(position["boards"]))]
    return new


def walk(seed: int) -> Iterator[tuple[Any, games.Ply]]:
    """Games of the shipped deck without end: options, and plies on the oracle."""
    for number in range(seed, 1 << 20, 5):
        players = 2 + number % 3
        rules, _, _, _, plies = games.game(number, players)
        if all(card["id"] in DECK for card in rules["objectives"]["cards"]):
            options = STONES.parse_options({"ruleset": rules})
            yield from ((options, ply) for ply in plies)


def seen(position: Any, viewer: int | None) -> bytes:
    views = [
        STONES.view(position, viewer, assist=assist, stopped=stopped) for assist, stopped in ((False, False), (True, False), (True, True))
    ]
    return encode(views)


def audible(transition: Any, viewer: int | None) -> bytes:
    """What is heard, but for the result, which is public when it stands and depends on what was hidden."""
    heard = STONES.hear(transition, viewer)
    return encode([heard.move, [event for event in heard.events if not isinstance(event, Ended)]])


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_what_cannot_be_known_changes_no_byte(viewer: int | None) -> None:
    rng = random.Random(f"{viewer}")
    compared = different = heard = uncovered = 0
    for options, ply in walk(0 if viewer is None else viewer):
        if (viewer or 0) >= len(ply.before["boards"]) or rng.random() < 0.6:
            continue
        below = {int(stack[1:]) - 1 for stack in oracle.gains(ply.before, ply.action[1:3], ply.action[4:6], options_rules(options))} if (
            ply.action[0] == "p"
        ) else set()  # fmt: skip
        lines = [
            position_text(ply.before),
            position_text(redealt(ply.before, viewer, rng, open_below=below, revealed=options.reveal_covered_patterns)),
        ]
        one, other = (STONES.parse_position(line, options) for line in lines)
        compared += 1
        different += lines[0] != lines[1]
        assert seen(one, viewer) == seen(other, viewer), "\n".join(lines)
        assert list(one.legal_actions) == list(other.legal_actions)
        moves = [STONES.play(position, STONES.parse_action(ply.action), NoChance()) for position in (one, other)]
        assert audible(moves[0], viewer) == audible(moves[1], viewer), "\n".join([*lines, ply.action])
        uncovered += any(isinstance(event, Uncovered) for event in moves[0].events)
        if ply.after["turn"] is not None:
            heard += 1
            assert seen(moves[0].after, viewer) == seen(moves[1].after, viewer), "\n".join([*lines, ply.action])
        if compared >= max(20, PAIRS // 5):
            break
    assert different > 0.9 * compared > 0
    assert heard > 0.9 * compared
    assert uncovered > 0.2 * compared


def options_rules(options: Any) -> oracle.Rules:
    rules: oracle.Rules = STONES.format_options(options)["ruleset"]
    return rules


def test_a_difference_that_can_be_known_changes_the_view() -> None:
    """The comparison has eyes: with open patterns, and for the owner of the objectives, the same two positions look different."""
    rng = random.Random(3)
    _, ply = next(walk(0))
    lines = [position_text(ply.before), position_text(redealt(ply.before, 0, rng, open_below=set(), revealed=False))]
    for options, viewer, same in (({}, 0, True), ({"reveal_covered_patterns": True}, 0, False), ({}, 1, False), ({}, None, True)):
        one, other = (STONES.parse_position(line, STONES.parse_options(options)) for line in lines)
        assert (seen(one, viewer) == seen(other, viewer)) == same


# --- what stands in a view ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def moments() -> list[tuple[Any, oracle.Rules, games.Ply]]:
    """Every fifth ply of some games: the position, its ruleset, and the ply on the oracle."""
    found = []
    for number, players in product(range(0, 18, 3), (2, 3, 4)):
        rules, _, _, _, plies = games.game(number, players)
        options = STONES.parse_options({"ruleset": rules})
        found += [(STONES.parse_position(position_text(ply.before), options), rules, ply) for ply in list(plies)[players % 5 :: 11]]
    return found


def test_each_viewer_gets_what_the_rules_grant(moments: list[Any]) -> None:
    for position, rules, ply in moments:
        before = ply.before
        for viewer in (*range(position.seats), None):
            view: Any = STONES.view(position, viewer)
            cards = [names if seat == viewer else None for seat, names in enumerate(before["objectives"])]
            known = before | {"objectives": cards}
            assert view.notation == (position_text(known) if rules["reveal_covered_patterns"] else hidden(known))
            assert ",".join(stack or "-" for stack in view.stacks) == view.notation.split(" ")[0]
            assert [[card.id for card in side.objectives] if side.objectives else None for side in view.sides] == cards
            assert list(view.legal) == (ply.legal if viewer == before["turn"] else [])
            assert (view.choices, view.outcome, view.reckoning) == (None, None, None)
            assert {f"A{artist.space}": artist.pattern for artist in view.artists} == before["artists"]
            for seat, side in enumerate(view.sides):
                board = before["boards"][seat]
                assert (side.towers, side.score) == (tuple("".join(tower) for tower in board), before["scores"][seat])
                assert side.heights == oracle.heights(board, oracle.counts_empty(rules))
                assert [card.points for card in side.objectives or ()] == [
                    oracle.objective(name, board, rules) for name in cards[seat] or ()
                ]  # fmt: skip


def test_choices_say_what_the_rules_say(moments: list[Any]) -> None:
    for position, rules, ply in moments:
        choices = STONES.view(position, ply.before["turn"], assist=True).choices
        assert choices is not None
        board = ply.before["boards"][ply.before["turn"]]
        assert choices.spaces == tuple(space for space, tower in enumerate(board, 1) if not tower)
        check_picks(choices, ply, rules)
        check_scorings(choices, position, ply)
        assert all(STONES.view(position, viewer, assist=True).choices is None for viewer in others(position))


def others(position: Any) -> list[int | None]:
    return [viewer for viewer in (*range(position.seats), None) if viewer != position.to_move]


def check_picks(choices: Any, ply: games.Ply, rules: oracle.Rules) -> None:
    """Every artist to every vacant space, each with what its four stacks say; put together they are the legal picks."""
    before = ply.before
    stand = sorted(int(space[1]) for space in before["artists"])
    vacant = [n for n in range(1, 10) if n not in stand]
    assert [(pick.artist, pick.to) for pick in choices.picks] == list(product(stand, vacant))
    names = {"empty_stack": "empty", "wrong_pattern": "pattern"}
    actions = []
    for pick in choices.picks:
        origin, target = f"A{pick.artist}", f"A{pick.to}"
        shut = oracle.blocked(before, origin, rules)
        stacks = rules["board"]["neighbours"][target]
        assert [f"S{found.stack:02}" for found in pick.yields] == stacks
        for found, stack in zip(pick.yields, stacks, strict=True):
            reason = oracle.yields(before, origin, stack, shut)
            assert found.refusal == names.get(reason, reason)
            assert found.stone == "".join(before["stacks"][found.stack - 1][-1:])
            if reason == "blocked":
                assert f"A{found.blocker}" in before["artists"]
                assert found.blocker != pick.artist
                assert stack in rules["board"]["neighbours"][f"A{found.blocker}"]
            else:
                assert found.blocker is None
        gained = oracle.gains(before, origin, target, rules)
        assert [f"S{first.stack:02}" for first in pick.firsts] == gained
        for n, first in enumerate(pick.firsts):
            assert first.tower == "".join(before["stacks"][int(stack[1:]) - 1][-1] for stack in gained[n:] + gained[:n])
        reason = "board_full" if not choices.spaces else "" if gained else "nothing_gained"
        assert (pick.refusal.code if pick.refusal else "") == reason
        actions += [f"p{origin}-{target}:S{first.stack:02}@{space}" for first in pick.firsts for space in choices.spaces]
    assert actions == [action for action in ply.legal if action[0] == "p"]


def check_scorings(choices: Any, position: Any, ply: games.Ply) -> None:
    """Points, bonuses and the end, as they come about when it is played."""
    seat = ply.before["turn"]
    assert [scoring.action for scoring in choices.colours if not scoring.refusal] == [action for action in ply.legal if action[0] == "s"]
    assert [scoring.colour for scoring in choices.colours] == list("YRBP")
    tops = [action for action in ply.legal if action[0] == "q"]
    assert [scoring.count for scoring in choices.tops] == sorted({len(action) - 1 for action in tops})
    end = position.ruleset.mandala.end[str(position.seats)]
    played = [(scoring, scoring.action) for scoring in choices.colours if not scoring.refusal]
    played += [(scoring, next(action for action in tops if len(action) - 1 == scoring.count)) for scoring in choices.tops]
    for scoring, action in played:
        transition = STONES.replay(position, action)
        event = transition.events[0]
        assert scoring.points == event.points == transition.after.track[seat] - position.track[seat]
        assert scoring.bonuses == event.bonuses
        assert scoring.ends == (len(position.mandala) < end <= len(transition.after.mandala))
        stones = sum(stone.points for stone in event.stones)
        assert (stones, event.stones) == (scoring.stones, event.stones) if action[0] == "q" else (stones, scoring.stones)
    few = wire.Refusal("too_few_towers", {"towers": position.ruleset.score_colour.min_towers})
    assert all(scoring.refusal in (None, few) for scoring in choices.colours)


def test_in_a_stopped_game_nobody_may_act_and_all_else_is_as_before(moments: list[Any]) -> None:
    position = moments[5][0]
    acting: Any = STONES.view(position, position.to_move, assist=True)
    stopped: Any = STONES.view(position, position.to_move, assist=True, stopped=True)
    assert acting.legal
    assert acting.choices
    assert stopped == replace(acting, to_move=None, legal=(), choices=None)


def test_the_end_reveals_objectives_and_reckons() -> None:
    for number, players in product(range(4), (2, 3, 4)):
        rules, _, begin, _, plies = games.game(number, players)
        after = [begin, *(ply.after for ply in plies)][-1]
        end = STONES.parse_position(position_text(after), STONES.parse_options({"ruleset": rules}))
        for viewer in (*range(players), None):
            view: Any = STONES.view(end, viewer, assist=True)
            assert (view.phase, view.to_move, view.legal, view.choices, view.outcome) == ("over", None, (), None, end.outcome)
            assert (view.trigger, view.round) == (after["trigger"], after["round"])
            assert [side.score for side in view.sides] == after["scores"]
            assert [sums.total for sums in view.reckoning] == oracle.scores(after, rules) == list(end.scores)
            for seat, (sums, side) in enumerate(zip(view.reckoning, view.sides, strict=True)):
                board = after["boards"][seat]
                assert sums.objectives == side.objectives
                assert [(card.id, card.points) for card in sums.objectives] == [
                    (name, oracle.objective(name, board, rules)) for name in after["objectives"][seat]
                ]  # fmt: skip
                assert sums.total == sums.track + sums.objectives[sums.best].points == sums.track + max(c.points for c in sums.objectives)
                assert (sums.track, sums.stones_left) == (after["scores"][seat], sum(map(len, board)))


def test_unknown_objectives_stay_unknown_at_the_end() -> None:
    parts = LAST.split(" ")
    parts[5] = "terraces+spire/?"
    end = STONES.replay(STONES.parse_position(" ".join(parts), STONES.parse_options({})), "q1").after
    view: Any = STONES.view(end, None)
    assert [sums.total for sums in view.reckoning] == list(end.scores) == [17, 20]
    assert (view.reckoning[1].objectives, view.reckoning[1].best) == ((), None)


def test_an_event_nobody_decided_about_is_not_passed_on() -> None:
    transition = STONES.replay(STONES.parse_position(LAST, STONES.parse_options({})), "q1")
    assert hear(transition, 0).events == transition.events
    with pytest.raises(TypeError):
        hear(msgspec.structs.replace(transition, events=("secret",)), 0)


def test_all_players_read_the_same_line_back(moments: list[Any]) -> None:
    """A view's line, read back, holds what the viewer knows and no more."""
    position, _, ply = moments[7]
    again = read_position(STONES.view(position, 1).notation)
    assert again["objectives"] == [None if seat != 1 else names for seat, names in enumerate(ply.before["objectives"])]
    assert again["boards"] == ply.before["boards"]
