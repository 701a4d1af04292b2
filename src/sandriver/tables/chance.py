"""The committed shuffle: chance that was fixed before the first card fell and that anybody can check afterwards.

A table publishes ``commitment(secret)`` when it is opened; then each person adds a nonce of their own, and each bot the one that
follows from the secret. The stream of the table is::

    key    = HMAC-SHA256(secret, b"sandriver/1" 00 table id 00 nonce of seat 0 00 nonce of seat 1 …)
    x      = first 8 bytes, big endian, of HMAC-SHA256(key, n as 8 bytes big endian, retry as 4 bytes big endian)

(ids and nonces as ASCII text, ``00`` a zero byte). The n-th draw of the table (from 0) among ``total = sum(weights)`` equally likely
things takes ``x % total``, the weights laid end to end in order; an ``x`` of the incomplete last stretch, at or above
``2**64 - 2**64 % total``, is rejected and the retry counter raised from 0. So no draw is biased, none depends on anything but
its number, and a restart changes nothing. Drawing from counts without replacement in this way is a committed shuffle.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

SECRET_BYTES = 32
_SPAN = 1 << 64


def new_secret() -> str:
    """Return a fresh 256-bit secret, 64 hex digits."""
    return secrets.token_hex(SECRET_BYTES)


def new_nonce() -> str:
    """Return a fresh nonce, 32 hex digits, for a seat that brings none."""
    return secrets.token_hex(16)


def bot_nonce(secret: str, table_id: str, seat: int) -> str:
    """Return the nonce of a bot on a seat, 32 hex digits. It follows from the secret, so the server cannot choose it after people's own."""
    message = b"\0".join([b"sandriver/1 bot", table_id.encode("ascii"), str(seat).encode("ascii")])
    return hmac.digest(bytes.fromhex(secret), message, "sha256")[:16].hex()


def commitment(secret: str) -> str:
    """Return the SHA-256 of the secret's bytes, 64 hex digits. ``secret`` is hex; raises ``ValueError`` if it is not."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def stream_key(secret: str, table_id: str, nonces: Sequence[str]) -> bytes:
    """Return the key of a table's stream from its secret (hex) and the nonces in seat order."""
    message = b"\0".join([b"sandriver/1", table_id.encode("ascii"), *(nonce.encode("ascii") for nonce in nonces)])
    return hmac.digest(bytes.fromhex(secret), message, "sha256")


def bot_seed(key: bytes, ply: int) -> int:
    """Return the generator seed of the bot that chooses after ``ply`` actions: the same after a restart, apart from the deals."""
    return int.from_bytes(hmac.digest(key, b"bot" + ply.to_bytes(8, "big"), "sha256"), "big")


def bot_pause(key: bytes, ply: int) -> float:
    """Return where the bot's pause after ``ply`` actions lies between its bounds, from 0 up to 1: the same after a restart."""
    return int.from_bytes(hmac.digest(key, b"pause" + ply.to_bytes(8, "big"), "sha256")[:8], "big") / _SPAN


class CommittedChance:
    """A ``Chance`` that continues a table's stream at draw number ``n``."""

    def __init__(self, key: bytes, n: int = 0) -> None:
        self._key = key
        self.n = n
        """Number of the next draw, which is the number of draws made so far in this table."""

    def draw(self, weights: Sequence[int]) -> int:
        """Return an index drawn in proportion to ``weights``; raises ``ValueError`` when there is nothing to draw from."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("nothing to draw from")
        rest = self._number(total)
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        raise AssertionError("unreachable: rest is below the sum of the weights")

    def _number(self, total: int) -> int:
        limit = _SPAN - _SPAN % total
        number = self.n.to_bytes(8, "big")
        self.n += 1
        retry = 0
        while True:
            digest = hmac.digest(self._key, number + retry.to_bytes(4, "big"), "sha256")
            x = int.from_bytes(digest[:8], "big")
            if x < limit:
                return x % total
            retry += 1
