"""Worker threads for a blocking library, with one limit for all and one per account.

Gmail counts the concurrent requests of one user, so nobody may have more than a few under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

TOTAL = 16
PER_ACCOUNT = 4

T = TypeVar("T")


class ThreadPool:
    """Runs functions in threads of its own. Inert until `open`."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None
        self._all = asyncio.Semaphore(TOTAL)
        self._accounts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def open(self) -> None:
        """Make the pool; threads start as they are needed."""
        self._threads = ThreadPoolExecutor(max_workers=TOTAL, thread_name_prefix="google")

    async def close(self) -> None:
        """Drop the work that has not begun and wait for the rest."""
        threads, self._threads = self._threads, None
        if threads is not None:
            await asyncio.to_thread(threads.shutdown, wait=True, cancel_futures=True)

    async def run(self, account: str, function: Callable[[], T]) -> T:
        """Run it in a thread, as soon as both limits leave room."""
        if self._threads is None:
            raise RuntimeError("the Google client is used outside `async with`")
        mine = self._accounts.setdefault(account, asyncio.Semaphore(PER_ACCOUNT))
        async with mine, self._all:
            return await asyncio.get_running_loop().run_in_executor(self._threads, function)
