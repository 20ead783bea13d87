"""Transitions of an action: one guarded UPDATE along its states, one audit entry (docs/states.md §2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from bot.domain.actions import Action, ActionChanges, ActionState, OutcomeChanges
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import ActionMoved
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.texts import to_model


async def move_action(
    tx: Transaction,
    action: Action,
    *path: ActionState,
    code: AuditCode,
    actor: str = AGENT,
    about: Mapping[str, object] | None = None,
    **changes: Unpack[ActionChanges],
) -> Action:
    """Move an action along one or more states in this commit; the action as it is then.

    One audit entry, `code`, names all of them, and has `about` besides; `changes` are columns that change with the last
    move. Raises `LostRace` when the action moved on meanwhile.
    """
    tx.step_changed(action.step_id)
    start = action.state
    for state in path[:-1]:
        action = await tx.work.actions.move(action, state)
    action = await tx.work.actions.move(action, path[-1], **changes)
    states = [start.value, *(state.value for state in path)]
    _record(tx, action, code, actor=actor, states=states, **(about or {}))
    tx.publish(ActionMoved(action.run_id, action.id, action.state.value, action.caption))
    return action


def _record(tx: Transaction, action: Action, code: AuditCode, *, actor: str, **details: object) -> None:
    """An audit entry about an action: what it is, its hash, never its contents."""
    verdict = action.verdict
    said = {"verdict": verdict.decision.value, "rule": verdict.rule} if verdict else {}
    facts = {"action": action.id, "tool": action.tool, "args_sha256": action.args_hash, "attempt": action.attempt}
    about = {**facts, **said, **details}
    tx.record(AuditEvent(team=action.team, code=code, actor=actor, run_id=action.run_id, details=about))


async def settle_action(
    tx: Transaction,
    action: Action,
    state: ActionState,
    *,
    code: AuditCode,
    response: Mapping[str, object],
    actor: str = AGENT,
    about: Mapping[str, object] | None = None,
    **changes: Unpack[OutcomeChanges],
) -> Action:
    """End an action: `response` is what the model is told. Doubt about an earlier attempt is never left unsaid, unless
    `changes` clear it. Raises as `move_action`.
    """
    if action.doubt and changes.get("doubt", True):
        response = to_model.doubted(response, action.attempt)
    return await move_action(
        tx, action, state, code=code, actor=actor, about=about, response=response, ended_at=tx.now, **changes
    )


async def rewrite_card(tx: Transaction, action: Action) -> None:
    """Deliver the cards about this action in their present form."""
    for question_id in await tx.work.questions.ids_of_action(action.id):
        await tx.deliver(action.thread_id, DeliveryKind.CARD, question_id, team=action.team)
