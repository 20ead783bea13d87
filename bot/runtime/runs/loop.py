"""The loop: one model call of a run, and the commit of what came of it. Whatever the model said is committed before
anything of it runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

import structlog

from bot.agents.definition import ENDING_TOOL
from bot.agents.outputs.checks import OutputChecks
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import TextStreamed, TextVoided, ThoughtStreamed
from bot.domain.limits import Guard
from bot.domain.plans import Phase
from bot.domain.runs import Run, RunState
from bot.domain.states import LostRace
from bot.llm import wire
from bot.llm.model import (
    CallingMode,
    Model,
    ModelError,
    ModelRejected,
    ModelRequest,
    ModelUnavailable,
    Restarted,
    TextDelta,
    ThoughtDelta,
    ToolDeclaration,
    Turn,
    Wire,
)
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lease import Lease
from bot.runtime.core.timing import model_timed
from bot.runtime.core.transaction import Transaction
from bot.runtime.core.working_set import Content, History
from bot.runtime.limits import usage
from bot.runtime.limits.cost import CostTracker
from bot.runtime.limits.preflight import WATCHED, Preflight, PreflightFindings
from bot.runtime.limits.rate_limit import ModelThrottle
from bot.runtime.plans import rounds
from bot.runtime.policy.service import PolicyService
from bot.runtime.runs.files import FileReader, holds_files, without_files
from bot.runtime.runs.steering import take_in
from bot.runtime.runs.turns import TurnHandler
from bot.runtime.texts import to_model
from bot.store.errors import NotSaved
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from bot.tools.handover import HandedOver
from bot.tools.kit import Kit, Kits
from bot.tools.registry import Registry
from integrations.fences import Unfencing, unfenced
from integrations.ports import Clock

log = structlog.get_logger()


_STOPPED = {RunState.CANCELLED, RunState.PAUSED}


class _Told(NamedTuple):
    """What the model is told: the contents, with what a plan asks in this call behind them, and the instruction;
    `prompt` is what of that question stays.
    """

    contents: Sequence[Content]
    instruction: str
    prompt: Wire | None = None


@dataclass(slots=True)
class _Draft:
    """What the model has written of an answer while it writes."""

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLoop:
    """Asks the model and commits its answer."""

    store: Store
    clock: Clock
    bus: Bus
    model: Model
    kits: Kits
    registry: Registry
    policy_service: PolicyService
    preflight: Preflight
    costs: CostTracker
    throttle: ModelThrottle
    files: FileReader
    checks: OutputChecks
    guard: Guard = field(default_factory=Guard)

    async def step(self, run: Run, lease: Lease) -> None:
        """One model call of a planning run, and the commit of what it said; or its end at a limit."""
        await self.throttle.wait(run, self.kits.of(run).model, lease)
        async with self.store.read() as work:
            history = await self._history(work, run, lease)
            found = await self.preflight.look(work, run, history.calls)
            told = await self._told(work, run, history, lease)
        is_steered = run.stopping is None and history.is_steered
        if is_steered or not self.preflight.is_clear(run, found):
            changed = await self._prepared(run, found, lease, is_steered=is_steered)
            if changed is None:
                return
            run = changed
            async with self.store.read() as work:
                told = await self._told(work, run, await self._history(work, run, lease), lease)
        await self._step(run, found, told, lease)

    async def _step(self, run: Run, found: PreflightFindings, told: _Told, lease: Lease) -> None:
        began, draft = self.clock.now(), _Draft()
        try:
            request = await self._request(run, told, lease)
            turn = await self._ask_with_files(run, request, draft, lease)
            handed_over = await self._handed_over(run, turn)
        except ModelError as error:
            log.warning("model.failed", run=run.id, reason=str(error))
            await self._failed(run, error, lease, began, draft)
        except asyncio.CancelledError:
            await asyncio.shield(_keep_draft(run, draft.text, lease))
            raise
        else:
            await self._commit(run, turn, handed_over, lease, began, found, told.prompt, with_files=bool(request.files))

    async def _handed_over(self, run: Run, turn: Turn) -> HandedOver:
        handover = self.kits.of(run).handover
        return await handover.handed_over(turn, self.checks, most_calls=self.guard.calls) if handover else HandedOver()

    async def _prepared(self, run: Run, found: PreflightFindings, lease: Lease, *, is_steered: bool) -> Run | None:
        """Before it asks, tell it what it must know, and take in what its requester said meanwhile; not once tools are
        off, for then that is a request of its own. None where it was paused instead.
        """
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)
            current = await tx.work.runs.find(run.id)
            if current.state is not RunState.PLANNING:
                return None
            if not self.preflight.is_clear(current, found):
                passed = await self.preflight.passed(tx, current, found)
                if passed is None:
                    return None
                current = passed
            takes_in = is_steered and current.stopping is None
            return await take_in(tx, current) if takes_in else current

    async def _ask_with_files(self, run: Run, request: ModelRequest, draft: _Draft, lease: Lease) -> Turn:
        """The model's turn. If it does not accept the files, such as a damaged PDF, it is asked without them."""
        try:
            return await self._ask(run, request, draft, lease)
        except ModelRejected:
            if not holds_files(request.files):
                raise
        turn = await self._ask(run, replace(request, files=without_files(request.files)), draft, lease)
        await self.files.refused(run, request.files, lease)
        return turn

    async def _history(self, work: UnitOfWork, run: Run, lease: Lease) -> History:
        return await lease.working_set.history(work, run.id, calls=WATCHED)

    async def _told(self, work: UnitOfWork, run: Run, history: History, lease: Lease) -> _Told:
        since = to_model.held_now(await lease.working_set.deferred(work, run.id))
        instruction = f"{run.instruction}\n\n{since}" if since else run.instruction
        asked = await rounds.prompt(work, run) if run.phase and run.stopping is None else ""
        if not asked:
            return _Told(history.contents, instruction)
        contents = [*history.contents, (wire.user_text(asked), wire.NOBODY)]
        return _Told(contents, instruction, wire.user_text(rounds.kept(asked)))

    async def _request(self, run: Run, told: _Told, lease: Lease) -> ModelRequest:
        kit = self.kits.of(run)
        contents = wire.all_converted(told.contents, to=self._origin(run))
        return ModelRequest(
            model=kit.model,
            instruction=told.instruction,
            contents=contents,
            files=await self.files.told(run, wire.files_in(contents), lease),
            tools=_declared(run, kit),
            calling_mode=_calling_mode(run, kit),
            parameters=kit.parameters,
            output_schema=kit.last_word if run.stopping is not None else rounds.output_schema(run),
            output_call="" if run.stopping is not None else rounds.output_call(run),
        )

    def _origin(self, run: Run) -> wire.Origin:
        """Who makes the run's contents from now on: another transport or model refuses their signatures."""
        return wire.Origin(self.model.transport, self.kits.of(run).model)

    async def _ask(self, run: Run, request: ModelRequest, draft: _Draft, lease: Lease) -> Turn:
        """The model's turn, measured."""
        with model_timed(self.bus, run.id, request.model) as ended:
            turn = await self._listen(run, request, draft, lease)
            ended(turn.finish)
            return turn

    async def _listen(self, run: Run, request: ModelRequest, draft: _Draft, lease: Lease) -> Turn:
        """The model's turn; what it streams goes to the bus on the way. No fence that it copies gets past this."""
        said, thought, speaking = Unfencing(), Unfencing(), lease.transactions.priorities.speaking()
        async with aclosing(self.model.stream(request)) as events:
            async for event in events:
                await speaking.turn()
                match event:
                    case TextDelta(text):
                        self._say(run, draft, said.feed(text))
                    case ThoughtDelta(text):
                        self.bus.publish(ThoughtStreamed(run.id, thought.feed(text), run.root))
                    case Restarted():
                        said, thought, draft.text = Unfencing(), Unfencing(), ""
                        self.bus.publish(TextVoided(run.id, run.root))
                    case Turn():
                        self._say(run, draft, said.rest())
                        return replace(event, text=unfenced(event.text))
        raise ModelUnavailable("network", detail="the stream ended without a turn")

    def _say(self, run: Run, draft: _Draft, text: str) -> None:
        if text:
            draft.text += text
            self.bus.publish(TextStreamed(run.id, text, run.root))

    async def _failed(self, run: Run, error: ModelError, lease: Lease, began: datetime, draft: _Draft) -> None:
        """What an agent had written by then is kept; the assistant's words were taken back, and it is asked again."""
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)
            current = await tx.work.runs.find(run.id)
            if current.state is RunState.PLANNING:
                if run.task is not None:
                    await tx.work.runs.change(run.id, partial=draft.text.strip())
                await self._turns(run, tx, lease, began).failed(current, error)

    async def _commit(
        self,
        run: Run,
        turn: Turn,
        handed_over: HandedOver,
        lease: Lease,
        began: datetime,
        found: PreflightFindings,
        prompt: Wire | None,
        *,
        with_files: bool,
    ) -> None:
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)  # what is said from now on finds the run as it is left here
            current = await tx.work.runs.find(run.id)
            if current.state is not RunState.PLANNING:
                log.info("turn.dropped", run=run.id, state=current.state.value)
                await self.costs.count(tx, current, turn, asked=self._origin(run).model, steps=0)
                await _keep(tx, current, turn.text)
                return
            handler = self._turns(
                run,
                tx,
                lease,
                began,
                earlier=found.calls,
                with_files=with_files,
                handed_over=handed_over,
                prompt=prompt,
            )
            await handler.take(current, turn)

    def _turns(
        self,
        run: Run,
        tx: Transaction,
        lease: Lease,
        began: datetime,
        *,
        earlier: Sequence[str] = (),
        with_files: bool = False,
        handed_over: HandedOver | None = None,
        prompt: Wire | None = None,
    ) -> TurnHandler:
        return TurnHandler(
            tx=tx,
            lease=lease,
            kit=self.kits.of(run),
            registry=self.registry,
            policy_service=self.policy_service,
            guard=replace(self.guard, calls=1) if run.phase is Phase.ACT else self.guard,
            costs=self.costs,
            made_by=self._origin(run),
            began=began,
            earlier=earlier,
            with_files=with_files,
            handed_over=handed_over or HandedOver(),
            prompt=prompt,
        )


def _declared(run: Run, kit: Kit) -> Sequence[ToolDeclaration]:
    """The tools of the kit. The run of a task is not ended by a call."""
    if run.phase is None:
        return kit.declarations
    return [tool for tool in kit.declarations if tool.name != ENDING_TOOL]


def _calling_mode(run: Run, kit: Kit) -> CallingMode:
    """As the phase of a plan says. An agent that answered without handing its result over, or whose calls were invalid,
    has to call, and so has a planner that proposed nothing.
    """
    if run.stopping is not None:
        return CallingMode.NONE
    if (mode := rounds.calling_mode(run)) is not None:
        return mode
    failed = run.retries > 0 or usage.REMINDED in run.hinted
    has_to = run.phase is Phase.PROPOSE or (kit.handover is not None and not kit.handover.takes_text)
    must_call = has_to and failed
    return CallingMode.ANY if must_call else CallingMode.AUTO


async def _keep_draft(run: Run, text: str, lease: Lease) -> None:
    """Keep it if the run was stopped; when it was only let go of, the call is made again. Best effort."""
    if text.strip():
        with suppress(NotSaved, LostRace):
            async with lease.write() as tx:
                await _keep(tx, await tx.work.runs.find(run.id), text)


async def _keep(tx: Transaction, run: Run, text: str) -> None:
    """Keep what was written with a run that was stopped meanwhile; the answer is shown anew with it."""
    if run.state in _STOPPED and text.strip():
        await tx.work.runs.change(run.id, partial=text.strip())
        if not run.is_child:
            await tx.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)
