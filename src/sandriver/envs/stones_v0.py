"""Mandala Stones for PettingZoo: ``env()`` with its checks, ``raw_env()`` without; the number rises with anything learners notice."""

from functools import partial

from sandriver.envs.aec import GameEnv, wrapped

raw_env = partial(GameEnv, "stones", 0)
env = partial(wrapped, "stones", 0)
