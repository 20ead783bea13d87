"""The real bot as a process of its own, or several on one PostgreSQL, between emulators that live in this process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.secrets import new_key
from bot.wiring.store import opened
from playground.environment import for_agent
from playground.people import COLLEAGUES
from tests.acceptance.world import DATABASE, Json, World, connect, world
from tests.verification.benchmarks.processes import ROOT, Child, child

_READY_SECONDS = 60.0


@dataclass(slots=True, kw_only=True)
class Stage:
    """A world, and the environment of its bots."""

    here: World
    folder: Path
    environment: Mapping[str, str]
    bots: list[Child] = field(default_factory=list[Child])

    @contextlib.asynccontextmanager
    async def bot(self, **more: str) -> AsyncGenerator[tuple[Child, float, str]]:
        """A bot that is ready, the seconds from its birth until it was, and where it listens."""
        began, environment = time.perf_counter(), {**self.environment, **more}
        async with child(
            "bot", ["-m", "bot.cli", "run"], environment=environment, errors=self.folder / "bot.log"
        ) as made:
            ready = await made.line(within=_READY_SECONDS)
            seconds = time.perf_counter() - began
            self.bots.append(made)
            try:
                yield made, seconds, ready["url"]
            finally:
                self.bots.remove(made)

    def cpu_seconds(self) -> float:
        """What all bots together have had of the processor."""
        return sum(bot.cpu_seconds() for bot in self.bots)

    async def slack_log(self, after: int = 0) -> Sequence[Json]:
        """The emulator's entries behind this number."""
        return (await self.here.slack.get(f"/__admin/log?after={after}"))["entries"]

    async def mark(self) -> int:
        """The number of the newest entry."""
        entries = await self.slack_log()
        return entries[-1]["n"] if entries else 0


def moment(entry: Json) -> float:
    """When an emulator wrote an entry of its log, in seconds."""
    return datetime.fromisoformat(entry["at"]).timestamp()


@contextlib.asynccontextmanager
async def stage(folder: Path, *, postgresql: str = "", gemini: str = "") -> AsyncGenerator[Stage]:
    """Emulators, and bots that are not started yet. `gemini` is another model than the playground's."""
    async with world(folder) as here:
        given: dict[str, Any] = {
            **for_agent(os.environ, root=ROOT, addresses=here.addresses, database=folder / DATABASE)
        }
        given |= {"AGENT_REQUESTS_PER_MINUTE": "0"} | ({"GOOGLE_GEMINI_BASE_URL": gemini} if gemini else {})
        if postgresql:
            given |= await _shared(here, postgresql)
        yield Stage(here=here, folder=folder, environment=given)


async def _shared(here: World, url: str) -> Mapping[str, str]:
    """The database that replicas share, with everybody's account in it."""
    key = new_key()
    settings = here.settings.model_copy(update={"database_url": url, "encryption_keys": SecretStr(key)})
    async with opened(settings, owner=True) as base:
        for person in COLLEAGUES:
            await connect(base, person)
    return {"DATABASE_URL": url, "ENCRYPTION_KEYS": key}


async def settled(stage: Stage, *, within: float = 60.0) -> None:
    """Until the bots do next to nothing any more: what was asked is delivered and sealed."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        before = stage.cpu_seconds()
        await asyncio.sleep(1.0)
        if stage.cpu_seconds() - before < 0.05 * len(stage.bots):
            return
