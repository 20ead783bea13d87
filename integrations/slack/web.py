"""Slack's Web API as plain JSON: the typed façade over slack_sdk, its refusals as tool errors, and a short memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Generic, Protocol, TypeVar, cast

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from integrations.errors import ToolFailed
from integrations.ports import Clock

Object = Mapping[str, object]

MOST_KEPT = 2_000
PAGE = 200  # what Slack recommends for the methods with cursors

_TOKEN_ERRORS = frozenset(
    {"account_inactive", "invalid_auth", "not_authed", "org_login_required", "token_expired", "token_revoked"}
)
_ADMIN = "An administrator of the app can mend this."
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class _Answer(Protocol):
    """What we use of an AsyncSlackResponse, whose types are open."""

    data: object
    status_code: int
    headers: Mapping[str, str]


class _Api(Protocol):
    """What we use of an AsyncWebClient, whose types are open."""

    async def api_call(self, api_method: str, *, params: Mapping[str, str | int | bool]) -> _Answer: ...


class SlackReadRefused(ToolFailed):
    """Slack answered `ok: false`; `error` is its word for why."""

    private = False

    def __init__(self, error: str, message: str, *, hint: str = "") -> None:
        super().__init__(f"slack_{error}", message, hint=hint)
        self.error = error


class Web:
    """The reading methods. Raises `SlackReadRefused`, or `ToolFailed` when Slack cannot be reached."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = cast("_Api", client)

    async def call(self, method: str, **parameters: str | int | bool) -> Object:
        """One call. The answer's JSON is returned as it is."""
        try:
            response = await self._client.api_call(method, params=parameters)
        except SlackApiError as error:
            raise _refused(method, error) from error
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _unreachable("Slack cannot be reached just now.") from error
        return cast("Object", response.data)

    async def listing(
        self, method: str, key: str, *, pages: int, **parameters: str | int | bool
    ) -> tuple[list[object], bool]:
        """The items of up to so many pages, and whether that was all of them."""
        items: list[object] = []
        cursor = ""
        for _ in range(pages):
            answer = await self.call(method, limit=PAGE, **parameters, **({"cursor": cursor} if cursor else {}))
            items.extend(sequence(answer, key))
            cursor = text(part(answer, "response_metadata"), "next_cursor")
            if not cursor:
                return items, True
        return items, False


def _refused(method: str, error: SlackApiError) -> ToolFailed:
    response = cast("object", error.response)
    if not isinstance(response, AsyncSlackResponse):
        return _unreachable("Slack answered with something that is no answer.")
    said = cast("_Answer", response)
    answer = part({"data": said.data}, "data")
    code = text(answer, "error") or f"http_{said.status_code}"
    if said.status_code == 429 or code in {"ratelimited", "rate_limited"}:
        seconds = said.headers.get("Retry-After", "60")
        return SlackReadRefused(
            "ratelimited", f"Slack asks to wait {seconds} seconds.", hint="Go on without it, or later."
        )
    if code == "missing_scope":
        scope = text(answer, "needed") or "that it needs"
        return SlackReadRefused(code, f"The Slack app was not given the permission {scope}.", hint=_ADMIN)
    if code in _TOKEN_ERRORS:
        return SlackReadRefused(code, "Slack does not accept the app's token any more.", hint=_ADMIN)
    return SlackReadRefused(code, f"Slack refused {method}: {code}.")


def _unreachable(message: str) -> ToolFailed:
    return ToolFailed("slack_unreachable", message, hint="Try again later.", private=False)


# Reading JSON ------------------------------------------------------------------------------------------------------


def text(data: Object, key: str) -> str:
    """The text at a key; empty when there is none."""
    value = data.get(key)
    return value if isinstance(value, str) else ""


def flag(data: Object, key: str) -> bool:
    """Whether the key is there and true."""
    return data.get(key) is True


def number(data: Object, key: str) -> int:
    """The whole number at a key; 0 when there is none."""
    value = data.get(key)
    return value if isinstance(value, int) else 0


def part(data: Object, key: str) -> Object:
    """The object at a key; empty when there is none."""
    value = data.get(key)
    return cast("Object", value) if isinstance(value, Mapping) else {}


def sequence(data: Object, key: str) -> Sequence[object]:
    """The list at a key; empty when there is none."""
    value = data.get(key)
    return cast("list[object]", value) if isinstance(value, list) else []


def objects(data: Sequence[object]) -> list[Object]:
    """The objects of a list."""
    return [cast("Object", item) for item in data if isinstance(item, Mapping)]


class Aging(Generic[K, V]):
    """Loads a value once and keeps it for so long; the oldest go when there are too many. Failures are not kept."""

    def __init__(
        self, load: Callable[[K], Awaitable[V]], *, seconds: float, clock: Clock, most: int = MOST_KEPT
    ) -> None:
        self._load = load
        self._life = timedelta(seconds=seconds)
        self._most = most
        self._clock = clock
        self._kept: dict[K, tuple[datetime, V]] = {}

    async def get(self, key: K) -> V:
        """The value, at most `seconds` old."""
        kept = self._kept.get(key)
        if kept and timedelta(0) <= self._clock.now() - kept[0] < self._life:  # a clock may go back
            return kept[1]
        value = await self._load(key)
        self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep what was learnt on the way."""
        self._kept.pop(key, None)
        while len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (self._clock.now(), value)
