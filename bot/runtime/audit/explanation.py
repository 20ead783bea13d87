"""Explains an action from what is stored: its verdict is computed again, and held against what the log says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from bot.domain.actions import Action, evidence_hash
from bot.domain.audit import AuditEntry, Carried, Checkpoint, beginnings, begins, carried_of
from bot.domain.steps import HELD, Step
from bot.errors import BotError
from bot.runtime.audit.action_rows import Difference, differences, gaps, is_as_written, newest_move
from bot.runtime.audit.bodies import body_of, details_of, in_lines, in_text
from bot.runtime.audit.chain import is_true
from bot.runtime.audit.personal import Opener
from bot.secrets import KeyRing
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from bot.tools.arguments import proposed, stored
from bot.tools.registry import Registry
from policies import engine
from policies.errors import InvalidEvidence
from policies.evidence import evidence_from_json
from policies.types import Verdict

_NOT_OFFERED = "agent"
"""The rule of a call that its agent was not given: which tools an agent had is not part of the evidence."""

_LIMITS = "limit."

_UNREADABLE = (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""What making something of a row raises that holds what the program never writes there."""

_ROW_IS_GONE = "Its row is gone, and its run has steps that retention deletes together with it: the row was deleted."
_ROW_IS_UNREADABLE = "Its row cannot be read: it holds what the program never writes there."
_STEPS_ARE_UNREADABLE = "The steps of its run cannot be read: a row of them holds what the program never writes there."
_ACCOUNT_NOT_OPENED = "What the log keeps of it in private cannot be opened, so the account was not held against it."


class NoSuchAction(BotError):
    """There is no such action, and the log says nothing of one, as far as it was not pruned."""

    def __init__(self, action_id: str, pruned: Sequence[str]) -> None:
        super().__init__("\n".join([f"There is no action {action_id}, and the log says nothing of one.", *pruned]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known of an action: its entries in the log; what was decided, and what comes of its evidence now.

    Without an `action` its step was forgotten; where no verdict comes of it, `why_not` says why. `told` is the hash of
    the evidence that the log names, empty where it names none, `found` that of the evidence that is there.
    `differences` are the parts of the row that are not what the newest entry about it names, `gaps` what is missing of
    the log or of the rows, `remarks` what could not be told. `pruned` says where logs begin that were pruned.
    """

    action_id: str
    entries: Sequence[AuditEntry]
    changed: Sequence[int]
    action: Action | None = None
    again: Verdict | None = None
    why_not: str = ""
    told: str = ""
    found: str = ""
    differences: Sequence[Difference] = ()
    gaps: Sequence[str] = ()
    remarks: Sequence[str] = ()
    pruned: Sequence[str] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing speaks against what is stored."""
        wrong = (*self.changed, *self.differences, *self.gaps)
        return not wrong and self._fits and self._is_same

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
        about = [*self._told_of_row(), *self._told_of_verdict(), *self._told_of_evidence()]
        return in_lines([*map(_line, self.entries), *about, *self.remarks, *self.pruned])

    def _told_of_row(self) -> Iterator[str]:
        yield from (f"✗ Entry {id_} was changed, or its key is missing." for id_ in self.changed)
        yield from (f"✗ The {one.part}: the log names {one.told}, the row {one.found}." for one in self.differences)
        yield from (f"✗ {gap}" for gap in self.gaps)

    def _told_of_verdict(self) -> Iterator[str]:
        if self.action is None and self.gaps:
            yield "The verdict cannot be computed again."
        elif self.action is None:
            yield (
                "Its step was forgotten (RETENTION_STEPS_DAYS, 30 days after its request was over), and with it its "
                "arguments and the evidence: the verdict cannot be computed again."
            )
        elif self.action.verdict is None:
            yield "It was never judged."
        elif self.again is None and self.action.verdict.rule.startswith(_LIMITS):
            yield f"{_said(self.action.verdict)}: that is a limit, which is no matter of policy."
        elif self.again is None:
            yield f"{_said(self.action.verdict)}: it cannot be computed again{self.why_not}."
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
    """Explain an action; `evidence` is some that was kept elsewhere, which is held against the log in the place of the
    row's. Raises `NoSuchAction`.
    """
    async with store.read(long=True) as work:
        entries = list(map(in_text, await work.records.entries_about(action_id)))
        action, is_readable = await _row(work, action_id)
        began = beginnings(await work.audit.pruned())
        newest = newest_move(entries)
        run_id = action.run_id if action else newest.scope if newest else ""
        steps = await _steps(work, run_id)
    if not entries and action is None and is_readable:
        raise NoSuchAction(action_id, _pruned(began, began))
    kept = evidence if action is None or evidence is not None else action.evidence
    team = action.team if action else entries[0].team if entries else ""
    personal = await Opener(store=store).open(newest) if newest else None
    again, why_not = _again(registry, action) if action is not None else (None, "")
    return Explanation(
        action_id=action_id,
        entries=entries,
        changed=[one.id for one in entries if not keyring.check_mac(one.body.encode(), one.key_id, one.mac)],
        action=action,
        again=again,
        why_not=why_not,
        pruned=_pruned(began, {*(one.team for one in entries), team}),
        told=next((found for one in reversed(entries) if (found := _evidence_of(one))), ""),
        found=evidence_hash(kept) if kept else "",
        differences=differences(action, entries, personal) if action is not None else (),
        gaps=[
            *([] if is_readable else [_ROW_IS_UNREADABLE]),
            *([_STEPS_ARE_UNREADABLE] if steps is None else []),
            *([_ROW_IS_GONE] if action is None and is_readable and steps else []),
            *gaps(
                entries,
                action=action,
                is_held=action is not None and _is_held(action, steps or ()),
                pruned=_carried(keyring, began.get(team), run_id),
            ),
        ],
        remarks=[_ACCOUNT_NOT_OPENED] if action and newest and personal is None and _has_personal(newest) else [],
    )


async def _row(work: UnitOfWork, action_id: str) -> tuple[Action | None, bool]:
    """The action's row, and whether it can be read: a column may hold what the program never writes there."""
    try:
        found = await work.actions.known(action_id)
        is_readable = found is None or is_as_written(found)
    except _UNREADABLE:
        return None, False
    return (found, True) if is_readable else (None, False)


async def _steps(work: UnitOfWork, run_id: str) -> Sequence[Step] | None:
    """The steps of a run; None where a row of them cannot be read."""
    try:
        return await work.steps.of_run(run_id)
    except _UNREADABLE:
        return None


def _is_held(action: Action, steps: Sequence[Step]) -> bool:
    """Whether the action is the call of a deferred run."""
    return any(step.id == action.step_id and step.finish == HELD for step in steps)


def _carried(keyring: KeyRing, checkpoint: Checkpoint | None, run_id: str) -> Carried | None:
    """What was carried over of a run when the log was pruned, which a key of ours signed; None where nothing went."""
    if checkpoint is None or checkpoint.key not in keyring.public_keys or not is_true(checkpoint):
        return None
    return carried_of(checkpoint).get(run_id)


def _has_personal(entry: AuditEntry) -> bool:
    return "personal" in body_of(entry.body)


def _pruned(began: Mapping[str, Checkpoint], teams: Iterable[str]) -> Sequence[str]:
    """Where the logs of these workspaces begin, of those that were pruned."""
    return [begins(began[team]) for team in sorted(teams) if team in began]


def _again(registry: Registry, action: Action) -> tuple[Verdict | None, str]:
    """The verdict as policy computes it now; or None, and why: where there was none, or it was that of a limit, nobody
    asks.
    """
    before, tool = action.verdict, registry.find(action.tool)
    if before is None or before.rule.startswith(_LIMITS):
        return None, ""
    if action.evidence is None:
        return None, " without its evidence"
    if tool is None:
        return None, f", as this version has no tool {action.tool}"
    try:
        call = proposed(tool, stored(tool, action.args), offered=before.rule != _NOT_OFFERED)
        return engine.decide(call, evidence_from_json(action.evidence)), ""
    except ValidationError:
        return None, f", as its arguments are none of {action.tool} in this version"
    except InvalidEvidence as error:
        return None, f": {str(error).rstrip('.')}"


def _evidence_of(entry: AuditEntry) -> str:
    told = details_of(body_of(entry.body)).get("evidence_sha256")
    return told if isinstance(told, str) else ""


def _line(entry: AuditEntry) -> str:
    body = body_of(entry.body)
    return f"{str(body.get('at', ''))[:19]}  {entry.code}  {body.get('actor', '')}  {json.dumps(body.get('details'))}"


def _said(verdict: Verdict) -> str:
    return f"{verdict.decision.value} by {verdict.rule}"
