"""Which calls to Slack are sent again by themselves: only those that cannot happen twice.

slack_sdk's own handlers repeat any call whose connection broke, a chat.postMessage too, which may have been posted.
"""

from __future__ import annotations

from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState

LONGEST_WAIT_SECONDS = 2
"""A longer Retry-After goes to the caller, who keeps the place in the lane and lets others pass."""

ONCE = frozenset({"chat.postMessage", "chat.postEphemeral", "chat.startStream", "chat.appendStream", "views.open"})
"""What would show twice, or fail, when it is sent twice."""


def retry_handlers() -> list[AsyncRetryHandler]:
    """The handlers of every client: broken connections, short rate limits, server errors."""
    return [ConnectionRetry(), RateLimitRetry(max_retry_count=2), ServerRetry()]


class ConnectionRetry(AsyncConnectionErrorRetryHandler):
    """One more attempt after a broken connection."""

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        broken = await super()._can_retry_async(state=state, request=request, response=response, error=error)
        return broken and _may_repeat(request)


class ServerRetry(AsyncServerErrorRetryHandler):
    """One more attempt after a 500 or 503."""

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        failed = await super()._can_retry_async(state=state, request=request, response=response, error=error)
        return failed and _may_repeat(request)


class RateLimitRetry(AsyncRateLimitErrorRetryHandler):
    """Waits out a short 429; nothing was done, so every call may be sent again."""

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        limited = await super()._can_retry_async(state=state, request=request, response=response, error=error)
        return limited and response is not None and _wait(response) <= LONGEST_WAIT_SECONDS


def _may_repeat(request: HttpRequest) -> bool:
    return request.url.rpartition("/")[2] not in ONCE


def _wait(response: HttpResponse) -> float:
    values = next((value for name, value in response.headers.items() if name.lower() == "retry-after"), None)
    text = values[0] if isinstance(values, list) and values else str(values or "")
    return float(text) if text.isdecimal() else LONGEST_WAIT_SECONDS + 1.0
