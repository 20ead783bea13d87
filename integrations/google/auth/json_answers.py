"""One question over HTTP and its answer in JSON, bounded in time and bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import aiohttp

from integrations.errors import IntegrationError
from integrations.google.http import is_loopback

TIMEOUT_SECONDS = 5.0
"""To connect, to be answered and to read all of it."""

MOST_BYTES = 262_144
_AS_IT_IS = {"accept-encoding": "identity"}
"""What is packed can be of any size once it is unpacked, so it is not asked for and not unpacked."""


class NoAnswer(IntegrationError):
    """There was none in time, it was too long, it is no JSON object, or it has a `status` that says no."""

    def __init__(self, why: str, *, status: int = 0) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonAnswer:
    """A status, the headers with their names in small letters, and the object in the body."""

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, object]


async def ask(
    url: str, *, token: str = "", body: Mapping[str, object] | None = None, seconds: float = TIMEOUT_SECONDS
) -> JsonAnswer:
    """GET, or POST where there is a body; no redirect is followed. Raises `NoAnswer`.

    On this machine no proxy is used.
    """
    headers = _AS_IT_IS | ({"authorization": f"Bearer {token}"} if token else {})
    method = "GET" if body is None else "POST"
    try:
        async with (
            aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=seconds),
                trust_env=not is_loopback(url),
                auto_decompress=False,
            ) as session,
            session.request(method, url, json=body, headers=headers, allow_redirects=False) as answer,
        ):
            told = {name.lower(): value for name, value in answer.headers.items()}
            return JsonAnswer(status=answer.status, headers=told, body=_object(await _read(answer)))
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise NoAnswer(type(error).__name__) from None


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    read = bytearray()
    async for chunk in answer.content.iter_any():
        read += chunk
        if len(read) > MOST_BYTES:
            raise NoAnswer("too long")
    return bytes(read)


def _object(read: bytes) -> Mapping[str, object]:
    try:
        found = cast("object", json.loads(read))
    except (ValueError, RecursionError):
        raise NoAnswer("no JSON") from None
    if not isinstance(found, dict):
        raise NoAnswer("no object")
    return cast("Mapping[str, object]", found)
