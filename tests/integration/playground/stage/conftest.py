"""A stage whose emulators are real and whose agent is played by the test, over Slack's own Web API and sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from playground.agent_process import AgentProcess
from playground.audit_feed import AuditFeed
from playground.environment import Addresses
from playground.people import APP_TOKEN, BOT_TOKEN
from playground.processes import Alarm, Command
from playground.stage.stage import Stage


@dataclass(slots=True, kw_only=True)
class Played:
    """What a supervisor would offer; the test fills the audit log and the verdict."""

    addresses: Addresses
    agent: AgentProcess
    audit: AuditFeed
    verdict: tuple[bool, str] = (True, "whole")

    async def verify_audit(self) -> tuple[bool, str]:
        return self.verdict


@dataclass(slots=True, kw_only=True)
class Agent:
    """The agent's side of Slack, as far as a test needs it."""

    api: str
    http: aiohttp.ClientSession
    clicks: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def call(self, method: str, **arguments: object) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {BOT_TOKEN}"}
        async with self.http.post(f"{self.api}/api/{method}", json=arguments, headers=headers) as answer:
            said = await answer.json()
        assert said["ok"], said
        return said

    async def listen(self) -> None:
        """Connects a socket and acknowledges whatever comes."""
        headers = {"authorization": f"Bearer {APP_TOKEN}"}
        async with self.http.post(f"{self.api}/api/apps.connections.open", headers=headers) as answer:
            url = (await answer.json())["url"]
        async with self.http.ws_connect(url) as socket:
            async for message in socket:
                envelope = json.loads(message.data)
                if envelope.get("type") == "interactive":
                    self.clicks.append(envelope["payload"])
                if "envelope_id" in envelope:
                    await socket.send_json({"envelope_id": envelope["envelope_id"]})


@pytest.fixture(scope="module")
def emulators() -> Generator[Addresses]:
    """The emulators as processes of their own, for a whole module: seeding them takes a while."""
    names = ("slack", "google", "gemini")
    pipe, root = subprocess.PIPE, Path(__file__).parents[4]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"playground.{name}", "--die-with-parent"], stdin=pipe, stdout=pipe, cwd=root
        )
        for name in names
    ]
    urls: dict[str, str] = {}
    for process, name in zip(started, names, strict=True):
        assert process.stdout is not None
        urls[name] = json.loads(process.stdout.readline())["url"]
    yield Addresses(slack=urls["slack"], google=urls["google"], gemini=urls["gemini"])
    for process in started:
        process.communicate(timeout=60)


@pytest.fixture
async def addresses(emulators: Addresses) -> Addresses:
    """The emulators as seeded."""
    async with aiohttp.ClientSession() as http:
        for url in (emulators.slack, emulators.google, emulators.gemini):
            async with http.post(f"{url}/__admin/reset") as answer:
                assert answer.status == 200
    return emulators


@pytest.fixture
async def agent(addresses: Addresses) -> AsyncGenerator[Agent]:
    async with aiohttp.ClientSession() as http:
        agent = Agent(api=addresses.slack, http=http)
        listening = asyncio.create_task(agent.listen())
        yield agent
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening


@pytest.fixture
async def played(addresses: Addresses, tmp_path: Path) -> Played:
    command = Command(name="bot", arguments=(), environment={}, directory=tmp_path, log=tmp_path / "log")
    process = AgentProcess(
        lambda port: command, alarm=Alarm(), now=lambda: datetime(2026, 1, 1, tzinfo=UTC), changed=lambda: None
    )
    return Played(addresses=addresses, agent=process, audit=AuditFeed(lambda number, entry: None))


@pytest.fixture
async def stage(played: Played) -> AsyncGenerator[Stage]:
    async with Stage(played, patience=0.9) as stage:
        yield stage
