"""Fits both networks to samples with PyTorch: the same samples and seed give the same weights, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandriver.bots.mandala_net import VALUE_SIZE
from sandriver.extras import load
from sandriver.learn.networks import choice_network, spreads, take, value_network, weights
from sandriver.learn.samples import HELD_BACK, Samples

BATCH = 2048
RATE, DECAY = 3e-3, 1e-4
AIM = 0.7
"""Weight of what is to be learned against how the game ended."""


class Epoch(msgspec.Struct, frozen=True):
    """How well was learned after one more pass over the samples."""

    number: int
    learned: float
    """Mean cross-entropy to what was to be learned, during this pass."""
    held_back: float
    """Mean cross-entropy to how the games ended that were not learned from."""
    error: float
    """Root mean square error to what was to be learned, in those games."""
    choice: float
    """Mean cross-entropy of the chances of the turns to what searches chose, in those games."""


def fit(
    samples: Samples, epochs: int, seed: int, heard: Callable[[Epoch], None], *, start: Sequence[float] | None = None, rate: float = RATE
) -> tuple[list[float], list[Epoch]]:
    """Return the weights, in the order of ``mandala_net.SHAPES``, and how each epoch went.

    ``heard`` is called after each. ``start``: weights to begin with, instead of random ones; ``rate``: how much is learned from a step at
    most. Raises ``MissingExtra`` without PyTorch, ``ValueError`` when there are too few samples.
    """
    torch = load("torch", "training", "train")
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    context, colours, aims, shares = map(torch.from_numpy, (samples.context, samples.colours, samples.aims, samples.shares))
    held = torch.from_numpy(samples.games % HELD_BACK == 0)
    learn, keep = (~held).nonzero()[:, 0], held.nonzero()[:, 0]
    batches = len(learn) // BATCH
    if not batches or not len(keep):
        raise ValueError(f"{len(samples)} turns are too few to learn from; play more games")
    scales = spreads(context[learn[: 100 * BATCH]].float(), colours[learn[: 100 * BATCH]].float())
    judge, choice = value_network(torch, scales), choice_network(torch, scales)
    if start is not None:
        take(torch, judge, start[:VALUE_SIZE])
        take(torch, choice, start[VALUE_SIZE:])
    steps = []
    for net in (judge, choice):
        optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
        steps.append((optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=epochs * batches + 1)))
    entropy = torch.nn.functional.binary_cross_entropy_with_logits
    course = []
    for number in range(1, epochs + 1):
        order, lost = learn[torch.randperm(len(learn))], 0.0
        for rows in order[: batches * BATCH].split(BATCH):
            aim = AIM * aims[rows, 0] + (1 - AIM) * aims[rows, 1]
            loss = entropy(judge(context[rows].float(), colours[rows].float()), aim)
            lost += loss.item()
            chosen, _ = _missed(torch, choice(context[rows].float(), colours[rows].float()), shares[rows])
            for part, (optimizer, schedule) in zip((loss, chosen), steps, strict=True):
                optimizer.zero_grad()
                part.backward()
                optimizer.step()
                schedule.step()
        with torch.no_grad():
            parts = keep.split(8192)
            answers = torch.cat([judge(context[rows].float(), colours[rows].float()) for rows in parts])
            ended, error = entropy(answers, aims[keep, 1]).item(), (torch.sigmoid(answers) - aims[keep, 0]).square().mean().sqrt().item()
            missed = [_missed(torch, choice(context[rows].float(), colours[rows].float()), shares[rows]) for rows in parts]
            turns = max(1, sum(n for _, n in missed))
        course.append(Epoch(number, lost / batches, ended, error, sum(part.item() * n for part, n in missed) / turns))
        heard(course[-1])
    return weights(torch, judge) + weights(torch, choice), course


def _missed(torch: Any, answers: Any, shares: Any) -> tuple[Any, int]:
    """The mean cross-entropy of what was answered about turns to what was searched there, and of how many of them it is; where nothing
    was searched, nothing is to be learned."""
    legal = shares > 0
    searched = shares.amax(1) > 1
    wanted = (shares.float() - 1).clamp(min=0)
    chances = torch.log_softmax(answers.masked_fill(~legal, -1e9), 1)
    each = -(wanted / wanted.sum(1, keepdim=True).clamp(min=1e-9) * chances).sum(1)
    n = int(searched.sum())
    return (each * searched).sum() / max(1, n), n
