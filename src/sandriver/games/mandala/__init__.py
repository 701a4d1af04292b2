"""Mandala: two players, 108 cards, hidden hands. ``Position``, ``Action`` and ``Cards`` to work with, ``MANDALA`` for the floors above."""

from sandriver.games import kernels

kernels.choose("sandriver.games.mandala.kernel")  # before anything below imports it
kernels.choose("sandriver.games.mandala.planes")
kernels.choose("sandriver.games.mandala.offers")

from sandriver.games.mandala.game import MANDALA  # noqa: E402
from sandriver.games.mandala.options import parse_options  # noqa: E402
from sandriver.games.mandala.rules import ACTIONS, COLOURS, Action, Cards, Claim, LegalActions, Options, Position  # noqa: E402

__all__ = ["ACTIONS", "COLOURS", "MANDALA", "Action", "Cards", "Claim", "LegalActions", "Options", "Position", "parse_options"]
