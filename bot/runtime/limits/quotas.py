"""Quotas: how many side effects, recipients and cards a run's actions take up of its allowance (docs/limits.md).

A side effect has its place from the time its card is asked or its first attempt begins. So an approved action is never
refused for want of a place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.actions import Action, ActionState
from bot.domain.limits import Limit, Limits
from bot.domain.runs import Run, RunChanges
from bot.runtime.limits.usage import is_below, lasting, used
from bot.store.unit_of_work import UnitOfWork
from policies.evidence import evidence_from_json

_TAKEN = frozenset({ActionState.AWAITING, ActionState.APPROVED, ActionState.EXPIRED})
"""States of an action that keeps its place though no attempt began: the person can still let it happen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """What a run's side effects take up: their number, their recipients, and the actions that were asked about."""

    effects: int
    recipients: frozenset[str]
    carded: frozenset[str]


async def places(work: UnitOfWork, run: Run, *, beside: str = "") -> Quotas:
    """The places that the actions of the run's request take up; `beside` is the one that wants another."""
    actions = await work.actions.of_work(run.request_run)
    carded = set[str]()
    for run_id in {run.request_run, *(action.run_id for action in actions)}:
        carded.update(await work.questions.approvals_of_run(run_id))
    taken = [one for one in actions if one.id != beside and one.is_side_effect and _has_place(one, carded)]
    return Quotas(effects=len(taken), recipients=frozenset(_reached(taken)), carded=frozenset(carded))


def _has_place(action: Action, carded: Collection[str]) -> bool:
    """A planned one that was asked about before is evaluated again, and keeps its place meanwhile."""
    waits = action.state in _TAKEN or (action.state is ActionState.PLANNED and action.id in carded)
    return action.attempt > 0 or action.is_scheduled or waits


def _reached(actions: Iterable[Action]) -> Iterable[str]:
    for action in actions:
        if action.evidence:
            yield from addresses(evidence_from_json(action.evidence).newly_reached)


def addresses(recipients: Sequence[str] | None) -> frozenset[str]:
    """Recipients as they are counted: in whatever case they are written."""
    return frozenset(address.casefold() for address in recipients or ())


async def no_place(
    work: UnitOfWork, run: Run, action: Action, recipients: Sequence[str] | None, *, asks: bool
) -> Limit | None:
    """The limit that leaves no place for this action, which is to be asked about (`asks`) or to begin.

    Places are those of the request: a child run has no more than its root. An action that reaches too many by itself is
    not refused where a person sees before who it reaches (`reaches_too_many`).
    """
    if action.attempt > 0:
        return None
    taken = await places(work, run, beside=action.id)
    request = await _request(work, run)
    most = request.ceiling
    if action.id not in taken.carded and action.is_side_effect:
        if not is_below(taken.effects, most.effects):
            return Limit.EFFECTS
        wanted = addresses(recipients) - taken.recipients
        is_over = most.recipients is not None and len(taken.recipients | wanted) > most.recipients
        if wanted and is_over and not (asks and _are_too_many(request, wanted)):
            return Limit.RECIPIENTS
    if asks and action.id not in taken.carded and not is_below(len(taken.carded), most.cards):
        return Limit.CARDS
    return None


async def reaches_too_many(work: UnitOfWork, run: Run, action: Action, recipients: Sequence[str] | None) -> bool:
    """Whether this action alone newly reaches more addresses than one request may. To refuse it would help nobody: no
    request could ever do it.
    """
    wanted = addresses(recipients)
    if not wanted or action.attempt > 0 or not action.is_side_effect:
        return False
    request = await _request(work, run)
    if not _are_too_many(request, wanted):
        return False
    return _are_too_many(request, wanted - (await places(work, run, beside=action.id)).recipients)


def _are_too_many(request: Run, wanted: Collection[str]) -> bool:
    most = request.limits.recipients
    return most is not None and len(wanted) > most


async def _request(work: UnitOfWork, run: Run) -> Run:
    return await work.runs.find(run.root) if run.root else run


async def renewed(work: UnitOfWork, run: Run, now: datetime) -> RunChanges:
    """The columns of a run that its owner continues: one fresh allowance on top of what it used, and no stop."""
    return {
        "ceiling": await _so_far(work, run, now) + run.limits,
        "stopping": None,
        "stopping_at": None,
        "hard_stop": None,
        "stop_code": "",
        "hinted": lasting(run),
        "partial": "",
    }


async def left(work: UnitOfWork, run: Run, now: datetime) -> Limits:
    """What is left of the present allowance of a request."""
    return run.ceiling.less(await _so_far(work, run, now))


async def _so_far(work: UnitOfWork, run: Run, now: datetime) -> Limits:
    taken = await places(work, run)
    return replace(used(run, now), effects=taken.effects, recipients=len(taken.recipients), cards=len(taken.carded))
