"""Transitions of an action, one audit entry each, and the end of its step (docs/states.md §1 and §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from bot.domain.actions import UNDONE, Action, ActionChanges, ActionState, OutcomeChanges, evidence_hash
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.conditions import never_edited
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import ActionMoved
from bot.domain.runs import Run
from bot.llm import wire
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.texts import to_model
from policies.types import Role


async def move_action(
    tx: Transaction,
    action: Action,
    *path: ActionState,
    code: AuditCode,
    actor: str = AGENT,
    about: Mapping[str, object] | None = None,
    personal: Mapping[str, object] | None = None,
    **changes: Unpack[ActionChanges],
) -> Action:
    """Move an action along one or more states in this commit; the action as it is then.

    One audit entry, `code`, names all of them, and has `about` besides, and what is `personal` under its owner's key;
    `changes` are columns that change with the last move. Raises `LostRace` when the action moved on meanwhile.
    """
    tx.step_changed(action.step_id)
    if path[-1] is ActionState.APPROVED:  # it begins at once, unless it is said when
        changes.setdefault("deadline_at", None)
    start = action.state
    for state in path[:-1]:
        action = await tx.work.actions.move(action, state)
    action = await tx.work.actions.move(action, path[-1], **changes)
    states = [start.value, *(state.value for state in path)]
    _record(tx, action, code, actor=actor, personal=personal or {}, states=states, **(about or {}))
    root = (await tx.work.runs.find(action.run_id)).root
    tx.publish(ActionMoved(action.run_id, action.id, action.state.value, action.caption, root))
    return action


def _record(
    tx: Transaction, action: Action, code: AuditCode, *, actor: str, personal: Mapping[str, object], **details: object
) -> None:
    """An audit entry about an action: what it is, its hash, what was decided on what, never its contents. Who it
    reaches, and with which account, is for its owner's key.
    """
    verdict = action.verdict
    said = {"verdict": verdict.decision.value, "rule": verdict.rule} if verdict else {}
    said |= {"would_ask": verdict.would_ask} if verdict and verdict.would_ask else {}
    said |= {"as_draft": True} if action.is_kept_as_draft else {}
    facts = {"action": action.id, "tool": action.tool, "args_sha256": action.args_hash, "attempt": action.attempt}
    about = {**facts, "step": action.step_id, **said, **_grounds(tx, action), **details}
    tx.record(
        AuditEvent(
            team=action.team,
            code=code,
            actor=actor,
            run_id=action.run_id,
            details=about,
            owner=action.user,
            personal={**_personal(action), **personal},
        )
    )


def _grounds(tx: Transaction, action: Action) -> Mapping[str, object]:
    """What the action rests on, as far as it is known: nothing is looked up for it."""
    evidence, approval = action.evidence, action.approval
    known = {
        "model": tx.work.steps.known_model(action.step_id),
        "level": evidence and evidence.get("level"),
        "evidence_sha256": evidence and evidence_hash(evidence),
        "approved_by": approval and approval.by,
        "agreed_by": approval and list(approval.agreed),
        "approval_sha256": approval and approval.hash,
        "run_label": evidence and evidence.get("label"),
        "label": action.label and action.label.value,
    }
    return {name: value for name, value in known.items() if value}


def _personal(action: Action) -> Mapping[str, object]:
    """The account that is used, and those that the action reaches, as trusted code looked it up or traced it."""
    known = {"account": action.account, "destinations": _reached(action.evidence or {})}
    return {name: value for name, value in known.items() if value}


def _reached(evidence: Mapping[str, Any]) -> Sequence[str]:
    """Those that the stored evidence names, each once (`Evidence.reached`)."""
    recipients: Sequence[str] = evidence.get("recipients") or ()
    provenance: Mapping[str, Any] = evidence.get("provenance") or {}
    traced: Sequence[Mapping[str, str]] = provenance.get("values") or ()
    found = [*recipients, *(one["value"] for one in traced if one["role"] == Role.DESTINATION)]
    return list(dict.fromkeys(found))


async def settle_action(
    tx: Transaction,
    action: Action,
    *path: ActionState,
    code: AuditCode,
    response: Mapping[str, object],
    actor: str = AGENT,
    about: Mapping[str, object] | None = None,
    personal: Mapping[str, object] | None = None,
    **changes: Unpack[OutcomeChanges],
) -> Action:
    """End an action, in the last state of the path: `response` is what the model is told. Doubt about an earlier
    attempt is never left unsaid, unless `changes` clear it. Raises as `move_action`.
    """
    if action.doubt and changes.get("doubt", True):
        response = to_model.doubted(response, action.attempt)
    return await move_action(
        tx,
        action,
        *path,
        code=code,
        actor=actor,
        about=about,
        personal=personal,
        response=response,
        ended_at=tx.now,
        **changes,
    )


async def rewrite_card(tx: Transaction, action: Action) -> None:
    """Deliver the cards about this action in their present form, if it has any."""
    if tx.working_set is not None and action.id in tx.working_set.never_asked:
        return
    for question_id in await tx.work.questions.ids_of_action(action.id):
        await tx.deliver(action.thread_id, DeliveryKind.CARD, question_id, team=action.team)


async def tell_undone(tx: Transaction, action: Action, told: str) -> None:
    """Take the Undo from the line about an action, and have it say what came of it instead."""
    await tx.work.actions.change(action.id, undo=UNDONE, summary=told)
    await tx.deliver(action.thread_id, DeliveryKind.NOTICE, action.id, team=action.team)


async def take_undo_away(tx: Transaction, action: Action) -> None:
    """There is nothing left to undo: the line says what it said, without the button."""
    await tx.work.actions.change(action.id, undo=None)
    await tx.deliver(action.thread_id, DeliveryKind.NOTICE, action.id, team=action.team)


async def close_step(tx: Transaction, run: Run, step_id: str) -> None:
    """Close the step: its responses go back in call order in one content, where it was a model that called."""
    actions = await tx.work.actions.of_step(step_id)
    if (await tx.work.steps.lock(step_id)).model:
        await tx.work.steps.append(run.id, [responses(actions)])
    for action in actions:
        if action.state is ActionState.EXPIRED:  # its card offers no more to ask again
            await rewrite_card(tx, action)
    await tx.work.steps.set_open(step_id, 0, closed_at=tx.now)
    tx.step_followed(step_id)


def responses(actions: Sequence[Action]) -> wire.Wire:
    """The function responses of a step, in call order; a call without a response gets one in words."""
    return wire.function_responses(
        (action.call_id, action.tool, action.call_id_given, _told(action)) for action in actions
    )


def _told(action: Action) -> Mapping[str, object]:
    response = action.response or to_model.unsettled(action)
    if action.is_scheduled and not action.is_waiting:  # taken back or done while other calls of its step waited
        response = to_model.held_since(response, action)
    return response if never_edited(action.edition) else to_model.edited(response, action)
