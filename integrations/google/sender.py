"""Sends requests, each in a worker thread with a connection of its own: the library is blocking.

Gmail counts the concurrent requests of one user, so nobody may have more than a few under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import TypeVar
from weakref import WeakValueDictionary

from integrations.errors import Ambiguous
from integrations.google.calls import ApiCall, Outcome
from integrations.google.discovery import Services
from integrations.google.errors import too_late, unreachable
from integrations.google.http import BROKEN, Bearer, HttpPool, OneShot
from integrations.grants import GoogleGrant
from integrations.ports import Clock

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


class Sender:
    """Sends what accounts ask for. Inert until `open`. Every request brings its grant."""

    def __init__(self, *, clock: Clock, api_root_url: str | None, proxied: bool, timeout_seconds: float) -> None:
        self.clock = clock
        self.services = Services(api_root_url=api_root_url)
        self._timeout = timeout_seconds
        self._proxied = proxied
        self._pool = HttpPool(timeout=timeout_seconds, proxied=proxied)
        self._threads = ThreadPool()

    async def open(self) -> None:
        """Build the services and the threads."""
        await asyncio.to_thread(self.services.open)
        self._threads.open()

    async def close(self) -> None:
        """Wait for what is under way and drop the connections."""
        await self._threads.close()
        self._pool.close()

    async def send(self, grant: GoogleGrant, call: ApiCall) -> Outcome:
        """One attempt over a pooled connection; raises one of `http.BROKEN` when the connection fails."""
        request = self.services.request(call)

        def work() -> Outcome:
            with self._pool.checked_out() as http:
                return self.services.execute(request, Bearer(http, grant.access_token))

        return await self._threads.run(grant.account, work)

    async def send_batch(self, grant: GoogleGrant, calls: Sequence[ApiCall]) -> list[Outcome]:
        """Many reads of one API in one POST, as `send`."""
        requests = [self.services.request(call) for call in calls]

        def work() -> list[Outcome]:
            with self._pool.checked_out() as http:
                return self.services.execute_batch(calls[0].api, requests, Bearer(http, grant.access_token))

        return await self._threads.run(grant.account, work)

    async def send_once(self, grant: GoogleGrant, call: ApiCall, *, what: str, deadline: datetime) -> Outcome:
        """Exactly one request on the wire, before the deadline or not at all.

        Raises `ToolFailed` when certainly nothing left, `Ambiguous` when it left and no answer came.
        """
        request = self.services.request(call)

        def work() -> Outcome:
            left = (deadline - self.clock.now()).total_seconds()
            if left <= 0:
                raise too_late()
            shot = OneShot(timeout=min(self._timeout, left), proxied=self._proxied)
            try:
                return self.services.execute(request, Bearer(shot, grant.access_token))
            except BROKEN as error:
                raise (Ambiguous(what) if shot.sent else unreachable()) from error
            finally:
                shot.close()

        return await self._threads.run(grant.account, work)
