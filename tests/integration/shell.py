"""A folder with a database, and a shell in it: commands in this process, or in one of their own."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from bot.cli import main
from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit.sealer import Sealer
from bot.settings import Settings
from bot.wiring.store import Base, opened
from tests.builders import DANA, TEAM

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A folder with a database, and a shell in it."""

    path: Path
    environment: dict[str, str]

    def run(self, *arguments: str, stdin: str = "", **more: str) -> Result:
        """One command in this process."""
        return CliRunner().invoke(main, list(arguments), input=stdin, env=self.environment | more)

    def fails(self, *arguments: str, status: int = 1, **more: str) -> str:
        """What one command complains of, which ends with this status and without a traceback."""
        done = self.run(*arguments, **more)
        assert (done.exit_code, "Traceback" in done.output) == (status, False), done.output
        return done.stderr

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(query).fetchall()

    def tamper(self, script: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection:
            connection.executescript(script)

    def settings(self) -> Settings:
        return Settings(database_url=self.environment["DATABASE_URL"])

    @asynccontextmanager
    async def process(self, *arguments: str, **more: str) -> AsyncGenerator[asyncio.subprocess.Process]:
        """One command in a process of its own."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot.cli",
            *arguments,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **self.environment, **more},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    @contextmanager
    def terminal(self, *arguments: str, out: int | None = None) -> Generator[Terminal]:
        """One command in a process of its own: standard error is a terminal, and its output goes to `out`, or there."""
        ours, theirs = os.openpty()
        command = [sys.executable, "-m", "bot.cli", *arguments]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **self.environment}
        to = theirs if out is None else out
        with subprocess.Popen(command, env=environment, stdout=to, stderr=theirs) as process:
            os.close(theirs)
            yield Terminal(process=process, screen=ours)
        os.close(ours)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """A command that runs on a terminal, and the terminal's other side."""

    process: subprocess.Popen[bytes]
    screen: int

    def shown(self) -> bytes:
        """The next that the command shows; nothing when it has ended."""
        try:
            return os.read(self.screen, 65536)
        except OSError:  # nobody has its other side open any more
            return b""


async def written(shell: Shell, *codes: str, sealed: bool = True) -> None:
    """Write entries into the log."""
    async with opened(shell.settings(), owner=True) as base:
        await record(base, *codes)
        if sealed:
            await Sealer(store=base.store, keyring=base.keyring).seal()


async def record(base: Base, *codes: str) -> None:
    async with base.store.write() as work:
        for code in codes:
            await work.audit.record(AuditEvent(team=TEAM, code=AuditCode(code), actor=DANA, run_id="run_1"))
