"""Pages of a listing, with opaque tokens for the next page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TypeVar

from playground.google.errors import ApiError

Item = TypeVar("Item")

_PREFIX = "page:"


def page(items: Sequence[Item], token: str | None, size: int) -> tuple[Sequence[Item], str | None]:
    """The page that `token` asks for (the first without one) and the token of the next, if there is one."""
    start = _start(token)
    end = start + size
    return items[start:end], _token(end) if end < len(items) else None


def _token(start: int) -> str:
    return base64.urlsafe_b64encode(f"{_PREFIX}{start}".encode()).decode()


def _start(token: str | None) -> int:
    if not token:
        return 0
    try:
        text = base64.urlsafe_b64decode(token).decode()
    except ValueError:
        text = ""
    number = text.removeprefix(_PREFIX)
    if not text.startswith(_PREFIX) or not number.isdigit():
        raise ApiError(400, "invalidArgument", "Invalid page token", location="pageToken")
    return int(number)
