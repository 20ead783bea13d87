"""Turns: what a model's turn means for its run, committed in one unit of work.

planning → executing | completed | failed | paused, or planning again when the output was of no use.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.agents.definition import ENDING_TOOL
from bot.agents.processors import processed
from bot.domain import ids
from bot.domain.actions import Action, ActionState, call_hashes
from bot.domain.audit import AuditCode
from bot.domain.conditions import keeps_going, may_complete
from bot.domain.events import TextVoided
from bot.domain.limits import MOST_RETRIES, Guard
from bot.domain.plans import Phase
from bot.domain.runs import Mode, Run, RunState
from bot.domain.steps import Step
from bot.llm import wire
from bot.llm.model import FinishKind, ModelCall, ModelError, Turn
from bot.runtime.actions.asking.plan_questions import propose_again, takes_tasks
from bot.runtime.actions.claim import claim_of
from bot.runtime.actions.propose import ActionFactory, Proposal
from bot.runtime.actions.rejections import standing
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.progress import finish_run, step_locked
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.limits import stops, usage
from bot.runtime.limits.cost import CostTracker, used
from bot.runtime.limits.loop_guard import streaks as identical
from bot.runtime.limits.quotas import renewed
from bot.runtime.limits.stops import Ending
from bot.runtime.plans import rounds
from bot.runtime.policy.service import PolicyService
from bot.runtime.runs.steering import take_in
from bot.runtime.texts import about_agents, about_plans, to_model, to_people
from bot.tools.handover import HandedOver, Handover
from bot.tools.kit import Kit
from bot.tools.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnHandler:
    """Takes turns inside one unit of work. `began` is when the model was asked, `made_by` who it is, `earlier` are the
    newest calls of the run, `with_files` says that the contents name files, `handed_over` is what the turn hands over,
    checked before, and `prompt` what the phase of a plan asked, to be kept before the answer.
    """

    tx: Transaction
    lease: Lease
    kit: Kit
    registry: Registry
    policy_service: PolicyService
    guard: Guard
    costs: CostTracker
    made_by: wire.Origin
    began: datetime
    earlier: Sequence[str] = ()
    with_files: bool = False
    handed_over: HandedOver = field(default_factory=HandedOver)
    prompt: wire.Wire | None = None

    async def take(self, run: Run, turn: Turn) -> None:
        """Count the turn, and go the way that its end says."""
        steps = 1 if self._is_step(run) else 0
        run = await self.costs.count(self.tx, run, turn, asked=self.made_by.model, steps=steps)
        match turn.finish:
            case FinishKind.CALLS:
                await self._calls(run, turn)
            case FinishKind.STOP if turn.text.strip():
                await self._answer(run, turn)
            case FinishKind.EMPTY if await self._needs_no_words(run):
                await self._answer(run, turn)
            case FinishKind.MAX_TOKENS if turn.text.strip() and not turn.refused:
                await self._answer(run, turn, cut=True)
            case FinishKind.MAX_TOKENS:
                await self._retry(run, to_model.RETRY_LONG)
            case FinishKind.SAFETY:
                await self._fail(run, to_people.safety_stop(turn.finish_detail), AuditCode.RUN_SAFETY_STOP)
            case _:
                await self._retry(run, to_model.RETRY_EMPTY)

    async def failed(self, run: Run, error: ModelError) -> None:
        """The model could not answer at all."""
        self.tx.publish(TextVoided(run.id, run.root))
        if run.stopping is not None:
            await self._pause(run, Ending.MISSED)
            return
        thread = await self.tx.work.threads.find(run.thread_id)
        await self._ends(run, to_people.model_failed(error, thread.surface))

    async def _ends(self, run: Run, why: str) -> None:
        """It failed; a plan that was proposed before is shown once more, as it was, and one that could not be changed
        after a failure goes on.
        """
        is_plan = run.is_plan and run.state is RunState.PLANNING
        if is_plan and run.phase is Phase.REPLAN:
            await move_run(self.tx, run, RunState.PLANNING, phase=Phase.CARRY_OUT, retries=0)
            return
        if is_plan and await propose_again(self.tx, run, about_plans.AS_IT_WAS.format(why=why)):
            return
        lines = to_people.ledger(await self.tx.work.actions.of_work(run.id))
        await finish_run(self.tx, run, RunState.FAILED, error="\n".join([why, *lines]))

    async def _pause(self, run: Run, ending: Ending) -> None:
        """Tools are off and no summary came: the hard stop."""
        if await self._goes_on_asking(run):
            return
        await stops.without_text(self.tx, run, run.stopping or "", ending)

    async def _goes_on_asking(self, run: Run) -> bool:
        """Whether a limit of planning ends nothing: its owner is asked about what was proposed before, or what they
        said meanwhile is a change, which has an allowance of its own. Once a plan was confirmed the limit is that of
        the whole plan, which pauses.
        """
        plan = await self.tx.work.plans.find(run.id) if run.is_proposing else None
        if plan is None or not plan.revision or plan.has_allowance:
            return False
        if await self.tx.work.messages.untaken(run.id):
            await self.tx.work.runs.change(run.id, **await renewed(self.tx.work, run, self.tx.now))
            await take_in(self.tx, run)
            return True
        return await propose_again(self.tx, run, about_plans.AS_IT_WAS.format(why=run.stopping or ""))

    async def _needs_no_words(self, run: Run) -> bool:
        """Whether all that its last step did is told without the model, and nothing was said to it since."""
        actions = await self.tx.work.actions.of_run(run.id)
        last = [action for action in actions if action.step_id == actions[-1].step_id]
        if run.stopping is not None or not last or not all(action.is_told for action in last):
            return False
        *_, (newest, _) = await self.tx.work.steps.contents(run.id)
        return wire.holds_responses(newest)

    def _is_step(self, run: Run) -> bool:
        """Whether this call of the model counts: not the last word, and one of the three of a round."""
        return not self._is_last_word(run) and (self.prompt is None or run.phase is Phase.ACT)

    def _is_last_word(self, run: Run) -> bool:
        """Whether the model knew that tools are off; a call that was under way at the stop does not."""
        return run.stopping is not None and usage.TOLD_STOP in run.hinted

    async def _answer(self, run: Run, turn: Turn, *, cut: bool = False) -> None:
        """The final text; after a soft stop it is the summary of a paused run.

        What its requester said while it was made comes first: the model answers once more, knowing that.
        """
        text = turn.text.strip() + (to_people.ANSWER_CUT if cut else "")
        if self.prompt is not None:
            await self._of_phase(run, text, turn)
            return
        await self._append(run, turn)
        if run.is_proposing and run.stopping is None:
            await self._remind(run, text, about_plans.MUST_PROPOSE, about_plans.NOTHING_PROPOSED)
            return
        if self.kit.handover is not None and run.stopping is None:
            await self._text_of_agent(run, text, self.kit.handover)
            return
        if await self._goes_on_asking(run):
            return
        text = rounds.judged_once_more(run, text) or await self._with_output(run, text)
        facts = await standing(self.tx, run)
        completes = may_complete(facts)
        if not completes and keeps_going(facts):
            self.tx.publish(TextVoided(run.id, run.root))
            await take_in(self.tx, run, answered=True)
            return
        unread = await self.tx.work.files.unread(run.id, run.message_id) if self.with_files else ()
        noted = to_people.with_unread(text, unread)
        if not run.is_child:
            noted = await self.costs.noted(self.tx.work, run, noted, self.tx.now)
        if completes:
            await finish_run(self.tx, run, RunState.COMPLETED, summary=noted)
        else:
            await stops.with_text(self.tx, run, noted)

    async def _text_of_agent(self, run: Run, text: str, handover: Handover) -> None:
        """An agent hands its result over with a call, or with any text where that fits; else it is reminded, once."""
        if await self.tx.work.messages.untaken(run.id):
            self.tx.publish(TextVoided(run.id, run.root))
            await take_in(self.tx, run, answered=True)
        elif handover.takes_text:
            await self.tx.work.runs.change(run.id, output=text)
            await finish_run(self.tx, await self.tx.work.runs.find(run.id), RunState.COMPLETED, summary=text)
        else:
            reminder = about_agents.MUST_HAND_OVER.format(tool=ENDING_TOOL)
            await self._remind(run, text, reminder, about_agents.NOTHING_HANDED_OVER)

    async def _remind(self, run: Run, text: str, reminder: str, why: str) -> None:
        """A text in the place of a call is answered once; the next one fails the run."""
        if usage.REMINDED in run.hinted:
            await self.tx.work.runs.change(run.id, partial=text)
            await self._fail(await self.tx.work.runs.find(run.id), why, AuditCode.RUN_MODEL_UNUSABLE)
            return
        self.tx.publish(TextVoided(run.id, run.root))
        await move_run(self.tx, run, RunState.PLANNING, hinted=(*run.hinted, usage.REMINDED))
        await self.tx.work.steps.append(run.id, [wire.user_text(reminder)])

    async def _of_phase(self, run: Run, text: str, turn: Turn) -> None:
        """What a plan asked for in this phase; asked again where it cannot be used."""
        self.tx.publish(TextVoided(run.id, run.root))
        await self._append(run, turn)
        if wrong := await rounds.said(self.tx, run, text, agents=self._agents()):
            await self._retry(run, wrong)

    def _agents(self) -> Collection[str]:
        """Those that a task of a plan can be given to."""
        return [name for name in self.policy_service.policy.agents if takes_tasks(self.registry, name)]

    async def _with_output(self, run: Run, text: str) -> str:
        """The last word of an agent at a limit: its output where it is one, as far as it goes; else it stays a text."""
        if self.handed_over.text is None or self.kit.definition is None:
            return text
        output = self.handed_over.text.output
        await self.tx.work.runs.change(run.id, output=output)
        return processed(self.kit.definition, output)

    async def _append(self, run: Run, turn: Turn) -> None:
        if turn.content:
            if self.prompt is not None:
                await self.tx.work.steps.append(run.id, [self.prompt])
            await self.tx.work.steps.append(run.id, [turn.content], made_by=self.made_by)

    async def _retry(self, run: Run, feedback: str) -> None:
        """Unusable output: asked again with a word about it, a bounded number of times."""
        self.tx.publish(TextVoided(run.id, run.root))
        if self._is_last_word(run):
            await self._pause(run, Ending.MISSED)
        elif run.stopping is not None:
            return  # asked for its last word next
        elif run.retries >= MOST_RETRIES:
            await self._fail(run, to_people.MODEL_UNUSABLE, AuditCode.RUN_MODEL_UNUSABLE)
        else:
            await move_run(self.tx, run, RunState.PLANNING, retries=run.retries + 1)
            await self.tx.work.steps.append(run.id, [wire.user_text(feedback)])

    async def _fail(self, run: Run, why: str, code: AuditCode) -> None:
        self.tx.record_run(run, code)
        await self._ends(run, why)

    # Calls ----------------------------------------------------------------------------------------------------

    async def _calls(self, run: Run, turn: Turn) -> None:
        """A turn with calls: refused as a whole, or written down and evaluated."""
        self.tx.publish(TextVoided(run.id, run.root))
        unknown = [call.name for call in turn.calls if not self.kit.has(call.name, self.registry)]
        if self.prompt is not None and run.phase is not Phase.ACT:
            await self._retry(run, about_plans.MUST_REASON)
        elif run.phase is Phase.ACT and turn.calls[0].name == ENDING_TOOL:
            await self._retry(run, about_plans.NO_CALL_ENDS)
        elif run.stopping is not None:
            await self._refuse(run, turn.calls, AuditCode.ACTION_AFTER_STOP)
            if self._is_last_word(run):
                await self._pause(run, Ending.IGNORED)
        elif unknown:
            await self._refuse(run, turn.calls, AuditCode.ACTION_UNKNOWN_TOOL)
            await self._fail(run, to_people.unknown_tool(unknown), AuditCode.RUN_UNKNOWN_TOOL)
        else:
            await self._propose(run, turn)

    async def _refuse(self, run: Run, calls: Sequence[ModelCall], code: AuditCode) -> None:
        for call in calls[: self.guard.calls]:
            self.tx.record_run(run, code, tool=call.name[:128])

    async def _propose(self, run: Run, turn: Turn) -> None:
        """Write the step down with its calls, evaluate what needs no look outside, claim the reads."""
        step = self._step(run, turn)
        evidence = await self.policy_service.evidence(self.tx.work, run.team, run.user, label=run.label)
        factory = ActionFactory(
            tx=self.tx,
            run=run,
            step=step,
            kit=self.kit,
            registry=self.registry,
            policy_service=self.policy_service,
            guard=self.guard,
            evidence=evidence,
            handed_over=self.handed_over,
        )
        proposals = [factory.draft(seq, call) for seq, call in enumerate(turn.calls)]
        hashes = call_hashes([proposal.action for proposal in proposals])
        streaks = identical(self.earlier[-self.guard.failed_at :], hashes)
        if any(streak >= self.guard.failed_at for streak in streaks):
            await self._fail(run, to_people.DOOM_LOOP, AuditCode.RUN_DOOM_LOOP)
            return
        if run.retries >= MOST_RETRIES and _ends_badly(proposals):
            await self._fail(run, to_people.MODEL_UNUSABLE, AuditCode.RUN_MODEL_UNUSABLE)
            return
        executing = await self._write(run, step, turn, proposals)
        if run.phase is Phase.ACT:
            await rounds.acts(self.tx, run, turn.calls[0])
        async with step_locked(self.tx, step.id):
            self.tx.step_changed(step.id)
            judged = [
                await factory.evaluate(proposal, streak) for proposal, streak in zip(proposals, streaks, strict=True)
            ]
        claimed = [action for action in judged if action.state is ActionState.EXECUTING]
        self.tx.work.after_commit(lambda: self._claimed(claimed))
        if executing.retries > MOST_RETRIES:
            await self._fail(
                await self.tx.work.runs.find(run.id), to_people.MODEL_UNUSABLE, AuditCode.RUN_MODEL_UNUSABLE
            )

    def _claimed(self, actions: Sequence[Action]) -> None:
        """Its worker knows what it claimed, and that nobody was asked about that."""
        self.lease.claims.update(map(claim_of, actions))
        self.lease.working_set.never_asked.update(action.id for action in actions)

    async def _write(self, run: Run, step: Step, turn: Turn, proposals: Sequence[Proposal]) -> Run:
        """Of what was to end the run of an agent, too, so many invalid calls in a row are too many."""
        all_invalid = all(proposal.problem for proposal in proposals)
        retries = run.retries + 1 if all_invalid or _ends_badly(proposals) else 0
        executing = await move_run(self.tx, run, RunState.EXECUTING, mode=Mode.TOOL, retries=retries)
        await self.tx.work.steps.add(step)
        await self._append(run, turn)
        await self.tx.work.actions.add([proposal.action for proposal in proposals])
        return executing

    def _step(self, run: Run, turn: Turn) -> Step:
        return Step(
            id=ids.new_id("step"),
            run_id=run.id,
            seq=run.steps_taken,
            open=len(turn.calls),
            model=turn.model,
            finish=turn.finish_detail,
            usage=used(turn),
            started_at=self.began,
            ended_at=self.tx.now,
        )


def _ends_badly(proposals: Sequence[Proposal]) -> bool:
    """Whether what was to be handed over is no result."""
    return any(proposal.problem and proposal.hands_over for proposal in proposals)
