"""Settles attempts in doubt: ask the provider, else ask the owner. Nothing is repeated before it is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import attempts_left, is_repeatable, nothing_on_its_way
from bot.domain.questions import SettlePayload
from bot.domain.runs import Run
from bot.domain.states import LostRace
from bot.runtime.actions.claim import Claims, claim_of, deadline, stored_hash
from bot.runtime.actions.late_results import LateResult, take_late
from bot.runtime.actions.results import record_error, record_result
from bot.runtime.core.lease import DEADLINE_SECONDS, Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, rewrite_card
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import ask_question, new_question
from bot.runtime.people.requesters import Requesters
from bot.runtime.texts import to_model, to_people
from bot.store.errors import NotSaved
from bot.store.unit_of_work import UnitOfWork
from bot.tools.arguments import stored
from integrations.base import Done, NotDone, Reconciled, Result, Unknown
from integrations.errors import IntegrationError, ToolError
from policies.types import EffectClass

log = structlog.get_logger()

PAUSES = (1.0, 3.0)  # seconds between attempts to ask the provider
_SAVES = 20  # so often an outcome is saved again where nothing is: a minute, as a server takes to come back
_TELLS = 100  # so often a late word is told: five minutes, longer than any deadline and asking the provider thrice


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciler:
    """Brings a doubtful attempt to a known end. The next worker begins again whatever breaks off here."""

    claims: Claims
    requesters: Requesters
    pauses: Sequence[float] = PAUSES
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def doubt(self, action: Action, run: Run, lease: Lease, *, sent: bool = True) -> None:
        """After an attempt of unknown outcome, and after a crash in the middle of one. `sent`: this attempt, or one
        before it that is in doubt, may have sent something.
        """
        if is_repeatable(action.effect) and await self._repeat(action, lease):
            return
        action = await self._say_doubt(action, lease)
        await self._await_deadline(action)
        match await self._ask_provider(action, run):
            case Done(result):
                await self.completed(action, result, lease, code=AuditCode.ACTION_RECONCILED)
            case NotDone() as found:
                over = found.final or not sent or run.is_of_copy  # what an older database began is long over
                await self._not_done(action, replace(found, final=over), lease)
            case Unknown() as found:
                async with lease.write() as tx, step_locked(tx, action.step_id):
                    await self.ask_owner(tx, await tx.work.actions.find(action.id), found)

    async def _say_doubt(self, action: Action, lease: Lease) -> Action:
        """The card says that this was cut off and what is awaited, instead of “working on it”. Whoever takes the same
        attempt up after that has nothing to add.
        """
        async with lease.write() as tx, step_locked(tx, action.step_id):
            if action.doubt and await _was_logged(tx.work, action, AuditCode.ACTION_IN_DOUBT, attempt=action.attempt):
                return action
            cut_off = await move_action(tx, action, ActionState.EXECUTING, code=AuditCode.ACTION_IN_DOUBT, doubt=True)
            await rewrite_card(tx, cut_off)
        return cut_off

    async def _await_deadline(self, action: Action) -> None:
        """Nobody reconciles an effect or asks about it before its deadline: until then it may still be under way.

        The wait is never longer than the tool may take, even when the clock was set back since the deadline was set.
        """
        if action.deadline_at is not None:
            left = (action.deadline_at - self.claims.clock.now()).total_seconds()
            tool = self.claims.registry.find(action.tool)
            most = min(tool.timeout_seconds, DEADLINE_SECONDS) if tool else DEADLINE_SECONDS
            await self.sleep(max(0.0, min(left, most)))

    async def completed(
        self, action: Action, result: Result, lease: Lease, *, code: AuditCode = AuditCode.ACTION_COMPLETED
    ) -> None:
        """Record that it happened: the result, what it showed, and who may see it."""
        await self.saved(action, lambda: self._completed(action, result, lease, code), lease)

    async def saved(self, action: Action, save: Callable[[], Awaitable[None]], lease: Lease) -> None:
        """Save the outcome of an attempt. While nothing can be saved that is tried again: what is known here need not
        be found out from anybody. Raises `NotSaved` in the end.
        """
        for left in reversed(range(_SAVES)):
            try:
                return await save()
            except NotSaved:
                if not left or lease.transactions.dispatcher.closing:
                    raise
                log.warning("outcome.not_saved", action=action.id)
                await self.sleep(self.pauses[-1])

    async def _completed(self, action: Action, result: Result, lease: Lease, code: AuditCode) -> None:
        """Without the lease the outcome counts where its owner is asked. It is told again for as long as somebody may
        still find out that the owner must be asked.
        """
        try:
            async with lease.write() as tx, step_locked(tx, action.step_id):
                await record_result(tx, action, result, code=code)
        except LostRace:
            if not await self._told_late(action, result, lease):
                raise

    async def _told_late(self, action: Action, result: Result, lease: Lease) -> bool:
        """Hand over a result that came after the lease was lost; whether it counted. It is handed over again while the
        new holder of the lease waits or asks the provider. No row keeps it: if this process ends, the owner is asked.
        """
        late = await take_late(lease.transactions, action, result)
        for _ in range(_TELLS):
            if late is not LateResult.NOT_YET:
                break
            await self.sleep(self.pauses[-1])
            late = await take_late(lease.transactions, action, result)
        return late is LateResult.TAKEN

    async def _repeat(self, action: Action, lease: Lease) -> bool:
        """Reads and our own keyed writes are safe to repeat, under every condition of a claim. Where one fails a read
        has failed; of a write it is not known whether it happened: False.
        """
        async with lease.write() as tx, step_locked(tx, action.step_id):
            if await self.claims.may_repeat(tx, action):
                await self._again(tx, action, lease)
            elif action.effect is EffectClass.READ:
                await record_error(tx, action, "timeout", to_people.NO_ANSWER)
            else:
                return False
            return True

    async def _again(self, tx: Transaction, action: Action, lease: Lease) -> None:
        """One attempt more, while it is not known what became of the one before."""
        again = await move_action(
            tx,
            action,
            ActionState.EXECUTING,
            code=AuditCode.ACTION_REPEATED,
            attempt=action.attempt + 1,
            doubt=action.effect is not EffectClass.READ,
            deadline_at=deadline(tx.now, self.claims.registry[action.tool]),
        )
        tx.work.after_commit(lambda: lease.claims.add(claim_of(again)))

    async def _ask_provider(self, action: Action, run: Run) -> Reconciled:
        tool = self.claims.registry.find(action.tool)
        if tool is None or not tool.can_reconcile:
            return Unknown()
        for pause in (*self.pauses, None):
            try:
                async with asyncio.timeout(tool.timeout_seconds):
                    return await self._reconcile(action, run)
            except (IntegrationError, TimeoutError) as error:
                log.warning("reconcile.failed", action=action.id, reason=type(error).__name__)
                if pause is None or isinstance(error, ToolError):
                    break
                await self.sleep(pause)
        return self._unknown(action)

    async def _reconcile(self, action: Action, run: Run) -> Reconciled:
        tool = self.claims.registry[action.tool]
        async with self.claims.store.read() as work:
            current = await work.actions.find(action.id)
        call = await self.requesters.call(current, run, _note_nothing, deadline=deadline(self.claims.clock.now(), tool))
        return await tool.reconcile(stored(tool, action.args), call)

    async def _not_done(self, action: Action, found: NotDone, lease: Lease) -> None:
        """Not done so far: it may begin again, a bounded number of times. It stays in doubt while the provider may
        still act on what was sent; where no attempt is left, its owner is asked.
        """
        certain = nothing_on_its_way(found.final)
        async with lease.write() as tx, step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            if attempts_left(current.attempt, self.claims.max_attempts):
                code = AuditCode.ACTION_NOT_DONE
                await move_action(tx, current, ActionState.APPROVED, code=code, doubt=not certain, summary=found.left)
            elif certain:
                why = f"{to_people.NEVER_HAPPENED} {found.left}".strip()
                await record_error(tx, current, "not_done", why, doubt=False)
            else:
                await self.ask_owner(tx, current, self._unknown(current))

    def _unknown(self, action: Action) -> Unknown:
        """Where its owner can look, as its tool says it."""
        tool = self.claims.registry.find(action.tool)
        return tool.unknown(stored(tool, action.args)) if tool is not None else Unknown()

    async def ask_owner(self, tx: Transaction, action: Action, found: Unknown | None = None) -> None:
        """executing → unknown, and its owner is asked what happened, unless its run ended with the old database."""
        where, link = (found.where, found.link) if found else ("", None)
        is_of_copy = (await tx.work.runs.find(action.run_id)).is_of_copy
        told = to_model.outcome_unknown(where)
        unknown = await move_action(
            tx,
            action,
            ActionState.UNKNOWN,
            code=AuditCode.ACTION_UNKNOWN,
            doubt=True,
            response=told,
            link=link,
            summary=where,
        )
        if is_of_copy:
            await rewrite_card(tx, unknown)
            return
        question = new_question(unknown, SettlePayload(where=where, link=link or ""), stored_hash(unknown), tx)
        await rewrite_card(tx, unknown)
        await ask_question(tx, question)

    async def give_up(self, action_id: str, lease: Lease) -> None:
        """A defect of ours: no state is without a way out. An effect that was claimed is its owner's to settle."""
        async with self.claims.store.read() as work:
            action = await work.actions.find(action_id)
        if action.state is ActionState.EXECUTING and not is_repeatable(action.effect):
            await self._await_deadline(action)
        async with lease.write() as tx, step_locked(tx, action.step_id):
            action = await tx.work.actions.find(action_id)
            match action.state:
                case ActionState.EXECUTING if not is_repeatable(action.effect):
                    await self.ask_owner(tx, action)
                case ActionState.APPROVED:
                    planned = await move_action(tx, action, ActionState.PLANNED, code=AuditCode.ACTION_JUDGED_AGAIN)
                    await record_error(tx, planned, "internal", to_people.BROKEN, retryable=False)
                case ActionState.PLANNED | ActionState.EXECUTING:
                    await record_error(tx, action, "internal", to_people.BROKEN, retryable=False)
                case _:
                    return


async def _note_nothing(value: Mapping[str, object]) -> None:
    raise NotImplementedError("reconciling notes nothing")


async def is_wanted_in_doubt(work: UnitOfWork, action: Action) -> bool:
    """Whether its owner said to make the present attempt although an earlier one is in doubt. One that is only made
    again because the provider had not acted so far is none of these.
    """
    return await _was_logged(work, action, AuditCode.ACTION_TRY_AGAIN, attempt=action.attempt - 1)


async def _was_logged(work: UnitOfWork, action: Action, code: AuditCode, *, attempt: int) -> bool:
    """Whether the log has this of that attempt of the action, where no column does."""
    entries = [json.loads(body)["details"] for body in await work.audit.told(action.run_id, code)]
    return any((told["action"], told["attempt"]) == (action.id, attempt) for told in entries)
