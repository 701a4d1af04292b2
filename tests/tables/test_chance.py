"""The committed shuffle: its definition, its fairness, and that only secret, table and nonces make it."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from sandriver.tables.chance import CommittedChance, bot_seed, commitment, new_nonce, new_secret, stream_key

SECRET = "00112233445566778899aabbccddeeff" * 2
NONCES = ("aa" * 16, "bb" * 16)
KEY = stream_key(SECRET, "k3mwq7xh2pdz", NONCES)


def test_definition_word_for_word() -> None:
    message = b"sandriver/1\0k3mwq7xh2pdz\0" + b"aa" * 16 + b"\0" + b"bb" * 16
    key = hmac.new(bytes.fromhex(SECRET), message, hashlib.sha256).digest()
    assert key == KEY
    chance = CommittedChance(KEY, 7)
    for n in range(7, 200):
        digest = hmac.new(key, n.to_bytes(8, "big") + bytes(4), hashlib.sha256).digest()
        x = int.from_bytes(digest[:8], "big") % 9
        assert chance.draw([2, 0, 3, 4]) == (0 if x < 2 else 2 if x < 5 else 3)
    assert chance.n == 200


def test_known_values() -> None:
    assert commitment(SECRET) == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()
    chance = CommittedChance(KEY)
    assert [chance.draw([1] * 10) for _ in range(12)] == [3, 3, 0, 3, 2, 6, 7, 9, 0, 9, 3, 3]


def test_rejected_numbers_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    retries = []

    def digest(key: bytes, message: bytes, name: str) -> bytes:
        retries.append(int.from_bytes(message[8:], "big"))
        return b"\xff" * 32 if len(retries) < 3 else bytes(32)

    monkeypatch.setattr(hmac, "digest", digest)
    assert CommittedChance(KEY).draw([1, 1, 1]) == 0
    assert retries == [0, 1, 2]


def test_continues_at_any_number() -> None:
    whole = CommittedChance(KEY)
    drawn = [whole.draw([3, 5, 1]) for _ in range(50)]
    for n in range(50):
        rest = CommittedChance(KEY, n)
        assert [rest.draw([3, 5, 1]) for _ in range(50 - n)] == drawn[n:]


def test_in_proportion_to_the_weights() -> None:
    chance = CommittedChance(KEY)
    seen = Counter(chance.draw([1, 0, 2, 5]) for _ in range(16_000))
    assert seen[1] == 0
    expected = {0: 2000, 2: 4000, 3: 10_000}
    assert sum((seen[index] - count) ** 2 / count for index, count in expected.items()) < 13.8  # chi square, 2 degrees, 0.1 %


def test_everything_that_is_mixed_in_matters() -> None:
    keys = {
        KEY,
        stream_key(SECRET[::-1], "k3mwq7xh2pdz", NONCES),
        stream_key(SECRET, "k3mwq7xh2pdy", NONCES),
        stream_key(SECRET, "k3mwq7xh2pdz", NONCES[::-1]),
        stream_key(SECRET, "k3mwq7xh2pdz", NONCES[:1]),
    }
    assert len(keys) == 5
    assert len({bot_seed(key, ply) for key in keys for ply in range(10)}) == 50


def test_nothing_to_draw_from() -> None:
    with pytest.raises(ValueError, match="nothing"):
        CommittedChance(KEY).draw([0, 0])


def test_fresh_secrets_are_long_and_different() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert {len(new_secret()), len(new_nonce())} == {64, 32}
