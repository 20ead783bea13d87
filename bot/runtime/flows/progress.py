"""Flows: code stands in the model's place. Each step is one call of an agent, whose run does the work.

planning → executing with the next step, or completed, failed or paused. Where a flow stands is read from its rows: what
the runs of its steps handed over, and behind which step that stopped at a limit its owner continued it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from bot.agents.definition import Definition
from bot.agents.outputs.checks import OutputChecks
from bot.agents.processors import processed
from bot.domain import ids
from bot.domain.actions import Action
from bot.domain.limits import Guard
from bot.domain.runs import Mode, Run, RunState
from bot.llm.model import ModelCall
from bot.runtime.actions.by_code import step_of
from bot.runtime.actions.delegate import delegate
from bot.runtime.actions.flow_steps import FlowStanding, StepOutput, TakenStep, standing_of
from bot.runtime.actions.propose import ActionFactory
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.flows.tasks import Task, aim_of, next_task, result_of, so_far, step_name
from bot.runtime.lifecycle.progress import finish_run, step_locked
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.limits import stops
from bot.runtime.limits.preflight import Preflight
from bot.runtime.policy.service import PolicyService
from bot.runtime.texts import about_agents, to_people
from bot.store.store import Store
from bot.tools.agents import AgentTool, StepTool
from bot.tools.arguments import InvalidArguments
from bot.tools.handover import HandedOver
from bot.tools.kit import Kit, Kits
from bot.tools.registry import Registry


class _Checked(NamedTuple):
    """What was found out before the commit: whether a loop's last output is what it works for, and what is wrong with
    the last output as that of the whole flow.
    """

    is_satisfied: bool
    wrong: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flows:
    """Takes the steps of runs whose agents have a flow."""

    store: Store
    checks: OutputChecks
    kits: Kits
    registry: Registry
    policy_service: PolicyService
    preflight: Preflight
    guard: Guard = field(default_factory=Guard)

    async def step(self, run: Run, lease: Lease) -> None:
        """The next step of a planning run, or its end; one commit. Where it stands changes only here: none of its steps
        is under way.
        """
        kit = self.kits.of(run)
        async with self.store.read() as work:
            standing = await standing_of(work, run)
        checked = await self._checked(kit, standing.done)
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)
            current = await tx.work.runs.find(run.id)
            if current.state is RunState.PLANNING:
                await self._go_on(tx, current, kit, standing, checked)

    async def _checked(self, kit: Kit, done: Sequence[StepOutput]) -> _Checked:
        definition, wrong = _definition(kit), ""
        if not done or kit.handover is None:
            return _Checked(is_satisfied=False, wrong=wrong)
        try:
            await kit.handover.result(result_of(definition, done), self.checks)
        except InvalidArguments as error:
            wrong = str(error)
        aim = aim_of(definition)
        return _Checked(aim is not None and not await self.checks.errors(aim, done[-1].output), wrong)

    async def _go_on(self, tx: Transaction, run: Run, kit: Kit, standing: FlowStanding, checked: _Checked) -> None:
        definition = _definition(kit)
        await tx.work.runs.change(run.id, partial=so_far(definition, standing.done))
        run = await tx.work.runs.find(run.id)
        task = next_task(definition, run.inputs or {}, standing.done, is_satisfied=checked.is_satisfied)
        last = standing.last
        if task is None:
            await _complete(tx, run, definition, standing.done, checked)
        elif last is not None and not last.was_left:
            await _fail(tx, run, _why(task.step, last))
        elif last is not None and last.mark not in run.hinted:
            await _pause(tx, run, task, last)
        elif isinstance(task.agent, str) and not isinstance(self.registry.find(task.agent), AgentTool):
            await _fail(tx, run, about_agents.step_failed(task.step, about_agents.is_missing(task.agent)))
        elif await self.preflight.goes_on(tx, run):
            await self._take(tx, run, kit, task)

    async def _take(self, tx: Transaction, run: Run, kit: Kit, task: Task) -> None:
        """The step with its one call, in the commit in which that may begin."""
        step = step_of(run, tx, seq=run.steps_taken)
        run = await move_run(tx, run, RunState.EXECUTING, mode=Mode.TOOL, steps_taken=run.steps_taken + 1)
        await tx.work.steps.add(step)
        factory = ActionFactory(
            tx=tx,
            run=run,
            step=step,
            kit=kit,
            registry=self.registry,
            policy_service=self.policy_service,
            guard=self.guard,
            evidence=await self.policy_service.evidence(tx.work, run.team, run.user, label=run.label),
            handed_over=HandedOver(),
        )
        async with step_locked(tx, step.id):
            tx.step_changed(step.id)
            await _begun(factory, task)


def _definition(kit: Kit) -> Definition:
    if kit.definition is None:
        raise ValueError("only an agent that was written down has a flow")
    return kit.definition


# One step -----------------------------------------------------------------------------------------------------


def _why(step: str, taken: TakenStep) -> str:
    """That a step came to nothing, and why, in words."""
    if taken.child is not None and taken.child.stopped_by is not None:
        return about_agents.step_was_stopped(step)
    return about_agents.step_failed(step, taken.child.error if taken.child and taken.child.error else _told(taken))


def _told(taken: TakenStep) -> str:
    response = taken.action.response or {}
    if "error" not in response:
        return f"It was {to_people.outcome(taken.action)}."
    error = cast("Mapping[str, object]", response["error"])
    is_invalid = error["code"] == "invalid_arguments"
    return about_agents.does_not_fit(str(error["message"])) if is_invalid else str(error["message"])


async def _begun(factory: ActionFactory, task: Task) -> Action:
    """The step's call. An agent that has a name is judged as for a model; one made from the flow itself is the flow's
    own work, which was let through as such.
    """
    own = StepTool(task.agent) if isinstance(task.agent, Definition) else None
    tool = own or factory.registry[str(task.agent)]
    raw = json.dumps(task.inputs)
    call = ModelCall(id=ids.new_id("call"), name=tool.name, args=task.inputs, raw=raw, given_id=False)
    proposal = factory.of_tool(0, call, tool)
    await factory.tx.work.actions.add([proposal.action])
    if own is not None and proposal.args is not None:
        return await delegate(factory.tx, proposal.action, own, {}, by=factory.kit.definition)
    return await factory.evaluate(proposal, streak=1)


# Ends ---------------------------------------------------------------------------------------------------------


async def _complete(
    tx: Transaction, run: Run, definition: Definition, done: Sequence[StepOutput], checked: _Checked
) -> None:
    if checked.wrong:
        await _fail(tx, run, about_agents.step_failed(step_name(definition, len(done) - 1), checked.wrong))
        return
    output, about = result_of(definition, done), dict[str, object]()
    summary = processed(definition, output)
    if aim_of(definition) is not None:
        about = {"rounds": len(done), "satisfied": checked.is_satisfied}
        summary = summary if checked.is_satisfied else about_agents.not_satisfied(summary, len(done))
    await tx.work.runs.change(run.id, output=output, partial="")
    await finish_run(tx, await tx.work.runs.find(run.id), RunState.COMPLETED, summary=summary, about=about)


async def _fail(tx: Transaction, run: Run, why: str) -> None:
    changes = [action for action in await tx.work.actions.of_work(run.id) if action.is_change]
    lines = to_people.ledger(changes)
    await finish_run(tx, run, RunState.FAILED, error="\n".join([why, *lines]))


async def _pause(tx: Transaction, run: Run, task: Task, last: TakenStep) -> None:
    """A step stopped at a limit, and so does the flow. Where it is continued, that step is taken again."""
    code, told = (last.child.stop_code, last.child.summary) if last.child else ("", "")
    await tx.work.runs.change(run.id, stop_code=run.stop_code or code)
    summary = about_agents.step_stopped(task.step, told)
    about = {"stop": stops.Ending.AT_ONCE.value}
    await finish_run(tx, await tx.work.runs.find(run.id), RunState.PAUSED, summary=summary, about=about)
