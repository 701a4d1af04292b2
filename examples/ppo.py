"""PPO in one file: learn Mandala by self-play on the CPU, then play the apprentice on the arena's paired deals.

Usage: ``python examples/ppo.py [--steps 5000000] [--imitate 100000] [--seed 1] [--save FILE] [--load FILE] [--games 400]``. Needs the
extras ``rl`` and ``train``: ``pip install "sandriver[rl,train]"``. One core; the same arguments give the same network on the same machine.

First it imitates so many decisions of the apprentice (0: starts from nothing), then it plays itself in a ``BatchEnv``. The network sees
what a seat knows, never more. It plays both seats, so every value is that of whoever must act: the next value counts with the other
sign when the other seat must act next. A game pays half for victory and half for the margin of points.
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
GAMES_AT_ONCE, STEPS, EPOCHS, MINIBATCH = 512, 64, 2, 2048
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 3e-4, 0.2, 0.95, 0.005, 0.5
SPREAD = 10.0
"""The margin of points that is worth 0.76 of the greatest."""
REACHED = (1, 2, 3, 4, 5, 6)
"""A number is shown as its share of a usual greatest one, and as whether it reaches each of these."""


class Net(nn.Module):  # type: ignore[misc]  # its types are not looked at
    """Policy and value of whoever must act. All six colours are alike, so each has the same weights, beside what they come to together."""

    def __init__(self, hidden: int = 64) -> None:
        super().__init__()
        at = offsets(ENCODING.planes)
        rows = [at[p.name] + 6 * row for p in ENCODING.planes if p.shape[-1] == 6 for row in range(p.size // 6)]
        self.own = torch.tensor([[row + colour for row in rows] for colour in range(6)])
        self.common = torch.tensor([at[p.name] + i for p in ENCODING.planes if p.shape[-1] != 6 for i in range(p.size)])
        builds = [[6 * m + c for m in (0, 1)] for c in range(6)]
        grows = [[12 + 42 * m + 7 * c + n for m in (0, 1) for n in range(7)] for c in range(6)]
        indices = [[*builds[c], *grows[c], *range(96 + 8 * c, 104 + 8 * c), 144 + c] for c in range(6)]
        self.order = torch.tensor(indices).flatten().argsort()
        self.enter = nn.Linear(len(rows) * (1 + len(REACHED)) + len(self.common), hidden)
        self.again, self.together = nn.Linear(hidden, hidden), nn.Linear(2 * hidden, hidden)
        self.policy, self.value = nn.Linear(hidden, 25), nn.Sequential(nn.Linear(2 * hidden, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, observed: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the legal actions, values in -1..1. ``observed``: bytes (games, size); ``masks``: bools (games, actions)."""
        numbers = observed[:, self.own]
        common = (observed[:, self.common] / 32).unsqueeze(1).expand(-1, 6, -1)
        hidden = torch.relu(self.enter(torch.cat([numbers / 8, *(numbers >= n for n in REACHED), common], 2)))
        hidden = torch.relu(self.again(hidden) + self.together(self.of_all(hidden)).unsqueeze(1))
        logits = self.policy(hidden).flatten(1)[:, self.order]
        return logits.masked_fill(~masks, -1e9), torch.tanh(self.value(self.of_all(hidden))).squeeze(1)

    @staticmethod
    def of_all(hidden: torch.Tensor) -> torch.Tensor:
        """What all colours come to together."""
        return torch.cat([hidden.mean(1), hidden.amax(1)], 1)

    def best(self, observed: bytes | bytearray, mask: bytes | bytearray) -> int:
        """The index of the likeliest action."""
        with torch.no_grad():
            arrays = np.frombuffer(observed, np.uint8)[None].copy(), np.frombuffer(mask, np.bool_)[None].copy()
            return int(self(*map(torch.from_numpy, arrays))[0].argmax())


class Played(NamedTuple):
    """What was seen and done, a row a decision: tensors of as many rows."""

    observed: torch.Tensor
    masks: torch.Tensor
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
    options = RULES.parse_options({})
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
    observed = torch.tensor(np.array([np.frombuffer(row[0], np.uint8) for row in rows]))
    masks = torch.tensor(np.array([np.frombuffer(row[1], np.bool_) for row in rows]))
    actions, ends = torch.tensor([row[2] for row in rows]), torch.tensor([row[3] for row in rows], dtype=torch.float32)
    optimizer, right = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=0.01), 0.0
    for _ in range(10):
        for part in torch.randperm(len(rows)).split(512):
            logits, values = net(observed[part], masks[part])
            loss = F.cross_entropy(logits, actions[part]) + VALUE * F.mse_loss(values, ends[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right = 0.99 * right + 0.01 * (logits.argmax(1) == actions[part]).float().mean().item()
    print(f"imitated {len(rows):,} decisions of the apprentice: chooses as it does in {right:.0%} of them", flush=True)


def play(net: Net, env: BatchEnv) -> tuple[Played, float]:
    """Play ``STEPS`` actions in every game against oneself; the decisions, and the entropy of the policy."""
    n, rows = env.num_envs, np.arange(env.num_envs)
    seen = [torch.zeros((STEPS, n, env.encoding.size), dtype=torch.uint8), torch.zeros((STEPS, n, env.encoding.actions), dtype=torch.bool)]
    actions = torch.zeros((STEPS, n), dtype=torch.long)
    logs, values, paid = torch.zeros((STEPS, n)), torch.zeros((STEPS + 1, n)), torch.zeros((STEPS, n))
    over, movers, entropy = torch.zeros((STEPS, n)), torch.zeros((STEPS + 1, n)), 0.0
    for t in range(STEPS + 1):
        now, masks = torch.from_numpy(env.observations.copy()), torch.from_numpy(env.masks.copy())
        mover = env.to_move.copy()
        movers[t] = torch.from_numpy(mover)
        logits, values[t] = net(now, masks)
        if t == STEPS:
            break
        logs_all = logits.log_softmax(1)
        chosen = (logits - torch.empty_like(logits).exponential_().log()).argmax(1)  # a sample, by Gumbel's trick
        seen[0][t], seen[1][t], actions[t] = now, masks, chosen
        logs[t] = logs_all.gather(1, chosen[:, None]).squeeze(1)
        entropy -= (logs_all.exp() * logs_all).sum(1).mean().item() / STEPS
        env.step(chosen.numpy())
        ended = env.terminations
        pay = worth(env.rewards[rows, mover], env.scores[rows, mover] - env.scores[rows, 1 - mover])
        paid[t], over[t] = torch.from_numpy(np.where(ended, pay, 0)), torch.from_numpy(ended.copy())
    gains, gain = torch.zeros((STEPS, n)), torch.zeros(n)
    for t in reversed(range(STEPS)):
        sign = (1 - over[t]) * (1 - 2 * (movers[t] != movers[t + 1]).float())
        gain = paid[t] + sign * values[t + 1] - values[t] + LAMBDA * sign * gain
        gains[t] = gain
    played = Played(seen[0], seen[1], actions, logs, values[:-1] + gains, gains)
    return Played(*(part.flatten(0, 1) for part in played)), entropy


def improve(net: Net, optimizer: torch.optim.Optimizer, played: Played) -> None:
    """PPO's step: make what went better than expected likelier, within the clip, and expect what came."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(played.actions)).split(MINIBATCH):
            observed, masks, actions, logs, ends, gains = (each[part] for each in played)
            logits, values = net(observed, masks)
            logs_all = logits.log_softmax(1)
            ratio = (logs_all.gather(1, actions[:, None]).squeeze(1) - logs).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            gain = torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            entropy = -(logs_all.exp() * logs_all).sum(1).mean()
            loss = -gain - ENTROPY * entropy + VALUE * F.mse_loss(values, ends)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def match(net: Net, games: int, first_deal: int) -> tuple[float, float, float]:
    """Play the apprentice, each deal once from either seat; the share of the victories and its 95 % interval, as the arena reckons."""
    options, total, squares = RULES.parse_options({}), 0.0, 0.0
    for deal in range(first_deal, first_deal + games // 2):
        share = 0.0
        for own in (0, 1):
            chance, mind = PairedChance(deal), random.Random(f"mind {deal} apprentice {1 - own}")
            position: Any = RULES.start(options, 2, deal % 2, chance)
            while (seat := position.to_move) is not None:
                if seat == own:
                    action = ENCODING.action(position, net.best(ENCODING.observe(position, seat), ENCODING.mask(position)))
                else:
                    view: Any = RULES.view(position, seat, assist=True)
                    action = RULES.parse_action(APPRENTICE.choose(view, view.legal, mind))
                position = RULES.play(position, action, chance).after
            share += (own in position.outcome.winners) / len(position.outcome.winners) / 2
        total, squares = total + share, squares + share * share
    return total / (games // 2), *interval(games // 2, total, squares)


def main() -> int:
    """Learn, and say how well the apprentice is played."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5_000_000, help="decisions of self-play")
    parser.add_argument("--imitate", type=int, default=100_000, metavar="N", help="decisions of the apprentice, before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400, help="against the apprentice at the end")
    parser.add_argument("--curve", type=int, default=60, help="games against it on the way, eight times")
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
    env = BatchEnv("mandala", GAMES_AT_ONCE, seed=given.seed)
    optimizer = torch.optim.Adam(net.parameters(), RATE, eps=1e-5)
    while steps < given.steps:
        optimizer.param_groups[0]["lr"] = RATE * (1 - steps / given.steps)
        with torch.no_grad():
            played, entropy = play(net, env)
        if given.curve and steps * 8 >= told * given.steps:
            rate, low, high = match(net, given.curve, 10_000_000)
            said = f"{rate:.0%} against the apprentice ({low:.0%} to {high:.0%})"
            print(f"{time.process_time() / 60:5.1f} min, {steps:>10,} steps: entropy {entropy:.2f}, {said}", flush=True)
            told += 1
        improve(net, optimizer, played)
        steps += GAMES_AT_ONCE * STEPS
        if given.save:
            torch.save(net.state_dict(), given.save)
    rate, low, high = match(net, given.games, 20_000_000)
    print(f"{given.games} games against the apprentice: {rate:.1%} of the victories, 95 % interval {low:.1%} to {high:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
