"""The running playground: the emulators, the agent and its audit log, each a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from playground.adoption import accounts
from playground.agent_process import AgentProcess
from playground.audit_feed import BEGUN, AuditFeed, Entry, requests_in
from playground.changes import Changes
from playground.clock import Clock
from playground.environment import Addresses
from playground.errors import NotReady, PlaygroundFailed
from playground.key_file import write_key_file
from playground.processes import Alarm, Children, run_once
from playground.programs import Commands
from playground.stage.emulator import Emulator

ADOPT_SECONDS = 60.0
VERIFY_SECONDS = 60.0
LIST_SECONDS = 60.0
GATHER_SECONDS = 0.2
RUNS_LISTED = 500


class Supervisor:
    """Starts the emulators, connects the demo's accounts, then starts the agent; stops all of them at the block's end.

    The accounts are adopted before the agent runs, because it holds the database's lock from then on. `scripted` says
    that the Gemini emulator answers; `model` is the name to show.
    """

    def __init__(self, *, commands: Commands, alarm: Alarm, scripted: bool, model: str) -> None:
        self.changes = Changes()
        self.audit = AuditFeed(self._audit_changed)
        self.model: Mapping[str, object] = {"name": model, "scripted": scripted}
        self._commands = commands
        self._alarm = alarm
        self._scripted = scripted
        self._emulators = Children(alarm)
        self._readers = Children(alarm)
        self._addresses: Addresses | None = None
        self._agent: AgentProcess | None = None
        self._page: str | None = None
        self._begun = asyncio.Event()
        self._learning: asyncio.Task[None] | None = None

    @property
    def addresses(self) -> Addresses:
        assert self._addresses is not None, "not started"
        return self._addresses

    @property
    def agent(self) -> AgentProcess:
        assert self._agent is not None, "not started"
        return self._agent

    @property
    def urls(self) -> Mapping[str, str]:
        found = {
            "slack": self.addresses.slack,
            "google": self.addresses.google,
            "gemini": self.addresses.gemini,
            "page": self._page,
        }
        return {name: url for name, url in found.items() if url}

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:  # also when cancelled: no child is left behind
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def start_page(self, *, supervisor: str, port: int) -> str:
        """Starts the web page, which asks about the agent at `supervisor`; the page's address."""
        page = await self._readers.start(self._commands.page(self.addresses, supervisor=supervisor, port=port))
        self._page = await page.ready()
        async with Emulator(self.addresses.slack) as slack:
            await slack.post("/__admin/settings", {"window": self._page.rstrip("/")})
        return self._page

    async def verify_audit(self) -> tuple[bool, str]:
        """Whether the agent's own command verifies the audit log, and its output."""
        command = self._commands.agent("verify", "audit", "verify", addresses=self.addresses)
        status, said = await run_once(command, seconds=VERIFY_SECONDS)
        return status == 0, said

    async def _start(self) -> None:
        self._addresses = await self._start_emulators()
        await write_key_file(self._commands.data.key_file, google=self._addresses.google)
        self._agent = AgentProcess(
            lambda port: self._commands.agent("bot", "run", addresses=self.addresses, tethered=True, port=port),
            alarm=self._alarm,
            now=Clock().now,
            changed=self._agent_changed,
        )
        await self._adopt()
        await self._follow_audit()
        await self._agent.start()

    async def _start_emulators(self) -> Addresses:
        names = ("slack", "google", "gemini") if self._scripted else ("slack", "google")
        started = [await self._emulators.start(self._commands.emulator(name)) for name in names]
        urls = dict(zip(names, await asyncio.gather(*(child.ready() for child in started)), strict=True))
        return Addresses(slack=urls["slack"], google=urls["google"], gemini=urls.get("gemini"))

    async def _adopt(self) -> None:
        command = self._commands.agent("adopt", "adopt", "--from", "-", addresses=self.addresses)
        status, said = await run_once(command, given=accounts(self.addresses.google), seconds=ADOPT_SECONDS)
        if status != 0:
            raise PlaygroundFailed(f"The demo's accounts could not be connected:\n{said}")

    async def _follow_audit(self) -> None:
        follow = ("audit", "export", "--follow", "--in-words")
        command = self._commands.agent("audit", *follow, addresses=self.addresses, tethered=True)
        await self._readers.start(command, heard=self.audit.hear)
        self._learning = asyncio.create_task(self._learn(), name="playground.learn")

    async def _learn(self) -> None:
        """Asks the agent's own command what was asked for, where that stands neither in Slack nor in the log."""
        while True:
            await self._begun.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._begun.clear()
            if runs := self.audit.wordless():
                listing = ("runs", "list", "--json", "--limit", str(RUNS_LISTED))
                command = self._commands.agent("runs", *listing, addresses=self.addresses)
                with contextlib.suppress(NotReady):  # the next that begins is asked about with these
                    status, said = await run_once(command, seconds=LIST_SECONDS)
                    if status == 0:
                        self.audit.learn(runs, requests_in(said))
                        self.changes.publish("audit")

    async def _stop(self) -> None:
        self.changes.close()
        if self._learning:
            self._learning.cancel()
            await asyncio.gather(self._learning, return_exceptions=True)
        agent = [self._agent.stop()] if self._agent else []
        await asyncio.gather(*agent, self._readers.stop())
        await self._emulators.stop()

    def _agent_changed(self) -> None:
        self.changes.publish("bot", **self.agent.shown())

    def _audit_changed(self, number: int, entry: Entry) -> None:
        self.changes.publish("audit", n=number, entry=dict(entry))
        if entry.get("code") in BEGUN:
            self._begun.set()
