"""Follow-ups: which buttons a request that stopped shows, read from rows whenever it is shown."""

from __future__ import annotations

from itertools import pairwise

from bot.domain.actions import Action, ActionState
from bot.domain.conditions import (
    Standing,
    may_ask_again,
    may_continue,
    may_edit,
    no_hard_stop,
    no_stop_asked,
    request_stands,
)
from bot.domain.questions import ConnectPayload, Question, QuestionState
from bot.domain.runs import FollowUp, Run, RunState
from bot.runtime.lifecycle.runs import retry_source
from bot.runtime.texts import to_people
from bot.store.unit_of_work import UnitOfWork


async def follow_up_of(work: UnitOfWork, run: Run) -> FollowUp | None:
    """What stands under the answer of this run now."""
    facts = Standing.of(run)
    if may_continue(facts):
        return FollowUp.CONTINUE
    if run.is_child or run.state is not RunState.FAILED or run.error in to_people.NOT_TO_BE_TRIED:
        return None
    if await work.runs.by_source(retry_source(run.id)):
        return FollowUp.TRIED_AGAIN
    return FollowUp.TRY_AGAIN if request_stands(facts) and await is_remembered(work, run) else None


async def asked_again_by_continue(work: UnitOfWork, run: Run) -> int:
    """How many questions that nobody answered Continue asks again, where it does nothing else: a hard limit, a new
    deadline and what an agent had asked take more than that.
    """
    if not may_continue(Standing.of(run)) or run.deadline_at is not None:
        return 0
    if (step := await work.steps.open_of(run.id)) is None:
        return 0
    facts, actions = Standing.of(run, step_open=True), await work.actions.of_step(step.id)
    if any(one.child is not None and not one.state.is_settled() for one in actions):
        return 0
    return sum(may_ask_again(facts, one.state, question_open=False) for one in actions)


async def is_remembered(work: UnitOfWork, run: Run) -> bool:
    """Whether the request and what was done for it are still known: without both it cannot be done again."""
    asked = await work.messages.find(run.message_id)
    if run.is_flow:  # it goes on with what all its tries had done
        return bool(asked.text) and all(one.inputs is not None for one in [run, *await work.runs.tries_before(run)])
    return bool(asked.text) and (run.steps_taken == 0 or bool(run.instruction))


def can_be_edited(question: Question, action: Action) -> bool:
    """Whether what a card asks about can still be changed; `may_be_changed` of its run is asked apart."""
    asked, edition = question.edition, action.edition
    return may_edit(question.kind, question.state, asked=asked, edition=edition, doubt=action.doubt)


async def can_be_asked_again(work: UnitOfWork, question: Question, action: Action) -> bool:
    """Whether this expired question, the newest about its action, can be asked again."""
    if question.state is not QuestionState.EXPIRED:
        return False
    run, newest = await work.runs.find(question.run_id), (await work.questions.ids_of_action(action.id))[-1]
    if not await is_waited_for(work, run):
        return False
    step = await work.steps.open_of(run.id)
    facts = Standing.of(run, step_open=step is not None and step.id == action.step_id)
    return newest == question.id and may_ask_again(facts, action.state, question_open=False)


async def is_waited_for(work: UnitOfWork, run: Run) -> bool:
    """Whether those that a run works for, if any, can still go on with it."""
    for child, above in pairwise(await work.runs.lineage(run)):
        facts, action = Standing.of(above), await work.actions.find(child.parent_action or "")
        step = await work.steps.open_of(above.id)
        is_open = step is not None and step.id == action.step_id and not action.state.is_settled()
        if not (is_open and request_stands(facts) and no_stop_asked(facts) and no_hard_stop(facts)):
            return False
    return True


async def declined_card(work: UnitOfWork, action: Action) -> ConnectPayload | None:
    """The card that asked for the account for want of which this was not done, if it had one of its own."""
    if action.state not in {ActionState.REJECTED, ActionState.EXPIRED}:
        return None
    *_, last = [None, *await work.questions.ids_of_action(action.id)]
    question = await work.questions.find(last) if last else None
    asked = question.payload if question else None
    return asked if isinstance(asked, ConnectPayload) and asked.has_card else None
