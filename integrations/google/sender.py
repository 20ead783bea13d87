"""Sends requests, each in a worker thread with a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

from integrations.errors import Ambiguous
from integrations.google.calls import ApiCall, Outcome
from integrations.google.discovery import Services
from integrations.google.errors import too_late, unreachable
from integrations.google.http import BROKEN, Bearer, HttpPool, OneShot
from integrations.google.thread_pool import ThreadPool
from integrations.grants import GoogleGrant
from integrations.ports import Clock


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
