"""``Position`` and its neighbours: what they offer, what they refuse and why, how a game ends, and that the examples in them are true."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ET

import pytest

from sandriver.games.chance import ListedChance, RandomChance
from sandriver.games.errors import ChanceError, IllegalAction, OptionError, PositionError
from sandriver.games.mandala import ACTIONS, COLOURS, MANDALA, Action, Cards, Options, Position, wire
from sandriver.games.mandala.options import format_options, parse_options

START = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
CLAIM = "K3G2R1/P2/Y1O1 G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K14G13P12Y13O14R14 - B*1A 0/0"
OVER = "-/-/- G2/-/- P3Y3/O3R3 G/KR K1G1+G1/P1Y1+K2 K14G13P12Y13O14R14 P2Y1O1 - 1/0"


IN_MOUNTAIN = "K2/-/- G2/-/- K1P2Y3/O3R3 -/- K1G1+-/P1Y1+- K14G15P15Y14O15R15 - A 0/0"
IN_OWN_FIELD = "K2/P1/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P13Y14O15R15 - A 0/0"
IN_OTHER_FIELD = "K2/-/- G2/-/P1 P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P13Y14O15R15 - A 0/0"


# --- the parts -------------------------------------------------------------------------------------


def test_start_deals_in_the_agreed_order() -> None:
    colours = [0, 0, 1, 1, *[2] * 6, *[3] * 6, 4, 4, 5, 5]
    position = Position.start(ListedChance(colours), first=1)
    assert str(position) == "K2/-/- G2/-/- P6/Y6 -/- O2+-/R2+- K16G16P12Y12O16R16 - B 0/0"
    assert position.to_move == 1
    assert position.outcome is None


def test_attributes_say_what_the_line_says() -> None:
    position = Position.parse(CLAIM)
    assert position.mountains == (Cards.parse("K3G2R1"), Cards.parse("G2"))
    assert position.fields[0] == (Cards.parse("P2"), Cards.parse("Y1O1"))
    assert position.hands[1] == Cards({"O": 3, "R": 3})
    assert position.rivers == ("", "")
    assert [str(cards) for cards in (*position.dealt, *position.claimed, position.deck, position.discard)] == [
        "K1G1", "P1Y1", "-", "-", "K14G13P12Y13O14R14", "-",
    ]  # fmt: skip
    assert position.claim is not None
    assert (position.claim.mandala, position.claim.completer, position.to_move, position.turn) == (0, 0, 1, "B*1A")
    assert (position.last_mandala, position.redraws, position.scores, position.complete) == (False, 0, (0, 0), True)


def test_equal_positions_are_equal_and_travel() -> None:
    position = Position.parse(START)
    assert position == Position.parse(START)
    assert hash(position) == hash(Position.parse(START))
    assert position != Position.parse(START, Options(stall_limit=5))
    assert position != Position.parse(CLAIM)
    assert position != START
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.deepcopy(position) == position
    hidden = Position.parse(START.replace("O3R3", "?6").replace(" - A", " - A"))
    assert pickle.loads(pickle.dumps(hidden)) == hidden != position


def test_cards_count_and_compare() -> None:
    cards = Cards.parse("K2R1")
    assert (cards.total, len(cards), "K" in cards, "G" in cards, cards.known) == (3, 3, True, False, True)
    assert pickle.loads(pickle.dumps(cards)) == cards
    assert {cards, Cards({"R": 1, "K": 2})} == {cards}
    assert Cards.hidden(0) == Cards()
    hidden = Cards.hidden(4)
    assert (str(hidden), hidden.total, hidden.known) == ("?4", 4, False)
    for ask in (lambda: hidden["K"], lambda: list(hidden)):
        with pytest.raises(ValueError, match="not known"):
            ask()
    with pytest.raises(KeyError):
        cards["X"]


def test_legal_actions_are_a_sequence() -> None:
    legal = Position.parse(START).legal_actions
    texts = [str(action) for action in legal]
    assert len(legal) == len(texts) == 22
    assert [legal[0], legal[-1]] == [Action.parse("b1P"), Action.parse("dY3")]
    assert legal[2:4] == [Action.parse("b2P"), Action.parse("b2Y")]
    assert [action in legal for action in ACTIONS] == [str(action) in texts for action in ACTIONS]
    assert not list(filter(legal.__contains__, texts))  # actions, not their texts
    with pytest.raises(IndexError):
        legal[22]


def test_playing_leaves_the_position_as_it_was() -> None:
    position = Position.parse(START)
    transition = position.replay("b1P>GPY")
    assert str(position) == START
    assert (transition.before, transition.seat, transition.dealt, transition.move) == (position, 0, "GPY", "b1P>GPY")
    assert transition.events == (wire.Built(0, 0, "P"), wire.Drawn(0, "G1P1Y1"))
    assert position.play(Action.parse("b1P"), ListedChance([1, 2, 3])).after == transition.after


# --- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "action", "code", "params"),
    [
        (IN_MOUNTAIN, "f1K1", "colour_in_mountain", {"colour": "K", "mandala": 0}),
        (IN_OWN_FIELD, "b1P", "colour_in_own_field", {"colour": "P", "mandala": 0}),
        (IN_OTHER_FIELD, "b2P", "colour_in_other_field", {"colour": "P", "mandala": 1}),
        (IN_OTHER_FIELD, "f2P1", "colour_in_other_field", {"colour": "P", "mandala": 1}),
        ("K2/-/- G2/-/- P3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y17O15R15 - A 0/0", "f1P3", "must_keep_card", {}),
        (START, "dP4", "not_in_hand", {"colour": "P", "count": 4, "held": 3}),
        (START, "b1R", "not_in_hand", {"colour": "R", "count": 1, "held": 0}),
        (CLAIM, "b1O", "must_claim", {}),
        (CLAIM, "cO", "not_in_mountain", {"colour": "O"}),
        (START, "cK", "not_claiming", {}),
        (OVER, "dP1", "game_over", {}),
    ],
)  # fmt: skip
def test_forbidden_actions_name_their_rule(line: str, action: str, code: str, params: dict[str, object]) -> None:
    position = Position.parse(line)
    reason = position.explain(Action.parse(action))
    assert reason is not None
    assert (reason.code, reason.params) == (code, params)
    with pytest.raises(IllegalAction, match=rf"^{action}: ") as caught:
        position.play(Action.parse(action), RandomChance(1))
    assert caught.value.code == code


def test_only_card_needs_something_to_draw() -> None:
    line = "K9Y6O8/-/G1P9 G1Y4O8R3/P7/- O1/Y1 GKYR/- P1O1+K8G15Y5R14/P1Y1+- - - A 1/4"
    position = Position.parse(line, Options(exhaustion="lazy"))
    reason = position.explain(Action.parse("b1O"))
    assert reason is not None
    assert reason.code == "nothing_to_draw"
    assert [str(action) for action in position.legal_actions] == ["dO1"]
    assert position.explain(Action.parse("dO1")) is None


@pytest.mark.parametrize(
    ("move", "code", "params"),
    [
        ("b1P>GP", "chance_missing", {"action": "b1P", "expected": 3, "given": 2}),
        ("b1P", "chance_missing", {"action": "b1P", "expected": 3, "given": 0}),
        ("b1P>GPYO", "chance_left_over", {"action": "b1P", "expected": 3, "given": 4}),
        ("f1P1>K", "chance_left_over", {"action": "f1P1", "expected": 0, "given": 1}),
    ],
)
def test_wrong_chance_says_what_was_expected(move: str, code: str, params: dict[str, object]) -> None:
    with pytest.raises(ChanceError) as caught:
        Position.parse(START).replay(move)
    assert (caught.value.code, caught.value.params) == (code, params)
    assert str(params["expected"] or "no card") in str(caught.value)


@pytest.mark.parametrize("colour", [0, -1, 6, 1_000_000])
def test_cards_that_are_not_in_the_deck_are_refused(colour: int) -> None:
    line = START.replace("K15G15P14Y14O15R15 -", "G15P14Y14O15R15 K15")
    with pytest.raises(ChanceError) as caught:
        Position.parse(line).play(Action.parse("dP1"), ListedChance([colour]))
    assert caught.value.code == "chance_not_in_deck"


def test_hidden_positions_tell_what_they_can() -> None:
    position = Position.parse("K2/-/- G2/-/- P3Y3/?6 -/- K1G1+-/?2+- ?88 - A 0/0")
    assert (str(position.hands[1]), position.deck.total, position.complete) == ("?6", 88, False)
    assert len(position.legal_actions) == 22
    with pytest.raises(PositionError, match=r"^HANDS: ") as caught:
        position.play(Action.parse("dP1"), RandomChance(1))
    assert caught.value.code == "hidden"
    with pytest.raises(PositionError, match=r"^CUPS: "):
        _ = position.scores
    with pytest.raises(PositionError, match=r"^HANDS: the hand of A is hidden"):
        _ = Position.parse("K2/-/- G2/-/- ?6/O3R3 -/- K1G1+-/?2+- ?88 - A 0/0").legal_actions


def test_status_tells_everything_that_is_wrong() -> None:
    line = "K2/K1/- G2/-/- P5Y4/O3 GKPYOR/- K1+Y1/P1Y1+O1 - K13G16P12Y13O13R18 A 0/20"
    problems = Position.parse(line, check=False).status()
    assert [problem.field for problem in problems] == [
        "M1", "HANDS", "RIVERS", "CUPS", "CUPS", "DECK", "FLAGS", "FLAGS", "CARDS", "CARDS", "CARDS", "CARDS", "CARDS",
    ]  # fmt: skip
    assert all(str(problem).startswith(f"{problem.field}: ") for problem in problems)
    with pytest.raises(PositionError) as caught:
        Position.parse(line)
    assert (caught.value.field, str(caught.value)) == (problems[0].field, str(problems[0]))
    assert Position.parse(START).status() == []


def test_options_are_checked() -> None:
    assert parse_options(format_options(Options("lazy", 7, memory_aid=True))) == Options("lazy", 7, memory_aid=True)
    for raw in ({"stall_limit": -1}, {"stall_limit": True}, {"stall_limit": "5"}, {"exhaustion": "late"}, {"memory_aid": 1}, {"colour": 1}):
        with pytest.raises(OptionError) as caught:
            parse_options(raw)
        assert caught.value.params["option"] == next(iter(raw))
    for seats, first in ((3, 0), (2, 2)):
        with pytest.raises(OptionError):
            MANDALA.start(Options(), seats, first, RandomChance(1))


# --- the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cups", "scores", "winners"),
    [
        ("K1P1+K2/P1Y1+-", (3, 0), (0,)),
        ("Y1O1+K1/K1P1+K1O1", (1, 4), (1,)),
        ("P1Y1+K2/K1P1+K1", (2, 2), (1,)),  # fewer cards in the cup
        ("P1Y1+K1/K1P1+-", (1, 1), (1,)),
        ("P1Y1+K1/P1Y1+K1", (1, 1), (0, 1)),  # a draw
    ],
)
def test_outcome(cups: str, scores: tuple[int, int], winners: tuple[int, ...]) -> None:
    line = f"-/-/- G2/-/- P3Y3/O3R3 K/KO {cups} - - - 1/0"
    outcome = Position.parse(line, check=False).outcome
    assert outcome is not None
    assert (outcome.reason, outcome.scores, outcome.winners) == ("last_mandala", scores, winners)


def test_reason_survives_the_notation() -> None:
    reasons: dict[str, int] = {}
    for seed in range(60):
        chance, options = RandomChance(seed), Options(stall_limit=4)
        position = Position.start(chance, options=options)
        events: tuple[object, ...] = ()
        while position.to_move is not None:
            legal = position.legal_actions
            transition = position.play(legal[chance.draw([1] * len(legal))], chance)
            position, events = transition.after, transition.events
        assert position.outcome is not None
        assert events[-1] == wire.Ended(position.outcome)
        assert Position.parse(str(position), options) == position
        reasons[position.outcome.reason] = reasons.get(position.outcome.reason, 0) + 1
    assert set(reasons) == {"sixth_colour", "last_mandala", "stall"}


# --- pictures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [START, CLAIM, OVER, "K2/-/- G2/-/- P3Y3/?6 -/- K1G1+-/?2+- ?88 - A 0/0"])
def test_drawings_show_every_card(line: str) -> None:
    position = Position.parse(line)
    picture = ET.fromstring(position._repr_svg_())
    used = [element.get("href", "")[-1] for element in picture.iter() if element.tag.endswith("}use")]
    shown = [position.mountains, *position.fields, position.hands]
    sets = [cards for pair in shown for cards in pair if cards.known]
    for colour in COLOURS:
        assert used.count(colour) == sum(cards[colour] for cards in sets) + "".join(position.rivers).count(colour)
    text = position.draw()
    assert f"deck {position.deck.total}" in text
    assert all(len(row) < 100 and row == row.rstrip() for row in text.splitlines())


def test_text_drawing() -> None:
    assert Position.parse(CLAIM).draw().splitlines() == [
        "B  hand OOO RRR | river ...... | cup P1Y1+-",
        "",
        "mandala 1        mandala 2",
        "  B  Y O           B  -",
        "  △  KKK GG R      △  GG",
        "  A  PP            A  -",
        "",
        "A  hand PPP YYY | river ...... | cup K1G1+-",
        "",
        "deck 80, discard -; B claims in mandala 1",
    ]
    assert Position.parse(OVER).draw().splitlines()[-1] == "deck 80, discard P2Y1O1, last mandala; over (last_mandala): A"
