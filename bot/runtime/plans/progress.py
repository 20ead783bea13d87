"""Carrying a plan out: once it is confirmed, code stands in the model's place. Each task is one step, whose one call is
a run that works in rounds (docs/plans.md).

planning → executing with the next pending task, or completed, failed or paused. A failed task leads to one call of the
model, which may change what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import stays_confirmed
from bot.domain.limits import Limits
from bot.domain.plans import MOST_ADDED, Phase, Plan, PlanTask, TaskStatus, next_pending, not_replaced
from bot.domain.runs import Mode, Run, RunState
from bot.llm import wire
from bot.runtime.actions.asking.plan_questions import propose_rest, takes_tasks
from bot.runtime.actions.by_code import action_of, step_of
from bot.runtime.actions.delegate import delegate
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import settle_action
from bot.runtime.lifecycle.plans import show_plan
from bot.runtime.lifecycle.progress import finish_run, step_locked
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.limits import stops, usage
from bot.runtime.limits.preflight import Preflight
from bot.runtime.plans import prompts
from bot.runtime.plans import tasks as work_of
from bot.runtime.policy.service import PolicyService
from bot.runtime.texts import about_agents, about_plans, to_model
from bot.tools.agents import AgentTool
from bot.tools.arguments import validate
from bot.tools.registry import Registry
from policies.types import Decision, ProposedAction


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExecution:
    """Takes the tasks of confirmed plans. `tools` are those that whoever does a task uses, `limits` those of one
    request.
    """

    registry: Registry
    policy_service: PolicyService
    preflight: Preflight
    tools: Sequence[str]
    limits: Limits

    async def step(self, run: Run, lease: Lease) -> None:
        """The next task of a planning run, or its end; one commit."""
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)
            current = await tx.work.runs.find(run.id)
            if current.state is RunState.PLANNING:
                await self._go_on(tx, current)

    async def _go_on(self, tx: Transaction, run: Run) -> None:
        tasks, plan = await tx.work.plans.tasks(run.id), await tx.work.plans.find(run.id)
        failed = [task for task in not_replaced(tasks) if usage.failed_task(task.id) not in run.hinted]
        task = next_pending(tasks)
        if failed:  # those that failed before this one had their call
            hinted = (*run.hinted, *(usage.failed_task(one.id) for one in failed))
            await move_run(tx, run, RunState.PLANNING, phase=Phase.REPLAN, hinted=hinted, retries=0)
        elif task is None:
            await _end(tx, run, tasks)
        elif plan is not None and not stays_confirmed(plan.added):
            told = prompts.text("rest", {"plan": work_of.in_words(tasks)})
            await tx.work.steps.append(run.id, [wire.user_text(told)])
            await propose_rest(tx, run, about_plans.MANY_ADDED.format(most=MOST_ADDED))
        elif run.is_late(tx.now):
            await stops.at_deadline(tx, run)
        elif await self.preflight.goes_on(tx, run):
            await self._take(tx, run, plan, task)

    async def _take(self, tx: Transaction, run: Run, plan: Plan | None, task: PlanTask) -> None:
        """A step whose one call is the task, in the commit in which that begins. What was said meanwhile goes along."""
        agent = takes_tasks(self.registry, task.agent) if task.agent else None
        confirmed = await _is_confirmed(tx, plan, task)
        tool = work_of.worker(task, agent, confirmed=confirmed, tools=self.tools, steps=self.limits.steps)
        step = step_of(run, tx, seq=run.steps_taken + 1)
        run = await move_run(tx, run, RunState.EXECUTING, mode=Mode.TOOL, steps_taken=run.steps_taken + 1)
        await tx.work.steps.add(step)
        async with step_locked(tx, step.id):
            tx.step_changed(step.id)
            valid = validate(tool, work_of.inputs_of(task))
            action = action_of(run, step, tool.name, valid, tx, caption=f"{task.id}. {task.title}")
            await tx.work.actions.add([action])
            if problem := await self._problem(tx, run, task, agent is not None):
                await _refused(tx, action, task, problem)
            else:
                await _begin(tx, run, action, task, tool)
        await show_plan(tx, run.id)

    async def _problem(self, tx: Transaction, run: Run, task: PlanTask, is_known: bool) -> str:
        """Why the agent that it names cannot be given it; empty where it can, or where it names none."""
        if not task.agent:
            return ""
        tool = self.registry.find(task.agent)
        if not is_known or tool is None:
            return about_agents.is_missing(task.agent)
        evidence = await self.policy_service.evidence(tx.work, run.team, run.user, label=run.label)
        call = ProposedAction(tool=tool.name, effect=tool.effect, arguments=(), offered=True)
        verdict = self.policy_service.decide(call, evidence)
        return "" if verdict.decision is Decision.ALLOW else verdict.reason


async def _is_confirmed(tx: Transaction, plan: Plan | None, task: PlanTask) -> bool:
    """Whether its owner confirmed the task in these words."""
    if plan is None or plan.confirmed is None:
        return False
    return (await tx.work.plans.revision(plan.run_id, plan.confirmed)).has(task)


async def _begin(tx: Transaction, run: Run, action: Action, task: PlanTask, tool: AgentTool) -> None:
    """One that stopped with the whole plan is done again; whoever does it is told what was done."""
    begun = await delegate(tx, action, tool, {}, by=None, tried=task.child, phase=Phase.REASON)
    if begun.child is None:
        raise ValueError(f"{action.id} was not given to a run")
    await tx.work.plans.move_task(run.id, task.id, TaskStatus.EXECUTING, child=begun.child)


async def _refused(tx: Transaction, action: Action, task: PlanTask, why: str) -> None:
    told = to_model.denied(why)
    await settle_action(tx, action, ActionState.DENIED, code=AuditCode.ACTION_DENIED, response=told, summary=why)
    await tx.work.plans.move_task(action.run_id, task.id, TaskStatus.FAILED, summary=why)


async def _end(tx: Transaction, run: Run, tasks: Sequence[PlanTask]) -> None:
    """Nothing is pending: completed where every failure was replaced, else failed."""
    failed = not_replaced(tasks)
    told = about_plans.ended(tasks, failed=failed)
    if failed:
        await finish_run(tx, run, RunState.FAILED, error=told)
    else:
        await finish_run(tx, run, RunState.COMPLETED, summary=told)
