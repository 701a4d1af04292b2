"""What the environments refuse: an action that is not legal, with the game and the index at fault."""

from __future__ import annotations

from typing import Any

from sandriver.games.errors import IllegalAction


class IllegalIndex(IllegalAction):
    """The index of an action that is not legal, or of none; nothing was played. ``game`` is the row of a batch, else 0."""

    def __init__(self, game: int, action: int) -> None:
        super().__init__("illegal_index", f"game {game}: action {action} is not legal here", {"game": game, "action": action})
        self.game, self.action = game, action

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.action)
