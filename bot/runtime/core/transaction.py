"""Transitions inside one unit of work: the guarded move, its audit entry, what the run does next (docs/states.md §1).

Whoever moves an action or a question locks its step first (`lock`), and ends with `after`: both are here, so that the
rule is applied in one way only. What must be known outside is told after the commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.domain.actions import NOT_BEGUN, Action, ActionState
from bot.domain.audit import AuditEvent
from bot.domain.conditions import Standing, follows_its_step, never_edited
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import ActionMoved, Event, HomeChanged, RunMoved
from bot.domain.ids import new_id
from bot.domain.questions import Question, QuestionState
from bot.domain.runs import WAS_HELD, Run, RunState
from bot.domain.steps import Closing, after
from bot.domain.threads import Audience, Message, Speaker
from bot.llm import wire
from bot.runtime.core import activity, requests
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.ports import Dispatcher, UnitOfWork
from bot.runtime.texts import to_model, to_people
from integrations.ports import Clock

AGENT = "agent"  # the actor of what the program does by itself

_SHOWN_AS_HELD = {RunState.EXECUTING, RunState.AWAITING}
"""What the message about something held back shows besides its end, which the answer tells in its place."""


class Transaction:
    """The moves of one unit of work."""

    def __init__(self, work: UnitOfWork, *, clock: Clock, bus: Bus, dispatcher: Dispatcher) -> None:
        self.work = work
        self.now: datetime = clock.now()
        self._bus = bus
        self._dispatcher = dispatcher
        self._facts: list[AuditEvent] = []
        self._passed: dict[str, list[Run]] = {}
        self._steps_locked = False

    # The log --------------------------------------------------------------------------------------------------

    def record(self, fact: AuditEvent) -> None:
        """Have this in the log, in this transaction."""
        self._facts.append(fact)

    async def flush_audit(self) -> None:
        """Write the log, at the end of the transaction. What a run passed through stands with the last that is told
        of it, or alone where nothing else is.
        """
        for run_id, runs in self._passed.items():
            states = [run.state.value for run in runs]
            at = max((n for n, fact in enumerate(self._facts) if fact.run_id == run_id), default=None)
            if at is None:
                self.record(
                    AuditEvent(team=runs[0].team, code="run.moved", actor=AGENT, run_id=run_id, details={"run": states})
                )
            else:
                self._facts[at] = replace(self._facts[at], details={**self._facts[at].details, "run": states})
        await self.work.audit.record(*self._facts)

    # Actions --------------------------------------------------------------------------------------------------

    async def action(
        self,
        action: Action,
        *path: ActionState,
        code: str,
        actor: str = AGENT,
        about: Mapping[str, object] | None = None,
        **changes: object,
    ) -> Action:
        """Move an action along one or more states in this commit; the action as it is then.

        One audit entry, `code`, names all of them, and has `about` besides; `changes` are columns that change with the
        last move. Raises `LostRace` when the action moved on meanwhile.
        """
        start = action.state
        for state in path[:-1]:
            action = await self.work.actions.move(action, state)
        action = await self.work.actions.move(action, path[-1], **changes)
        states = [start.value, *(state.value for state in path)]
        self._record_action(action, code, actor=actor, states=states, **(about or {}))
        self.publish(ActionMoved(action.run_id, action.id, action.state.value, action.caption))
        return action

    def _record_action(self, action: Action, code: str, *, actor: str, **details: object) -> None:
        """An audit entry about an action: what it is, its hash, never its contents."""
        verdict = action.verdict
        said = {"verdict": verdict.decision.value, "rule": verdict.rule} if verdict else {}
        facts = {"action": action.id, "tool": action.tool, "args_sha256": action.args_hash, "attempt": action.attempt}
        about = {**facts, **said, **details}
        self.record(AuditEvent(team=action.team, code=code, actor=actor, run_id=action.run_id, details=about))

    async def ended(
        self,
        action: Action,
        state: ActionState,
        *,
        code: str,
        response: Mapping[str, object],
        actor: str = AGENT,
        about: Mapping[str, object] | None = None,
        **changes: object,
    ) -> Action:
        """Settle an action: `response` is what the model is told. Doubt about an earlier attempt is never left unsaid,
        unless `changes` clear it. Raises as `action`.
        """
        if action.doubt and changes.get("doubt", True):
            response = to_model.doubted(response, action.attempt)
        return await self.action(
            action, state, code=code, actor=actor, about=about, response=response, ended_at=self.now, **changes
        )

    # Questions ------------------------------------------------------------------------------------------------

    async def ask(self, question: Question) -> None:
        """Open a question: its row, the delivery of its card, its audit entry."""
        await self.work.questions.add(question)
        await self.deliver(question.thread_id, DeliveryKind.CARD, question.id, team=question.team)
        self._record_question(question, "question.asked", AGENT)

    async def close(
        self, question: Question, state: QuestionState, *, actor: str = AGENT, **changes: object
    ) -> Question:
        """End a question, have its card written anew, and its reminder taken away; `changes` say who decided what.
        Raises `LostRace` when it was not open any more.
        """
        question = await self.work.questions.move(question, state, decided_at=self.now, **changes)
        await self.deliver(question.thread_id, DeliveryKind.CARD, question.id, team=question.team)
        if question.reminded_at is not None:
            await self.deliver(question.thread_id, DeliveryKind.REMINDER, question.id, team=question.team)
        self._record_question(question, f"question.{state.value}", actor)
        return question

    def _record_question(self, question: Question, code: str, actor: str) -> None:
        details = {
            "question": question.id,
            "kind": question.kind.value,
            "action": question.action_id,
            "sha256": question.hash,
        }
        if question.decision:
            details["decision"] = question.decision.value
        self.record(AuditEvent(team=question.team, code=code, actor=actor, run_id=question.run_id, details=details))
        self.publish(HomeChanged(question.team, question.user))

    async def withdraw_all(self, run: Run) -> None:
        """Withdraw what the run still asks."""
        for question in await self.work.questions.open_of_run(run.id):
            await self.close(question, QuestionState.WITHDRAWN)

    # Runs -----------------------------------------------------------------------------------------------------

    async def queue(self, run: Run, *, code: str = "run.queued", **details: object) -> bool:
        """A new run, to be begun once this is durable; False when its source began one already."""
        if not await self.work.runs.add(run):
            return False
        told = {"source": run.source_key, **details}
        self.record(AuditEvent(team=run.team, code=code, actor=run.user, run_id=run.id, details=told))
        self.wake(run.thread_id)
        self.publish(RunMoved(run.id, RunState.QUEUED))
        return True

    async def run(self, run: Run, to: RunState, **changes: object) -> Run:
        """Move a run; the run as it is then. The log names the states that it passed through in this transaction.

        `changes` are columns that change with the move. Raises `LostRace` when the run moved on meanwhile.
        """
        moved = await self.work.runs.move(run, to, **await self._clocked(run, to), **changes)
        self._passed.setdefault(run.id, [run]).append(moved)
        if run.holds and to in _SHOWN_AS_HELD and to is not run.state:
            await self.deliver(run.thread_id, DeliveryKind.HELD, run.id, team=run.team)
        if to is not run.state:
            self.publish(RunMoved(run.id, to))
        return moved

    async def _clocked(self, run: Run, to: RunState) -> dict[str, object]:
        """Its working time, begun or ended by this move."""
        changes = activity.moved(run, to, self.now)
        return activity.moved(await self.work.runs.find(run.id), to, self.now) if changes else changes

    async def finish(
        self,
        run: Run,
        to: RunState,
        *,
        summary: str = "",
        error: str = "",
        actor: str = AGENT,
        about: Mapping[str, object] | None = None,
    ) -> Run:
        """End (or pause) a run: nothing is left open, the answer is said, recorded and audited.

        `summary` is the answer in Markdown, `error` what a failed run says in its place; `about` goes into the entry.
        """
        await self._keep_intake_out(run.thread_id)
        await self._leave_nothing_open(run, to)
        parting = await self._part_from_untaken(run, to)
        summary, error = (f"{text}\n\n{parting}" if text and parting else text for text in (summary, error))
        times: dict[str, object] = {} if to is RunState.PAUSED else {"completed_at": self.now}
        times["duration_ms"] = max(0, int((self.now - run.created_at).total_seconds() * 1000))  # a clock may go back
        moved = await self.run(run, to, summary=summary, error=error, **times)
        await self._say(moved, summary or error)
        await self.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)
        await self._say_where_asked(moved)
        details = {"steps": moved.steps_taken, **(about or {})}
        self.record(AuditEvent(team=run.team, code=f"run.{to.value}", actor=actor, run_id=run.id, details=details))
        self.wake(run.thread_id)
        self.publish(HomeChanged(run.team, run.user))
        return moved

    async def _say_where_asked(self, run: Run) -> None:
        """What came of something that was held back stands with the action that asked for it, too."""
        asked = await self.work.actions.known(run.holds) if run.holds and run.state.is_final() else None
        if asked is None:
            return
        (done,) = await self.work.actions.of_run(run.id)
        await self.work.actions.change(asked.id, summary=to_people.held_end(done), undo=f"{WAS_HELD}{run.id}")
        await self.rewrite_card(asked)

    async def _keep_intake_out(self, thread_id: str) -> None:
        """Intake locks the thread, then the step that is open; so nobody who has locked a step waits for the thread."""
        if not self._steps_locked:
            await self.work.threads.lock(thread_id)

    async def _part_from_untaken(self, run: Run, to: RunState) -> str:
        """What its requester said and no model call took in: withdrawn at a stop, else a run of its own. In words."""
        untaken = await self.work.messages.untaken(run.id)
        if not untaken:
            return ""
        following = None if to is RunState.CANCELLED else requests.handed_on(untaken, run, now=self.now)
        for message in untaken:
            steers = following.id if following and message.id != following.message_id else None
            await self.work.messages.change(message.id, steers=steers)
        if following is None:
            details = {"messages": len(untaken)}
            self.record(
                AuditEvent(team=run.team, code="message.withdrawn", actor=AGENT, run_id=run.id, details=details)
            )
            return to_people.WITHDRAWN
        await self.queue(following, after=run.id)
        return to_people.HANDED_ON

    async def _leave_nothing_open(self, run: Run, to: RunState) -> None:
        step = await self.work.steps.open_of(run.id)
        if to is RunState.PAUSED:
            await self._expire_questions(run)
            return
        await self.withdraw_all(run)
        if step is None:
            return
        for action in await self.work.actions.of_step(step.id):
            if action.state in NOT_BEGUN:
                told = to_model.cancelled(action)
                await self.ended(action, ActionState.CANCELLED, code="action.cancelled", response=told)
                await self.rewrite_card(action)  # it may say that somebody is working on it
        await self._close(run, step.id)

    async def _expire_questions(self, run: Run) -> None:
        for question in await self.work.questions.open_of_run(run.id):
            await self.close(question, QuestionState.EXPIRED)
            action = await self.work.actions.find(question.action_id)
            if action.state is ActionState.AWAITING:
                await self.action(action, ActionState.EXPIRED, code="action.expired", response=to_model.expired())

    async def _say(self, run: Run, text: str) -> None:
        """Keep what the agent said in the thread, for those who may see it."""
        thread = await self.work.threads.find(run.thread_id)
        private = run.private or thread.is_dm
        await self.work.messages.add(
            Message(
                id=new_id("msg"),
                thread_id=run.thread_id,
                team=run.team,
                speaker=Speaker.AGENT,
                author=AGENT,
                text=text,
                audience=Audience.OWNER if private else Audience.CHANNEL,
                owner=run.user if private else None,
                run_id=run.id,
                label=run.label,
                created_at=self.now,
            )
        )

    # Steps ----------------------------------------------------------------------------------------------------

    async def lock(self, step_id: str) -> None:
        """Lock the step before any of its actions or questions moves."""
        self._steps_locked = True
        await self.work.steps.lock(step_id)

    async def after(self, step_id: str, *, woken: bool = False) -> Run:
        """What the run does next, by the one rule, in this transaction; `woken` says that a person made it ready."""
        self._steps_locked = True
        step = await self.work.steps.lock(step_id)
        run = await self.work.runs.find(step.run_id)
        if step.closed_at is not None:
            return run
        siblings = await self.work.actions.siblings(step_id)
        await self.work.steps.set_open(
            step_id, sum(not sibling.state.is_settled() for sibling in siblings), closed_at=step.closed_at
        )
        if not follows_its_step(Standing.of(run), by_person=woken):
            return run
        following = after(siblings, cancel_requested=run.cancel_requested, hard_stop=run.hard_stop is not None)
        if following.step is not Closing.STAYS:
            await self._close(run, step_id)
        return await self._follow(run, following.run, woken=woken)

    async def _follow(self, run: Run, to: RunState, *, woken: bool) -> Run:
        self.wake(run.thread_id)
        if to in {RunState.CANCELLED, RunState.PAUSED}:
            lines = to_people.ledger(await self.work.actions.of_run(run.id))
            lead = to_people.STOPPED if to is RunState.CANCELLED else run.hard_stop or to_people.NOBODY_ANSWERED
            actor = (to is RunState.CANCELLED and run.stopped_by) or AGENT
            return await self.finish(run, to, summary=to_people.joined(lead, lines), actor=actor)
        changes: dict[str, object] = {"woken_at": self.now} if woken else {}
        if to is not run.state:
            return await self.run(run, to, **changes)
        if changes:
            await self.work.runs.change(run.id, **changes)
        return run

    async def _close(self, run: Run, step_id: str) -> None:
        """Close the step: its responses go back in call order in one content."""
        actions = await self.work.actions.of_step(step_id)
        await self.work.steps.append(run.id, [responses(actions)])
        for action in actions:
            if action.state is ActionState.EXPIRED:  # its card offers no more to ask again
                await self.rewrite_card(action)
        await self.work.steps.set_open(step_id, 0, closed_at=self.now)

    # What people see --------------------------------------------------------------------------------------------

    async def stub(self, run: Run) -> None:
        """In a channel, say without content that this goes on in the owner's direct messages."""
        if not (await self.work.threads.find(run.thread_id)).is_dm:
            await self.deliver(run.thread_id, DeliveryKind.STUB, run.id, team=run.team)

    async def make_private(self, run: Run) -> None:
        """Something that only its owner may see entered the run's context: from now on it goes on in his messages."""
        if not run.private:
            await self.stub(run)
            await self.work.runs.change(run.id, private=True)

    async def said_on_card(self, action: Action) -> None:
        """Its owner said something on this card: where only he saw it, what he said is for him alone."""
        if action.preview and action.preview.get("private"):
            await self.make_private(await self.work.runs.find(action.run_id))

    async def rewrite_card(self, action: Action) -> None:
        """Deliver the cards about this action in their present form."""
        for question_id in await self.work.questions.ids_of_action(action.id):
            await self.deliver(action.thread_id, DeliveryKind.CARD, question_id, team=action.team)

    async def deliver(self, lane: str, kind: DeliveryKind, subject: str, *, team: str) -> None:
        """Put a delivery into the outbox; the relay is woken by the commit.

        A lane is delivered in order: that of a thread's runs is the thread's id. The subject is an id, as the kind says
        (`DeliveryKind`): what is shown is read from rows when it is delivered.
        """
        await self.work.outbox.add(lane, kind, subject, team=team, at=self.now)

    # After the commit -------------------------------------------------------------------------------------------

    def wake(self, thread_id: str) -> None:
        """Have the thread served, once this is durable."""
        self.work.after_commit(lambda: self._dispatcher.wake(thread_id))

    def publish(self, event: Event) -> None:
        """Publish an event, once this is durable."""
        self.work.after_commit(lambda: self._bus.publish(event))


def responses(actions: Sequence[Action]) -> wire.Wire:
    """The function responses of a step, in call order; a call without a response gets one in words."""
    return wire.function_responses(
        (action.call_id, action.tool, action.call_id_given, _told(action)) for action in actions
    )


def _told(action: Action) -> Mapping[str, object]:
    response = action.response or to_model.unsettled(action)
    if action.is_scheduled and not action.is_waiting:  # taken back or done while other calls of its step waited
        response = to_model.held_since(response, action)
    return response if never_edited(action.edition) else to_model.edited(response, action)
