"""The dispatcher of several replicas on one PostgreSQL: a replica serves what it is told of, and what is more than a
few threads is a job that any of them may fetch.

A job lasts as long as its thread is served by the replica that fetched it, so a replica takes no more than it can do,
and a job whose replica died is fetched again by another. Rows, leases and epochs decide, so a lost or doubled job is
harmless. The replica that holds the thread looks each second, and finds what was sent to another replica in vain.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Sequence
from typing import Any, Self

import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException, ProcrastinateException
from procrastinate.types import JSONDict
from psycopg import AsyncConnection
from psycopg import Error as PsycopgError
from psycopg.abc import RV, PQGen
from psycopg_pool import PoolTimeout

from bot.dispatch.serving import GRACE_SECONDS, Serve, Serving
from bot.store.store import Store
from integrations.ports import Clock

log = structlog.get_logger()

ROOM = 64
"""How many threads one replica serves at a time; what is more is left to the others, or waits."""

NEAR = 8
"""With fewer threads than this a replica serves what it is told of itself: a job costs all replicas more than that."""

STALLED_SECONDS = 30.0
"""A worker without a sign of life for so long is dead, and its jobs are for others."""

_HEARTBEAT_SECONDS = 10.0
_INTERVAL_SECONDS = 600.0
_POLL_SECONDS = 5.0  # a notification may be lost; an idle replica pays for each look
_PAUSE_SECONDS = 1.0
_END_SECONDS = 1.0
_LOOK_AGAIN_SECONDS = 0.2
_QUEUE = "threads"
_TROUBLE = (ProcrastinateException, PsycopgError, PoolTimeout, OSError)


class _Connection(AsyncConnection[Any]):
    """It is woken by its socket alone. psycopg looks up ten times a second besides, which a loop needs for nothing."""

    async def wait(self, gen: PQGen[RV], interval: float = _INTERVAL_SECONDS, timeout: float | None = None) -> RV:
        """See psycopg."""
        return await super().wait(gen, interval, timeout)


class ProcrastinateDispatcher:
    """Implements `ports.Dispatcher`. Inert until `async with`; leaving it is done within `grace` and a second or two.

    A wake-up that cannot be written down is served here. What is left undone at the end is passed on to the others.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        url: str,
        grace: float = GRACE_SECONDS,
        room: int = ROOM,
        near: int = NEAR,
        stalled: float = STALLED_SECONDS,
    ) -> None:
        self._store = store
        self._clock = clock
        self._room = room
        self._near = min(near, room)
        self._stalled = stalled
        self._serving = Serving(grace=grace)
        self._serve: Serve | None = None
        self._wanted: set[str] = set()
        self._news = asyncio.Event()
        pool: dict[str, Any] = {"min_size": 1, "max_size": 4, "timeout": 5.0, "connection_class": _Connection}
        named = {"application_name": "countersign jobs"}
        self._app = App(connector=PsycopgConnector(conninfo=url, kwargs=named, **pool))
        self._job = self._app.task(name="serve", queue=_QUEUE)(self._fetched)
        self._tasks: list[asyncio.Task[None]] = []
        self._leaving = False
        self._stack = contextlib.AsyncExitStack()

    @property
    def tasks(self) -> Sequence[asyncio.Task[None]]:
        """What must not end while it is entered."""
        return self._tasks

    @property
    def closing(self) -> bool:
        """Whether nothing more is to be begun."""
        return self._serving.closing

    def serve_with(self, serve: Serve) -> None:
        """Who does a thread's work; joined by the composition root."""
        self._serve = serve
        self._serving.serve_with(self._serve_and_look)

    def wake(self, thread_id: str, *, here: bool = False) -> None:
        """Have the thread served: here if it already is, or there are few, or it is wanted `here` and there is room;
        else by the replica that fetches the job.
        """
        known = self._serving.threads
        if not self.closing and (thread_id in known or len(known) < (self._room if here else self._near)):
            self._serving.wake(thread_id)
        else:
            self._wanted.add(thread_id)
            self._news.set()

    def expect(self, thread_id: str) -> bool:
        """Never: who took the lease would wait for rows that the commit has locked."""
        return False

    def is_expected(self, thread_id: str) -> bool:
        """Never."""
        return False

    async def sweep(self) -> None:
        """Serve what no wake-up reached and nobody holds, as far as there is room; give dead workers' jobs back."""
        room = self._room - len(self._serving.threads)
        threads = await self._unserved()
        for thread_id in random.sample(threads, min(len(threads), max(0, room))):
            self._serving.wake(thread_id)
        try:
            await self._retry_stalled()
        except _TROUBLE:  # the next sweep tries again
            log.warning("jobs.not_looked_at", exc_info=True)

    async def _retry_stalled(self) -> None:
        manager = self._app.job_manager
        for job in await manager.get_stalled_jobs(queue=_QUEUE, seconds_since_heartbeat=self._stalled):
            log.warning("job.stalled", job=job.id, thread=job.task_kwargs.get("thread_id"))
            with contextlib.suppress(ConnectorException):  # another replica's sweep was first
                await manager.retry_job(job)

    async def _fetched(self, thread_id: str) -> None:
        """The job. At the end of the process it is over at once, and what it was about is passed on."""
        if self.closing:
            self._wanted.add(thread_id)
        else:
            await self._serving.served(thread_id)

    async def _serve_and_look(self, thread_id: str, woken: asyncio.Event) -> None:
        """Serve, and look once more after the lease was given back: somebody else may have been refused it just before,
        or it may have been given back by somebody else just after we were refused it.
        """
        assert self._serve is not None, "not joined"
        await self._serve(thread_id, woken)
        if woken.is_set() or self.closing:
            return
        if await self._unserved([thread_id]):
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            woken.set()

    async def _unserved(self, among: Sequence[str] | None = None) -> Sequence[str]:
        async with self._store.read() as work:
            now = await work.leases.moment(self._clock.now())
            return await work.runs.unserved_threads(now=now, among=among)

    # Passing on -----------------------------------------------------------------------------------------------

    async def _pass_on(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            await self._defer()

    async def _defer(self) -> None:
        """A job for each thread that is wanted. What cannot be written down is served here, while this is open."""
        wanted, self._wanted = self._wanted, set()
        if not wanted:
            return
        try:
            await self._job.batch_defer_async(*map(_arguments, sorted(wanted)))
        except _TROUBLE:
            log.exception("wake.not_deferred", threads=len(wanted))
            for thread_id in wanted:
                self._serving.wake(thread_id)

    async def _fetch(self) -> None:
        """Fetch jobs until cancelled; a worker that lost its connection, or its place, is followed by another.

        A worker that loses its connection just when it is told to end raises that, and forgets what it was told.
        """
        while not self._leaving:
            try:
                await self._app.run_worker_async(
                    queues=[_QUEUE],
                    concurrency=max(1, self._room - self._near),
                    delete_jobs="always",
                    fetch_job_polling_interval=_POLL_SECONDS,
                    install_signal_handlers=False,
                    update_heartbeat_interval=min(_HEARTBEAT_SECONDS, self._stalled / 3),
                    stalled_worker_timeout=self._stalled,
                )
                log.error("worker.ended")
            except _TROUBLE:
                log.exception("worker.failed")
            if not self._leaving:
                await asyncio.sleep(_PAUSE_SECONDS)

    # Life -----------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Leaving it backwards: fetch no more, end what is served, end the jobs, pass on what is left."""
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self._app.open_async())
            stack.push_async_callback(self._defer)
            passing = asyncio.create_task(self._pass_on(), name="wake-ups")
            stack.push_async_callback(_ended, passing)
            fetching = asyncio.create_task(self._fetch(), name="jobs")
            stack.push_async_callback(_finished, fetching)
            await stack.enter_async_context(self._serving)
            self._tasks = [passing, fetching]
            stack.callback(self._let_go, fetching)
            await self.sweep()
            self._stack = stack.pop_all()
        return self

    def _let_go(self, fetching: asyncio.Task[None]) -> None:
        self._leaving = True
        fetching.cancel()
        self._wanted |= self._serving.threads

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()


def _arguments(thread_id: str) -> JSONDict:
    return {"thread_id": thread_id}


async def _finished(task: asyncio.Task[None]) -> None:
    """A worker that was told to end ends its jobs first. Told twice it does not, so that comes late."""
    await asyncio.wait({task}, timeout=_END_SECONDS)
    task.cancel()
    await asyncio.wait({task}, timeout=_END_SECONDS)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
