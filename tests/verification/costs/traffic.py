"""What is under way to others at this moment: when it is nothing, and nothing can run, the bot is at rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from slack_sdk.web.async_base_client import AsyncBaseClient

_TURNS = 50
"""So many turns of the loop: whatever can run without an answer from outside has run after them."""

_LOOK_SECONDS = 0.005


@dataclass(slots=True)
class Traffic:
    """`asked` are calls that wait for an answer; `busy` says the same of what counts by itself."""

    asked: int = 0
    busy: list[Callable[[], bool]] = field(default_factory=list[Callable[[], bool]])

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait, by the machine's time, until this is so and everything rests."""
        while not (is_so() and await self._rests()):
            await look_again()

    async def _rests(self) -> bool:
        for _ in range(_TURNS):
            if self.asked or any(busy() for busy in self.busy):
                return False
            await asyncio.sleep(0)
        return True

    def counted(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same call, counted while it lasts."""

        async def asking(*args: object, **options: object) -> Any:
            self.asked += 1
            try:
                return await call(*args, **options)
            finally:
                self.asked -= 1

        return asking

    @contextmanager
    def of_slack(self) -> Generator[None]:
        """Calls of Slack's Web API count until the block ends."""
        calls: Any = AsyncBaseClient
        with patch.object(calls, "api_call", self.counted(calls.api_call)):
            yield


async def look_again() -> None:
    """A moment of the machine's time."""
    await asyncio.to_thread(time.sleep, _LOOK_SECONDS)
