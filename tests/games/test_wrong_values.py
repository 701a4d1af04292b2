"""Values of a wrong kind or out of range are refused in words that say what is wanted, by every game alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from sandriver import games
from sandriver.games import mandala, stones
from sandriver.games.chance import ListedChance, RandomChance
from sandriver.games.contract import Game
from sandriver.games.errors import ChanceError, NotationError, OptionError, PositionError

every_game = pytest.mark.parametrize("game", games.GAMES.values(), ids=list(games.GAMES))
PACKAGES: dict[str, Any] = {"mandala": mandala, "stones": stones}
FOREIGN = {"mandala": stones.Action.parse("sY"), "stones": mandala.Action.parse("b1K")}


class Answering:
    """A source of chance that answers always the same, whatever that is."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def draw(self, weights: Sequence[int]) -> Any:
        return self.answer


def asks(*ways: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """Several ways to ask for the same."""
    return ways


def started(game: Game) -> Any:
    return game.start(game.parse_options({}), game.seat_counts[0], 0, RandomChance(1))


@every_game
@pytest.mark.parametrize("first", [-1, 2, 5, 100_000_000, 1 << 70, 0.0, True, None, "A"])
def test_a_first_seat_that_there_is_not_is_refused(game: Game, first: Any) -> None:
    for start in asks(
        lambda: PACKAGES[game.id].Position.start(RandomChance(1), first=first),
        lambda: game.start(game.parse_options({}), game.seat_counts[0], first, RandomChance(1)),
    ):
        with pytest.raises(OptionError) as caught:
            start()
        assert caught.value.params == {"option": "first"}


@every_game
@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 1 << 70, 2.0, True, None])
def test_a_number_of_seats_that_there_is_not_is_refused(game: Game, seats: Any) -> None:
    for start in asks(
        lambda: PACKAGES[game.id].Position.start(RandomChance(1), seats=seats),
        lambda: game.start(game.parse_options({}), seats, 0, RandomChance(1)),
    ):
        with pytest.raises(OptionError) as caught:
            start()
        assert caught.value.params == {"option": "seats"}


@every_game
def test_a_list_of_outcomes_that_is_too_short_is_a_chance_error(game: Game) -> None:
    with pytest.raises(ChanceError) as caught:
        PACKAGES[game.id].Position.start(ListedChance([0, 1]))
    assert (caught.value.code, caught.value.params) == ("chance_missing", {"given": 2})


def test_play_without_enough_outcomes_is_a_chance_error() -> None:
    position = mandala.Position.start(RandomChance(1))
    build = next(action for action in position.legal_actions if action.kind == "build")
    with pytest.raises(ChanceError) as caught:
        position.play(build, ListedChance([]))
    assert caught.value.code == "chance_missing"


@every_game
@pytest.mark.parametrize("answer", [None, "0", 1.0, [0]])
def test_an_answer_of_chance_that_is_no_number_is_a_chance_error(game: Game, answer: Any) -> None:
    with pytest.raises(ChanceError, match="whole number") as caught:
        PACKAGES[game.id].Position.start(Answering(answer))
    assert caught.value.code == "chance_no_number"


@every_game
@pytest.mark.parametrize("answer", [-1, 8, 1 << 80])
def test_an_answer_of_chance_that_is_not_there_is_a_chance_error(game: Game, answer: int) -> None:
    with pytest.raises(ChanceError):
        PACKAGES[game.id].Position.start(Answering(answer))


@every_game
def test_what_is_no_source_of_chance_is_refused(game: Game) -> None:
    with pytest.raises(TypeError, match="RandomChance"):
        PACKAGES[game.id].Position.start(7)


@every_game
@pytest.mark.parametrize("wrong", [3, None, ["b1K"], b"b1K"])
def test_what_is_no_text_is_refused(game: Game, wrong: Any) -> None:
    position = started(game)
    for ask in asks(game.parse_action, position.replay, lambda text: game.parse_position(text, game.parse_options({}))):
        with pytest.raises(TypeError, match="is wanted, not"):
            ask(wrong)


@every_game
def test_what_is_no_action_of_the_game_is_refused(game: Game) -> None:
    position = started(game)
    text = game.format_action(position.legal_actions[0])
    for wrong in (text, FOREIGN[game.id], 0, None):
        assert wrong not in position.legal_actions
        for ask in asks(lambda action: position.play(action, RandomChance(1)), position.explain):
            with pytest.raises(TypeError, match=r"Action of Mandala.* is wanted, such as Action\.parse"):
                ask(wrong)


@every_game
def test_what_are_no_options_are_refused(game: Game) -> None:
    position = started(game)
    for ask in asks(
        lambda: PACKAGES[game.id].Position.start(RandomChance(1), options={}),
        lambda: PACKAGES[game.id].Position.parse(str(position), {}),
    ):
        with pytest.raises(TypeError, match="Options"):
            ask()


@every_game
@pytest.mark.parametrize(("viewer", "kind"), [(7, ValueError), (-1, ValueError), ("A", TypeError), (1.0, TypeError), (True, TypeError)])
def test_a_viewer_that_there_is_not_is_refused(game: Game, viewer: Any, kind: type[Exception]) -> None:
    position = started(game)
    transition = game.play(position, position.legal_actions[0], RandomChance(1))
    for ask in asks(
        lambda: game.view(position, viewer),
        lambda: game.view(position, viewer, assist=True),
        lambda: game.hear(transition, viewer),
    ):
        with pytest.raises(kind, match="a viewer is a seat from 0 to 1, or None"):
            ask()


@pytest.mark.parametrize(
    "values",
    [
        ("grow", "K", 2.0, 1), ("grow", "K", True, 1), ("build", "K", 1, True), ("build", "K", 1, 0.0), ("build", "K", 1), ("claim", 5),
        ("claim", None), (3, "K"), (["claim"], "K"), ("claim", "KG"), ("redraw", "K", 9), ("redraw", "K", "1"), ("claim", "K", 1, 0),
    ],
)  # fmt: skip
def test_actions_of_mandala_that_there_are_not(values: tuple[Any, ...]) -> None:
    with pytest.raises(NotationError, match="there is no action"):
        mandala.Action(*values)


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "pick", "artist": 2.0, "to": 5, "first": 9, "space": 3},
        {"kind": "pick", "artist": True, "to": 5, "first": 9, "space": 3},
        {"kind": "pick", "artist": 2, "to": 5, "first": "09", "space": 3},
        {"kind": "tops", "spaces": [1, 3]},
        {"kind": "tops", "spaces": 3},
        {"kind": "tops", "spaces": (3, 1)},
        {"kind": "tops"},
        {"kind": "colour", "colour": 1},
        {"kind": "colour", "colour": "YR"},
        {"kind": 3},
        {"kind": ["skip"]},
        {"kind": "skip", "to": 1},
        {"kind": "pick", "artist": 1, "to": 2, "first": 25, "space": 1},
    ],
)
def test_actions_of_stones_that_there_are_not(values: dict[str, Any]) -> None:
    with pytest.raises(NotationError, match="there is no action"):
        stones.Action(**values)


def test_sets_of_cards_that_there_are_not() -> None:
    cards: Any = mandala.Cards
    wrong: list[Callable[[], Any]] = [
        lambda: cards.hidden(2.5), lambda: cards.hidden(True), lambda: cards.hidden(109), lambda: cards({"K": 2.0}),
        lambda: cards({"K": True}), lambda: cards({3: 1}), lambda: cards({"KG": 1}), lambda: cards({"K": 19}),
    ]  # fmt: skip
    for make in wrong:
        with pytest.raises(NotationError, match="a set holds"):
            make()
    for text in ("K2", 7, ["K"]):
        with pytest.raises(TypeError, match="mapping"):
            cards(text)
    with pytest.raises(TypeError, match="count string"):
        cards.parse(3)


def test_what_is_no_colour_is_in_no_set_of_cards() -> None:
    cards: Any = mandala.Cards.parse("K2G1")
    assert [thing in cards for thing in ("K", "KG", "", "k", 3, None, ("K", 2))] == [True, *[False] * 6]
    for wrong in ("KG", "", 3):
        with pytest.raises(KeyError):
            cards[wrong]


@pytest.mark.parametrize(
    ("values", "option"),
    [
        ({"exhaustion": "x"}, "exhaustion"), ({"exhaustion": None}, "exhaustion"), ({"stall_limit": -1}, "stall_limit"),
        ({"stall_limit": 1 << 40}, "stall_limit"), ({"stall_limit": 3.0}, "stall_limit"), ({"stall_limit": True}, "stall_limit"),
        ({"memory_aid": 1}, "memory_aid"),
    ],
)  # fmt: skip
def test_options_of_mandala_are_checked_however_they_are_made(values: dict[str, Any], option: str) -> None:
    for make in asks(lambda: mandala.Options(**values), lambda: mandala.parse_options(values)):
        with pytest.raises(OptionError) as caught:
            make()
        assert (caught.value.code, caught.value.params) == ("bad_option", {"option": option})


def test_options_of_stones_are_checked_however_they_are_made() -> None:
    import msgspec

    shipped = stones.Options().ruleset
    with pytest.raises(OptionError) as caught:
        stones.Options({"schema": 1})  # type: ignore[arg-type]
    assert caught.value.params == {"option": "ruleset"}
    low = msgspec.structs.replace(shipped.stones, per_pair=11)
    with pytest.raises(OptionError) as caught:
        stones.Options(msgspec.structs.replace(shipped, stones=low))
    assert caught.value.code == "bad_ruleset"
    assert caught.value.params["field"] == "stones.per_pair"
    steep = msgspec.structs.replace(shipped.score_tops, each=1 << 40)
    with pytest.raises(OptionError) as caught:
        stones.Options(msgspec.structs.replace(shipped, score_tops=steep))
    assert caught.value.params["field"] == "score_tops.each"


HANDS = "K2/-/- G2/-/- P3Y3/{hand} -/- K1G1+-/P1Y1+- K15G15P14Y14O15R15 - A 0/0"


@pytest.mark.parametrize(
    ("package", "line"),
    [
        (mandala, HANDS.format(hand="O3R3").replace("P3Y3", "K18G18P18Y18O18R18")),
        (mandala, HANDS.format(hand="O3R3").replace("P3Y3", "P9")),
        (mandala, HANDS.format(hand="O3R3").replace("P3Y3", "-")),
        (stones, "{stacks} A2+A4/A4+A8 -,-,-,-,-/-,-,-,-,- - 0/0 ?/? 1 0/1/1".format(stacks=",".join(["YRBP"] * 24))),
        (stones, "{stacks} A2+A4/A6+A8 -,-,-,-,-/-,-,-,-,- - 0/0 ?/? 1 0/1/1".format(stacks=",".join(["YR(b)"] * 24))),
    ],
)
def test_an_impossible_position_can_be_looked_at_but_not_played_on(package: Any, line: str) -> None:
    position = package.Position.parse(line, check=False)
    first = position.status()[0]
    assert str(position) == line
    action = package.Action.parse("b1P" if package is mandala else "sY")
    for ask in asks(lambda: position.legal_actions, lambda: position.play(action, RandomChance(1)), lambda: position.explain(action)):
        with pytest.raises(PositionError) as caught:
            ask()
        assert (caught.value.field, caught.value.code) == (first.field, first.code)


def test_a_possible_position_read_without_asking_is_played_on() -> None:
    position = mandala.Position.parse(HANDS.format(hand="O3R3"), check=False)
    assert len(position.legal_actions) == 22
    assert position.replay("b1P>GPY").after == mandala.Position.parse(str(position)).replay("b1P>GPY").after


def test_nothing_is_explained_about_a_hidden_hand() -> None:
    position = mandala.Position.parse(HANDS.format(hand="O3R3").replace("P3Y3", "?6"))
    for ask in asks(lambda: position.legal_actions, lambda: position.explain(mandala.Action.parse("b1P"))):
        with pytest.raises(PositionError) as caught:
            ask()
        assert (caught.value.field, caught.value.code) == ("HANDS", "hidden")


@every_game
def test_positions_actions_and_options_cannot_be_changed(game: Game) -> None:
    position = started(game)
    before = hash(position)
    public = [name for name in dir(position) if not name.startswith("_")]
    for thing, names in (
        (position, public),
        (position.legal_actions[0], ["kind", "text"]),
        (position.options, position.options.__struct_fields__),
    ):
        for name in names:
            with pytest.raises(AttributeError):
                setattr(thing, name, None)
    assert "state" not in public
    assert hash(position) == before
