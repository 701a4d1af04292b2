"""Every error reaches who waits in another process: it survives being pickled and copied with all that it says."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from sandriver import games
from sandriver.games import errors
from sandriver.games.contract import Game
from sandriver.tables.errors import Conflict, CorruptLog, RecordError, Refusal, StoreFailed

PLAIN = [errors.GameError, errors.NotationError, errors.IllegalAction, errors.ChanceError, errors.OptionError]
PARAMS: dict[str, str | int] = {"field": "HANDS", "count": 3}
SAMPLES: list[Exception] = [
    *(kind("a_code", "what is wrong", PARAMS) for kind in PLAIN),
    errors.PositionError("HANDS", "hand_size", "HANDS: 9 cards", PARAMS),
    Refusal("illegal", rule="not_in_hand", params={"count": 1}, command_id="c1"),
    Refusal("stale"),
    RecordError(3, "no such seat"),
    RecordError(0, "no result"),
    StoreFailed("the disk is full"),
    Conflict("version 3"),
    CorruptLog("row 3"),
]
WAYS: list[Callable[[Exception], Exception]] = [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy]


def test_the_samples_are_of_every_kind_of_game_error() -> None:
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.GameError)}
    assert kinds == {*PLAIN, errors.PositionError}


@pytest.mark.parametrize("way", WAYS, ids=["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_travels(error: Exception, way: Callable[[Exception], Exception]) -> None:
    again = way(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.args == error.args


@pytest.mark.parametrize("game", games.GAMES.values(), ids=list(games.GAMES))
def test_an_error_of_the_rules_travels(game: Game) -> None:
    asked: list[Callable[[], Any]] = [
        lambda: game.parse_action("?"),
        lambda: game.parse_options({"no": 1}),
        lambda: game.parse_position("?", game.parse_options({})),
    ]
    for ask in asked:
        with pytest.raises(errors.GameError) as caught:
            ask()
        again = pickle.loads(pickle.dumps(caught.value))
        assert (again.code, again.params, str(again)) == (caught.value.code, caught.value.params, str(caught.value))
