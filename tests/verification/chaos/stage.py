"""Where the scenes are played: emulators in this process, one bot in another that is started again whenever it dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString, cast

import psycopg
from psycopg.rows import RowFactory, dict_row
from pydantic import SecretStr

from bot.secrets import new_key
from bot.settings import Settings
from bot.wiring.store import opened
from playground.environment import Addresses, for_agent
from playground.people import COLLEAGUES
from tests.acceptance.mortal import PRACTISED, ROOT, BotProcesses
from tests.acceptance.world import DATABASE, Json, World, connect
from tests.postgres import PostgresServer
from tests.verification.chaos import points
from tests.verification.chaos.points import Watch
from tests.verification.chaos.rest import left_to_do

PACE: Mapping[str, float] = {
    "lease_seconds": 4.0,
    "duty_seconds": 4.0,
    "sweep_seconds": 1.0,
    "exclusion_seconds": 1.5,
    "tool_seconds": 12.0,
}
"""Fields of `Timings`, and how long a tool may take: on PostgreSQL a dead bot's leases run out, which with the
product's own takes up to a minute. Shorter ones run out by themselves where several plays share two cores: a tool needs
time for itself after it waited until what a dead bot did alone is over (`exclusion_seconds`).
"""

PATIENCE_SECONDS = 240.0
"""A scene takes five to fifteen seconds, and many times as long on a machine that does much else."""

_LOOK_SECONDS = 0.02
_END_SECONDS = 10.0
_SECOND = 10_000
"""Added to a turn's number for a bot that is born in it."""

_READY = '{"ready"'

_WAITING = """
SELECT (SELECT count(*) FROM questions WHERE state = 'open')
     + (SELECT count(*) FROM runs WHERE state IN ('paused', 'failed'))
     + (SELECT count(*) FROM runs WHERE state = 'queued' AND not_before IS NOT NULL) AS waiting
"""


class Rows:
    """A database, read past the bot's own code."""

    def __init__(self, url: str) -> None:
        path = url.removeprefix("sqlite+aiosqlite:///")
        self._sqlite = _sqlite(path) if path != url else None
        self._postgresql = None if self._sqlite else _postgresql(url)

    def __call__(self, query: str, *values: object) -> list[Json]:
        """Rows as they are committed; parameters are written as `?`."""
        if self._sqlite is not None:
            return [dict(row) for row in self._sqlite.execute(query, values)]
        assert self._postgresql is not None
        asked = cast("LiteralString", query.replace("?", "%s"))
        return self._postgresql.execute(asked, values or None).fetchall()

    def close(self) -> None:
        """Let the database go."""
        for connection in (self._sqlite, self._postgresql):
            if connection is not None:
                connection.close()


def _sqlite(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None, timeout=30)
    connection.row_factory = sqlite3.Row
    return connection


def _postgresql(url: str) -> psycopg.Connection[Json]:
    return psycopg.Connection[Json].connect(url, autocommit=True, row_factory=cast("RowFactory[Json]", dict_row))


@dataclass(slots=True)
class Stage:
    """A world whose bot may die at a point and is started again at once."""

    here: World
    folder: Path
    bot_processes: BotProcesses
    settings: Settings
    more: Mapping[str, str]
    watch: Watch
    rows: Rows
    births: int = 0
    deaths: int = 0
    second: str = ""
    second_deaths: int = 0
    strange: list[str] = field(default_factory=list[str])
    leaving: bool = False
    _pid: int = 0
    _keeper: asyncio.Task[None] | None = None
    _log: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])

    # The bot --------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Stage:
        self._start_bot()
        self._keeper = asyncio.create_task(self._keep(), name="keeper")
        try:
            await self.ready()
        except BaseException:  # cancelled, too: no process is left behind
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leaving = True
        if self._keeper:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, 9)
        self.rows.close()
        async with asyncio.timeout(_END_SECONDS):
            while self._lives():
                await asyncio.sleep(_LOOK_SECONDS)

    def _start_bot(self) -> None:
        self.births += 1
        self._pid = self.bot_processes.start(self._environment(), self.said, halt="", timings=PACE)

    @property
    def said(self) -> Path:
        """What the bot that lives now has said."""
        return self.folder / f"bot-{self.births}.log"

    def _environment(self) -> dict[str, str]:
        settings = self.settings
        assert settings.google_api_root_url is not None
        addresses = Addresses(
            slack=settings.slack_api_url.removesuffix("/api/"),
            google=settings.google_api_root_url,
            gemini=settings.google_gemini_base_url,
        )
        environment = for_agent(os.environ, root=ROOT, addresses=addresses, database=self.folder / DATABASE)
        keys = settings.encryption_keys
        own = {"DATABASE_URL": settings.database_url, "AGENT_REQUESTS_PER_MINUTE": "0"}
        own |= {"ENCRYPTION_KEYS": keys.get_secret_value()} if keys else {}
        return {**environment, **own, points.VARIABLE: str(self.watch.file), **self.more}

    async def _keep(self) -> None:
        """Whoever dies is born again, and lives; or dies at its `second` point, while it mends what the first left."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if not self._lives():
                self._note_how()
                turn, _ = self.watch.seen()
                self.second_deaths += turn >= _SECOND
                self.watch.set(turn + _SECOND if self.second else 0, self.second)
                self.second = ""
                self.deaths += 1
                self._start_bot()

    def _note_how(self) -> None:
        """A bot dies where it is killed. If it ended by itself, that proves nothing, and is wrong.

        It may come to the point only when the play seemed over, and the same point had its next turn.
        """
        turn, deadly = self.watch.seen()
        passed = self.watch.points(turn) or self.watch.points(turn - 1)
        there = {passed[-1], f"{points.ANY}#{len(passed)}"} if passed else set[str]()
        if deadly not in there:
            self.strange.append(f"the bot ended by itself (turn {turn}); see {self.said}")

    def _lives(self) -> bool:
        try:
            os.kill(self._pid, 0)
        except ProcessLookupError:
            return False
        return True

    async def ready(self) -> None:
        """Wait until the bot that lives now is ready."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (self.said.exists() and any(x.startswith(_READY) for x in self.said.read_text().splitlines())):
                await asyncio.sleep(_LOOK_SECONDS)

    def change(self, statement: str, *values: object) -> None:
        """Change the database behind the bot's back; parameters are written as `?`."""
        if self.settings.database_url.startswith("sqlite"):
            path = self.settings.database_url.removeprefix("sqlite+aiosqlite:///")
            with contextlib.closing(sqlite3.connect(path, timeout=30)) as database, database:
                database.execute(statement, values)
            return
        with psycopg.connect(self.settings.database_url, autocommit=True) as database:
            database.execute(statement.replace("?", "%s").encode(), values)

    # What there is to see -------------------------------------------------------------------------------------

    def at_rest(self) -> bool:
        """Nothing is to be done any more, by nobody."""
        return not left_to_do(self)

    def waits(self) -> bool:
        """Something has a button that a person may want to press."""
        return self.rows(_WAITING)[0]["waiting"] > 0

    async def messages(self) -> list[Json]:
        """Every message, as people see it now."""
        said = (await self.here.slack.state())["messages"]
        return [{**message, "channel": channel} for channel, all_ in said.items() for message in all_]

    async def log(self, name: str) -> list[Json]:
        """Everything that an emulator received and sent since the stage was set; it keeps the newest itself."""
        emulator, kept = getattr(self.here, name), self._log.setdefault(name, [])
        after = kept[-1]["n"] if kept else 0
        kept += (await emulator.get(f"/__admin/log?after={after}"))["entries"]
        return kept


@contextlib.asynccontextmanager
async def staged(
    here: World, folder: Path, bot_processes: BotProcesses, postgres: Adopted | None = None, **more: str
) -> AsyncGenerator[Stage]:
    """The emulators as seeded, a fresh database, a bot that is ready; `more` are variables of its environment."""
    os.makedirs(folder)
    await here.begin_again(folder)
    with contextlib.ExitStack() as stack:
        settings = here.settings
        if postgres is not None:
            settings = stack.enter_context(postgres.copied(settings))
        watch, rows = Watch(folder / "watch"), Rows(settings.database_url)
        made = Stage(here, folder, bot_processes, settings, more, watch, rows)
        async with made:
            yield made


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """A PostgreSQL with a database in which the colleagues' accounts are connected, to be copied; and its keys."""

    server: PostgresServer
    url: str
    keys: SecretStr

    @contextlib.contextmanager
    def copied(self, settings: Settings) -> Generator[Settings]:
        """The settings with a database that nobody used before."""
        with self.server.database(like=self.url) as url:
            yield settings.model_copy(update={"database_url": url, "encryption_keys": self.keys})


@contextlib.asynccontextmanager
async def adopted(server: PostgresServer, settings: Settings) -> AsyncGenerator[Adopted]:
    """Connect the accounts, once for all stages."""
    with server.database() as url:
        made = Adopted(server=server, url=url, keys=SecretStr(new_key()))
        own = settings.model_copy(update={"database_url": url, "encryption_keys": made.keys})
        async with opened(own, owner=True) as base:
            for person in COLLEAGUES:
                await connect(base, person)
        yield made


@contextlib.contextmanager
def practised(server: PostgresServer) -> Generator[BotProcesses]:
    """The program that starts bots, which begin with what one of them compiled and read on this server."""
    with server.database() as url, BotProcesses(PRACTISED, url) as bot_processes:
        yield bot_processes


def tail(file: Path, lines: int = 15) -> Sequence[str]:
    """The end of a file, cut to what a person reads."""
    return [line[:400] for line in file.read_text(errors="replace").splitlines()[-lines:]] if file.exists() else []
