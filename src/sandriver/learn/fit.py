"""Fits the network to samples with PyTorch: the same samples and seed give the same weights, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandriver.bots.mandala_net import COLOUR, CONTEXT, HIDDEN, LAST
from sandriver.extras import load
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


def fit(
    samples: Samples, epochs: int, seed: int, heard: Callable[[Epoch], None], *, start: Sequence[float] | None = None, rate: float = RATE
) -> tuple[list[float], list[Epoch]]:
    """Return the weights, in the order that ``mandala_net.Net`` wants them, and how each epoch went.

    ``heard`` is called after each. ``start``: weights to begin with, instead of random ones; ``rate``: how much is learned from a step at
    most. Raises ``MissingExtra`` without PyTorch, ``ValueError`` when there are too few samples.
    """
    torch = load("torch", "training", "train")
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    context, colours, aims = map(torch.from_numpy, (samples.context, samples.colours, samples.aims))
    held = torch.from_numpy(samples.games % HELD_BACK == 0)
    learn, keep = (~held).nonzero()[:, 0], held.nonzero()[:, 0]
    batches = len(learn) // BATCH
    if not batches or not len(keep):
        raise ValueError(f"{len(samples)} turns are too few to learn from; play more games")
    net = _network(torch, context[learn[: 100 * BATCH]].float(), colours[learn[: 100 * BATCH]].float())
    if start is not None:
        net.take(start)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=epochs * batches + 1)
    entropy = torch.nn.functional.binary_cross_entropy_with_logits
    course = []
    for number in range(1, epochs + 1):
        order, lost = learn[torch.randperm(len(learn))], 0.0
        for rows in order[: batches * BATCH].split(BATCH):
            aim = AIM * aims[rows, 0] + (1 - AIM) * aims[rows, 1]
            loss = entropy(net(context[rows].float(), colours[rows].float()), aim)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            lost += loss.item()
        with torch.no_grad():
            answers = torch.cat([net(context[rows].float(), colours[rows].float()) for rows in keep.split(8192)])
            ended, error = entropy(answers, aims[keep, 1]).item(), (torch.sigmoid(answers) - aims[keep, 0]).square().mean().sqrt().item()
        course.append(Epoch(number, lost / batches, ended, error))
        heard(course[-1])
    weights: list[float] = net.weights()
    return weights, course


def _network(torch: Any, context: Any, colours: Any) -> Any:
    """The network of ``mandala_net`` for PyTorch; the spread of the inputs is divided out while it learns, and put into the weights."""
    nn, functional = torch.nn, torch.nn.functional

    class Network(nn.Module):  # type: ignore[misc, name-defined]  # PyTorch is loaded only where somebody trains
        def __init__(self) -> None:
            super().__init__()
            self.first, self.by_colour = nn.Linear(CONTEXT, HIDDEN + LAST), nn.Linear(COLOUR, HIDDEN, bias=False)
            self.second, self.out = nn.Linear(HIDDEN, LAST, bias=False), nn.Linear(LAST, 1)
            self.register_buffer("context_scale", 1 / (context.std(0) + 1e-3).clamp(min=0.05))
            self.register_buffer("colour_scale", 1 / (colours.view(-1, COLOUR).std(0) + 1e-3).clamp(min=0.1))
            with torch.no_grad():  # sums over six colours begin smaller
                self.second.weight.mul_(0.4)
                self.first.weight[:HIDDEN].mul_(0.7)
                self.by_colour.weight.mul_(0.7)

        def forward(self, context: Any, colours: Any) -> Any:
            known = self.first(context * self.context_scale)
            each = self.by_colour(colours.view(-1, 6, COLOUR) * self.colour_scale) + known[:, None, :HIDDEN]
            return self.out(functional.relu(self.second(functional.relu(each).sum(1)) + known[:, HIDDEN:]))[:, 0]

        def take(self, numbers: Sequence[float]) -> None:
            given, at = torch.tensor(numbers), 0
            with torch.no_grad():
                for layer, scale in (
                    (self.first.weight, self.context_scale), (self.first.bias, None), (self.by_colour.weight, self.colour_scale),
                    (self.second.weight, None), (self.out.weight, None), (self.out.bias, None),
                ):  # fmt: skip
                    part = given[at : at + layer.numel()]
                    part = part.view(layer.shape[::-1]).t() if layer.dim() == 2 else part  # they lie by inputs
                    layer.copy_(part if scale is None else part / scale)
                    at += layer.numel()

        def weights(self) -> list[float]:
            with torch.no_grad():
                layers = (
                    (self.first.weight * self.context_scale).t(), self.first.bias, (self.by_colour.weight * self.colour_scale).t(),
                    self.second.weight.t(), self.out.weight, self.out.bias,
                )  # fmt: skip
                numbers: list[float] = torch.cat([layer.reshape(-1) for layer in layers]).tolist()
                return numbers

    return Network()
