"""PPO in one file: learn Mandala by self-play on the CPU, then play the apprentice on the arena's paired deals.

Usage: ``python examples/ppo.py [--steps 5000000] [--imitate 60000] [--seed 1] [--save FILE] [--load FILE] [--games 400]``. Needs the
extras ``rl`` and ``train``: ``pip install "sandriver[rl,train]"``. One core; the same arguments give the same network on the same machine.

First it imitates so many decisions of the apprentice (0: starts from nothing), then it plays itself in a ``BatchEnv``. It sees what a seat
knows, never more, and remembers what the other claimed (in a batch ``memory_aid`` does it). It plays both seats, so every value is that of
whoever must act: the next value counts with the other sign when the other seat must act next. A game pays half for victory and half for
the margin of points. What made it learn well is ``look``: who is first in a field, which colour completes, what a claim would bring.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any, NamedTuple

try:
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812 (its usual name)

    from sandriver.envs.batch import BatchEnv
except ImportError as missing:
    print(f"{missing}: pip install 'sandriver[rl,train]'", file=sys.stderr)
    raise SystemExit(2) from None

from sandriver import bots
from sandriver.arena.play import PairedChance
from sandriver.arena.tally import interval
from sandriver.games import GAMES
from sandriver.games.encoding import encoding_of
from sandriver.games.planes import offsets

RULES, ENCODING, APPRENTICE = GAMES["mandala"], encoding_of("mandala"), bots.get("mandala", "apprentice")
AT = offsets(ENCODING.planes)
GAMES_AT_ONCE, STEPS, EPOCHS, MINIBATCH = 1024, 32, 2, 2048
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 1e-3, 0.2, 0.95, 0.01, 1.0
HIDDEN = 64
CLAIM = 144
"""Index of the first claim; those before are builds, grows and redraws."""
SPREAD = 10.0
"""The margin of points that is worth 0.76 of the greatest."""


class Seen(NamedTuple):
    """What the network reads, a row a decision: nothing but observations, laid out so that what matters is easy to find."""

    common: torch.Tensor
    """Numbers that are not of one colour."""
    colours: torch.Tensor
    """Numbers of each of the six colours."""
    swapped: torch.Tensor
    """1 where mandala 2 comes first: the one that is being destroyed does, or else the one that lacks fewer colours."""
    masks: torch.Tensor
    """Which actions are legal."""

    def rows(self, part: torch.Tensor) -> Seen:
        """Some of them."""
        return Seen(*(each[part] for each in self))


def look(observed: torch.Tensor, masks: torch.Tensor) -> Seen:
    """Lay out observations: bytes (games, size), and bools (games, actions)."""
    planes = observed.float()

    def six(name: str, row: int = 0) -> torch.Tensor:
        return planes[:, AT[name] + 6 * row : AT[name] + 6 * row + 6]

    def one(name: str, i: int = 0) -> torch.Tensor:
        return planes[:, AT[name] + i : AT[name] + i + 1]

    def total(numbers: torch.Tensor) -> torch.Tensor:
        return numbers.sum(1, keepdim=True)

    hand, dealt, rivers = six("own_hand"), six("own_dealt"), (six("own_river"), six("other_river"))
    lengths = [total(river > 0) for river in rivers]
    lie = [[six("mountains", m), six("fields", 2 * m), six("fields", 2 * m + 1)] for m in (0, 1)]
    table = [*lie[0], *lie[1], six("own_claimed"), six("other_claimed"), six("discard")]
    unseen = 18 - hand - dealt - torch.stack(table).sum(0) - (rivers[0] > 0).float() - (rivers[1] > 0).float()
    held = 1 - (1 - unseen / total(unseen).clamp(min=1)).clamp(min=0) ** one("other_hand")
    lead = one("own_points") - one("other_points")
    colours = [
        hand / 4,
        *(hand > n for n in range(6)),
        dealt,
        dealt * (rivers[0] == 0),
        *(cards / 8 for cards in table[6:]),
        unseen / 8,
        held,
    ]
    common = [total(hand) / 8, total(hand > 0) / 6, one("deck") / 50, one("other_hand") / 8, one("last_mandala"), one("redraws") / 8]
    common += [one("claim") + one("claim", 1), one("completed"), one("to_move")]
    common += [lead / 20, torch.tanh(lead / 8), torch.tanh(lead / 3), one("own_points") / 40]
    for river, length in zip(rivers, lengths, strict=True):
        colours += [river / 6, river == 0, river > 3]
        common += [length / 6, *(length >= n for n in (3, 4, 5, 6))]
    lacks = [total(sum(lie[m]) == 0) - 10 * one("claim", m) for m in (0, 1)]
    swapped = lacks[1] < lacks[0]
    for m in (0, 1):
        mountain, mine, theirs = (torch.where(swapped, lie[1 - m][i], lie[m][i]) for i in range(3))
        gap, mine_all, theirs_all = (mountain + mine + theirs) == 0, total(mine), total(theirs)
        lack, ahead = total(gap), mine_all - theirs_all
        gains = []  # what claiming each colour would bring to either, as far as that can be told now
        for river, length, extra in ((rivers[0], lengths[0], dealt), (rivers[1], lengths[1], 0.5)):
            opened = 1 + (mountain - 1 + extra) * (length + 1)
            gains.append((mountain > 0) * torch.where(river > 0, river * mountain, opened))
        wanted = (gains[0] + gains[1]).argsort(1, descending=True)  # who claims in turn takes the next of these
        gain, loss = gains[0].gather(1, wanted) * (mine_all > 0), gains[1].gather(1, wanted) * (theirs_all > 0)
        if_first, if_second = total(gain[:, 0::2]) - total(loss[:, 1::2]), total(gain[:, 1::2]) - total(loss[:, 0::2])
        kinds = total(mountain > 0)
        colours += [mountain / 4, *(mountain > n for n in range(3)), mine / 4, mine > 0, theirs / 4, theirs > 0, gap, gap & (lack == 1)]
        colours += [gap & (lack == 2), gains[0] / 10, gains[1] / 10, (hand > -ahead) & (hand > 0), (hand >= -ahead) & (hand > 0)]
        common += [lack / 6, *(lack == n for n in (1, 2, 3)), mine_all / 6, theirs_all / 6, mine_all == 0, theirs_all == 0]
        common += [total(mountain) / 8, *(ahead > n for n in (-2, -1, 0, 1)), kinds / 6, kinds % 2, total(gap & (hand > 0)) / 3]
        common += [if_first / 10, if_second / 10, (lack == 1) * if_first / 10, (lack == 1) * if_second / 10]
    together = torch.cat([numbers.float() for numbers in common], 1), torch.stack([numbers.float() for numbers in colours], 2)
    return Seen(*together, swapped.long().squeeze(1), masks)


def order(first: int) -> torch.Tensor:
    """Where the logit of each action stands among those of the colours, 25 each, if mandala ``first`` comes first."""
    rows = []
    for c in range(6):
        builds = [6 * m + c for m in (first, 1 - first)]
        grows = [12 + 42 * m + 7 * c + n for m in (first, 1 - first) for n in range(7)]
        rows.append([*builds, *grows, *range(96 + 8 * c, 104 + 8 * c), CLAIM + c])
    return torch.tensor(rows).flatten().argsort()


class Net(nn.Module):  # type: ignore[misc]  # its types are not looked at
    """Policy and value of whoever must act. All six colours are alike, so each has the same weights, beside what they come to together."""

    def __init__(self) -> None:
        super().__init__()
        nothing = look(torch.zeros((1, ENCODING.size), dtype=torch.uint8), torch.zeros((1, ENCODING.actions), dtype=torch.bool))
        self.common, self.colours = nn.Linear(nothing.common.shape[1], HIDDEN), nn.Linear(nothing.colours.shape[2], HIDDEN)
        self.again, self.together = nn.Linear(HIDDEN, HIDDEN), nn.Linear(2 * HIDDEN, HIDDEN)
        self.policy, self.value = nn.Linear(HIDDEN, 25), nn.Sequential(nn.Linear(2 * HIDDEN, 64), nn.ReLU(), nn.Linear(64, 1))
        self.orders = torch.stack([order(0), order(1)])
        with torch.no_grad():
            self.policy.weight.mul_(0.1)

    def forward(self, seen: Seen) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the legal actions, values in -1..1."""
        hidden = torch.relu(self.colours(seen.colours) + self.common(seen.common).unsqueeze(1))
        hidden = torch.relu(self.again(hidden) + self.together(self.of_all(hidden)).unsqueeze(1))
        logits = self.policy(hidden).flatten(1).gather(1, self.orders[seen.swapped])
        return logits.masked_fill(~seen.masks, -1e9), torch.tanh(self.value(self.of_all(hidden))).squeeze(1)

    @staticmethod
    def of_all(hidden: torch.Tensor) -> torch.Tensor:
        """What all colours come to together."""
        return torch.cat([hidden.mean(1), hidden.amax(1)], 1)


def seen_in(observed: list[Any], masks: list[Any]) -> Seen:
    """Lay out observations and masks that are bytes of their own."""
    return look(
        *(
            torch.from_numpy(np.array([np.frombuffer(row, kind) for row in rows]))
            for rows, kind in ((observed, np.uint8), (masks, np.bool_))
        )
    )


class Played(NamedTuple):
    """What was seen and done, a row a decision."""

    seen: Seen
    actions: torch.Tensor
    logs: torch.Tensor
    values: torch.Tensor
    """What each decision was worth in the end."""
    gains: torch.Tensor
    """How much better it was than expected."""


def worth(won: Any, margin: Any) -> Any:
    """What a finished game pays: -1..1."""
    return 0.5 * won + 0.5 * np.tanh(margin / SPREAD)


def imitate(net: Net, count: int, rng: random.Random) -> None:
    """Play the apprentice against itself, now and then at random, for so many decisions; then learn what it chose and how it ended."""
    options = RULES.parse_options({"memory_aid": True})
    rows: list[tuple[bytearray, bytearray, int, float]] = []
    while len(rows) < count:
        chance, decisions = PairedChance(rng.getrandbits(60)), []
        position: Any = RULES.start(options, 2, rng.randrange(2), chance)
        while (seat := position.to_move) is not None:
            view: Any = RULES.view(position, seat, assist=True)
            action = RULES.parse_action(APPRENTICE.choose(view, view.legal, rng))
            decisions.append((ENCODING.observe(position, seat), ENCODING.mask(position), ENCODING.index(position, action), seat))
            if rng.random() < 0.15:
                action = RULES.parse_action(rng.choice(view.legal))
            position = RULES.play(position, action, chance).after
        won, points = position.outcome.winners, position.outcome.scores
        for observed, mask, index, seat in decisions:
            rows.append((observed, mask, index, worth((seat in won) - (1 - seat in won), points[seat] - points[1 - seat])))
    seen = seen_in([row[0] for row in rows], [row[1] for row in rows])
    actions, ends = torch.tensor([row[2] for row in rows]), torch.tensor([row[3] for row in rows], dtype=torch.float32)
    optimizer, right = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=0.01), 0.0
    for _ in range(10):
        for part in torch.randperm(len(rows)).split(512):
            logits, values = net(seen.rows(part))
            loss = F.cross_entropy(logits, actions[part]) + VALUE * F.mse_loss(values, ends[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right = 0.99 * right + 0.01 * (logits.argmax(1) == actions[part]).float().mean().item()
    print(f"imitated {len(rows):,} decisions of the apprentice: chooses as it does in {right:.0%} of them", flush=True)


def play(net: Net, env: BatchEnv) -> tuple[Played, float]:
    """Play ``STEPS`` actions in every game against oneself; the decisions, and the entropy of the policy."""
    n, rows, seen, entropy = env.num_envs, np.arange(env.num_envs), [], 0.0
    actions, logs, paid, over = (torch.zeros((STEPS, n), dtype=kind) for kind in (torch.long, torch.float, torch.float, torch.float))
    values, movers = torch.zeros((STEPS + 1, n)), torch.zeros((STEPS + 1, n))
    for t in range(STEPS + 1):
        now, mover = look(torch.from_numpy(env.observations.copy()), torch.from_numpy(env.masks.copy())), env.to_move.copy()
        movers[t] = torch.from_numpy(mover)
        logits, values[t] = net(now)
        if t == STEPS:
            break
        logs_all = logits.log_softmax(1)
        up_to = logs_all.exp().cumsum(1)
        actions[t] = chosen = (up_to <= torch.rand((n, 1), dtype=torch.double) * up_to[:, -1:]).sum(1)  # each as likely as the net says
        logs[t] = logs_all.gather(1, chosen[:, None]).squeeze(1)
        entropy -= (logs_all.exp() * logs_all).sum(1).mean().item() / STEPS
        seen.append(now)
        env.step(chosen.numpy())
        ended = env.terminations
        pay = worth(env.rewards[rows, mover], env.scores[rows, mover] - env.scores[rows, 1 - mover])
        paid[t], over[t] = torch.from_numpy(np.where(ended, pay, 0)), torch.from_numpy(ended.copy())
    gains, gain = torch.zeros((STEPS, n)), torch.zeros(n)
    for t in reversed(range(STEPS)):
        sign = (1 - over[t]) * (1 - 2 * (movers[t] != movers[t + 1]).float())
        gain = paid[t] + sign * values[t + 1] - values[t] + LAMBDA * sign * gain
        gains[t] = gain
    together = Seen(*(torch.cat(each) for each in zip(*seen, strict=True)))
    return Played(together, *(part.flatten() for part in (actions, logs, values[:-1] + gains, gains))), entropy


def improve(net: Net, optimizer: torch.optim.Optimizer, played: Played, entropy_weight: float) -> None:
    """PPO's step: make what went better than expected likelier, within the clip, and expect what came."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(played.actions)).split(MINIBATCH):
            actions, logs, ends, gains = played.actions[part], played.logs[part], played.values[part], played.gains[part]
            logits, values = net(played.seen.rows(part))
            logs_all = logits.log_softmax(1)
            ratio = (logs_all.gather(1, actions[:, None]).squeeze(1) - logs).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            gain = torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            entropy = -(logs_all.exp() * logs_all).sum(1).mean()
            loss = -gain - entropy_weight * entropy + VALUE * F.mse_loss(values, ends)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


class Game:
    """A game against the apprentice by the usual rules, where claimed cards are hidden: what the other claims is remembered."""

    def __init__(self, deal: int, own: int) -> None:
        self.own, self.claimed = own, np.zeros(6, np.uint8)
        self._chance, self._mind = PairedChance(deal), random.Random(f"mind {deal} apprentice {1 - own}")
        self.position: Any = RULES.start(RULES.parse_options({}), 2, deal % 2, self._chance)
        self.wait()

    def wait(self) -> None:
        """Let the apprentice play until it is the network's turn, or the game is over."""
        while self.position.to_move == 1 - self.own:
            view: Any = RULES.view(self.position, 1 - self.own, assist=True)
            action = RULES.parse_action(APPRENTICE.choose(view, view.legal, self._mind))
            index, before = ENCODING.index(self.position, action), self._cup()
            self.position = RULES.play(self.position, action, self._chance).after
            if index >= CLAIM:
                self.claimed[index - CLAIM] += self._cup() - before

    def _cup(self) -> int:
        return ENCODING.observe(self.position, self.own)[AT["other_cup"]]

    def observe(self) -> bytearray:
        """What the own seat sees and remembers."""
        observed = ENCODING.observe(self.position, self.own)
        observed[AT["other_claimed"] : AT["other_claimed"] + 6] = self.claimed.tobytes()
        places = np.frombuffer(observed, np.uint8)[AT["other_river"] : AT["other_river"] + 6].astype(int)
        observed[AT["other_points"]] = min(255, int(self.claimed @ places))
        return observed

    def play(self, index: int) -> None:
        """Play an own action, and what the apprentice answers."""
        self.position = RULES.play(self.position, ENCODING.action(self.position, index), self._chance).after
        self.wait()

    @property
    def share(self) -> float:
        """The own share of the victory."""
        winners = self.position.outcome.winners
        return (self.own in winners) / len(winners)


def match(net: Net, count: int, first_deal: int) -> tuple[float, float, float]:
    """Play the apprentice, each deal once from either seat; the share of the victories and its 95 % interval, as the arena reckons."""
    games = [Game(deal, own) for deal in range(first_deal, first_deal + count // 2) for own in (0, 1)]
    while asked := [game for game in games if game.position.to_move is not None]:
        with torch.no_grad():
            logits, _ = net(seen_in([game.observe() for game in asked], [ENCODING.mask(game.position) for game in asked]))
        for game, index in zip(asked, logits.argmax(1).tolist(), strict=True):
            game.play(index)
    shares = [(one.share + two.share) / 2 for one, two in zip(games[::2], games[1::2], strict=True)]
    return sum(shares) / len(shares), *interval(len(shares), sum(shares), sum(share * share for share in shares))


def main() -> int:
    """Learn, and say how well the apprentice is played."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5_000_000, help="decisions of self-play")
    parser.add_argument("--imitate", type=int, default=60_000, metavar="N", help="decisions of the apprentice, before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400, help="against the apprentice at the end")
    parser.add_argument("--curve", type=int, default=100, help="games against it on the way, five times")
    parser.add_argument("--save", help="file to write the network to")
    parser.add_argument("--load", help="file to begin with")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    net, steps, told = Net(), 0, 0
    if given.load:
        net.load_state_dict(torch.load(given.load, weights_only=True))
    elif given.imitate:
        imitate(net, given.imitate, random.Random(given.seed))
    env = BatchEnv("mandala", GAMES_AT_ONCE, seed=given.seed, options={"memory_aid": True})
    optimizer = torch.optim.Adam(net.parameters(), RATE, eps=1e-5)
    while steps < given.steps:
        left = 1 - steps / given.steps
        optimizer.param_groups[0]["lr"] = RATE * left
        with torch.no_grad():
            played, entropy = play(net, env)
        if given.curve and steps * 5 >= told * given.steps:
            rate, low, high = match(net, given.curve, 10_000_000)
            said = f"{rate:.0%} against the apprentice ({low:.0%} to {high:.0%})"
            print(f"{time.process_time() / 60:5.1f} min, {steps:>10,} steps: entropy {entropy:.2f}, {said}", flush=True)
            told += 1
        improve(net, optimizer, played, ENTROPY * left)
        steps += GAMES_AT_ONCE * STEPS
        if given.save:
            torch.save(net.state_dict(), given.save)
    rate, low, high = match(net, given.games, 20_000_000)
    said = f"{given.games} games against the apprentice: {rate:.1%} of the victories, 95 % interval {low:.1%} to {high:.1%}"
    print(f"{time.process_time() / 60:5.1f} min, {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
