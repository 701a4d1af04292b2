"""A series of deals for one or more pairings of bots: taken from a file as far as it has them, played otherwise, and summed up.

The result depends on the arguments alone: not on the number of processes, nor on what came from the file. A match with a sequential test
looks at its deals in the order of their numbers, and counts none that is behind the one that decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from sandriver import games
from sandriver.arena.crew import Job, Setting, jobs_of, play_all
from sandriver.arena.keep import Keep
from sandriver.arena.play import Bot, PlayedDeal, find_policy
from sandriver.arena.sprt import Sprt, SprtResult
from sandriver.arena.tally import Tally
from sandriver.bots.policy import Policy

Heard = Callable[["Series", int], None]
"""Called with the series and the pairing whenever a deal has been counted."""


class Series:
    """What is to be played, and what has been counted of it."""

    def __init__(self, setting: Setting, seeds: range, *, sprt: Sprt | None = None, keep: Keep | None = None) -> None:
        """``sprt`` is for a single pairing. Raises as ``find_policy`` does."""
        if sprt is not None and len(setting.pairings) != 1:
            raise ValueError("a sequential test is for two bots")
        self.setting, self.seeds = setting, seeds
        self.bots = [tuple(_named(setting.game, bot) for bot in pairing) for pairing in setting.pairings]
        self.tallies = [Tally(setting.seats, seeds.start, len(seeds)) for _ in setting.pairings]
        self._found = 0
        self.other_versions: set[str] = set()
        """Bots of which the file has deals by another version; those are left alone."""
        self.sprt, self._keep = sprt, keep
        self._heard: Heard | None = None
        self._early: dict[int, PlayedDeal] = {}  # with a test: what waits for deals of smaller numbers
        self._places = {tuple(bots): index for index, bots in enumerate(self.bots)}
        self.verdict = self._judge()

    @property
    def deals(self) -> int:
        """How many have been counted."""
        return sum(tally.deals for tally in self.tallies)

    @property
    def kept(self) -> int:
        """How many of them came from the file."""
        return min(self._found, self.deals)

    @property
    def wanted(self) -> int:
        """How many there are to be, at most."""
        return len(self.tallies) * len(self.seeds)

    def listen(self, heard: Heard) -> None:
        """Have every deal told that is counted from now on."""
        self._heard = heard

    def run(self, processes: int | None, cluster: str | None = None) -> None:
        """Take what the file has, play the rest (``crew.play_all``). What is counted stays counted when this is interrupted."""
        if self._keep is not None:
            for deal in self._keep.read():
                self._take_kept(deal)
                if self._decided():
                    return
        with closing(play_all(self.setting, self._missing(), processes, cluster)) as played:
            for (pairing, _), deal in played:
                if self._keep is not None:
                    self._keep.add(deal)
                self._take(pairing, deal)
                if self._decided():
                    return

    def _missing(self) -> Iterator[Job]:
        return (job for job in jobs_of(len(self.tallies), self.seeds) if not self.tallies[job[0]].has(job[1]) and job[1] not in self._early)

    def _take_kept(self, deal: PlayedDeal) -> None:
        """Count a deal of the file if it is one of this series; of two seats also one whose bots are named the other way round."""
        pairing = self._places.get(deal.bots)
        if pairing is None and self.setting.seats == 2:
            deal = deal.mirrored()
            pairing = self._places.get(deal.bots)
        if pairing is None:
            mine = {bot.id: bot.version for pair in self.bots for bot in pair}
            self.other_versions |= {bot.id for bot in deal.bots if mine.get(bot.id, bot.version) != bot.version}
        elif not self.tallies[pairing].has(deal.seed) and deal.seed not in self._early:
            self._found += 1
            self._take(pairing, deal)

    def _take(self, pairing: int, deal: PlayedDeal) -> None:
        if self.sprt is None:
            self._count(pairing, deal)
            return
        self._early[deal.seed] = deal
        while not self._decided() and (following := self._early.pop(self.seeds.start + self.tallies[0].deals, None)) is not None:
            self._count(0, following)

    def _count(self, pairing: int, deal: PlayedDeal) -> None:
        self.tallies[pairing].add(deal)
        self.verdict = self._judge()
        if self._heard is not None:
            self._heard(self, pairing)

    def _judge(self) -> SprtResult | None:
        return None if self.sprt is None else self.sprt.judge(*self.tallies[0].sums, self.setting.seats)

    def _decided(self) -> bool:
        return self.verdict is not None and self.verdict.accepted is not None


def _named(game_id: str, bot: str | Policy) -> Bot:
    policy = find_policy(game_id, bot)
    return Bot(policy.id, policy.version)


def check_numbers(game_id: str, seats: int | None, count: int) -> int:
    """Return the number of seats; raises ``ValueError`` when a game is not for so many or a number of games does not make whole deals."""
    possible = games.get(game_id).seat_counts
    seats = min(possible) if seats is None else seats
    if seats not in possible:
        raise ValueError(f"{game_id} is for {numbers(possible)} seats, not {seats}")
    if count < seats or count % seats:
        wanted = "even" if seats == 2 else f"a multiple of {seats}"
        raise ValueError(f"the number of games must be {wanted} and at least {seats}: every deal is played once from each seat")
    return seats


def numbers(counts: Sequence[int]) -> str:
    """Some numbers in words of a sentence.

    >>> numbers((2,)), numbers((2, 3, 4))
    ('2', '2, 3 or 4')
    """
    *most, last = map(str, counts)
    return f"{', '.join(most)} or {last}" if most else last
