"""Canonical JSON is the same, byte by byte, as the library's that is named for it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from bot import canonical_json

_LETTERS = "".join(chr(code) for code in (*range(0x180), 0x2028, 0x2029, 0xE000, 0xFFFD, 0x1F600, 0x10FFFF))
_LEAVES = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False) | st.text()
_VALUES = st.recursive(
    _LEAVES.filter(lambda leaf: leaf not in {float("inf"), float("-inf")}),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


class _Word(StrEnum):
    READ = "read"


_NOTHING: list[object] = []
_RARE: list[object] = [
    *(_LETTERS, {letter: letter for letter in _LETTERS}),
    {"\U0001f600": 1, "\uffff": 2, "z": 3},  # by code points the two would stand the other way round
    *({}, [], (1, (2,)), {"b": {}, "a": [_NOTHING]}, _Word.READ, {_Word.READ: _Word.READ}),
    *(True, 0, -0.0, 0.1, 1e21, 1e-7, 5e-324, 100.0, 2**53 - 1, -(2**53) + 1),
]


@given(_VALUES)
def test_any_value_has_the_bytes_that_the_library_writes(value: Any) -> None:
    """Values that have a canonical form."""
    assert canonical_json.dumps(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", _RARE)
def test_what_is_rare_has_them_too(value: Any) -> None:
    """Every letter that is written in its own way, names in their order, empty values, words of ours, numbers."""
    assert canonical_json.dumps(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "value",
    [2**53, -(2**53), float("nan"), float("inf"), b"bytes", {1}, {1: "no text"}, {"a": 1, None: 2}, object()],
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    """Wherever it stands."""
    for each in (value, [value], {"in": {"side": value}}):
        with pytest.raises(rfc8785.CanonicalizationError):
            canonical_json.dumps(each)


@pytest.mark.parametrize("value", ["\ud800", ["\udfff"], {"\ud800": 1}])
def test_half_a_letter_is_refused(value: Any) -> None:
    """A lone surrogate has no bytes in UTF-8."""
    with pytest.raises(UnicodeError):
        canonical_json.dumps(value)
