"""The body of a request over HTTP, counted while it is read.

The time that it may take is bounded where it is served (`bot.api.connections`): who is too slow loses the connection,
as does who sends less than was announced, and both have left then.
"""

from __future__ import annotations

from starlette.requests import Request

from bot.errors import BotError

_MOST_DIGITS = 19
"""Of a length that is looked at."""


class BodyTooLong(BotError):
    """A body has more bytes than are taken. The rest of it was not read, so its connection must be closed."""


async def read_body(request: Request, *, limit: int) -> bytes:
    """The bytes, `limit` at most. Raises `BodyTooLong` as soon as that is known, and `ClientDisconnect`.

    A Content-Length is only a claim, but one that is too high is believed.
    """
    claimed = request.headers.get("content-length", "")
    if claimed.isascii() and claimed.isdecimal() and len(claimed) <= _MOST_DIGITS and int(claimed) > limit:
        raise BodyTooLong
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit:
            raise BodyTooLong
    return bytes(body)
