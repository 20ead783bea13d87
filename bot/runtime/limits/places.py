"""Places: whether an action may be asked about, or begin, within what its request and its day have room for.

A side effect takes its place in the commit that lets it begin, defers it or has its card asked (docs/limits.md). From
then on it keeps it: what a person approved is never refused for want of one. A place of the day is not given back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.limits import Budget, DailyBudgets, Limit, Spent, day_of, mark_of
from bot.domain.runs import Run
from bot.domain.threads import zone_of
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import settle_action
from bot.runtime.limits import stops
from bot.runtime.limits.quotas import no_place, reaches_too_many
from bot.runtime.texts import about_limits, to_model
from bot.store.unit_of_work import UnitOfWork
from policies.evidence import Evidence
from policies.types import Decision, Verdict


async def taken(
    tx: Transaction,
    run: Run,
    action: Action,
    evidence: Evidence,
    daily: DailyBudgets,
    *,
    asks: bool,
    covered: bool,
) -> Limit | Budget | None:
    """Take its place, and count it for the day; or what leaves none. It `asks` a person, or begins; `covered` says that
    one approved it.
    """
    limit = await no_place(tx.work, run, action, evidence.newly_reached, asks=asks)
    if limit is not None or not daily.have_places or not action.is_side_effect or action.attempt > 0:
        return limit
    was_asked = action.id in await tx.work.questions.approvals_of_run(action.run_id)
    is_new = not was_asked and run.holds is None
    return await _of_day(tx, action, evidence.reached, daily, is_new=is_new, is_granted=was_asked or covered)


async def widely(tx: Transaction, run: Run, action: Action, evidence: Evidence) -> Verdict | None:
    """The verdict on what would be done unasked and reaches more than one request may by itself: a person is asked."""
    if not await reaches_too_many(tx.work, run, action, evidence.newly_reached):
        return None
    why = about_limits.too_many(await tx.work.runs.find(run.root) if run.root else run)
    return Verdict(decision=Decision.ASK, rule=Limit.RECIPIENTS.rule, reason=why)


async def _of_day(
    tx: Transaction,
    action: Action,
    recipients: Sequence[str],
    daily: DailyBudgets,
    *,
    is_new: bool,
    is_granted: bool,
) -> Budget | None:
    """An action that had its place before counts only those that it reaches besides."""
    team, user, day = action.team, action.user, day_of(tx.now)
    await tx.work.spending.hold(team, day)
    before = await tx.work.spending.of_day(team, user, day, recipients=daily.limit_recipients)
    counted = recipients if daily.limit_recipients else ()
    marks = frozenset(mark_of(address, team, day) for address in counted)
    after = before.with_more(Spent(effects=int(is_new), recipients=marks))
    budget = None if is_granted else daily.overdrawn(before, after)
    if budget is None and after != before:
        spent = Spent(effects=int(is_new), recipients=after.user.recipients)
        await tx.work.spending.take(team, user, day, spent)
    return budget


async def refuse(
    tx: Transaction,
    run: Run,
    action: Action,
    limit: Limit | Budget,
    daily: DailyBudgets,
    judged: Mapping[str, Any],
) -> None:
    """Policy would let it through; there is no place left for it, and its request comes to its end."""
    why, stopping = await _words(tx.work, run, limit, daily, tx.now)
    told = to_model.error("limit_reached", why, hint="do not call it again; say that it was not done")
    verdict = Verdict(decision=Decision.DENY, rule=limit.rule, reason=why)
    columns: dict[str, Any] = {**judged, "verdict": verdict}
    await settle_action(
        tx, action, ActionState.DENIED, code=AuditCode.ACTION_NO_PLACE, response=told, summary=why, **columns
    )
    for each in await tx.work.runs.lineage(run):
        await stops.softly(tx, each, limit, why=stopping)


async def _words(
    work: UnitOfWork, run: Run, limit: Limit | Budget, daily: DailyBudgets, now: datetime
) -> tuple[str, str]:
    """Why it was not done, and why its request stops; that follows from a limit of its own."""
    if isinstance(limit, Limit):
        return about_limits.no_place(limit, await work.runs.find(run.root) if run.root else run), ""
    zone = zone_of(await work.users.find(run.team, run.user))
    return about_limits.no_room(limit, daily, now, zone), about_limits.exhausted(limit, daily, now, zone)
