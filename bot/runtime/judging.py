"""Judging what needs a look outside: the preview without a session, then one commit with the verdict."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

import structlog

from bot.domain import ids
from bot.domain.actions import Action, ActionState
from bot.domain.conditions import may_ask
from bot.domain.questions import Question, QuestionKind, QuestionState
from bot.domain.runs import Mode, Run
from bot.runtime import limits
from bot.runtime.claims import Claims, Grounds, Resolution
from bot.runtime.differences import compared
from bot.runtime.leases import Lease
from bot.runtime.queries import preview_of
from bot.runtime.requesters import Requesters
from bot.runtime.results import record_failure
from bot.runtime.steering import standing, supersede
from bot.runtime.transitions import Transitions
from bot.tools.registry import Registry
from integrations.base import Field, Preview
from integrations.errors import Ambiguous, BasisChanged, ToolError, ToolFailed

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Brings planned actions to a claim, a question or a refusal. A tool may say how long its own questions live."""

    registry: Registry
    claims: Claims
    requesters: Requesters
    question_life: timedelta = limits.QUESTION_LIFE

    async def judge(self, action: Action, run: Run, lease: Lease) -> None:
        """Preview, evidence, verdict; one commit."""
        if not await self.claims.prepared(action):
            return
        try:
            preview = await self._preview(action, run)
        except ToolError as error:
            await self._fail(action, error, lease)
            return
        async with lease.write() as moves:
            await moves.lock(action.step_id)
            current = await moves.work.actions.find(action.id)
            if current.state is not ActionState.PLANNED:
                return
            await self._resolve(moves, current, preview, lease)
            await moves.after(action.step_id)

    async def _preview(self, action: Action, run: Run) -> Preview:
        """What the card would show; a read that is asked about has none of its own."""
        if not action.is_side_effect:
            return Preview(title="Look this up?", fields=[Field(label="What", value=action.caption)])
        tool = self.registry[action.tool]
        context = await self.requesters.context(action, run)
        try:
            async with asyncio.timeout(tool.timeout_seconds):
                return await tool.preview(tool.args.model_validate_json(action.args), context)
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
            await record_failure(moves, current, error, code="action.preview_failed")
            await moves.after(action.step_id)

    async def _resolve(self, moves: Transitions, action: Action, preview: Preview, lease: Lease) -> None:
        grounds = Grounds(recipients=preview.recipients, basis=preview.basis, account=preview.account)
        if action.preview is not None:
            preview = compared(preview, preview_of(action))
        shown: dict[str, Any] = {"preview": asdict(preview), "basis": dict(preview.basis), "account": preview.account}
        resolved = await self.claims.resolve(moves, action, grounds, lease, **shown)
        if resolved.resolution is not Resolution.UNCOVERED:
            return
        if may_ask(await standing(moves, await moves.work.runs.find(action.run_id))):
            asked = await moves.action(action, ActionState.AWAITING, code="action.asked", **resolved.judged, **shown)
            await self._ask(moves, asked, preview, resolved.bound)
        else:
            await supersede(moves, action.id, by=action.user)

    async def _ask(self, moves: Transitions, action: Action, preview: Preview, bound: str) -> None:
        await moves.work.runs.change(action.run_id, mode=Mode.APPROVAL)
        if preview.private:
            await moves.stub(await moves.work.runs.find(action.run_id))
        tool = self.registry.find(action.tool)
        life = (tool.question_life if tool else None) or self.question_life
        await moves.ask(question_about(action, QuestionKind.APPROVE, bound, moves, life=life))


def question_about(
    action: Action,
    kind: QuestionKind,
    bound: str,
    moves: Transitions,
    *,
    life: timedelta | None = None,
    **payload: object,
) -> Question:
    """A fresh question about an action; its owner is reminded of it at half time."""
    life = life or (limits.SETTLE_LIFE if kind is QuestionKind.SETTLE else limits.QUESTION_LIFE)
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
        remind_at=moves.now + life / 2,
    )


_NOT_PREVIEWED = "What this would do could not be looked up, so it was not done."
