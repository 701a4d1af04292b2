"""The training example: what it sees, that it remembers only what was shown, and that the same seed learns the same."""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandriver.envs.batch import BatchEnv
from sandriver.games.encoding import encoding_of
from sandriver.games.mandala.options import Options
from sandriver.games.mandala.rules import Position, state_of

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ppo.py"
ENCODING = encoding_of("mandala")


def example() -> Any:
    """The example as a module; ``None`` where PyTorch is not installed, after a look at what it says then."""
    if importlib.util.find_spec("torch") is None:
        done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (2, "No module named 'torch': pip install 'sandriver[rl,train]'\n")
        return None
    spec = importlib.util.spec_from_file_location("ppo_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def exchanged(observed: Any, at: dict[str, int]) -> Any:
    """Observations of the same games with the two mandalas exchanged."""
    found = observed.clone()
    for name, width in (("mountains", 6), ("fields", 12), ("claim", 1)):
        first, second = slice(at[name], at[name] + width), slice(at[name] + width, at[name] + 2 * width)
        found[:, first], found[:, second] = observed[:, second], observed[:, first]
    return found


@pytest.mark.slow
def test_which_mandala_is_which_changes_nothing() -> None:
    if (ppo := example()) is None:
        return
    import torch

    env = BatchEnv("mandala", 64, seed=3, options={"memory_aid": True})
    for _ in range(37):
        env.step()
    observed, masks = torch.from_numpy(env.observations.copy()), torch.from_numpy(env.masks.copy())
    other = [*range(6, 12), *range(6), *range(54, 96), *range(12, 54), *range(96, 150)]
    net = ppo.Net()
    seen, mirrored = ppo.look(observed, masks), ppo.look(exchanged(observed, ppo.AT), masks[:, other])
    clear = seen.swapped != mirrored.swapped  # neither mandala lacks as many colours as the other
    assert clear.sum() > 30
    logits, values = net(seen)
    others, same = net(mirrored)
    assert torch.allclose(logits[:, other][clear], others[clear], atol=1e-4)
    assert torch.allclose(values[clear], same[clear], atol=1e-4)
    assert bool((logits.argmax(1) == logits.masked_fill(~masks, -2e9).argmax(1)).all())  # only what is legal is ever chosen


@pytest.mark.slow
def test_it_remembers_what_the_other_claimed_as_if_it_lay_open() -> None:
    if (ppo := example()) is None:
        return
    rng, remembered = random.Random(4), 0
    for deal in range(6):
        game = ppo.Game(deal, deal & 1)
        while game.position.to_move is not None:
            open_cups = Position(state_of(game.position).copy(), Options(memory_aid=True))
            assert game.observe() == ENCODING.observe(open_cups, game.own)
            remembered = max(remembered, int(game.claimed.sum()))
            game.play(rng.choice(np.flatnonzero(np.frombuffer(ENCODING.mask(game.position), np.uint8)).tolist()))
    assert remembered > 5


@pytest.mark.slow
def test_the_same_seed_learns_the_same() -> None:
    if example() is None:
        return
    words = "--steps 60000 --imitate 400 --games 4 --curve 2 --seed 5"
    told = []
    for _ in range(2):
        done = subprocess.run([sys.executable, str(EXAMPLE), *words.split()], capture_output=True, text=True, check=True)
        told.append(re.sub(r"[ \d.]+ min,", "", done.stdout))
    assert told[0] == told[1]
    assert re.search(r"entropy [\d.]+, \d+% against the apprentice", told[0])
    assert "4 games against the apprentice: " in told[0]
