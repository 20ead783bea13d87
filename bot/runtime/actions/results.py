"""Stores the result of a tool: its rows, its card, and whether it makes the run private."""

from __future__ import annotations

from bot.domain.actions import Action, ActionState, Undo
from bot.domain.audit import AuditCode
from bot.domain.deliveries import DeliveryKind
from bot.domain.threads import SeenObject
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.actions import rewrite_card, settle_action
from bot.runtime.lifecycle.privacy import content_entered
from bot.runtime.texts import to_model
from integrations.base import Result
from integrations.errors import ToolError
from policies.types import EffectClass, Label

_OBJECTS_RECORDED = 50  # ids in one audit entry


async def record_result(
    tx: Transaction, action: Action, result: Result, *, code: AuditCode = AuditCode.ACTION_COMPLETED, actor: str = AGENT
) -> None:
    """Store a result."""
    done = await settle_action(
        tx,
        action,
        ActionState.COMPLETED,
        code=code,
        actor=actor,
        about={"objects": [f"{item.kind}:{item.id}" for item in result.objects[:_OBJECTS_RECORDED]]},
        personal={"ids": dict(result.ids)} if result.ids else {},
        response={"output": to_model.output(result.data), "trust": result.label.value},
        summary=result.summary[:1000],
        link=result.link,
        undo=Undo.parse(result.undo) if result.undo else None,
        label=result.label,
        private=result.private,
        doubt=False,
    )
    await content_entered(tx, done, private=result.private, label=result.label)
    seen = [
        SeenObject(
            run_id=action.run_id,
            owner=action.user,
            kind=item.kind,
            object_id=item.id,
            title=item.title,
            people=tuple(item.people),
            private=result.private,
            is_own=item.is_own,
        )
        for item in result.objects
    ]
    await tx.work.objects.add(action.thread_id, seen, at=tx.now)
    await rewrite_card(tx, done)
    if done.effect is EffectClass.OWN:
        await tx.deliver(action.thread_id, DeliveryKind.NOTICE, action.id, team=action.team)


async def record_failure(tx: Transaction, action: Action, error: ToolError, *, code: AuditCode) -> None:
    """Store a tool's refusal. What it says may come from what only the owner sees."""
    private = error.private
    failed = await settle_action(
        tx,
        action,
        ActionState.FAILED,
        code=code,
        about={"error": error.code},
        response={"error": error.as_error()},
        summary=error.message[:1000],
        private=private,
    )
    await content_entered(tx, failed, private=private, label=Label.EXTERNAL if private else Label.CONFIG)
    await rewrite_card(tx, failed)


async def record_error(
    tx: Transaction, action: Action, error: str, why: str, *, doubt: bool | None = None, retryable: bool = True
) -> None:
    """Store that it failed for a reason of ours: `error` is its name, `why` says it in words."""
    failed = await settle_action(
        tx,
        action,
        ActionState.FAILED,
        code=AuditCode.ACTION_FAILED,
        response=to_model.error(error, why, retryable=retryable),
        about={"error": error},
        summary=why,
        doubt=action.doubt if doubt is None else doubt,
    )
    await rewrite_card(tx, failed)
