"""Holds an action's row against what the log says of it: each part of it, and whether entries are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode, AuditEntry, Carried
from bot.runtime.audit.bodies import body_of, details_of
from bot.tools.arguments import sha256

_PARTS = {
    "tool": "tool",
    "args_sha256": "arguments",
    "verdict": "verdict",
    "rule": "rule of the verdict",
    "approval_sha256": "approval",
    "approved_by": "person who approved",
    "agreed_by": "people who agreed besides",
}
_LATER_PARTS = {
    "team": "workspace",
    "scope": "run",
    "owner": "owner",
    "state": "state",
    "attempt": "number of attempts",
    "step": "step",
    "label": "label of its result",
}
"""Parts of which entries of earlier releases may say nothing."""

_FORMAT = 3
"""The version of entries that say something of them."""

_BEGINNINGS = frozenset({ActionState.PLANNED.value, ActionState.APPROVED.value})
"""In which states actions are written down: one that an approval came with is approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A part of an action's row that is not what the log says of it; both in words."""

    part: str
    told: str
    found: str


def differences(
    action: Action, entries: Sequence[AuditEntry], personal: Mapping[str, object] | None
) -> Sequence[Difference]:
    """Where the row is not what the newest entry names that was written as the row moved. `personal` is what that
    entry keeps in private; None where it keeps nothing, or nobody opens it.
    """
    newest = newest_move(entries)
    if newest is None:
        return ()
    told, found = _told_by(newest), _facts(action, is_valid=newest.code != AuditCode.ACTION_INVALID)
    parts = _PARTS | (_LATER_PARTS if told["v"] == _FORMAT else {})
    if personal is not None:
        parts |= {"account": "account"}
        told, found = {**told, "account": personal.get("account")}, {**found, "account": action.account}
    return [
        Difference(part=part, told=_shown(told.get(name)), found=_shown(found.get(name)))
        for name, part in parts.items()
        if (told.get(name) or None) != (found.get(name) or None)
    ]


def is_as_written(action: Action) -> bool:
    """Whether what is looked at here is of the kinds that the program writes: SQLite stores anything in any column."""
    approval, verdict = action.approval, action.verdict
    texts: list[object] = [action.id, action.run_id, action.step_id, action.team, action.user, action.tool]
    texts += [action.args, action.args_hash, action.account or "", verdict.rule if verdict else ""]
    texts += [approval.hash, approval.by, *approval.agreed] if approval else []
    others: list[tuple[object, type]] = [
        (action.attempt, int),
        (action.state, ActionState),
        (action.evidence or {}, dict),
    ]
    return all(isinstance(one, kind) for one, kind in [*((one, str) for one in texts), *others])


def newest_move(entries: Sequence[AuditEntry]) -> AuditEntry | None:
    """The newest entry that was written as the row moved."""
    return next((one for one in reversed(entries) if "args_sha256" in details_of(body_of(one.body))), None)


def gaps(
    entries: Sequence[AuditEntry], *, action: Action | None, is_held: bool, pruned: Carried | None
) -> Iterator[str]:
    """What is missing of the log about an action, in words. `is_held` says that its run waits for a moment: it holds
    the call as it was judged in the run before. `pruned` is what was carried over of its run when the log was pruned.
    """
    moves = [states for one in entries if (states := _states(one))]
    if moves and moves[0][0] not in _BEGINNINGS and pruned is None:
        yield f"Entries about it are missing: the first one that is there begins with {moves[0][0]}."
    for before, after in pairwise(moves):
        if before[-1] != after[0]:
            yield f"Entries about it are missing: one ends with {before[-1]}, and the next one begins with {after[0]}."
    if moves or action is None or not _has_begun(action, is_held=is_held):
        return
    said = f"The log says nothing of it, and its row says that it is {action.state.value}"
    if pruned is None:
        yield f"{said}: its entries were deleted or changed, and not because their time was over."
    elif action.is_side_effect and action.attempt and (action.id, action.attempt) not in pruned.attempts:
        yield f"{said}: attempt {action.attempt} is none of those that its run had when its log was pruned."


def _has_begun(action: Action, *, is_held: bool) -> bool:
    """Whether the log must say something of it. The call of a deferred run keeps the verdict of the run before."""
    is_judged = action.verdict is not None and not is_held
    return action.state.value not in _BEGINNINGS or action.attempt > 0 or is_judged


def _told_by(entry: AuditEntry) -> Mapping[str, object]:
    body = body_of(entry.body)
    details = details_of(body)
    states = _states(entry)
    whole = {name: body.get(name) for name in ("v", "team", "scope", "owner")}
    return {**details, **whole, **({"state": states[-1]} if states else {})}


def _facts(action: Action, *, is_valid: bool) -> Mapping[str, object]:
    """What the log would say of the row, where it says anything."""
    verdict, approval = action.verdict, action.approval
    return {
        "tool": action.tool,
        "args_sha256": sha256(action.args) if is_valid else action.args_hash,
        "verdict": verdict and verdict.decision.value,
        "rule": verdict and verdict.rule,
        "approval_sha256": approval and approval.hash,
        "approved_by": approval and approval.by,
        "agreed_by": approval and list(approval.agreed),
        "team": action.team,
        "scope": action.run_id,
        "owner": action.user,
        "state": action.state.value,
        "attempt": action.attempt,
        "step": action.step_id,
        "label": action.label and action.label.value,
    }


def _states(entry: AuditEntry) -> Sequence[str]:
    """The states that the action passed through; nothing where the entry is about something else."""
    states = details_of(body_of(entry.body)).get("states")
    return [str(each) for each in cast("list[object]", states)] if isinstance(states, list) else ()


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[object]", value))) or "none"
    return str(value) if value else "none"
