"""Rejections: by the owner's “no”, by a reply of theirs, or because of the account (docs/states.md §2, §7.3)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing
from bot.domain.runs import Run
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.actions import settle_action
from bot.runtime.lifecycle.privacy import content_entered
from bot.runtime.texts import to_model, to_people
from policies.types import Label


async def reject(
    tx: Transaction, action: Action, *, by: str, reason: str = "", about: Mapping[str, object] | None = None
) -> None:
    """awaiting_confirmation → rejected, by its owner; `about` goes into the log."""
    told, why = to_model.rejected(reason), to_people.YOU_REJECTED
    code = AuditCode.ACTION_REJECTED
    await settle_action(tx, action, ActionState.REJECTED, code=code, response=told, actor=by, about=about, summary=why)


async def reject_for(tx: Transaction, action: Action, *, by: str, reason: str, about: Mapping[str, object]) -> None:
    """The same by somebody who had to agree. Their words are those of another member."""
    told, why = to_model.rejected_by_other(reason), to_people.OTHER_REJECTED
    label = Label.MEMBER if reason else None
    rejected = await settle_action(
        tx,
        action,
        ActionState.REJECTED,
        code=AuditCode.ACTION_REJECTED,
        response=told,
        actor=by,
        about=about,
        summary=why,
        label=label,
    )
    if label:
        await content_entered(tx, rejected, private=False, label=label)


async def supersede(tx: Transaction, action_id: str, *, by: str) -> None:
    """planned or awaiting_confirmation → rejected: its requester replied, and the reply comes first."""
    action, told = await tx.work.actions.find(action_id), to_model.superseded()
    code, why = AuditCode.ACTION_SUPERSEDED, to_people.SUPERSEDED
    await settle_action(tx, action, ActionState.REJECTED, code=code, response=told, actor=by, summary=why)


async def other_account(tx: Transaction, action: Action, *, by: str = AGENT) -> Action:
    """Rejected: it was evaluated, shown or approved for another account than the one connected now."""
    code, told, why = AuditCode.ACTION_OTHER_ACCOUNT, to_model.other_account(), to_people.OTHER_ACCOUNT
    return await settle_action(tx, action, ActionState.REJECTED, code=code, response=told, actor=by, summary=why)


async def not_now(tx: Transaction, action: Action) -> None:
    """awaiting_confirmation → rejected: its owner does not want to connect an account for it."""
    code, told, why = AuditCode.ACTION_REJECTED, to_model.not_connected_now(), to_people.NOT_CONNECTED_NOW
    await settle_action(tx, action, ActionState.REJECTED, code=code, response=told, actor=action.user, summary=why)


async def standing(tx: Transaction, run: Run) -> Standing:
    """The facts of a run, with whether something that was said to it is untaken. What was said to a flow is for its
    next step, which may be one that is asked about.
    """
    return Standing.of(run, untaken=not run.is_flow and bool(await tx.work.messages.untaken(run.id)))
