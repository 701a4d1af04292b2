"""Names that are shown to others."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandriver.server.identity import clean_name
from sandriver.server.problems import Problem
from sandriver.tables.words import MARKS, NAME_LENGTH


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ana", "Ana"),
        ("  Ana \t", "Ana"),
        ("Ana    Maria", "Ana Maria"),
        ("Zoe\u0301", "Zo\u00e9"),
        ("  山田 太郎 ", "山田 太郎"),
        ("Ζωή", "Ζωή"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("<b>", "<b>"),
        ("שָׁ֑לוֹם", "שָׁ֑לוֹם"),
        ("ကျွန်ုပ်", "ကျွန်ုပ်"),
        ("ที่นี่", "ที่นี่"),
        ("x" + "\u0323" * MARKS, "x" + "\u0323" * MARKS),
        ("x" * 24, "x" * 24),
    ],
)
def test_good_names(text: str, name: str) -> None:
    """Any script, any punctuation; only trimmed and composed."""
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "name_length"),
        ("   ", "name_length"),
        ("\u200d\u200c", "name_length"),
        ("\u0301", "name_characters"),
        ("\u0301Ana", "name_characters"),
        ("x" + "\u0323" * (MARKS + 1), "name_characters"),
        ("x" + "\u0323\u200d" * (MARKS + 1), "name_characters"),
        ("x" * 25, "name_length"),
        ("a\nb", "name_characters"),
        ("a\x00b", "name_characters"),
        ("a\x1b[31m", "name_characters"),
        ("\u202eanA", "name_characters"),
        ("a\u2028b", "name_characters"),
        ("a\u200bb", "name_characters"),
        ("a\ue000", "name_characters"),
        ("\ud800", "name_characters"),
        *((text, "name_characters") for text in ("\u115f", "\u1160", "\u2800", "\u3164", "\uffa0", "a\u3164b")),
    ],
)
def test_bad_names(text: str, reason: str) -> None:
    """Nothing that controls, reverses or hides text, and nothing that shows nothing."""
    with pytest.raises(Problem) as refused:
        clean_name(text)
    assert refused.value.body.code == "bad_request"
    assert refused.value.body.params["reason"] == reason


@given(st.text(max_size=60))
def test_a_clean_name_is_clean(text: str) -> None:
    """Cleaning twice changes nothing, and what comes out keeps the promise."""
    try:
        name = clean_name(text)
    except Problem:
        return
    assert clean_name(name) == name
    assert name == name.strip() == unicodedata.normalize("NFC", name)
    assert 1 <= len(name) <= NAME_LENGTH
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name)
