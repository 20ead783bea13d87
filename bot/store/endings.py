"""Endings: what must not be cut off is awaited to its end, and only then is a cancellation heard."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE_SECONDS = 2.0
"""For how long a call of a cancelled task may go on before it is cut off."""


async def finished(work: Coroutine[Any, Any, T], *, grace: float = GRACE_SECONDS) -> T:
    """The result, awaited to its end although the task is cancelled meanwhile; the cancellation comes afterwards.

    A driver's call that is cut off leaves its connection, and with it a lock, to a thread or to the garbage collector.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await _ended(task, grace)
        raise


async def _ended(task: asyncio.Future[Any], grace: float) -> None:
    """Wait however often somebody cancels, but not for ever."""
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
        task.exception()  # taken note of: nobody is there any more to hear it
