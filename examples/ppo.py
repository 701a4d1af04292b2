"""PPO in one file: learn a game of two by self-play on the CPU, then play the apprentice on the arena's paired deals.

Usage: ``python examples/ppo.py mandala [--minutes 20] [--seed 1] [--save FILE] [--load FILE] [--games 400]``. Needs the extras ``rl`` and
``train``: ``pip install "sandriver[rl,train]"``. One core.

First it imitates the apprentice for ``--imitate`` minutes (0: starts from nothing), then it plays itself in a ``BatchEnv``. Minutes are of
processor time. The network sees what a seat knows, never more. It plays both seats, so every value is that of whoever must act: the next
value counts with the other sign when the other seat must act next. A game pays half for victory and half for the margin of points.
"""

from __future__ import annotations

import argparse
import math
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
from sandriver.games.planes import scale

GAMES_AT_ONCE, STEPS, EPOCHS, MINIBATCH = 512, 64, 3, 2048
RATE, CLIP, LAMBDA, ENTROPY, VALUE = 6e-4, 0.2, 0.95, 0.01, 0.5
STEPS_OF_A_NUMBER = (1, 2, 3, 4, 6, 8)
"""A number of a plane that is more than yes or no is shown as whether it reaches each of these, besides its share of the greatest."""


class Net:
    """Policy and value of whoever must act."""

    def __init__(self, game: str, hidden: int = 256) -> None:
        self.encoding = encoding_of(game)
        most = torch.tensor(scale(self.encoding.planes), dtype=torch.float32)
        self.most, self.many = most, [i for i, n in enumerate(most.tolist()) if n > 1]
        inputs = len(most) + len(STEPS_OF_A_NUMBER) * len(self.many)
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, self.encoding.actions), nn.Linear(hidden, 1)
        nn.init.zeros_(self.policy.weight)
        self.all = nn.ModuleList([self.body, self.policy, self.value])

    def __call__(self, observed: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the legal actions, values in -1..1. ``observed``: bytes (games, size); ``masks``: bools (games, actions)."""
        numbers = observed[:, self.many]
        seen = torch.cat([observed / self.most, *(numbers >= n for n in STEPS_OF_A_NUMBER)], 1)
        hidden = self.body(seen)
        return self.policy(hidden).masked_fill(~masks, -1e9), torch.tanh(self.value(hidden)).squeeze(1)

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


def worth(won: Any, margin: Any, spread: float) -> Any:
    """What a finished game pays: -1..1."""
    return 0.5 * won + 0.5 * np.tanh(margin / spread)


def imitate(net: Net, game: str, seconds: float, spread: float, rng: random.Random) -> None:
    """Play the apprentice against itself, now and then at random, for two thirds of the time; then learn what it chose and how it ended."""
    rules, encoding, teacher = GAMES[game], net.encoding, bots.get(game, "apprentice")
    options, rows, began = rules.parse_options({}), [], time.process_time()
    while time.process_time() - began < seconds * 2 / 3:
        chance, decisions = PairedChance(rng.getrandbits(60)), []
        position: Any = rules.start(options, 2, rng.randrange(2), chance)
        while (seat := position.to_move) is not None:
            view: Any = rules.view(position, seat, assist=True)
            action = rules.parse_action(teacher.choose(view, view.legal, rng))
            decisions.append((encoding.observe(position, seat), encoding.mask(position), encoding.index(position, action), seat))
            if rng.random() < 0.15:
                action = rules.parse_action(rng.choice(view.legal))
            position = rules.play(position, action, chance).after
        outcome = position.outcome
        for observed, mask, index, seat in decisions:
            won = (seat in outcome.winners) - (1 - seat in outcome.winners)
            rows.append((observed, mask, index, worth(won, outcome.scores[seat] - outcome.scores[1 - seat], spread)))
    observed = torch.tensor(np.array([np.frombuffer(row[0], np.uint8) for row in rows]))
    masks = torch.tensor(np.array([np.frombuffer(row[1], np.bool_) for row in rows]))
    actions, ends = torch.tensor([row[2] for row in rows]), torch.tensor([row[3] for row in rows], dtype=torch.float32)
    optimizer, epochs, loss, right = torch.optim.AdamW(net.all.parameters(), 1e-3, weight_decay=0.01), 0, torch.zeros(()), 0.0
    while time.process_time() - began < seconds and epochs < 12:
        for part in torch.randperm(len(rows)).split(512):
            logits, values = net(observed[part], masks[part])
            loss = F.cross_entropy(logits, actions[part]) + VALUE * F.mse_loss(values, ends[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right = (logits.argmax(1) == actions[part]).float().mean().item()
        epochs += 1
    print(f"imitated {len(rows):,} decisions in {epochs} epochs: loss {loss.item():.2f}, {right:.0%} alike", flush=True)


def play(net: Net, env: BatchEnv, spread: float) -> tuple[Played, float]:
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
        pay = worth(env.rewards[rows, mover], env.scores[rows, mover] - env.scores[rows, 1 - mover], spread)
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
            nn.utils.clip_grad_norm_(net.all.parameters(), 0.5)
            optimizer.step()


def match(net: Net, game: str, games: int, first_deal: int) -> tuple[float, float, float]:
    """Play the apprentice, each deal once from either seat; the share of the victories and its 95 % interval, as the arena reckons."""
    rules, encoding, opponent = GAMES[game], net.encoding, bots.get(game, "apprentice")
    options, total, squares = rules.parse_options({}), 0.0, 0.0
    for deal in range(first_deal, first_deal + games // 2):
        share = 0.0
        for own in (0, 1):
            chance, mind = PairedChance(deal), random.Random(f"mind {deal} apprentice {1 - own}")
            position: Any = rules.start(options, 2, deal % 2, chance)
            while (seat := position.to_move) is not None:
                if seat == own:
                    index = net.best(encoding.observe(position, seat), encoding.mask(position))
                    action = encoding.action(position, index)
                else:
                    view: Any = rules.view(position, seat, assist=True)
                    action = rules.parse_action(opponent.choose(view, view.legal, mind))
                position = rules.play(position, action, chance).after
            share += (own in position.outcome.winners) / len(position.outcome.winners) / 2
        total, squares = total + share, squares + share * share
    return total / (games // 2), *interval(games // 2, total, squares)


def main() -> int:
    """Learn, and say how well the apprentice is played."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--minutes", type=float, default=20, help="of self-play")
    parser.add_argument("--imitate", type=float, default=3, metavar="MINUTES", help="of the apprentice, before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spread", type=float, default=10, help="margin of points that is worth 0.76")
    parser.add_argument("--games", type=int, default=400, help="against the apprentice at the end")
    parser.add_argument("--curve", type=int, default=40, help="games against it on the way, eight times")
    parser.add_argument("--save", help="file to write the network to")
    parser.add_argument("--load", help="file to begin with")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    net, rng = Net(given.game), random.Random(given.seed)
    if given.load:
        net.all.load_state_dict(torch.load(given.load, weights_only=True))
    elif given.imitate:
        imitate(net, given.game, 60 * given.imitate, given.spread, rng)
    env = BatchEnv(given.game, GAMES_AT_ONCE, seed=given.seed)
    optimizer = torch.optim.Adam(net.all.parameters(), RATE, eps=1e-5)
    spent, steps, told = 0.0, 0, 0
    while spent < 60 * given.minutes:
        began = time.process_time()
        optimizer.param_groups[0]["lr"] = RATE * max(0.02, 1 - spent / (60 * given.minutes))
        with torch.no_grad():
            played, entropy = play(net, env, given.spread)
        improve(net, optimizer, played)
        spent, steps = spent + time.process_time() - began, steps + GAMES_AT_ONCE * STEPS
        if given.curve and spent * 8 >= told * 60 * given.minutes:
            told = math.floor(spent * 8 / (60 * given.minutes)) + 1
            rate, low, high = match(net, given.game, given.curve, 10_000_000)
            said = f"{rate:.0%} against the apprentice ({low:.0%} to {high:.0%})"
            print(f"{spent / 60:5.1f} min {steps:>11,} steps, entropy {entropy:.2f}, {said}", flush=True)
            if given.save:
                torch.save(net.all.state_dict(), given.save)
    rate, low, high = match(net, given.game, given.games, 20_000_000)
    print(f"{given.games} games against the apprentice: {rate:.1%} of the victories, 95 % interval {low:.1%} to {high:.1%}")
    if given.save:
        torch.save(net.all.state_dict(), given.save)
    return 0


if __name__ == "__main__":
    sys.exit(main())
