"""Small things to do after Slack was answered: tell a person something, open a modal, publish a tab. Best effort."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import TracebackType

import structlog

from bot.slack.errors import SlackError

log = structlog.get_logger()

GRACE_SECONDS = 1
"""They had the time that running work was waited for; the whole stop stays under ten seconds."""


class Errands:
    """Owns the tasks. Leaving the block waits for them, at most `GRACE_SECONDS`, then cancels the rest."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Errands:
        """Ready to run."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=GRACE_SECONDS)
        for task in set(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def run(self, name: str, errand: Coroutine[object, object, None]) -> None:
        """Start it; what fails is logged under its name."""
        task = asyncio.create_task(_guarded(name, errand), name=f"slack-errand-{name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))


async def _guarded(name: str, errand: Coroutine[object, object, None]) -> None:
    try:
        await errand
    except SlackError as error:
        log.warning("slack.errand_failed", errand=name, error=type(error).__name__)
    except Exception:  # a task's outer edge
        log.exception("slack.errand_broke", errand=name)
