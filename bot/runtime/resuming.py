"""Resuming: what its owner does with a request that stopped: Continue, Ask again, Try again (docs/states.md §1, §2).

Each is one transaction in which the first press wins; later ones are told what became of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.actions import Action, ActionState
from bot.domain.audit import Fact
from bot.domain.conditions import Standing, can_move_again, may_ask_again, may_continue, no_hard_stop, request_stands
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import QuestionKind
from bot.domain.rates import Rate
from bot.domain.runs import Run, RunState
from bot.domain.steps import Step
from bot.llm import wire
from bot.runtime import model_words, rates, requests, words
from bot.runtime.claims import stored_hash
from bot.runtime.leases import Journal
from bot.runtime.offers import is_remembered
from bot.runtime.places import renewed
from bot.runtime.posing import question_about
from bot.runtime.presses import ClickOutcome, Press, Refused, on_its_card, owner_only, question_of, run_of, take_press
from bot.runtime.transitions import Transitions


@dataclass(frozen=True, slots=True, kw_only=True)
class Resuming:
    """Takes up what stopped. Trying again counts as a request does, where there is a `rate`."""

    journal: Journal
    rate: Rate | None = None

    async def continue_run(self, press: Press) -> ClickOutcome:
        """A paused run goes on with one fresh allowance; `press.value` is its id. Raises `NotSaved`."""
        return await take_press(self.journal, press, _continue)

    async def ask_again(self, press: Press) -> ClickOutcome:
        """What nobody answered is asked again; `press.value` is that of the question's buttons. Raises `NotSaved`."""
        return await take_press(self.journal, press, _ask_again)

    async def try_again(self, press: Press) -> ClickOutcome:
        """A failed run's request is run anew; `press.value` is the run's id. Raises `NotSaved`."""
        return await take_press(self.journal, press, self._try_again)

    async def _try_again(self, moves: Transitions, press: Press) -> None:
        run = await _failed(moves, press)
        if self.rate and (refused := await rates.too_fast(moves, run.team, run.user, self.rate)):
            told = await rates.in_words(moves.work, run.team, run.user, self.rate, refused)
            raise Refused("run.not_tried_again", told, run)
        await _try_anew(moves, run, press)


# Continue -----------------------------------------------------------------------------------------------------


async def _continue(moves: Transitions, press: Press) -> None:
    run = await run_of(moves, press)
    if not may_continue(Standing.of(run)):
        raise Refused("run.not_continued", _why_not_continued(run), run)
    step = await moves.work.steps.open_of(run.id)
    if step is not None:
        await moves.lock(step.id)
    await moves.work.runs.change(run.id, **await renewed(moves.work, run, moves.now), woken_at=moves.now)
    await _leave_pause_behind(moves, run)
    _note(moves, run, "run.continued", press)
    if step is not None:
        await _go_on(moves, step, press)
        return
    await moves.run(await moves.work.runs.find(run.id), RunState.PLANNING)
    await moves.work.steps.append(run.id, [wire.user_text(model_words.CONTINUED)])
    moves.wake(run.thread_id)


def _why_not_continued(run: Run) -> str:
    if not request_stands(Standing.of(run)):
        return words.DELETED
    return words.GOES_ON if run.state.is_live() else words.NOT_PAUSED


async def _go_on(moves: Transitions, step: Step, press: Press) -> None:
    """With an open step what was left is asked again, and `after` says what the run does."""
    run = await moves.work.runs.find(step.run_id)
    for action in await moves.work.actions.of_step(step.id):
        if await _was_left(moves, run, step, action):
            await _again(moves, action, press)
    await moves.after(step.id, woken=True)


async def _leave_pause_behind(moves: Transitions, run: Run) -> None:
    """What was said at the pause stays where it stands, without its button; the answer to come is another message."""
    posts = [post for post in await moves.work.posts.of_run(run.id) if post.is_answer]
    said = await moves.work.messages.said_last(run.thread_id, run.id)
    for post in posts:
        await moves.work.posts.save(post.said)
    if said is not None and posts:
        last = max(posts, key=lambda post: post.ts)
        await moves.work.messages.change(said.id, channel=last.channel, ts=last.ts)
        await moves.deliver(run.thread_id, DeliveryKind.RESUMED, said.id, team=run.team)


# Ask again ----------------------------------------------------------------------------------------------------


async def _ask_again(moves: Transitions, press: Press) -> None:
    question = await question_of(moves, press)
    await owner_only(moves, press, question, "Only <@{owner}> can have this asked again.")
    await on_its_card(moves, press, question)
    await moves.work.threads.lock(question.thread_id)
    step = await moves.work.steps.lock(question.step_id)
    run, action = await moves.work.runs.find(question.run_id), await moves.work.actions.find(question.action_id)
    if not await _was_left(moves, run, step, action):
        raise Refused("question.not_asked_again", _why_not_asked(run, step, action), question)
    if run.state is RunState.PAUSED:
        await _leave_pause_behind(moves, run)
    await _again(moves, action, press)
    await moves.after(step.id, woken=True)


def _why_not_asked(run: Run, step: Step, action: Action) -> str:
    facts = Standing.of(run, step_open=step.closed_at is None)
    if not request_stands(facts):
        return words.DELETED
    if not facts.step_open or not can_move_again(facts) or run.cancel_requested:
        return words.CLOSED
    waits = action.state in {ActionState.EXPIRED, ActionState.UNKNOWN}
    return words.AT_A_LIMIT if waits and not no_hard_stop(facts) else words.ASKED_ALREADY


async def _was_left(moves: Transitions, run: Run, step: Step, action: Action) -> bool:
    facts = Standing.of(run, step_open=step.closed_at is None)
    asked = {question.action_id for question in await moves.work.questions.open_of_run(run.id)}
    return may_ask_again(facts, action.state, question_open=action.id in asked)


async def _again(moves: Transitions, action: Action, press: Press) -> None:
    """expired → planned, to be judged and asked anew; of a doubtful one its owner is asked once more what happened."""
    if action.state is ActionState.UNKNOWN:
        where, link = action.summary, action.link or ""
        await moves.ask(question_about(action, QuestionKind.SETTLE, stored_hash(action), moves, where=where, link=link))
    else:
        action = await moves.action(
            action, ActionState.PLANNED, code="action.asked_again", actor=press.user, response=None
        )
    await moves.rewrite_card(action)


# Try again ----------------------------------------------------------------------------------------------------


async def _failed(moves: Transitions, press: Press) -> Run:
    """The run that is tried again; raises `Refused`."""
    run = await run_of(moves, press)
    if not request_stands(Standing.of(run)):
        raise Refused("run.not_tried_again", words.DELETED, run)
    if run.state is not RunState.FAILED:
        raise Refused("run.not_tried_again", words.NOT_FAILED, run)
    if run.holds is not None:  # its request did more than this
        raise Refused("run.not_tried_again", words.HELD_AS_IT_IS, run)
    if not await is_remembered(moves.work, run):
        raise Refused("run.not_tried_again", words.FORGOTTEN, run)
    if await moves.work.runs.by_source(requests.retry_source(run.id)):
        raise Refused("run.not_tried_again", words.TRIED_ALREADY, run)
    return run


async def _try_anew(moves: Transitions, run: Run, press: Press) -> None:
    new = requests.tried_again(await moves.work.messages.find(run.message_id), run, now=moves.now)
    await moves.work.messages.steer_again(run.id, by=new.id)
    await moves.queue(new, retry_of=run.id)
    _note(moves, run, "run.tried_again", press)
    await moves.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)


def _note(moves: Transitions, run: Run, code: str, press: Press) -> None:
    moves.note(Fact(team=run.team, code=code, actor=press.user, run_id=run.id))
