"""Floor 3, the arena: bots against bots on paired deals."""

from sandriver.arena.crew import CrewError
from sandriver.arena.keep import Keep, KeepError, head_of
from sandriver.arena.ladder import LadderResult, play_ladder
from sandriver.arena.match import play_match
from sandriver.arena.play import EndlessGame
from sandriver.arena.ratings import Rating
from sandriver.arena.series import numbers
from sandriver.arena.sprt import Sprt, SprtResult
from sandriver.arena.tally import MatchResult
from sandriver.extras import MissingExtra

__all__ = [
    "CrewError", "EndlessGame", "Keep", "KeepError", "LadderResult", "MatchResult", "MissingExtra", "Rating", "Sprt", "SprtResult",
    "head_of", "numbers", "play_ladder", "play_match",
]  # fmt: skip
