"""What stands behind the “?” of a request."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from bot.api.agent.parameters import LONGEST_NAME, numbers
from bot.api.refusals import HttpRefusal

KNOWN = {"timeout": (1, 86_400), "after": (0, None)}


def asked(query: str) -> Request:
    return Request({"type": "http", "path": "/", "headers": [], "query_string": query.encode()})


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("", {}),
        ("timeout=1", {"timeout": 1}),
        ("after=0&timeout=86400", {"after": 0, "timeout": 86_400}),
        ("after=999999999999999999", {"after": 999_999_999_999_999_999}),
    ],
)
def test_numbers_are_read(query: str, read: dict[str, int]) -> None:
    assert numbers(asked(query), KNOWN) == read


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("timeout=0", "timeout"),
        ("timeout=86401", "timeout"),
        ("timeout=", "timeout"),
        ("timeout=1.5", "timeout"),
        ("after=-1", "after"),
        ("after=%D9%A1", "after"),
        ("after=1000000000000000000", "after"),
        ("TIMEOUT=1", "TIMEOUT"),
        ("max_steps=1", "max_steps"),
        ("timeout=1&timeout=2", "timeout"),
        ("after", "after"),
        ("=1", ""),
        (f"{'x' * 3_000}=1", "x" * (LONGEST_NAME - 1) + "…"),
    ],
)
def test_nothing_is_ignored(query: str, field: str) -> None:
    """A name that is not known or stands twice, and what is no such number, is refused by its name, in short."""
    with pytest.raises(HttpRefusal) as caught:
        numbers(asked(query), KNOWN)
    assert (caught.value.status, caught.value.code, caught.value.field) == (400, "bad_request", field)
    assert len(caught.value.message) < 300
