"""The HTTP client towards the emulators and the supervisor: JSON in, JSON out, and their server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, Self, TypeAlias, cast

import aiohttp

JsonObject: TypeAlias = dict[str, Any]

ANSWER_SECONDS = 30.0
CONNECT_SECONDS = 2.0


class Unreachable(Exception):
    """The process behind this address did not answer."""


class Upstream:
    """One process of the playground, by its base URL; opens its connections with `async with`."""

    def __init__(self, *, name: str, url: str) -> None:
        self.name = name
        self._url = url.rstrip("/")
        self._opened: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._opened = aiohttp.ClientSession(trust_env=False)
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self._session.close()

    @property
    def _session(self) -> aiohttp.ClientSession:
        if self._opened is None:
            raise RuntimeError("an upstream is used inside its `async with`")
        return self._opened

    async def request(
        self, method: str, path: str, *, body: JsonObject | None = None, query: dict[str, str] | None = None
    ) -> tuple[int, JsonObject]:
        """The status and JSON object that the process answered; raises `Unreachable`."""
        status, raw = await self._answer(method, path, body, query)
        return status, _object(raw)

    async def bytes_at(self, path: str, **query: str) -> bytes | None:
        """What stands at a path, None where nothing does; raises `Unreachable`."""
        status, raw = await self._answer("GET", path, None, query)
        return raw if status == 200 else None

    async def _answer(
        self, method: str, path: str, body: JsonObject | None, query: dict[str, str] | None
    ) -> tuple[int, bytes]:
        try:
            async with self._session.request(
                method, self._url + path, json=body, params=query, timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS)
            ) as response:
                return response.status, await response.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise Unreachable(self.name) from error

    async def get(self, path: str, **query: str) -> JsonObject:
        """The JSON object at a path; raises `Unreachable` also for an answer that is no success."""
        status, found = await self.request("GET", path, query=query)
        if status != 200:
            raise Unreachable(f"{self.name} answered {status}")
        return found

    async def events(self, path: str) -> AsyncIterator[JsonObject]:
        """The process's server-sent events as they come; the first value, `{}`, means that the stream is open."""
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
        try:
            async with self._session.get(self._url + path, timeout=timeout) as response:
                if response.status != 200:
                    raise Unreachable(f"{self.name} answered {response.status}")
                yield {}
                async for line in response.content:
                    if line.startswith(b"data:"):
                        yield _object(line[5:])
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise Unreachable(self.name) from error


def _object(raw: bytes) -> JsonObject:
    try:
        value: object = json.loads(raw)
    except ValueError:
        return {"text": raw.decode("utf-8", "replace")}
    return cast(JsonObject, value) if isinstance(value, dict) else {"value": value}
