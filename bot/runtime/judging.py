"""Judging what needs a look outside: preview and evidence without a session, then one commit with the verdict."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from typing import Any

import structlog

from bot.domain import ids
from bot.domain.actions import Action, ActionState
from bot.domain.questions import Question, QuestionKind, QuestionState
from bot.domain.runs import Mode, Run
from bot.runtime import limits, words
from bot.runtime.claims import approval_hash, claim_path, deadline
from bot.runtime.evidence import Law
from bot.runtime.leases import Lease
from bot.runtime.ports import Store
from bot.runtime.requesters import Requesters
from bot.runtime.transitions import Transitions
from bot.tools.arguments import proposed
from bot.tools.registry import AnyTool, Registry
from integrations.base import Field, Preview, ToolArgs
from integrations.errors import Ambiguous, BasisChanged, ToolError, ToolFailed
from policies.evidence import evidence_as_json
from policies.types import Decision

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Brings planned actions to a claim, a question or a refusal."""

    store: Store
    registry: Registry
    law: Law
    requesters: Requesters

    async def judge(self, action: Action, run: Run, lease: Lease) -> None:
        """Preview, evidence, verdict; one commit."""
        tool = self.registry[action.tool]
        args = tool.args.model_validate_json(action.args)
        try:
            preview = await self._preview(tool, args, action, run)
        except ToolError as error:
            await self._fail(action, error, lease)
            return
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            current = await moves.work.actions.find(action.id)
            if current.state is not ActionState.PLANNED:
                return
            await self._decide(moves, current, tool, args, preview, lease)
            await moves.after(action.step_id)

    async def _preview(self, tool: AnyTool, args: ToolArgs, action: Action, run: Run) -> Preview:
        """What the card would show; a read that is asked about has none of its own."""
        if not action.is_side_effect:
            return Preview(title="Look this up?", fields=[Field(label="What", value=action.caption)])
        context = await self.requesters.context(action, run)
        try:
            async with asyncio.timeout(tool.timeout_seconds):
                return await tool.preview(args, context)
        except (TimeoutError, Ambiguous, BasisChanged) as error:
            raise ToolFailed("preview_unavailable", _NOT_PREVIEWED, hint="try again later") from error
        except (ToolError, asyncio.CancelledError):
            raise
        except Exception as error:  # a defect of one tool must not take the run's other actions with it
            log.exception("preview.crashed", action=action.id, tool=tool.name)
            raise ToolFailed("internal", _NOT_PREVIEWED) from error

    async def _fail(self, action: Action, error: ToolError, lease: Lease) -> None:
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            current = await moves.work.actions.find(action.id)
            if current.state is not ActionState.PLANNED:
                return
            await moves.ended(
                current,
                ActionState.FAILED,
                code="action.preview_failed",
                response={"error": error.as_error()},
                summary=error.message,
                about={"error": error.code},
            )
            await moves.after(action.step_id)

    async def _decide(
        self, moves: Transitions, action: Action, tool: AnyTool, args: ToolArgs, preview: Preview, lease: Lease
    ) -> None:
        evidence = await self.law.evidence(moves.work, action.team, action.user, recipients=preview.recipients)
        verdict = self.law.decide(proposed(tool, args, offered=tool.name in self.law.policy.tools), evidence)
        bound = approval_hash(
            action, basis=preview.basis, policy_version=evidence.policy_version, account=preview.account
        )
        judged: dict[str, Any] = {
            "verdict": verdict,
            "evidence": evidence_as_json(evidence),
            "preview": asdict(preview),
            "basis": dict(preview.basis),
            "account": preview.account,
        }
        covered = action.approval is not None and action.approval.covers(bound, moves.now)
        if verdict.decision is Decision.DENY:
            told = words.denied(verdict.reason)
            await moves.ended(
                action, ActionState.DENIED, code="action.denied", response=told, summary=verdict.reason, **judged
            )
        elif covered or (verdict.decision is Decision.ALLOW and action.edition == 1):
            await self._claim(moves, action, tool, lease, judged)
        else:
            await self._ask(moves, action, preview, bound, judged)

    async def _claim(
        self, moves: Transitions, action: Action, tool: AnyTool, lease: Lease, judged: dict[str, Any]
    ) -> None:
        claimed = await moves.action(
            action,
            *claim_path(action),
            code="action.claimed",
            attempt=action.attempt + 1,
            started_at=moves.now,
            deadline_at=deadline(moves.now, tool),
            **judged,
        )
        moves.work.after_commit(lambda: lease.claims.add(f"{claimed.id}:{claimed.attempt}"))

    async def _ask(
        self, moves: Transitions, action: Action, preview: Preview, bound: str, judged: dict[str, Any]
    ) -> None:
        asked = await moves.action(action, ActionState.AWAITING, code="action.asked", **judged)
        await moves.work.runs.change(action.run_id, mode=Mode.APPROVAL)
        await moves.ask(question_about(asked, QuestionKind.APPROVE, bound, moves))


def question_about(action: Action, kind: QuestionKind, bound: str, moves: Transitions, **payload: object) -> Question:
    """A fresh question about an action, open for as long as its kind lives."""
    life = limits.SETTLE_LIFE if kind is QuestionKind.SETTLE else limits.QUESTION_LIFE
    return Question(
        id=ids.new_id("q"),
        kind=kind,
        run_id=action.run_id,
        step_id=action.step_id,
        action_id=action.id,
        thread_id=action.thread_id,
        team=action.team,
        user=action.user,
        state=QuestionState.OPEN,
        nonce=ids.new_nonce(),
        edition=action.edition,
        hash=bound,
        payload=payload,
        created_at=moves.now,
        expires_at=moves.now + life,
    )


_NOT_PREVIEWED = "What this would do could not be looked up, so it was not done."
