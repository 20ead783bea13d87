"""Explains an action from what is stored: its verdict is computed again, and held against what the log says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from bot.domain.actions import Action, evidence_hash
from bot.domain.audit import AuditCode, AuditEntry, Checkpoint, beginnings, begins
from bot.errors import BotError
from bot.runtime.audit.bodies import body_of, details_of
from bot.secrets import KeyRing
from bot.store.store import Store
from bot.tools.arguments import proposed, sha256, stored
from bot.tools.registry import Registry
from policies import engine
from policies.evidence import evidence_from_json
from policies.types import Verdict

_NOT_OFFERED = "agent"
"""The rule of a call that its agent was not given: which tools an agent had is not part of the evidence."""

_LIMITS = "limit."


class NoSuchAction(BotError):
    """There is no such action, and the log says nothing of one, as far as it was not pruned."""

    def __init__(self, action_id: str, pruned: Sequence[str]) -> None:
        super().__init__("\n".join([f"There is no action {action_id}, and the log says nothing of one.", *pruned]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A part of an action's row that is not what the log says of it; both in words."""

    part: str
    told: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known of an action: its entries in the log; what was decided, and what comes of its evidence now.

    Without an `action` its step was forgotten. `told` is the hash of the evidence that the log names, empty where it
    names none, `found` that of the evidence that is there. `differences` are the parts of the row that are not what the
    newest entry about it names. `pruned` says where logs begin that were pruned.
    """

    action_id: str
    entries: Sequence[AuditEntry]
    changed: Sequence[int]
    action: Action | None = None
    again: Verdict | None = None
    told: str = ""
    found: str = ""
    differences: Sequence[Difference] = ()
    pruned: Sequence[str] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing speaks against what is stored."""
        return not self.changed and not self.differences and self._fits and self._is_same

    @property
    def _fits(self) -> bool:
        """Whether the evidence is what the log names. That of a step that was forgotten may be gone."""
        return not self.told or self.told == self.found or (self.action is None and not self.found)

    @property
    def _is_same(self) -> bool:
        if self.again is None or self.action is None or self.action.verdict is None:
            return True
        before = self.action.verdict
        return (before.decision, before.rule) == (self.again.decision, self.again.rule)

    def text(self) -> str:
        """Lines for people."""
        return "\n".join([*map(_line, self.entries), *self._told_of_verdict(), *self._told_of_evidence(), *self.pruned])

    def _told_of_verdict(self) -> Iterator[str]:
        yield from (f"✗ Entry {id_} was changed, or its key is missing." for id_ in self.changed)
        yield from (f"✗ The {one.part}: the log names {one.told}, the row {one.found}." for one in self.differences)
        if self.action is None:
            yield (
                "Its step was forgotten (RETENTION_STEPS_DAYS, 30 days after its request was over), and with it its "
                "arguments and the evidence: the verdict cannot be computed again."
            )
        elif self.action.verdict is None:
            yield "It was never judged."
        elif self.again is None and self.action.verdict.rule.startswith(_LIMITS):
            yield f"{_said(self.action.verdict)}: that is a limit, which is no matter of policy."
        elif self.again is None:
            yield f"{_said(self.action.verdict)}: it cannot be computed again without its evidence."
        elif self._is_same:
            yield f"Computed again from the stored evidence: {_said(self.again)}, as it was."
        else:
            yield f"✗ Computed again from the stored evidence: {_said(self.again)}."
            yield f"  It was {_said(self.action.verdict)}: policy or the row changed since."

    def _told_of_evidence(self) -> Iterator[str]:
        if not self.told:
            yield "The log names no evidence: it was written before it did, or nothing was judged."
        elif not self.found and self.action is not None:
            yield f"✗ The log names evidence with the SHA-256 {self.told}, and the row has none."
        elif not self.found:
            yield f"The log names evidence with the SHA-256 {self.told}: give --evidence FILE to hold one against it."
        elif self._fits:
            yield "The evidence is what the log names."
        else:
            yield f"✗ The evidence is not what the log names: that has the SHA-256 {self.told}, this {self.found}."


async def explain(
    store: Store,
    keyring: KeyRing,
    registry: Registry,
    action_id: str,
    *,
    evidence: Mapping[str, object] | None = None,
) -> Explanation:
    """Explain an action; `evidence` is some that was kept elsewhere, for one that was forgotten. Raises
    `NoSuchAction`.
    """
    async with store.read(long=True) as work:
        entries = await work.records.entries_about(action_id)
        action = await work.actions.known(action_id)
        began = beginnings(await work.audit.pruned())
    if not entries and action is None:
        raise NoSuchAction(action_id, _pruned(began, began))
    kept = action.evidence if action is not None else evidence
    return Explanation(
        action_id=action_id,
        entries=entries,
        changed=[one.id for one in entries if not keyring.check_mac(one.body.encode(), one.key_id, one.mac)],
        action=action,
        again=_again(registry, action) if action is not None else None,
        pruned=_pruned(began, {*(one.team for one in entries), *([action.team] if action else [])}),
        told=next((found for one in reversed(entries) if (found := _evidence_of(one))), ""),
        found=evidence_hash(kept) if kept else "",
        differences=_differences(action, entries) if action is not None else (),
    )


def _pruned(began: Mapping[str, Checkpoint], teams: Iterable[str]) -> Sequence[str]:
    """Where the logs of these workspaces begin, of those that were pruned."""
    return [begins(began[team]) for team in sorted(teams) if team in began]


def _again(registry: Registry, action: Action) -> Verdict | None:
    """The verdict as policy computes it now; None where there was none, or it was that of a limit."""
    before = action.verdict
    if before is None or action.evidence is None or before.rule.startswith(_LIMITS):
        return None
    tool = registry[action.tool]
    call = proposed(tool, stored(tool, action.args), offered=before.rule != _NOT_OFFERED)
    return engine.decide(call, evidence_from_json(action.evidence))


_PARTS = {
    "tool": "tool",
    "args_sha256": "arguments",
    "verdict": "verdict",
    "rule": "rule of the verdict",
    "approval_sha256": "approval",
    "approved_by": "person who approved",
    "agreed_by": "people who agreed besides",
}


def _differences(action: Action, entries: Sequence[AuditEntry]) -> Sequence[Difference]:
    """Where the row is not what the newest entry names that was written as the row moved."""
    newest = next((one for one in reversed(entries) if "args_sha256" in details_of(body_of(one.body))), None)
    if newest is None:
        return ()
    told, found = details_of(body_of(newest.body)), _facts(action, is_valid=newest.code != AuditCode.ACTION_INVALID)
    return [
        Difference(part=part, told=_shown(told.get(name)), found=_shown(found.get(name)))
        for name, part in _PARTS.items()
        if told.get(name) != found.get(name)
    ]


def _facts(action: Action, *, is_valid: bool) -> Mapping[str, object]:
    """What the log would say of the row, where it says anything."""
    verdict, approval = action.verdict, action.approval
    known = {
        "tool": action.tool,
        "args_sha256": sha256(action.args) if is_valid else action.args_hash,
        "verdict": verdict and verdict.decision.value,
        "rule": verdict and verdict.rule,
        "approval_sha256": approval and approval.hash,
        "approved_by": approval and approval.by,
        "agreed_by": approval and list(approval.agreed),
    }
    return {name: value for name, value in known.items() if value}


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[object]", value)))
    return "none" if value is None else str(value)


def _evidence_of(entry: AuditEntry) -> str:
    told = details_of(body_of(entry.body)).get("evidence_sha256")
    return told if isinstance(told, str) else ""


def _line(entry: AuditEntry) -> str:
    body = body_of(entry.body)
    return f"{str(body.get('at', ''))[:19]}  {entry.code}  {body.get('actor', '')}  {json.dumps(body.get('details'))}"


def _said(verdict: Verdict) -> str:
    return f"{verdict.decision.value} by {verdict.rule}"
