"""The agent's process, which the page may kill and start again."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from playground.errors import ChildDied
from playground.processes import Alarm, Child, Command
from playground.serve import listen

STOP_SECONDS = 2.0


class AgentState(StrEnum):
    """What the page shows of the agent."""

    STARTING = "starting"
    RUNNING = "running"
    STOPPED = "stopped"
    DEAD = "dead"


class AgentProcess:
    """`start` and `kill` may be called in any order and wait for each other; `stop` ends the process.

    `command` makes the command that listens on a port, 0 for a free one; a later start keeps the port of the first.
    `now` tells the time, `changed` is called after each change of state. A killed process is stopped and can be
    started again; any other unexpected end rings the alarm.
    """

    def __init__(
        self,
        command: Callable[[int], Command],
        *,
        alarm: Alarm,
        now: Callable[[], datetime],
        changed: Callable[[], None],
    ) -> None:
        self._command = command
        self._alarm = alarm
        self._now = now
        self._changed = changed
        self._turn = asyncio.Lock()
        self._child: Child | None = None
        self._watch: asyncio.Task[None] | None = None
        self.state = AgentState.STOPPED
        self.since = now()
        self.url = ""
        """Where it listens, while it runs."""

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    async def start(self) -> None:
        """Starts it, unless it runs, and waits until it is connected. Raises what `Child.ready` raises."""
        async with self._turn:
            if self._child:
                return
            child = Child(self._command(self._port()))
            await child.start()
            self._child = child
            self._is(AgentState.STARTING)
            try:
                self.url = await child.ready()
            except BaseException as error:  # also when cancelled: it is dead, and says so
                self._is(AgentState.DEAD)
                if isinstance(error, ChildDied):
                    self._alarm.ring(error)
                raise
            self._is(AgentState.RUNNING)
            self._watch = asyncio.create_task(self._watched(child), name="agent's end")

    async def _watched(self, child: Child) -> None:
        status = await child.ended()
        async with self._turn:
            if self._child is not child:
                return
            self._child = None
            if status == -signal.SIGKILL:
                self._is(AgentState.STOPPED)
            else:
                self._is(AgentState.DEAD)
                self._alarm.ring(ChildDied(child.command.name, status, child.tail))

    async def kill(self) -> None:
        """Ends it with SIGKILL, as a crash would, if it runs."""
        async with self._turn:
            if not self._child:
                return
            await self._child.kill()
            self._child = None
            self._is(AgentState.STOPPED)

    async def stop(self) -> None:
        """Ends it in order, at the end of the playground."""
        child, self._child = self._child, None
        if self._watch:
            self._watch.cancel()
        if child:
            await child.stop(STOP_SECONDS)

    def shown(self) -> dict[str, object]:
        """What the page shows; `url` is empty unless it runs."""
        url = self.url if self.state is AgentState.RUNNING else ""
        return {"state": self.state, "since": self.since.isoformat(timespec="seconds"), "pid": self.pid, "url": url}

    def _port(self) -> int:
        """The port that it had, so that a cookie's address and a line for the terminal stay true; 0 at first, and when
        another program took it meanwhile.
        """
        port = urlsplit(self.url).port or 0
        try:
            listen(port).close()
        except OSError:
            return 0
        return port

    def _is(self, state: AgentState) -> None:
        self.state, self.since = state, self._now()
        self._changed()
