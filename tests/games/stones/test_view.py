"""What a viewer of Mandala Stones gets: nothing hidden reaches it, byte for byte, and what choices announce is what then happens."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandriver.games.chance import RandomChance
from sandriver.games.stones import STONES
from sandriver.games.stones.view import hear, split
from sandriver.games.stones.wire import Ended, Gathered, LastRound, Scored, Uncovered

PAIRS = int(os.environ.get("SANDRIVER_VIEW_PAIRS", "1500"))
"""How many pairs of positions are compared for every viewer, with and without hidden patterns, all together."""
encode = msgspec.json.Encoder().encode
CARDS = tuple(card.id for card in STONES.parse_options({}).ruleset.objectives.cards)


def walk(rng: random.Random, **options: Any) -> Iterator[tuple[Any, Any]]:
    """Random games without end, few tops sold: positions, each with the transition that was played in it."""
    while True:
        seats = rng.choice([2, 3, 4])
        position: Any = STONES.start(STONES.parse_options(options), seats, rng.randrange(seats), RandomChance(rng.randrange(1 << 30)))
        while position.to_move is not None:
            actions = list(position.legal_actions)
            kinds = [action for action in actions if action.kind == rng.choice(["pick", "pick", "colour", "tops"])]
            transition = STONES.play(position, rng.choice(kinds or actions), RandomChance(0))
            yield position, transition
            position = transition.after


def twin(position: Any, viewer: int | None, rng: random.Random, *, uncovering: bool) -> Any:
    """Mix everything ``viewer`` cannot know: patterns of covered stones of a colour, the others' objectives.

    With ``uncovering`` the stones directly below a top stay as they are, so that a pick uncovers the same.
    """
    stacks = [list(stack) for stack in position.stacks]
    if not position.options.reveal_covered_patterns:
        places = [(s, n) for s, stack in enumerate(stacks) for n in range(len(stack) - (2 if uncovering else 1))]
        for colour in "YRBP":
            alike = [(s, n) for s, n in places if stacks[s][n].upper() == colour]
            stones = [stacks[s][n] for s, n in alike]
            rng.shuffle(stones)
            for (s, n), stone in zip(alike, stones, strict=True):
                stacks[s][n] = stone
    own = position.objectives[viewer] if viewer is not None else ()
    unseen = [card for card in CARDS if card not in own]
    rng.shuffle(unseen)
    cards = [own if seat == viewer else (unseen.pop(), unseen.pop()) for seat in range(position.seats)]
    fields = STONES.format_position(position).split(" ")
    fields[0] = ",".join("".join(stack) or "-" for stack in stacks)
    fields[5] = "/".join("+".join(pair) for pair in cards)
    return STONES.parse_position(" ".join(fields), position.options)


def seen(position: Any, viewer: int | None) -> bytes:
    return encode([STONES.view(position, viewer, assist=False), STONES.view(position, viewer, assist=True)])


def audible(transition: Any, viewer: int | None) -> bytes:
    """What is heard, but for the result, which is public when it stands and depends on what was hidden."""
    heard = STONES.hear(transition, viewer)
    return encode([heard.move, [event for event in heard.events if not isinstance(event, Ended)]])


@pytest.mark.parametrize("reveal", [False, True])
@pytest.mark.parametrize("which", ["mover", "other", "spectator"])
def test_what_cannot_be_known_changes_no_byte(which: str, reveal: bool) -> None:
    rng = random.Random(f"{which} {reveal}")
    compared = different = 0
    for position, transition in walk(rng, reveal_covered_patterns=reveal):
        if rng.random() < 0.7:
            continue
        mover = position.to_move
        viewer = {"mover": mover, "other": (mover + 1) % position.seats, "spectator": None}[which]
        other = twin(position, viewer, rng, uncovering=False)
        different += other != position
        assert seen(position, viewer) == seen(other, viewer)
        close = twin(position, viewer, rng, uncovering=True)
        again = STONES.replay(close, transition.move)
        assert audible(again, viewer) == audible(transition, viewer)
        if transition.after.to_move is not None:
            assert seen(again.after, viewer) == seen(transition.after, viewer)
        compared += 1
        if compared >= max(50, PAIRS // 6):
            break
    assert different > 0.9 * compared


@pytest.mark.parametrize("seed", range(3))
def test_choices_announce_what_then_happens(seed: int) -> None:
    kinds = dict.fromkeys(("pick", "colour", "tops"), 0)
    for position, transition in walk(random.Random(seed)):
        seat, action, after = transition.seat, transition.action, transition.after
        view: Any = STONES.view(position, seat, assist=True)
        ended = any(isinstance(event, LastRound) for event in transition.events)
        if action.kind == "pick":
            pick = next(pick for pick in view.choices.picks if (pick.artist, pick.to) == (action.artist, action.to))
            first = next(first for first in pick.firsts if first.stack == action.first)
            gathered = next(event for event in transition.events if isinstance(event, Gathered))
            assert first.tower == after.boards[seat][action.space - 1] == "".join(taken.stone for taken in gathered.stones)
            assert {found.stack for found in pick.yields if not found.refusal} == {taken.stack for taken in gathered.stones}
        elif action.kind in kinds:
            scored = next(event for event in transition.events if isinstance(event, Scored))
            if action.kind == "colour":
                choice = view.choices.colours["YRBP".index(action.colour)]
                assert choice.stones == scored.stones
            else:
                choice = view.choices.tops[len(action.spaces) - 1]
                assert choice.stones == sum(stone.points for stone in scored.stones)
            assert choice.points == scored.points == after.track[seat] - position.track[seat]
            assert choice.bonuses == scored.bonuses
            assert choice.ends == ended
        kinds[action.kind] = kinds.get(action.kind, 0) + 1
        if min(kinds.values()) > 40:
            break


@pytest.mark.parametrize("seed", range(3))
def test_choices_are_the_legal_actions_and_reasons_are_those_of_the_rules(seed: int) -> None:
    for number, (position, _) in enumerate(walk(random.Random(seed))):
        view: Any = STONES.view(position, position.to_move, assist=True)
        listed: list[str] = []
        for pick in view.choices.picks:
            actions = [f"pA{pick.artist}-A{pick.to}:S{first.stack:02}" for first in pick.firsts]
            if pick.refusal is None:
                listed += [f"{action}@{space}" for action in actions for space in view.choices.spaces]
            else:
                assert pick.refusal.code == ("nothing_gained" if view.choices.spaces else "board_full")
            for found in pick.yields if view.choices.spaces else ():
                reason = position.explain(STONES.parse_action(f"pA{pick.artist}-A{pick.to}:S{found.stack:02}@{view.choices.spaces[0]}"))
                code = {"empty_stack": "empty", "wrong_pattern": "pattern", "blocked": "blocked"}[reason.code] if reason else ""
                assert (found.refusal, found.blocker) == (code, reason.params["artist"] if code == "blocked" else None)
                assert found.stone == position.stacks[found.stack - 1][-1:]
        for choice in view.choices.colours:
            reason = position.explain(STONES.parse_action(choice.action))
            assert (choice.refusal and choice.refusal.code) == (reason and reason.code)
            listed += [choice.action] if reason is None else []
        tops = [action for action in view.legal if action[0] == "q"]
        assert listed + tops == [action for action in view.legal if action != "-"]
        assert len(view.choices.tops) == max([len(action) - 1 for action in tops], default=0)
        if number == 120:
            break


@pytest.mark.parametrize("reveal", [False, True])
def test_views_are_position_lines_that_give_the_same_view_again(reveal: bool) -> None:
    ends = 0
    for number, (position, transition) in enumerate(walk(random.Random(4), reveal_covered_patterns=reveal)):
        for viewer in (None, *range(position.seats)):
            view: Any = STONES.view(position, viewer, assist=True)
            again = STONES.parse_position(view.notation, position.options)
            assert STONES.format_position(again) == view.notation
            assert STONES.view(again, viewer, assist=True) == view
            assert (view.choices is not None) == bool(view.legal) == (viewer == position.to_move)
        assert ("(" in STONES.view(position, 0).notation) == (not reveal and any(len(stack) > 1 for stack in position.stacks))
        end = transition.after
        if end.to_move is None:
            ends += 1
            views: list[Any] = [STONES.view(end, viewer) for viewer in (None, *range(end.seats))]
            for view in views:
                assert replace(view, viewer=None) == views[0]
                assert (view.phase, view.outcome, view.legal, view.choices) == ("over", end.outcome, (), None)
                assert tuple(sums.total for sums in view.reckoning) == end.scores
                for sums, side in zip(view.reckoning, view.sides, strict=True):
                    assert (sums.track, sums.objectives) == (side.score, side.objectives)
                    assert sums.objectives[sums.best].points == max(card.points for card in side.objectives) == sums.total - sums.track
                    assert sums.stones_left == sum(map(len, side.towers))
        if ends == 3 and number > 150:
            break


def test_objectives_are_for_their_owner_and_unknown_ones_stay_unknown() -> None:
    position, _ = next(walk(random.Random(1)))
    for viewer in (None, *range(position.seats)):
        sides = STONES.view(position, viewer).sides
        assert [side.objectives is not None for side in sides] == [seat == viewer for seat in range(position.seats)]
    spectator = STONES.parse_position(STONES.view(position, None).notation, position.options)
    assert all(side.objectives is None for seat in range(position.seats) for side in STONES.view(spectator, seat).sides)


def test_in_a_stopped_game_nobody_may_act_and_all_else_is_as_before() -> None:
    position, _ = next(walk(random.Random(2)))
    acting: Any = STONES.view(position, position.to_move, assist=True)
    assert acting.legal
    assert acting.choices
    assert STONES.view(position, position.to_move, assist=True, stopped=True) == replace(acting, to_move=None, legal=(), choices=None)


def test_uncovered_patterns_are_told_only_where_they_were_hidden() -> None:
    told = {False: 0, True: 0}
    for reveal in told:
        for number, (_, transition) in enumerate(walk(random.Random(3), reveal_covered_patterns=reveal)):
            told[reveal] += sum(isinstance(event, Uncovered) for event in STONES.hear(transition, None).events)
            if number == 60:
                break
    assert told[False] > 10
    assert told[True] == 0


def test_an_event_nobody_decided_about_is_not_passed_on() -> None:
    _, transition = next(walk(random.Random(2)))
    with pytest.raises(TypeError):
        hear(replace(transition, events=("secret",)), 0)


# --- drawings -----------------------------------------------------------------------------------------


def test_drawings_show_every_stone_and_keep_what_is_hidden() -> None:
    for number, (position, transition) in enumerate(walk(random.Random(5))):
        for shown in (position, STONES.parse_position(STONES.view(position, None).notation, position.options), transition.after):
            piles = [*shown.stacks, *[tower for board in shown.boards for tower in board], shown.mandala]
            known = sum(len(stone) == 1 for pile in piles for stone in split(pile))
            text, svg = shown.draw(), shown._repr_svg_()
            assert text.count("★") + text.count("●") == known + 4
            assert svg.count('href="#stones-star"') + svg.count('href="#stones-circle"') == known + 4
            assert svg.count('href="#stones-stone-') == sum(len(split(pile)) for pile in piles[:-1])
            assert max(map(len, text.splitlines()[:7])) <= 63
        if number == 60:
            break
