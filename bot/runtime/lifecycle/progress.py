"""What a run does next, and how it ends.

The one rule (`bot.domain.steps.after`) follows every move of an action or a question. A run that does the work of
another one's action takes that one along: its parent follows in the same transaction (docs/states.md §1).
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime

from bot.agents.definition import ENDING_TOOL
from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.conditions import Standing, follows_its_step
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import HomeChanged
from bot.domain.runs import SILENCE, Run, RunChanges, RunState
from bot.domain.steps import Closing, after
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle import ends
from bot.runtime.lifecycle.actions import close_step, move_action, settle_action
from bot.runtime.lifecycle.plans import deliver_log, show_plan, task_ended
from bot.runtime.lifecycle.privacy import content_entered
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.texts import about_agents, about_plans, to_model, to_people


async def lock_step(tx: Transaction, step_id: str) -> None:
    """Keep the actions and questions of a step as they are read from here on, until the transaction ends."""
    tx.holds_step = True
    await tx.work.steps.lock(step_id)


@asynccontextmanager
async def step_locked(tx: Transaction, step_id: str, *, woken: bool = False) -> AsyncGenerator[None]:
    """Hold a step while its actions and questions are read and moved; when something moved, the run follows.

    `woken` says that a person made the move. A block that raises moves nothing on; a transaction in which something
    moved without this is not committed (`StepNotFollowed`).
    """
    await lock_step(tx, step_id)
    yield
    if tx.is_step_changed(step_id):
        await _after(tx, step_id, woken=woken)


async def _after(tx: Transaction, step_id: str, *, woken: bool) -> None:
    """What the run does next, by the one rule, in this transaction; `woken` says that a person made it ready."""
    tx.step_followed(step_id)
    step = await tx.work.steps.lock(step_id)
    if step.closed_at is not None:
        return
    run = await tx.work.runs.find(step.run_id)
    siblings = await tx.work.actions.siblings(step_id)
    unsettled = sum(not sibling.state.is_settled() for sibling in siblings)
    await tx.work.steps.set_open(step_id, unsettled, closed_at=None)
    if not follows_its_step(Standing.of(run), by_person=woken):
        return
    following = after(siblings, cancel_requested=run.cancel_requested, hard_stop=run.hard_stop is not None)
    handed = await _handed_over(tx, step_id) if following.run is RunState.PLANNING and run.agent else None
    if following.step is not Closing.STAYS:
        await close_step(tx, run, step_id)
    if following.step is Closing.SETTLES_EXPIRED:
        await _end_left_behind(tx, step_id)
    if handed is not None and await _is_done(tx, run, handed):
        return
    await _follow(tx, run, following.run, woken=woken)


async def _handed_over(tx: Transaction, step_id: str) -> Action | None:
    """The result that the run of an agent handed over in this step. It counts where all that was called beside it was
    done. Else it was written without knowing what was not, so the model is told that first.
    """
    actions = await tx.work.actions.of_step(step_id)
    handed = next((one for one in actions if one.tool == ENDING_TOOL and one.state is ActionState.COMPLETED), None)
    others = [one for one in actions if one.tool != ENDING_TOOL]
    if handed is not None and any(one.state is not ActionState.COMPLETED for one in others):
        told = to_model.error("not_taken", about_agents.NOT_ALL_DONE.format(tool=ENDING_TOOL), retryable=True)
        await tx.work.actions.change(handed.id, response=told, summary=about_agents.NOT_TAKEN)
        return None
    return handed


async def _is_done(tx: Transaction, run: Run, handed: Action) -> bool:
    """Whether the run of an agent ended with this result: nothing was said to it since."""
    if await tx.work.messages.untaken(run.id):
        return False
    (output,) = json.loads(handed.args).values()
    await tx.work.runs.change(run.id, output=output)
    planning = await move_run(tx, await tx.work.runs.find(run.id), RunState.PLANNING)
    await finish_run(tx, planning, RunState.COMPLETED, summary=str((handed.response or {})["output"]))
    return True


async def _follow(tx: Transaction, run: Run, to: RunState, *, woken: bool) -> None:
    tx.wake(run.thread_id)
    if to is run.state is RunState.PAUSED:  # a person's click left it as it was
        return
    if to in {RunState.CANCELLED, RunState.PAUSED}:
        actor = (to is RunState.CANCELLED and run.stopped_by) or AGENT
        if to is RunState.PAUSED and run.hard_stop is None:
            await tx.work.runs.change(run.id, stop_code=SILENCE)
            run = await tx.work.runs.find(run.id)
        await finish_run(tx, run, to, summary=await _summary(tx, run, to), actor=actor)
        return
    changes: RunChanges = {"woken_at": tx.now} if woken else {}
    if run.state is RunState.PAUSED:
        changes["stop_code"] = ""
    if to is not run.state:
        moved = await move_run(tx, run, to, **changes)
        if run.is_child and {run.state, to} & {RunState.AWAITING, RunState.PAUSED}:
            await _parent_follows(tx, moved, woken=woken)
    elif changes:
        await tx.work.runs.change(run.id, **changes)


async def _summary(tx: Transaction, run: Run, to: RunState) -> str:
    """What its owner is told of its end: why, and what was done."""
    if to is RunState.PAUSED:
        actions = await tx.work.actions.of_work(run.id)
        stopped = run.hard_stop and to_people.joined(run.hard_stop, to_people.ledger(actions))
        return stopped or to_people.unanswered(actions)
    return await said_at_stop(tx, run, copied_at=await tx.work.metadata.copied_at() if run.is_of_copy else None)


async def said_at_stop(tx: Transaction, run: Run, *, copied_at: datetime | None) -> str:
    """What the owner of a stopped request is told, and what was done: of a plan what came of each task. `copied_at` as
    in `to_people.stopped`.
    """
    actions = await tx.work.actions.of_work(run.id)
    if copied_at is not None:
        return to_people.stopped(actions, copied_at=copied_at)
    if any(action.summary == about_plans.DROPPED for action in actions) and not any(map(_was_begun, actions)):
        return about_plans.NO_PLAN_THEN  # its card says who cancelled it, and that nothing was done
    if run.is_plan and run.is_led_by_code:
        return f"{to_people.STOPPED}\n\n{about_plans.account(await tx.work.plans.tasks(run.id))}"
    return to_people.stopped(actions)


def _was_begun(action: Action) -> bool:
    return action.is_change or action.child is not None


# Ends ---------------------------------------------------------------------------------------------------------


async def finish_run(
    tx: Transaction,
    run: Run,
    to: RunState,
    *,
    summary: str = "",
    error: str = "",
    actor: str = AGENT,
    about: Mapping[str, object] | None = None,
) -> Run:
    """End (or pause) a run: nothing is left open, the answer is said, recorded and audited.

    `summary` is the answer in Markdown, `error` what a failed run says in its place; `about` goes into the entry. With
    neither, what was done is told where it was shown, and the conversation keeps it for the next request. A run that
    works for another one says nothing: it hands over to that.
    """
    await ends.keep_intake_out(tx, run.thread_id)
    step_id = await ends.leave_nothing_open(tx, run, to)
    said = [await ends.part_from_untaken(tx, run, to), await ends.way_on(tx, run, to, step_id)]
    summary, error = ("\n\n".join(filter(None, [text, *said])) if text else "" for text in (summary, error))
    ended: RunChanges = {"summary": summary, "error": error}
    if to is not RunState.PAUSED or (run.is_child and run.stop_code != SILENCE):
        ended["completed_at"] = tx.now
    ended["duration_ms"] = max(0, int((tx.now - run.created_at).total_seconds() * 1000))  # a clock may go back
    moved = await move_run(tx, run, to, **ended)
    details = {"steps": moved.steps_taken, **(about or {})}
    tx.record(AuditEvent(team=run.team, code=AuditCode.of("run", to), actor=actor, run_id=run.id, details=details))
    if step_id is not None and moved.is_over:
        await _end_left_behind(tx, step_id)
    if moved.is_child:
        await _hand_over(tx, moved)
    else:
        await _tell(tx, moved)
    tx.wake(run.thread_id)
    return moved


async def _tell(tx: Transaction, run: Run) -> None:
    """The answer to a request."""
    said = about_agents.answer(run) or run.error
    await ends.say(tx, run, said or to_people.done(await tx.work.actions.of_work(run.id)))
    await tx.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)
    await deliver_log(tx, run)
    await ends.say_where_asked(tx, run)
    if run.is_plan:
        await show_plan(tx, run.id)
    tx.publish(HomeChanged(run.team, run.user))


# Runs that work for others ------------------------------------------------------------------------------------


async def _hand_over(tx: Transaction, child: Run) -> None:
    """The action that it did the work of ends with it, and the parent follows. Silence expires the action."""
    await task_ended(tx, child)
    action = await tx.work.actions.find(child.parent_action or "")
    async with step_locked(tx, action.step_id):
        step, action = await tx.work.steps.lock(action.step_id), await tx.work.actions.find(action.id)
        if action.state.is_settled() or step.closed_at is not None:
            return  # its run ended first, or went on without it
        response = to_model.handed_over(child)
        if child.state is RunState.PAUSED and child.stop_code == SILENCE:
            await move_action(tx, action, ActionState.EXPIRED, code=AuditCode.ACTION_EXPIRED, response=response)
            return
        done = await settle_action(
            tx,
            action,
            *([ActionState.PLANNED] if action.state is ActionState.EXPIRED else []),  # it ended while it was paused
            _ENDS[child.state],
            code=AuditCode.ACTION_HANDED_OVER,
            response=response,
            summary=about_agents.outcome(child),
            label=child.label,
            private=child.private,
        )
        await content_entered(tx, done, private=child.private, label=child.label)


async def _end_left_behind(tx: Transaction, step_id: str) -> None:
    """Those that silence paused end when nobody waits for them any more: nothing of them can be asked again."""
    for action in await tx.work.actions.of_step(step_id):
        child = await tx.work.runs.find(action.child) if action.child else None
        if child is not None and child.state is RunState.PAUSED and not child.is_over:
            await finish_run(tx, child, RunState.CANCELLED, summary=child.summary, about={"stop": "left_behind"})


_ENDS: Mapping[RunState, ActionState] = {
    RunState.COMPLETED: ActionState.COMPLETED,
    RunState.PAUSED: ActionState.COMPLETED,  # at a limit: it hands over what it has
    RunState.FAILED: ActionState.FAILED,
    RunState.CANCELLED: ActionState.CANCELLED,
}


async def _parent_follows(tx: Transaction, child: Run, *, woken: bool) -> None:
    """A child began to wait for people, or waits no more; one that goes on after silence is waited for again."""
    action = await tx.work.actions.find(child.parent_action or "")
    async with step_locked(tx, action.step_id, woken=woken):
        action = await tx.work.actions.find(action.id)
        if action.state is ActionState.EXPIRED:
            again = (ActionState.PLANNED, ActionState.AWAITING)
            await move_action(tx, action, *again, code=AuditCode.ACTION_ASKED_AGAIN, response=None)
        tx.step_changed(action.step_id)
