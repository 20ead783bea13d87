"""Two gates around the model: a request waits before it is sent, and what was said is shown before it counts as all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from google.genai._api_client import BaseApiClient


@dataclass(slots=True)
class Gate:
    """So many wait before it."""

    waiting: int = 0
    _permits: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def passed(self) -> None:
        """Return once this one may go on."""
        self.waiting += 1
        await self._permits.acquire()
        self.waiting -= 1

    def let_through(self) -> None:
        """One goes on."""
        self._permits.release()


@dataclass(frozen=True, slots=True)
class ModelGates:
    """Before a request, and before the end of its answer."""

    asked: Gate = field(default_factory=Gate)
    said: Gate = field(default_factory=Gate)


@contextmanager
def model_gates() -> Generator[ModelGates]:
    """The gates, around google-genai's client."""
    gates = ModelGates()
    client: Any = BaseApiClient
    send = client._async_request_once

    async def asked(self: BaseApiClient, *request: object, stream: bool = False) -> Any:
        if not stream:
            return await send(self, *request)
        await gates.asked.passed()
        return _held_at_its_end(await send(self, *request, stream=True), gates.said)

    with patch.object(client, "_async_request_once", asked):
        yield gates


async def _held_at_its_end(events: AsyncGenerator[Any], said: Gate) -> AsyncGenerator[Any]:
    async for event in events:
        yield event
    await said.passed()
