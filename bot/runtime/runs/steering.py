"""Steering: what a requester says while a run of theirs is under way (docs/states.md §7.3).

It rejects what waits for approval, and the run goes on with it: the next model call takes it in. “No” ends a plan that
is made or changed. What anybody else says is a request of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.audit import AuditCode
from bot.domain.conditions import (
    Standing,
    hears,
    is_answered_by_reply,
    is_refined_by_reply,
    is_superseded,
    moment_has_come,
    no_stop_asked,
)
from bot.domain.deliveries import DeliveryKind, RefusalReason, RefusalSubject
from bot.domain.questions import Choice, Question, QuestionChanges, QuestionState
from bot.domain.replies import Reply
from bot.domain.runs import Run, RunState
from bot.domain.states import LostRace
from bot.domain.threads import Audience, Message
from bot.llm import wire
from bot.runtime.actions.asking import tool_questions
from bot.runtime.actions.asking.plan_questions import drop, refine
from bot.runtime.actions.rejections import reject, supersede
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.privacy import make_private
from bot.runtime.lifecycle.progress import lock_step, step_locked
from bot.runtime.lifecycle.questions import close_question
from bot.runtime.lifecycle.runs import live_below, move_run
from bot.runtime.runs.incoming import Admission
from bot.runtime.runs.stop import stop
from bot.runtime.texts import to_model
from policies.types import Label

_REASON_KEPT = 2000  # characters


async def addressed(tx: Transaction, message: Message) -> Run | None:
    """The live run that its requester says this to; its open step is locked. None makes it a request of its own.

    The one under whose post it stands, else the newest. What was said before a request does not steer its run: it came
    late. The thread is locked already.
    """
    for run in await _candidates(tx, message):
        step = await tx.work.steps.open_of(run.id)
        if step is not None:
            await lock_step(tx, step.id)
        now = await tx.work.runs.find(run.id)
        if now.state.is_live() and no_stop_asked(Standing.of(now)):
            return await _that_asks(tx, now)
    return None


async def _that_asks(tx: Transaction, run: Run) -> Run:
    """Of a run that waits only because one that works for it asks something: that one. Of several that ask, none. A
    flow, and a plan that is carried out, hears nothing itself, but its step does.
    """
    at_work = await live_below(tx.work, run) if run.is_led_by_code else ()
    if step := next((one for one in at_work if one.parent == run.id), None):
        return await _that_asks(tx, step)
    if run.state is not RunState.AWAITING:
        return run
    asking = [one for one in [*await live_below(tx.work, run), run] if await tx.work.questions.open_of_run(one.id)]
    return asking[0] if len(asking) == 1 else run


async def _candidates(tx: Transaction, message: Message) -> list[Run]:
    """The author's live runs, newest first, and before them the one whose post it stands under. A deferred run only
    counts while it asks. What is said over HTTP is not said to a run that answers in Slack.
    """
    work = tx.work
    said_to = await work.posts.run_at(message.team, message.channel, message.root_ts)
    theirs = [run for run in await work.runs.live(message.thread_id) if run.user == message.author]
    live = [run for run in theirs if not run.is_child or run.id == said_to]
    begun = [run for run in reversed(live) if moment_has_come(run.not_before, tx.now) and hears(Standing.of(run))]
    since = [run for run in begun if run.order_key < message.ts]
    if not message.is_in_slack:
        since = [run for run in since if not (await work.runs.place(run.id)).is_in_slack]
    return sorted(since, key=lambda run: run.id != said_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """What one message does to the run that it was said to."""

    tx: Transaction
    run: Run
    message: Message

    async def hear(self, reply: Reply) -> Admission:
        """Answer, reject, steer, end a plan that is made or changed, or say that only buttons decide."""
        asked = await self._asked()
        if self.run.is_proposing and not asked and reply is Reply.NO:  # as where its card waits: it is not wanted
            await stop(self.tx, self.run, by=self.message.author)
            return Admission.STOPPED
        waiting = [one for one in asked if is_superseded(one.kind) or is_refined_by_reply(one.kind)]
        if answered := await self._answer([one for one in asked if is_answered_by_reply(one.kind)], waiting, reply):
            return answered
        if waiting and reply is Reply.YES:
            return await self._point()
        rejects = bool(waiting) and reply is Reply.NO
        if not rejects:  # before what waits is rejected: the run is not to end without having heard it
            await self.tx.work.messages.change(self.message.id, steers=self.run.id)
        stays = [] if rejects else [question for question in waiting if self._is_of_its_step(question)]
        for question in (one for one in waiting if one not in stays):
            async with step_locked(self.tx, question.step_id, woken=True):
                await (self._reject(question) if rejects else self._supersede(question))
        return Admission.REJECTED if rejects else self._steers(Admission.NOTED if stays else Admission.STEERS)

    def _is_of_its_step(self, question: Question) -> bool:
        """Whether it asks if a step of this flow may begin. Code would ask it again: the words are for that step."""
        return self.run.is_flow and question.run_id == self.run.id

    async def _asked(self) -> list[Question]:
        """What the run asks, and what those ask that work for it."""
        work = self.tx.work
        runs = [self.run, *await live_below(work, self.run)]
        return [question for run in runs for question in await work.questions.open_of_run(run.id)]

    async def _answer(self, asked: list[Question], waiting: list[Question], reply: Reply) -> Admission | None:
        """The newest question that words answer; “no” answers it where nothing else could be meant, “yes” does not.

        Also when it is a moment too late: an answer does nothing that would have to be approved in time.
        """
        if not asked:
            return None
        question = asked[-1]
        said = tool_questions.typed_answer(question, self.message.typed, self.message.text, self.message.author)
        if said.option is None and reply is Reply.YES:
            return await self._point()
        if said.option is None and reply is Reply.NO:
            if waiting:
                return None
            said = tool_questions.ToolAnswer(by=self.message.author)
        async with step_locked(self.tx, question.step_id, woken=True):
            votes = self.tx.work.questions
            if not await votes.vote(question, user=said.by, choice=said.choice.value, at=self.tx.now):
                raise LostRace("question", question.id, "open", said.choice.value)
            await tool_questions.settle(self.tx, question, said)
            await self._counts()
        return Admission.ANSWERED

    async def _counts(self) -> None:
        """It is part of this run, which needs no telling of it, but of its files. Said where only the owner sees it, it
        stays private.
        """
        if self.message.audience is Audience.OWNER:
            await make_private(self.tx, await self.tx.work.runs.find(self.run.id))
        has_files = await self.tx.work.files.of_messages([self.message.id])
        taken_at = None if has_files else self.tx.now
        await self.tx.work.messages.change(self.message.id, steers=self.run.id, taken_at=taken_at)
        self._note(AuditCode.MESSAGE_ANSWERS)

    async def _point(self) -> Admission:
        if self.message.is_in_slack:
            told = str(RefusalSubject(RefusalReason.BUTTONS, self.message.id))
            await self.tx.deliver(self.message.thread_id, DeliveryKind.REFUSAL, told, team=self.message.team)
        self._note(AuditCode.MESSAGE_DECIDES_NOTHING)
        return Admission.POINTED

    async def _reject(self, question: Question) -> None:
        """“No” is a vote like a click on the button."""
        tx, author = self.tx, self.message.author
        votes = tx.work.questions
        if not await votes.vote(question, user=author, choice=Choice.REJECT.value, at=tx.now):
            await votes.take_back(question, user=author, choice=Choice.REJECT.value, at=tx.now)
        decided: QuestionChanges = {"decided_by": author, "decision": Choice.REJECT}
        await close_question(tx, question, QuestionState.DECIDED, actor=author, **decided)
        action = await tx.work.actions.find(question.action_id)
        await (drop if is_refined_by_reply(question.kind) else reject)(tx, action, by=author)

    async def _supersede(self, question: Question) -> None:
        author, words = self.message.author, self.message.text[:_REASON_KEPT]
        if is_refined_by_reply(question.kind):
            await close_question(self.tx, question, QuestionState.REPLACED, actor=author, reason=words)
            await refine(self.tx, await self.tx.work.actions.find(question.action_id), by=author)
            return
        await close_question(self.tx, question, QuestionState.WITHDRAWN, actor=author, reason=words)
        await supersede(self.tx, question.action_id, by=author)

    def _steers(self, admission: Admission) -> Admission:
        self._note(AuditCode.MESSAGE_STEERS)
        self.tx.wake(self.run.thread_id)
        return admission

    def _note(self, code: AuditCode) -> None:
        self.tx.record_run(self.run, code, actor=self.message.author, message=self.message.id)


async def take_in(tx: Transaction, run: Run, *, answered: bool = False) -> Run:
    """planning → planning: the model is told what was said meanwhile, and, when it had `answered`, that it must anew.

    What was said in the owner's direct messages makes the run private; files hold words that are not the owner's.
    """
    untaken = await tx.work.messages.untaken(run.id)
    files = await tx.work.files.of_messages([message.id for message in untaken])
    if any(message.audience is Audience.OWNER for message in untaken):
        await make_private(tx, run)
    label = run.label.worst(Label.EXTERNAL) if files else run.label
    run = await move_run(tx, await tx.work.runs.find(run.id), RunState.PLANNING, label=label)
    lead = to_model.NOT_SHOWN if answered else to_model.STEERED
    texts = [lead, *(message.text for message in untaken)]
    await tx.work.steps.append(run.id, [wire.user_text(*texts, files=[file.id for file in files])])
    for message in untaken:
        await tx.work.messages.change(message.id, taken_at=tx.now)
    tx.record_run(run, AuditCode.MESSAGE_TAKEN_IN, messages=[message.id for message in untaken])
    return run
