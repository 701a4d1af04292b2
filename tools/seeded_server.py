"""A server whose every secret can be foretold, for the same pictures each time: tools/screenshots.py alone may use it."""

from __future__ import annotations

import random
import secrets
import sys
from typing import Any

RANDOM = random.Random(2019)


def token_hex(size: int | None = None) -> str:
    """Like ``secrets.token_hex``, from the seeded generator."""
    return RANDOM.randbytes(size or 32).hex()


def choice(things: Any) -> Any:
    """Like ``secrets.choice``, from the seeded generator."""
    return RANDOM.choice(things)


def main() -> int:
    """Serve with the arguments of `sandriver`."""
    vars(secrets).update(token_hex=token_hex, choice=choice)
    from sandriver.cli import main as sandriver

    return sandriver(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
