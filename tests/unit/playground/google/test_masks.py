"""The fields parameter."""

from __future__ import annotations

from typing import Any

import pytest

from playground.google.errors import ApiError
from playground.google.masks import masked, read_mask

VALUE = {"id": "1", "items": [{"a": 1, "b": {"c": 2, "d": 3}}, {"a": 4}], "next": "x"}


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("id", {"id": "1"}),
        ("items(a),next", {"items": [{"a": 1}, {"a": 4}], "next": "x"}),
        ("items/b/c", {"items": [{"b": {"c": 2}}, {}]}),
        ("items(b/d,a)", {"items": [{"a": 1, "b": {"d": 3}}, {"a": 4}]}),
        ("*", VALUE),
        ("items/*", {"items": VALUE["items"]}),
        ("", VALUE),
    ],
)
def test_masked(mask: str, expected: dict[str, Any]) -> None:
    """Only what the mask names is left."""
    read = read_mask(mask, {}, None) if mask else {}
    assert masked(VALUE, read) == expected


@pytest.mark.parametrize("mask", ["items(", "items(a", "a,,b", "a/", ")", "a)b", "(a)"])
def test_bad_masks(mask: str) -> None:
    """A mask that cannot be read is a 400."""
    with pytest.raises(ApiError, match="400 invalidParameter"):
        read_mask(mask, {}, None)
