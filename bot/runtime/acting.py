"""Acting: claim, execute, record the outcome; and settle what ended in doubt (docs/states.md §2, §4).

The claim with its intent is committed before the effect, the outcome after it. What broke off in between is settled by
asking the provider, or by asking the owner; nothing is ever repeated blindly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from bot.domain.actions import Action, ActionState
from bot.domain.runs import Run
from bot.runtime import limits, words
from bot.runtime.claims import approval_hash, deadline
from bot.runtime.evidence import Law
from bot.runtime.leases import Lease
from bot.runtime.ports import Store
from bot.runtime.requesters import Requesters
from bot.runtime.results import record_result, rewrite_card
from bot.runtime.settling import Settler
from bot.runtime.transitions import Transitions
from bot.tools.arguments import proposed
from bot.tools.registry import AnyTool, Registry
from integrations.base import Clock, Result
from integrations.errors import Ambiguous, BasisChanged, NotConnected, ToolError
from policies.evidence import evidence_as_json, evidence_from_json
from policies.types import Decision, Label

log = structlog.get_logger()

_AUDIT_WAIT_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Runs approved and claimed actions."""

    store: Store
    clock: Clock
    registry: Registry
    law: Law
    requesters: Requesters
    settler: Settler

    async def claim(self, action: Action, lease: Lease) -> None:
        """approved → executing, judged again and never milder; or back to be judged, or refused."""
        tool = self.registry[action.tool]
        args = tool.args.model_validate_json(action.args)
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            current = await moves.work.actions.find(action.id)
            if current.state is not ActionState.APPROVED:
                return
            if await self._log_lags(moves, current):
                return
            stored = evidence_from_json(current.evidence) if current.evidence else None
            evidence = await self.law.evidence(
                moves.work,
                current.team,
                current.user,
                recipients=stored.recipients if stored else None,
            )
            verdict = self.law.decide(proposed(tool, args, offered=tool.name in self.law.policy.tools), evidence)
            judged: dict[str, Any] = {"verdict": verdict, "evidence": evidence_as_json(evidence)}
            bound = approval_hash(
                current, basis=current.basis or {}, policy_version=evidence.policy_version, account=current.account
            )
            covered = current.approval is not None and current.approval.covers(bound, moves.now)
            if verdict.decision is Decision.DENY:
                told = words.denied(verdict.reason)
                await moves.ended(
                    current, ActionState.DENIED, code="action.denied", response=told, summary=verdict.reason, **judged
                )
                await rewrite_card(moves, current)
            elif covered or (verdict.decision is Decision.ALLOW and current.edition == 1):
                await self._execute_next(moves, current, tool, lease, judged)
            else:
                await moves.action(current, ActionState.PLANNED, code="action.judged_again", **judged)
            await moves.after(action.step_id)

    async def _log_lags(self, moves: Transitions, action: Action) -> bool:
        """No audit, no action: effects wait while the log is not being sealed."""
        oldest = await moves.work.audit.oldest_unsealed()
        lagging = action.is_side_effect and oldest is not None and moves.now - oldest > limits.AUDIT_LAG
        if lagging:
            log.error("audit.lags", action=action.id)
        return lagging

    async def _execute_next(
        self, moves: Transitions, action: Action, tool: AnyTool, lease: Lease, judged: dict[str, Any]
    ) -> None:
        claimed = await moves.action(
            action,
            ActionState.EXECUTING,
            code="action.claimed",
            attempt=action.attempt + 1,
            started_at=action.started_at or moves.now,
            deadline_at=deadline(moves.now, tool),
            **judged,
        )
        moves.work.after_commit(lambda: lease.claims.add(f"{claimed.id}:{claimed.attempt}"))

    async def execute(self, action: Action, run: Run, lease: Lease) -> None:
        """One claimed attempt and the commit of its outcome."""
        tool = self.registry[action.tool]
        args = tool.args.model_validate_json(action.args)

        async def note(value: Mapping[str, object]) -> None:
            async with lease.write() as moves:
                await moves.work.actions.note(action.id, action.attempt, value)

        call = await self.requesters.call(action, run, note, deadline=action.deadline_at or self.clock.now())
        try:
            async with asyncio.timeout(tool.timeout_seconds):
                result = await tool.execute(args, call)
        except ToolError as error:
            await asyncio.shield(self._failed(action, error, lease))
        except BasisChanged:
            await asyncio.shield(self._again(action, lease))
        except (Ambiguous, TimeoutError):
            await asyncio.shield(self.settler.doubt(action, run, lease))
        except asyncio.CancelledError:
            raise
        except Exception:  # whatever a tool's defect was, the attempt may have had its effect
            log.exception("action.crashed", action=action.id, tool=tool.name)
            await asyncio.shield(self.settler.doubt(action, run, lease))
        else:
            await asyncio.shield(self.completed(action, run, result, lease))

    async def _failed(self, action: Action, error: ToolError, lease: Lease) -> None:
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            await moves.ended(
                action,
                ActionState.FAILED,
                code="action.failed",
                response={"error": error.as_error()},
                summary=error.message,
                label=Label.CONFIG if isinstance(error, NotConnected) else None,
                about={"error": error.code},
            )
            await rewrite_card(moves, action)
            await moves.after(action.step_id)

    async def _again(self, action: Action, lease: Lease) -> None:
        """The world changed since the preview: judged again, and a new card shows what it would do now."""
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            if action.attempt >= limits.MAX_ATTEMPTS:
                told = words.error("changed", words.KEEPS_CHANGING, retryable=True)
                await moves.ended(
                    action, ActionState.FAILED, code="action.failed", response=told, summary=words.KEEPS_CHANGING
                )
                await rewrite_card(moves, action)
            else:
                await moves.action(action, ActionState.PLANNED, code="action.basis_changed")
            await moves.after(action.step_id)

    async def completed(self, action: Action, run: Run, result: Result, lease: Lease) -> None:
        """It happened: the result, what it showed, whom it may be shown to."""
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            await record_result(moves, action, result)
            await moves.after(action.step_id)
