"""Workers that die in the middle of a plan, a provider that remembers what reached it, and a look at the rows after
each commit: what must always be so of a plan.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from bot.domain.plans import MOST_ADDED, Plan, PlanTask, Revision, TaskStatus, as_json
from bot.domain.runs import SILENCE, Run, RunState
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.ports import RepositoryView
from bot.tools.plans import PlanTool
from integrations.base import Call, Done, NotDone, Reconciled, Result, ToolArgs
from tests.dispatchers import OneThread
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness, runner
from tests.unit.bot.runtime.scripted import FOUND, Effect
from tests.verification.explorer.live.fate import Died, FatedStore, Life, Traffic

LEASE_SECONDS = 31.0
_BEGUN = {TaskStatus.EXECUTING, TaskStatus.COMPLETED, TaskStatus.FAILED}


class Provider(Effect):
    """It tells what became of a call, by its key."""

    def __init__(self) -> None:
        super().__init__()
        self.reached: list[tuple[str, str]] = []

    async def execute(self, args: ToolArgs, call: Call) -> Result:
        self.reached.append((call.key, args.model_dump()["text"]))
        return await super().execute(args, call)

    async def reconcile(self, args: ToolArgs, call: Call) -> Reconciled:
        return Done(FOUND) if call.key in {key for key, _ in self.reached} else NotDone()


@dataclass(frozen=True, slots=True)
class Seen:
    """A plan as its rows are, with its run and the runs of its tasks."""

    run: Run
    plan: Plan
    tasks: Sequence[PlanTask]
    revisions: Sequence[Revision]
    children: Sequence[Run]


@dataclass(slots=True)
class Watch:
    """Looks after each commit. `before` is how each plan was, by its run."""

    here: Harness
    before: dict[str, Seen] = field(default_factory=dict[str, Seen])
    begun: dict[str, int] = field(default_factory=dict[str, int])

    async def look(self) -> None:
        """Raises where something is so that must never be."""
        for now in await self.plans():
            _holds(now)
            if (before := self.before.get(now.run.id)) is not None:
                _follows(before, now)
            for child in now.children:
                if child.id not in self.begun:
                    self.begun[child.id] = now.plan.revision
                    _is_of_confirmed(now, child)
            self.before[now.run.id] = now

    async def plans(self) -> Sequence[Seen]:
        async with self.here.base.store.read() as work:
            runs = await work.records.runs(states=(), user=None, limit=1000)
            return [
                Seen(
                    run,
                    plan,
                    await work.plans.tasks(run.id),
                    await work.plans.revisions(run.id),
                    await work.runs.given_work(run.id),
                )
                for run in runs
                if (plan := await work.plans.find(run.id)) is not None
            ]


def _holds(now: Seen) -> None:
    begun = [task for task in now.tasks if task.status in _BEGUN or task.child]
    assert now.plan.confirmed is not None or not (begun or now.children), "a task of an unconfirmed plan was begun"
    assert json.loads(now.plan.raw_plan) == json.loads(as_json(now.tasks)), "raw_plan is another plan than the rows"
    assert [one.number for one in now.revisions] == list(range(1, now.plan.revision + 1)), "a revision is missing"
    at_work = [task for task in now.tasks if task.status is TaskStatus.EXECUTING]
    assert len(at_work) <= 1, "two tasks are executing"
    is_silent = now.run.state is RunState.PAUSED and now.run.stop_code == SILENCE
    assert not at_work or now.run.state.is_live() or is_silent, f"{at_work} although the plan is {now.run.state}"
    over = {child.id for child in now.children if child.is_over}
    assert not [task for task in at_work if task.child in over], "a task is executing whose run is over"


def _follows(before: Seen, now: Seen) -> None:
    assert now.revisions[: len(before.revisions)] == before.revisions, "a revision was rewritten"
    if before.plan.confirmed is not None:
        assert (now.plan.confirmed or 0) >= before.plan.confirmed, "an earlier revision was confirmed"
        after = {task.id: task for task in now.tasks}
        for task in before.tasks:
            if task.status in {TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.OBSOLETE}:
                assert after[task.id] == task, "what is finished has changed"


def _is_of_confirmed(now: Seen, child: Run) -> None:
    """The run of a task was given what the newest revision says, which is the confirmed one or came of it."""
    given = child.inputs or {}
    assert now.plan.confirmed is not None
    assert now.plan.added <= MOST_ADDED, "more was added than its owner knows of"
    said = json.loads(now.revisions[-1].raw_plan)
    (task,) = (one for one in said if one["id"] == given["id"])
    assert given["task"] == f"[TASK] {task['id']}: {task['title']}\nGoal: {task['goal']}", given


@dataclass(slots=True, kw_only=True)
class Workshop:
    """A runtime whose workers may die at any commit, over one store."""

    here: Harness
    provider: Provider
    traffic: Traffic
    watch: Watch
    numbers: count[int] = field(default_factory=lambda: count(1))

    async def serve(self, commits: int | None = None, *, kept: bool = True) -> Life:
        """A new worker does what can be done without people, or dies with this commit, which is `kept` or not."""
        life, here = Life(commits=commits, kept=kept), self.here
        store = FatedStore(here.base, life, self.traffic)
        transactions = replace(here.transactions, store=store, dispatcher=OneThread())
        self.traffic.entered = 0

        async def sleep(seconds: float) -> None:
            here.base.clock.advance(seconds)
            await asyncio.sleep(0)

        worker = runner(
            transactions,
            tools=(here.read, here.asking, self.provider, here.blind, PlanTool()),
            model=here.model,
            profiles=here.directory,
            sleep=sleep,
            repositories=here.repositories,
            holder=f"worker {next(self.numbers)}",
        )
        assert isinstance(transactions.dispatcher, OneThread)
        await self.seal()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await worker.serve("thr_1", transactions.dispatcher.serving)
        except Died:
            here.base.clock.advance(LEASE_SECONDS)
        return life

    async def seal(self) -> None:
        """Nothing is done while the log lags."""
        await Sealer(store=self.here.base.store, keyring=self.here.base.keyring).seal()

    async def click(self, *args: Any, **values: Any) -> Any:
        outcome = await self.here.click(*args, **values)
        await self.watch.look()
        return outcome


@asynccontextmanager
async def workshop(
    folder: Path, *, postgresql: str | None = None, repositories: RepositoryView | None = None
) -> AsyncGenerator[Workshop]:
    """An empty store, and nobody at work."""
    async with harness(folder, postgresql=postgresql, repositories=repositories) as here:
        watch = Watch(here)
        yield Workshop(here=here, provider=Provider(), traffic=Traffic(seen=watch.look), watch=watch)
