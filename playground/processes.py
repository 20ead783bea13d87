"""The playground's child processes: each ends with us by a pipe, and reports when it is ready."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from playground.errors import ChildDied, NotReady

TAIL_LINES = 20
LINE_BYTES = 16 * 1024 * 1024
READY_SECONDS = 60.0
STOP_SECONDS = 2.0

Heard = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to start: arguments for this Python, the whole environment, the directory, and the file for its output."""

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    directory: Path
    log: Path


class Alarm:
    """Rings once, when a child ended unexpectedly."""

    def __init__(self) -> None:
        self._rung: asyncio.Future[ChildDied] = asyncio.get_running_loop().create_future()

    def ring(self, death: ChildDied) -> None:
        if not self._rung.done():
            self._rung.set_result(death)

    async def wait(self) -> ChildDied:
        return await asyncio.shield(self._rung)


class Child:
    """One process, running inside `async with`.

    It has its own session, so Ctrl+C reaches only us and we stop it in order. Its stdin is a pipe that we keep open, so
    it ends with us even if we are killed. `heard` gets each line of stdout except the ready line.
    """

    def __init__(self, command: Command, *, alarm: Alarm | None = None, heard: Heard | None = None) -> None:
        self.command = command
        self._alarm = alarm
        self._heard = heard
        self._said: deque[str] = deque(maxlen=TAIL_LINES)
        self._told = False
        self._process: asyncio.subprocess.Process | None = None
        self._ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._end: asyncio.Task[int] | None = None

    @property
    def pid(self) -> int:
        return self._running.pid

    @property
    def tail(self) -> tuple[str, ...]:
        return tuple(self._said)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self.command.arguments,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=self.command.directory,
            env=dict(self.command.environment),
            start_new_session=True,
            limit=LINE_BYTES,
        )
        self._end = asyncio.create_task(self._follow(self._process), name=f"child-{self.command.name}")

    async def ready(self, seconds: float = READY_SECONDS) -> str:
        """The address that it reported. Raises `ChildDied` if it ended before, `NotReady` if it takes too long."""
        ended = self._ended
        await asyncio.wait({self._ready, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if self._ready.done():
            return self._ready.result()
        if ended.done():
            raise ChildDied(self.command.name, ended.result(), self.tail)
        raise NotReady(self.command.name, seconds, self.tail)

    async def give(self, text: str) -> None:
        """Writes `text` on its stdin and closes it."""
        assert self._running.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._running.stdin.write(text.encode())
            await self._running.stdin.drain()
        self._running.stdin.close()

    async def ended(self) -> int:
        """The exit status, once it ended and all its output was read."""
        return await asyncio.shield(self._ended)

    async def kill(self) -> None:
        """Ends it at once (SIGKILL), with everything that it started."""
        self._told = True
        if self._running.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        await self.ended()

    async def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Asks it to end, and kills it after `seconds`."""
        self._told = True
        if self._running.stdin:
            self._running.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            self._running.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.ended()
        await self.kill()

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "not started"
        return self._process

    @property
    def _ended(self) -> asyncio.Task[int]:
        assert self._end is not None, "not started"
        return self._end

    async def _follow(self, process: asyncio.subprocess.Process) -> int:
        assert process.stdout is not None
        assert process.stderr is not None
        with self.command.log.open("a", encoding="utf-8", buffering=1) as log:

            def note(line: str) -> None:
                self._said.append(line)
                log.write(line + "\n")

            await asyncio.gather(
                _each_line(process.stdout, lambda line: self._take(line, note)), _each_line(process.stderr, note)
            )
        status = await process.wait()
        if not self._told and self._alarm:
            self._alarm.ring(ChildDied(self.command.name, status, self.tail))
        return status

    def _take(self, line: str, note: Heard) -> None:
        url = _ready_url(line, self.command.name)
        if url is not None and not self._ready.done():
            self._ready.set_result(url)
        elif self._heard:
            self._heard(line)
        else:
            note(line)


class Children:
    """Processes that start one after the other and stop together."""

    def __init__(self, alarm: Alarm) -> None:
        self._alarm = alarm
        self._started: list[Child] = []

    async def start(self, command: Command, *, heard: Heard | None = None) -> Child:
        """Starts one; it is not yet ready."""
        child = Child(command, alarm=self._alarm, heard=heard)
        await child.start()
        self._started.append(child)
        return child

    async def stop(self) -> None:
        await asyncio.gather(*(child.stop() for child in self._started))


async def run_once(command: Command, *, given: str = "", seconds: float) -> tuple[int, str]:
    """Runs a command to its end with `given` on stdin; its status and its output.

    Raises `NotReady` when it takes longer than `seconds`.
    """
    said: list[str] = []
    async with Child(command, heard=said.append) as child:
        await child.give(given)
        try:
            async with asyncio.timeout(seconds):
                status = await child.ended()
        except TimeoutError:
            raise NotReady(command.name, seconds, child.tail) from None
    return status, "\n".join([*said, *child.tail])


async def _each_line(stream: asyncio.StreamReader, take: Heard) -> None:
    while line := await stream.readline():
        take(line.decode(errors="replace").rstrip("\r\n"))


def _ready_url(line: str, name: str) -> str | None:
    """The address in `{"ready": NAME, "url": …}`, None in any other line."""
    if not line.startswith("{"):
        return None
    try:
        said: object = json.loads(line)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    fields = cast("dict[str, object]", said)
    url = fields.get("url")
    return url if fields.get("ready") == name and isinstance(url, str) else None
