"""Tasks beside the listeners: what is done after Slack was answered. Best effort."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import TracebackType

import structlog

from bot.slack.connection.errors import SlackError

log = structlog.get_logger()

GRACE_SECONDS = 1  # running work was waited for before; the whole stop stays under ten seconds


class BackgroundTasks:
    """Owns the tasks. Leaving the block waits for them, at most `grace` seconds, then cancels the rest."""

    def __init__(self, *, grace: float = GRACE_SECONDS) -> None:
        self._grace = grace
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> BackgroundTasks:
        """Ready to run."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=self._grace)
        for task in set(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def run(self, name: str, work: Coroutine[object, object, None]) -> None:
        """Start it; what fails is logged under its name."""
        task = asyncio.create_task(_guarded(name, work), name=f"slack-background-{name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _guarded(name: str, work: Coroutine[object, object, None]) -> None:
    try:
        await work
    except SlackError as error:
        log.warning("slack.background_failed", task=name, error=type(error).__name__)
    except Exception:  # a task's outer edge
        log.exception("slack.background_broke", task=name)
