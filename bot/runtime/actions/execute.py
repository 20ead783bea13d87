"""Acting: claim what was approved, execute what was claimed, record the outcome (docs/states.md §2, §4).

The claim with its intent is committed before the effect, the outcome after it. The `Reconciler` takes over what breaks
off in between. What an attempt finds out before it changes anything is looked up while it is claimed, which does not
depend on it: that is compared with what was approved when the attempt begins, as if it had been looked up then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.domain.actions import LONGEST_REST, Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import (
    Standing,
    attempts_left,
    is_certain,
    is_repeatable,
    may_act,
    same_account,
)
from bot.domain.runs import Run
from bot.domain.states import LostRace
from bot.runtime.actions.asking.connect_questions import ask_to_connect
from bot.runtime.actions.claim import Claims, basis_of
from bot.runtime.actions.defer import named_time
from bot.runtime.actions.reconcile import Reconciler, is_wanted_in_doubt
from bot.runtime.actions.results import record_error, record_failure
from bot.runtime.core.lease import Attempt, Lease, LookAhead
from bot.runtime.core.timing import tool_timed
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, rewrite_card
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.people.requesters import Requesters
from bot.runtime.texts import to_people
from bot.tools.arguments import stored
from integrations.base import AnyTool, ToolContext
from integrations.errors import Ambiguous, BasisChanged, Busy, NotConnected, TooLate, ToolError
from integrations.grants import GoogleGrant, GoogleGrants

log = structlog.get_logger()

FRESH_SECONDS = 1.0
"""For so long what was looked up ahead of an attempt counts, from when that began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionExecutor:
    """Runs approved and claimed actions. Where an account is missing, its owner is asked to connect it if that is
    offered here (`connects`); else they fail. With `grants` that is noticed before an effect is claimed. What a tool
    found out ahead counts for `fresh_seconds`.
    """

    claims: Claims
    requesters: Requesters
    reconciler: Reconciler
    connects: bool = False
    grants: GoogleGrants | None = None
    fresh_seconds: float = FRESH_SECONDS

    async def claim(self, action: Action, run: Run, lease: Lease) -> None:
        """approved → executing, evaluated again and never milder; or back to be evaluated, refused, or deferred."""
        if not await self.claims.prepared(action):
            return
        context = await self.requesters.context(action, run, lease.working_set)
        try:
            not_before = named_time(self.claims.registry[action.tool], action, run, context)
        except ToolError:  # its time has passed: evaluating it again refuses it, with the tool's words
            await self._judge_again(action, lease)
            return
        lack, grant = await self._account(action, context)
        if grant is not None and not same_account(action.account, grant.account):  # evaluating it again refuses it
            await self._judge_again(action, lease)
            return
        if grant is not None and not_before is None:
            await self._look_ahead(action, self.claims.registry[action.tool], context, grant, lease)
        try:
            await self._claim(action, lease, lack, not_before)
        finally:
            if not any(claim.startswith(f"{action.id}:") for claim in lease.claims):
                await self._found_ahead(action, lease, wanted=False)

    async def _claim(
        self, action: Action, lease: Lease, lack: NotConnected | None, not_before: datetime | None
    ) -> None:
        async with lease.write() as tx, step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            if current.state is not ActionState.APPROVED:
                return
            if lack is not None and await self._asked_to_connect(tx, current, lack):
                return
            uncovered = await self.claims.claim(tx, current, basis_of(current), lease, not_before=not_before)
            if uncovered is not None:
                await move_action(
                    tx, current, ActionState.PLANNED, code=AuditCode.ACTION_JUDGED_AGAIN, **uncovered.judged
                )

    async def _account(self, action: Action, context: ToolContext) -> tuple[NotConnected | None, GoogleGrant | None]:
        """What its account lacks, else the way to it, as far as that is known before it is used."""
        tool = self.claims.registry[action.tool]
        if self.grants is None or tool.provider is None or not action.is_side_effect:
            return None, None
        try:
            return None, await self.grants.grant(context.requester, tool.scopes)
        except NotConnected as lack:
            return lack, None
        except ToolError:  # it may be over until it is used; if not, that is said then
            return None, None

    async def _asked_to_connect(self, tx: Transaction, action: Action, lack: NotConnected) -> bool:
        """approved → awaiting_confirmation, where that is offered and its run still wants it."""
        if not self.connects or not may_act(Standing.of(await tx.work.runs.find(action.run_id))):
            return False
        await ask_to_connect(tx, action, lack)
        await rewrite_card(tx, action)
        return True

    async def _judge_again(self, action: Action, lease: Lease) -> None:
        async with lease.write() as tx, step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            if current.state is ActionState.APPROVED:
                await move_action(tx, current, ActionState.PLANNED, code=AuditCode.ACTION_JUDGED_AGAIN)

    async def execute(self, action: Action, run: Run, lease: Lease) -> None:
        """One claimed attempt and the commit of its outcome."""
        tool = self.claims.registry[action.tool]
        args = stored(tool, action.args)

        async def note(value: Mapping[str, object]) -> None:
            async with lease.write() as tx:
                await tx.work.actions.note(action.id, action.attempt, value)

        attempt = self._attempt(action, tool.timeout_seconds)
        call = await self.requesters.call(
            action,
            run,
            note,
            deadline=attempt.until,
            doubt=action.doubt and await self._is_wanted_in_doubt(action),
            working_set=lease.working_set,
            moved_on=lambda: attempt.until,
        )
        try:
            async with asyncio.timeout(tool.timeout_seconds):
                with tool_timed(lease.transactions.bus, action), lease.making(attempt):
                    result = await tool.execute(args, replace(call, ahead=await self._found_ahead(action, lease)))
        except ToolError as error:
            if isinstance(error, TooLate) and tool.can_reconcile:
                await self.reconciler.doubt(action, run, lease, sent=not is_certain(action.doubt))
            else:
                known = partial(self._failed, action, error, lease)
                await asyncio.shield(self.reconciler.saved(action, known, lease))
        except BasisChanged:
            await asyncio.shield(self.reconciler.saved(action, partial(self._again, action, lease), lease))
        except (Ambiguous, TimeoutError):
            await self.reconciler.doubt(action, run, lease)
        except LostRace:  # of its note: somebody else finds out what became of it
            raise
        except Exception:  # whatever a tool's defect was, the attempt may have had its effect
            log.exception("action.crashed", action=action.id, tool=tool.name)
            await self.reconciler.doubt(action, run, lease)
        else:
            await asyncio.shield(self.reconciler.completed(action, result, lease))

    async def _is_wanted_in_doubt(self, action: Action) -> bool:
        async with self.claims.store.read() as work:
            return await is_wanted_in_doubt(work, action)

    def _attempt(self, action: Action, seconds: float) -> Attempt:
        now = self.claims.clock.now()
        end = now + timedelta(seconds=seconds)
        return Attempt(action_id=action.id, number=action.attempt, until=action.deadline_at or now, end=end)

    async def _failed(self, action: Action, error: ToolError, lease: Lease) -> None:
        async with lease.write() as tx, step_locked(tx, action.step_id):
            if isinstance(error, Busy) and self._tries_again(action):
                await _let_rest(tx, action, error)
            elif not self.connects or not isinstance(error, NotConnected):
                await record_failure(tx, action, error, code=AuditCode.ACTION_FAILED)
            elif is_certain(action.doubt) or is_repeatable(action.effect):
                # neither this attempt nor one before it was done
                await ask_to_connect(tx, action, error)
                await rewrite_card(tx, action)
            else:
                await self.reconciler.ask_owner(tx, action)

    def _tries_again(self, action: Action) -> bool:
        """An effect that another attempt does not double: none before was done, or the provider knows it by its key. A
        read's answer is that it failed.
        """
        safe = is_certain(action.doubt) or self.claims.registry[action.tool].can_reconcile
        return action.is_side_effect and safe and attempts_left(action.attempt, self.claims.max_attempts)

    async def _again(self, action: Action, lease: Lease) -> None:
        """The world changed since the preview: evaluate again, and a new card shows what it would do now.

        With an earlier attempt in doubt that attempt may have changed the world, so its owner is asked.
        """
        async with lease.write() as tx, step_locked(tx, action.step_id):
            if not is_certain(action.doubt):
                await self.reconciler.ask_owner(tx, action)
            elif not attempts_left(action.attempt, self.claims.max_attempts):
                left = action.summary  # what an attempt before this one may have left behind
                await record_error(tx, action, "changed", f"{to_people.KEEPS_CHANGING} {left}".strip())
            else:
                await move_action(tx, action, ActionState.PLANNED, code=AuditCode.ACTION_BASIS_CHANGED)

    async def _look_ahead(
        self, action: Action, tool: AnyTool, context: ToolContext, grant: GoogleGrant, lease: Lease
    ) -> None:
        """For the first attempt, with the account that was approved; a later one finds out what the first left."""
        if not tool.looks_ahead or action.attempt > 0:
            return
        look = asyncio.create_task(self._looked(action, tool, context, grant), name=f"look ahead for {action.id}")
        lease.looks[action.id] = LookAhead(task=look, since=asyncio.get_running_loop().time())
        await asyncio.sleep(0)  # its request leaves first: on SQLite a claim keeps the loop until it is committed

    async def _looked(self, action: Action, tool: AnyTool, context: ToolContext, grant: GoogleGrant) -> object:
        try:
            async with asyncio.timeout(self.fresh_seconds):
                return await tool.look_ahead(stored(tool, action.args), context, grant)
        except (ToolError, Ambiguous, BasisChanged, TimeoutError):  # the attempt says so, if it is still so
            return None

    async def _found_ahead(self, action: Action, lease: Lease, *, wanted: bool = True) -> object:
        """What was just looked up for this attempt; None where the attempt is to look itself, or there is none."""
        look = lease.looks.pop(action.id, None)
        if look is None:
            return None
        try:
            if wanted:
                await asyncio.wait({look.task})
        finally:
            look.task.cancel()
        is_fresh = asyncio.get_running_loop().time() - look.since <= self.fresh_seconds
        if not (wanted and is_fresh) or look.task.cancelled() or look.task.exception():
            return None
        return look.task.result()


async def _let_rest(tx: Transaction, action: Action, error: Busy) -> None:
    """executing → approved: the provider did not do it, and is asked again when it said; the card says so."""
    until = tx.now + min(timedelta(seconds=error.seconds), LONGEST_REST)
    resting = await move_action(
        tx,
        action,
        ActionState.APPROVED,
        code=AuditCode.ACTION_NOT_DONE,
        about={"error": error.code},
        deadline_at=until,
        summary=error.left,
    )
    await rewrite_card(tx, resting)
