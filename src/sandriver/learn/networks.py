"""The networks of ``mandala_net`` and ``mandala_choice`` for PyTorch, and their weights in the order that those want them.

The spread of the inputs is divided out while they learn, and put into the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandriver.bots.mandala_net import COLOUR, CONTEXT, HIDDEN, KINDS, LAST


def spreads(context: Any, colours: Any) -> tuple[Any, Any]:
    """What the inputs of some turns are multiplied by to vary about alike: those of the context, those of a colour."""
    return 1 / (context.std(0) + 1e-3).clamp(min=0.05), 1 / (colours.view(-1, COLOUR).std(0) + 1e-3).clamp(min=0.1)


def take(torch: Any, network: Any, numbers: Sequence[float]) -> None:
    """Fill the layers of a network, each with what its inputs are multiplied by (``None``: nothing), with weights that lie by inputs."""
    given, at = torch.tensor(numbers), 0
    with torch.no_grad():
        for layer, scale in network.layers():
            part = given[at : at + layer.numel()]
            part = part.view(layer.shape[::-1]).t() if layer.dim() == 2 else part
            layer.copy_(part if scale is None else part / scale)
            at += layer.numel()


def weights(torch: Any, network: Any) -> list[float]:
    """The inverse of ``take``."""
    with torch.no_grad():
        parts = [(layer if scale is None else layer * scale).t().reshape(-1) for layer, scale in network.layers()]
        numbers: list[float] = torch.cat(parts).tolist()
        return numbers


def value_network(torch: Any, scales: tuple[Any, Any]) -> Any:
    """The network that judges: from context and colours of turns to what becomes a chance to win by the logistic function."""
    nn, functional = torch.nn, torch.nn.functional

    class Network(nn.Module):  # type: ignore[misc, name-defined]  # PyTorch is loaded only where somebody trains
        def __init__(self) -> None:
            super().__init__()
            self.first, self.by_colour = nn.Linear(CONTEXT, HIDDEN + LAST), nn.Linear(COLOUR, HIDDEN, bias=False)
            self.second, self.out = nn.Linear(HIDDEN, LAST, bias=False), nn.Linear(LAST, 1)
            with torch.no_grad():  # sums over six colours begin smaller
                self.second.weight.mul_(0.4)
                self.first.weight[:HIDDEN].mul_(0.7)
                self.by_colour.weight.mul_(0.7)

        def forward(self, context: Any, colours: Any) -> Any:
            known = self.first(context * scales[0])
            each = self.by_colour(colours.view(-1, 6, COLOUR) * scales[1]) + known[:, None, :HIDDEN]
            return self.out(functional.relu(self.second(functional.relu(each).sum(1)) + known[:, HIDDEN:]))[:, 0]

        def layers(self) -> list[tuple[Any, Any]]:
            return [
                (self.first.weight, scales[0]), (self.first.bias, None), (self.by_colour.weight, scales[1]),
                (self.second.weight, None), (self.out.weight, None), (self.out.bias, None),
            ]  # fmt: skip

    return Network()


def choice_network(torch: Any, scales: tuple[Any, Any]) -> Any:
    """The network that chooses: from context and colours of turns to ``6 * KINDS`` answers, of which the legal ones share the chances by
    their exponentials."""
    nn, functional = torch.nn, torch.nn.functional

    class Network(nn.Module):  # type: ignore[misc, name-defined]  # PyTorch is loaded only where somebody trains
        def __init__(self) -> None:
            super().__init__()
            self.first, self.by_colour = nn.Linear(CONTEXT, HIDDEN), nn.Linear(COLOUR, HIDDEN, bias=False)
            self.last = nn.Linear(HIDDEN, KINDS)
            with torch.no_grad():
                self.first.weight.mul_(0.7)
                self.by_colour.weight.mul_(0.7)

        def forward(self, context: Any, colours: Any) -> Any:
            each = self.by_colour(colours.view(-1, 6, COLOUR) * scales[1]) + self.first(context * scales[0])[:, None]
            return self.last(functional.relu(each)).view(-1, 6 * KINDS)

        def layers(self) -> list[tuple[Any, Any]]:
            return [
                (self.first.weight, scales[0]), (self.first.bias, None), (self.by_colour.weight, scales[1]),
                (self.last.weight, None), (self.last.bias, None),
            ]  # fmt: skip

    return Network()
