"""Nothing hidden reaches a viewer: positions that differ only in what it cannot know look and sound the same, byte for byte."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.positions import COLOURS, make, number, text

from sandriver.games.chance import RandomChance
from sandriver.games.errors import ChanceError
from sandriver.games.mandala import MANDALA
from sandriver.games.mandala.consequences import forget
from sandriver.games.mandala.view import hear
from sandriver.games.mandala.wire import Completed, Drawn, Ended, Forecast

PAIRS = int(os.environ.get("SANDRIVER_VIEW_PAIRS", "2000"))
"""How many pairs of positions are compared for every viewer and each setting of ``memory_aid``, all together."""
encode = msgspec.json.Encoder().encode


def letters(cards: Any) -> list[str]:
    return [colour for colour in COLOURS for _ in range(cards[colour])]


class PartlyForced:
    """Deals what the other world's viewer saw dealt, and anything where it saw nothing."""

    def __init__(self, outcomes: Sequence[int | None], seed: int) -> None:
        self.outcomes, self.rest = iter(outcomes), RandomChance(seed)

    def draw(self, weights: Sequence[int]) -> int:
        forced = next(self.outcomes)
        return self.rest.draw(weights) if forced is None else forced


def twin(position: Any, viewer: int | None, rng: random.Random, to_hand: str = "", to_deck: str = "") -> Any | None:
    """Deal everything ``viewer`` cannot know once more; ``None`` if that cannot be done.

    ``to_hand`` (of the seat to move) and ``to_deck`` are cards that must lie there.
    """
    hidden = [seat for seat in (0, 1) if seat != viewer]
    memory_aid = position.options.memory_aid
    pool = letters(position.deck)
    for seat in hidden:
        pool += letters(position.hands[seat]) + letters(position.dealt[seat]) + ([] if memory_aid else letters(position.claimed[seat]))
    rng.shuffle(pool)
    hands, dealt = [letters(hand) for hand in position.hands], [letters(cards) for cards in position.dealt]
    claimed = [letters(cards) for cards in position.claimed]

    def take(wanted: str) -> list[str]:
        for card in wanted:
            pool.remove(card)
        return list(wanted)

    try:
        reserved = take(to_deck)
        acting = take(to_hand) if position.to_move in hidden else []
        for seat in hidden:
            if not memory_aid:
                usable = [card for card in pool if card in position.rivers[seat]]
                claimed[seat] = take("".join(usable[: len(claimed[seat])]))
        for seat in hidden:
            fixed = acting if seat == position.to_move else []
            hands[seat] = fixed + [pool.pop() for _ in range(len(hands[seat]) - len(fixed))]
            dealt[seat] = [pool.pop(), pool.pop()]
    except (ValueError, IndexError):
        return None
    fields = MANDALA.format_position(position).split(" ")
    fields[2] = "/".join(map(text, hands))
    fields[4] = "/".join(f"{text(dealt[seat])}+{text(claimed[seat])}" for seat in (0, 1))
    fields[5] = text(pool + reserved)
    if sum(map(len, claimed)) != sum(cards.total for cards in position.claimed):
        return None
    return MANDALA.parse_position(" ".join(fields), position.options)


def walk(rng: random.Random, memory_aid: bool) -> Iterator[tuple[Any, Any]]:
    """Random games without end: positions, each with the transition that was played in it."""
    while True:
        exhaustion = rng.choice(["eager", "eager", "lazy"])
        options = MANDALA.parse_options({"memory_aid": memory_aid, "exhaustion": exhaustion})
        chance = RandomChance(rng.randrange(1 << 30))
        position: Any = MANDALA.start(options, 2, rng.randrange(2), chance)
        while position.to_move is not None:
            actions = list(position.legal_actions)
            busy = [action for action in actions if action.kind != "redraw"]
            action = rng.choice(busy if busy and rng.random() < 0.7 else actions)
            transition = MANDALA.play(position, action, chance)
            yield position, transition
            position = transition.after


def seen(position: Any, viewer: int | None) -> bytes:
    return encode([MANDALA.view(position, viewer, assist=False), MANDALA.view(position, viewer, assist=True)])


def audible(transition: Any, viewer: int | None) -> bytes:
    """What is heard, but for the result, which is public when it stands and depends on what was hidden."""
    heard = MANDALA.hear(transition, viewer)
    return encode([heard.move, [event for event in heard.events if not isinstance(event, Ended)]])


@pytest.mark.parametrize("memory_aid", [False, True])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_what_cannot_be_known_changes_no_byte(viewer: int | None, memory_aid: bool) -> None:
    rng = random.Random(f"{viewer} {memory_aid}")
    wanted = max(50, PAIRS // 6)
    positions = moves = different = tries = 0
    for position, transition in walk(rng, memory_aid):
        if rng.random() < 0.75 and position.deck.total:
            continue
        tries += 1
        other = twin(position, viewer, rng)
        if other is not None:
            positions += 1
            different += other != position
            assert seen(position, viewer) == seen(other, viewer)
        moves += compare_move(position, transition, viewer, rng)
        if moves >= wanted:
            break
    assert different > 0.9 * positions > 0
    assert moves > 0.5 * tries


def compare_move(position: Any, transition: Any, viewer: int | None, rng: random.Random) -> bool:
    """Play the same public move in a twin of the position and compare; say whether there was such a twin."""
    action, seat = transition.action, transition.seat
    hidden = 0 if seat == viewer else sum(number(event.cards) for event in transition.events if isinstance(event, Drawn))
    outcomes = [None if n < hidden else COLOURS.index(colour) for n, colour in enumerate(transition.dealt)]
    from_hand = "" if action.kind == "claim" else action.colour * action.count
    visible = transition.dealt[hidden:]
    other = twin(position, viewer, rng, from_hand, visible if len(visible) <= position.deck.total else "")
    if other is None:
        return False
    try:
        again = MANDALA.play(other, action, PartlyForced(outcomes, rng.randrange(1 << 30)))
    except ChanceError:
        return False
    assert audible(again, viewer) == audible(transition, viewer)
    assert (again.after.to_move is None) == (transition.after.to_move is None)
    if transition.after.to_move is not None:
        assert seen(again.after, viewer) == seen(transition.after, viewer)
    return True


# --- what stands in a view ------------------------------------------------------------------------


def choices(position: Any) -> dict[tuple[str, str, int | None], Any]:
    seen: Any = MANDALA.view(position, position.to_move, assist=True)
    return {(choice.kind, choice.colour, choice.mandala): choice for choice in seen.choices}


QUIET = make("Y1R2/K3/-", "P2/-/-", "K2G1Y1/P4O2", rivers="GK/-", cups="P1O1+K3/G1R1+-")


def test_each_viewer_gets_what_the_rules_grant() -> None:
    own, other, spectator = (MANDALA.view(QUIET, viewer) for viewer in (0, 1, None))
    assert [side.hand for side in own.sides] == ["K2G1Y1", "?6"]
    assert [side.hand for side in other.sides] == ["?4", "P4O2"]
    assert [side.hand for side in spectator.sides] == ["?4", "?6"]
    assert [(side.dealt, side.claimed, side.points) for side in own.sides] == [("P1O1", "K3", 6), ("?2", "-", None)]
    assert [(side.dealt, side.claimed, side.points) for side in other.sides] == [("?2", "?3", None), ("G1R1", "-", 0)]
    assert [(side.dealt, side.claimed, side.points) for side in spectator.sides] == [("?2", "?3", None), ("?2", "-", None)]
    assert own.notation == "Y1R2/K3/- P2/-/- K2G1Y1/?6 GK/- P1O1+K3/?2+- ?81 - A 0/0"
    assert (own.deck, own.discard, own.phase, own.claim, own.outcome, own.reckoning) == (81, "-", "turn", None, None, None)
    assert (own.viewer, own.to_move, len(own.legal)) == (0, 0, len(QUIET.legal_actions))


def test_memory_aid_shows_claimed_colours_but_neither_dealt_ones_nor_points() -> None:
    position = MANDALA.parse_position(MANDALA.format_position(QUIET), MANDALA.parse_options({"memory_aid": True}))
    side = MANDALA.view(position, 1).sides[0]
    assert (side.dealt, side.claimed, side.points) == ("?2", "K3", None)


def test_who_recalls_sees_what_memory_aid_shows_and_nothing_else() -> None:
    recalled = 0
    for position, _ in walk(random.Random(7), False):
        aided = MANDALA.parse_position(MANDALA.format_position(position), MANDALA.parse_options({"memory_aid": True}))
        for viewer in (0, 1, None):
            view: Any = MANDALA.view(position, viewer, assist=True, recall=True)
            assert view == MANDALA.view(aided, viewer, assist=True)
            recalled += view != MANDALA.view(position, viewer, assist=True)
        if recalled >= 100:
            break
    assert recalled >= 100


def test_a_mandala_says_what_is_missing_and_who_would_claim() -> None:
    first, second = MANDALA.view(QUIET, None).mandalas
    assert (first.missing, second.missing) == ("GPO", "KGYOR")
    assert first.forecast == Forecast(first=(0, 0), claims=((1, 1), (1, 1)), tie=False, empty=(False, True))
    assert second.forecast == Forecast(first=(1, 0), claims=((0, 0), (0, 0)), tie=True, empty=(True, True))


def test_every_colour_meets_every_place_with_effects_or_a_reason() -> None:
    found = choices(QUIET)
    places = [("build", 0), ("build", 1), ("grow", 0), ("grow", 1), ("redraw", None)]
    assert set(found) == {(kind, colour, m) for colour in "KGY" for kind, m in places}
    assert all(bool(choice.effects) != (choice.refusal is not None) for choice in found.values())
    assert sorted(effect.action for choice in found.values() for effect in choice.effects) == sorted(map(str, QUIET.legal_actions))
    assert found["build", "K", 0].refusal.code == "colour_in_own_field"
    assert found["grow", "Y", 0].refusal.code == "colour_in_mountain"
    assert [effect.count for effect in found["grow", "K", 1].effects] == [1, 2]
    build = found["build", "G", 0].effects[0]
    assert (build.draw, build.completes, build.missing) == (3, False, "PO")
    assert build.forecast == Forecast(first=(0, 0), claims=((2, 1), (2, 1)), tie=False, empty=(False, True))
    assert [(effect.count, effect.draw) for effect in found["redraw", "K", None].effects] == [(1, 1), (2, 2)]


def test_the_other_field_and_the_last_card_are_named_as_reasons() -> None:
    found = choices(make("Y1/-/R1", "P2/-/-", "R2/P4"))
    assert found["build", "R", 0].refusal.code == found["grow", "R", 0].refusal.code == "colour_in_other_field"
    assert [effect.count for effect in found["grow", "R", 1].effects] == [1]
    single = choices(make("Y2/-/-", "P2/-/-", "R1/P4"))
    assert single["grow", "R", 1].refusal.code == "must_keep_card"


@pytest.mark.parametrize(("hand", "deck", "draw"), [("K8", "", 1), ("K7", "", 2), ("K6", "", 3), ("K1", "", 3), ("K4", "G1", 3)])
def test_a_build_says_how_many_cards_follow(hand: str, deck: str, draw: int) -> None:
    found = choices(make("Y2/-/-", "P2/-/-", f"{hand}/R6", deck=deck))
    assert found["build", "K", 1].effects[0].draw == draw


@pytest.mark.parametrize(("mandala", "pile", "draw"), [("G17/-", "K4G1", 3), ("G18/K2", "K2", 2), ("G18/K3", "K1", 1)])
def test_a_short_stock_shortens_the_draw(mandala: str, pile: str, draw: int) -> None:
    line = f"Y18O18/{mandala} P18R18/-/- K3/K7 -/- K2+-/K2+- - {pile} A 1/0"
    position = MANDALA.parse_position(line, MANDALA.parse_options({"exhaustion": "lazy"}))
    assert choices(position)["build", "K", 1].effects[0].draw == draw


def test_completing_is_announced_with_the_sharing_that_follows() -> None:
    position = make("Y1R2P1/K3/O1", "P2/-/-", "G2Y1/P4")
    found = choices(position)
    build, grow = found["build", "G", 0].effects[0], found["grow", "G", 0].effects[1]
    assert build.completes
    assert grow.completes
    assert build.missing == grow.missing == ""
    assert build.forecast.claims[0] == (2, 2)
    assert grow.forecast.claims[0] == (2, 1)
    level = choices(make("Y1R2P1/K3/O4", "P2/-/-", "G2Y1/P4"))
    tie = level["grow", "G", 0].effects[0].forecast
    assert (tie.tie, tie.first, tie.claims[0]) == (True, (1, 0), (1, 2))


def test_claims_say_what_goes_where() -> None:
    cups, rivers = "P1O1+K3/G1R1+-", "GK/-"
    position = make("Y1R2P3K2/O3/G1", "P2/-/-", "G2Y1/P4", rivers=rivers, cups=cups, turn="A*1A")
    found = choices(position)
    assert set(found) == {("claim", colour, 0) for colour in "KPYR"}
    known, new = found["claim", "K", 0].effects[0], found["claim", "P", 0].effects[0]
    assert (known.count, known.cup, known.river_place, known.discarded, known.points) == (2, 2, None, 0, 4)
    assert (new.count, new.cup, new.river_place, new.discarded, new.points) == (3, 2, 3, 0, 9)
    seen: Any = MANDALA.view(position, 1, assist=True)
    assert (seen.phase, seen.legal, seen.choices) == ("claim", (), ())
    assert (seen.claim.mandala, seen.claim.completer, seen.claim.colours_left) == (0, 0, 4)


def test_in_a_stopped_game_nobody_may_act_and_all_else_is_as_before() -> None:
    acting: Any = MANDALA.view(QUIET, 0, assist=True)
    stopped: Any = MANDALA.view(QUIET, 0, assist=True, stopped=True)
    assert acting.legal
    assert acting.choices
    assert stopped == replace(acting, to_move=None, legal=(), choices=())


def test_with_an_empty_field_a_claim_only_discards() -> None:
    found = choices(make("Y1P3K2/O3G1/-", "P2/-/-", "G2Y1/P4", rivers="GKR/-", turn="B*1A"))
    effects = [choice.effects[0] for choice in found.values()]
    assert [(effect.action, effect.count, effect.discarded) for effect in effects] == [("cK", 2, 2), ("cP", 3, 3), ("cY", 1, 1)]
    assert {(effect.cup, effect.river_place, effect.points) for effect in effects} == {(0, None, 0)}


@pytest.mark.parametrize("seed", range(6))
def test_claimed_points_are_those_that_the_score_gains(seed: int) -> None:
    compared = 0
    for position, transition in walk(random.Random(seed), False):
        if position.claim is not None:
            choice = choices(position)["claim", transition.action.colour, position.claim.mandala]
            seat = transition.seat
            assert choice.effects[0].points == transition.after.scores[seat] - position.scores[seat]
            compared += 1
        elif transition.action.kind == "build":
            effect = choices(position)["build", transition.action.colour, transition.action.mandala].effects[0]
            drawn = sum(number(event.cards) for event in transition.events if isinstance(event, Drawn))
            assert effect.draw == drawn
            assert effect.completes == any(isinstance(event, Completed) for event in transition.events)
        if compared == 60:
            break


def test_views_are_position_lines_and_the_end_reveals_everything() -> None:
    ends = 0
    for position, transition in walk(random.Random(2), False):
        for viewer in (0, 1, None):
            line = MANDALA.view(position, viewer).notation
            assert MANDALA.format_position(MANDALA.parse_position(line, position.options)) == line
        end = transition.after
        if end.to_move is None:
            ends += 1
            views: list[Any] = [MANDALA.view(end, viewer) for viewer in (0, 1, None)]
            for seen in views:
                assert seen.notation == MANDALA.format_position(end)
                assert (seen.phase, seen.outcome, seen.legal, seen.choices) == ("over", end.outcome, (), ())
                assert tuple(sums.total for sums in seen.reckoning) == end.scores == tuple(side.points for side in seen.sides)
                for sums, side in zip(seen.reckoning, seen.sides, strict=True):
                    assert "".join(entry.colour or "" for entry in sums.river) == side.river
                    assert sums.cup_cards == sum(entry.cards for entry in sums.river) + number(sums.worthless)
                    assert sums.total == sum(entry.points for entry in sums.river)
        if ends == 5:
            break


def test_hidden_draws_are_numbers_and_public_refills_are_letters() -> None:
    position = make("Y1R2P1O1K1/-/-", "P2/-/-", "G2Y1/P4")
    transition = MANDALA.replay(position, "b1G>KKKRR")
    assert MANDALA.hear(transition, 0).move == "b1G>KKKRR"
    assert MANDALA.hear(transition, 1).move == MANDALA.hear(transition, None).move == "b1G>?3RR"
    drawn = [event for event in MANDALA.hear(transition, 1).events if isinstance(event, Drawn)]
    assert drawn == [Drawn(0, "?3")]


def test_an_event_nobody_decided_about_is_not_passed_on() -> None:
    transition = MANDALA.replay(QUIET, "b1G>KKK")
    with pytest.raises(TypeError):
        hear(msgspec.structs.replace(transition, events=("secret",)), 0)


@pytest.mark.parametrize("exhaustion", ["eager", "lazy"])
def test_choices_that_were_kept_are_those_made_anew(exhaustion: str) -> None:
    """A choice kept for one position and met again in another is what that other position would give by itself."""
    options, games = MANDALA.parse_options({"exhaustion": exhaustion}), int(os.environ.get("SANDRIVER_VIEW_PAIRS", "2000")) // 100
    positions = []
    for seed in range(games):
        rng, chance = random.Random(seed), RandomChance(seed)
        position = MANDALA.start(options, 2, seed % 2, chance)
        while position.to_move is not None:
            positions.append(position)
            legal = position.legal_actions
            position = MANDALA.play(position, legal[rng.randrange(len(legal))], chance).after
    forget()
    kept = [MANDALA.view(position, position.to_move, assist=True).choices for position in positions]
    for position, choices in zip(positions, kept, strict=True):
        forget()
        assert MANDALA.view(position, position.to_move, assist=True).choices == choices
