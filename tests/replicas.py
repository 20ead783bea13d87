"""Several bots as processes of their own on one real PostgreSQL, with the emulators in this process.

    with BotProcesses() as bot_processes:
        async with replicas(folder, postgres, bot_processes, count=3) as three:
            await three.here.say(DANA, "…")
            await three.kill(0)      # SIGKILL
            three.freeze(1)          # SIGSTOP
            three.thaw(1)            # SIGCONT
            await three.start(0)
            await three.settle_accounts()

All of them are connected by Socket Mode; Slack's emulator sends each envelope to another one in turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import psycopg
from psycopg.rows import dict_row
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.secrets import new_key
from bot.wiring.store import opened
from playground.people import COLLEAGUES
from playground.slack.settings import Settings as SlackSettings
from tests.acceptance.mortal import BotProcesses, Mortal, is_gone, says_ready
from tests.acceptance.world import Json, connect, world
from tests.postgres import PostgresServer

HASTY: Mapping[str, float] = {"lease_seconds": 3.0, "duty_seconds": 1.5, "sweep_seconds": 1.0}
"""Fields of `Timings`: a dead replica is missed within seconds. The product's own take up to a minute."""


@dataclass(slots=True)
class Replicas(Mortal):
    """The world with several bots. What `Mortal` checks afterwards (`settle_accounts`), this one checks too."""

    url: str = ""
    key: str = ""
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    pids: dict[int, int] = field(default_factory=dict[int, int])
    said: dict[int, Path] = field(default_factory=dict[int, Path])
    _database: psycopg.Connection | None = field(default=None, repr=False)

    # Life and death -------------------------------------------------------------------------------------------

    async def start(self, n: int = 0, *, halt: str = "", ready: bool = True, **more: str) -> None:
        """Start the replica with this number, and wait until it is ready. `more` are variables of its environment."""
        assert n not in self.pids, f"replica {n} runs"
        self.births += 1
        said = self.said[n] = self.folder / f"replica-{n}-{self.births}.log"
        environment = {**self.environment(), **more}
        pid = self.pids[n] = self.bot_processes.start(environment, said, halt=halt, timings=self.timings)
        if ready:
            await self.here.until(lambda: says_ready(said, pid), f"replica {n} ready ({said})")

    async def start_all(self, count: int) -> None:
        """All at once, as after a power cut: each migrates, and one of them finds nothing done."""
        await asyncio.gather(*(self.start(n) for n in range(count)))

    async def kill(self, n: int = 0) -> None:
        """SIGKILL, and wait until the kernel has taken everything back."""
        pid = self.pids.pop(n)
        os.kill(pid, signal.SIGKILL)
        await self.here.until(lambda: is_gone(pid), f"the end of replica {n}")

    async def leave(self, n: int) -> None:
        """SIGTERM, as `docker stop` sends it."""
        pid = self.pids.pop(n)
        os.kill(pid, signal.SIGTERM)
        await self.here.until(lambda: is_gone(pid), f"the leaving of replica {n}")

    def freeze(self, n: int) -> None:
        """SIGSTOP: it does nothing and does not know it."""
        os.kill(self.pids[n], signal.SIGSTOP)

    def thaw(self, n: int) -> None:
        """SIGCONT: it goes on where it was."""
        os.kill(self.pids[n], signal.SIGCONT)

    def running(self) -> Sequence[int]:
        """The numbers of those that were started and not killed."""
        return sorted(self.pids)

    async def stop(self) -> None:
        """The end of the test."""
        for n in self.running():
            await self.kill(n)
        if self._database is not None:
            self._database.close()

    def environment(self) -> dict[str, str]:
        """What every replica is given."""
        shared = {"DATABASE_URL": self.url, "ENCRYPTION_KEYS": self.key, "AGENT_REQUESTS_PER_MINUTE": "0"}
        return {**Mortal.environment(self), **shared, **self.more}

    # Rows, read past the bots' own code -------------------------------------------------------------------------

    def rows(self, query: str, *values: object) -> list[Json]:
        """Rows as they are committed; parameters are written as `?`."""
        if self._database is None:
            self._database = psycopg.connect(self.url, autocommit=True)
        with self._database.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query.replace("?", "%s").encode(), values or None).fetchall()

    def tamper(self, statement: str, *values: object) -> None:
        """Change the database behind the bots' backs."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.replace("?", "%s").encode(), values or None)

    def holder(self, lease: str) -> str | None:
        """Who holds a lease, living or not."""
        found = self.rows("SELECT holder FROM leases WHERE name = ?", lease)
        return found[0]["holder"] if found else None

    def url_of(self, n: int) -> str:
        """Where this replica serves HTTP, as it said when it was ready."""
        lines = self.said[n].read_text(encoding="utf-8").splitlines()
        return next(json.loads(line)["url"] for line in lines if line.startswith('{"ready"'))

    def number_of(self, holder: str | None) -> int | None:
        """Which replica a lease's holder is: each says so when it is ready."""
        if holder is None:
            return None
        return next((n for n, said in self.said.items() if holder in _ready_line(said)), None)

    def serving(self, run_id: str) -> int | None:
        """The number of the replica that serves this run's thread."""
        (run,) = self.rows("SELECT thread_id FROM runs WHERE id = ?", run_id)
        return self.number_of(self.holder(f"thread:{run['thread_id']}"))


def _ready_line(said: Path) -> str:
    """What names the replica itself: other lines name those from whom it took something over."""
    return next((line for line in said.read_text(encoding="utf-8").splitlines() if '"bot.ready"' in line), "")


@asynccontextmanager
async def replicas(
    folder: Path,
    postgres: PostgresServer,
    bot_processes: BotProcesses,
    *,
    count: int = 3,
    timings: Mapping[str, float] = HASTY,
    slack_settings: SlackSettings | None = None,
    **more: str,
) -> AsyncGenerator[Replicas]:
    """Emulators and so many bots, running, with the colleagues' accounts connected; `more` as in `start`."""
    with postgres.database() as url:
        key = new_key()
        async with world(folder, slack_settings=slack_settings) as here:
            shared = {"database_url": url, "encryption_keys": SecretStr(key)}
            here.settings = here.settings.model_copy(update=shared)
            async with opened(here.settings, owner=True) as base:
                for person in COLLEAGUES:
                    await connect(base, person)
            made = Replicas(here, folder, bot_processes, url=url, key=key, timings=timings, more=more)
            try:
                await made.start_all(count)
                yield made
            finally:
                await made.stop()


class Balancer:
    """Hands each request to another replica in turn, as nginx does, and passes over who is away or answers 503."""

    def __init__(self, urls: Sequence[str], http: aiohttp.ClientSession) -> None:
        self.urls = urls
        self.answered: Counter[str] = Counter()
        self._http = http
        self._turn = 0

    def app(self) -> Starlette:
        """What listens."""
        return Starlette(routes=[Route("/{path:path}", self._hand_on, methods=["GET", "POST"])])

    async def _hand_on(self, request: Request) -> Response:
        body = await request.body()
        headers = {name: value for name, value in request.headers.items() if name not in {"host", "content-length"}}
        for _ in self.urls:
            self._turn += 1
            url = self.urls[self._turn % len(self.urls)]
            try:
                sent = self._http.request(request.method, f"{url}{request.url.path}", data=body, headers=headers)
                async with sent as answer:
                    if answer.status != 503:
                        self.answered[url] += 1
                        content = await answer.read()
                        return Response(content, answer.status, media_type=answer.headers.get("content-type"))
            except aiohttp.ClientError:
                continue
        return Response("nobody is there", 502)
