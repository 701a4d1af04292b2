"""Text to data and back: exact inverses for all actions and any position, and for any other text a typed refusal that names the field."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.stones.support import load
from tests.oracles.stones import every_action

from sandriver.games.chance import RandomChance
from sandriver.games.errors import GameError, NotationError, PositionError
from sandriver.games.stones import STONES, Action, Position

FIELDS = ["STACKS", "ARTISTS", "BOARDS", "MANDALA", "SCORES", "OBJECTIVES", "TURN", "FLAGS"]
CASES = {case["id"].removeprefix("stones-"): case["position"] for case in load("stones_cases.jsonl")}
MIDDLE = load("stones_games.jsonl")[0]["positions"][20]
COVERED, RUNNING_OUT = CASES["end-a-goes-on"], CASES["objective-spire"]


def with_field(field: str, text: str, line: str = MIDDLE) -> str:
    parts = line.split(" ")
    parts[FIELDS.index(field)] = text
    return " ".join(parts)


def field_of(line: str, field: str) -> str:
    return line.split(" ")[FIELDS.index(field)]


def test_all_actions_read_and_written() -> None:
    texts = every_action()
    assert len(texts) == len(set(texts)) == 9 * 9 * 24 * 5 + 4 + 31 + 1
    for text in texts[::7] + texts[-36:]:
        action = Action.parse(text)
        assert str(action) == action.text == text
        again = Action(action.kind, action.artist, action.to, action.first, action.space, action.colour, action.spaces)
        assert again == action
        assert hash(again) == hash(action)
        assert pickle.loads(pickle.dumps(action)) == action


@pytest.mark.parametrize(
    "values",
    [("pick",), ("pick", 1, 2, 25, 1), ("pick", 0, 2, 3, 1), ("pick", 1, 10, 3, 1), ("pick", 1, 2, 3, 6), ("pick", 1, 2, 3, 1, "Y"),
     ("colour",), ("colour", 0, 0, 0, 0, "G"), ("colour", 0, 0, 0, 0, "YR"), ("tops",), ("tops", 0, 0, 0, 0, "", (3, 1)),
     ("tops", 0, 0, 0, 0, "", (1, 1)), ("tops", 0, 0, 0, 0, "", (6,)), ("skip", 1), ("pass",)],
)  # fmt: skip
def test_actions_that_cannot_be_made(values: tuple[object, ...]) -> None:
    with pytest.raises(NotationError):
        Action(*values)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "x", "x" * 4000, "pA2-A5:S09@3>", "q1\nq2", "s\u202eY"])
def test_refused_text_is_quoted_in_one_line(text: str) -> None:
    with pytest.raises(NotationError, match=r"^unknown action ") as caught:
        Action.parse(text)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 80


@given(st.integers(0, 1 << 32), st.integers(0, 70), st.integers(2, 4))
@settings(max_examples=30)
def test_positions_round_trip(seed: int, plies: int, seats: int) -> None:
    chance = RandomChance(seed)
    position = Position.start(chance, seats=seats, first=seed % seats)
    while plies and position.to_move is not None:
        legal = position.legal_actions
        position = position.play(legal[chance.draw([1] * len(legal))]).after
        plies -= 1
    line = str(position)
    again = Position.parse(line)
    assert again == position
    assert hash(again) == hash(position)
    assert str(again) == line
    assert pickle.loads(pickle.dumps(position)) == position


def test_other_seats_and_other_rulesets_make_other_positions() -> None:
    options = STONES.parse_options({"tiebreak": "most_stones_left"})
    assert Position.parse(MIDDLE) != Position.parse(MIDDLE, options)
    assert Position.parse(MIDDLE) != "position"
    hidden = with_field("STACKS", field_of(MIDDLE, "STACKS").replace("pyrP", "(p)(y)(r)P", 1))
    assert hidden != MIDDLE
    assert Position.parse(hidden) != Position.parse(MIDDLE)


PIECES = st.sampled_from([*"YRBPyrbpA0123456789/-+?, ()", "A2+A8/A4+A6", "(y)", "-,-,-,-,-", "keep_star+spire", "0/3/1", "\n", "é"])


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
            assert field in {*FIELDS, "POSITION", "STONES"}
            assert str(refusal).startswith(f"{field}: ")
            assert len(str(refusal).splitlines()) == 1


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("STACKS", "-"),
        ("STACKS", ",".join(["-"] * 25)),
        ("STACKS", ",".join(["-"] * 23 + [""])),
        ("STACKS", ",".join(["-"] * 23 + ["Yx"])),
        ("STACKS", ",".join(["-"] * 23 + ["(Y)r"])),
        ("STACKS", ",".join(["-"] * 23 + ["(yr)b"])),
        ("STACKS", ",".join(["-"] * 23 + ["(y"])),
        ("STACKS", ",".join(["-"] * 23 + ["--"])),
        ("ARTISTS", "A2+A8"),
        ("ARTISTS", "A8+A2/A4+A6"),
        ("ARTISTS", "A2+A2/A4+A6"),
        ("ARTISTS", "A2+A8+A9/A4"),
        ("ARTISTS", "A0+A8/A4+A6"),
        ("ARTISTS", "A2+A10/A4+A6"),
        ("ARTISTS", "A2+A8/A4+A6/A1+A3"),
        ("BOARDS", "-,-,-,-,-"),
        ("BOARDS", "/".join(["-,-,-,-,-"] * 5)),
        ("BOARDS", "-,-,-,-/-,-,-,-,-"),
        ("BOARDS", "-,-,-,-,-,-/-,-,-,-,-"),
        ("BOARDS", "(y)R,-,-,-,-/-,-,-,-,-"),
        ("BOARDS", ",,,,/,,,,"),
        ("MANDALA", ""),
        ("MANDALA", "Y,R"),
        ("MANDALA", "(y)"),
        ("MANDALA", "YRG"),
        ("SCORES", "1"),
        ("SCORES", "1/2/3"),
        ("SCORES", "1/02"),
        ("SCORES", "1/-2"),
        ("SCORES", "1/"),
        ("SCORES", "1/+2"),
        ("OBJECTIVES", "?"),
        ("OBJECTIVES", "?/?/?"),
        ("OBJECTIVES", "?/spire"),
        ("OBJECTIVES", "?/spire+palette+terraces"),
        ("OBJECTIVES", "?/spire+"),
        ("OBJECTIVES", "?/spire+Palette"),
        ("OBJECTIVES", "?/?+?"),
        ("TURN", "0"),
        ("TURN", "3"),
        ("TURN", "12"),
        ("TURN", "A"),
        ("TURN", ""),
        ("FLAGS", "0"),
        ("FLAGS", "0/3"),
        ("FLAGS", "C/3/1"),
        ("FLAGS", "1/3/1"),
        ("FLAGS", "0/0/1"),
        ("FLAGS", "0/03/1"),
        ("FLAGS", "0/3/0"),
        ("FLAGS", "0/3/3"),
        ("FLAGS", "0/3/1/1"),
        ("FLAGS", "0/9999999999/1"),
    ],
)
def test_syntax_errors_name_the_field(field: str, text: str) -> None:
    with pytest.raises(NotationError, match=f"^{field}: ") as caught:
        Position.parse(with_field(field, text))
    assert caught.value.params == {"field": field}


@pytest.mark.parametrize("line", ["", MIDDLE + " ", " " + MIDDLE, MIDDLE.replace(" ", "  ", 1), MIDDLE.replace(" ", "\t"), "x"])
def test_lines_without_eight_fields(line: str) -> None:
    with pytest.raises(NotationError, match=r"^POSITION: "):
        Position.parse(line)


STACKS = field_of(MIDDLE, "STACKS").split(",")


def stacks_with(number: int, stack: str) -> str:
    return with_field("STACKS", ",".join([*STACKS[:number], stack, *STACKS[number + 1 :]]))


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("STACKS", stacks_with(0, "YRYRY")),
        ("STACKS", stacks_with(0, "(y)")),
        ("STACKS", stacks_with(0, "Y(r)")),
        ("ARTISTS", with_field("ARTISTS", "A2+A8/A4+A8")),
        ("ARTISTS", with_field("ARTISTS", "A4+A6/A4+A6")),
        ("BOARDS", with_field("BOARDS", "YRYRY,-,-,-,-/-,-,-,-,-")),
        ("MANDALA", with_field("MANDALA", "Y" * 81)),
        ("MANDALA", with_field("MANDALA", "Y" * 97)),
        ("OBJECTIVES", with_field("OBJECTIVES", "spire+spire/?")),
        ("OBJECTIVES", with_field("OBJECTIVES", "spire+palette/terraces+spire")),
        ("FLAGS", with_field("TURN", "-")),
        ("FLAGS", with_field("FLAGS", "A/3/1")),
        ("FLAGS", with_field("FLAGS", "0/3/1", RUNNING_OUT)),
        ("FLAGS", with_field("FLAGS", "A/20/1", RUNNING_OUT)),
        ("FLAGS", with_field("FLAGS", "B/20/1", RUNNING_OUT)),
        ("STONES", stacks_with(STACKS.index(next(filter("-".__ne__, STACKS))), "-")),
        ("STONES", with_field("MANDALA", field_of(MIDDLE, "MANDALA")[:-1])),
        ("STONES", MIDDLE.replace("Y", "y", 1)),
        ("STONES", MIDDLE.replace("Y", "R", 1)),
    ],
)
def test_impossible_positions_name_field_and_fault(field: str, line: str) -> None:
    with pytest.raises(PositionError, match=f"^{field}: ") as caught:
        Position.parse(line)
    assert caught.value.field == caught.value.params["field"] == field
    assert caught.value.code


def test_status_tells_everything_at_once() -> None:
    line = with_field("FLAGS", "A/3/1", with_field("ARTISTS", "A2+A8/A4+A8", with_field("OBJECTIVES", "spire+spire/?")))
    fields = [problem.field for problem in Position.parse(line, check=False).status()]
    assert {"ARTISTS", "OBJECTIVES", "FLAGS"} <= set(fields)
    assert fields == sorted(fields, key=[*FIELDS, "STONES"].index)
    assert str(Position.parse(line, check=False)) == line


@pytest.mark.parametrize("objectives", ["?/?", "spire+palette/?", "?/keep_star+open_space"])
def test_hidden_objectives_are_no_fault(objectives: str) -> None:
    line = with_field("OBJECTIVES", objectives, RUNNING_OUT)
    position = Position.parse(line)
    assert str(position) == line
    assert not position.complete
    end = position.play(Action.parse("q1")).after
    track = (11, 20)
    own = [0 if cards is None else end.scores[seat] - track[seat] for seat, cards in enumerate(end.objectives)]
    assert end.track == track
    assert [points > 0 for points in own] == [cards is not None for cards in end.objectives]
