"""How much of a body is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from bot.request_body import BodyTooLong, read_body

LIMIT = 10


def arriving(*pieces: bytes, claimed: str = "", whole: bool = True) -> tuple[Request, Sequence[Any]]:
    """A request whose body comes in these pieces, and what of it was not read yet; its sender leaves where it is not
    whole.
    """
    last = {"type": "http.request", "more_body": False} if whole else {"type": "http.disconnect"}
    messages: list[Any] = [*({"type": "http.request", "body": piece, "more_body": True} for piece in pieces), last]

    async def receive() -> Any:
        return messages.pop(0)

    headers = [(b"content-length", claimed.encode("latin-1"))] if claimed else []
    return Request({"type": "http", "method": "POST", "path": "/", "headers": headers}, receive), messages


@pytest.mark.parametrize("claimed", ["", "10", "3", "-1", "\xb2", "9" * 30])
async def test_a_body_is_read_up_to_the_limit(claimed: str) -> None:
    """In whatever pieces it comes, and whatever is said of its length that is none."""
    request, _ = arriving(b"01234", b"56789", claimed=claimed)
    assert await read_body(request, limit=LIMIT) == b"0123456789"


@pytest.mark.parametrize("claimed", ["", "3"])
async def test_a_body_is_counted_while_it_is_read(claimed: str) -> None:
    """Nobody said how long it is, or said less; what comes after the limit stays where it is."""
    request, unread = arriving(b"01234", b"567890", b"more", claimed=claimed)
    with pytest.raises(BodyTooLong):
        await read_body(request, limit=LIMIT)
    assert len(unread) == 2


async def test_a_length_that_is_too_high_is_believed() -> None:
    """Nothing is read then."""
    request, unread = arriving(b"0", claimed="11")
    with pytest.raises(BodyTooLong):
        await read_body(request, limit=LIMIT)
    assert len(unread) == 2


async def test_who_leaves_sent_nothing() -> None:
    """A part of a body is none."""
    request, _ = arriving(b"0", whole=False)
    with pytest.raises(ClientDisconnect):
        await read_body(request, limit=LIMIT)
