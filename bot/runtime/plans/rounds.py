"""Rounds: how the model is asked in each phase of a plan, and what its answer makes of the phase (docs/plans.md).

A round of a task is three calls of the model: it reasons, acts with one call, and reflects on what came of that. Each
is asked with a text of its own, kept with the answer to it, so the contents always alternate.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from bot.domain.actions import Action
from bot.domain.audit import AuditCode
from bot.domain.conditions import may_complete
from bot.domain.limits import MOST_RETRIES
from bot.domain.plans import (
    OBSERVATION_KEPT,
    TASK_ID,
    ChangeKind,
    InvalidChange,
    Phase,
    PlanChange,
    Round,
    TaskStatus,
    changed,
)
from bot.domain.runs import Run, RunState
from bot.llm.model import CallingMode, ModelCall
from bot.runtime.actions.rejections import standing
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.plans import show_plan
from bot.runtime.lifecycle.progress import finish_run
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.plans import prompts, reflections, tasks
from bot.runtime.plans.reflections import Reflection, Replanning, UnreadableReflection
from bot.runtime.texts import about_plans
from bot.store.unit_of_work import UnitOfWork

PERSISTING_ROUNDS = 3
"""So many rounds running with one error are too many."""

OUTPUT_CALL = "hand_over_answer"

_MODES: Mapping[Phase, CallingMode] = {
    Phase.REASON: CallingMode.NONE,
    Phase.ACT: CallingMode.ANY,
    Phase.REFLECT: CallingMode.NONE,
    Phase.REPLAN: CallingMode.NONE,
}
_SCHEMAS: Mapping[Phase, Mapping[str, object]] = {
    Phase.REFLECT: reflections.schema_of(Reflection),
    Phase.REPLAN: reflections.schema_of(Replanning),
}


_MARKS = [f"[{phase.name}]" for phase in Phase if phase.is_of_task]
"""How what is asked in a round begins."""


def calling_mode(run: Run) -> CallingMode | None:
    """Whether the model calls in this phase; None where that does not follow from it."""
    return _MODES.get(run.phase) if run.phase else None


def output_schema(run: Run) -> Mapping[str, object] | None:
    """What a text of this phase must satisfy."""
    return _SCHEMAS.get(run.phase) if run.phase else None


def output_call(run: Run) -> str:
    """The function that a model has to call with it which takes no schema; empty where none is asked for."""
    return OUTPUT_CALL if run.phase in _SCHEMAS else ""


# What is asked ------------------------------------------------------------------------------------------------


async def prompt(work: UnitOfWork, run: Run) -> str:
    """What the model is told in this phase; empty where the conversation says it."""
    match run.phase:
        case Phase.REASON:
            about = {"round": run.steps_taken + 1, "most": run.ceiling.steps or ""}
            told = prompts.text("reason", about)
            return told if run.steps_taken else f"{await _plan(work, run)}\n\n{told}"
        case Phase.ACT:
            return prompts.text("act")
        case Phase.REFLECT:
            return f"{prompts.text('reflect')}\n\n{await _plan(work, run)}"
        case Phase.REPLAN:
            failed = [one for one in await work.plans.tasks(run.id) if one.status is TaskStatus.FAILED][-1]
            told = [prompts.text("replan", {"id": failed.id})]
            if failed.child and (await work.runs.find(failed.child)).state is RunState.CANCELLED:
                told.append(about_plans.STOPPED_TASK)
            return "\n\n".join([*told, await _plan(work, run)])
        case _:
            return ""


def kept(asked: str) -> str:
    """What of it stays in the conversation. Of what each round asks its mark does: the rest would be sent once more
    with every later call.
    """
    return next((mark for mark in _MARKS if asked.startswith(mark)), asked)


async def _plan(work: UnitOfWork, run: Run) -> str:
    return prompts.text("plan", {"plan": tasks.in_words(await work.plans.tasks(_plan_of(run)))})


def _plan_of(run: Run) -> str:
    """The id of the plan's run."""
    return run.parent if run.parent and run.phase and run.phase.is_of_task else run.id


def _task_of(run: Run) -> str:
    """The id of the task that the run does."""
    return str((run.inputs or {})[TASK_ID])


# What is answered ---------------------------------------------------------------------------------------------


async def acts(tx: Transaction, run: Run, call: ModelCall) -> None:
    """The call of a round is written down with what led to it; what comes of it follows. A task that is taken again has
    no longer history than any other: the model goes by its conversation, and is told what was tried before.
    """
    new = Round(reason=_cut(run.partial), action={"tool": call.name, "args": _kept(call.args)})
    await tx.work.plans.add_round(_plan_of(run), _task_of(run), new, most=run.limits.steps)
    await tx.work.runs.change(run.id, phase=Phase.REFLECT)


async def said(tx: Transaction, run: Run, text: str, *, agents: Collection[str]) -> str:
    """A text of the model, in the phase in which the run is; what is wrong with it, or nothing. `agents` are those that
    a task can be given to.
    """
    match run.phase:
        case Phase.REASON:
            await move_run(tx, run, RunState.PLANNING, phase=Phase.ACT, partial=text, retries=0)
            return ""
        case Phase.REFLECT:
            return await _reflects(tx, run, text, agents)
        case Phase.REPLAN:
            return await _replans(tx, run, text, agents)
        case _:
            return about_plans.MUST_ACT


def judged_once_more(run: Run, text: str) -> str:
    """The words of a task's last answer at a limit, where the model judges again, as after each round; else none."""
    if run.phase is None or not run.phase.is_of_task:
        return ""
    try:
        return reflections.read(Reflection, text).summary
    except UnreadableReflection:
        return ""


async def _reflects(tx: Transaction, run: Run, text: str, agents: Collection[str]) -> str:
    try:
        reflection = reflections.read(Reflection, text)
    except UnreadableReflection as error:
        return about_plans.UNREADABLE.format(why=error)
    try:
        await _modify(tx, run, reflection.changes, agents)
    except InvalidChange as error:
        if run.retries < MOST_RETRIES:  # else what was judged of the task counts without it
            return about_plans.UNREADABLE.format(why=error)
    persisting = await _observe(tx, run)
    complete = reflection.is_task_complete and may_complete(await standing(tx, run))
    if complete:
        await tx.work.runs.change(run.id, output=reflection.summary, partial="")
        await finish_run(tx, await tx.work.runs.find(run.id), RunState.COMPLETED, summary=reflection.summary)
    elif reflection.persistent_error or persisting:
        why = reflection.summary if reflection.persistent_error else about_plans.PERSISTS.format(code=persisting)
        await finish_run(tx, await tx.work.runs.find(run.id), RunState.FAILED, error=why)
    else:
        await move_run(tx, run, RunState.PLANNING, phase=Phase.REASON, partial=reflection.summary, retries=0)
    return ""


async def _replans(tx: Transaction, run: Run, text: str, agents: Collection[str]) -> str:
    """One call, whatever comes of it: then the next pending task is done."""
    try:
        await _modify(tx, run, reflections.read(Replanning, text).changes, agents)
    except (UnreadableReflection, InvalidChange) as error:
        if run.retries < MOST_RETRIES:
            return about_plans.UNREADABLE.format(why=error)
    await move_run(tx, run, RunState.PLANNING, phase=Phase.CARRY_OUT, retries=0)
    return ""


async def _observe(tx: Transaction, run: Run) -> str:
    """Write down what came of the round's call; the error that came so many rounds running, if one did."""
    observation = _observation(await tx.work.actions.first_of_newest(run.id))
    rounds = await tx.work.plans.end_round(_plan_of(run), _task_of(run), observation, last=PERSISTING_ROUNDS)
    codes = [_code(one.observation) for one in rounds]
    return codes[0] if len(codes) == PERSISTING_ROUNDS and len(set(codes)) == 1 else ""


def _observation(action: Action) -> object:
    """An error has its code also where its words are cut: by that it is known again."""
    response = dict(action.response or {})
    kept, code = _kept(response), _code(response)
    return {"error": {"code": code, "message": kept}} if code and kept is not response else kept


def _kept(value: object) -> object:
    """The value as the history of a task has it: one that is too long as the beginning of its JSON."""
    text = json.dumps(value, ensure_ascii=False)
    return value if len(text) <= OBSERVATION_KEPT else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= OBSERVATION_KEPT else f"{text[:OBSERVATION_KEPT]}…"


def _code(observation: object) -> str:
    match observation:
        case {"error": {"code": str(code)}}:
            return code
        case _:
            return ""


async def _modify(tx: Transaction, run: Run, changes: Sequence[PlanChange], agents: Collection[str]) -> None:
    """The plan changes itself: a revision, shown at once with all of its changes. Raises `InvalidChange`."""
    if not changes:
        return
    if unknown := sorted({change.agent for change in changes} - {"", *agents}):
        raise InvalidChange(about_plans.no_such_agents(unknown, sorted(agents)))
    plan = await tx.work.plans.find(_plan_of(run))
    if plan is None:
        raise ValueError(f"{run.id} has no plan")
    after = changed(await tx.work.plans.tasks(plan.run_id), changes)
    new = sum(change.kind is not ChangeKind.OBSOLETE for change in changes)  # another goal is another task
    told = " ".join(map(about_plans.changed, changes))
    revision = await tx.work.plans.revise(plan, after, by=run.model, reason=told, at=tx.now, added=new)
    tx.record_run(await tx.work.runs.find(plan.run_id), AuditCode.PLAN_CHANGED, revision=revision, changes=len(changes))
    await show_plan(tx, plan.run_id)
