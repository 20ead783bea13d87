"""Gemini's own faults, beyond those of any HTTP server.

`error` answers `status` in Google's shape with the message `error`; `rate_limit` is a 429 whose RetryInfo says
`seconds`; `daily_quota` a 429 of the quota of the day; `overloaded` a 503; `hang` never answers for `seconds`; and in a
stream, after `after` chunks: `hang_midstream`, `no_finish` (a clean end without a finish reason), `error_event` (an
error inside the stream), `garbage`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from playground.faults import Fault
from playground.gemini import errors
from playground.gemini.errors import ApiError
from playground.gemini.schema import Json

ERROR = "error"
RATE_LIMIT = "rate_limit"
DAILY_QUOTA = "daily_quota"
OVERLOADED = "overloaded"
HANG = "hang"
HANG_MIDSTREAM = "hang_midstream"
NO_FINISH = "no_finish"
ERROR_EVENT = "error_event"
GARBAGE = "garbage"

BEFORE = frozenset({ERROR, RATE_LIMIT, DAILY_QUOTA, OVERLOADED, HANG})
INSIDE = frozenset({HANG_MIDSTREAM, NO_FINISH, ERROR_EVENT, GARBAGE})
KINDS = BEFORE | INSIDE

UNREADABLE = "<html>no JSON here"


async def before(fault: Fault, gone: Callable[[], Awaitable[object]]) -> None:
    """Carries out a fault before the answer; raises `ApiError`.

    `gone()` returns when the client has left. After a hang the answer comes after all, if there is still a client.
    """
    match fault.kind:
        case "rate_limit":
            raise errors.rate_limited(fault.seconds)
        case "daily_quota":
            raise errors.daily_quota()
        case "overloaded":
            raise errors.overloaded()
        case "hang":
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(fault.seconds):
                    await gone()
        case _:
            raise ApiError(fault.status, fault.error or "An injected fault.")


async def inside(fault: Fault, chunks: list[Json]) -> AsyncIterator[Json | str]:
    """The stream with the fault in it; a text is sent as it is, also when it is not JSON."""
    for chunk in chunks[: fault.after]:
        yield chunk
    match fault.kind:
        case "hang_midstream":
            await asyncio.sleep(fault.seconds)
            for chunk in chunks[fault.after :]:
                yield chunk
        case "error_event":
            yield ApiError(fault.status, fault.error or "An injected fault.").body
        case "garbage":
            yield UNREADABLE
        case _:
            return
