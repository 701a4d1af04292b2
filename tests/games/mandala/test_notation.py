"""Text to data and back: exact inverses for all actions and any position, and for any other text a typed refusal that names the field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandriver.games.chance import RandomChance
from sandriver.games.errors import GameError, NotationError, PositionError
from sandriver.games.mandala import ACTIONS, COLOURS, Action, Cards, Options, Position
from sandriver.games.mandala.actions import format_move, parse_move

START = "K2/-/- G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"
FIELDS = ["M1", "M2", "HANDS", "RIVERS", "CUPS", "DECK", "DISCARD", "TURN", "FLAGS"]


def with_field(field: str, text: str, line: str = START) -> str:
    parts = line.split(" ")
    parts[FIELDS.index(field)] = text
    return " ".join(parts)


def test_all_actions_in_order() -> None:
    texts = [f"b{m}{c}" for m in "12" for c in COLOURS] + [f"f{m}{c}{n}" for m in "12" for c in COLOURS for n in range(1, 8)]
    texts += [f"d{c}{n}" for c in COLOURS for n in range(1, 9)] + [f"c{c}" for c in COLOURS]
    assert [str(action) for action in ACTIONS] == texts
    assert [action.index for action in ACTIONS] == list(range(150))
    for text, action in zip(texts, ACTIONS, strict=True):
        assert Action.parse(text) is action
        assert Action(action.kind, action.colour, action.count, action.mandala) == action


@pytest.mark.parametrize(
    "text", ["", "b", "b0K", "b3K", "b1k", "b1K1", "f1K0", "f1K8", "dK9", "dK", "dK01", "cX", "c", " cK", "cK\n", "d١", "-b1K", "b1K>"]
)
def test_no_actions(text: str) -> None:
    with pytest.raises(NotationError, match=r"^unknown action ") as caught:
        Action.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values", [("build", "K"), ("grow", "K", 8, 0), ("grow", "K", 1, 2), ("claim", "KG"), ("redraw", "", 1), ("claim", "K", 1, 0)]
)
def test_actions_that_cannot_be_made(values: tuple[object, ...]) -> None:
    with pytest.raises(NotationError):
        Action(*values)  # type: ignore[arg-type]


def test_moves() -> None:
    assert parse_move("b1R>GPY") == (Action.parse("b1R"), [1, 2, 3])
    assert parse_move("b1R>") == parse_move("b1R") == (Action.parse("b1R"), [])
    written = {"b1R": "b1R>", "dO2 KK": "dO2>KK", "cG": "cG", "cG RR": "cG>RR", "f1K1": "f1K1"}
    for chosen, move in written.items():
        action, _, dealt = chosen.partition(" ")
        assert format_move(Action.parse(action), dealt) == move
    for text in ("b1R>?3", "b1R>G>P", "b1R>g", "b1R> G", "b1R>G\n"):
        with pytest.raises(NotationError) as caught:
            parse_move(text)
        assert caught.value.code == "bad_chance"


@pytest.mark.parametrize(
    "text", ["", "K", "K0", "K01", "G1K1", "K1K1", "k1", "K-1", "K1 ", "--", "?", "?0", "?01", "?7K1", "K1111", "K19", "?109", "K1\n"]
)
def test_no_card_sets(text: str) -> None:
    with pytest.raises(NotationError):
        Cards.parse(text)


@given(st.lists(st.integers(0, 18), min_size=6, max_size=6))
def test_card_sets_round_trip(counts: list[int]) -> None:
    cards = Cards(dict(zip(COLOURS, counts, strict=True)))
    assert Cards.parse(str(cards)) == cards
    assert cards.total == sum(counts)
    assert Cards.hidden(sum(counts)).total == sum(counts)


@given(st.integers(0, 1 << 32), st.integers(0, 90), st.booleans())
def test_positions_round_trip(seed: int, plies: int, lazy: bool) -> None:
    chance, options = RandomChance(seed), Options("lazy" if lazy else "eager")
    position = Position.start(chance, options=options, first=seed % 2)
    while plies and position.to_move is not None:
        legal = position.legal_actions
        position = position.play(legal[chance.draw([1] * len(legal))], chance).after
        plies -= 1
    line = str(position)
    assert Position.parse(line, options) == position
    assert str(Position.parse(line, options)) == line


PIECES = st.sampled_from([*"KGPYOR0123456789/+-? AB*", "K2", "-/-", "/-/-", "?6", "A*1B", "0/3", "\n", "é", "K15G15P14Y14O15R15"])


@given(
    st.one_of(
        st.text(), st.lists(PIECES, max_size=40).map("".join), st.tuples(st.sampled_from(FIELDS), st.text()).map(lambda x: with_field(*x))
    )
)
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for check in (True, False):
        refusal: GameError | None = None
        line = ""
        try:
            line = str(Position.parse(text, check=check))
        except GameError as error:
            refusal = error
        if refusal is None:
            assert line == text
        else:
            field = str(refusal.params["field"])
            assert field in {*FIELDS, "POSITION", "CARDS"}
            assert str(refusal).startswith(f"{field}: ")
            assert len(str(refusal).splitlines()) == 1


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("M1", "K2/-"),
        ("M1", "K2/-/-/-"),
        ("M2", "?2/-/-"),
        ("M2", "G2/-/?1"),
        ("HANDS", "P3Y3"),
        ("HANDS", "P3Y3/?0"),
        ("HANDS", "P3Y3/"),
        ("RIVERS", "-/"),
        ("RIVERS", "-/X"),
        ("RIVERS", "-/K1"),
        ("CUPS", "K1G1+-/P1Y1"),
        ("CUPS", "K1G1+-+-/P1Y1+-"),
        ("CUPS", "K1G1/P1Y1+-"),
        ("DECK", ""),
        ("DECK", "?"),
        ("DECK", "15"),
        ("DISCARD", "?0"),
        ("DISCARD", "?3"),
        ("TURN", "a"),
        ("TURN", "A*3B"),
        ("TURN", "A*1"),
        ("TURN", "A*1-"),
        ("FLAGS", "2/0"),
        ("FLAGS", "0/"),
        ("FLAGS", "0/01"),
        ("FLAGS", "0"),
        ("FLAGS", "0/-1"),
        ("FLAGS", "0/9999999999"),
    ],
)
def test_syntax_errors_name_the_field(field: str, text: str) -> None:
    with pytest.raises(NotationError, match=f"^{field}: ") as caught:
        Position.parse(with_field(field, text))
    assert caught.value.params == {"field": field}


@pytest.mark.parametrize("line", ["", START + " ", " " + START, START.replace(" A", "  A"), START.replace(" ", "\t"), "x"])
def test_lines_without_nine_fields(line: str) -> None:
    with pytest.raises(NotationError, match=r"^POSITION: "):
        Position.parse(line)


CLAIM = "K3G2R1/P2/Y1O1 G2/-/- P3Y3/O3R3 -/- K1G1+-/P1Y1+- K14G13P12Y13O14R14 - B*1A 0/0"


@pytest.mark.parametrize(
    ("field", "code", "line"),
    [
        ("M1", "six_colours", CLAIM.replace("B*1A", "B")),
        ("M2", "colour_in_two_areas", with_field("M2", "G2/G1/-")),
        ("HANDS", "hand_size", with_field("HANDS", "-/O3R3")),
        ("HANDS", "hand_size", with_field("HANDS", "?9/O3R3")),
        ("RIVERS", "river_repeats", with_field("RIVERS", "KK/-")),
        ("RIVERS", "river_full", with_field("RIVERS", "-/KGPYOR")),
        ("CUPS", "dealt_size", with_field("CUPS", "K1+-/P1Y1+-")),
        ("CUPS", "claimed_without_river", with_field("CUPS", "K1G1+R1/P1Y1+-")),
        ("CUPS", "claimed_without_river", with_field("CUPS", "K1G1+-/P1Y1+?1")),
        ("DECK", "deck_empty", with_field("DECK", "-").replace(" - - ", " - K15G15P14Y14O15R15 ").replace("0/0", "1/0")),
        ("TURN", "not_over", with_field("TURN", "-")),
        ("TURN", "wrong_claimer", CLAIM.replace("B*1A", "A*1A")),
        ("TURN", "wrong_claimer", CLAIM.replace("B*1A", "B*1B")),
        ("TURN", "nothing_to_claim", with_field("TURN", "A*1A")),
        ("FLAGS", "stalled", with_field("FLAGS", "0/20")),
        ("CARDS", "card_count", with_field("DECK", "K15G15P14Y14O15R14")),
        ("CARDS", "card_count", with_field("DECK", "K14G16P14Y14O15R15")),
        ("CARDS", "card_count", with_field("DECK", "?87")),
        ("CARDS", "card_count", with_field("DECK", "K19")),
        ("CARDS", "card_count", with_field("DECK", "?999")),
    ],
)
def test_impossible_positions_name_field_and_fault(field: str, code: str, line: str) -> None:
    with pytest.raises(PositionError, match=f"^{field}: ") as caught:
        Position.parse(line)
    assert (caught.value.field, caught.value.code) == (field, code)


def test_deck_that_ran_out_needs_its_flag() -> None:
    line = "K9Y6O8/-/G1P9 G1Y4O8R3/P7/- O1/Y1 GKYR/- P1O1+K8G15Y5R14/P1Y1+- - - A 0/4"
    with pytest.raises(PositionError, match=r"^FLAGS: ") as caught:
        Position.parse(line)
    assert caught.value.code == "last_mandala_unset"
    assert str(Position.parse(line, Options("lazy"))) == line
