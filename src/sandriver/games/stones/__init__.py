"""Mandala Stones: two to four players, 96 stones. ``Position`` and ``Action`` to work with, ``STONES`` for the floors above."""

from sandriver.games import kernels

kernels.choose("sandriver.games.stones.kernel")  # before anything below imports it
kernels.choose("sandriver.games.stones.planes")

from sandriver.games.stones.game import STONES  # noqa: E402
from sandriver.games.stones.options import parse_options  # noqa: E402
from sandriver.games.stones.rules import Action, LegalActions, Options, Position  # noqa: E402
from sandriver.games.stones.ruleset import Ruleset  # noqa: E402

__all__ = ["STONES", "Action", "LegalActions", "Options", "Position", "Ruleset", "parse_options"]
