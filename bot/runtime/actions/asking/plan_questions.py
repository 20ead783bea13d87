"""The question about a proposed plan, and what its owner's answer makes of it (docs/states.md §3).

The plan is confirmed as it stands on its card: the question is bound to the tasks, their revision and the deadline.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from datetime import timedelta

from bot.agents.definition import Definition, Single
from bot.agents.placeholders import unknown
from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import may_ask
from bot.domain.plans import Phase, Plan, PlanTask, TaskStatus, as_json, joined
from bot.domain.questions import PlanPayload, Question
from bot.domain.runs import OPERATOR, Mode, Run, RunChanges, RunState
from bot.runtime.actions.by_code import action_of, step_of
from bot.runtime.actions.previews import compared, preview_of
from bot.runtime.actions.rejections import standing, supersede
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, settle_action
from bot.runtime.lifecycle.privacy import post_stub
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import ask_question, new_question
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.limits.of_plans import allowance
from bot.runtime.limits.quotas import left, renewed
from bot.runtime.limits.usage import REMINDED, lasting
from bot.runtime.texts import about_plans, to_model
from bot.tools.agents import AgentTool
from bot.tools.arguments import canonical, parsed, sha256
from bot.tools.plans import PROPOSE_PLAN, PlanArgs, PlanTool, TaskArgs, as_fields, differing, named_in, tasks_of
from bot.tools.registry import Registry
from integrations.base import Field, Preview, ToolArgs

_BEYOND = timedelta(minutes=5)


async def ask(tx: Transaction, action: Action, registry: Registry, agents: Collection[str]) -> None:
    """planned → awaiting_confirmation, with the question and a revision; failed where it is no plan. `agents` are those
    that the assistant may give work to.
    """
    run = await tx.work.runs.find(action.run_id)
    plan = await tx.work.plans.find(run.id)
    args = PlanArgs.model_validate_json(action.args)
    tasks = tasks_of(args)
    if plan is None or run.phase is not Phase.PROPOSE:
        await _refuse(tx, action, about_plans.NOT_NOW)
    elif await tx.work.questions.open_of_run(run.id):
        await _refuse(tx, action, about_plans.ONE_AT_A_TIME)
    elif (problem := _unknown_agents(tasks, registry, agents)) and not action.summary:  # else the task says so
        await _refuse(tx, action, problem)
    elif not may_ask(await standing(tx, run)):
        await supersede(tx, action.id, by=action.user)
    else:
        await _ask(tx, action, run, plan, joined(await tx.work.plans.tasks(run.id), tasks, named_in(args)))


async def _refuse(tx: Transaction, action: Action, why: str) -> None:
    told = to_model.error("invalid_arguments", why, retryable=True)
    await settle_action(tx, action, ActionState.FAILED, code=AuditCode.ACTION_INVALID, response=told, summary=why)


async def _ask(tx: Transaction, action: Action, run: Run, plan: Plan, tasks: Sequence[PlanTask]) -> None:
    revision = plan.revision
    if as_json(tasks) != plan.raw_plan:  # one that nobody answered is asked again as it was
        by = action.user if action.edition > 1 else run.model
        revision = await tx.work.plans.revise(plan, tasks, by=by, reason="", at=tx.now)
    preview, before = (
        _preview(run, plan, tasks, await _granted(tx, run, plan, tasks)),
        await _shown_before(tx, run, action),
    )
    if action.summary:  # code proposed it, and says why
        preview = replace(preview, warnings=[action.summary])
    elif before is not None:
        preview = _compared(preview, before)
    shown = asdict(preview)
    basis = {"revision": revision, "deadline": run.deadline_at.isoformat() if run.deadline_at else None}
    asked = await move_action(tx, action, ActionState.AWAITING, code=AuditCode.ACTION_ASKED, preview=shown, basis=basis)
    await tx.work.runs.change(run.id, mode=Mode.APPROVAL)
    if run.private:
        await post_stub(tx, run)
    life = tx.question_life
    if run.deadline_at is not None:
        life = min(life, run.deadline_at - tx.now + _BEYOND)  # the deadline ends it, not silence
    bound = sha256(canonical({"args": action.args_hash, **basis}))
    await ask_question(tx, new_question(asked, PlanPayload(revision=revision), bound, tx, life=life))


async def _shown_before(tx: Transaction, run: Run, action: Action) -> Preview | None:
    """The card of the revision before this one: of the same call, or of the one before that."""
    if action.preview is not None:
        return preview_of(action)
    shown = [one for one in await tx.work.actions.of_run(run.id) if one.tool == action.tool and one.preview]
    return preview_of(shown[-1]) if shown else None


async def _granted(tx: Transaction, run: Run, plan: Plan, tasks: Sequence[PlanTask]) -> Field:
    """What it may use once it is confirmed. The first confirmation grants that; a later one leaves what is left."""
    if plan.has_allowance:
        most = await left(tx.work, run, tx.now)
        return Field(label=about_plans.MAY_STILL_USE, value=about_plans.amounts(most), aside=True)
    return Field(label=about_plans.MAY_USE, value=about_plans.amounts(allowance(run.limits, len(tasks))), aside=True)


def _preview(run: Run, plan: Plan, tasks: Sequence[PlanTask], granted: Field) -> Preview:
    fields = [*as_fields([task for task in tasks if task.status is TaskStatus.PENDING])]
    if not fields:
        fields.append(Field(label=about_plans.TO_DO, value=about_plans.NOTHING_LEFT, aside=True))
    if begun := [f"{task.id}. {task.title}" for task in tasks if task.status is not TaskStatus.PENDING]:
        fields.append(Field(label=about_plans.DONE_SO_FAR, value="; ".join(begun), aside=True))
    if plan.repository:
        fields.append(Field(label="Made from", value=plan.made_from or plan.repository, aside=True))
    return Preview(title=about_plans.TITLE, fields=[*fields, granted], private=run.private)


def _compared(new: Preview, old: Preview) -> Preview:
    """The tasks first, whatever their numbers are by now; then what stands below them."""
    tasks = differing(_of_tasks(new), _of_tasks(old))
    below = compared(replace(new, fields=_below_tasks(new)), replace(old, fields=_below_tasks(old)))
    return replace(new, fields=[*tasks, *below.fields])


def _of_tasks(preview: Preview) -> Sequence[Field]:
    return [field for field in preview.fields if not field.aside]


def _below_tasks(preview: Preview) -> Sequence[Field]:
    return [field for field in preview.fields if field.aside]


async def propose_again(tx: Transaction, run: Run, why: str) -> bool:
    """planning → executing: the model could not change the plan, or came to a limit, so its owner is asked about it as
    it was, and told why. False where none was proposed yet.
    """
    if not await tx.work.plans.tasks(run.id):
        return False
    await _propose(tx, run, why)
    return True


async def propose_rest(tx: Transaction, run: Run, why: str) -> None:
    """planning → executing: its owner is asked about what is left of a plan that changed too much."""
    await tx.work.runs.change(run.id, phase=Phase.PROPOSE)
    await _propose(tx, await tx.work.runs.find(run.id), why)


async def _propose(tx: Transaction, run: Run, why: str) -> None:
    """What is pending, as a model proposes it, with `why` on its card. No model called, so none is told the answer."""
    step = step_of(run, tx, seq=run.steps_taken + 1)
    pending = [task for task in await tx.work.plans.tasks(run.id) if task.status is TaskStatus.PENDING]
    args = PlanArgs(tasks=[_args_of(task) for task in pending])
    caption = PlanTool().caption(args)
    action = action_of(run, step, PROPOSE_PLAN, parsed(args), tx, caption=caption, note=why)
    await move_run(tx, run, RunState.EXECUTING, steps_taken=run.steps_taken + 1, retries=0, hinted=lasting(run))
    await tx.work.steps.add(step)
    async with step_locked(tx, step.id):
        tx.step_changed(step.id)
        await tx.work.actions.add([action])


def _args_of(task: PlanTask) -> TaskArgs:
    return TaskArgs(title=task.title, goal=task.goal, agent=task.agent, id=task.id)


# Agents -------------------------------------------------------------------------------------------------------


def _unknown_agents(tasks: Sequence[PlanTask], registry: Registry, agents: Collection[str]) -> str:
    wrong, able = _agents_of(tasks, registry, agents)
    return about_plans.no_such_agents(wrong, able) if wrong else ""


def wrong_by_hand(args: ToolArgs, registry: Registry, agents: Collection[str]) -> str:
    """What is wrong with the agents of an edited plan, to the person who edits it; empty where nothing is."""
    wrong, _ = _agents_of(tasks_of(args), registry, agents)
    return about_plans.not_by_hand(wrong) if wrong else ""


def _agents_of(
    tasks: Sequence[PlanTask], registry: Registry, agents: Collection[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Those that are named and take no tasks, and those that do."""
    able = [name for name in sorted(agents) if takes_tasks(registry, name) is not None]
    return sorted({task.agent for task in tasks if task.agent and task.agent not in able}), able


def takes_tasks(registry: Registry, name: str) -> Definition | None:
    """The agent that can be given a task as a text: it works in rounds, and who it is needs none of its inputs."""
    tool = registry.find(name)
    if not isinstance(tool, AgentTool) or not isinstance(tool.definition.flow, Single):
        return None
    return None if unknown(tool.definition.prompt.system, ()) else tool.definition


# Answers ------------------------------------------------------------------------------------------------------


async def confirm(tx: Transaction, question: Question, action: Action, *, by: str, by_operator: bool = False) -> None:
    """awaiting_confirmation → completed: the plan is carried out as its card shows it."""
    revision = question.payload_as(PlanPayload).revision
    run, tasks = await tx.work.runs.find(question.run_id), await tx.work.plans.tasks(question.run_id)
    plan = await tx.work.plans.find(run.id)
    granted: RunChanges = {"phase": Phase.CARRY_OUT}
    if plan is None or not plan.has_allowance:
        most = allowance(run.limits, len(tasks))
        granted |= {**await renewed(tx.work, replace(run, limits=most), tx.now), "limits": most}
    await tx.work.plans.confirm(run.id, revision, by=by, at=tx.now)
    await tx.work.runs.change(run.id, **granted)
    await settle_action(
        tx,
        action,
        ActionState.COMPLETED,
        code=AuditCode.PLAN_CONFIRMED,
        response=about_plans.confirmed(revision),
        actor=by,
        about={"revision": revision, **({"by": OPERATOR} if by_operator else {})},
        summary=about_plans.CONFIRMED,
    )


async def drop(tx: Transaction, action: Action, *, by: str) -> None:
    """awaiting_confirmation → rejected, and the run ends with it: nothing was to be done but this."""
    await tx.work.runs.change(action.run_id, cancel_requested=True, stopped_by=by)
    code, told = AuditCode.PLAN_DROPPED, about_plans.dropped()
    await settle_action(
        tx, action, ActionState.REJECTED, code=code, response=told, actor=by, summary=about_plans.DROPPED
    )


async def refine(tx: Transaction, action: Action, *, by: str, by_operator: bool = False) -> None:
    """awaiting_confirmation → rejected: the model is told what its owner wrote, and proposes anew. Before the first
    confirmation that has an allowance of its own; later it draws from what was granted then.
    """
    run, plan = await tx.work.runs.find(action.run_id), await tx.work.plans.find(action.run_id)
    heard: RunChanges = {"hinted": [mark for mark in run.hinted if mark != REMINDED], "partial": ""}
    if plan is None or not plan.has_allowance:
        heard = await renewed(tx.work, run, tx.now)
    await tx.work.runs.change(run.id, **heard)
    await settle_action(
        tx,
        action,
        ActionState.REJECTED,
        code=AuditCode.PLAN_TO_BE_CHANGED,
        response=about_plans.to_be_changed(),
        actor=by,
        about={"by": OPERATOR} if by_operator else None,
        summary=about_plans.REFINED,
    )
