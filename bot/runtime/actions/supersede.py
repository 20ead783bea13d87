"""A reply comes before what waits: an action that would ask while one is untaken is rejected (docs/states.md §7.3)."""

from __future__ import annotations

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing
from bot.domain.runs import Run
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import settle_action
from bot.runtime.texts import to_model, to_people


async def supersede(tx: Transaction, action_id: str, *, by: str) -> None:
    """planned or awaiting_confirmation → rejected: its requester replied, and the reply comes first."""
    action = await tx.work.actions.find(action_id)
    await settle_action(
        tx,
        action,
        ActionState.REJECTED,
        code=AuditCode.ACTION_SUPERSEDED,
        response=to_model.superseded(),
        actor=by,
        summary=to_people.SUPERSEDED,
    )


async def standing(tx: Transaction, run: Run) -> Standing:
    """The facts of a run, with whether something that was said to it is untaken."""
    return Standing.of(run, untaken=bool(await tx.work.messages.untaken(run.id)))
