"""Settling what ended in doubt: ask the provider, else ask the owner. Nothing is repeated before it is known."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.domain.actions import Action, ActionState
from bot.domain.questions import QuestionKind
from bot.domain.runs import Run
from bot.runtime import limits, words
from bot.runtime.claims import deadline
from bot.runtime.judging import question_about
from bot.runtime.leases import Lease
from bot.runtime.requesters import Requesters
from bot.runtime.results import record_result, rewrite_card
from bot.runtime.transitions import Transitions
from bot.tools.registry import AnyTool, Registry
from integrations.base import Clock, Done, NotDone, Reconciled, Unknown
from integrations.errors import IntegrationError, ToolError
from policies.types import EffectClass

log = structlog.get_logger()

PAUSES = (1.0, 3.0)  # seconds between attempts to ask the provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Settler:
    """Brings a doubtful attempt to a known end."""

    clock: Clock
    registry: Registry
    requesters: Requesters
    pauses: Sequence[float] = PAUSES

    async def doubt(self, action: Action, run: Run, lease: Lease) -> None:
        """After an attempt of unknown outcome, and after a crash in the middle of one."""
        tool = self.registry[action.tool]
        if action.effect in {EffectClass.READ, EffectClass.OWN}:
            await self._repeat(action, tool, lease)
            return
        await self._await_deadline(action)
        found = await self._ask_provider(tool, action, run, lease)
        match found:
            case Done(result):
                async with lease.write() as moves:
                    await moves.lock(action.step_id)
                    await record_result(moves, action, result, code="action.reconciled")
                    await moves.after(action.step_id)
            case NotDone():
                await self._not_done(action, lease)
            case Unknown():
                await self._ask_owner(action, found, lease)

    async def _await_deadline(self, action: Action) -> None:
        """Nobody reconciles an effect or asks about it before its deadline: until then it may still be under way."""
        if action.deadline_at is not None:
            await asyncio.sleep(max(0.0, (action.deadline_at - self.clock.now()).total_seconds()))

    async def _repeat(self, action: Action, tool: AnyTool, lease: Lease) -> None:
        """Reads and our own keyed writes are safe to repeat."""
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            run = await moves.work.runs.find(action.run_id)
            if action.attempt >= limits.MAX_ATTEMPTS or run.cancel_requested:
                told = words.error("timeout", "It did not answer in time.", retryable=True)
                await moves.ended(
                    action,
                    ActionState.FAILED,
                    code="action.failed",
                    response=told,
                    summary="It did not answer in time.",
                )
            else:
                again = await moves.action(
                    action,
                    ActionState.EXECUTING,
                    code="action.repeated",
                    attempt=action.attempt + 1,
                    deadline_at=deadline(moves.now, tool),
                )
                moves.work.after_commit(lambda: lease.claims.add(f"{again.id}:{again.attempt}"))
            await moves.after(action.step_id)

    async def _ask_provider(self, tool: AnyTool, action: Action, run: Run, lease: Lease) -> Reconciled:
        if not tool.can_reconcile:
            return Unknown()
        args = tool.args.model_validate_json(action.args)

        async def note(value: object) -> None:
            raise NotImplementedError("reconciling notes nothing")

        async with self.requesters.store.read() as work:
            current = await work.actions.find(action.id)
        call = await self.requesters.call(current, run, note, deadline=deadline(self.clock.now(), tool))
        for pause in (*self.pauses, None):
            try:
                async with asyncio.timeout(tool.timeout_seconds):
                    return await tool.reconcile(args, call)
            except (IntegrationError, TimeoutError) as error:
                log.warning("reconcile.failed", action=action.id, reason=type(error).__name__)
                if pause is None or isinstance(error, ToolError):
                    return Unknown()
                await asyncio.sleep(pause)
        return Unknown()

    async def _not_done(self, action: Action, lease: Lease) -> None:
        """Certainly not done: it may begin again, a bounded number of times."""
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            current = await moves.work.actions.find(action.id)
            if current.attempt >= limits.MAX_ATTEMPTS:
                told = words.error(
                    "not_done", "It was tried several times and certainly did not happen.", retryable=True
                )
                await moves.ended(
                    current, ActionState.FAILED, code="action.failed", response=told, summary=_NEVER, doubt=False
                )
                await rewrite_card(moves, current)
            else:
                await moves.action(current, ActionState.APPROVED, code="action.not_done", doubt=False)
            await moves.after(action.step_id)

    async def _ask_owner(self, action: Action, found: Unknown, lease: Lease) -> None:
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            current = await moves.work.actions.find(action.id)
            await self._unknown(moves, current, found)
            await moves.after(action.step_id)

    async def _unknown(self, moves: Transitions, action: Action, found: Unknown) -> None:
        unknown = await moves.action(
            action,
            ActionState.UNKNOWN,
            code="action.unknown",
            doubt=True,
            response=words.outcome_unknown(found.where),
            link=found.link,
            summary=found.where,
        )
        question = question_about(
            unknown, QuestionKind.SETTLE, unknown.args_hash, moves, where=found.where, link=found.link or ""
        )
        await moves.ask(question)


_NEVER = "It was tried several times and certainly did not happen."
