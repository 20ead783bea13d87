"""Beginning a run: who asks, what was said before, the instruction; or the refusal of somebody who may not ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from bot.domain.audit import AuditCode
from bot.domain.conditions import thread_is_free
from bot.domain.plans import Plan
from bot.domain.runs import Run, RunState
from bot.domain.threads import User
from bot.llm.model import Model
from bot.runtime.core.lease import Lease
from bot.runtime.core.ports import RepositoryView
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.privacy import post_stub
from bot.runtime.lifecycle.progress import finish_run
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.people.profiles import NobodyKnown, ProfileService
from bot.runtime.plans import prompts
from bot.runtime.policy.service import PolicyService
from bot.runtime.policy.trusted_words import labelled
from bot.runtime.runs import history
from bot.runtime.texts import about_repositories, to_people
from bot.store.errors import NotRead
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from bot.tools.kit import Kits
from integrations.ports import Clock, Memory, RepositoryProblem, RepositorySummary

log = structlog.get_logger()


HISTORY_TAKEN = 40  # messages of the thread taken in
MAX_OBJECTS = 40  # objects of earlier runs that go along


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarter:
    """Takes queued runs up."""

    store: Store
    clock: Clock
    model: Model
    kits: Kits
    policy_service: PolicyService
    profiles: ProfileService
    repositories: RepositoryView
    persona: str

    async def begin(self, run: Run, lease: Lease) -> None:
        """Take a queued run up: who asks, what was said before, the instruction; or the refusal of a guest."""
        if run.is_child:
            await self._begin_task(run, lease)
            return
        try:
            person = await self.profiles.person(run.team, run.user)
        except NobodyKnown:
            await self._refuse(run, lease, to_people.NO_PROFILE)
            return
        if not person.is_member:
            await self._refuse(run, lease, to_people.GUEST if person.is_guest else to_people.NO_PERSON)
            return
        if run.task is not None:
            await self._begin_task(run, lease)
            return
        plan, repository = await self._made_from(run)
        background = replace(await self._background(run, person), repository=repository)
        lease.working_set.keep_asked_for(run, person, background.thread)
        start = history.opening(
            run,
            background,
            persona=f"{self.persona}\n\n{prompts.text('planner')}" if run.is_plan else self.persona,
            constitution=self.policy_service.policy.constitution,
            now=self.clock.now(),
        )
        model = self.kits.of(run).model
        async with lease.write() as tx:
            if not thread_is_free(other.state for other in await tx.work.runs.live(run.thread_id)):
                return  # somebody's click woke another run meanwhile; this one stays queued
            if plan is not None and repository is not None:
                await tx.work.plans.describe(run.id, about_repositories.on_card(plan.repository, repository))
            await self._start(tx, run, start, model=model)

    async def _made_from(self, run: Run) -> tuple[Plan | None, RepositorySummary | RepositoryProblem | None]:
        """The plan that the run is to make, and what its repository says, where it names one.

        It is read once, outside of any transaction. What the model is told of it is committed as a part of the
        conversation, so a restart and a refined plan are about the same text.
        """
        if not run.is_plan:
            return None, None
        async with self.store.read() as work:
            plan = await work.plans.find(run.id)
        if plan is None or not plan.repository:
            return plan, None
        return plan, await self.repositories.view(plan.repository)

    async def _begin_task(self, run: Run, lease: Lease) -> None:
        """Take up the work of an agent: the request of a person, or part of one that is under way."""
        kit = self.kits.of(run)
        if kit.definition is None:
            raise ValueError(f"{run.id} has no definition")
        person, thread = await lease.working_set.asked_for(self.store, run)
        start = history.opening_of_agent(
            run,
            kit.definition,
            person,
            thread,
            tried=await self._tried(run),
            constitution=self.policy_service.policy.constitution,
            now=self.clock.now(),
        )
        if kit.has_flow:  # no model reads it
            start = replace(start, instruction="", contents=())
        async with lease.write() as tx:
            if run.is_child or thread_is_free(other.state for other in await tx.work.runs.live(run.thread_id)):
                await self._start(tx, run, start, model="" if kit.has_flow else kit.model)

    async def _tried(self, run: Run) -> history.Tried | None:
        if run.retry_of is None:
            return None
        async with self.store.read() as work:
            return await _tried(work, run)

    async def _start(self, tx: Transaction, run: Run, start: history.Opening, *, model: str) -> None:
        if start.private and not run.private:
            await post_stub(tx, run)
        await move_run(
            tx,
            run,
            RunState.PLANNING,
            instruction=start.instruction,
            private=start.private,
            label=start.label,
            model=model,
            transport=self.model.transport if model else "",
            started_at=tx.now,
        )
        await tx.work.steps.append(run.id, start.contents)
        tx.record_run(run, AuditCode.RUN_STARTED, model=model)

    async def _refuse(self, run: Run, lease: Lease, why: str) -> None:
        async with lease.write() as tx:
            planning = await move_run(tx, run, RunState.PLANNING, started_at=tx.now)
            tx.record_run(run, AuditCode.RUN_REFUSED)
            await finish_run(tx, planning, RunState.FAILED, error=why)

    async def _background(self, run: Run, person: User) -> history.Background:
        async with self.store.read() as work:
            thread = await work.threads.find(run.thread_id)
            request = await work.messages.find(run.message_id)
            earlier = await work.messages.recent(
                run.thread_id, visible_to=run.user, before=request.id, limit=HISTORY_TAKEN
            )
            earlier = await labelled(work, earlier)
            asked = await work.runs.by_requests([message.id for message in earlier])
            steered = {message.id: message.steers for message in earlier if message.steers}
            asked = {**asked, **{said: await _request_of(work, run_id) for said, run_id in steered.items()}}
            tried = await _tried(work, run)
            files = await work.files.of_messages([request.id, *(message.id for message in earlier)])
            objects = await work.objects.of_owner(run.thread_id, run.user, limit=MAX_OBJECTS)
        memories = await self._memories(run, request.text) if thread.is_dm else ()
        told = {message.run_id for message in earlier}
        return history.Background(
            thread=thread,
            person=person,
            memories=memories,
            earlier=earlier,
            apart=frozenset(message_id for message_id, run_id in asked.items() if run_id not in told),
            objects=objects,
            request=request,
            files=files,
            tried=tried,
        )

    async def _memories(self, run: Run, query: str) -> Sequence[Memory]:
        """A failing memory never blocks a run: it is read in a transaction of its own."""
        try:
            async with self.store.read() as work:
                return await work.memories.search(run.team, run.user, query, limit=5)
        except NotRead:
            log.warning("memories.unavailable", run=run.id)
            return ()


async def _tried(work: UnitOfWork, run: Run) -> history.Tried | None:
    if run.retry_of is None:
        return None
    tries = await work.runs.tries_before(run)
    actions = [action for one in tries for action in await work.actions.of_work(one.id)]
    return history.Tried(run=tries[-1], actions=actions)


async def _request_of(work: UnitOfWork, run_id: str) -> str:
    """The run whose answer tells of what was said to this one."""
    run = await work.records.run(run_id)
    return run.request_run if run else run_id
