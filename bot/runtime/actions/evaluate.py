"""Evaluates actions that need a look outside: the preview without a session, then one commit with the verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import structlog

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, may_act, may_ask, same_account
from bot.domain.events import ActionMoved, Event
from bot.domain.questions import ApprovePayload
from bot.domain.runs import Mode, Run
from bot.runtime.actions.asking import plan_questions, tool_questions
from bot.runtime.actions.asking.connect_questions import ask_to_connect
from bot.runtime.actions.claim import ApprovalBasis, Claims
from bot.runtime.actions.deadlines import check_moment
from bot.runtime.actions.defer import named_time
from bot.runtime.actions.previews import compared, preview_of
from bot.runtime.actions.rejections import other_account, standing, supersede
from bot.runtime.actions.results import record_failure
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, rewrite_card
from bot.runtime.lifecycle.privacy import post_stub
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import ask_question, new_question
from bot.runtime.people.requesters import Requesters
from bot.runtime.policy import tries
from bot.runtime.policy.tracer import Tracer
from bot.tools.arguments import stored
from bot.tools.plans import PROPOSE_PLAN
from integrations.addresses import script_warnings
from integrations.base import AnyTool, Field, Preview, ToolContext, ToolQuestion
from integrations.errors import Ambiguous, BasisChanged, NotConnected, ToolError, ToolFailed
from integrations.text import hidden_warnings
from policies.guards.impacts import heard_of
from policies.guards.rules import is_allowed
from policies.provenance import WORST_INSIDE, Impact, Provenance
from policies.types import EffectClass, Role

log = structlog.get_logger()

Seen = TypeVar("Seen")

_NOT_PREVIEWED = "What this would do could not be looked up, so it was not done."

IN_TURN_SECONDS = 2.0
"""How long a card waits for those that were called before it."""

READS_SECONDS = 30.0
"""How long a call waits for looks of the same step that are under way, where it counts what they read."""

LOOK_SECONDS = 60.0
"""How long a tool may look up what a call would do. Nothing has begun by then: this is no part of an attempt's time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionEvaluator:
    """Brings planned actions to a claim, a question or a refusal. A tool may say how long its own questions live.

    Where an account is missing, its owner is asked to connect it if that is offered here (`connects`).
    """

    claims: Claims
    requesters: Requesters
    tracer: Tracer
    connects: bool = False
    in_turn_seconds: float = IN_TURN_SECONDS
    reads_seconds: float = READS_SECONDS
    look_seconds: float = LOOK_SECONDS

    async def evaluate(
        self, action: Action, run: Run, lease: Lease, *, after: Sequence[asyncio.Task[None]] = ()
    ) -> None:
        """Preview, evidence, verdict; one commit. The jobs `after` which it was proposed commit first, for cards come
        in the order of the calls; slow ones are not waited for, and nothing but the order depends on it.
        """
        if not await self.claims.prepared(action):
            return
        if action.tool == PROPOSE_PLAN:
            await self._ask_plan(action, lease)
            return
        context = await self.requesters.context(action, run, lease.working_set)
        try:
            inquiry = await self._inquire(action, context)
            preview = None if inquiry else await self._preview(action, context)
            moment = named_time(self.claims.registry[action.tool], action, run, context)
            not_before = await check_moment(self.claims.store, run, moment, context.requester.zone)
            provenance = await self._traced(action, run, preview, context) if preview else None
        except ToolError as error:
            await self._fail(action, error, lease)
            return
        if after:
            await asyncio.wait(after, timeout=self.in_turn_seconds)
        if provenance is not None and provenance.depends_on_label and run.label.worst(WORST_INSIDE) is WORST_INSIDE:
            await self._reads_over(action, lease.transactions.bus)
        async with lease.write() as tx, step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            if current.state is not ActionState.PLANNED:
                return
            if inquiry:
                await self._ask_owner(tx, current, inquiry)
            elif preview:
                await self._resolve(tx, current, preview, provenance, lease, not_before)

    async def _reads_over(self, action: Action, bus: Bus) -> None:
        """Wait for the looks of the same step. What has not come in time counts as if it were from outside."""
        with suppress(TimeoutError):
            async with bus.subscribe() as events, asyncio.timeout(self.reads_seconds):
                while await self._are_under_way(action):
                    while not _is_of(action.run_id, await events.get()):
                        pass

    async def _are_under_way(self, action: Action) -> bool:
        """Whether one of them goes on by itself: no person is asked, and no agent works on it."""
        async with self.claims.store.read() as work:
            beside = await work.actions.of_step(action.step_id)
        return any(one.state in _GOES_ON and one.child is None for one in beside if not one.is_side_effect)

    async def _ask_plan(self, action: Action, lease: Lease) -> None:
        """Its preview is made from rows alone."""
        agents = self.claims.kits.assistant.tools
        async with lease.write() as tx, step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            tx.step_changed(action.step_id)
            run = await tx.work.runs.find(action.run_id)
            if current.state is ActionState.PLANNED and may_act(Standing.of(run)):
                await plan_questions.ask(tx, current, self.claims.registry, agents)

    async def _preview(self, action: Action, context: ToolContext) -> Preview:
        """What the card would show; a read that is asked about has none of its own."""
        if not action.is_side_effect:
            return Preview(title="Look this up?", fields=[Field(label="What", value=action.caption)])
        tool = self.claims.registry[action.tool]
        args = stored(tool, action.args)
        preview = await self._looked(action, tool, tool.preview(args, context))
        reached = [*(field.value for field in preview.fields if field.destination), *(preview.reached or ())]
        hidden = hidden_warnings(args.model_dump(mode="json"))
        return replace(preview, warnings=[*script_warnings(reached), *preview.warnings, *hidden])

    async def _traced(self, action: Action, run: Run, preview: Preview, context: ToolContext) -> Provenance | None:
        """Who named what it would touch; None where that is not known, or somebody is asked in any case."""
        evidence = await self.claims.goes_unasked(action, _grounds(preview, None))
        if evidence is None:
            return None
        call = self.claims.proposed(action, run)
        impact = Impact(links=call.addresses_asked)
        if action.is_side_effect:
            impact = await self._impact(action, preview, context)
        if impact is None:
            return None
        return await self.tracer.traced(
            action,
            run,
            impact,
            context.requester,
            allowed=lambda address: is_allowed(address, Role.DESTINATION, call, evidence),
        )

    async def _impact(self, action: Action, preview: Preview, context: ToolContext) -> Impact | None:
        """What it would do, and what else may be called as what it changes; None where that cannot be told."""
        tool = self.claims.registry[action.tool]
        try:
            args = stored(tool, action.args)
            impact = (await self._looked(action, tool, tool.with_rivals(args, context, preview))).impact
        except ToolError as error:
            log.warning("impact.unknown", action=action.id, tool=tool.name, why=error.code)
            return None
        if impact is not None and tool.effect is not EffectClass.PRIVATE_WRITE and impact.tells_nothing():
            log.warning("impact.unknown", action=action.id, tool=tool.name, why="nothing_named")
            return None
        return impact

    async def _inquire(self, action: Action, context: ToolContext) -> ToolQuestion | None:
        """The tool's question to the owner; nothing is looked up for it that policy does not allow unasked."""
        tool = self.claims.registry[action.tool]
        if not tool.asks or not await self.claims.allows(action):
            return None
        return await self._looked(action, tool, tool.inquire(stored(tool, action.args), context))

    async def _looked(self, action: Action, tool: AnyTool, look: Awaitable[Seen]) -> Seen:
        """What a tool finds out before it acts; raises `ToolError`."""
        try:
            async with asyncio.timeout(self.look_seconds):
                return await look
        except (TimeoutError, Ambiguous, BasisChanged) as error:
            raise ToolFailed("preview_unavailable", _NOT_PREVIEWED, hint="try again later") from error
        except ToolError:
            raise
        except Exception as error:  # a defect of one tool must not take the run's other actions with it
            log.exception("preview.crashed", action=action.id, tool=tool.name)
            raise ToolFailed("internal", _NOT_PREVIEWED) from error

    async def _ask_owner(self, tx: Transaction, action: Action, inquiry: ToolQuestion) -> None:
        judged = await self.claims.admits(tx, action)
        if judged is None:
            return
        if may_ask(await standing(tx, await tx.work.runs.find(action.run_id))):
            await tool_questions.ask(tx, action, self.claims.registry[action.tool], inquiry, judged)
        else:
            await supersede(tx, action.id, by=action.user)

    async def _fail(self, action: Action, error: ToolError, lease: Lease) -> None:
        async with lease.write() as tx, step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            if current.state is not ActionState.PLANNED:
                return
            if not isinstance(error, NotConnected) or not self.connects:
                await record_failure(tx, current, error, code=AuditCode.ACTION_PREVIEW_FAILED)
            elif may_act(Standing.of(await tx.work.runs.find(action.run_id))):  # else it is looked at again, if ever
                await ask_to_connect(tx, current, error)
            tx.step_changed(action.step_id)

    async def _resolve(
        self,
        tx: Transaction,
        action: Action,
        preview: Preview,
        provenance: Provenance | None,
        lease: Lease,
        not_before: datetime | None,
    ) -> None:
        if not same_account(action.account, preview.account):
            await rewrite_card(tx, await other_account(tx, action))
            return
        grounds = _grounds(preview, provenance)
        if action.preview is not None:
            preview = compared(preview, preview_of(action))
        run = await tx.work.runs.find(action.run_id)
        if done := await tries.done_before(tx.work, run, action, preview.reached):
            preview = replace(preview, warnings=[tries.warning(done), *preview.warnings])
        shown: dict[str, Any] = {
            "preview": asdict(replace(preview, impact=None)),
            "basis": dict(preview.basis),
            "account": preview.account,
        }
        uncovered = await self.claims.claim(tx, action, grounds, lease, not_before=not_before, **shown)
        if uncovered is None:
            return
        if may_ask(await standing(tx, await tx.work.runs.find(action.run_id))):
            asked = await move_action(
                tx, action, ActionState.AWAITING, code=AuditCode.ACTION_ASKED, **uncovered.judged, **shown
            )
            await tx.work.runs.change(action.run_id, mode=Mode.APPROVAL)
            if preview.private:
                await post_stub(tx, await tx.work.runs.find(action.run_id))
            life = self.claims.registry[action.tool].question_life
            question = new_question(asked, ApprovePayload(title=preview.title), uncovered.bound, tx, life=life)
            await ask_question(tx, replace(question, deciders=uncovered.deciders))
        else:
            await supersede(tx, action.id, by=action.user)


def _grounds(preview: Preview, provenance: Provenance | None) -> ApprovalBasis:
    impact = preview.impact or Impact()
    return ApprovalBasis(
        recipients=preview.reached,
        provenance=provenance,
        basis=preview.basis,
        account=preview.account,
        met=impact.met,
        heard=heard_of(impact, preview.places),
    )


_GOES_ON = frozenset({ActionState.PLANNED, ActionState.APPROVED, ActionState.EXECUTING})


def _is_of(run_id: str, event: Event) -> bool:
    return isinstance(event, ActionMoved) and event.run_id == run_id
