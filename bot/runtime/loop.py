"""The loop: one model call of a run, and the commit of what came of it. Each function returns when its rows are safe.

begin → (queued → planning); step → planning → executing | completed | failed | paused. Whatever the model said is
committed before anything of it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.domain import ids
from bot.domain.actions import ActionState, call_hashes
from bot.domain.audit import Fact
from bot.domain.events import TextStreamed, TextVoided, ThoughtStreamed
from bot.domain.runs import Mode, Run, RunState
from bot.domain.steps import Step
from bot.domain.threads import User
from bot.domain.usage import Usage
from bot.llm import wire
from bot.llm.model import (
    FinishKind,
    Model,
    ModelCall,
    ModelError,
    ModelMisconfigured,
    ModelRequest,
    ModelUnavailable,
    QuotaExhausted,
    Restarted,
    TextDelta,
    ThoughtDelta,
    Turn,
)
from bot.runtime import history, limits, words
from bot.runtime.bus import Bus
from bot.runtime.evidence import Law
from bot.runtime.leases import Lease
from bot.runtime.ports import NotRead, Store
from bot.runtime.profiles import ProfileBook
from bot.runtime.proposals import Proposal, Proposer
from bot.runtime.transitions import Transitions
from bot.tools.registry import Registry
from integrations.base import Clock, Memory

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """Asks the model and commits its answer."""

    store: Store
    clock: Clock
    bus: Bus
    model: Model
    registry: Registry
    law: Law
    profiles: ProfileBook
    persona: str

    # Beginning ------------------------------------------------------------------------------------------------

    async def begin(self, run: Run, lease: Lease) -> None:
        """Take a queued run up: who asks, what was said before, the instruction; or the refusal of a guest."""
        person = await self.profiles.person(run.team, run.user)
        if person.is_guest or person.is_bot or person.is_deleted:
            await self._refuse(run, lease, words.GUEST if person.is_guest else words.NO_PERSON)
            return
        background = await self._background(run, person)
        start = history.opening(
            run,
            background,
            persona=self.persona,
            constitution=self.law.policy.constitution,
            now=self.clock.now(),
        )
        async with lease.write() as moves:
            if any(other.state.holds_thread() for other in await moves.work.runs.live(run.thread_id)):
                return  # somebody's click woke another run meanwhile; this one stays queued
            if start.private:
                await moves.stub(run)
            await moves.run(
                run,
                RunState.PLANNING,
                instruction=start.instruction,
                private=start.private,
                label=start.label,
                model=self.model.name,
                transport=self.model.transport,
                started_at=moves.now,
            )
            await moves.work.steps.append(run.id, start.contents)
            await self._tell(moves, run, "run.started", model=self.model.name)

    async def _refuse(self, run: Run, lease: Lease, why: str) -> None:
        async with lease.write() as moves:
            planning = await moves.run(run, RunState.PLANNING, started_at=moves.now)
            await self._tell(moves, run, "run.refused")
            await moves.finish(planning, RunState.FAILED, error=why)

    async def _background(self, run: Run, person: User) -> history.Background:
        async with self.store.read() as work:
            thread = await work.threads.find(run.thread_id)
            request = await work.messages.find(run.message_id)
            earlier = await work.messages.recent(
                run.thread_id, visible_to=run.user, before=self.clock.now(), limit=limits.HISTORY_TAKEN
            )
            asked = await work.runs.by_requests([message.id for message in earlier])
            objects = await work.objects.of_owner(run.thread_id, run.user, limit=limits.MAX_OBJECTS)
        memories = await self._memories(run, request.text) if thread.is_dm else ()
        told = {message.run_id for message in earlier}
        return history.Background(
            thread=thread,
            person=person,
            memories=memories,
            earlier=earlier,
            apart=frozenset(message_id for message_id, run_id in asked.items() if run_id not in told),
            objects=objects,
            request=request,
        )

    async def _memories(self, run: Run, query: str) -> Sequence[Memory]:
        """A failing memory never blocks a run: it is read in a transaction of its own."""
        try:
            async with self.store.read() as work:
                return await work.memories.search(run.team, run.user, query, limit=5)
        except NotRead:
            log.warning("memories.unavailable", run=run.id)
            return ()

    # One step -------------------------------------------------------------------------------------------------

    async def step(self, run: Run, lease: Lease) -> None:
        """One model call of a planning run, and the commit of what it said."""
        run = await self._softly(run, lease)
        async with self.store.read() as work:
            contents = await work.steps.contents(run.id)
        request = ModelRequest(
            instruction=run.instruction,
            contents=[wire.converted(content, made_by=origin, to=self._origin()) for content, origin in contents],
            tools=self.registry.declarations(self.law.policy.tools),
            tools_off=run.stopping is not None,
        )
        began = self.clock.now()
        try:
            turn = await self._ask(run, request)
        except ModelError as error:
            log.warning("model.failed", run=run.id, reason=str(error))
            await self._model_failed(run, lease, error)
            return
        await self._commit(run, turn, lease, began)

    def _origin(self) -> wire.Origin:
        """Who makes the contents of this process: another transport or model refuses their signatures."""
        return wire.Origin(self.model.transport, self.model.name)

    async def _softly(self, run: Run, lease: Lease) -> Run:
        """At the step limit: one soft stop, kept in a column so that a crash does not undo it."""
        if run.stopping is not None or run.steps_taken < run.max_steps:
            return run
        async with lease.write() as moves:
            await moves.work.runs.change(run.id, stopping=words.STEP_LIMIT)
            await moves.work.steps.append(run.id, [wire.user_text(words.SOFT_STOP)])
            await self._tell(moves, run, "run.limit", limit="steps", most=run.max_steps)
            return await moves.work.runs.find(run.id)

    async def _ask(self, run: Run, request: ModelRequest) -> Turn:
        """The model's turn; what it streams goes to the bus on the way."""
        async with aclosing(self.model.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        self.bus.publish(TextStreamed(run.id, text))
                    case ThoughtDelta(text):
                        self.bus.publish(ThoughtStreamed(run.id, text))
                    case Restarted():
                        self.bus.publish(TextVoided(run.id))
                    case Turn():
                        return event
        raise ModelUnavailable("network", detail="the stream ended without a turn")

    async def _model_failed(self, run: Run, lease: Lease, error: ModelError) -> None:
        self.bus.publish(TextVoided(run.id))
        async with lease.write() as moves:
            lines = words.ledger(await moves.work.actions.of_run(run.id))
            if run.stopping is not None:
                await moves.finish(run, RunState.PAUSED, summary=words.joined(run.stopping, lines))
                return
            await moves.finish(
                run, RunState.FAILED, error=words.joined(_explained(error), lines) if lines else _explained(error)
            )

    async def _commit(self, run: Run, turn: Turn, lease: Lease, began: datetime) -> None:
        async with lease.write() as moves:
            current = await moves.work.runs.find(run.id)
            if current.state is not RunState.PLANNING:
                log.info("turn.dropped", run=run.id, state=current.state.value)
                return
            await self._count(moves, current, turn, began)
            await self._take(moves, await moves.work.runs.find(run.id), turn, lease, began)

    async def _count(self, moves: Transitions, run: Run, turn: Turn, began: datetime) -> None:
        used = Usage(prompt=turn.usage.prompt_tokens, output=turn.usage.output_tokens, cached=turn.usage.cached_tokens)
        spent = int((moves.now - began).total_seconds() * 1000)
        await moves.work.runs.change(
            run.id,
            usage=run.usage + used,
            active_ms=run.active_ms + spent,
            steps_taken=run.steps_taken + (0 if run.stopping else 1),
        )

    async def _take(self, moves: Transitions, run: Run, turn: Turn, lease: Lease, began: datetime) -> None:
        """Which way a turn goes."""
        match turn.finish:
            case FinishKind.CALLS:
                await self._calls(moves, run, turn, lease, began)
            case FinishKind.STOP if turn.text.strip():
                await self._answer(moves, run, turn)
            case FinishKind.MAX_TOKENS if turn.text.strip() and not turn.refused:
                await self._answer(moves, run, turn, cut=True)
            case FinishKind.MAX_TOKENS:
                await self._retry(moves, run, words.MODEL_RETRY_LONG)
            case FinishKind.SAFETY:
                await self._fail(moves, run, _safety(turn), "run.safety_stop")
            case _:
                await self._retry(moves, run, words.MODEL_RETRY_EMPTY)

    async def _answer(self, moves: Transitions, run: Run, turn: Turn, *, cut: bool = False) -> None:
        """The final text; after a soft stop it is the summary of a paused run."""
        text = turn.text.strip() + ("\n\n(My answer was cut here: it reached the model’s length limit.)" if cut else "")
        if turn.content:
            await moves.work.steps.append(run.id, [turn.content], made_by=self._origin())
        if run.stopping is not None:
            await moves.finish(run, RunState.PAUSED, summary=f"{run.stopping}\n\n{text}")
            return
        await moves.finish(run, RunState.COMPLETED, summary=text)

    async def _retry(self, moves: Transitions, run: Run, feedback: str) -> None:
        """Unusable output: asked again with a word about it, a bounded number of times."""
        moves.work.after_commit(lambda: self.bus.publish(TextVoided(run.id)))
        if run.stopping is not None:
            lines = words.ledger(await moves.work.actions.of_run(run.id))
            await moves.finish(run, RunState.PAUSED, summary=words.joined(run.stopping, lines))
            return
        if run.retries >= limits.MAX_RETRIES:
            await self._fail(moves, run, _UNUSABLE, "run.model_unusable")
            return
        await moves.run(run, RunState.PLANNING, retries=run.retries + 1)
        await moves.work.steps.append(run.id, [wire.user_text(feedback)])

    async def _fail(self, moves: Transitions, run: Run, why: str, code: str) -> None:
        await self._tell(moves, run, code)
        lines = words.ledger(await moves.work.actions.of_run(run.id))
        await moves.finish(run, RunState.FAILED, error="\n".join([why, *lines]))

    async def _tell(self, moves: Transitions, run: Run, code: str, **details: object) -> None:
        fact = Fact(team=run.team, code=code, actor=run.user, run_id=run.id, details=details)
        await moves.work.audit.record(fact)

    # Calls ----------------------------------------------------------------------------------------------------

    async def _calls(self, moves: Transitions, run: Run, turn: Turn, lease: Lease, began: datetime) -> None:
        """Write the step down with its calls, judge what needs no look outside, claim the reads."""
        moves.work.after_commit(lambda: self.bus.publish(TextVoided(run.id)))
        if run.stopping is not None:
            await self._stop_hard(moves, run, turn.calls)
            return
        unknown = [call.name for call in turn.calls if call.name not in self.registry]
        if unknown:
            await self._refused_calls(moves, run, turn.calls, "action.unknown_tool")
            await self._fail(moves, run, words.unknown_tool(unknown), "run.unknown_tool")
            return
        step = self._step(run, turn, began, moves.now)
        proposer = Proposer(moves=moves, run=run, step=step, registry=self.registry, law=self.law)
        proposals = [proposer.draft(seq, call) for seq, call in enumerate(turn.calls)]
        streaks = await self._streaks(moves, run, proposals)
        if any(streak >= limits.DOOM_LOOP for streak in streaks):
            await self._fail(moves, run, _DOOM, "run.doom_loop")
            return
        await self._write_step(moves, run, step, turn, proposals)
        claimed = [await proposer.judge(proposal, streak) for proposal, streak in zip(proposals, streaks, strict=True)]
        claims = [f"{action.id}:{action.attempt}" for action in claimed if action.state is ActionState.EXECUTING]
        moves.work.after_commit(lambda: lease.claims.update(claims))
        after = await moves.after(step.id)
        if after.retries > limits.MAX_RETRIES:
            await self._fail(moves, after, _UNUSABLE, "run.model_unusable")

    async def _write_step(
        self, moves: Transitions, run: Run, step: Step, turn: Turn, proposals: Sequence[Proposal]
    ) -> None:
        all_invalid = all(proposal.problem for proposal in proposals)
        await moves.run(run, RunState.EXECUTING, mode=Mode.TOOL, retries=run.retries + 1 if all_invalid else 0)
        await moves.work.steps.add(step)
        if turn.content:
            await moves.work.steps.append(run.id, [turn.content], made_by=self._origin())
        await moves.work.actions.add([proposal.action for proposal in proposals])

    def _step(self, run: Run, turn: Turn, began: datetime, now: datetime) -> Step:
        return Step(
            id=ids.new_id("step"),
            run_id=run.id,
            seq=run.steps_taken,
            open=len(turn.calls),
            model=turn.model,
            finish=turn.finish_detail,
            usage=Usage(
                prompt=turn.usage.prompt_tokens, output=turn.usage.output_tokens, cached=turn.usage.cached_tokens
            ),
            started_at=began,
            ended_at=now,
        )

    async def _streaks(self, moves: Transitions, run: Run, proposals: Sequence[Proposal]) -> list[int]:
        earlier = call_hashes(await moves.work.actions.of_run(run.id))
        return limits.streaks(earlier, call_hashes([proposal.action for proposal in proposals]))

    async def _stop_hard(self, moves: Transitions, run: Run, calls: Sequence[ModelCall]) -> None:
        """Calls although tools are off: refused, and the run pauses without the model."""
        await self._refused_calls(moves, run, calls, "action.after_stop")
        lines = words.ledger(await moves.work.actions.of_run(run.id))
        await moves.finish(run, RunState.PAUSED, summary=words.joined(run.stopping or words.STEP_LIMIT, lines))

    async def _refused_calls(self, moves: Transitions, run: Run, calls: Sequence[ModelCall], code: str) -> None:
        for call in calls[: limits.MAX_CALLS_PER_STEP]:
            await self._tell(moves, run, code, tool=call.name[:128])


_UNUSABLE = (
    "The language model gave me nothing that I could use, several times in a row, so I stopped. "
    "Please ask again, perhaps in other words."
)
_DOOM = (
    "The language model kept repeating exactly the same call, so I stopped it. "
    "Please ask again in other words, or in smaller steps."
)


def _safety(turn: Turn) -> str:
    return (
        f"The language model’s safety filter stopped this step ({turn.finish_detail or 'blocked'}), "
        "and nothing of it was done. Please ask again in other words."
    )


def _explained(error: ModelError) -> str:
    """What a person is told; the detail stays in the log."""
    match error:
        case QuotaExhausted(daily=True):
            return (
                "The language model’s daily quota is used up, so I stopped. It works again tomorrow, or when an "
                "administrator raises the quota."
            )
        case QuotaExhausted():
            return "The language model’s quota is used up, so I stopped. Please try again later."
        case ModelUnavailable():
            return (
                "The language model cannot be reached or is overloaded right now, so I stopped. Please try again in a "
                "few minutes; buttons and /agent keep working."
            )
        case ModelMisconfigured():
            return (
                "The language model refused this installation’s key or model name, so I cannot answer. An "
                "administrator must check GEMINI_API_KEY and GEMINI_MODEL."
            )
        case _:
            return (
                "The language model refused this request, so I stopped. Please ask again in other words, or start a "
                "new thread."
            )
