"""How the command line refuses: one line on standard error, and exit status 2."""

from __future__ import annotations

import re
import sys

_NUMBERS = re.compile(r"argument (?P<option>\S+): invalid (?P<kind>int|float) value: (?P<value>.*)", re.DOTALL)
_WANTED = {"int": "a whole number", "float": "a number"}


def refuse(command: str, message: str) -> int:
    """Say in one line why ``sandriver COMMAND`` does not do it; return the exit status."""
    print(f"sandriver {command}: {' '.join(message.split())}", file=sys.stderr)
    return 2


def in_words(message: str) -> str:
    """What ``argparse`` says, in one line, and without the names of Python's types.

    >>> in_words("argument --port: invalid int value: 'abc'")
    "--port: a whole number is wanted, not 'abc'"
    """
    message = " ".join(message.split())
    if found := _NUMBERS.fullmatch(message):
        value = found["value"] if len(found["value"]) <= 60 else f"{found['value'][:57]}…"
        return f"{found['option']}: {_WANTED[found['kind']]} is wanted, not {value}"
    return message
