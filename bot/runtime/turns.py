"""Turns: what a model's turn means for its run, committed in one unit of work.

planning → executing | completed | failed | paused, or planning again when the output was of no use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain import ids
from bot.domain.actions import ActionState, call_hashes
from bot.domain.audit import Fact
from bot.domain.conditions import keeps_going, may_complete
from bot.domain.events import TextVoided
from bot.domain.limits import Guard
from bot.domain.runs import Mode, Run, RunState
from bot.domain.steps import Step
from bot.llm import wire
from bot.llm.model import FinishKind, ModelCall, ModelError, Turn
from bot.runtime import budgets, limits, model_words, pauses, words
from bot.runtime.claims import claim_of
from bot.runtime.evidence import Law
from bot.runtime.leases import Lease
from bot.runtime.pauses import Ending
from bot.runtime.proposals import Proposal, Proposer
from bot.runtime.spending import Purse, used
from bot.runtime.steering import take_in
from bot.runtime.superseding import standing
from bot.runtime.transitions import Transitions
from bot.tools.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Takes turns inside one unit of work. `began` is when the model was asked, `made_by` who it is."""

    moves: Transitions
    lease: Lease
    registry: Registry
    law: Law
    guard: Guard
    purse: Purse
    made_by: wire.Origin
    began: datetime

    async def take(self, run: Run, turn: Turn) -> None:
        """Count the turn, and go the way that its end says."""
        steps = 0 if self._is_last_word(run) else 1
        run = await self.purse.count(self.moves, run, turn, steps=steps)
        match turn.finish:
            case FinishKind.CALLS:
                await self._calls(run, turn)
            case FinishKind.STOP if turn.text.strip():
                await self._answer(run, turn)
            case FinishKind.MAX_TOKENS if turn.text.strip() and not turn.refused:
                await self._answer(run, turn, cut=True)
            case FinishKind.MAX_TOKENS:
                await self._retry(run, model_words.RETRY_LONG)
            case FinishKind.SAFETY:
                await self._fail(run, words.safety_stop(turn.finish_detail), "run.safety_stop")
            case _:
                await self._retry(run, model_words.RETRY_EMPTY)

    async def failed(self, run: Run, error: ModelError) -> None:
        """The model could not answer at all."""
        self.moves.tell(TextVoided(run.id))
        if run.stopping is not None:
            await self._pause(run, Ending.MISSED)
            return
        lines = words.ledger(await self.moves.work.actions.of_run(run.id))
        await self.moves.finish(run, RunState.FAILED, error="\n".join([words.model_failed(error), *lines]))

    async def _pause(self, run: Run, ending: Ending) -> None:
        """Tools are off and no summary came: the hard stop."""
        await pauses.without_text(self.moves, run, run.stopping or "", ending)

    def _is_last_word(self, run: Run) -> bool:
        """Whether the model knew that tools are off; a call that was under way at the stop does not."""
        return run.stopping is not None and budgets.TOLD_STOP in run.hinted

    async def _answer(self, run: Run, turn: Turn, *, cut: bool = False) -> None:
        """The final text; after a soft stop it is the summary of a paused run.

        What its requester said while it was made comes first: the model answers once more, knowing that.
        """
        text = turn.text.strip() + (words.ANSWER_CUT if cut else "")
        await self._append(run, turn)
        facts = await standing(self.moves, run)
        completes = may_complete(facts)
        if not completes and keeps_going(facts):
            self.moves.tell(TextVoided(run.id))
            await take_in(self.moves, run, answered=True)
            return
        noted = await self.purse.noted(self.moves.work, run, text, self.moves.now)
        if completes:
            await self.moves.finish(run, RunState.COMPLETED, summary=noted)
        else:
            await pauses.with_text(self.moves, run, noted)

    async def _append(self, run: Run, turn: Turn) -> None:
        if turn.content:
            await self.moves.work.steps.append(run.id, [turn.content], made_by=self.made_by)

    async def _retry(self, run: Run, feedback: str) -> None:
        """Unusable output: asked again with a word about it, a bounded number of times."""
        self.moves.tell(TextVoided(run.id))
        if self._is_last_word(run):
            await self._pause(run, Ending.MISSED)
        elif run.stopping is not None:
            return  # asked for its last word next
        elif run.retries >= limits.MAX_RETRIES:
            await self._fail(run, words.MODEL_UNUSABLE, "run.model_unusable")
        else:
            await self.moves.run(run, RunState.PLANNING, retries=run.retries + 1)
            await self.moves.work.steps.append(run.id, [wire.user_text(feedback)])

    async def _fail(self, run: Run, why: str, code: str) -> None:
        self._tell(run, code)
        lines = words.ledger(await self.moves.work.actions.of_run(run.id))
        await self.moves.finish(run, RunState.FAILED, error="\n".join([why, *lines]))

    def _tell(self, run: Run, code: str, **details: object) -> None:
        fact = Fact(team=run.team, code=code, actor=run.user, run_id=run.id, details=details)
        self.moves.note(fact)

    # Calls ----------------------------------------------------------------------------------------------------

    async def _calls(self, run: Run, turn: Turn) -> None:
        """A turn with calls: refused as a whole, or written down and judged."""
        self.moves.tell(TextVoided(run.id))
        unknown = [call.name for call in turn.calls if call.name not in self.registry]
        if run.stopping is not None:
            await self._refuse(run, turn.calls, "action.after_stop")
            if self._is_last_word(run):
                await self._pause(run, Ending.IGNORED)
        elif unknown:
            await self._refuse(run, turn.calls, "action.unknown_tool")
            await self._fail(run, words.unknown_tool(unknown), "run.unknown_tool")
        else:
            await self._propose(run, turn)

    async def _refuse(self, run: Run, calls: Sequence[ModelCall], code: str) -> None:
        for call in calls[: self.guard.calls]:
            self._tell(run, code, tool=call.name[:128])

    async def _propose(self, run: Run, turn: Turn) -> None:
        """Write the step down with its calls, judge what needs no look outside, claim the reads."""
        step = self._step(run, turn)
        evidence = await self.law.evidence(self.moves.work, run.team, run.user)
        proposer = Proposer(
            moves=self.moves,
            run=run,
            step=step,
            registry=self.registry,
            law=self.law,
            guard=self.guard,
            evidence=evidence,
        )
        proposals = [proposer.draft(seq, call) for seq, call in enumerate(turn.calls)]
        streaks = await self._streaks(run, proposals)
        if any(streak >= self.guard.failed_at for streak in streaks):
            await self._fail(run, words.DOOM_LOOP, "run.doom_loop")
            return
        await self._write(run, step, turn, proposals)
        judged = [await proposer.judge(proposal, streak) for proposal, streak in zip(proposals, streaks, strict=True)]
        claims = [claim_of(action) for action in judged if action.state is ActionState.EXECUTING]
        self.moves.work.after_commit(lambda: self.lease.claims.update(claims))
        after = await self.moves.after(step.id)
        if after.retries > limits.MAX_RETRIES:
            await self._fail(after, words.MODEL_UNUSABLE, "run.model_unusable")

    async def _streaks(self, run: Run, proposals: Sequence[Proposal]) -> list[int]:
        earlier = await self.moves.work.actions.calls(run.id, limit=self.guard.failed_at)
        return limits.streaks(earlier, call_hashes([proposal.action for proposal in proposals]))

    async def _write(self, run: Run, step: Step, turn: Turn, proposals: Sequence[Proposal]) -> None:
        all_invalid = all(proposal.problem for proposal in proposals)
        retries = run.retries + 1 if all_invalid else 0
        await self.moves.run(run, RunState.EXECUTING, mode=Mode.TOOL, retries=retries)
        await self.moves.work.steps.add(step)
        await self._append(run, turn)
        await self.moves.work.actions.add([proposal.action for proposal in proposals])

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
            ended_at=self.moves.now,
        )
