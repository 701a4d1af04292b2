"""What people at a table say to each other: ready phrases and short texts, within limits. Pure.

It stands in the table's log, so that who comes back reads it, but it is heard at the table only: spectators, records and the server's
own log get none of it.
"""

from __future__ import annotations

import unicodedata

from sandriver.tables.errors import Refusal
from sandriver.tables.log import Said
from sandriver.tables.state import State
from sandriver.tables.wire import Say
from sandriver.tables.words import fit, shows

LONGEST_TEXT = 200
"""Characters."""
MOST_SAID = 120
"""At one table."""
BURST, BURST_MS = 5, 10_000
"""So many things may one seat say within that time."""


def say(state: State, seat: int, command: Say, at: int) -> Said:
    """The entry with which something is said. Raises ``Refusal``."""
    mode = state.chat
    if seat in state.out and not state.over:
        raise Refusal("not_seated")  # they watch like spectators, with all that they know of the game
    if mode == "off":
        raise Refusal("forbidden", rule="chat")
    if (command.phrase is None) == (command.text is None):
        raise Refusal("bad_request", rule="text")
    text = None if command.text is None else clean_text(command.text)
    if text is not None and mode == "phrases":
        raise Refusal("forbidden", rule="phrases")
    if state.company.said >= MOST_SAID:
        raise Refusal("too_many_requests", rule="chat_full")
    lately = [when for who, when in state.company.recent if who == seat and when > at - BURST_MS]
    if len(lately) >= BURST:
        raise Refusal("too_many_requests", params={"seconds": max(1, (lately[-BURST] + BURST_MS - at + 999) // 1000)})
    return Said(seat, command.phrase, text)


def clean_text(text: str) -> str:
    """The text as it is stored: composed, spaces trimmed. Refuses one that shows nothing, is too long, or is not ``fit``."""
    if len(text) > 4 * LONGEST_TEXT:
        raise Refusal("bad_request", rule="text")
    text = " ".join(unicodedata.normalize("NFC", text).split())
    if len(text) > LONGEST_TEXT or not (fit(text) and shows(text)):
        raise Refusal("bad_request", rule="text")
    return text
