"""Which calls to Slack are sent again by themselves: only those that cannot happen twice.

slack_sdk's own handlers repeat any call whose connection broke, a chat.postMessage too, which may have been posted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse

LONGEST_WAIT_SECONDS = 2  # a longer Retry-After goes to the caller, who keeps its place and lets others pass
ONCE = frozenset(
    {
        "chat.postMessage",
        "chat.postEphemeral",
        "chat.startStream",
        "chat.appendStream",
        "files.completeUploadExternal",
        "views.open",
    }
)
"""What would show twice, or fail, when it is sent twice."""


def retry_handlers() -> list[AsyncRetryHandler]:
    """The handlers of every client: broken connections, short rate limits, server errors."""
    return [ConnectionRetry(), RateLimitRetry(max_retry_count=2), ServerRetry()]


class ConnectionRetry(AsyncConnectionErrorRetryHandler):
    """One more attempt after a broken connection."""

    async def _can_retry_async(self, *, request: HttpRequest, **known: Any) -> bool:
        return _may_repeat(request) and await super()._can_retry_async(request=request, **known)


class ServerRetry(AsyncServerErrorRetryHandler):
    """One more attempt after a 500 or 503."""

    async def _can_retry_async(self, *, request: HttpRequest, **known: Any) -> bool:
        return _may_repeat(request) and await super()._can_retry_async(request=request, **known)


class RateLimitRetry(AsyncRateLimitErrorRetryHandler):
    """Waits out a short 429; nothing was done, so every call may be sent again."""

    async def _can_retry_async(self, *, response: HttpResponse | None = None, **known: Any) -> bool:
        wait = retry_after(response.headers) if response else None
        is_short = wait is not None and wait <= LONGEST_WAIT_SECONDS
        return is_short and await super()._can_retry_async(response=response, **known)


def retry_after(headers: Mapping[str, object]) -> float | None:
    """The seconds of a Retry-After header, given as a text or as slack_sdk's list of texts; None where it has none."""
    given = next((value for name, value in headers.items() if name.lower() == "retry-after"), None)
    values = cast("list[object]", given) if isinstance(given, list) else [given]
    text = str(next(iter(values), ""))
    return float(text) if text.isdecimal() else None


def _may_repeat(request: HttpRequest) -> bool:
    return request.url.rpartition("/")[2] not in ONCE
