"""Work that must not be cut off runs to its end before its task hears of a cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE_SECONDS = 2.0
"""For how long a call of a cancelled task may go on before it is cut off."""


def _nothing() -> None:
    """It ends by itself."""


async def run_to_end(
    work: Coroutine[Any, Any, T], *, grace: float = GRACE_SECONDS, hurry: Callable[[], None] = _nothing
) -> T:
    """The result. When the task is cancelled meanwhile, the work is awaited to its end first; `hurry` makes that soon.

    A driver's call that is cut off leaves its connection, and with it a lock, to a thread or to the garbage collector.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        hurry()
        await _ended(task, grace)
        raise


async def wait_to_end(done: asyncio.Future[None]) -> None:
    """The same for something that others wait for, too: it is never cut off."""
    try:
        await asyncio.shield(done)
    except asyncio.CancelledError:
        await _ended(asyncio.ensure_future(_until(done)), GRACE_SECONDS)
        raise


async def _until(done: asyncio.Future[None]) -> None:
    await asyncio.shield(done)


async def _ended(task: asyncio.Future[Any], grace: float) -> None:
    """Wait however often the task is cancelled, but not for ever."""
    loop = asyncio.get_running_loop()
    end = loop.time() + grace
    while not task.done():
        if loop.time() >= end:
            task.cancel()
            end += grace
        try:
            await asyncio.wait({task}, timeout=max(0.0, end - loop.time()))
        except asyncio.CancelledError:
            continue  # the caller raises one already
    if not task.cancelled():
        task.exception()  # retrieved, so that asyncio does not warn
