"""Floor 3, the arena: bots against bots on paired deals."""

from sandriver.arena.match import MatchResult, numbers, play_match

__all__ = ["MatchResult", "numbers", "play_match"]
