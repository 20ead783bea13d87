"""Conversations over HTTP, over the real runtime: what Dana asks in one, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.agents.definition import Definition
from bot.domain.limits import Limits, Rate
from bot.domain.questions import Question
from bot.domain.runs import Run, RunState
from bot.domain.threads import Message
from bot.runtime.lifecycle.progress import finish_run
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.over_http.admission import NotTaken, Refused, Taken
from bot.runtime.over_http.following import Following
from bot.runtime.over_http.going_on import GoingOn
from bot.runtime.over_http.keys import Key
from bot.runtime.over_http.outcomes import Outcome, outcome_of
from bot.runtime.over_http.prompts import HttpPrompt, Prompts
from bot.runtime.over_http.taking import handed_on
from policies.types import TrustLevel
from tests import builders as make
from tests.builders import DANA, TEAM
from tests.dispatchers import OneThread
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import HURRIED_SECONDS, Harness, harness, until

SEND, OTHER = [("gmail_send", {"text": "it"})], [("calendar_event_create", {"text": "that"})]
LOOK = [("gmail_search", {"text": "benches"})]


def key(name: str = "k1", body: bytes = b"{}", *, user: str = DANA) -> Key:
    return Key(team=TEAM, user=user, name=name, body=body)


@dataclass(slots=True, kw_only=True)
class Desk:
    """Where prompts are taken in. `here` is the runtime that works on them."""

    here: Harness
    following: Following
    rate: Rate | None = None
    limits: Limits = field(default_factory=lambda: Limits(steps=8))

    @property
    def prompts(self) -> Prompts:
        return Prompts(
            transactions=self.here.transactions, following=self.following, limits=self.limits, rate=self.rate
        )

    @property
    def going_on(self) -> GoingOn:
        return GoingOn(transactions=self.here.transactions, following=self.following, rate=self.rate)

    async def says(self, text: str = "please", *, thread: str | None = None, user: str = DANA, **values: Any) -> Taken:
        """A prompt is taken in, a second after whatever was before."""
        self.here.base.clock.advance(1)
        return await self.prompts.take(HttpPrompt(team=TEAM, user=user, text=text, thread_id=thread, **values))

    async def refused(self, text: str = "please", **values: Any) -> Refused:
        """It is refused."""
        with pytest.raises(NotTaken) as caught:
            await self.says(text, **values)
        return caught.value.refused

    async def asked(self, *answers: Any, text: str = "please", level: TrustLevel = TrustLevel.AUTONOMOUS) -> Taken:
        """A new conversation, in which the model answers like this, served until only people can move it."""
        await self.here.seen(make.person())
        await self.here.trusts(level)
        self.here.model.says = list(answers)
        taken = await self.says(text)
        await self.serve(taken)
        return taken

    async def serve(self, taken: Taken) -> None:
        """Work on its thread until nothing of it can move without people."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.here.runner.serve(taken.thread_id, OneThread().serving)

    @asynccontextmanager
    async def serving(self, taken: Taken) -> AsyncGenerator[None]:
        """Its thread is served meanwhile; in the end until only people can move it."""
        serving = asyncio.create_task(self.serve(taken))
        try:
            yield
        finally:
            await serving

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[Taken]:
        """A request that is under way: the model was asked, and answers in the end."""
        self.here.model.hold = hold = asyncio.Event()
        taken = await self.says()
        async with self.serving(taken):
            await until(lambda: self.here.model.requests)
            yield taken
            hold.set()

    async def fails(self, *taken: Taken) -> None:
        """These requests, which wait to begin, begin and come to nothing."""
        async with self.here.transactions.write() as tx:
            for one in taken:
                begun = await move_run(tx, await tx.work.runs.find(one.run_id), RunState.PLANNING)
                await finish_run(tx, begun, RunState.FAILED, error="A defect.")

    async def run(self, taken: Taken) -> Run:
        return await self.here.run(taken.run_id)

    async def state(self, taken: Taken) -> RunState:
        return (await self.run(taken)).state

    async def outcome(self, taken: Taken, *, user: str = DANA) -> Outcome:
        """What came of it, which is known."""
        found = await self.known(taken.run_id, user=user)
        assert found is not None
        return found

    async def known(self, run_id: str, *, user: str = DANA, team: str = TEAM) -> Outcome | None:
        async with self.here.base.store.read() as work:
            return await outcome_of(work, run_id, team=team, user=user)

    async def goes_on_as(self, taken: Taken) -> Taken | None:
        """The request that it became."""
        return await handed_on(self.here.base.store, taken)

    async def questions(self, run_id: str) -> Sequence[Question]:
        async with self.here.base.store.read() as work:
            return await work.questions.open_of_run(run_id)

    async def messages(self, thread_id: str) -> Sequence[Message]:
        """All of a thread, in the order in which they were stored."""
        rows = self.here.base.rows("SELECT id FROM messages WHERE thread_id = ? ORDER BY n", thread_id)
        async with self.here.base.store.read() as work:
            return [await work.messages.find(row["id"]) for row in rows]

    def count(self, table: str) -> int:
        (row,) = self.here.base.rows(f"SELECT count(*) AS many FROM {table}")
        return row["many"]

    def sent_to_slack(self) -> set[str]:
        """The kinds of what waits to be shown there."""
        return {row["kind"] for row in self.here.base.rows("SELECT kind FROM outbox")}

    @property
    def now(self) -> datetime:
        return self.here.base.clock.now()


@asynccontextmanager
async def desk(
    folder: Path,
    *,
    postgresql: str | None = None,
    agents: Sequence[Definition] = (),
    look_seconds: float = HURRIED_SECONDS,
) -> AsyncGenerator[Desk]:
    """A desk over an empty store: a SQLite file in this folder, or the PostgreSQL database of a URL."""
    async with harness(folder, postgresql=postgresql, agents=agents) as here:
        store, bus = here.base.store, here.transactions.bus
        async with Following(store=store, bus=bus, look_seconds=look_seconds, card_seconds=0) as following:
            yield Desk(here=here, following=following)
